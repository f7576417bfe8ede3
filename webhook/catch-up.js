/**
 * A slice that is written right after its pod got its address can be here before the watch shows the pod. A refusal that rests
 * on a pod that is not known yet is therefore not the last word: the review waits for the watch, and then the API server is
 * asked for the pod.
 */

/**
 * @typedef {import('./supervisor.js').Verdict} Verdict
 * @typedef {import('./ending.js').Ending} Ending
 * @typedef {'waited' | 'asked'} CaughtUp what was done before the last word
 *
 * @typedef {object} Parts
 * @property {(caughtUp?: CaughtUp) => Promise<Verdict>} judge
 * @property {() => number} events how many batches of events have been applied
 * @property {(namespace: string, name: string) => Promise<boolean>} lookUp takes in a pod; false if the API server could not be asked
 * @property {(verdict: Verdict) => void} onEnd is told of verdicts that were waited for
 */

/** The first delay before the review is judged again, in milliseconds; each is twice as long. Watches lag by some 5 ms. */
const FIRST = 5;
/** Reviews beyond this do not wait: nobody must be able to fill the gate with them. */
const MOST = 8;
/** Pods that are asked for per review. */
const MOST_PODS = 4;

export class CatchUp {
  #waiting = 0;

  /**
   * @param {Parts} parts
   * @param {number} most how long to wait, in milliseconds; 0 for not at all
   * @param {Ending} ending of the review
   * @returns {Promise<Verdict>}
   */
  async judge(parts, most, ending) {
    const first = await parts.judge();
    const { awaits } = first.record;
    if (most === 0 || !awaits || this.#waiting >= MOST) return first;
    this.#waiting += 1;
    try {
      const last = await wait(parts, first, awaits, most, ending);
      parts.onEnd(last);
      return last;
    } finally {
      this.#waiting -= 1;
    }
  }
}

/**
 * @param {Parts} parts
 * @param {Verdict} first
 * @param {NonNullable<Verdict['record']['awaits']>} awaits
 * @param {number} most
 * @param {Ending} ending
 * @returns {Promise<Verdict>}
 */
async function wait({ judge, events, lookUp }, first, awaits, most, ending) {
  let seen = events();
  const end = performance.now() + most;
  for (let pause = FIRST; performance.now() < end; pause *= 2) {
    await sleep(Math.min(pause, end - performance.now()), ending);
    if (ending.hasCome) return first;
    if (events() === seen) continue;
    seen = events();
    const verdict = await judge();
    if (!verdict.record.awaits) return verdict;
  }
  const named = awaits.flatMap(({ namespace, name }) => (name === undefined ? [] : [{ namespace, name }])).slice(0, MOST_PODS);
  const asked = await Promise.all(named.map(({ namespace, name }) => lookUp(namespace, name)));
  return ending.hasCome ? first : await judge(asked.length > 0 && asked.every(Boolean) ? 'asked' : 'waited');
}

/** Ends early with the request. @param {number} milliseconds @param {Ending} ending @returns {Promise<void>} */
function sleep(milliseconds, ending) {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      ending.onCome = null;
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    ending.onCome = end;
    if (ending.hasCome) end();
  });
}
