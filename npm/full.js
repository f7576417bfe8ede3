/** The module that all entries but the main one share, loaded explicitly, once for all of them. */
import * as raw from '../pkg/glue/full/web.js';
import { loader } from './loader.js';

export { isReady, raw };
const { load, isReady } = loader(raw.default);

/**
 * Loads the module; later calls do nothing. See web.d.ts.
 * @param {any} [source]
 */
export function init(source = new URL('../pkg/glue/full/slicewise_bg.wasm', import.meta.url)) {
  return load(source);
}
