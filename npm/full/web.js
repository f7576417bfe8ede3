/** The module that all entries but the main one share, loaded explicitly, once for all of them. */
import { glue } from '../../pkg/glue/full/glue.js';
import { loader } from '../instances.js';

export const full = loader(glue, () => new URL('../../pkg/glue/full/slicewise_bg.wasm', import.meta.url));

/**
 * Loads the module; later calls do nothing. See web.d.ts.
 * @param {any} [source]
 */
export function init(source) {
  return full.load(source);
}
