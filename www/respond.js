/** A worker's side of `worker-client.js`: the answer to a question, or why there is none. */

/** @param {{id: number}} question @param {() => unknown} answer */
export async function respond({ id }, answer) {
  try {
    postMessage({ id, value: await answer() });
  } catch (error) {
    postMessage({ id, error: error instanceof Error ? error.message : String(error) });
  }
}
