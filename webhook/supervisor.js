/**
 * Owns a reviewer and contains its failures. A reviewer lost to a trap is replaced by one in a new module, which judges
 * what is still pending.
 */
import { EventEmitter } from 'node:events';
import { SlicewiseError, version } from 'slicewise/admission';
import { answerTo } from '../npm/admission/answer.js';
import { connect } from './cluster/connection.js';
import { ageOf, whyNotSynced } from './cluster/states.js';
import { watchCluster } from './cluster/watch.js';
import { createReviewer } from './module.js';
import { loadSnapshot } from './snapshot.js';
import { Watchdog } from './watchdog.js';

/**
 * @typedef {import('slicewise/admission').Reviewer} Reviewer
 * @typedef {import('./cluster/states.js').KindState} KindState
 * @typedef {import('./config.js').ReviewerSettings} ReviewerSettings
 * @typedef {'review' | 'audit' | 'explain'} Door the kind of request
 * @typedef {{status: number, body: string, record: import('slicewise/admission').ReviewRecord}} Verdict
 * @typedef {'deadline' | 'trap' | 'stopped'} Reason
 *
 * @typedef {object} State what is known of the cluster, and the progress of its watches, if any
 * @property {Record<string, {known: boolean, objects: number}>} kinds
 * @property {KindState[]} watched
 * @property {string | null} server
 * @property {boolean} isUp
 * @property {boolean} isSynced
 * @property {number | undefined} age in seconds; undefined if the context does not age
 *
 * @typedef {object} Reviewing the interface for the service; tests have their own implementation
 * @property {(door: Door, bytes: Uint8Array, policy: string | undefined, ending: import('./ending.js').Ending) => Promise<Verdict>} ask
 *   rejects with `Unjudged`
 * @property {() => State} state
 * @property {() => string | null} whyNotReady
 * @property {() => string | null} note a remark although it is ready
 *
 * @typedef {object} Task
 * @property {Door} door
 * @property {Uint8Array} bytes
 * @property {string | undefined} policy
 * @property {import('./ending.js').Ending} ending
 * @property {(verdict: Verdict) => void} resolve
 * @property {(error: Unjudged) => void} reject
 *
 * @typedef {object} Events
 * @property {[reason: 'trap' | 'start', detail: string]} lost a reviewer was lost
 * @property {[]} up a reviewer is available
 * @property {[level: 'debug' | 'info' | 'warn', fields: object, message: string]} log messages of the watches
 */

/** The reason for a missing verdict. */
export class Unjudged extends Error {
  /** @param {Reason} reason */
  constructor(reason) {
    super(reason);
    this.reason = reason;
  }
}

/** The maximum work per turn: more would keep sockets waiting. */
const TOGETHER = { reviews: 8, bytes: 1 << 20 };
/** While reviews arrive without a gap, another task runs this often, in milliseconds. */
const TRICKLE = 100;
/** The delay before replacing a reviewer lost soon after its predecessor, in milliseconds. */
const PAUSE = { least: 100, most: 10_000 };
/** A reviewer that lived this long started successfully. */
const SETTLED = 30_000;
/** How long a new reviewer may take to list the cluster before it judges anyway, in milliseconds. */
const PATIENCE = 5_000;
/** How often to check whether it has, in milliseconds. */
const LOOK = 50;
/** The core's default, in seconds. */
const MAX_AGE = 60;

/** @extends {EventEmitter<Events>} @implements {Reviewing} */
export class Supervisor extends EventEmitter {
  /** @type {Reviewer | null} */
  #reviewer = null;
  /** @type {import('./cluster/connection.js').Connection | null} */
  #connection = null;
  /** @type {import('./cluster/watch.js').ClusterWatch | null} */
  #watch = null;
  #ending = new AbortController();
  /** @type {Task[]} */
  #reviews = [];
  /** Audits and explanations, which no change waits for. @type {Task[]} */
  #others = [];
  #lastOther = 0;
  /** @type {NodeJS.Immediate | undefined} */
  #turn;
  /** @type {NodeJS.Timeout | undefined} */
  #look;
  /** @type {NodeJS.Timeout | undefined} */
  #restart;
  #pause = 0;
  /** When the reviewer was created, or the attempt was made. */
  #upSince = 0;
  #watchdog;
  #options;
  #waitForSync;

  /**
   * @param {object} options
   * @param {ReviewerSettings} options.settings
   * @param {string | null} options.snapshot
   * @param {import('./config.js').ClusterSettings | null} [options.cluster] to watch
   * @param {typeof createReviewer} [options.make] creates reviewers
   * @param {number} [options.grace] how long judging may take before the process is terminated, in milliseconds
   * @param {Partial<import('./cluster/times.js').Times>} [options.times] of the watches
   */
  constructor({ settings, snapshot, cluster = null, make = createReviewer, grace = 1_000, times }) {
    super();
    const { waitForSync = true, ...connection } = cluster ?? {};
    this.#waitForSync = waitForSync;
    this.#options = { settings, snapshot, cluster: cluster && connection, make, times };
    this.#watchdog = new Watchdog(grace);
  }

  /** Throws if the configuration is invalid. */
  async start() {
    const { cluster } = this.#options;
    this.#connection = cluster && (await connect({ ...cluster, userAgent: `slicewise-webhook/${version()}` }));
    this.#up();
    this.#follow();
  }

  /** To the cluster that is watched, once started; null if none is. */
  get connection() {
    return this.#connection;
  }

  /** Watches the cluster. Received bytes are passed to the reviewer unchanged. */
  #follow() {
    const connection = this.#connection;
    if (connection === null) return;
    const logAs = (/** @type {'debug' | 'info' | 'warn'} */ level) => (/** @type {object} */ fields, /** @type {string} */ message) => {
      this.emit('log', level, fields, message);
    };
    this.#watch = watchCluster({
      connection,
      apply: (events) => this.#apply(events),
      onState: () => this.#schedule(),
      log: { debug: logAs('debug'), info: logAs('info'), warn: logAs('warn') },
      signal: this.#ending.signal,
      times: this.#options.times,
    });
  }

  /** @param {Uint8Array} events @returns {import('slicewise/admission').Applied} */
  #apply(events) {
    const reviewer = this.#reviewer;
    if (reviewer === null) throw new Error('the reviewer is being replaced');
    /** @type {Uint8Array} */
    let applied = events;
    try {
      this.#watchdog.run(() => (applied = reviewer.apply(events)));
    } catch (error) {
      // A refusal does no harm; a call that trapped leaves an inconsistent state.
      const isRefused = error instanceof SlicewiseError && error.code !== 'Internal';
      if (!isRefused) this.#lose('trap', `cannot process what came from the cluster: ${messageOf(error)}`);
      throw error;
    }
    return JSON.parse(Buffer.from(applied.buffer, applied.byteOffset, applied.length).toString());
  }

  /** @returns {State} */
  state() {
    const watched = this.#watch?.states() ?? [];
    const isUp = this.#reviewer !== null;
    const age = isUp && this.#watch ? ageOf(watched) : undefined;
    const { kinds } = this.#reviewer?.status() ?? { kinds: {} };
    return { kinds, watched, server: this.#connection?.server ?? null, isUp, isSynced: isUp && whyNotSynced(watched) === null, age };
  }

  #whyNotSynced() {
    return whyNotSynced(this.#watch?.states() ?? []);
  }

  /** @returns {string | null} */
  whyNotReady() {
    if (this.#reviewer === null) return 'the reviewer is being replaced';
    return this.#waitForSync ? this.#whyNotSynced() : null;
  }

  /** @returns {string | null} */
  note() {
    const why = this.#whyNotSynced();
    if (why !== null) return why;
    const age = Math.floor(this.state().age ?? 0);
    const { maxAgeSeconds = MAX_AGE } = /** @type {{maxAgeSeconds?: number}} */ (this.#options.settings.context ?? {});
    return age > maxAgeSeconds ? `the last update from the cluster is ${age} s old, more than the limit of ${maxAgeSeconds} s` : null;
  }

  /** @type {Reviewing['ask']} */
  ask(door, bytes, policy, ending) {
    return new Promise((resolve, reject) => {
      /** @type {Task} */
      const task = { door, bytes, policy, ending, resolve, reject };
      if (this.#ending.signal.aborted) return reject(new Unjudged('stopped'));
      if (ending.hasCome) return reject(new Unjudged('deadline'));
      const queue = this.#queueOf(task);
      ending.onCome = () => {
        queue.splice(queue.indexOf(task), 1);
        reject(new Unjudged('deadline'));
      };
      queue.push(task);
      this.#schedule();
    });
  }

  /**
   * Replaces the settings of this and all later reviewers; invalid settings change nothing.
   * @param {ReviewerSettings} settings
   */
  configure(settings) {
    const reviewer = this.#reviewer ?? this.#makeOne(settings);
    if (reviewer === this.#reviewer) reviewer.configure(settings);
    else reviewer.free();
    this.#options = { ...this.#options, settings };
  }

  /** Stops it. Pending tasks get no verdict. */
  stop() {
    this.#ending.abort();
    this.#watchdog.stop();
    clearTimeout(this.#restart);
    clearTimeout(this.#look);
    clearImmediate(this.#turn);
    for (const task of [...this.#reviews.splice(0), ...this.#others.splice(0)]) refuse(task, 'stopped');
    this.#reviewer?.free();
    this.#reviewer = null;
  }

  /** @param {ReviewerSettings} settings @param {Uint8Array} [snapshot] */
  #makeOne(settings, snapshot) {
    return this.#options.make({ config: settings, snapshot });
  }

  #up() {
    this.#upSince = performance.now();
    const bytes = loadSnapshot(this.#options.snapshot);
    this.#reviewer = this.#makeOne(this.#options.settings, bytes.length === 0 ? undefined : bytes);
    this.emit('up');
    this.#schedule();
  }

  /** In the next turn, together with everything that arrives in this one: judging each alone costs a fifth of the throughput. */
  #schedule() {
    if (this.#reviews.length + this.#others.length > 0) this.#turn ??= setImmediate(() => this.#judgeSome());
  }

  /** A verdict based on the cluster is worth waiting for, as long as time permits. */
  #isLearning() {
    return this.#waitForSync && this.#whyNotSynced() !== null && performance.now() - this.#upSince < PATIENCE;
  }

  #judgeSome() {
    this.#turn = undefined;
    const reviewer = this.#reviewer;
    if (reviewer === null) return;
    if (this.#isLearning()) {
      this.#look ??= setTimeout(() => ((this.#look = undefined), this.#schedule()), LOOK);
      return;
    }
    const tasks = this.#nextTasks();
    const verdicts = this.#judge(reviewer, tasks);
    tasks.forEach((task, index) => index < verdicts.length && settle(task, verdicts[index]));
    this.#schedule();
  }

  /**
   * Processes them in order, as far as possible. A task that traps the reviewer gets no verdict; the ones after it wait for the next reviewer.
   * @param {Reviewer} reviewer
   * @param {Task[]} tasks
   * @returns {Verdict[]}
   */
  #judge(reviewer, tasks) {
    const asking = { contextAgeSeconds: this.#watch ? ageOf(this.#watch.states()) : undefined };
    /** @type {Verdict[]} */
    const verdicts = [];
    /** @type {string | undefined} */
    let trap;
    this.#watchdog.run(() => {
      for (const task of tasks) {
        const verdict = judge(reviewer, task, asking);
        if (verdict.status === 500) return void (trap = verdict.record.reason);
        verdicts.push(verdict);
      }
    });
    if (trap !== undefined) {
      const [culprit, ...innocent] = tasks.slice(verdicts.length);
      for (const task of innocent.reverse()) this.#queueOf(task).unshift(task);
      this.#lose('trap', trap);
      refuse(culprit, 'trap');
    }
    return verdicts;
  }

  /** @param {Task} task */
  #queueOf({ door }) {
    return door === 'review' ? this.#reviews : this.#others;
  }

  /** Reviews first; at most one other task, and only occasionally while reviews are pending. */
  #nextTasks() {
    /** @type {Task[]} */
    const tasks = [];
    let bytes = 0;
    const now = performance.now();
    if (this.#others.length > 0 && (this.#reviews.length === 0 || now - this.#lastOther > TRICKLE)) {
      this.#lastOther = now;
      tasks.push(...this.#others.splice(0, 1));
    }
    while (this.#reviews.length > 0 && tasks.length < TOGETHER.reviews && bytes < TOGETHER.bytes) {
      const [task] = this.#reviews.splice(0, 1);
      bytes += task.bytes.length;
      tasks.push(task);
    }
    return tasks;
  }

  /**
   * @param {'trap' | 'start'} reason
   * @param {string} detail
   */
  #lose(reason, detail) {
    if (this.#ending.signal.aborted) return;
    const life = performance.now() - this.#upSince;
    this.#reviewer = null;
    this.emit('lost', reason, detail);
    this.#pause = life > SETTLED ? 0 : Math.min(PAUSE.most, Math.max(PAUSE.least, this.#pause * 2));
    this.#restart = setTimeout(() => this.#replace(), this.#pause);
  }

  #replace() {
    try {
      this.#up();
    } catch (error) {
      return this.#lose('start', messageOf(error));
    }
    this.#watch?.relist();
  }
}

/**
 * @param {Reviewer} reviewer
 * @param {Task} task
 * @param {{contextAgeSeconds: number | undefined}} asking
 * @returns {Verdict}
 */
function judge(reviewer, { door, bytes, policy }, asking) {
  const { status, body, record } = answerTo(() => ask(reviewer, door, bytes, { ...asking, policy }));
  // A string: Node sends a short string and the headers in one packet, but bytes in two.
  return { status, body: typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.length).toString(), record };
}

/** @param {Reviewer} reviewer @param {Door} door @param {Uint8Array} bytes @param {import('slicewise/admission').Asking} asking */
function ask(reviewer, door, bytes, asking) {
  if (door === 'review') return reviewer.judge(bytes, asking);
  if (door === 'audit') return reviewer.audit(bytes, asking);
  return { answer: reviewer.explain(bytes, asking), record: EXPLAINED };
}

/** @type {import('slicewise/admission').ReviewRecord} */
const EXPLAINED = { verdict: 'allow', policies: [], reason: 'explained' };

/** @param {Task} task @param {Verdict} verdict */
function settle({ ending, resolve }, verdict) {
  ending.onCome = null;
  resolve(verdict);
}

/** @param {Task} task @param {Reason} reason */
function refuse({ ending, reject }, reason) {
  ending.onCome = null;
  reject(new Unjudged(reason));
}

/** @param {unknown} error */
function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}
