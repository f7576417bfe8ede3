/**
 * The admission worker: it keeps the cluster that was loaded last. Questions are answered in order; of several
 * pending verdicts, only the newest is computed.
 * @import {Question as Asked} from './admission.js'
 */
import { ADMISSION_MISSING } from './model/text.js';
import { needed, respond } from './respond.js';

const loading = needed(import(/* webpackMode: "eager" */ './admission.js'), ({ Judge }) => new Judge(), ADMISSION_MISSING);
let newest = 0;
/** @type {Promise<void>} */
let last = Promise.resolve();

/**
 * @typedef {{id: number, call: 'load', input: Uint8Array, isRequest: boolean}
 *   | {id: number, call: 'objects', kind: string, find: string}
 *   | {id: number, call: 'text', kind: string, key: string}
 *   | {id: number, call: 'judge', question: Asked, config: string}} Question
 */

/** @param {Question} question */
async function answer(question) {
  const judge = await loading;
  switch (question.call) {
    case 'load':
      return judge.load(question.input, question.isRequest);
    case 'objects':
      return judge.objects(question.kind, question.find);
    case 'text':
      return judge.text(question.kind, question.key);
    case 'judge':
      return question.id === newest ? judge.judge(question.question, question.config) : null;
  }
}

addEventListener('message', (/** @type {MessageEvent<Question>} */ { data: question }) => {
  if (question.call === 'judge') newest = question.id;
  last = last.then(() => respond(question, () => answer(question)));
});
