/**
 * Bounded work: a limited number of concurrent requests and of waiting ones, and an explicit refusal beyond that. A request
 * enters when its body has arrived: until then, it waits for its sender alone.
 */

/** The reason why a request was not admitted. */
export class Refused extends Error {
  /** @param {'full' | 'late'} reason the queue is full, or the deadline passed in it */
  constructor(reason) {
    super(reason);
    this.reason = reason;
  }
}

export class Gate {
  /** @type {Array<{enter: () => void}>} */
  #waiting = [];
  #active = 0;
  #maxActive;
  #maxWaiting;

  /** @param {{maxConcurrent: number, maxQueue: number}} limits */
  constructor({ maxConcurrent, maxQueue }) {
    this.#maxActive = maxConcurrent;
    this.#maxWaiting = maxQueue;
  }

  get active() {
    return this.#active;
  }

  get waiting() {
    return this.#waiting.length;
  }

  /**
   * Enters, or waits in the queue; every caller that has entered must leave.
   * @param {import('./ending.js').Ending} ending of the request
   * @returns {Promise<void> | undefined} undefined if it entered immediately
   */
  enter(ending) {
    if (ending.hasCome) throw new Refused('late');
    if (this.#active < this.#maxActive) {
      this.#active += 1;
      return undefined;
    }
    if (this.#waiting.length >= this.#maxWaiting) throw new Refused('full');
    return this.#wait(ending);
  }

  leave() {
    const next = this.#waiting.shift();
    if (next) next.enter();
    else this.#active -= 1;
  }

  /** @param {import('./ending.js').Ending} ending @returns {Promise<void>} */
  #wait(ending) {
    return new Promise((resolve, reject) => {
      const place = {
        enter: () => {
          ending.onCome = null;
          resolve();
        },
      };
      ending.onCome = () => {
        this.#waiting.splice(this.#waiting.indexOf(place), 1);
        reject(new Refused('late'));
      };
      this.#waiting.push(place);
    });
  }
}
