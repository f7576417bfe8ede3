/** Rendering: the first paint, before and after, groupings, very many slices, hints, Services, the frame. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { EXAMPLES } from '../../www/samples/index.js';
import { newService } from './files.js';
import { drawnSlices, exampleLink, openInput, openTab, pasteInput, settled, start, told, withPage } from './harness.js';

/** @typedef {import('playwright-core').Page} Page */

/** @type {import('./harness.js').World} */
let world;
before(async () => {
  world = await start();
});
after(() => world.close());

test('the first paint is a question with its answer, and nothing in front of it', () =>
  withPage(world, {}, async (page) => {
    assert.equal(await page.getByRole('tab', { selected: true }).textContent(), 'Picture');
    assert.equal(await page.getByRole('complementary', { name: 'Input' }).count(), 0);
    assert.match((await page.locator('.hero h2').textContent()) ?? '', /\?$/);
    assert.equal(await page.locator('.lane').count(), 3);
  }));

test('a scale-up, before and after', () =>
  withPage(world, { hash: exampleLink('scale-up') }, async (page) => {
    assert.deepEqual(await drawnSlices(page), [
      { label: 'Slice web-k2x7p', tag: 'Unchanged', fill: '10 of 10', before: 0, after: 10, added: 0, removed: 0 },
      { label: 'Slice web-q9d4m', tag: 'Updated', fill: '4 → 6 of 10', before: 4, after: 6, added: 2, removed: 0 },
      { label: 'Slice web-…', tag: 'Created', fill: '10 of 10, all added', before: 0, after: 10, added: 10, removed: 0 },
    ]);
    assert.equal(await page.locator('.slice.created .absent').count(), 1);
  }));

test('the page allows nothing but its own files', () =>
  withPage(world, {}, async (page) => {
    const policy = (await page.locator('meta[http-equiv=Content-Security-Policy]').getAttribute('content')) ?? '';
    for (const part of ["default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "require-trusted-types-for 'script'"]) {
      assert.ok(policy.includes(part), part);
    }
  }));

test('every example is drawn without a complaint', () =>
  withPage(world, { path: 'blank.html' }, async (page) => {
    for (const { id } of EXAMPLES) {
      await page.goto(`${world.base}${exampleLink(id)}`);
      await page.reload();
      await settled(page);
      assert.equal(await page.locator('.notice').count(), 0, id);
      assert.equal((await page.locator('.hero').count()) + (await page.getByText('no Service with a plan').count()), 1, id);
    }
  }));

test('eleven endpoints: hints are off, with the arithmetic', () =>
  withPage(world, { hash: exampleLink('eleven-endpoints') }, async (page) => {
    const hints = page.getByRole('region', { name: 'Hints', exact: true });
    assert.match((await hints.textContent()) ?? '', /Hints are off/);
    assert.equal(await hints.getByRole('row').count(), 4);
    const events = page.getByRole('region', { name: 'Events and errors' });
    assert.match((await events.textContent()) ?? '', /TopologyAwareHintsDisabled/);
    const picture = page.getByRole('listbox', { name: /after the plan/ });
    assert.equal(await picture.locator('.hint').count(), 0);
  }));

test('a node without a zone is named where hints are off', () =>
  withPage(world, { hash: exampleLink('unlabelled-node') }, async (page) => {
    assert.match((await page.getByRole('region', { name: 'Hints', exact: true }).textContent()) ?? '', /Insufficient Node information/);
    await told(page);
    assert.match((await page.getByRole('region', { name: 'Why', exact: true }).textContent()) ?? '', /spot-7f3c/);
  }));

test('borrowed endpoints: a hint for another zone stands out, in words too', () =>
  withPage(world, { hash: exampleLink('borrowed-endpoints') }, async (page) => {
    const picture = page.getByRole('listbox', { name: /after the plan/ });
    assert.equal(await picture.locator('.loan').count(), 2);
    const lent = picture.getByRole('option', { name: /zone europe-west4-[bc], ready, hint for zone europe-west4-a/ });
    assert.equal(await lent.count(), 2);
  }));

test('a rolling update: each condition has its shape', () =>
  withPage(world, { hash: exampleLink('rolling-update') }, async (page) => {
    const picture = page.getByRole('listbox', { name: /cart-d8f2k, after/ });
    assert.equal(await picture.locator('.draining .hatch').count(), 3);
    assert.equal(await picture.locator('.stopped .slash').count(), 2);
    assert.equal(await page.getByRole('listbox', { name: /before/ }).locator('[role=option].removed').count(), 4);
  }));

test('a node nobody knows: the error and the retry are said', () =>
  withPage(world, { hash: exampleLink('unknown-node') }, async (page) => {
    const messages = (await page.getByRole('region', { name: 'Events and errors' }).textContent()) ?? '';
    assert.match(messages, /NodeNotFound/);
    assert.match(messages, /The Service must be retried/);
  }));

test('slices of another manager are drawn apart', () =>
  withPage(world, { hash: exampleLink('other-manager') }, async (page) => {
    const group = page.getByRole('region', { name: 'Slices that are left alone' });
    await group.getByText(/Slice media-mesh-west sends clients to 10.8.0.111/).waitFor();
    assert.equal(await group.getByRole('option').count(), 3);
  }));

test('a typo in the selector: of two Services the broken one is shown first, with its placeholder', () =>
  withPage(world, { hash: exampleLink('selector-typo') }, async (page) => {
    assert.match((await page.locator('.strip h3').textContent()) ?? '', /shop\/orders/);
    const emptied = page.getByRole('img', { name: /orders-x9r3n, after the plan: no endpoints/ });
    assert.equal(await emptied.count(), 1);
    await page.locator('.services-fold > summary').click();
    assert.equal(await page.getByRole('option', { name: 'shop/stock' }).count(), 1);
  }));

test('grouped by zone or by node, every endpoint is there once, removed ones too', () =>
  withPage(world, { hash: exampleLink('rolling-update') }, async (page) => {
    for (const [name, boxes] of /** @type {const} */ ([['Zone', 3], ['Node', 6]])) {
      await page.getByRole('button', { name, exact: true }).click();
      await page.locator('.slice.place').first().waitFor();
      const drawn = await drawnSlices(page);
      assert.equal(drawn.length, boxes, name);
      assert.equal(drawn.reduce((sum, each) => sum + each.after, 0), 20, name);
      assert.equal(drawn.reduce((sum, each) => sum + each.removed, 0), 4, name);
    }
    await page.reload();
    await page.locator('.slice.place').first().waitFor();
    assert.equal(await page.getByRole('button', { name: 'Node', exact: true }).getAttribute('aria-pressed'), 'true');
  }));

test('of many slices, bars come first, and the cells of the one that is chosen', () =>
  withPage(world, {}, async (page) => {
    await pasteInput(page, newService(40, 1));
    const bars = page.getByRole('listbox', { name: /40 slices/ });
    await bars.waitFor();
    assert.equal(await page.locator('.slice').count(), 0);
    assert.equal(await bars.getByRole('option').getAttribute('aria-setsize'), '40');
    await bars.focus();
    await page.keyboard.press('ArrowRight');
    assert.match((await bars.getByRole('option').textContent()) ?? '', /created, 1 of 1/);
    assert.equal(await bars.getByRole('option').getAttribute('aria-posinset'), '2');
    await page.keyboard.press('Enter');
    assert.equal(await page.locator('.slice').count(), 1);
    await bars.click({ position: { x: 200, y: 30 } });
    assert.equal(await bars.getByRole('option').getAttribute('aria-posinset'), '10');
    assert.equal(await page.locator('.slice').getByRole('option').count(), 1);
  }));

test('bars are painted in the colours of the zones, in the dark other ones', () =>
  withPage(world, { expected: /willReadFrequently/ }, async (page) => {
    await pasteInput(page, newService(40, 1));
    await page.getByRole('listbox', { name: /40 slices/ }).waitFor();
    const light = await page.evaluate(barColours);
    assert.ok(light.includes('36,89,207') && light.includes('168,78,0'), light.join(' '));
    const old = await page.locator('.bars canvas').evaluate((canvas) => /** @type {HTMLCanvasElement} */ (canvas).toDataURL());
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.waitForFunction((picture) => /** @type {HTMLCanvasElement} */ (document.querySelector('.bars canvas')).toDataURL() !== picture, old);
    const dark = await page.evaluate(barColours);
    assert.ok(dark.includes('134,180,255') && dark.includes('255,179,92'), dark.join(' '));
  }));

/** Runs in the page: the colours in the middle of each of the first bars. */
function barColours() {
  const canvas = /** @type {HTMLCanvasElement} */ (document.querySelector('.bars canvas'));
  const ratio = canvas.width / canvas.clientWidth;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  return [0, 1, 2, 3].map((index) => [...context.getImageData((11 + index * 22) * ratio, 40 * ratio, 1, 1).data.slice(0, 3)].join());
}

test('settings replan: more endpoints per slice, and back to those of the input', () =>
  withPage(world, { hash: exampleLink('scale-up') }, async (page) => {
    await openInput(page, 'YAML/JSON');
    await page.locator('summary', { hasText: 'Settings' }).click();
    await page.getByLabel('Endpoints per slice').fill('100');
    await settled(page);
    assert.equal(await page.locator('.slice .tag.created').count(), 0);
    await page.getByRole('button', { name: 'Back to the settings of the input' }).click();
    await page.locator('.slice .tag.created').waitFor();
  }));

test('a setting out of range is refused by the core, with its name', () =>
  withPage(world, {}, async (page) => {
    await openInput(page, 'YAML/JSON');
    await page.locator('summary', { hasText: 'Settings' }).click();
    await page.getByLabel('Endpoints per slice').fill('0');
    const notice = page.locator('.notice.faulty');
    await notice.waitFor();
    assert.match(
      (await notice.textContent()) ?? '',
      /mistake in the settings: Invalid value for maxEndpointsPerSlice: .*between 1 and 1000\. Below is the last valid plan/s,
    );
    assert.equal(await page.locator('.result.stale .hero').count(), 1);
  }));

test('Services: search, filter, choose; the link brings back the choice', () =>
  withPage(world, { hash: exampleLink('cluster-at-rest') }, async (page) => {
    await page.locator('.services-fold > summary').click();
    const list = page.getByRole('listbox', { name: 'Services' });
    assert.equal(await list.getByRole('option').count(), 7);
    await page.getByLabel('Search Services').fill('shop');
    assert.equal(await list.getByRole('option').count(), 3);
    await list.getByRole('option', { name: 'shop/catalog' }).click();
    await page.getByRole('heading', { name: 'Slices of shop/catalog' }).waitFor();
    assert.match(new URL(page.url()).hash, /example=cluster-at-rest&service=shop\/catalog/);
    await page.reload();
    await page.getByRole('heading', { name: 'Slices of shop/catalog' }).waitFor();
    await page.locator('.services-fold > summary').click();
    await page.getByLabel('Namespace').selectOption('shop');
    assert.equal(await list.getByRole('option').count(), 3);
    await page.getByLabel('with changes').check();
    assert.equal(await list.count(), 0);
    assert.match((await page.locator('.services').textContent()) ?? '', /1 Service without a plan/);
  }));

test('tabs load when they are opened, and stay as they were left', () =>
  withPage(world, {}, async (page) => {
    /** @type {string[]} */
    const scripts = [];
    page.on('request', (request) => void (request.url().endsWith('.js') && scripts.push(request.url())));
    for (const name of /** @type {const} */ (['Traffic', 'Compare', 'Admission', 'Timeline'])) {
      const known = scripts.length;
      await openTab(page, name);
      assert.ok(scripts.length > known, name);
      assert.equal(await page.getByRole('tabpanel').count(), 1);
    }
    await page.waitForLoadState('networkidle');
    const known = scripts.length;
    await openTab(page, 'Picture');
    await openTab(page, 'Traffic');
    await told(page);
    assert.equal(scripts.length, known);
  }));

test('the drawer is closed at first; how it was left is remembered', () =>
  withPage(world, {}, async (page) => {
    await openInput(page, 'Objects');
    const drawer = page.getByRole('complementary', { name: 'Input' });
    const handle = page.getByRole('separator', { name: 'Width of the input' });
    await handle.focus();
    for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowRight');
    const { width } = (await drawer.boundingBox()) ?? { width: 0 };
    const box = (await handle.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(box.x + 5, box.y + 200);
    await page.mouse.down();
    await page.mouse.move(box.x + 105, box.y + 200);
    await page.mouse.up();
    assert.equal(Math.round((await drawer.boundingBox())?.width ?? 0), Math.round(width) + 100);
    await page.reload();
    await settled(page);
    assert.equal(Math.round((await drawer.boundingBox())?.width ?? 0), Math.round(width) + 100);
    assert.equal(await page.getByRole('button', { name: 'Objects' }).getAttribute('aria-pressed'), 'true');
    await page.getByRole('button', { name: 'Close the input' }).click();
    assert.equal(await drawer.count(), 0);
  }));

test('colours follow the system, or what was chosen, and that is remembered', () =>
  withPage(world, { colorScheme: 'dark' }, async (page) => {
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await ground();
    await page.getByRole('button', { name: /^Colours/ }).click();
    assert.notEqual(await ground(), dark);
    await page.reload();
    assert.notEqual(await ground(), dark);
    await page.getByRole('button', { name: 'Colours: light' }).click();
    assert.equal(await ground(), dark);
  }));

test('the bar fits, and the drawer covers the page where there is no room for both', () =>
  withPage(world, { hash: exampleLink('rounding-trap') }, async (page) => {
    assert.equal(await page.title(), 'shop/geo · Six endpoints, five zones, and a rounding trap · slicewise');
    for (const width of [390, 660, 760, 901]) {
      await page.setViewportSize({ width, height: 800 });
      const over = await page.locator('.topbar, .topbar button:visible').evaluateAll((parts) =>
        parts.filter((part) => part.scrollWidth > part.clientWidth + 1 && !part.querySelector('.picked-title')).map((part) => part.textContent),
      );
      assert.deepEqual(over, [], String(width));
      const [picker, buttons] = await Promise.all(['.picked', '.bar-buttons'].map((part) => page.locator(`.topbar ${part}`).boundingBox()));
      assert.ok(picker && buttons && picker.x + picker.width <= buttons.x, String(width));
    }
    await page.setViewportSize({ width: 1000, height: 800 });
    // Answers that come late change its height.
    const place = async () => {
      const { x, y, width } = (await page.locator('#main').boundingBox()) ?? assert.fail();
      return { x, y, width };
    };
    const closed = await place();
    await openInput(page, 'Objects');
    assert.deepEqual(await place(), closed);
  }));

test('no text is smaller than twelve pixels', () =>
  withPage(world, { hash: exampleLink('eleven-endpoints') }, async (page) => {
    for (const tab of ['Picture', 'Traffic', 'Timeline', 'Compare', 'Admission']) {
      await openTab(page, tab);
      const small = await page.evaluate(() =>
        [...document.querySelectorAll('body *')]
          .filter((element) => element.checkVisibility() && [...element.childNodes].some((node) => node instanceof Text && node.data.trim() !== ''))
          .filter((element) => Number.parseFloat(getComputedStyle(element).fontSize) < 12)
          .map((element) => `${element.tagName} ${element.textContent}`),
      );
      assert.deepEqual([...new Set(small)], [], tab);
    }
  }));
