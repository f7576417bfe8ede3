/**
 * The engine's worker: questions in, answers out, in order. It listens before the engine is loaded: the
 * package's module takes a while to load, and questions asked meanwhile must not be lost.
 * @import {Options} from './types.js'
 * @import {TextChange} from './input/changes.js'
 */
import { transfersOf } from './model/packed.js';
import { decoded } from './model/pieces.js';
import { ENGINE_MISSING } from './model/text.js';
import { needed, respond } from './respond.js';

/** How long after the engine the rest of it is loaded, unless it is used before. */
const LATER = 1000;

const loading = needed(
  import(/* webpackMode: "eager" */ './engine.js'),
  ({ Engine, editing, generated }) => ({ engine: new Engine(), editing, generated }),
  ENGINE_MISSING,
);
loading.then(({ editing }) => setTimeout(() => void editing().catch(() => {}), LATER), () => {});
/** The input that the tools have. @type {Uint8Array | null} */
let handed = null;
/** @type {Promise<void>} */
let last = Promise.resolve();

/**
 * @typedef {{id: number, call: 'open', input: string | Uint8Array | Uint8Array[] | TextChange | null, overrides: Options, service: string}
 *   | {id: number, call: 'planText' | 'trafficMaterial', key: string}
 *   | {id: number, call: 'scale', base: string | Uint8Array[] | TextChange | null, overrides: Options, service: string,
 *       wanted: {service: string, pods: number}}
 *   | {id: number, call: 'whyMaterial', key: string, pod?: string, again: boolean}
 *   | {id: number, call: 'edit', text: string | Uint8Array[] | null, overrides: Options, what: object}
 *   | {id: number, call: 'generate', recipe: import('./input/generator.js').Recipe}
 *   | {id: number, call: 'objects', query: import('./types.js').ObjectQuery}
 *   | {id: number, call: 'place', object: {kind: string, namespace?: string, name: string}}
 *   | {id: number, call: 'headlines', keys: string[]}
 *   | {id: number, call: 'reduced', which: {key: string, renamed: boolean}}
 *   | {id: number, call: 'answer' | 'input'}} Question
 */

/**
 * A very long text comes in pieces.
 * @template {string | Uint8Array | TextChange | null} T
 * @param {T | Uint8Array[]} input
 * @returns {T | string}
 */
function whole(input) {
  return Array.isArray(input) ? decoded(input) : input;
}

/**
 * The tools keep an input until they receive another one.
 * @param {import('./engine.js').WhyMaterial | null} material
 * @param {boolean} again whether they have lost it
 */
function handOver(material, again) {
  if (!material) return null;
  const { input, question } = material;
  if (input === handed && !again) return { input: null, question };
  handed = input;
  return { input: input.slice(), question };
}

/** @param {Awaited<typeof loading>} loaded @param {Question} question */
function answer({ engine, generated }, question) {
  switch (question.call) {
    case 'open':
      return engine.open(whole(question.input), question.overrides, question.service);
    case 'planText':
      return engine.planText(question.key);
    case 'trafficMaterial':
      return engine.trafficMaterial(question.key);
    case 'scale':
      return engine.scale(whole(question.base), question.overrides, question.wanted, question.service);
    case 'whyMaterial':
      return handOver(engine.whyMaterial(question.key, question.pod), question.again);
    case 'edit':
      return engine.edit(whole(question.text), question.overrides, question.what);
    case 'generate':
      return generated(question.recipe);
    case 'objects':
      return engine.objects(question.query);
    case 'place':
      return engine.place(question.object);
    case 'headlines':
      return engine.headlines(question.keys);
    case 'answer':
      return engine.answer();
    case 'reduced':
      return engine.reduced(question.which);
    case 'input':
      return engine.input().slice();
  }
}

/** What to transfer with an answer instead of copying. @param {Question['call']} call @param {any} value */
function transfers(call, value) {
  const model = value?.model ?? value?.answer?.model;
  if (model) return transfersOf(model);
  const bytes = call === 'whyMaterial' ? value?.input : call === 'trafficMaterial' || call === 'input' ? value : null;
  return bytes ? [bytes.buffer] : [];
}

addEventListener('message', (/** @type {MessageEvent<Question>} */ { data: question }) => {
  last = last.then(() => respond(question, async () => answer(await loading, question), (value) => transfers(question.call, value)));
});
