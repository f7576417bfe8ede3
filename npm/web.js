/** For browsers without a bundler, and other hosts that load the module explicitly: `await init()` first. */
import { glue } from '../pkg/glue/glue.js';
import { bind } from './core.js';
import { entry, loader } from './instances.js';

const instances = loader(glue, () => new URL('../pkg/glue/slicewise_bg.wasm', import.meta.url));

/**
 * Loads the module; later calls do nothing. See web.d.ts.
 * @param {any} [source]
 */
export function init(source) {
  return instances.load(source);
}

export default init;
export const { plan, planSnapshot, detect, version, SlicewiseError, createInstance } = entry(bind, instances);
