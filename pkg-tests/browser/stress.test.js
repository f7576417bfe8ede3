/** The picture of a question: what it stresses is what the slices and labels of the input have. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { settled, exampleBytes, exampleLink, start, told, withPage } from './harness.js';

/** @type {import('./harness.js').World} */
let world;
before(async () => {
  world = await start();
});
after(() => world.close());

/** @param {string} id */
function input(id) {
  return JSON.parse(exampleBytes(id).toString());
}

test('of a dual-stack Service each pod is in both families, or has a gap there', () =>
  withPage(world, { hash: exampleLink('dual-stack') }, async (page) => {
    const rows = page.locator('.stress.families li');
    assert.deepEqual(await rows.locator('strong').allTextContents(), ['IPv4', 'IPv6']);
    const { pods } = input('dual-stack');
    for (const [index, family] of [/^\d+\./, /:/].entries()) {
      const has = pods.filter((/** @type {any} */ { status }) => status.podIPs?.some((/** @type {any} */ { ip }) => family.test(ip))).length;
      assert.equal(await rows.nth(index).locator('.chip:not(.missing)').count(), has);
      assert.equal(await rows.nth(index).locator('.chip').count(), pods.length);
    }
    assert.match((await page.locator('.stress figcaption').textContent()) ?? '', /IPv6 0 → 5 endpoints/);
  }));

test('an address that is in two slices is linked, with both names', () =>
  withPage(world, { hash: exampleLink('duplicates') }, async (page) => {
    /** @type {Map<string, string[]>} */
    const holders = new Map();
    for (const { metadata, endpoints } of input('duplicates').slices) {
      for (const { addresses } of endpoints) holders.set(addresses[0], [...(holders.get(addresses[0]) ?? []), metadata.name]);
    }
    const twice = [...holders].filter(([, names]) => names.length > 1);
    assert.ok(twice.length > 0);
    const drawn = await page.locator('.stress.duplicates li').evaluateAll((rows) => {
      const names = (/** @type {Element} */ row) => [...row.querySelectorAll('.chip > :first-child')].map((chip) => chip.textContent);
      return rows.map((row) => [row.querySelector('strong')?.textContent, names(row)]);
    });
    assert.deepEqual(drawn, twice);
    // Once the plan is written, nothing is left to stress.
    await told(page);
    await page.getByRole('button', { name: 'Try it on this input' }).first().click();
    await settled(page);
    assert.equal(await page.locator('.stress').count(), 0);
  }));

test('a rollout shows the old and the new pods', () =>
  withPage(world, { hash: exampleLink('rolling-update') }, async (page) => {
    const rows = page.locator('.stress.rollout li');
    assert.deepEqual(await rows.locator('strong').allTextContents(), ['cart-v1', 'cart-v2']);
    const { pods } = input('rolling-update');
    const fresh = pods.filter((/** @type {any} */ { metadata }) => metadata.name.startsWith('cart-v2'));
    assert.equal(await rows.nth(1).locator('.chip').count(), fresh.length);
    const isReady = (/** @type {any} */ pod) => /"type":"Ready","status":"True"/.test(JSON.stringify(pod));
    assert.match((await rows.nth(1).innerText()) ?? '', new RegExp(`new: ${fresh.filter(isReady).length} of ${fresh.length} ready`));
  }));

test('a selector that matches nothing stands above the labels, and the one that differs is marked', () =>
  withPage(world, { hash: exampleLink('selector-typo') }, async (page) => {
    const picture = page.locator('.stress.selector');
    await picture.waitFor();
    assert.deepEqual(await picture.locator('tbody tr').first().locator('td').allTextContents(), ['order']);
    const [first] = await picture.locator('td.differs').allTextContents();
    assert.match(first ?? '', /^orders ✗/);
    assert.equal(await picture.locator('td.differs').count(), 3);
  }));
