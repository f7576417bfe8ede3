/** Binds the raw functions of scenarios. */
import { runner } from '../core.js';
import { SlicewiseError } from '../error.js';
import { timelineClass } from './timeline.js';

/**
 * @typedef {typeof import('../../pkg/glue/full/node.js')} Glue
 * @typedef {Pick<Glue, 'Timeline' | 'version' | 'maxInputBytes'>} Raw
 */

/**
 * @param {Raw} raw
 * @param {() => boolean} [isReady] whether the module is loaded; always, unless it is loaded explicitly
 */
export function bind(raw, isReady) {
  const run = runner(raw, isReady);
  return { Timeline: timelineClass(raw, run), version: () => run(() => raw.version()), SlicewiseError };
}
