/** Timeouts, and delays after failures. In milliseconds, except where the API uses seconds. */

/**
 * @typedef {object} Times
 * @property {[number, number]} watchSeconds range of the requested duration of a watch. The server responds at
 *   its end at the latest, which distinguishes a quiet cluster from a dead connection
 * @property {number} streamSeconds time limit of a streaming list
 * @property {number} silence a connection that is silent for this long is dead, except for a watch until its end
 * @property {number} firstDelay delay after the first failure; doubles with each failure
 * @property {number} mostDelay
 * @property {number} exceptions how often `SliceException` objects are read
 * @property {number} calm time without failure after which the delays start over
 */

/** The same delays as client-go's reflector. @type {Times} */
export const TIMES = {
  watchSeconds: [30, 45],
  streamSeconds: 600,
  silence: 30_000,
  firstDelay: 800,
  mostDelay: 30_000,
  exceptions: 10_000,
  calm: 120_000,
};

/** A monotonic clock, shared by all threads of the process. */
export function now() {
  return performance.timeOrigin + performance.now();
}

/** Delays that grow with each failure, with jitter, so that replicas do not return all at once. */
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

  /** @param {number} at time of the failure @param {number} [least] the delay the server asked for */
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
