/** What all our modules can do. All builds share this file. */
import { SlicewiseError } from './error.js';
import { guard } from './guard.js';

/** @typedef {Pick<import('../pkg/glue/glue.js').Instance, 'plan' | 'planSnapshot' | 'detect' | 'version'>} Raw */

/**
 * @param {Raw} raw
 * @param {() => boolean} [isReady] whether the module is loaded; always, unless it is loaded explicitly
 */
export function bind({ plan, planSnapshot, detect, version }, isReady) {
  const { guarded } = guard(isReady);
  return {
    plan: guarded(plan),
    planSnapshot: guarded(planSnapshot),
    detect: guarded(detect),
    version: guarded(version),
    SlicewiseError,
  };
}
