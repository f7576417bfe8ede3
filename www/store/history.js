/**
 * The steps of the work, to go back and forth between them. Steps of one group that follow each other without a pause
 * are one step: a word typed, a slider drawn. Pure: the time is an argument.
 */

const PAUSE = 1000;
const STEPS = 200;
/** Characters that old steps may hold on to, all in all. */
const WEIGHT = 64 * 1024 * 1024;

/**
 * @template {{source: {text: string}}} T
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
    this.present = step.work;
    this.#group = '';
    return true;
  }

  /** Lets go of the oldest steps. Steps that share a text count it once. */
  #forget() {
    let [kept, weight] = [0, 0];
    let newer = this.present.source;
    for (const { work } of this.#past.toReversed()) {
      if (work.source !== newer) weight += work.source.text.length;
      newer = work.source;
      if (kept === STEPS || weight > WEIGHT) break;
      kept += 1;
    }
    this.#past = this.#past.slice(this.#past.length - kept);
  }
}
