/** Scenarios, played step by step. */
import { SlicewiseError } from '../error.js';
import { guard } from '../guard.js';

/**
 * @param {typeof import('../../pkg/glue/full/node.js')} raw
 * @param {() => boolean} [isReady] whether the module is loaded; always, unless it is loaded explicitly
 */
export function bind(raw, isReady) {
  const { guarded, handle } = guard(isReady);
  return { Timeline: handle(raw.Timeline, 'Timeline'), version: guarded(raw.version), SlicewiseError };
}
