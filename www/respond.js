/** A worker's side of `worker-client.js`: answers a question, or reports why it failed. */

/** What the worker needs could not be loaded. */
export class Unloadable extends Error {}

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
