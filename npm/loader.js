/** Loads a module explicitly, once. */
import { SlicewiseError } from './error.js';

/** @typedef {(options: {module_or_path: any}) => Promise<unknown>} Start the glue's own function */

/**
 * Modules that are loaded or being loaded: entries may share one, and a second instance would take the place of the first.
 * @type {Map<Start, Promise<unknown>>}
 */
const loading = new Map();

/** @param {Start} start */
export function loader(start) {
  let ready = false;

  /** @param {any} source */
  async function load(source) {
    if (ready) return;
    const started = loading.get(start) ?? start({ module_or_path: source });
    loading.set(start, started);
    try {
      await started;
    } catch (cause) {
      if (loading.get(start) === started) loading.delete(start);
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new SlicewiseError({ code: 'LoadFailed', message: `the module cannot be loaded: ${reason}` }, { cause });
    }
    ready = true;
  }

  return { load, isReady: () => ready };
}
