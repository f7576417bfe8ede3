/** For browsers without a bundler, and other hosts that load the module explicitly: `await init()` first. */
import * as raw from '../pkg/glue/web.js';
import { bind } from './core.js';
import { loader } from './loader.js';

const module = loader(raw.default);

/**
 * Loads the module; later calls do nothing. See web.d.ts.
 * @param {any} [source]
 */
export function init(source = new URL('../pkg/glue/slicewise_bg.wasm', import.meta.url)) {
  return module.load(source);
}

export default init;
export const { plan, planSnapshot, detect, version, SlicewiseError } = bind(raw, module.isReady);
