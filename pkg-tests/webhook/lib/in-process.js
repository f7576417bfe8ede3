/** A reviewer that decides immediately in the same thread, for tests of everything around it. */
import { answerTo } from '../../../npm/admission/answer.js';

/**
 * @typedef {object} Judging
 * @property {(bytes: Uint8Array, policy?: string) => {answer: Uint8Array, record: import('slicewise/admission').ReviewRecord}} judge
 */

/** @param {Judging} judging @returns {import('../../../webhook/supervisor.js').Reviewing} */
export function inProcess(judging) {
  return {
    ask(_door, bytes, policy) {
      const { status, body: answer, record } = answerTo(() => judging.judge(bytes, policy));
      return Promise.resolve({ status, body: typeof answer === 'string' ? answer : new TextDecoder().decode(answer), record });
    },
    state: () => ({ isUp: true, isSynced: true, age: undefined, exceptions: 0, kinds: {}, watched: [], server: null }),
    whyNotReady: () => null,
    note: () => null,
  };
}
