/**
 * The steps of the work, to go back and forth between them. Steps of one group that follow each other without a pause
 * are one step: a word typed, a slider drawn. Pure: the time is an argument.
 * @import {Source} from '../types.js'
 */

const PAUSE = 1000;
const STEPS = 200;
/** Characters that old steps may hold on to, all in all. */
const WEIGHT = 16 * 1024 * 1024;
const LIGHT = 100_000;

/**
 * @template {{source: Source, slider?: {base: Source} | null}} T
 */
export class History {
  /** @type {{work: T, label: string}[]} what can be gone back to, with the name of the step that led away from it */
  #past = [];
  /** @type {{work: T, label: string}[]} */
  #future = [];
  #group = '';
  #last = 0;

  /** @param {T} work */
  constructor(work) {
    this.present = work;
  }

  /** @param {T} work @param {string} label @param {string} group '' if this is a step of its own @param {number} now in ms */
  record(work, label, group, now) {
    const merged = group !== '' && group === this.#group && now - this.#last < PAUSE;
    if (!merged) this.#past.push({ work: this.present, label });
    // Of what a group began with the steps in between are forgotten, too.
    lighten(this.#past.at(-1)?.work ?? work, work);
    this.#group = group;
    this.#last = now;
    this.#future = [];
    this.present = work;
    this.#forget();
  }

  /** Changes the present without a step. @param {T} work */
  amend(work) {
    this.present = work;
  }

  get undoLabel() {
    return this.#past.at(-1)?.label ?? '';
  }

  get redoLabel() {
    return this.#future.at(-1)?.label ?? '';
  }

  /** @returns {boolean} whether there was a step to take */
  undo() {
    return this.#move(this.#past, this.#future);
  }

  /** @returns {boolean} */
  redo() {
    return this.#move(this.#future, this.#past);
  }

  /** @param {{work: T, label: string}[]} from @param {{work: T, label: string}[]} to */
  #move(from, to) {
    const step = from.pop();
    if (!step) return false;
    to.push({ work: this.present, label: step.label });
    lighten(this.present, step.work);
    this.present = step.work;
    this.#group = '';
    return true;
  }

  /** Lets go of the oldest steps. Steps that share a text count it once. */
  #forget() {
    let [kept, weight] = [0, 0];
    const counted = new Set(sourcesOf(this.present));
    for (const { work } of this.#past.toReversed()) {
      const own = sourcesOf(work).filter((source) => !counted.has(source));
      const added = own.reduce((sum, source) => sum + source.weight, 0);
      // The last step is there however heavy it is, and light ones are no burden.
      if (kept === STEPS || (weight > 0 && added > LIGHT && weight + added > WEIGHT)) break;
      for (const source of own) counted.add(source);
      weight += added;
      kept += 1;
    }
    this.#past = this.#past.slice(this.#past.length - kept);
  }
}

/** @param {{source: Source, slider?: {base: Source} | null}} work */
function sourcesOf({ source, slider }) {
  return slider ? [source, slider.base] : [source];
}

/**
 * Keeps the inputs of a step as changes of the one that takes its place.
 * @param {{source: Source, slider?: {base: Source} | null}} left
 * @param {{source: Source, slider?: {base: Source} | null}} present
 */
function lighten(left, present) {
  const shown = sourcesOf(present);
  for (const source of sourcesOf(left)) if (!shown.includes(source)) source.keepAsChangeOf(present.source);
}
