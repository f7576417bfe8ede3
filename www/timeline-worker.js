/** The timeline worker: one run at a time, questions answered in order. */
import { TIMELINE_MISSING } from './model/text.js';
import { needed, respond } from './respond.js';

const loading = needed(import(/* webpackMode: "eager" */ './timeline.js'), ({ Runs }) => new Runs(), TIMELINE_MISSING);
/** @type {Promise<void>} */
let last = Promise.resolve();

/**
 * @typedef {{id: number, call: 'open', text: string, service: string, kubernetes: string}
 *   | {id: number, call: 'next' | 'report', run: number}} Question
 */

/** @param {Question} question */
async function answer(question) {
  const runs = await loading;
  switch (question.call) {
    case 'open':
      return runs.open(question.text, question.service, question.kubernetes);
    case 'next':
      return runs.next(question.run);
    case 'report':
      return runs.report(question.run);
  }
}

addEventListener('message', (/** @type {MessageEvent<Question>} */ { data: question }) => {
  last = last.then(() => respond(question, () => answer(question)));
});
