/** What is drawn: the first paint, before and after, hints, Services, the link. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { EXAMPLES } from '../../www/samples/index.js';
import { drawnSlices, exampleLink, settled, start, withPage } from './harness.js';

/** @type {import('./harness.js').World} */
let world;
before(async () => {
  world = await start();
});
after(() => world.close());

test('the first paint is an example: a scale-up, before and after', () =>
  withPage(world, {}, async (page) => {
    assert.equal(await page.locator('.service h2').textContent(), 'shop/web');
    assert.deepEqual(await drawnSlices(page), [
      { label: 'Slice web-k2x7p', tag: 'Unchanged', fill: '10 of 10', cells: 10, added: 0, removed: 0 },
      { label: 'Slice web-q9d4m, before', tag: '', fill: '4 of 10', cells: 4, added: 0, removed: 0 },
      { label: 'Slice web-q9d4m, after the plan', tag: 'Updated', fill: '6 of 10', cells: 6, added: 2, removed: 0 },
      { label: 'Slice web-…, after the plan', tag: 'Created', fill: '10 of 10, all added', cells: 10, added: 10, removed: 0 },
    ]);
    const sentence = await page.locator('.sentence').textContent();
    assert.equal(sentence, 'The plan creates 1 slice, updates 1 and leaves 1 as it is. 14 → 26 endpoints: 12 added.');
  }));

test('the page allows nothing but its own files', () =>
  withPage(world, {}, async (page) => {
    const policy = (await page.locator('meta[http-equiv=Content-Security-Policy]').getAttribute('content')) ?? '';
    for (const part of ["default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "require-trusted-types-for 'script'"]) {
      assert.ok(policy.includes(part), part);
    }
  }));

test('every example of the gallery is drawn without a complaint', () =>
  withPage(world, {}, async (page) => {
    for (const example of EXAMPLES) {
      await page.getByRole('button', { name: 'All 14 examples' }).click();
      await page.getByRole('button', { name: example.title, exact: true }).click();
      await page.getByRole('heading', { name: example.title, level: 2 }).waitFor();
      await settled(page);
      assert.ok((await page.locator('.slice').count()) > 0, example.id);
      assert.equal(await page.locator('.problem').count(), 0, example.id);
    }
  }));

test('eleven endpoints: hints are off, with the arithmetic', () =>
  withPage(world, { hash: exampleLink('eleven-endpoints') }, async (page) => {
    const hints = page.getByRole('region', { name: 'Hints', exact: true });
    assert.match((await hints.textContent()) ?? '', /Hints are off/);
    assert.match((await hints.textContent()) ?? '', /at least 4 \+ 4 \+ 4 = 12 endpoints between them; 11 are ready/);
    assert.equal(await hints.getByRole('row').count(), 4);
    const events = page.getByRole('region', { name: 'Events and errors' });
    assert.match((await events.textContent()) ?? '', /TopologyAwareHintsDisabled/);
    const picture = page.getByRole('listbox', { name: /after the plan/ });
    assert.equal(await picture.locator('.hint').count(), 0);
  }));

test('a node without a zone is named where hints are off', () =>
  withPage(world, { hash: exampleLink('unlabelled-node') }, async (page) => {
    const hints = (await page.getByRole('region', { name: 'Hints', exact: true }).textContent()) ?? '';
    assert.match(hints, /Insufficient Node information/);
    assert.match(hints, /Without a zone label: 1 node \(spot-7f3c\)/);
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
    assert.match(messages, /tried again/);
    assert.match((await page.locator('.sentence').textContent()) ?? '', /must be retried/);
  }));

test('slices of another manager are drawn apart', () =>
  withPage(world, { hash: exampleLink('other-manager') }, async (page) => {
    const group = page.getByRole('region', { name: 'Slices that are left alone' });
    assert.match((await group.textContent()) ?? '', /media-mesh-west.*managed by mesh\.example\.com/s);
    assert.equal(await group.getByRole('option').count(), 3);
  }));

test('a typo in the selector: of two Services the broken one is shown first, with its placeholder', () =>
  withPage(world, { hash: exampleLink('selector-typo') }, async (page) => {
    assert.equal(await page.locator('.service h2').textContent(), 'shop/orders');
    const emptied = page.getByRole('img', { name: /orders-x9r3n, after the plan: no endpoints/ });
    assert.equal(await emptied.count(), 1);
    assert.equal(await page.getByRole('option', { name: 'shop/stock' }).count(), 1);
  }));

test('settings replan: more endpoints per slice, and back to those of the input', () =>
  withPage(world, {}, async (page) => {
    await page.locator('summary', { hasText: 'Settings' }).click();
    await page.getByLabel('Endpoints per slice').fill('100');
    await settled(page);
    assert.match((await page.locator('.sentence').textContent()) ?? '', /updates 1 slice/);
    assert.equal(await page.locator('.slice .tag.created').count(), 0);
    await page.getByRole('button', { name: 'Back to the settings of the input' }).click();
    await settled(page);
    assert.equal(await page.locator('.slice .tag.created').count(), 1);
  }));

test('a setting out of range is refused by the core, with its name', () =>
  withPage(world, {}, async (page) => {
    await page.locator('summary', { hasText: 'Settings' }).click();
    await page.getByLabel('Endpoints per slice').fill('0');
    await page.locator('.problem').waitFor();
    assert.match((await page.locator('.problem').textContent()) ?? '', /between 1 and 1000, got 0.*maxEndpointsPerSlice/s);
  }));

test('Services: search, only with changes, choose; the link brings back the choice', () =>
  withPage(world, { hash: exampleLink('cluster-at-rest') }, async (page) => {
    const list = page.getByRole('listbox', { name: 'Services' });
    assert.equal(await list.getByRole('option').count(), 7);
    await page.getByLabel('Search Services').fill('shop');
    assert.equal(await list.getByRole('option').count(), 3);
    await list.getByRole('option', { name: 'shop/catalog' }).click();
    await page.getByRole('heading', { name: 'shop/catalog' }).waitFor();
    assert.match(new URL(page.url()).hash, /example=cluster-at-rest&service=shop\/catalog/);
    await page.reload();
    await page.getByRole('heading', { name: 'shop/catalog' }).waitFor();
    await page.getByLabel('only with changes').check();
    assert.equal(await list.count(), 0);
    assert.match((await page.locator('.services').textContent()) ?? '', /1 Service without a plan/);
  }));
