/** What leaves the page: links, frames, and links that cannot be read. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PATIENCE, exampleBytes, exampleLink, pasteInput, settled, start, told, withPage } from './harness.js';

/** @import {Page} from 'playwright-core' */

/** @type {import('./harness.js').World} */
let world;
before(async () => {
  world = await start();
});
after(() => world.close());

/** @param {Page} page */
async function sharedLink(page) {
  await page.keyboard.press('s');
  const field = page.getByRole('textbox', { name: 'Link' });
  await field.waitFor();
  return field.inputValue();
}

test('a link brings an input of one’s own back in another browser, with settings, Service and tab', () =>
  withPage(world, {}, async (page) => {
    await pasteInput(page, exampleBytes('selector-typo').toString());
    await page.keyboard.press('j');
    await settled(page);
    await page.getByRole('tab', { name: 'Traffic' }).click();
    const link = await sharedLink(page);
    assert.match(link, /#v=2&all=[\w-]+$/);
    assert.match((await page.getByRole('dialog').textContent()) ?? '', new RegExp(`${link.length.toLocaleString('en')} characters`));
    const service = /service=([^&]+)/.exec(page.url())?.[1];
    const other = await world.browser.newContext();
    other.setDefaultTimeout(PATIENCE);
    const there = await other.newPage();
    await there.goto(link);
    await settled(there);
    assert.equal(await there.getByRole('tab', { name: 'Traffic' }).getAttribute('aria-selected'), 'true');
    assert.match(there.url(), new RegExp(`own=\\w+&service=${service}&tab=traffic`));
    assert.equal(await there.locator('.picked-title').textContent(), 'Your input');
    await other.close();
  }));

test('a link of an example is short and can be read', () =>
  withPage(world, { hash: exampleLink('scale-up') }, async (page) => {
    assert.equal(await sharedLink(page), `${world.base}#v=2&example=scale-up`);
  }));

test('an input too large for a link is refused, with what to do instead', () =>
  withPage(world, {}, async (page) => {
    const pods = Array.from(
      { length: 4000 },
      (_, index) => `{"kind":"Pod","apiVersion":"v1","metadata":{"namespace":"n","name":"p${Math.sin(index)}"}}`,
    );
    await pasteInput(
      page,
      `[{"kind":"Service","apiVersion":"v1","metadata":{"namespace":"n","name":"s"},"spec":{"selector":{"a":"b"}}},${pods.join(',')}]`,
    );
    await page.keyboard.press('s');
    await page.getByText(/links longer than 60,000 are cut.*Send the input as a file/).waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save the input as a file' }).click()]);
    assert.equal(download.suggestedFilename(), 'input.json');
  }));

for (const [what, hash, words] of [
  ['newer', '#v=3&all=AAAA', /newer version/],
  ['cut', '#v=2&all=AAAFxkf', /not complete/],
  ['garbled', '#v=2&all=!!!', /damaged/],
  ['about an unknown example', '#v=1&example=nowhere', /"nowhere", that does not exist/],
  ['of an input that is elsewhere', '#v=2&own=abc123', /never left the browser/],
  ['none of this page', '#nowhere=1', /#nowhere=1, which is not a link of this page/],
]) {
  test(`a link that is ${what} says so and changes nothing`, () =>
    withPage(world, { hash: exampleLink('same-node') }, async (page) => {
      const address = page.url();
      await page.evaluate((fragment) => {
        location.hash = fragment;
      }, String(hash));
      await page.locator('.banner .notice', { hasText: /** @type {RegExp} */ (words) }).waitFor();
      assert.equal(page.url(), address);
      assert.equal(await page.locator('.topbar').getByRole('button', { name: 'Undo' }).isDisabled(), true);
      // As the first address of a page, it leads to the default content.
      await page.goto('about:blank');
      await page.goto(`${world.base}${hash}`);
      await settled(page);
      await page.locator('.banner .notice', { hasText: /** @type {RegExp} */ (words) }).waitFor();
    }));
}

test('of one’s own cluster one Service is shared, on request under other names', () =>
  withPage(world, {}, async (page) => {
    await pasteInput(page, exampleBytes('cluster-at-rest').toString());
    // The worst of the Services, once it is known.
    const shown = 'edge/empty';
    await page.getByRole('heading', { name: `Slices of ${shown}` }).waitFor();
    await told(page);
    const headline = (await page.locator('.headline').textContent()) ?? '';
    await page.keyboard.press('s');
    const field = page.getByRole('textbox', { name: 'Link' });
    const dialog = page.getByRole('dialog');
    const whole = await field.inputValue();
    await dialog.getByLabel(`Only ${shown}`).check();
    await dialog.getByText('The link contains one Service with its pods').waitFor();
    await page.waitForFunction((old) => document.querySelector('textarea')?.value !== old, whole);
    const only = await field.inputValue();
    await dialog.getByLabel('Replace names').check();
    await dialog.getByText('under other names').waitFor();
    await page.waitForFunction((old) => document.querySelector('textarea')?.value !== old, only);
    const renamed = await field.inputValue();
    assert.ok(renamed.length < only.length && only.length < whole.length, [renamed, only, whole].map(({ length }) => length).join());
    await page.goto('about:blank');
    await page.goto(renamed);
    await page.getByRole('heading', { name: 'Slices of namespace/service' }).waitFor();
    assert.equal(await page.locator('.headline').textContent(), headline);
  }));

test('a link opened over one’s own work is a step that can be undone', () =>
  withPage(world, {}, async (page) => {
    await pasteInput(page, exampleBytes('dual-stack').toString());
    await page.evaluate(() => {
      location.hash = '#v=1&example=scale-up';
    });
    await page.waitForFunction(() => document.querySelector('.picked-title')?.textContent !== 'Your input');
    await settled(page);
    await page.locator('.topbar').getByRole('button', { name: 'Undo' }).click();
    await settled(page);
    assert.equal(await page.locator('.picked-title').textContent(), 'Your input');
  }));

test('the frame for a web page: the hero alone, nothing kept, in a sandbox, on another origin', () =>
  withPage(world, { hash: exampleLink('scale-up'), keeps: true }, async (page) => {
    await pasteInput(page, exampleBytes('same-node').toString());
    await sharedLink(page);
    const snippet = await page.getByRole('textbox', { name: 'HTML' }).inputValue();
    assert.match(snippet, /^<iframe src="http:\/\/127\.0\.0\.1:\d+\/\?embed=1#v=2&amp;all=[\w-]+" title="slicewise: shop\/[\w-]+"/);
    const host = await page.context().newPage();
    await host.addInitScript(() => {
      const asked = (/** @type {any} */ (globalThis).asked = /** @type {string[]} */ ([]));
      for (const [owner, name] of [[Storage, 'getItem'], [Storage, 'setItem'], [IDBFactory, 'open'], [ServiceWorkerContainer, 'register']]) {
        /** @type {any} */ (owner).prototype[/** @type {string} */ (name)] = () => asked.push(/** @type {string} */ (name));
      }
    });
    await host.goto(`${world.base.replace('127.0.0.1', 'localhost')}blank.html`);
    await host.evaluate((html) => {
      document.body.innerHTML = html;
    }, snippet);
    const frame = host.frameLocator('iframe');
    await frame.locator('main.embedded[aria-busy=false]').waitFor();
    assert.equal(await frame.getByRole('tab').count(), 0);
    const inside = host.frames().find((each) => each.url().includes('embed=1'));
    await host.waitForTimeout(2500);
    assert.deepEqual(await inside?.evaluate(() => /** @type {any} */ (globalThis).asked), []);
    const [whole] = await Promise.all([host.waitForEvent('popup'), frame.getByRole('link', { name: 'Open in slicewise' }).click()]);
    await settled(whole);
    await whole
      .getByRole('heading', {
        name: `Slices of ${await page
          .locator('.strip h3')
          .textContent()
          .then((title) => title?.replace('Slices of ', ''))}`,
      })
      .waitFor();
    assert.equal(await whole.locator('.banner .notice').count(), 0);
    await whole.close();
    const open = (/** @type {string} */ html) => {
      document.body.innerHTML = html.replace('?embed=1', '');
    };
    await Promise.all([host.waitForEvent('console', (message) => /frame-ancestors/.test(message.text())), host.evaluate(open, snippet)]);
  }));

test('the number of pods is in the link of an example, and undo takes it out again', () =>
  withPage(world, { hash: exampleLink('eleven-endpoints') }, async (page) => {
    await page.keyboard.press('+');
    await page.getByText('12 endpoints give three zones 4 each.').waitFor();
    await page.waitForFunction(() => location.hash.endsWith('example=eleven-endpoints&service=shop/checkout&pods=12'));
    const link = page.url();
    await page.keyboard.press('Control+z');
    await page.getByText('11 endpoints cannot give three zones 4 each.').waitFor();
    await page.goto('about:blank');
    await page.goto(link);
    await page.getByText('12 endpoints give three zones 4 each.').waitFor();
  }));
