/** Binds the raw functions of the larger module: everything the small one can do, and the rest. */
import { runner, surface } from '../core.js';
import { open, openOptional } from '../doors.js';
import { controllerClass } from './controller.js';
import { migration } from './migration.js';
import { proxierClass, router } from './proxier.js';
import { sessionClass } from './session.js';

/**
 * @typedef {typeof import('../../pkg/glue/session/node.js')} Glue
 * @typedef {'plan' | 'planSnapshot' | 'detect' | 'version' | 'maxInputBytes' | 'Reviewer' | 'Session' | 'Controller'} Own
 * @typedef {Pick<Glue, Own | 'Proxier' | 'route' | 'traffic' | 'explain' | 'mirror' | 'mirrorSnapshot' | 'kubernetesService'>} Raw
 */

/**
 * @param {Raw} raw
 * @param {() => boolean} [isReady] whether the module is loaded; always, unless it is loaded by hand
 */
export function bind(raw, isReady) {
  const run = runner(raw, isReady);

  /** @param {unknown} input @param {unknown} [question] */
  function explain(input, question) {
    const { bytes, answer } = open(input, 'the input');
    const questionBytes = openOptional(question, 'the question');
    return answer(run(() => raw.explain(bytes, questionBytes), [bytes, questionBytes]));
  }

  return {
    ...surface(raw, run),
    explain,
    ...migration(raw, run),
    Session: sessionClass(raw, run),
    Controller: controllerClass(raw, run),
    Proxier: proxierClass(raw, run),
    ...router(raw, run),
  };
}
