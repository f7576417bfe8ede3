/** Persistence: undo for everything, back and forward, the user's work after a reload and in several tabs. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { PATIENCE, exampleBytes, exampleLink, openInput, pasteInput, settled, start, told, withPage } from './harness.js';

/** @import {Page} from 'playwright-core' */

/** @type {import('./harness.js').World} */
let world;
before(async () => {
  world = await start();
});
after(() => world.close());

const OWN = exampleBytes('dual-stack').toString().replaceAll('"name": "queue', '"name": "mine');

/** The visible parts of the work. @param {Page} page */
async function shown(page) {
  await settled(page);
  return page.evaluate(() => ({
    picked: document.querySelector('.picked-title')?.textContent,
    service: document.querySelector('#service-title, .hero h2, .strip h3')?.textContent,
  }));
}

/** @param {Page} page */
async function openText(page) {
  if (await page.locator('#drawer').isHidden()) await page.getByRole('button', { name: 'Input', exact: true }).click();
  await page.getByRole('button', { name: 'YAML/JSON' }).click();
}

/**
 * Waits for the page, because back and forward return before it has handled them.
 * @param {Page} page
 * @param {Awaited<ReturnType<typeof shown>>} expected
 * @param {string} [why]
 */
async function becomes(page, expected, why) {
  const end = Date.now() + PATIENCE;
  while (!isDeepStrictEqual(await shown(page), expected) && Date.now() < end) await page.waitForTimeout(20);
  assert.deepEqual(await shown(page), expected, why);
}

test('undo and redo lead through example, settings and text, with the plan of each', () =>
  withPage(world, { hash: exampleLink('scale-up') }, async (page) => {
    const undo = page.locator('.topbar').getByRole('button', { name: 'Undo' });
    assert.equal(await undo.isDisabled(), true);
    const first = await shown(page);
    await page.keyboard.press(']');
    await page.waitForFunction((title) => document.querySelector('.picked-title')?.textContent !== title, first.picked);
    const second = await shown(page);
    await pasteInput(page, OWN);
    const third = await shown(page);
    assert.equal(third.picked, 'Your input');
    await page.keyboard.press('Control+z');
    assert.deepEqual(await shown(page), second);
    await undo.click();
    assert.deepEqual(await shown(page), first);
    assert.equal(await undo.isDisabled(), true);
    await page.keyboard.press('Control+Shift+z');
    await page.keyboard.press('Control+y');
    assert.deepEqual(await shown(page), third);
  }));

test('settings are steps of undo', () =>
  withPage(world, { hash: exampleLink('scale-up') }, async (page) => {
    await openText(page);
    await page.locator('summary', { hasText: 'Settings' }).click();
    await page.getByLabel('Endpoints per slice').fill('100');
    await settled(page);
    assert.match(new URL(page.url()).hash, /max=100/);
    await page.locator('.topbar').getByRole('button', { name: 'Undo' }).click();
    await settled(page);
    await page.waitForFunction(() => !location.hash.includes('max='));
    assert.equal(await page.getByLabel('Endpoints per slice').inputValue(), '10');
  }));

test('an input of one’s own survives a reload, and back and forward lead through examples, tabs and inputs', () =>
  withPage(world, { hash: exampleLink('scale-up') }, async (page) => {
    const example = await shown(page);
    await pasteInput(page, OWN);
    const own = await shown(page);
    assert.match(new URL(page.url()).hash, /^#v=2&own=\w+$/);
    await page.getByRole('tab', { name: 'Traffic' }).click();
    await page.goBack();
    await page.getByRole('tab', { name: 'Picture', selected: true }).waitFor();
    await page.goBack();
    await becomes(page, example);
    await page.goForward();
    await becomes(page, own);
    await page.reload();
    await becomes(page, own);
    await page.goBack();
    await becomes(page, example, 'entries of before the reload are there as well');
    await page.goForward();
    await becomes(page, own, 'and so is what follows them');
  }));

test('a link that is put into the address is one entry, and a step back leads to what was there', () =>
  withPage(world, { hash: exampleLink('scale-up') }, async (page) => {
    const example = await shown(page);
    await page.evaluate(() => {
      location.hash = '#v=2&example=same-node&tab=traffic';
    });
    await page.getByRole('tab', { name: 'Traffic', selected: true }).waitFor();
    const linked = await shown(page);
    await page.goBack();
    await page.getByRole('tab', { name: 'Picture', selected: true }).waitFor();
    await becomes(page, example);
    await page.goForward();
    await page.getByRole('tab', { name: 'Traffic', selected: true }).waitFor();
    await becomes(page, linked);
  }));

test('a step that is gone at once is found again on the way back, and one that comes too late is not shown', () =>
  withPage(world, { hash: exampleLink('scale-up') }, async (page) => {
    const example = await shown(page);
    // All within the delay for writing an address.
    await page.evaluate((text) => {
      const tab = (/** @type {string} */ name) => [...document.querySelectorAll('[role=tab]')].find(({ textContent }) => textContent?.includes(name));
      const click = (/** @type {string} */ name) => /** @type {HTMLElement} */ (tab(name)).click();
      click('Compare');
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', text);
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      click('Traffic');
    }, OWN);
    assert.equal((await shown(page)).picked, 'Your input');
    await page.evaluate(() => {
      addEventListener('popstate', () => history.back(), { once: true });
      history.back();
    });
    await page.getByRole('tab', { name: 'Compare', selected: true }).waitFor();
    await becomes(page, example);
    await page.waitForTimeout(500);
    assert.deepEqual(await shown(page), example);
  }));

test('a step back to another tab leaves an example that is still loading behind', () =>
  withPage(world, { hash: exampleLink('scale-up') }, async (page) => {
    const example = await shown(page);
    await page.getByRole('tab', { name: 'Traffic' }).click();
    /** @type {() => void} */
    let arrive = () => {};
    const late = new Promise((resolve) => (arrive = () => resolve(null)));
    await page.route('**/*.json', (route) => late.then(() => route.continue()));
    await page.keyboard.press(']');
    await page.locator('.result[aria-busy=true]').waitFor();
    await page.goBack();
    await page.getByRole('tab', { name: 'Picture', selected: true }).waitFor();
    await Promise.all([page.waitForResponse('**/*.json'), arrive()]);
    await page.waitForTimeout(200);
    assert.deepEqual(await shown(page), example);
    assert.match(new URL(page.url()).hash, /example=scale-up$/);
  }));

test('an address that is put in while another one is due leads to what it says, though it is reloaded before it is there', () =>
  withPage(world, { hash: exampleLink('scale-up') }, async (page) => {
    await pasteInput(page, OWN);
    await page.route('**/same-node.*', () => {});
    await page.goto(`${world.base}${exampleLink('same-node')}`);
    await page.locator('.result[aria-busy=true]').waitFor();
    assert.equal(new URL(page.url()).hash, exampleLink('same-node'));
    await page.unrouteAll();
    await page.reload();
    assert.equal((await shown(page)).picked, 'PreferSameNode adds hints for nodes');
  }));

test('what was typed last is saved when the page is left at once', () =>
  withPage(world, {}, async (page) => {
    await pasteInput(page, OWN);
    const own = await shown(page);
    await page.waitForFunction(() => location.hash.includes('own='));
    await page.reload();
    assert.deepEqual(await shown(page), own);
  }));

test('two tabs with the same input do not write over each other', () =>
  withPage(world, {}, async (page) => {
    await pasteInput(page, OWN);
    await page.waitForFunction(() => location.hash.includes('own='));
    const other = await page.context().newPage();
    await other.goto(page.url());
    await settled(other);
    assert.equal((await shown(other)).picked, 'Your input');
    await other.waitForFunction((url) => location.href !== url, page.url());
    await pasteInput(other, exampleBytes('same-node').toString());
    const [mine, theirs] = [await shown(page), await shown(other)];
    assert.notDeepEqual(mine, theirs);
    await page.reload();
    await other.reload();
    assert.deepEqual(await shown(page), mine);
    assert.deepEqual(await shown(other), theirs);
  }));

test('a browser that keeps nothing says so once, and all else works', () =>
  withPage(world, {}, async (page) => {
    await page.addInitScript(() => {
      IDBFactory.prototype.open = () => {
        throw new DOMException('no', 'SecurityError');
      };
    });
    await page.reload();
    await settled(page);
    await pasteInput(page, OWN);
    const notice = page.locator('.banner .notice', { hasText: 'does not save your input' });
    await notice.waitFor();
    await notice.getByRole('button', { name: 'Close this message' }).click();
    await pasteInput(page, exampleBytes('same-node').toString());
    await page.waitForTimeout(700);
    assert.equal(await notice.count(), 0);
    await page.locator('.topbar').getByRole('button', { name: 'Undo' }).click();
    await settled(page);
  }));

test('a full storage says so, and the page goes on', () =>
  withPage(world, {}, async (page) => {
    await page.addInitScript(() => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException('full', 'QuotaExceededError');
      };
    });
    await page.reload();
    await settled(page);
    await pasteInput(page, OWN);
    await page.locator('.banner .notice', { hasText: 'storage for this page is full' }).waitFor();
  }));

/** Makes the engine crash on the next question. @param {Page} page */
async function kill(page) {
  await told(page);
  const engines = page.workers().filter((worker) => worker.url().includes('engine'));
  await engines.at(-1)?.evaluate(() => {
    globalThis.postMessage = () => {
      throw new Error('gone');
    };
    addEventListener('message', () => {
      throw new Error('gone');
    });
  });
}

test('an engine that dies of an input again and again is no mistake in the input, which can be tried again', () =>
  withPage(world, {}, async (page) => {
    const drawn = await page.locator('.lane-cell').count();
    // It crashes on each of the next two requests for a plan.
    await page.evaluate(() => {
      const { postMessage } = Worker.prototype;
      let left = 2;
      Worker.prototype.postMessage = function ends(/** @type {any} */ question, /** @type {any} */ transfer) {
        if (question.call !== 'open' || left === 0) return postMessage.call(this, question, transfer);
        left -= 1;
        return queueMicrotask(() => this.dispatchEvent(new ErrorEvent('error', { message: 'it ended' })));
      };
    });
    await pasteInput(page, OWN);
    const line = page.locator('.notice.faulty');
    assert.equal(await line.locator('p').textContent(), 'This input could not be planned: It ended. Below is the last valid plan.');
    assert.deepEqual([await page.locator('main.stale').count(), await page.locator('.lane-cell').count()], [1, drawn]);
    await line.getByRole('button', { name: 'Retry' }).click();
    await settled(page);
    assert.deepEqual([await line.count(), await page.locator('main.stale').count()], [0, 0]);
  }));

test('an engine that dies is started again, once, and that is said', () =>
  withPage(world, { expected: /exception: gone|console: Uncaught Error: gone/ }, async (page) => {
    const notice = page.locator('.banner .notice', { hasText: 'was started again. Nothing is lost' });
    // On a secondary question.
    await kill(page);
    await page.locator('.lane-cell').first().click();
    await notice.waitFor();
    await page.locator('.inspector .why-entry').first().waitFor();
    await notice.getByRole('button', { name: 'Close this message' }).click();
    await page.keyboard.press('Escape');
    // On a request for a plan.
    await kill(page);
    await pasteInput(page, OWN);
    await notice.waitFor();
    assert.equal(await page.locator('.banner .notice').count(), 1);
    assert.equal(await page.locator('main.stale').count(), 0);
    assert.equal((await shown(page)).picked, 'Your input');
    await openInput(page);
    assert.equal(await page.locator('.cm-line').first().textContent(), OWN.split('\n')[0]);
  }));
