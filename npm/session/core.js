/** Plans, and objects that outlive a call. */
import { bind as core } from '../core.js';
import { guard } from '../guard.js';

/** @typedef {import('../../pkg/glue/full/glue.js').Instance} Raw */

/**
 * @param {Raw} raw
 * @param {() => boolean} [isReady] whether the module is loaded; always, unless it is loaded explicitly
 */
export function bind(raw, isReady) {
  const { handle } = guard(isReady);
  return {
    ...core(raw, isReady),
    Session: handle(raw.Session, 'Session'),
    Controller: handle(raw.Controller, 'Controller'),
    Proxier: handle(raw.Proxier, 'Proxier'),
  };
}
