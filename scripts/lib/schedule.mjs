/**
 * Which step of `npm test` starts next: the one with the longest chain of steps behind it, so that what takes longest does not
 * begin last.
 */

/**
 * @typedef {object} Planned a step, as far as its place in the order is concerned
 * @property {string} name
 * @property {number} seconds roughly, from nothing on two cores
 * @property {string[]} [needs] steps that must succeed first
 * @property {string} [uses] a resource that only one step at a time can use
 * @property {boolean} [waits] it leaves the processor idle most of the time, and runs beside others
 */

/**
 * For each step, the seconds from its start to the end of the longest chain of steps that need it.
 * @param {Planned[]} steps
 * @returns {Map<string, number>}
 */
export function chains(steps) {
  /** @type {Map<string, number>} */
  const known = new Map();
  /** @param {Planned} step @returns {number} */
  const chain = ({ name, seconds }) => {
    const found = known.get(name);
    if (found !== undefined) return found;
    const after = steps.filter(({ needs = [] }) => needs.includes(name)).map(chain);
    const total = seconds + Math.max(0, ...after);
    known.set(name, total);
    return total;
  };
  for (const step of steps) chain(step);
  return known;
}

/**
 * The step to start now; undefined if each has to wait.
 * @template {Planned} S
 * @param {S[]} waiting
 * @param {S[]} running
 * @param {Map<string, number>} chain
 * @param {number} jobs how many may run at once
 * @returns {S | undefined}
 */
export function nextOf(waiting, running, chain, jobs) {
  const isFree = running.filter(({ waits }) => !waits).length < jobs;
  const isOver = (/** @type {string} */ name) => ![...waiting, ...running].some((step) => step.name === name);
  const isInUse = (/** @type {string | undefined} */ uses) => uses !== undefined && running.some((step) => step.uses === uses);
  const isReady = (/** @type {S} */ { needs = [], uses, waits }) => (isFree || waits) && needs.every(isOver) && !isInUse(uses);
  const length = (/** @type {S} */ { name }) => chain.get(name) ?? 0;
  return waiting.filter(isReady).sort((one, other) => length(other) - length(one))[0];
}
