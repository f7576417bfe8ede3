/** Binds the raw functions of the larger module: everything the small one can do, sessions and controllers. */
import { runner, surface } from '../core.js';
import { controllerClass } from './controller.js';
import { migration } from './migration.js';
import { sessionClass } from './session.js';

/**
 * @typedef {typeof import('../../pkg/glue/session/node.js')} Glue
 * @typedef {'plan' | 'planSnapshot' | 'detect' | 'version' | 'maxInputBytes' | 'Reviewer' | 'Session' | 'Controller'} Own
 * @typedef {Pick<Glue, Own | 'mirror' | 'mirrorSnapshot' | 'kubernetesService'>} Raw
 */

/**
 * @param {Raw} raw
 * @param {() => boolean} [isReady] whether the module is loaded; always, unless it is loaded by hand
 */
export function bind(raw, isReady) {
  const run = runner(raw, isReady);
  return { ...surface(raw, run), ...migration(raw, run), Session: sessionClass(raw, run), Controller: controllerClass(raw, run) };
}
