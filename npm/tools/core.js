/** Binds the raw functions of the module of tools: everything the small one can do, and questions that are asked once. */
import { runner, surface } from '../core.js';
import { open, openOptional } from '../doors.js';

/**
 * @typedef {typeof import('../../pkg/glue/tools/node.js')} Glue
 * @typedef {'route' | 'traffic' | 'mirror' | 'mirrorSnapshot' | 'kubernetesService'} Single doors with one input
 * @typedef {Pick<Glue, keyof import('../core.js').Raw | Single | 'explain' | 'diff' | 'apply'>} Raw
 */

/**
 * @param {Raw} raw
 * @param {() => boolean} [isReady] whether the module is loaded; always, unless it is loaded by hand
 */
export function bind(raw, isReady) {
  const run = runner(raw, isReady);

  /** @param {Single} name @param {string} [what] */
  const single = (name, what = 'the request') => (/** @type {unknown} */ input) => {
    const { bytes, answer } = open(input, what);
    return answer(run(() => raw[name](bytes), [bytes]));
  };

  /** @param {unknown} input @param {unknown} [question] */
  function explain(input, question) {
    const { bytes, answer } = open(input, 'the input');
    const questionBytes = openOptional(question, 'the question');
    return answer(run(() => raw.explain(bytes, questionBytes), [bytes, questionBytes]));
  }

  /** @param {unknown} before @param {unknown} after */
  function diff(before, after) {
    const { bytes, answer } = open(before, 'what was before');
    const afterBytes = open(after, 'what is after').bytes;
    return answer(run(() => raw.diff(bytes, afterBytes), [bytes, afterBytes]));
  }

  /** @param {unknown} plan @param {unknown} slices */
  function apply(plan, slices) {
    const { bytes, answer } = open(plan, 'the plan');
    const sliceBytes = open(slices, 'the slices').bytes;
    return answer(run(() => raw.apply(bytes, sliceBytes), [bytes, sliceBytes]));
  }

  return {
    ...surface(raw, run),
    explain,
    diff,
    apply,
    route: single('route'),
    traffic: single('traffic'),
    mirror: single('mirror'),
    mirrorSnapshot: single('mirrorSnapshot', 'the snapshot'),
    kubernetesService: single('kubernetesService'),
  };
}
