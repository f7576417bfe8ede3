/**
 * Ends the process when judging does not come to an end, which only a fault of ours can bring about. Nothing in the process
 * could continue then: code that loops cannot be interrupted from outside without harm, and a thread or a process for judging
 * alone would cost each review more than being judged. The process's supervisor restarts it.
 */
import { Worker } from 'node:worker_threads';

/** A process that was stopped for a while, and continues, has so long to show it, in milliseconds. */
const SECOND_LOOK = 250;

export class Watchdog {
  /** What is being done, by number; 0 for nothing. */
  #now;
  #count = 0;
  /** @type {Worker} */
  #worker;

  /** @param {number} grace what takes longer does not end, in milliseconds */
  constructor(grace) {
    const memory = new SharedArrayBuffer(8);
    this.#now = new Int32Array(memory);
    const code = `(${watch})(require('node:worker_threads').workerData)`;
    const resourceLimits = { maxOldGenerationSizeMb: 16 };
    this.#worker = new Worker(code, { eval: true, workerData: { memory, grace, secondLook: SECOND_LOOK }, resourceLimits });
    this.#worker.unref();
  }

  /** @param {() => void} work ends before this returns */
  run(work) {
    this.#count = (this.#count % 0x7fff_ffff) + 1;
    Atomics.store(this.#now, 0, this.#count);
    try {
      work();
    } finally {
      Atomics.store(this.#now, 0, 0);
    }
  }

  stop() {
    void this.#worker.terminate();
  }
}

/**
 * Runs in a thread of its own, and asleep.
 * @param {{memory: SharedArrayBuffer, grace: number, secondLook: number}} data
 */
function watch({ memory, grace, secondLook }) {
  const [now, never] = [new Int32Array(memory, 0, 1), new Int32Array(memory, 4, 1)];
  const sleep = (/** @type {number} */ milliseconds) => Atomics.wait(never, 0, 0, milliseconds);
  for (;;) {
    const before = Atomics.load(now, 0);
    sleep(grace);
    if (before === 0 || Atomics.load(now, 0) !== before) continue;
    sleep(secondLook);
    if (Atomics.load(now, 0) !== before) continue;
    const line = { level: 'error', time: new Date().toISOString(), reason: 'runaway', message: `a review ran for more than ${grace} ms; the process exits` };
    require('node:fs').writeSync(1, `${JSON.stringify(line)}\n`);
    process.kill(process.pid, 'SIGKILL');
  }
}
