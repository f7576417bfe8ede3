/**
 * The worker: one engine, questions in, answers out, in order. It listens before the engine is there: the
 * module of the package loads in its own time, and a question asked meanwhile must not be lost.
 * @import {Engine} from './engine.js'
 */
import { packModel } from './model/packed.js';

const loading = import(/* webpackMode: "eager" */ './engine.js').then((module) => new module.Engine());
/** @type {Promise<void>} */
let last = Promise.resolve();

/**
 * @typedef {{id: number, call: 'open', raw: Uint8Array, overrides: import('./types.js').Options}
 *   | {id: number, call: 'service', key: string}
 *   | {id: number, call: 'planText' | 'trafficMaterial' | 'whyMaterial', key: string}
 *   | {id: number, call: 'answer'}} Question
 */

/** @param {import('./types.js').ServiceModel | null} model */
function packed(model) {
  return model && packModel(model);
}

/** @param {Engine} engine @param {Question} question */
function answer(engine, question) {
  switch (question.call) {
    case 'open':
      return engine.open(question.raw, question.overrides);
    case 'service':
      return packed(engine.service(question.key));
    case 'planText':
      return engine.planText(question.key);
    case 'trafficMaterial':
      return engine.trafficMaterial(question.key);
    case 'whyMaterial':
      return engine.whyMaterial(question.key);
    case 'answer':
      return engine.answer();
  }
}

/** @param {Question} question */
async function reply(question) {
  try {
    postMessage({ id: question.id, value: await answer(await loading, question) });
  } catch (error) {
    postMessage({ id: question.id, error: String(error) });
  }
}

addEventListener('message', (/** @type {MessageEvent<Question>} */ event) => {
  last = last.then(() => reply(event.data));
});
