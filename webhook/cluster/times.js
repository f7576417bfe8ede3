/** How long things may take, and how long to wait after failures. In milliseconds, except what the API has in seconds. */

/**
 * @typedef {object} Times
 * @property {[number, number]} watchSeconds how long a watch is asked to last, from and to. The server says something at
 *   its end at the latest, so that a quiet cluster and a dead connection can be distinguished
 * @property {number} streamSeconds how long the listing by a stream may take
 * @property {number} silence a connection that says nothing for so long is dead; a watch may, for as long as it lasts
 * @property {number} firstDelay after the first failure; doubles
 * @property {number} mostDelay
 * @property {number} calm so long after a failure the delays begin again
 */

/** Delays are those of client-go's reflector. @type {Times} */
export const TIMES = { watchSeconds: [30, 45], streamSeconds: 600, silence: 30_000, firstDelay: 800, mostDelay: 30_000, calm: 120_000 };

/** A clock that never goes back, and is the same in all threads of the process. */
export function now() {
  return performance.timeOrigin + performance.now();
}

/** Delays that grow from failure to failure, with jitter, so that replicas do not come back all at once. */
export class Backoff {
  #times;
  #random;
  #failures = 0;
  #last = -Infinity;

  /** @param {Times} times @param {() => number} [random] from 0 to 1 */
  constructor(times, random = Math.random) {
    this.#times = times;
    this.#random = random;
  }

  /** @param {number} at when it failed @param {number} [least] what the server has asked for */
  next(at, least = 0) {
    const { firstDelay, mostDelay, calm } = this.#times;
    if (at - this.#last > calm) this.#failures = 0;
    const delay = Math.min(firstDelay * 2 ** this.#failures, mostDelay);
    // Further doubling changes nothing.
    this.#failures = Math.min(this.#failures + 1, 30);
    this.#last = at + delay;
    return Math.max(least, delay * (0.5 + this.#random()));
  }
}
