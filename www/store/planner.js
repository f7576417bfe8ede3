/**
 * The only path by which the page has its work planned. One question is on its way at a time; of those that come
 * meanwhile the newest is asked next, as soon as the engine is free. What comes back for an older question is
 * dropped, be it an answer or a failure, except within a gesture: while a slider is drawn, the picture follows.
 */
import { WorkerDied } from '../worker-client.js';

/**
 * @template Q
 * @template A
 */
export class Planner {
  #ask;
  #on;
  /** @type {{question: Q, gesture: string} | null} */
  #next = null;
  /** What is on its way, unless it was forgotten. @type {{question: Q, gesture: string} | null} */
  #current = null;
  #running = false;

  /**
   * @param {(question: Q) => Promise<A>} ask
   * @param {object} on
   * @param {(answer: A, question: Q, newest: boolean) => void} on.answer
   * @param {(error: unknown) => void} on.failure
   * @param {() => void} on.restart the engine had died, and is asked once more
   */
  constructor(ask, on) {
    this.#ask = ask;
    this.#on = on;
  }

  /** @param {Q} question @param {string} [gesture] questions of one gesture have the same name */
  want(question, gesture = '') {
    this.#next = { question, gesture };
    if (!this.#running) void this.#run();
  }

  /** Drops whatever is on its way. */
  forget() {
    this.#next = null;
    this.#current = null;
  }

  async #run() {
    this.#running = true;
    while (this.#next) {
      const current = this.#next;
      this.#current = current;
      this.#next = null;
      try {
        const answer = await this.#attempt(current.question);
        if (this.#shows(current)) this.#on.answer(answer, current.question, this.#next === null);
      } catch (error) {
        if (this.#current === current && !this.#next) this.#on.failure(error);
      }
    }
    this.#running = false;
  }

  /** @param {{gesture: string}} current */
  #shows(current) {
    if (this.#current !== current) return false;
    return !this.#next || (current.gesture !== '' && this.#next.gesture === current.gesture);
  }

  /** @param {Q} question */
  async #attempt(question) {
    try {
      return await this.#ask(question);
    } catch (error) {
      if (!(error instanceof WorkerDied) || this.#next) throw error;
      this.#on.restart();
      return this.#ask(question);
    }
  }
}
