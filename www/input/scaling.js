/**
 * More or fewer pods, step by step: a slider asks for one number after another. The changes to some pods are the first of those to
 * more, so that the core is asked for some in advance.
 * @import {ObjectChange} from './edit.js'
 */

/** How many steps the core is asked for in advance. */
const AHEAD = 22;

export class Scaling {
  #ask;
  /** The number of ready pods. */
  #ready;
  /** The changes for each step. @type {Record<'more' | 'fewer', ObjectChange[]>} */
  #known = { more: [], fewer: [] };

  /** @param {(endpoints?: number) => {ready: number, changes: ObjectChange[]}} ask the core about a Service of one input */
  constructor(ask) {
    this.#ask = ask;
    this.#ready = ask().ready;
  }

  /** The changes that give the Service this many ready pods, or `by` more than it has. @param {number | undefined} pods @param {number} by */
  to(pods, by) {
    const wanted = pods ?? Math.max(0, this.#ready + by);
    const isMore = wanted > this.#ready;
    const side = isMore ? 'more' : 'fewer';
    const steps = Math.abs(wanted - this.#ready);
    if (this.#known[side].length < steps) this.#known[side] = this.#changesTo(isMore ? wanted + AHEAD : Math.max(0, wanted - AHEAD), wanted);
    return this.#known[side].slice(0, steps);
  }

  /** @param {number} beyond @param {number} wanted */
  #changesTo(beyond, wanted) {
    try {
      return this.#ask(beyond).changes;
    } catch {
      // It may be too many where the wanted number is not.
      return this.#ask(wanted).changes;
    }
  }
}
