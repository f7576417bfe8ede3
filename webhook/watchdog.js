/**
 * Stops a review that does not finish, which only a bug of ours can cause. A separate thread or process for judging would
 * cost each review more than judging it, so a thread that is mostly asleep looks at the number of the review being judged.
 * If it stays the same for too long, the thread has V8 terminate what the main thread executes, as a debugger does, over a
 * channel within the process: no port is opened. That unwinds the whole turn of the event loop, so reviews are judged in
 * turns in which nothing else runs. Only if that has no effect either, the process ends; its supervisor restarts it.
 */
import { MessageChannel, Worker } from 'node:worker_threads';

/** How long a process that was suspended has to show that it continues, in milliseconds. */
const SECOND_LOOK = 250;
/** How long stopping may take to have an effect, at least, in milliseconds: the main thread of a busy machine may have to wait. */
const EFFECT = 5_000;

export class Watchdog {
  /** The number of the current review; 0 for none, negative while it is being stopped. */
  #now;
  #count = 0;
  #worker;
  /**
   * Used in turn: Node receives a message that is posted while another is processed at once, if it is on the same channel,
   * and sockets must be read in between.
   */
  #turns = [new MessageChannel(), new MessageChannel()];

  /**
   * @param {object} options
   * @param {number} options.grace the time after which a review counts as stuck, in milliseconds
   * @param {() => void} options.work a turn; calls `next` before each review and `rest` after the last one
   * @param {() => void} options.onStopped called after a turn was stopped; nothing after the point where it was executes
   */
  constructor({ grace, work, onStopped }) {
    const memory = new SharedArrayBuffer(4);
    this.#now = new Int32Array(memory);
    const code = `(${watch})(require('node:worker_threads').workerData)`;
    const resourceLimits = { maxOldGenerationSizeMb: 16 };
    this.#worker = new Worker(code, { eval: true, workerData: { memory, grace, secondLook: SECOND_LOOK, effect: EFFECT }, resourceLimits });
    this.#worker.on('message', onStopped);
    this.#worker.unref();
    for (const { port1 } of this.#turns) {
      port1.on('message', () => {
        port1.unref();
        work();
      });
      port1.unref();
    }
  }

  /** Calls `work` in the next turn of the event loop. @param {boolean} isUrgent otherwise after sockets are read */
  schedule(isUrgent) {
    if (!isUrgent) return void setImmediate(() => this.schedule(true));
    this.#turns.reverse();
    this.#turns[0].port1.ref();
    this.#turns[0].port2.postMessage(0);
  }

  /** A review begins. */
  next() {
    this.#count = (this.#count % 0x7fff_ffff) + 1;
    this.#become(this.#count);
  }

  /** No review is being judged any more. */
  rest() {
    this.#become(0);
  }

  /** @param {number} count */
  #become(count) {
    // Finished just as it was to be stopped: the termination must not hit anything else.
    if (Atomics.exchange(this.#now, 0, count) < 0) for (;;);
  }

  stop() {
    for (const { port1 } of this.#turns) port1.close();
    void this.#worker.terminate();
  }
}

/**
 * Runs in its own thread, mostly asleep.
 * @param {{memory: SharedArrayBuffer, grace: number, secondLook: number, effect: number}} data
 */
async function watch({ memory, grace, secondLook, effect }) {
  const { setTimeout: sleep } = require('node:timers/promises');
  const { parentPort } = require('node:worker_threads');
  const now = new Int32Array(memory);

  /** Whether V8 has terminated what the main thread executes. @returns {Promise<boolean>} */
  const terminate = () =>
    new Promise((resolve) => {
      const { Session } = require('node:inspector');
      const session = new Session();
      session.connectToMainThread();
      session.post('Runtime.terminateExecution', (/** @type {Error | null} */ error) => {
        session.disconnect();
        resolve(error === null);
      });
    });

  for (;;) {
    const before = Atomics.load(now, 0);
    await sleep(grace);
    if (before <= 0 || Atomics.load(now, 0) !== before) continue;
    await sleep(secondLook);
    if (Atomics.compareExchange(now, 0, before, -1) !== before) continue;
    // Node may have been built without the inspector.
    const isStopped = await Promise.race([terminate().catch(() => false), sleep(Math.max(grace, effect), false)]);
    if (!isStopped) break;
    Atomics.store(now, 0, 0);
    parentPort?.postMessage(null);
  }
  const line = {
    level: 'error',
    time: new Date().toISOString(),
    reason: 'runaway',
    message: `a review ran for more than ${grace} ms and cannot be stopped; the process exits`,
  };
  require('node:fs').writeSync(1, `${JSON.stringify(line)}\n`);
  process.kill(process.pid, 'SIGKILL');
}
