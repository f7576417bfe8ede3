/** The page's side of a worker: a promise for every question. */
export class WorkerClient {
  #worker;
  #next = 1;
  /** @type {Map<number, {resolve: (value: any) => void, reject: (reason: Error) => void}>} */
  #waiting = new Map();
  /** Why there are no answers any more. @type {Error | null} */
  #broken = null;

  /** @param {Worker} worker @param {string} unloadable what to say when it cannot be loaded */
  constructor(worker, unloadable) {
    this.#worker = worker;
    worker.addEventListener('message', (event) => this.#settle(event.data));
    worker.addEventListener('error', (event) => this.#fail(event.message || unloadable));
  }

  /** @param {{call: string}} question @returns {Promise<any>} */
  ask(question) {
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
