/**
 * The worker of the tools. It is another one than the engine's, so that no plan waits until the tools are loaded or
 * have an answer. Of several questions of a kind that have come meanwhile, only the newest is answered.
 * @import {WhyMaterial} from './engine.js'
 * @import {CompareColumn, ExportForm, Reader} from './types.js'
 */
import { TOOLS_MISSING } from './model/text.js';
import { respond } from './respond.js';

const loading = import(/* webpackMode: "eager" */ './tools.js').catch((cause) => {
  throw new Error(TOOLS_MISSING, { cause });
});
/** The number of the newest question of each kind. @type {Record<string, number>} */
const newest = {};

/**
 * @typedef {{id: number, call: 'traffic', material: Uint8Array, reader: Reader}
 *   | {id: number, call: 'node', material: Uint8Array, reader: Reader, node: string}
 *   | {id: number, call: 'compare', material: WhyMaterial, other: string, columns: CompareColumn[], reader: Reader}
 *   | {id: number, call: 'export', material: WhyMaterial, form: ExportForm}
 *   | {id: number, call: 'why' | 'whyPod' | 'crossing', material: WhyMaterial}} Question
 */

/** @param {Question} question */
async function answer(question) {
  const tools = await loading;
  await others();
  if (newest[question.call] !== question.id) return null;
  switch (question.call) {
    case 'traffic':
      return tools.trafficOf(question.material, question.reader);
    case 'node':
      return tools.nodeTrafficOf(question.material, question.reader, question.node);
    case 'compare':
      return tools.compareOf(question.material, question.other, question.columns, question.reader);
    case 'export':
      return tools.exportedOf(question.material, question.form);
    case 'crossing':
      return tools.crossingOf(question.material);
    case 'why':
    case 'whyPod':
      return tools.whyOf(question.material);
  }
}

/** Lets in what else has been asked. */
function others() {
  return new Promise((resolve) => {
    setTimeout(resolve);
  });
}

addEventListener('message', (/** @type {MessageEvent<Question>} */ { data: question }) => {
  newest[question.call] = question.id;
  void respond(question, () => answer(question));
});
