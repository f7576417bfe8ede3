/** Browsers without a bundler, and every host that loads the module by hand: `await init()` first. */
import * as raw from '../pkg/glue/web.js';
import { bind } from './core.js';
import { SlicewiseError } from './error.js';

let ready = false;

/**
 * Loads the module; later calls do nothing. See web.d.ts.
 * @param {any} [source]
 */
export async function init(source = new URL('../pkg/glue/slicewise_bg.wasm', import.meta.url)) {
  if (ready) return;
  try {
    await raw.default({ module_or_path: source });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SlicewiseError({ code: 'LoadFailed', message: `the module cannot be loaded: ${reason}` }, { cause });
  }
  ready = true;
}

export default init;
export const { plan, planSnapshot, detect, version, Reviewer } = bind(raw, () => ready);
export { SlicewiseError };
