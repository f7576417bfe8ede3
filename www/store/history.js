/**
 * The undo history of the work. Steps of one group without a pause between them count as one step: a typed word, a
 * dragged slider. Pure: the time is an argument.
 * @import {Source} from '../types.js'
 */

const PAUSE = 1000;
const STEPS = 200;
/** The total number of characters that old steps may keep. */
const WEIGHT = 16 * 1024 * 1024;
const LIGHT = 100_000;

/**
 * @template {{source: Source, slider?: {base: Source} | null}} T
 */
export class History {
  /** @type {{work: T, label: string}[]} earlier states, with the name of the step that led away from each */
  #past = [];
  /** @type {{work: T, label: string}[]} */
  #future = [];
  #group = '';
  #last = 0;

  /** @param {T} work */
  constructor(work) {
    this.present = work;
  }

  /** @param {T} work @param {string} label @param {string} group '' for a separate step @param {number} now in ms */
  record(work, label, group, now) {
    const merged = group !== '' && group === this.#group && now - this.#last < PAUSE;
    if (!merged) this.#past.push({ work: this.present, label });
    // The intermediate steps of a group are dropped.
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

  /** Drops the oldest steps. Steps that share a text count it once. */
  #forget() {
    let [kept, weight] = [0, 0];
    const counted = new Set(sourcesOf(this.present));
    for (const { work } of this.#past.toReversed()) {
      const own = sourcesOf(work).filter((source) => !counted.has(source));
      const added = own.reduce((sum, source) => sum + source.weight, 0);
      // The last step is kept however large it is; small ones are cheap.
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
 * Stores the inputs of a step as differences from those of the step that replaces it.
 * @param {{source: Source, slider?: {base: Source} | null}} left
 * @param {{source: Source, slider?: {base: Source} | null}} present
 */
function lighten(left, present) {
  const shown = sourcesOf(present);
  for (const source of sourcesOf(left)) if (!shown.includes(source)) source.keepAsChangeOf(present.source);
}
