/** A change of a large input costs what it changes: what is sent, what is read again, and that the answer is the same. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { glance } from '#page';
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
      const changed = changedReading(reading, [change]);
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

  test(`several changes are read as the whole text is: ${name}`, async () => {
    const reading = await readInput(text);
    const byPlace = changesOf(text, 400).sort((a, b) => a.from - b.from);
    let read = 0;
    for (let at = 0; at + 3 <= byPlace.length; at += 1) {
      const changes = byPlace.slice(at, at + 3);
      if (changes.some(({ from }, index) => from < (changes[index - 1]?.to ?? 0))) continue;
      const changed = changedReading(reading, changes);
      if (!changed) continue;
      read += 1;
      const whole = applyChanges(text, changes);
      assert.equal(changed.text, whole);
      assert.equal((await readInput(whole)).format, 'json', JSON.stringify(changes));
    }
    assert.ok(read > 20, `${read} of them`);
    assert.equal(changedReading(reading, [])?.text, reading.text);
  });

  test(`another number of pods is planned as the whole text is: ${name}`, async () => {
    const [engine, other] = [new Engine(), new Engine()];
    const opened = await engine.open(text, {});
    const { key = '', ready = 0 } = (opened.ok && { key: opened.model?.key, ready: opened.glance?.ready }) || {};
    for (const pods of [ready + 1, ready + 5, ready + 3, ready - 2, ready - 1, ready + 30, ready]) {
      const { edit, answer } = await engine.scale(pods === ready + 1 ? text : null, {}, { service: key, pods }, key);
      assert.ok(edit.ok);
      // Each number by itself, not as one of several.
      assert.deepEqual(edit, await other.edit(text, {}, { do: 'scale', service: key, pods }));
      const whole = await other.open(applyChanges(text, edit.changes), {}, key);
      for (const each of [answer, whole]) if (each.ok) each.overview.milliseconds = 0;
      assert.deepEqual(answer, whole, `${pods} pods`);
      assert.deepEqual(engine.answer(), other.answer());
      assert.deepEqual(engine.input(), other.input());
    }
  });

  test(`the changes to some pods are the first of those to more: ${name}`, async () => {
    const opened = await new Engine().open(text, {});
    const service = opened.ok ? opened.model?.key : '';
    const bytes = new TextEncoder().encode(text);
    /** @param {number} [endpoints] */
    const ask = (endpoints) => JSON.parse(new TextDecoder().decode(glance(bytes, { service, endpoints })));
    const { ready } = ask();
    for (const sign of [1, -1]) {
      const { changes } = ask(ready + sign * Math.min(25, ready));
      assert.ok(changes.length > 1);
      for (let steps = 1; steps < changes.length; steps += 1) {
        assert.deepEqual(ask(ready + sign * steps).changes, changes.slice(0, steps), `${sign * steps}`);
      }
    }
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
