/** Scenarios, played step by step. */
import { SlicewiseError } from '../error.js';
import { guard } from '../guard.js';

/** How many steps are made together: enough that calls cost little, few enough that the first comes at once. */
const AT_ONCE = 64;

/**
 * @param {import('../../pkg/glue/full/glue.js').Instance} raw
 * @param {() => boolean} [isReady] whether the module is loaded; always, unless it is loaded explicitly
 */
export function bind(raw, isReady) {
  const { guarded, handle } = guard(isReady);

  class Timeline extends handle(raw.Timeline, 'Timeline') {
    /** The steps that are left. */
    *[Symbol.iterator]() {
      for (let steps; (steps = this.next(AT_ONCE)).length > 0; ) yield* steps;
    }
  }

  return { Timeline, version: guarded(raw.version), SlicewiseError };
}
