/**
 * The worker: one engine, questions in, answers out, in order. It listens before the engine is there: the
 * module of the package loads in its own time, and a question asked meanwhile must not be lost.
 * @import {Engine} from './engine.js'
 */
import { generate } from './input/generator.js';
import { packModel } from './model/packed.js';

const loading = import(/* webpackMode: "eager" */ './engine.js').then((module) => new module.Engine());
/** @type {Promise<void>} */
let last = Promise.resolve();

/**
 * @typedef {{id: number, call: 'open', input: string | Uint8Array | null, overrides: import('./types.js').Options, service: string}
 *   | {id: number, call: 'planText' | 'trafficMaterial', key: string}
 *   | {id: number, call: 'whyMaterial', key: string, pod?: string}
 *   | {id: number, call: 'edit', text: string, overrides: import('./types.js').Options, what: object}
 *   | {id: number, call: 'generate', recipe: import('./input/generator.js').Recipe}
 *   | {id: number, call: 'objects', query: import('./types.js').ObjectQuery}
 *   | {id: number, call: 'place', object: {kind: string, namespace?: string, name: string}}
 *   | {id: number, call: 'answer'}} Question
 */

/** @param {import('./types.js').OpenAnswer} opened */
function packed(opened) {
  return opened.ok && opened.model ? { ...opened, model: packModel(opened.model) } : opened;
}

/** @param {Engine} engine @param {Question} question */
function answer(engine, question) {
  switch (question.call) {
    case 'open':
      return engine.open(question.input, question.overrides, question.service).then(packed);
    case 'planText':
      return engine.planText(question.key);
    case 'trafficMaterial':
      return engine.trafficMaterial(question.key);
    case 'whyMaterial':
      return engine.whyMaterial(question.key, question.pod);
    case 'edit':
      return engine.edit(question.text, question.overrides, question.what);
    case 'generate':
      return generate(question.recipe);
    case 'objects':
      return engine.objects(question.query);
    case 'place':
      return engine.place(question.object);
    case 'answer':
      return engine.answer();
  }
}

/** @param {Question} question */
async function reply(question) {
  try {
    postMessage({ id: question.id, value: await answer(await loading, question) });
  } catch (error) {
    // What has trapped once cannot be asked again.
    postMessage({ id: question.id, error: String(error), dead: error instanceof WebAssembly.RuntimeError });
  }
}

addEventListener('message', (/** @type {MessageEvent<Question>} */ event) => {
  last = last.then(() => reply(event.data));
});
