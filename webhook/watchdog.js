/**
 * Terminates the process if judging does not finish, which only a bug of ours can cause. Nothing in the process could recover
 * from that: a loop cannot be interrupted safely from outside, and a separate thread or process for judging would cost each
 * review more than judging it. The process's supervisor restarts it.
 */
import { Worker } from 'node:worker_threads';

/** How long a process that was suspended has to show that it continues, in milliseconds. */
const SECOND_LOOK = 250;

export class Watchdog {
  /** The number of the current task; 0 for none. */
  #now;
  #count = 0;
  /** @type {Worker} */
  #worker;

  /** @param {number} grace the time after which a task counts as stuck, in milliseconds */
  constructor(grace) {
    const memory = new SharedArrayBuffer(8);
    this.#now = new Int32Array(memory);
    const code = `(${watch})(require('node:worker_threads').workerData)`;
    const resourceLimits = { maxOldGenerationSizeMb: 16 };
    this.#worker = new Worker(code, { eval: true, workerData: { memory, grace, secondLook: SECOND_LOOK }, resourceLimits });
    this.#worker.unref();
  }

  /** @param {() => void} work runs synchronously */
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
 * Runs in its own thread, mostly asleep.
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
