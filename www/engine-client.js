/**
 * The page's side of the worker: a promise for every question.
 * @import {OpenAnswer, Options, ServiceModel} from './types.js'
 * @import {Question} from './worker.js'
 */

/** Asks the engine in its worker. */
export class EngineClient {
  #worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name: 'engine' });
  #next = 1;
  /** @type {Map<number, {resolve: (value: any) => void, reject: (reason: Error) => void}>} */
  #waiting = new Map();
  /** Why there is no engine. @type {Error | null} */
  #broken = null;

  constructor() {
    this.#worker.addEventListener('message', (event) => this.#settle(event.data));
    this.#worker.addEventListener('error', (event) => this.#fail(event.message || 'the engine could not be loaded'));
  }

  /** @param {Uint8Array} raw @param {Options} overrides @returns {Promise<OpenAnswer>} */
  open(raw, overrides) {
    return this.#ask({ id: 0, call: 'open', raw, overrides });
  }

  /** @param {string} key @returns {Promise<ServiceModel | null>} */
  service(key) {
    return this.#ask({ id: 0, call: 'service', key });
  }

  /** @param {string} key @returns {Promise<string>} */
  planText(key) {
    return this.#ask({ id: 0, call: 'planText', key });
  }

  /** @returns {Promise<Uint8Array<ArrayBuffer>>} */
  answer() {
    return this.#ask({ id: 0, call: 'answer' });
  }

  /** @param {Question} question @returns {Promise<any>} */
  #ask(question) {
    if (this.#broken) return Promise.reject(this.#broken);
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ ...question, id });
    });
  }

  /** @param {{id: number, value?: unknown, error?: string}} message */
  #settle({ id, value, error }) {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(value);
    else waiting?.reject(new Error(error));
  }

  /** @param {string} message */
  #fail(message) {
    this.#broken = new Error(message);
    for (const { reject } of this.#waiting.values()) reject(this.#broken);
    this.#waiting.clear();
  }
}
