/** A worker's side of `worker-client.js`: answers a question, or reports why it failed. */

/** What the worker needs could not be loaded. */
class Unloadable extends Error {}

/**
 * What a worker answers with. A failure to load it is told in the answer to each question, however late the first one comes.
 * @template M
 * @template T
 * @param {Promise<M>} module
 * @param {(module: M) => T} make
 * @param {string} missing the message if it cannot be loaded
 * @returns {Promise<T>}
 */
export function needed(module, make, missing) {
  const loading = module.then(make, (cause) => {
    throw new Unloadable(missing, { cause });
  });
  loading.catch(() => {});
  return loading;
}

/**
 * @template Q
 * @param {Q & {id: number}} question
 * @param {() => unknown} answer
 * @param {(value: any) => Transferable[]} [transfers] what to transfer with it instead of copying
 */
export async function respond({ id }, answer, transfers = () => []) {
  try {
    const value = await answer();
    postMessage({ id, value }, { transfer: transfers(value) });
  } catch (error) {
    // Neither a trapped module nor one that was not loaded can be asked again.
    const dead = error instanceof WebAssembly.RuntimeError || error instanceof Unloadable;
    postMessage({ id, error: error instanceof Error ? error.message : String(error), dead });
  }
}
