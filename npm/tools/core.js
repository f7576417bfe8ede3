/** Binds the raw functions of plans, and of one-off questions. */
import { runner, surface } from '../core.js';
import { decode, open, openOptional } from '../doors.js';
import { readers } from '../fields.js';
import { glancing } from '../glance.js';

/**
 * @typedef {typeof import('../../pkg/glue/full/node.js')} Glue
 * @typedef {'route' | 'traffic' | 'mirror' | 'mirrorSnapshot' | 'kubernetesService'} Single functions with one input
 * @typedef {Pick<Glue, keyof import('../core.js').Raw | Single | 'explain' | 'exported' | 'diff' | 'apply' | 'glance'>} Raw
 */

/**
 * @param {Raw} raw
 * @param {() => boolean} [isReady] whether the module is loaded; always, unless it is loaded explicitly
 */
export function bind(raw, isReady) {
  const run = runner(raw, isReady);
  const reader = readers(raw.fields);
  const ofExplained = reader('explain');

  /** @param {Single} name @param {string} [what] */
  function single(name, what = 'the request') {
    const read = reader(name);
    return (/** @type {unknown} */ given) => {
      const input = open(given, what, read);
      return input.answer(run(() => raw[name](input.bytes), [input]));
    };
  }

  /** @param {unknown} given @param {unknown} [question] */
  function explain(given, question) {
    const input = open(given, 'the input', ofExplained);
    const asked = openOptional(question, 'the question');
    return input.answer(run(() => raw.explain(input.bytes, asked.bytes), [input, asked]));
  }

  /** @param {unknown} given @param {unknown} question */
  function exported(given, question) {
    const input = open(given, 'the input', ofExplained);
    const asked = open(question, 'the question');
    return decode(run(() => raw.exported(input.bytes, asked.bytes), [input, asked]));
  }

  /** @param {unknown} before @param {unknown} after */
  function diff(before, after) {
    const [one, other] = [open(before, 'what was before'), open(after, 'what is after')];
    return one.answer(run(() => raw.diff(one.bytes, other.bytes), [one, other]));
  }

  /** @param {unknown} plan @param {unknown} slices */
  function apply(plan, slices) {
    const [planned, there] = [open(plan, 'the plan'), open(slices, 'the slices')];
    return planned.answer(run(() => raw.apply(planned.bytes, there.bytes), [planned, there]));
  }

  return {
    ...surface(raw, run),
    glance: glancing(raw, run),
    explain,
    exported,
    diff,
    apply,
    route: single('route'),
    traffic: single('traffic'),
    mirror: single('mirror'),
    mirrorSnapshot: single('mirrorSnapshot', 'the snapshot'),
    kubernetesService: single('kubernetesService'),
  };
}
