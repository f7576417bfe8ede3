/** A worker's side of `worker-client.js`: answers a question, or reports why it failed. */

/** @param {{id: number}} question @param {() => unknown} answer */
export async function respond({ id }, answer) {
  try {
    postMessage({ id, value: await answer() });
  } catch (error) {
    postMessage({ id, error: error instanceof Error ? error.message : String(error) });
  }
}
