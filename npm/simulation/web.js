/** `slicewise/simulation/web`: its module is loaded explicitly: `await init()` first. */
import * as raw from '../../pkg/glue/full/web.js';
import { loader } from '../loader.js';
import { bind } from './core.js';

const module = loader(raw.default);

/**
 * Loads the module; later calls do nothing. See web.d.ts.
 * @param {any} [source]
 */
export function init(source = new URL('../../pkg/glue/full/slicewise_bg.wasm', import.meta.url)) {
  return module.load(source);
}

export default init;
export const { Timeline, version, SlicewiseError } = bind(raw, module.isReady);
