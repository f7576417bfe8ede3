/** Keyboard, names and contrast, narrow windows. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findings, widths } from './axe.js';
import { drawnSlices, exampleBytes, exampleLink, replaceInput, start, told, withPage } from './harness.js';

/** @type {import('./harness.js').World} */
let world;
before(async () => {
  world = await start();
});
after(() => world.close());

/** @param {import('playwright-core').Page} page */
async function openAll(page) {
  for (const summary of await page.locator('summary:visible').all()) await summary.click();
  await page.getByRole('button', { name: 'All 14 examples' }).click();
}

for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
  for (const id of ['scale-up', 'rolling-update', 'borrowed-endpoints', 'unknown-node', 'selector-typo', 'cluster-at-rest']) {
    test(`axe has nothing to say: ${id}, ${colorScheme}`, () =>
      withPage(world, { hash: exampleLink(id), colorScheme, reducedMotion: 'reduce' }, async (page) => {
        await told(page);
        assert.deepEqual(await findings(page), []);
        await openAll(page);
        assert.deepEqual(await findings(page), []);
      }));
  }
}

test('axe has nothing to say about an error', () =>
  withPage(world, { reducedMotion: 'reduce' }, async (page) => {
    await replaceInput(page, '{"service": 1}');
    await page.locator('.problem').waitFor();
    assert.deepEqual(await findings(page), []);
  }));

test('the keyboard reaches the cells of a slice, walks them, and opens their details', () =>
  withPage(world, {}, async (page) => {
    const picture = page.getByRole('listbox', { name: /web-k2x7p/ });
    await picture.focus();
    await page.keyboard.press('ArrowRight');
    const active = await picture.getAttribute('aria-activedescendant');
    assert.equal(active, 'after-web-k2x7p-1');
    const details = page.getByRole('group', { name: 'Endpoint' });
    assert.match((await details.textContent()) ?? '', /web-v1-02/);
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    assert.match((await details.textContent()) ?? '', /web-v1-10/);
    assert.equal(await page.getByRole('button', { name: 'Close the details' }).count(), 1);
    await page.keyboard.press('Escape');
    assert.equal(await details.count(), 0);
  }));

test('details show on hover, can be reached by the pointer, and close with Escape', () =>
  withPage(world, {}, async (page) => {
    await page.getByRole('listbox', { name: /web-q9d4m, after/ }).getByRole('option').nth(4).hover();
    const details = page.getByRole('group', { name: 'Endpoint' });
    await details.hover();
    assert.match((await details.textContent()) ?? '', /added/);
    await page.keyboard.press('Escape');
    assert.equal(await details.count(), 0);
  }));

test('the keyboard chooses Services', () =>
  withPage(world, { hash: exampleLink('cluster-at-rest') }, async (page) => {
    await page.getByRole('listbox', { name: 'Services' }).focus();
    await page.keyboard.press('End');
    await page.getByRole('heading', { name: 'shop/payments' }).waitFor();
    await page.keyboard.press('ArrowUp');
    await page.getByRole('heading', { name: 'shop/catalog' }).waitFor();
  }));

test('every control is reached by the tab key, with a ring around it', () =>
  withPage(world, {}, async (page) => {
    const names = [];
    for (let step = 0; step < 24; step += 1) {
      await page.keyboard.press('Tab');
      const { name, ring } = await page.evaluate(() => {
        const element = /** @type {HTMLElement} */ (document.activeElement);
        const box = element.closest('.text-input') ?? element;
        return { name: element.getAttribute('aria-label') ?? element.id ?? '', ring: getComputedStyle(box).outlineStyle };
      });
      if (name || ring !== 'none') names.push([name, ring]);
    }
    assert.ok(names.every(([name, ring]) => ring !== 'none' || name === ''), JSON.stringify(names));
    assert.ok(names.some(([name]) => name === 'input'));
    assert.ok(names.some(([name]) => name?.startsWith('Slice web-q9d4m, after')));
  }));

test('the table says what the picture shows', () =>
  withPage(world, {}, async (page) => {
    await page.locator('summary', { hasText: 'The same as a table' }).click();
    const rows = page.getByRole('region', { name: 'Endpoints' }).locator('tbody tr');
    const drawn = await drawnSlices(page);
    const shown = drawn.filter((slice) => slice.tag !== '').reduce((sum, slice) => sum + slice.cells, 0);
    assert.equal(await rows.count(), shown);
    assert.match((await rows.nth(10).textContent()) ?? '', /web-q9d4m.*updated.*web-v1-11.*unchanged.*europe-west4-b.*ready/);
  }));

for (const id of ['scale-up', 'borrowed-endpoints', 'selector-typo', 'cluster-at-rest', 'dual-stack']) {
  test(`320 pixels are wide enough: ${id}`, () =>
    withPage(world, { hash: exampleLink(id), viewport: { width: 320, height: 640 } }, async (page) => {
      await told(page);
      await openAll(page);
      const { scrollWidth, clientWidth } = await widths(page);
      assert.ok(scrollWidth <= clientWidth, `${scrollWidth} > ${clientWidth}`);
      assert.equal(await page.locator('.slice').first().isVisible(), true);
    }));
}

test('a mistake does not widen a narrow window either', () =>
  withPage(world, { viewport: { width: 320, height: 640 } }, async (page) => {
    await page.locator('summary', { hasText: 'Your input' }).click();
    await replaceInput(page, exampleBytes('scale-up').toString().replaceAll(/\s+/g, '').replace('"Service",', '"Service"'));
    await page.locator('.problem').waitFor();
    const { scrollWidth, clientWidth } = await widths(page);
    assert.ok(scrollWidth <= clientWidth, `${scrollWidth} > ${clientWidth}`);
  }));
