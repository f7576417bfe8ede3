/**
 * The page's side of a worker: a promise for every question. The worker starts with the first question unless it was
 * started earlier, and restarts with the first question after it has died.
 */

/** The worker has died, and all pending questions with it. */
export class WorkerDied extends Error {}

export class WorkerClient {
  #make;
  #unloadable;
  /** @type {Worker | null} */
  #worker = null;
  #next = 1;
  /** @type {Map<number, {resolve: (value: any) => void, reject: (reason: Error) => void, onProgress: (done: number) => void}>} */
  #waiting = new Map();

  /** @param {() => Worker} make @param {string} unloadable the message if it cannot be loaded */
  constructor(make, unloadable) {
    this.#make = make;
    this.#unloadable = unloadable;
  }

  /**
   * @param {{call: string}} question
   * @param {Transferable[]} [transfer] what to transfer instead of copying
   * @param {(done: number) => void} [onProgress] called when a part of the answer is done
   * @returns {Promise<any>}
   */
  ask(question, transfer = [], onProgress = () => {}) {
    const worker = this.start();
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, onProgress });
      worker.postMessage({ ...question, id }, transfer);
    });
  }

  start() {
    if (this.#worker) return this.#worker;
    const worker = (this.#worker = this.#make());
    worker.addEventListener('message', (event) => this.#settle(event.data));
    worker.addEventListener('error', (event) => {
      if (worker === this.#worker) this.#fail(event.message || this.#unloadable);
    });
    return worker;
  }

  /** @param {{id: number, value?: unknown, done?: number, error?: string, dead?: boolean}} message */
  #settle({ id, value, done, error, dead }) {
    if (dead) return this.#fail(error ?? this.#unloadable);
    const waiting = this.#waiting.get(id);
    if (done !== undefined) return waiting?.onProgress(done);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(value);
    else waiting?.reject(new Error(error));
  }

  /** @param {string} message */
  #fail(message) {
    this.#worker?.terminate();
    this.#worker = null;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(new WorkerDied(message));
  }
}
