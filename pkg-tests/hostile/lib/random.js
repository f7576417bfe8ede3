/** Reproducible choices (mulberry32). */
export class Random {
  #state;

  /** @param {number} seed */
  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** From 0 to 1. */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `least` to `most`. @param {number} least @param {number} most */
  between(least, most) {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  /** @template T @param {readonly T[]} values @returns {T} */
  pick(values) {
    return values[this.between(0, values.length - 1)];
  }

  /** @template T @param {readonly T[]} values @returns {T[]} */
  shuffled(values) {
    const all = [...values];
    for (let last = all.length - 1; last > 0; last -= 1) {
      const other = this.between(0, last);
      [all[last], all[other]] = [all[other], all[last]];
    }
    return all;
  }
}
