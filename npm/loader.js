/** Loads a module explicitly, once. */
import { SlicewiseError } from './error.js';

/** @param {(options: {module_or_path: any}) => Promise<unknown>} start the glue's own function */
export function loader(start) {
  let ready = false;

  /** @param {any} source */
  async function load(source) {
    if (ready) return;
    try {
      await start({ module_or_path: source });
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new SlicewiseError({ code: 'LoadFailed', message: `the module cannot be loaded: ${reason}` }, { cause });
    }
    ready = true;
  }

  return { load, isReady: () => ready };
}
