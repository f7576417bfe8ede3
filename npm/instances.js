/** Instances of a module, each with a memory of its own. The entries of a module share one. */
import { SlicewiseError } from './error.js';

/**
 * What the glue can do before its module is loaded.
 * @typedef {object} Started
 * @property {(options: {module_or_path: any}) => Promise<unknown>} init
 * @property {(options: {module: WebAssembly.Module}) => unknown} initSync
 * @property {WebAssembly.Module} module
 */
/**
 * @template I
 * @typedef {object} Instances
 * @property {I} shared the one that the entries share
 * @property {() => boolean} isReady whether the module is loaded
 * @property {() => I} create makes another
 */

/**
 * Loads a module at once.
 * @template {Started} I
 * @param {() => I} glue
 * @param {BufferSource} bytes
 * @returns {Instances<I>}
 */
export function loaded(glue, bytes) {
  const module = new WebAssembly.Module(bytes);
  const create = () => instance(glue, module);
  return { shared: create(), isReady: () => true, create };
}

/**
 * Loads a module explicitly, once.
 * @template {Started} I
 * @param {() => I} glue
 * @returns {Instances<I> & {load(source: any): Promise<void>}}
 */
export function loader(glue) {
  const shared = glue();
  let ready = false;
  /** @type {Promise<unknown> | undefined} */
  let loading;

  /** @param {any} source */
  async function load(source) {
    const own = (loading ??= shared.init({ module_or_path: source }));
    try {
      await own;
    } catch (cause) {
      if (loading === own) loading = undefined;
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new SlicewiseError({ code: 'LoadFailed', message: `the module cannot be loaded: ${reason}` }, { cause });
    }
    ready = true;
  }

  function create() {
    if (!ready) throw notReady();
    return instance(glue, shared.module);
  }

  return { shared, isReady: () => ready, create, load };
}

/** What is thrown before a module is loaded. */
export function notReady() {
  return new SlicewiseError({ code: 'NotReady', message: 'the module is not loaded yet: `await init()` before the first call' });
}

/**
 * An entry of the package: what it binds to the shared instance, and what does so to another.
 * @template I
 * @template {object} B
 * @param {(raw: I, isReady?: () => boolean) => B} bind
 * @param {Instances<I>} instances
 */
export function entry(bind, { shared, isReady, create }) {
  return { ...bind(shared, isReady), createInstance: () => bind(create()) };
}

/**
 * @template {Started} I
 * @param {() => I} glue
 * @param {WebAssembly.Module} module
 */
function instance(glue, module) {
  const own = glue();
  own.initSync({ module });
  return own;
}
