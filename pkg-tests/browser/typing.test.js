/** What is typed is what the fields hold: at any speed, on slow machines, in any view, and whatever loads meanwhile. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openInput, openTab, replaceInput, settled, start, withPage } from './harness.js';

/** @import {Page} from 'playwright-core' */

/** @type {import('./harness.js').World} */
let world;
before(async () => {
  world = await start();
});
after(() => world.close());

const OBJECTS = [
  { apiVersion: 'v1', kind: 'Service', metadata: { name: 's', namespace: 'n' }, spec: { selector: { a: 'b' }, ports: [{ port: 80 }] } },
  { apiVersion: 'v1', kind: 'Node', metadata: { name: 'm' } },
];
/** Inputs with a place near the end where any letters may stand. */
const INPUTS = [
  { format: 'JSON', head: `${JSON.stringify({ apiVersion: 'v1', kind: 'List', items: OBJECTS }).slice(0, -1)}, "note": "`, tail: '"}' },
  { format: 'YAML', head: `${OBJECTS.map((object) => `---\n${JSON.stringify(object)}\n`).join('')}# `, tail: '' },
];
const PASTED = 'pasted words ';
const DELAYS = [0, 10, 30, 80];
const VIEWS = ['Picture', 'Traffic', 'Timeline', 'Compare', 'Admission'];

/** A generator of numbers below a bound, the same ones for the same seed. @param {number} seed */
function numbers(seed) {
  let state = seed;
  return (/** @type {number} */ bound) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

/**
 * Keys with what they leave before the cursor: letters, corrections, pasted words, and undo followed by redo.
 * @param {number} seed @param {number} count @param {number} back from the end of the text to the place
 */
function keysOf(seed, count, back) {
  const random = numbers(seed);
  const place = ['Control+End', ...Array.from({ length: back }, () => 'ArrowLeft')];
  const keys = [...place];
  let typed = '';
  for (let at = 0; at < count; at += 1) {
    const chance = random(20);
    const letter = String.fromCodePoint(97 + random(26));
    if (chance === 0 && typed !== '') {
      keys.push('Backspace');
      typed = typed.slice(0, -1);
    } else if (chance === 1) {
      keys.push('Control+V');
      typed += PASTED;
    } else if (chance === 2 && typed !== '') {
      keys.push('Control+Z', 'Control+Y', ...place);
    } else {
      keys.push(letter);
      typed += letter;
    }
  }
  return { keys, typed };
}

/** Presses keys at a rate; without a pause, none waits for the page. @param {Page} page @param {string[]} keys @param {number} delay */
async function press(page, keys, delay) {
  /** @type {Promise<void>[]} */
  const open = [];
  for (const key of keys) {
    const isChord = key.startsWith('Control+');
    if (isChord) await Promise.all(open.splice(0));
    open.push(page.keyboard.press(key));
    if (isChord) await Promise.all(open.splice(0));
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
  }
  await Promise.all(open);
}

/** The text of the editor, line by line; all of a short one is drawn. @param {Page} page */
function editorText(page) {
  return page.evaluate(() => {
    const lines = document.querySelector('.code-editor')?.shadowRoot?.querySelectorAll('.cm-line') ?? [];
    return [...lines].map((line) => line.textContent).join('\n');
  });
}

for (const slower of [1, 6]) {
  test(`the editor holds what was typed, on a machine ${slower} times slower`, () =>
    withPage(world, { viewport: { width: 1440, height: 900 } }, async (page) => {
      const devtools = await page.context().newCDPSession(page);
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      for (const [index, delay] of DELAYS.entries()) {
        const { format, head, tail } = /** @type {typeof INPUTS[number]} */ (INPUTS[(index + (slower > 1 ? 1 : 0)) % INPUTS.length]);
        const view = VIEWS[(index + (slower > 1 ? 1 : 0)) % VIEWS.length] ?? '';
        const seed = slower * 100 + delay;
        await replaceInput(page, head + tail);
        await openTab(page, view);
        await page.evaluate((words) => navigator.clipboard.writeText(words), PASTED);
        await page.locator('#input').focus();
        const { keys, typed } = keysOf(seed, 40, tail.length);
        await devtools.send('Emulation.setCPUThrottlingRate', { rate: slower });
        await press(page, keys, delay);
        await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
        await settled(page);
        const about = `${format} in ${view}, ${delay} ms a key, seed ${seed}`;
        assert.equal(await editorText(page), head + typed + tail, about);
        await page.waitForTimeout(200);
        assert.equal(await editorText(page), head + typed + tail, `${about}, a moment later`);
      }
    }));
}

/** Holds the answers to requests until they are let go. @param {Page} page @param {RegExp} address */
async function hold(page, address) {
  let letGo = () => {};
  const open = new Promise((resolve) => (letGo = () => resolve(undefined)));
  await page.route(address, async (route) => {
    await open;
    await route.continue();
  });
  return () => letGo();
}

test('what is typed while the editor loads, and as it takes the place of the text area, is kept', () =>
  withPage(world, {}, async (page) => {
    const letGo = await hold(page, /\/assets\/editor\./);
    await page.getByRole('button', { name: 'Input', exact: true }).click();
    await page.getByRole('button', { name: 'YAML/JSON', exact: true }).click();
    const area = page.locator('textarea#input');
    await area.fill('');
    const letters = 'abcdefghijklmnopqrstuvwxyz'.repeat(4);
    await area.focus();
    for (const [at, letter] of [...letters].entries()) {
      if (at === 20) letGo();
      await page.keyboard.press(letter);
    }
    await openInput(page);
    assert.equal(await editorText(page), letters);
  }));

test('what is typed into a scenario while it loads is not replaced by it', () =>
  withPage(world, {}, async (page) => {
    const letGo = await hold(page, /\.yaml$/);
    await page.getByRole('tab', { name: 'Timeline' }).click();
    await page.getByText('Edit the scenario as text').click();
    const text = page.locator('.scenario-text textarea');
    const arrived = page.waitForResponse(/\.yaml$/);
    await text.fill('zones: [');
    letGo();
    await arrived;
    await page.locator('.mistake').waitFor();
    assert.equal(await text.inputValue(), 'zones: [');
  }));
