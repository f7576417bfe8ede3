/**
 * Keeps a thread with a reviewer, and contains what goes wrong in it: a trap, a review that does not come back, the end
 * of the thread. A lost thread is replaced, and what it had not judged yet is judged by the next one, once.
 */
import { EventEmitter } from 'node:events';
import { Worker } from 'node:worker_threads';
import { ageOf, whyNotSynced } from './cluster/states.js';

/**
 * @typedef {import('./worker.js').Door} Door
 * @typedef {import('./worker.js').Status} Status
 * @typedef {import('./worker.js').Failure} Failure
 * @typedef {import('./memory.js').Body} Body
 * @typedef {{status: number, body: string, record: import('slicewise/admission').ReviewRecord}} Verdict
 * @typedef {'deadline' | 'trap' | 'runaway' | 'exit' | 'stopped'} Reason
 * @typedef {Status & {isUp: boolean, isSynced: boolean, age: number | undefined}} State `age` in seconds; undefined where the
 *   context does not age
 *
 * @typedef {object} Reviewing what the service asks; tests have one of their own
 * @property {(door: Door, body: Body, policy: string | undefined, ending: import('./ending.js').Ending) => Promise<Verdict>} ask
 *   rejects with `Unjudged`
 * @property {() => State} state
 * @property {() => string | null} whyNotReady
 * @property {() => string | null} note what is to be said although it is ready
 *
 * @typedef {object} Task
 * @property {number} id
 * @property {Door} door
 * @property {Body} body
 * @property {string | undefined} policy
 * @property {import('./ending.js').Ending} ending
 * @property {boolean} isSettled
 * @property {boolean} isRetried
 * @property {boolean} isSuspect it was being judged when a thread ended for reasons of which nothing is known
 * @property {(verdict: Verdict) => void} resolve
 * @property {(error: Unjudged) => void} reject
 *
 * @typedef {object} Events
 * @property {[reason: Reason | 'start', detail: string]} lost a thread was lost
 * @property {[]} up there is a thread that can judge
 * @property {[tasks: number]} retried so many are judged again
 * @property {[line: import('./worker.js').LogLine]} log what the thread has to say
 */

/** Why there is no verdict. */
export class Unjudged extends Error {
  /** @param {Reason} reason */
  constructor(reason) {
    super(reason);
    this.reason = reason;
  }
}

/** What is sent ahead, so that the thread need not wait for its next review. What was not sent can be taken back. */
const AHEAD = 8;
/** How often it is looked whether the thread has come back, in milliseconds. */
const LOOK = 50;
/** While reviews come without a gap, something else is judged this often, in milliseconds. */
const TRICKLE = 100;
/** Milliseconds before a thread is replaced that was lost soon after the one before it. */
const PAUSE = { least: 100, most: 10_000 };
/** A thread that has lived so long was no failure of the start. */
const SETTLED = 30_000;
/** A new thread has so long to list the cluster before it judges all the same, in milliseconds. */
const PATIENCE = 5_000;
/** The core's own, in seconds. */
const MAX_AGE = 60;

/** @extends {EventEmitter<Events>} @implements {Reviewing} */
export class Supervisor extends EventEmitter {
  /** @type {Worker | null} */
  #worker = null;
  /** @type {Status | null} of the thread that is up */
  #status = null;
  /** Sent, in the order in which they are judged: the first is being judged. @type {Task[]} */
  #sent = [];
  /** When the first of them began. */
  #since = 0;
  /** @type {Task[]} */
  #reviews = [];
  /** Audits and explanations: whatever nobody waits for with a change. @type {Task[]} */
  #others = [];
  #lastOther = 0;
  #id = 0;
  #pause = 0;
  #started = 0;
  #upSince = 0;
  #isStopped = false;
  /** @type {{settings: import('./config.js').ReviewerSettings, resolve: () => void, reject: (error: Error) => void} | null} */
  #configuring = null;
  /** @type {NodeJS.Timeout | undefined} */
  #restart;
  #look;
  #options;
  #grace;
  #waitForSync;

  /**
   * @param {object} options
   * @param {import('./config.js').ReviewerSettings} options.settings
   * @param {string | null} options.snapshot
   * @param {import('./config.js').ClusterSettings | null} [options.cluster] to watch
   * @param {string} [options.module] where reviewers are made
   * @param {number} [options.grace] how long a review may go on after its deadline, in milliseconds
   * @param {Partial<import('./cluster/times.js').Times>} [options.times] of the watching
   */
  constructor({ settings, snapshot, cluster = null, module = 'slicewise/admission', grace = 1_000, times }) {
    super();
    const { waitForSync = true, ...connection } = cluster ?? {};
    this.#waitForSync = waitForSync;
    /** @type {import('./worker.js').Start} */
    this.#options = { settings, snapshot, cluster: cluster && connection, module, times };
    this.#grace = grace;
    this.#look = setInterval(() => this.#watch(), LOOK);
    this.#look.unref();
  }

  /** Starts the first thread. What cannot be used is the error of whoever configured it. @returns {Promise<void>} */
  async start() {
    try {
      await new Promise((resolve, reject) => this.#start(() => resolve(null), reject));
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** @returns {State} */
  state() {
    const status = this.#status ?? { kinds: {}, watched: [], server: null };
    const isUp = this.#status !== null;
    const age = isUp && this.#options.cluster ? ageOf(status.watched) : undefined;
    return { ...status, isUp, isSynced: isUp && this.#whyNotSynced() === null, age };
  }

  #whyNotSynced() {
    return whyNotSynced(this.#status?.watched ?? []);
  }

  /** @returns {string | null} */
  whyNotReady() {
    if (this.#status === null) return 'the reviewer is being replaced';
    return this.#waitForSync ? this.#whyNotSynced() : null;
  }

  /** @returns {string | null} */
  note() {
    const why = this.#whyNotSynced();
    if (why !== null) return why;
    const age = Math.floor(this.state().age ?? 0);
    const { maxAgeSeconds = MAX_AGE } = /** @type {{maxAgeSeconds?: number}} */ (this.#options.settings.context ?? {});
    return age > maxAgeSeconds ? `the last news of the cluster is ${age} s old, more than the ${maxAgeSeconds} s that count as current` : null;
  }

  /** @type {Reviewing['ask']} */
  ask(door, body, policy, ending) {
    return new Promise((resolve, reject) => {
      const id = (this.#id += 1);
      /** @type {Task} */
      const task = { id, door, body: body.hold(), policy, ending, isSettled: false, isRetried: false, isSuspect: false, resolve, reject };
      ending.onCome = () => this.#fail(task, 'deadline');
      this.#queueOf(task).push(task);
      if (this.#isStopped) this.#fail(task, 'stopped');
      else if (ending.hasCome) this.#fail(task, 'deadline');
      else this.#feed();
    });
  }

  /**
   * Takes other settings, which all threads have from now on; those that cannot be used change nothing.
   * @param {import('./config.js').ReviewerSettings} settings
   * @returns {Promise<void>}
   */
  configure(settings) {
    return new Promise((resolve, reject) => {
      this.#configuring?.reject(new Error('another configuration came before this one was taken'));
      this.#configuring = { settings, resolve: () => resolve(), reject };
      if (this.#status !== null) this.#worker?.postMessage({ configure: settings });
    });
  }

  /** Ends it. What has not been judged is not judged any more. */
  async stop() {
    this.#isStopped = true;
    clearInterval(this.#look);
    clearTimeout(this.#restart);
    this.#status = null;
    const worker = this.#worker;
    this.#worker = null;
    for (const task of [...this.#sent.splice(0), ...this.#reviews, ...this.#others]) this.#fail(task, 'stopped');
    worker?.removeAllListeners();
    await worker?.terminate();
  }

  /** @param {() => void} onReady @param {(error: Error) => void} onFailure */
  #start(onReady, onFailure) {
    this.#started = performance.now();
    const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData: this.#options });
    this.#worker = worker;
    worker.on('message', (/** @type {import('./worker.js').Done[] | import('./worker.js').News} */ message) => {
      if (Array.isArray(message)) this.#done(message);
      else if ('ready' in message) this.#up(message.ready, onReady);
      else if ('status' in message) this.#know(message.status);
      else if ('log' in message) this.emit('log', message.log);
      else if ('configured' in message) this.#configured(message.configured);
      else onFailure(errorOf(message.failed));
    });
    worker.on('error', (error) => {
      onFailure(error);
      this.#lose('exit', error.message);
    });
    worker.on('exit', (code) => this.#lose('exit', `the thread ended with code ${code}`));
  }

  /** @param {Status} status @param {() => void} onReady */
  #up(status, onReady) {
    this.#status = status;
    this.#upSince = performance.now();
    if (this.#configuring) this.#worker?.postMessage({ configure: this.#configuring.settings });
    onReady();
    this.emit('up');
    this.#feed();
  }

  /** @param {Status} status */
  #know(status) {
    if (this.#status === null) return;
    this.#status = status;
    this.#feed();
  }

  /** @param {Failure | null} failure */
  #configured(failure) {
    const asked = this.#configuring;
    if (!asked) return;
    this.#configuring = null;
    if (failure) return asked.reject(errorOf(failure));
    this.#options = { ...this.#options, settings: asked.settings };
    asked.resolve();
  }

  /** @param {Task} task */
  #queueOf({ door }) {
    return door === 'review' ? this.#reviews : this.#others;
  }

  /** A verdict that knows the cluster is worth waiting for, as long as there is time. */
  #isLearning() {
    return this.#waitForSync && this.#whyNotSynced() !== null && performance.now() - this.#upSince < PATIENCE;
  }

  #feed() {
    if (this.#status === null || this.#isLearning()) return;
    while (this.#sent.length < AHEAD && !this.#sent[0]?.isSuspect) {
      // It takes nobody with it a second time.
      if (this.#sent.length > 0 && (this.#reviews[0] ?? this.#others[0])?.isSuspect) return;
      const task = this.#next();
      if (!task) return;
      if (this.#sent.push(task) === 1) this.#since = performance.now();
      /** @type {import('./worker.js').Work} */
      const work = [task.id, task.door, task.body.bytes, task.policy];
      this.#worker?.postMessage(work);
    }
  }

  /** Reviews first; of the others never more than one is sent, and while there are reviews only now and then. */
  #next() {
    if (this.#others.length > 0 && !this.#sent.some(({ door }) => door !== 'review')) {
      const now = performance.now();
      if (this.#reviews.length === 0 || now - this.#lastOther > TRICKLE) {
        this.#lastOther = now;
        return this.#others.shift();
      }
    }
    return this.#reviews.shift();
  }

  /** @param {import('./worker.js').Done[]} all in the order in which they were sent */
  #done(all) {
    for (const [, status, body, record, isLost] of all) {
      if (isLost) return void this.#lose('trap', record.reason);
      const task = /** @type {Task} */ (this.#sent.shift());
      task.body.release();
      if (task.isSettled) continue;
      task.isSettled = true;
      task.ending.onCome = null;
      task.resolve({ status, body, record });
    }
    this.#since = performance.now();
    this.#feed();
  }

  /** @param {Task} task @param {Reason} reason */
  #fail(task, reason) {
    const queue = this.#queueOf(task);
    const place = queue.indexOf(task);
    if (place !== -1) {
      queue.splice(place, 1);
      task.body.release();
    } else if (reason !== 'deadline') {
      task.body.release();
    }
    if (task.isSettled) return;
    task.isSettled = true;
    task.ending.onCome = null;
    task.reject(new Unjudged(reason));
  }

  /** A review whose time is up, and that goes on and on, will not come back. */
  #watch() {
    const [first] = this.#sent;
    if (first === undefined) return this.#feed();
    if (!first.ending.hasCome) return;
    const since = Math.max(this.#since, first.ending.at);
    if (performance.now() - since > this.#grace) this.#lose('runaway', `a review went on for ${this.#grace} ms after its deadline`);
  }

  /**
   * @param {'trap' | 'runaway' | 'exit'} reason
   * @param {string} detail
   */
  async #lose(reason, detail) {
    const worker = this.#worker;
    if (worker === null || this.#isStopped) return;
    this.#worker = null;
    const wasUp = this.#status !== null;
    this.#status = null;
    worker.removeAllListeners();
    worker.on('error', () => {});
    this.emit('lost', wasUp ? reason : 'start', detail);
    // As long as it runs it reads what it was sent.
    await worker.terminate();
    this.#retry(this.#sent.splice(0), reason);
    const life = performance.now() - this.#started;
    this.#pause = life > SETTLED ? 0 : Math.min(PAUSE.most, Math.max(PAUSE.least, this.#pause * 2));
    if (!this.#isStopped) this.#restart = setTimeout(() => this.#start(() => {}, (error) => this.#lose('exit', error.message)), this.#pause);
  }

  /** What is known to have taken the thread down is not judged again. @param {Task[]} tasks @param {Reason} reason */
  #retry(tasks, reason) {
    const again = tasks.filter((task, index) => {
      const isCulprit = index === 0 && reason !== 'exit';
      if (isCulprit || task.isRetried || task.isSettled || this.#isStopped) {
        this.#fail(task, reason);
        return false;
      }
      task.isRetried = true;
      task.isSuspect = index === 0;
      return true;
    });
    const retried = again.length;
    // The suspect comes last.
    if (again[0]?.isSuspect) this.#queueOf(again[0]).push(/** @type {Task} */ (again.shift()));
    this.#reviews.unshift(...again.filter(({ door }) => door === 'review'));
    this.#others.unshift(...again.filter(({ door }) => door !== 'review'));
    if (retried > 0) this.emit('retried', retried);
  }
}

/** @param {Failure} failure */
function errorOf({ name, message, ...fields }) {
  return Object.assign(new Error(message), { name, ...fields });
}
