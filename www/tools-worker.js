/**
 * The tools worker. It is separate from the engine's, so that no plan waits until the tools have loaded or
 * answered. Of several pending questions of a kind, only the newest is answered.
 * @import {WhyMaterial} from './engine.js'
 * @import {CompareColumn, ExportForm, Fix, Legend, Reader, Versions} from './types.js'
 */
import { TOOLS_MISSING } from './model/text.js';
import { needed, respond } from './respond.js';
import { LOST } from './tools-lost.js';

const loading = needed(import(/* webpackMode: "eager" */ './tools.js'), (tools) => tools, TOOLS_MISSING);
/** The number of the newest question of each kind. @type {Record<string, number>} */
const newest = {};
/** The input received last, which is not sent again. @type {Uint8Array | null} */
let kept = null;

/**
 * @typedef {{input: Uint8Array | null, question: WhyMaterial['question']}} Handed without the input if it is unchanged
 * @typedef {{id: number, call: 'traffic', material: Uint8Array, reader: Reader}
 *   | {id: number, call: 'node', material: Uint8Array, reader: Reader, node: string}
 *   | {id: number, call: 'compare', material: Handed, other: string, columns: CompareColumn[], reader: Reader, legend: Legend}
 *   | {id: number, call: 'export', material: Handed, form: ExportForm}
 *   | {id: number, call: 'upgrade', material: Handed, versions: Versions}
 *   | {id: number, call: 'attempts', material: Handed, fixes: Fix[], legend: Legend}
 *   | {id: number, call: 'likeness' | 'selection' | 'why' | 'whyPod', material: Handed, legend: Legend}
 *   | {id: number, call: 'crossing' | 'verdicts', material: Handed}} Question
 */

/** @param {Question} question @param {Uint8Array | null} input */
async function answer(question, input) {
  const tools = await loading;
  await others();
  if (newest[question.call] !== question.id) return null;
  if (question.call === 'traffic') return tools.trafficOf(question.material, question.reader);
  if (question.call === 'node') return tools.nodeTrafficOf(question.material, question.reader, question.node);
  if (!input) return LOST;
  const material = { input, question: question.material.question };
  switch (question.call) {
    case 'compare':
      return tools.compareOf(material, question, (done) => postMessage({ id: question.id, done }));
    case 'export':
      return tools.exportedOf(material, question.form);
    case 'upgrade':
      return tools.upgradeOf(material, question.versions);
    case 'crossing':
      return tools.crossingOf(material);
    case 'verdicts':
      return tools.verdictsOf(material);
    case 'attempts':
      return tools.attemptsOf(material, question.fixes, question.legend);
    case 'likeness':
      return tools.likenessIn(material, question.legend);
    case 'selection':
      return tools.selectionOf(material, question.legend);
    case 'why':
    case 'whyPod':
      return tools.whyOf(material, question.legend);
  }
}

/** Lets pending messages arrive. */
function others() {
  return new Promise((resolve) => {
    setTimeout(resolve);
  });
}

addEventListener('message', (/** @type {MessageEvent<Question>} */ { data: question }) => {
  newest[question.call] = question.id;
  if (question.call !== 'traffic' && question.call !== 'node') kept = question.material.input ?? kept;
  const input = kept;
  void respond(question, () => answer(question, input));
});
