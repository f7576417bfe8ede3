/** Loads a module explicitly, once. */
import { SlicewiseError } from './error.js';

/** @param {(options: {module_or_path: any}) => Promise<unknown>} start the glue's own function */
export function loader(start) {
  let ready = false;
  /** @type {Promise<unknown> | undefined} */
  let loading;

  /** @param {any} source */
  async function load(source) {
    // A second instance would take the place of the first, and not know what was made in it.
    const own = (loading ??= start({ module_or_path: source }));
    try {
      await own;
    } catch (cause) {
      if (loading === own) loading = undefined;
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new SlicewiseError({ code: 'LoadFailed', message: `the module cannot be loaded: ${reason}` }, { cause });
    }
    ready = true;
  }

  return { load, isReady: () => ready };
}
