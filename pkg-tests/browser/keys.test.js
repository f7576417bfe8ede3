/** Keyboard use: the palette, the help sheet, single keys and how to turn them off. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { COMMANDS } from '../../www/commands.js';
import { found } from '../../www/more-commands.js';
import { EXAMPLES } from '../../www/samples/index.js';
import { findings } from './axe.js';
import { exampleLink, settled, start, withPage } from './harness.js';

/** @import {Page} from 'playwright-core' */

/** @type {import('./harness.js').World} */
let world;
before(async () => {
  world = await start();
});
after(() => world.close());

/** The selected option, and whether the field refers to it. @param {Page} page */
function chosen(page) {
  return page.evaluate(() => {
    const field = /** @type {HTMLElement} */ (document.activeElement);
    const option = document.getElementById(field.getAttribute('aria-activedescendant') ?? '');
    return {
      role: field.getAttribute('role'),
      selected: option?.getAttribute('aria-selected'),
      title: option?.querySelector('.command-title')?.textContent,
    };
  });
}

test('commands have names and keys of their own', () => {
  const keys = COMMANDS.flatMap((command) => command.keys ?? []);
  assert.equal(new Set(keys).size, keys.length);
  assert.equal(new Set(COMMANDS.map(({ id }) => id)).size, COMMANDS.length);
  assert.equal(found(COMMANDS, 'undo')[0]?.id, 'undo');
  assert.deepEqual(found(COMMANDS, 'colours dark').map(({ id }) => id), ['theme-dark']);
  assert.deepEqual(found(COMMANDS, 'nothing of the kind'), []);
});

test('the palette by keyboard alone: search, choose, run; Escape leaves all as it was, and the focus goes back', () =>
  withPage(world, { hash: exampleLink('scale-up') }, async (page) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
    await page.keyboard.type('compare');
    const first = await chosen(page);
    assert.deepEqual([first.role, first.selected], ['combobox', 'true']);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    assert.deepEqual(await chosen(page), first);
    await page.keyboard.press('Escape');
    await page.getByRole('combobox').waitFor({ state: 'detached' });
    assert.equal(await page.getByRole('tab', { name: 'Picture' }).getAttribute('aria-selected'), 'true');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('go to compare');
    await page.keyboard.press('Enter');
    assert.equal(await page.getByRole('tab', { name: 'Compare' }).getAttribute('aria-selected'), 'true');
    assert.equal(await page.getByRole('dialog').count(), 0);
  }));

test('examples and questions are in the palette, and a question has an address', () =>
  withPage(world, { hash: exampleLink('scale-up') }, async (page) => {
    const title = EXAMPLES.find(({ id }) => id === 'same-node')?.title ?? '';
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill(title);
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => location.hash.includes('example=same-node'));
    await settled(page);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('Two replicas in a cluster of three zones');
    await page.getByRole('option', { name: /why no hints/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => location.hash.includes('example=0008-too-few-endpoints'));
    await settled(page);
    await page.reload();
    await settled(page);
    assert.match((await page.locator('.picked-title').textContent()) ?? '', /Two replicas/);
  }));

test('what the core proposes and what is often compared are in the palette', () =>
  withPage(world, { hash: exampleLink('eleven-endpoints') }, async (page) => {
    const fix = (await page.locator('.fix').first().textContent()) ?? '';
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill(fix);
    await page.keyboard.press('Enter');
    await page.locator('.fixes').getByRole('button', { name: `Undo: ${fix}` }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('compare: slice');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Slice sizes', pressed: true }).waitFor();
  }));

test('the keys for one pod more or fewer do what the buttons do, in both families at once', () =>
  withPage(world, { hash: exampleLink('dual-stack') }, async (page) => {
    /** @param {number} count */
    const shows = (count) => page.locator('.stepper-value', { hasText: new RegExp(`^${count} pods?$`) }).waitFor();
    const pods = Number.parseInt((await page.locator('.stepper-value').textContent()) ?? '', 10);
    await page.keyboard.press('+');
    await shows(pods + 1);
    await page.keyboard.press('-');
    await page.keyboard.press('-');
    await shows(pods - 1);
  }));

test('a search that finds nothing says so, and Enter does nothing', () =>
  withPage(world, {}, async (page) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('xyzzy');
    await page.getByText('No matches').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    assert.equal(await page.getByRole('dialog').count(), 1);
  }));

test('single keys: not in fields, not in windows, and not when they are turned off', () =>
  withPage(world, { hash: exampleLink('scale-up') }, async (page) => {
    const picture = page.getByRole('tab', { name: 'Picture' });
    const traffic = page.getByRole('tab', { name: 'Traffic' });
    await page.keyboard.press('2');
    assert.equal(await traffic.getAttribute('aria-selected'), 'true');
    await page.keyboard.press('1');
    await page.keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await sheet.waitFor();
    assert.match((await sheet.textContent()) ?? '', /Ctrl\+K.*Go to Traffic.*In a slice, from cell to cell/s);
    await page.keyboard.press('2');
    assert.equal(await picture.getAttribute('aria-selected'), 'true');
    await sheet.getByLabel(/Single-key shortcuts/).uncheck();
    await page.keyboard.press('Escape');
    await page.keyboard.press('2');
    assert.equal(await picture.getAttribute('aria-selected'), 'true');
    await page.reload();
    await settled(page);
    await page.keyboard.press('2');
    assert.equal(await picture.getAttribute('aria-selected'), 'true', 'that is remembered');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
  }));

test('in a field, keys are text, and undo is the field’s own', () =>
  withPage(world, { hash: exampleLink('cluster-at-rest') }, async (page) => {
    const address = page.url();
    await page.locator('.services-fold > summary').click();
    const search = page.getByLabel('Search Services');
    await search.pressSequentially('2sx');
    await page.keyboard.press('Control+z');
    assert.equal(page.url(), address);
    assert.equal(await page.getByRole('dialog').count(), 0);
  }));

test('colours are remembered, and the system’s are the first', () =>
  withPage(world, {}, async (page) => {
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
    assert.equal(await theme(), undefined);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('colours: dark');
    await page.keyboard.press('Enter');
    assert.equal(await theme(), 'dark');
    await page.reload();
    assert.equal(await theme(), 'dark');
  }));

for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
  for (const width of [1280, 320]) {
    test(`axe has nothing to say about the windows, ${colorScheme}, ${width} pixels`, () =>
      withPage(world, { hash: exampleLink('scale-up'), colorScheme, viewport: { width, height: 800 }, reducedMotion: 'reduce' }, async (page) => {
        for (const key of ['Control+k', '?', 's', 'e', 'x', 'o']) {
          await page.keyboard.press(key);
          await page.getByRole('dialog').waitFor();
          if (key === 's') await page.getByRole('textbox', { name: 'Link' }).waitFor();
          const over = await page.getByRole('dialog').evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth);
          assert.ok(over <= 0, `${key}: ${over} pixels too wide`);
          assert.deepEqual(await findings(page), [], key);
          const overflows = await page.evaluate(() =>
            [...document.querySelectorAll('dialog, dialog *')].some((each) => each.getBoundingClientRect().right > innerWidth),
          );
          assert.equal(overflows, false, key);
          await page.keyboard.press('Escape');
        }
      }));
  }
}

test('the key for the text puts the cursor into it, whether it is shown or not', () =>
  withPage(world, { hash: exampleLink('scale-up') }, async (page) => {
    const isInText = () => document.activeElement?.classList.contains('code-editor') ?? false;
    await page.keyboard.press('t');
    await page.waitForFunction(isInText);
    await page.locator('.headline').click();
    assert.equal(await page.evaluate(isInText), false);
    await page.keyboard.press('t');
    await page.waitForFunction(isInText);
  }));
