/** Keyboard, names and contrast, narrow windows. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findings, findingsInBoth, widths } from './axe.js';
import { exampleBytes, newService } from './files.js';
import { drawnSlices, exampleLink, openInput, openTab, pasteInput, start, told, withPage, writeScenario } from './harness.js';

/** @type {import('./harness.js').World} */
let world;
before(async () => {
  world = await start();
});
after(() => world.close());

/** @param {import('playwright-core').Page} page */
async function openAll(page) {
  for (const summary of await page.getByRole('tabpanel').locator('summary:visible').all()) await summary.click();
}

/** Too wide, if it is. @param {import('playwright-core').Page} page */
async function assertFits(page) {
  const { scrollWidth, clientWidth } = await widths(page);
  assert.ok(scrollWidth <= clientWidth, `${scrollWidth} > ${clientWidth}`);
}

const TABS = /** @type {const} */ (['Picture', 'Traffic', 'Timeline', 'Compare', 'Admission']);

for (const id of ['eleven-endpoints', 'rolling-update', 'borrowed-endpoints', 'unknown-node', 'selector-typo', 'cluster-at-rest']) {
  test(`axe has nothing to say: ${id}`, () =>
    withPage(world, { hash: exampleLink(id), reducedMotion: 'reduce' }, async (page) => {
      await told(page);
      assert.deepEqual(await findingsInBoth(page), []);
      await openAll(page);
      assert.deepEqual(await findingsInBoth(page), []);
    }));
}
for (const width of [320, 1440]) {
  test(`axe has nothing to say in any tab, and each fits: ${width} pixels`, () =>
    withPage(world, { hash: exampleLink('eleven-endpoints'), reducedMotion: 'reduce', viewport: { width, height: 800 } },
    async (page) => {
      for (const tab of TABS) {
        await openTab(page, tab);
        await told(page);
        assert.deepEqual(await findingsInBoth(page), [], tab);
        await assertFits(page);
      }
    }));
  test(`axe has nothing to say of the drawer, the inspector, a dialog: ${width} pixels`, () =>
    withPage(world, { hash: exampleLink('rolling-update'), reducedMotion: 'reduce', viewport: { width, height: 800 } },
    async (page) => {
      await page.locator('.lane-cell').first().click();
      await told(page);
      assert.deepEqual(await findingsInBoth(page), []);
      await page.keyboard.press('Escape');
      for (const pane of /** @type {const} */ (['Objects', 'YAML/JSON', 'Generate'])) {
        await openInput(page, pane);
        await page.locator('.drawer-body > :not(.loading)').first().waitFor();
        if (pane === 'Objects') await page.locator('.object-rows [role=option]').first().click();
        if (pane === 'YAML/JSON') {
          await page.locator('#input').focus();
          await page.keyboard.press('Control+f');
        }
        assert.deepEqual(await findingsInBoth(page), [], pane);
        await assertFits(page);
      }
      await page.getByRole('button', { name: 'Close the input' }).click();
      for (const name of ['[title=Share]', '[title=Export]', '[title=Commands]', '.picked']) {
        await page.locator(`.topbar ${name}`).click();
        await page.getByRole('dialog').waitFor();
        assert.deepEqual(await findingsInBoth(page), [], name);
        await assertFits(page);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      }
    }));
}

for (const forced of /** @type {const} */ ([{ forcedColors: 'active' }, { contrast: 'more' }])) {
  test(`axe has nothing to say under ${JSON.stringify(forced)}`, () =>
    withPage(world, { hash: exampleLink('borrowed-endpoints'), reducedMotion: 'reduce', ...forced }, async (page) => {
      await told(page);
      assert.deepEqual(await findings(page), []);
      const edges = await page.getByRole('tab').evaluateAll((tabs) => tabs.map((tab) => getComputedStyle(tab).borderBottomColor));
      assert.equal(edges.lastIndexOf(edges[0] ?? ''), 0, 'the chosen tab has an edge of its own');
      for (const colours of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme: /** @type {'light' | 'dark'} */ (colours) });
        await page.evaluate(() => Object.assign(document.documentElement.dataset, { theme: 'contrast' }));
        assert.deepEqual(await findings(page), [], `high contrast, ${colours}`);
      }
    }));
}

/**
 * What else the page can show, and how it comes to that.
 * @type {[string, {hash?: string, path?: string}, (page: import('playwright-core').Page) => Promise<unknown>][]}
 */
const STATES = [
  [
    'a mistake, above the picture and in the text',
    {},
    async (page) => {
      await pasteInput(page, '{"service": 1}');
      await page.getByRole('button', { name: 'Show it' }).click();
      await page.locator('.drawer-body .problem').waitFor();
    },
  ],
  [
    'an input without a plan',
    {},
    async (page) => {
      await pasteInput(page, '{"kind": "Deployment", "apiVersion": "apps/v1", "metadata": {"name": "web"}}');
      await page.getByRole('heading', { name: 'There is no Service with a plan in this input' }).waitFor();
    },
  ],
  ['a message', { hash: '#v=3&all=AAAA' }, (page) => page.locator('.banner .notice').waitFor()],
  [
    'many slices, and one of them',
    {},
    async (page) => {
      await pasteInput(page, newService(4000, 100));
      await page.locator('.bars').click({ position: { x: 20, y: 30 } });
      await page.locator('.slice').waitFor();
    },
  ],
  [
    'the keys',
    {},
    async (page) => {
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    },
  ],
  ['the hero alone', { path: '?embed=1', hash: exampleLink('eleven-endpoints') }, told],
  [
    'a mistake in a scenario',
    {},
    async (page) => {
      await page.getByRole('tab', { name: 'Timeline' }).click();
      // The run moves what is below it: a press that began before the run appeared would end beside the text.
      await page.locator('.timeline[aria-busy=false]').waitFor();
      await page.getByText('Edit the scenario as text').click();
      await writeScenario(page, 'zones: [');
      await page.locator('.mistake').waitFor();
    },
  ],
  [
    'a second input that cannot be read',
    {},
    async (page) => {
      await openTab(page, 'Compare');
      await page.getByRole('button', { name: 'Two inputs' }).click();
      await page.getByLabel('The second input, as JSON or YAML').fill('{"items": [');
      await page.getByRole('alert').waitFor();
    },
  ],
  [
    'a review that cannot be read',
    {},
    async (page) => {
      await openTab(page, 'Admission');
      await page.getByLabel('A whole review').check();
      await page.getByLabel(/^AdmissionReview, or an object/).fill('{');
      await page.locator('.mistake').waitFor();
    },
  ],
];

for (const width of [320, 1440]) {
  for (const [name, opened, show] of STATES) {
    test(`axe has nothing to say about ${name}: ${width} pixels`, () =>
      withPage(world, { ...opened, reducedMotion: 'reduce', viewport: { width, height: 800 } }, async (page) => {
        await show(page);
        assert.deepEqual(await findingsInBoth(page), []);
        await assertFits(page);
      }));
  }
}

test('the tabs are one stop of the tab key; arrows, Home and End choose', () =>
  withPage(world, {}, async (page) => {
    await page.getByRole('tab', { name: 'Picture' }).focus();
    const walked = [];
    for (const key of ['ArrowRight', 'ArrowLeft', 'ArrowLeft', 'Home', 'End']) {
      await page.keyboard.press(key);
      const tab = page.getByRole('tab', { selected: true });
      assert.equal(await tab.evaluate((element) => document.activeElement === element), true);
      assert.equal(await page.getByRole('tabpanel').getAttribute('aria-labelledby'), await tab.getAttribute('id'));
      walked.push(await tab.textContent());
    }
    assert.deepEqual(walked, ['Traffic', 'Picture', 'Admission', 'Picture', 'Admission']);
  }));

test('the keyboard reaches the cells of a slice, walks them, and opens the inspector, which follows', () =>
  withPage(world, { hash: exampleLink('scale-up') }, async (page) => {
    const picture = page.getByRole('listbox', { name: /web-k2x7p/ });
    await picture.focus();
    await page.keyboard.press('ArrowRight');
    assert.equal(await picture.getAttribute('aria-activedescendant'), 'after-web-k2x7p-1');
    const inspector = page.getByRole('complementary', { name: 'Inspector' });
    assert.equal(await inspector.count(), 0);
    await page.keyboard.press('Enter');
    assert.match((await inspector.getByRole('heading', { level: 2 }).textContent()) ?? '', /web-v1-02/);
    await page.keyboard.press('End');
    assert.match((await inspector.getByRole('heading', { level: 2 }).textContent()) ?? '', /web-v1-10/);
    await page.keyboard.press('Escape');
    assert.equal(await inspector.count(), 0);
  }));

test('the inspector tells state, reasons and lines of what was clicked', () =>
  withPage(world, { hash: exampleLink('rolling-update') }, async (page) => {
    const cell = page.getByRole('option', { name: /cart-v1-05.*changed/ }).last();
    await cell.click();
    await told(page);
    const inspector = page.getByRole('complementary', { name: 'Inspector' });
    const words = (await inspector.textContent()) ?? '';
    assert.match(words, /Pod cart-v1-05.*terminating, still serving.*conditions: ready, serving → not ready, serving, terminating/s);
    const text = exampleBytes('rolling-update').toString();
    const line = text.slice(0, text.indexOf('"cart-v1-05"')).split('\n').length;
    const from = Number(/from line ([\d,]+)/.exec(words)?.[1]?.replace(',', ''));
    assert.ok(from <= line && line - from < 20, `${from} for ${line}`);
    assert.match((await inspector.locator('.quoted').textContent()) ?? '', /"name": "cart-v1-05"/);
    assert.ok((await inspector.locator('.why-entry').count()) > 0);
  }));

test('the tooltip of a cell is what a screen reader is told', () =>
  withPage(world, { hash: exampleLink('rolling-update') }, async (page) => {
    for (const name of [/cart-v1-05.*changed/, /, added/, /, removed/]) {
      const cell = page.getByRole('option', { name }).last();
      await cell.hover();
      const label = (await cell.getAttribute('aria-label')) ?? '';
      assert.match(label, name);
      assert.equal(await cell.locator('title').textContent(), label);
    }
    await pasteInput(page, newService(4000, 100));
    const bars = page.locator('.bars');
    await bars.hover({ position: { x: 8, y: 30 } });
    const words = await bars.getByRole('option').textContent();
    assert.equal(await bars.locator('canvas').getAttribute('title'), words);
  }));

for (const [width, height] of /** @type {const} */ ([[390, 844], [320, 640]])) {
  test(`on a phone of ${width} pixels the inspector is a sheet from below, and what is chosen stays above it`, () =>
    withPage(world, { hash: exampleLink('rolling-update'), reducedMotion: 'reduce', viewport: { width, height } }, async (page) => {
      const inspector = page.getByRole('complementary', { name: 'Inspector' });
      /** @param {import('playwright-core').Locator} chosen */
      const assertSheet = async (chosen) => {
        await told(page);
        // The page scrolls once the sheet is drawn.
        await page.waitForTimeout(100);
        const [sheet, mark, bar] = await Promise.all([inspector.boundingBox(), chosen.boundingBox(), page.locator('.topbar').boundingBox()]);
        assert.ok(sheet && mark && bar);
        assert.deepEqual([sheet.x, sheet.width, Math.round(sheet.y + sheet.height)], [0, width, height]);
        assert.ok(sheet.height <= 0.6 * height, `${sheet.height} of ${height}`);
        assert.ok(mark.y >= bar.y + bar.height && mark.y + mark.height <= sheet.y, `${mark.y} between ${bar.y + bar.height} and ${sheet.y}`);
        await assertFits(page);
      };
      await page.locator('.lane-cell').last().click();
      await assertSheet(page.locator('.lane-cell').last());
      const close = inspector.getByRole('button', { name: 'Close the inspector' });
      assert.equal(await close.isVisible(), true);
      await close.click();
      assert.equal(await inspector.count(), 0);
      const picture = page.locator('.picture[role=listbox]').last();
      await picture.focus();
      await page.keyboard.press('Enter');
      await assertSheet(picture.locator('.ring'));
      for (const key of ['PageDown', 'PageUp', 'ArrowDown']) {
        await page.keyboard.press(key);
        await assertSheet(picture.locator('.ring'));
      }
      await page.keyboard.press('Escape');
      assert.equal(await inspector.count(), 0);
    }));
}

test('in a wide window the inspector is docked beside the picture', () =>
  withPage(world, { hash: exampleLink('rolling-update') }, async (page) => {
    await page.locator('.lane-cell').first().click();
    const [inspector, main] = await Promise.all([
      page.getByRole('complementary', { name: 'Inspector' }).boundingBox(),
      page.locator('#main').boundingBox(),
    ]);
    assert.ok(inspector && main);
    assert.equal(Math.round(inspector.x + inspector.width), 1280);
    assert.ok(main.x + main.width <= inspector.x);
    assert.equal(await page.locator('.lane-cell.chosen').count(), 1);
  }));

test('the keyboard chooses Services', () =>
  withPage(world, { hash: exampleLink('cluster-at-rest') }, async (page) => {
    await page.locator('.services-fold > summary').press('Enter');
    await page.getByRole('listbox', { name: 'Services' }).focus();
    await page.keyboard.press('End');
    await page.getByRole('heading', { name: 'Slices of shop/payments' }).waitFor();
    await page.keyboard.press('ArrowUp');
    await page.getByRole('heading', { name: 'Slices of shop/catalog' }).waitFor();
    const open = page.locator('.services-fold[open]');
    await page.keyboard.press('Escape');
    await open.waitFor({ state: 'detached' });
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'SUMMARY');
    await page.keyboard.press('Enter');
    await open.waitFor();
    await page.locator('.headline').click();
    await open.waitFor({ state: 'detached' });
  }));

test('every control is reached by the tab key, with a ring around it', () =>
  withPage(world, { hash: exampleLink('scale-up') }, async (page) => {
    const names = [];
    for (let step = 0; step < 40; step += 1) {
      await page.keyboard.press('Tab');
      names.push(
        await page.evaluate(() => {
          const element = /** @type {HTMLElement} */ (document.activeElement);
          const name = element.getAttribute('aria-label') ?? element.textContent ?? '';
          return [name, element === document.body ? 'solid' : getComputedStyle(element).outlineStyle];
        }),
      );
    }
    assert.deepEqual(names.filter(([, ring]) => ring === 'none'), []);
    for (const wanted of ['Input', 'Export', 'Picture', 'One pod more', 'Pods of the Service', 'Slice web-q9d4m, after the plan: 6 endpoints']) {
      assert.ok(names.some(([name]) => name?.endsWith(wanted)), wanted);
    }
  }));

test('the table says what the picture shows', () =>
  withPage(world, { hash: exampleLink('scale-up') }, async (page) => {
    await page.locator('summary', { hasText: 'The same as a table' }).click();
    const rows = page.getByRole('region', { name: 'Endpoints' }).locator('tbody tr');
    const drawn = await drawnSlices(page);
    assert.equal(await rows.count(), drawn.reduce((sum, slice) => sum + slice.after, 0));
    assert.match((await rows.nth(10).textContent()) ?? '', /web-q9d4m.*updated.*web-v1-11.*unchanged.*europe-west4-b.*ready/);
  }));

test('of a long table only the lines in view are made, and it says how many there are', () =>
  withPage(world, {}, async (page) => {
    await pasteInput(page, newService(300, 100));
    await page.locator('summary', { hasText: 'The same as a table' }).click();
    const region = page.getByRole('region', { name: 'Endpoints' });
    const total = Number(await region.getByRole('table').getAttribute('aria-rowcount')) - 1;
    assert.equal(total, 300);
    assert.ok((await region.locator('tbody tr').count()) < 80);
    await region.evaluate((box) => box.scrollTo(0, box.scrollHeight));
    await region.locator(`tr[aria-rowindex="${total + 1}"]`).waitFor();
  }));

for (const id of ['scale-up', 'borrowed-endpoints', 'selector-typo', 'cluster-at-rest', 'dual-stack']) {
  test(`320 pixels are wide enough: ${id}`, () =>
    withPage(world, { hash: exampleLink(id), viewport: { width: 320, height: 640 } }, async (page) => {
      await told(page);
      await openAll(page);
      await assertFits(page);
      assert.equal(await page.locator('.slice').first().isVisible(), true);
    }));
}

test('a mistake does not widen a narrow window either', () =>
  withPage(world, { viewport: { width: 320, height: 640 } }, async (page) => {
    await pasteInput(page, exampleBytes('scale-up').toString().replaceAll(/\s+/g, '').replace('"Service",', '"Service"'));
    await page.locator('.notice.faulty').waitFor();
    await assertFits(page);
    await page.getByRole('button', { name: 'Show it' }).click();
    await page.locator('.drawer-body > :not(.loading)').first().waitFor();
    await assertFits(page);
  }));
