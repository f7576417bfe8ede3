/** Binds the raw functions of plans, and of objects that outlive a call. */
import { runner, surface } from '../core.js';
import { controllerClass } from './controller.js';
import { proxierClass } from './proxier.js';
import { sessionClass } from './session.js';

/**
 * @typedef {typeof import('../../pkg/glue/full/node.js')} Glue
 * @typedef {Pick<Glue, keyof import('../core.js').Raw | 'Session' | 'Controller' | 'Proxier'>} Raw
 */

/**
 * @param {Raw} raw
 * @param {() => boolean} [isReady] whether the module is loaded; always, unless it is loaded explicitly
 */
export function bind(raw, isReady) {
  const run = runner(raw, isReady);
  return {
    ...surface(raw, run),
    Session: sessionClass(raw, run),
    Controller: controllerClass(raw, run),
    Proxier: proxierClass(raw, run),
  };
}
