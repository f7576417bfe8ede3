/**
 * The only path by which the page has its work planned. One request is in flight at a time; of those that arrive
 * meanwhile, the newest is sent as soon as the engine is free. The result of an older request, answer or failure,
 * is dropped, except within a gesture: while a slider is dragged, the picture follows.
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
  /** The request in flight, unless it was dropped. @type {{question: Q, gesture: string} | null} */
  #current = null;
  #running = false;

  /**
   * @param {(question: Q) => Promise<A>} ask
   * @param {object} on
   * @param {(answer: A, question: Q, newest: boolean) => void} on.answer
   * @param {(error: unknown) => void} on.failure
   * @param {() => void} on.restart called when the engine died and is asked again
   */
  constructor(ask, on) {
    this.#ask = ask;
    this.#on = on;
  }

  /** @param {Q} question @param {string} [gesture] requests of one gesture share a name */
  want(question, gesture = '') {
    this.#next = { question, gesture };
    if (!this.#running) void this.#run();
  }

  get isRunning() {
    return this.#running;
  }

  /** Drops the request in flight. */
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
