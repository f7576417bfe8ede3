/** What is typed is what the fields hold: at any speed, on slow machines, in any view, and whatever loads meanwhile. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import {
  exampleFile,
  exampleLink,
  openInput,
  openTab,
  replaceInput,
  scenarioText,
  settled,
  start,
  told,
  withPage,
  writeScenario,
} from './harness.js';

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
const INPUTS = {
  JSON: { head: `${JSON.stringify({ apiVersion: 'v1', kind: 'List', items: OBJECTS }).slice(0, -1)}, "note": "`, tail: '"}' },
  YAML: { head: `${OBJECTS.map((object) => `---\n${JSON.stringify(object)}\n`).join('')}# `, tail: '' },
};
const PASTED = 'pasted words ';
const KEYS = 16;
/**
 * By how slow the machine is; the delay is between two keys, in milliseconds.
 * @type {{slower: number, rounds: [view: string, format: keyof typeof INPUTS, delay: number][]}[]}
 */
const CASES = [
  { slower: 1, rounds: [['Picture', 'JSON', 0], ['Traffic', 'YAML', 10], ['Timeline', 'JSON', 30], ['Compare', 'YAML', 80]] },
  { slower: 6, rounds: [['Admission', 'JSON', 0], ['Picture', 'YAML', 30]] },
];
/** A machine that does much else may take long; none of these tests measures time. */
const PATIENT = { timeout: 300_000 };

/**
 * Keys with what they leave before the cursor: letters, a correction, pasted words, and undo followed by redo.
 * @param {number} back from the end of the text to the place
 */
function keysFor(back) {
  const place = ['Control+End', ...Array.from({ length: back }, () => 'ArrowLeft')];
  const keys = [...place];
  let typed = '';
  for (let at = 0; at < KEYS; at += 1) {
    const letter = String.fromCodePoint(97 + at);
    keys.push(letter);
    typed += letter;
    if (at === 4) keys.push('Backspace');
    if (at === 4) typed = typed.slice(0, -1);
    if (at === 8) keys.push('Control+V');
    if (at === 8) typed += PASTED;
    if (at === 12) keys.push('Control+Z', 'Control+Y', ...place);
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

for (const { slower, rounds } of CASES) {
  test(`the editor holds what was typed, on a machine ${slower} times slower`, PATIENT, () =>
    withPage(world, { viewport: { width: 1440, height: 900 } }, async (page) => {
      const devtools = await page.context().newCDPSession(page);
      for (const [view, format, delay] of rounds) {
        const { head, tail } = INPUTS[format];
        await replaceInput(page, head + tail);
        await openTab(page, view);
        await page.evaluate((words) => navigator.clipboard.writeText(words), PASTED);
        await page.locator('#input').focus();
        const { keys, typed } = keysFor(tail.length);
        await devtools.send('Emulation.setCPUThrottlingRate', { rate: slower });
        await press(page, keys, delay);
        await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
        await settled(page);
        const about = `${format} in ${view}, ${delay} ms a key`;
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

test('what is typed while the editor loads, and as it takes the place of the text area, is kept', PATIENT, () =>
  withPage(world, {}, async (page) => {
    const letGo = await hold(page, /\/assets\/editor\./);
    await page.getByRole('button', { name: 'Input', exact: true }).click();
    await page.getByRole('button', { name: 'YAML/JSON', exact: true }).click();
    const area = page.locator('textarea#input');
    await area.fill('');
    await area.focus();
    let typed = '';
    /** @param {number} count */
    const type = async (count) => {
      for (const letter of 'abcdefghijklmnopqrst'.slice(0, count)) {
        await page.keyboard.press(letter);
        typed += letter;
      }
    };
    await type(20);
    letGo();
    while ((await page.locator('.code-editor .cm-content').count()) === 0) await type(5);
    await type(20);
    assert.equal(await editorText(page), typed);
  }));

test('what is typed into a scenario while it loads is not replaced by it', PATIENT, () =>
  withPage(world, {}, async (page) => {
    const letGo = await hold(page, /\.yaml$/);
    await page.getByRole('tab', { name: 'Timeline' }).click();
    await page.getByLabel('Scenario', { exact: true }).selectOption('relabel');
    await page.getByText('Edit the scenario as text').click();
    await page.locator('.scenario-text .cm-content').waitFor();
    const arrived = page.waitForResponse(/\.yaml$/);
    await writeScenario(page, 'zones: [');
    letGo();
    await arrived;
    await page.locator('.mistake').waitFor();
    assert.equal(await scenarioText(page), 'zones: [');
  }));

/** Keeps pauses of typing from ending: what was typed is not reported by itself. @param {Page} page */
function stretchPauses(page) {
  return page.evaluate(() => {
    const { setTimeout } = window;
    const isTyping = (/** @type {number} */ pause) => pause >= 250 && pause <= 300;
    Object.assign(window, { setTimeout: (/** @type {() => void} */ then, pause = 0) => setTimeout(then, isTyping(pause) ? 1e9 : pause) });
  });
}

/** Presses a button where the focus stays in the field. @param {Page} page @param {RegExp} name */
function pressBeside(page, name) {
  return page.getByRole('button', { name }).first().evaluate((button) => /** @type {HTMLElement} */ (button).click());
}

test('what was typed into a field is kept when its view is made anew, and undone and redone', PATIENT, () =>
  withPage(world, {}, async (page) => {
    const services = ['one', 'two'].map((name) => ({ ...OBJECTS[0], metadata: { name, namespace: 'n' } }));
    await replaceInput(page, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [...services, OBJECTS[1]] }));
    await openTab(page, 'Compare');
    await page.getByRole('button', { name: 'Two inputs' }).click();
    const second = page.locator('#other-input');
    await stretchPauses(page);
    await second.pressSequentially('typed');
    await pressBeside(page, /^Undo: /);
    await page.waitForFunction(() => /** @type {HTMLTextAreaElement} */ (document.querySelector('#other-input')).value === '');
    await pressBeside(page, /^Redo: /);
    await page.waitForFunction(() => /** @type {HTMLTextAreaElement} */ (document.querySelector('#other-input')).value === 'typed');
    await second.evaluate((field) => Object.assign(field, { isOld: true }));
    await second.pressSequentially(' more');
    await page.locator('.services-fold [role=option]').last().evaluate((option) => /** @type {HTMLElement} */ (option).click());
    await page.waitForFunction(() => !(/** @type {any} */ (document.querySelector('#other-input') ?? { isOld: true }).isOld));
    assert.equal(await second.inputValue(), 'typed more');
  }));

test('questions about a picture wait while a newer one is planned', PATIENT, () =>
  withPage(world, { hash: exampleLink('eleven-endpoints') }, async (page) => {
    await openInput(page);
    await told(page);
    await page.evaluate(() => {
      const { postMessage } = Worker.prototype;
      /** @type {(() => void)[]} */
      const questions = [];
      /** @type {string[]} */
      const asked = [];
      const planning = { isHeld: false, letGo: () => {} };
      Object.assign(globalThis, { questions, asked, planning });
      for (const name of /** @type {const} */ (['setTimeout', 'setInterval'])) {
        const wait = window[name];
        const put = (/** @type {() => void} */ then, pause = 0) => (pause === 200 ? -questions.push(then) : wait(then, pause));
        Object.assign(window, { [name]: put });
      }
      Worker.prototype.postMessage = function post(/** @type {any[]} */ ...message) {
        const [{ call }] = message;
        const send = () => Reflect.apply(postMessage, this, message);
        asked.push(call);
        if (planning.isHeld && call === 'open') planning.letGo = send;
        else send();
      };
    });
    const ask = () => page.evaluate(() => /** @type {any} */ (globalThis).questions.forEach((/** @type {() => void} */ question) => question()));
    const asked = () => page.evaluate(() => /** @type {string[]} */ (/** @type {any} */ (globalThis).asked));
    const areReady = () => page.waitForFunction(() => /** @type {any} */ (globalThis).questions.length > 0);
    await page.locator('#input').focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Space');
    await areReady();
    await page.evaluate(() => Object.assign(/** @type {any} */ (globalThis).planning, { isHeld: true }));
    await page.keyboard.press('Space');
    await page.locator('.result[aria-busy=true]').waitFor();
    await ask();
    assert.ok(!(await asked()).includes('whyMaterial'));
    await page.evaluate(() => /** @type {any} */ (globalThis).planning.letGo());
    await settled(page);
    await ask();
    assert.ok((await asked()).includes('whyMaterial'));
  }));

test('what is typed into a long text is kept while an answer changes it, and undone at once', PATIENT, () =>
  withPage(world, { hash: exampleLink('eleven-endpoints') }, async (page) => {
    const padding = `${' '.repeat(99)}\n`.repeat(11_000);
    await replaceInput(page, `${readFileSync(exampleFile('eleven-endpoints'), 'utf8')}\n${padding}`);
    await stretchPauses(page);
    const end = async () => (await editorText(page)).trim();
    await pressBeside(page, /^One pod more$/);
    await settled(page);
    await page.locator('#input').focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('typed');
    assert.equal(await end(), 'typed');
    await page.keyboard.press('Control+Z');
    await settled(page);
    assert.equal(await end(), '');
    await page.evaluate(() => {
      const { postMessage } = Worker.prototype;
      /** @type {(() => void)[]} */
      const held = [];
      let isOpen = false;
      Worker.prototype.postMessage = function wait(/** @type {any[]} */ ...message) {
        if (isOpen) Reflect.apply(postMessage, this, message);
        else held.push(() => Reflect.apply(postMessage, this, message));
      };
      const letGo = () => {
        isOpen = true;
        for (const send of held) send();
      };
      Object.assign(globalThis, { letGo });
    });
    await pressBeside(page, /^One pod more$/);
    await page.keyboard.press('Control+End');
    await page.keyboard.type('typed');
    await page.evaluate(() => /** @type {any} */ (globalThis).letGo());
    await settled(page);
    assert.equal(await end(), 'typed');
    await page.keyboard.type(' more');
    await pressBeside(page, /^Close the input$/);
    await page.locator('.code-editor').waitFor({ state: 'detached' });
    await openInput(page);
    await page.locator('#input').focus();
    await page.keyboard.press('Control+End');
    assert.equal(await end(), 'typed more');
  }));
