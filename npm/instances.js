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

const LEFT_BEHIND =
  'if a bundler made this file, it has left the module behind: keep `slicewise` out of the bundle, or pass the module to `init` of ' +
  '`slicewise/web`; docs/npm.md of the package shows how';

/**
 * @param {unknown} cause
 * @param {boolean} isOwn whether it was looked for where the package has it
 */
function loadFailed(cause, isOwn) {
  // Node appends the stack of files that require it.
  const [reason] = (cause instanceof Error ? cause.message : String(cause)).split('\n', 1);
  const message = `the module cannot be loaded: ${reason}${isOwn ? `; ${LEFT_BEHIND}` : ''}`;
  return new SlicewiseError({ code: 'LoadFailed', message }, { cause });
}

/**
 * Loads a module at once.
 * @template {Started} I
 * @param {() => I} glue
 * @param {() => BufferSource} read reads it from where the package has it
 * @returns {Instances<I>}
 */
export function loaded(glue, read) {
  const module = new WebAssembly.Module(bytesFrom(read));
  const create = () => instance(glue, module);
  return { shared: create(), isReady: () => true, create };
}

/** @param {() => BufferSource} read */
function bytesFrom(read) {
  try {
    return read();
  } catch (cause) {
    throw loadFailed(cause, true);
  }
}

/**
 * Loads a module explicitly, once.
 * @template {Started} I
 * @param {() => I} glue
 * @param {() => URL} place where the package has the module, which is unknown in some bundles
 * @returns {Instances<I> & {load(source?: any): Promise<void>}}
 */
export function loader(glue, place) {
  const shared = glue();
  let ready = false;
  /** @type {Promise<unknown> | undefined} */
  let loading;

  /** @param {any} [source] */
  async function load(source) {
    /** @type {Promise<unknown> | undefined} */
    let own;
    try {
      own = loading ??= shared.init({ module_or_path: source === undefined ? place() : source });
      await own;
    } catch (cause) {
      if (loading === own) loading = undefined;
      throw loadFailed(cause, source === undefined);
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
 * An entry of the package: what it exports of the shared instance, and what does so of another.
 * @template I
 * @template {object} B
 * @param {(raw: I, names: string[], isReady?: () => boolean) => B} bind
 * @param {Instances<I>} instances
 * @param {string[]} names
 */
export function entry(bind, { shared, isReady, create }, names) {
  return { ...bind(shared, names, isReady), createInstance: () => bind(create(), names) };
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
