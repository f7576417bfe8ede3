/** A change of a large input costs what it changes: what is sent, what is read again, and that the answer is the same. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Engine } from '../../www/engine.js';
import { applyChanges } from '../../www/input/changes.js';
import { changedReading, readInput } from '../../www/input/read.js';
import { movedPlaces, placesIn } from '../../www/input/scan.js';
import { exampleBytes, newService } from './files.js';
import { openInput, pasteInput, settled, start, told, withPage } from './harness.js';

/** @import {TextChange} from '../../www/input/changes.js' */

/** Inputs of both forms. @type {[name: string, text: string, form: 'request' | 'snapshot'][]} */
const TEXTS = [
  ['a request', exampleBytes('scale-up').toString(), 'request'],
  ['objects', exampleBytes('cluster-at-rest').toString(), 'snapshot'],
];
const INSERTS = ['0', '"', '{', '}', ',', '\n---\n', 'é', '},{', '"kind":"Node",', '', 'x'];

/** Changes anywhere in a text, always the same. @param {string} text @param {number} count @returns {TextChange[]} */
function changesOf(text, count) {
  let seed = 1;
  const next = (/** @type {number} */ below) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  return Array.from({ length: count }, () => {
    const from = next(text.length);
    return { from, to: Math.min(text.length, from + next(3)), insert: INSERTS[next(INSERTS.length)] ?? '' };
  });
}

for (const [name, text, form] of TEXTS) {
  test(`a change is read as the whole text is: ${name}`, async () => {
    const reading = await readInput(text);
    const places = placesIn(reading.bytes, form);
    let moved = 0;
    for (const change of changesOf(text, 400)) {
      const changed = changedReading(reading, change);
      if (!changed) continue;
      const whole = applyChanges(text, [change]);
      assert.equal(changed.text, whole);
      assert.equal((await readInput(whole)).format, 'json', JSON.stringify(change));
      const found = movedPlaces(places, change, changed.bytes, form);
      if (!found || !isJson(whole)) continue;
      moved += 1;
      assert.deepEqual(found, placesIn(changed.bytes, form), JSON.stringify(change));
    }
    assert.ok(moved > 20, `${moved} of them`);
  });

  test(`a change is planned as the whole text is: ${name}`, async () => {
    const [engine, other] = [new Engine(), new Engine()];
    let now = text;
    await engine.open(now, {});
    const digits = [...text.matchAll(/"maxEndpointsPerSlice": *\d|"resourceVersion": *"\d|"uid": *"./g)];
    const typed = digits.slice(0, 6).flatMap(({ index, 0: { length } }) => {
      const [from, to] = [index + length, index + length];
      return [{ from, to, insert: '0' }, { from, to, insert: '"' }, { from, to: to + 1, insert: '' }];
    });
    for (const change of [...typed, { from: 0, to: 0, insert: '# ' }, { from: 0, to: 2, insert: '' }, { from: 1, to: 1, insert: ' ' }]) {
      now = applyChanges(now, [change]);
      const [part, whole] = [await engine.open(change, {}), await other.open(now, {})];
      for (const answer of [part, whole]) if (answer.ok) answer.overview.milliseconds = 0;
      assert.deepEqual(part, whole, JSON.stringify(change));
      assert.deepEqual(engine.answer(), other.answer());
    }
  });
}

/** @param {string} text */
function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** @type {import('./harness.js').World} */
let world;
before(async () => {
  world = await start();
});
after(() => world.close());

/** Counts the characters that are sent to the engine from now on. @param {import('playwright-core').Page} page */
async function countSent(page) {
  await page.evaluate(() => {
    const { postMessage } = Worker.prototype;
    const sent = { characters: 0, calls: /** @type {string[]} */ ([]) };
    Object.assign(globalThis, { sent });
    Worker.prototype.postMessage = function count(/** @type {any[]} */ ...message) {
      const [question] = message;
      const shown = (/** @type {unknown} */ value) => (ArrayBuffer.isView(value) ? 'x'.repeat(value.byteLength) : value);
      // What the tools get is transferred, not copied.
      if (!question.material) sent.characters += JSON.stringify(question, (_, value) => shown(value)).length;
      sent.calls.push(question.call);
      Reflect.apply(postMessage, this, message);
    };
  });
  return () => page.evaluate(() => ({ .../** @type {any} */ (globalThis).sent }));
}

test('a key, an undo and an edit by mouse of a long text send the engine what changes', { timeout: 120_000 }, () =>
  withPage(world, {}, async (page) => {
    const text = newService(2000, 100, 0, 900);
    await pasteInput(page, text);
    await told(page);
    await openInput(page);
    await page.locator('#input:not([aria-readonly])').focus();
    const sent = await countSent(page);
    for (const key of ['Control+End', 'ArrowLeft', 'ArrowLeft', '0']) await page.keyboard.press(key);
    await settled(page);
    await page.keyboard.press('Control+Z');
    await settled(page);
    await page.getByRole('button', { name: /^One pod more$/ }).first().click();
    await settled(page);
    const { characters, calls } = await sent();
    assert.ok(['open', 'scale'].every((call) => calls.includes(call)), calls.join());
    assert.ok(characters < 20_000, `${characters} of ${text.length} characters were sent: ${calls.join()}`);
  }));
