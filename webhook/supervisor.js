/**
 * Owns a reviewer and contains its failures. A reviewer lost to a trap, or to a review that does not finish, is replaced by
 * one in a new module, which judges what is still pending.
 */
import { EventEmitter } from 'node:events';
import { SlicewiseError, version } from 'slicewise/admission';
import { answerTo } from '../npm/admission/answer.js';
import { CatchUp } from './catch-up.js';
import { connect } from './cluster/connection.js';
import { followExceptions } from './cluster/exceptions.js';
import { NAMESPACE } from './cluster/kinds.js';
import { createLeftOut } from './cluster/left-out.js';
import { createLookUp } from './cluster/look-up.js';
import { ageOf, whyNotSynced, whyStale } from './cluster/states.js';
import { Backoff, TIMES } from './cluster/times.js';
import { watchCluster } from './cluster/watch.js';
import { createReviewer } from './module.js';
import { loadSnapshot } from './snapshot.js';
import { Watchdog } from './watchdog.js';

/**
 * @typedef {import('slicewise/admission').Reviewer & {startReview?: () => import('./memory.js').Sieve | null}} Reviewer
 * @typedef {import('./cluster/states.js').KindState} KindState
 * @typedef {import('./config.js').ReviewerSettings} ReviewerSettings
 * @typedef {'review' | 'audit' | 'explain'} Door the kind of request
 * @typedef {{status: number, body: string, record: import('slicewise/admission').ReviewRecord}} Verdict
 * @typedef {'deadline' | 'trap' | 'runaway' | 'stopped' | 'reconfigured'} Reason
 *
 * @typedef {import('./cluster/exceptions.js').Exception} Exception
 *
 * @typedef {object} State what is known of the cluster, and the progress of its watches, if any
 * @property {Record<string, {known: boolean, objects: number, leftOut: number}>} kinds
 * @property {KindState[]} watched
 * @property {string | null} server
 * @property {boolean} isUp
 * @property {boolean} isSynced
 * @property {number | undefined} age in seconds; undefined if the context does not age
 * @property {number} exceptions that apply now
 *
 * @typedef {object} Reviewing the interface for the service; tests have their own implementation
 * @property {(door: Door, bytes: Uint8Array, policy: string | undefined, ending: import('./ending.js').Ending) => Promise<Verdict>} ask
 *   rejects with `Unjudged`
 * @property {() => import('./memory.js').Sieve | null} [startReview] for a large review while it arrives; null if it is needed whole
 * @property {() => State} state
 * @property {() => string | null} whyNotReady
 * @property {() => string | null} note a remark although it is ready
 *
 * @typedef {object} Task
 * @property {Door} door
 * @property {Uint8Array} bytes
 * @property {string | undefined} policy
 * @property {import('./ending.js').Ending} ending
 * @property {import('./catch-up.js').CaughtUp} [caughtUp]
 * @property {(verdict: Verdict) => void} resolve
 * @property {(error: Unjudged) => void} reject
 *
 * @typedef {object} Events
 * @property {[reason: 'trap' | 'runaway' | 'start', detail: string]} lost a reviewer was lost
 * @property {[]} up a reviewer is available
 * @property {[verdict: string]} caughtUp a review had to wait for the watch or the API server
 * @property {[kind: string, count: number]} leftOut objects of the cluster could not be read
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
/** The core's default, in milliseconds. */
const CATCH_UP = 250;

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
  /** Whether a turn of judging is due. */
  #isDue = false;
  /** The turn of judging in progress. @type {{tasks: Task[], verdicts: Verdict[]} | null} */
  #turn = null;
  /** @type {NodeJS.Timeout | undefined} */
  #look;
  /** @type {NodeJS.Timeout | undefined} */
  #restart;
  #pause = 0;
  /** How many batches of events have been applied. */
  #events = 0;
  #catchUp = new CatchUp();
  /** @type {(namespace: string, name: string) => Promise<boolean>} */
  #lookUp = () => Promise.resolve(false);
  /** Those that are objects of the cluster. @type {Exception[]} */
  #exceptions = [];
  /** @type {NodeJS.Timeout | undefined} */
  #relisting;
  #relistBackoff = new Backoff(TIMES);
  /** When the reviewer was created, or the attempt was made. */
  #upSince = 0;
  #watchdog;
  /** The settings with which large reviews were sieved, by the result. @type {WeakMap<Uint8Array, ReviewerSettings>} */
  #sieved = new WeakMap();
  #options;
  #waitForSync;

  /**
   * @param {object} options
   * @param {ReviewerSettings} options.settings
   * @param {string | null} options.snapshot
   * @param {import('./config.js').ClusterSettings | null} [options.cluster] to watch
   * @param {typeof createReviewer} [options.make] creates reviewers
   * @param {number} [options.grace] how long judging one review may take before it is stopped, in milliseconds
   * @param {Partial<import('./cluster/times.js').Times>} [options.times] of the watches
   */
  constructor({ settings, snapshot, cluster = null, make = createReviewer, grace = 1_000, times }) {
    super();
    const { waitForSync = true, ...connection } = cluster ?? {};
    this.#waitForSync = waitForSync;
    this.#options = { settings, snapshot, cluster: cluster && connection, make, times };
    const onStopped = () => this.#giveUp('runaway', `a review ran for more than ${grace} ms and was stopped`);
    this.#watchdog = new Watchdog({ grace, work: () => this.#judgeSome(), onStopped });
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
    const apply = (/** @type {Uint8Array} */ events) => this.#apply(events);
    const logAs = (/** @type {'debug' | 'info' | 'warn'} */ level) => (/** @type {object} */ fields, /** @type {string} */ message) => {
      this.emit('log', level, fields, message);
    };
    const log = { debug: logAs('debug'), info: logAs('info'), warn: logAs('warn') };
    this.#watch = watchCluster({
      connection,
      apply,
      startList: () => this.#startList(),
      onLeftOut: createLeftOut(log, (kind, count) => this.emit('leftOut', kind, count)),
      maxAgeSeconds: () => this.#maxAgeSeconds,
      onState: () => this.#schedule(),
      log,
      signal: this.#ending.signal,
      times: this.#options.times,
    });
    this.#followNamespaces(this.#reviewer);
    this.#lookUp = createLookUp({ connection, apply, log });
    const take = (/** @type {Exception[]} */ read) => this.#takeExceptions(read);
    const every = this.#options.times?.exceptions ?? TIMES.exceptions;
    void followExceptions({ connection, take, log, signal: this.#ending.signal, every });
  }

  /**
   * Feeds a reviewer, which is lost if that traps.
   * @template T
   * @param {Reviewer | null} reviewer
   * @param {(reviewer: Reviewer) => T} work
   * @returns {T}
   */
  #feed(reviewer, work) {
    if (reviewer === null || this.#reviewer !== reviewer) throw new Error('the reviewer is being replaced');
    try {
      return work(reviewer);
    } catch (error) {
      // A refusal does no harm; a call that trapped leaves an inconsistent state.
      if (!isRefusal(error)) this.#lose('trap', `cannot process what came from the cluster: ${messageOf(error)}`);
      throw error;
    } finally {
      this.#events += 1;
    }
  }

  /** @param {Uint8Array} events @returns {import('slicewise/admission').Applied} */
  #apply(events) {
    const applied = this.#feed(this.#reviewer, (reviewer) => reviewer.apply(events));
    return JSON.parse(Buffer.from(applied.buffer, applied.byteOffset, applied.length).toString());
  }

  /** @returns {import('./cluster/reflector.js').ListReader} */
  #startList() {
    const reviewer = this.#reviewer;
    const list = this.#feed(reviewer, (each) => each.startList());
    return {
      push: (bytes) => this.#feed(reviewer, () => list.push(bytes)),
      finish: () => this.#feed(reviewer, () => list.finish()),
      // A lost reviewer's goes with its module.
      free: () => this.#reviewer === reviewer && list.free(),
    };
  }

  get #context() {
    return /** @type {{maxAgeSeconds?: number, catchUpMs?: number}} */ (this.#options.settings.context ?? {});
  }

  get #maxAgeSeconds() {
    return this.#context.maxAgeSeconds ?? MAX_AGE;
  }

  /** Lists the cluster again, after a fault that may have lost a part of it. */
  relist() {
    this.#relisting ??= setTimeout(() => {
      this.#relisting = undefined;
      this.#watch?.relist();
    }, this.#relistBackoff.next(performance.now()));
  }

  /** @returns {State} */
  state() {
    const watched = this.#watch?.states() ?? [];
    const isUp = this.#reviewer !== null;
    const age = isUp && this.#watch ? ageOf(watched) : undefined;
    const { kinds } = this.#reviewer?.status() ?? { kinds: {} };
    const server = this.#connection?.server ?? null;
    return { kinds, watched, server, isUp, isSynced: isUp && whyNotSynced(watched) === null, age, exceptions: this.exceptions };
  }

  #whyNotSynced() {
    return whyNotSynced(this.#watch?.states() ?? []);
  }

  /** @returns {string | null} */
  whyNotReady() {
    if (this.#reviewer === null) return 'the reviewer is being replaced';
    return (this.#waitForSync ? this.#whyNotSynced() : null) ?? whyStale(this.#watch?.states() ?? [], this.#maxAgeSeconds);
  }

  /** @returns {string | null} */
  note() {
    return this.#whyNotSynced();
  }

  /** @type {Reviewing['ask']} */
  ask(door, bytes, policy, ending) {
    /** @param {import('./catch-up.js').CaughtUp} [caughtUp] */
    const once = (caughtUp) => this.#ask(door, bytes, policy, ending, caughtUp);
    if (door !== 'review' || this.#watch === null) return once();
    const { catchUpMs = CATCH_UP } = this.#context;
    const onEnd = (/** @type {Verdict} */ { record }) => this.emit('caughtUp', record.verdict);
    return this.#catchUp.judge({ judge: once, events: () => this.#events, lookUp: this.#lookUp, onEnd }, catchUpMs, ending);
  }

  /**
   * @param {Door} door
   * @param {Uint8Array} bytes
   * @param {string | undefined} policy
   * @param {import('./ending.js').Ending} ending
   * @param {import('./catch-up.js').CaughtUp} [caughtUp]
   * @returns {Promise<Verdict>}
   */
  #ask(door, bytes, policy, ending, caughtUp) {
    return new Promise((resolve, reject) => {
      /** @type {Task} */
      const task = { door, bytes, policy, ending, caughtUp, resolve, reject };
      if (this.#ending.signal.aborted) return reject(new Unjudged('stopped'));
      if (this.#isOutdated(task)) return reject(new Unjudged('reconfigured'));
      this.#enqueue(task, 'push');
      this.#schedule();
    });
  }

  /** Other settings may read what was dropped. @param {Task} task */
  #isOutdated({ bytes }) {
    return (this.#sieved.get(bytes) ?? this.#options.settings) !== this.#options.settings;
  }

  /** @type {Required<Reviewing>['startReview']} */
  startReview() {
    const reviewer = this.#reviewer;
    const sieve = reviewer?.startReview?.();
    if (!sieve) return null;
    const { settings } = this.#options;
    const contained = (/** @type {() => void} */ work) => {
      if (this.#reviewer !== reviewer) throw new Unjudged('trap');
      try {
        work();
      } catch (error) {
        if (isRefusal(error)) throw error;
        this.#lose('trap', messageOf(error));
        throw new Unjudged('trap');
      }
    };
    return {
      push: (bytes) => contained(() => sieve.push(bytes)),
      finish: () => {
        /** @type {Uint8Array} */
        let kept = new Uint8Array(0);
        contained(() => (kept = sieve.finish()));
        this.#sieved.set(kept, settings);
        return kept;
      },
      // A lost reviewer's goes with its module.
      free: () => this.#reviewer === reviewer && contained(() => sieve.free()),
    };
  }

  /** @param {Task} task @param {'push' | 'unshift'} how at the end, or at the front */
  #enqueue(task, how) {
    const { ending, door } = task;
    if (ending.hasCome) return refuse(task, 'deadline');
    const queue = door === 'review' ? this.#reviews : this.#others;
    ending.onCome = () => {
      queue.splice(queue.indexOf(task), 1);
      refuse(task, 'deadline');
    };
    queue[how](task);
  }

  /**
   * Replaces the settings of this and all later reviewers; invalid settings change nothing.
   * @param {ReviewerSettings} settings
   */
  configure(settings) {
    const config = this.#withExceptions(settings);
    const reviewer = this.#reviewer ?? this.#options.make({ config });
    if (reviewer === this.#reviewer) reviewer.configure(config);
    this.#followNamespaces(reviewer);
    if (reviewer !== this.#reviewer) reviewer.free();
    this.#options = { ...this.#options, settings };
    const isOutdated = (/** @type {Task} */ task) => this.#isOutdated(task);
    for (const task of this.#reviews.filter(isOutdated)) {
      this.#reviews.splice(this.#reviews.indexOf(task), 1);
      refuse(task, 'reconfigured');
    }
  }

  /** Watches Namespaces while a rule reads them. @param {Reviewer | null} reviewer */
  #followNamespaces(reviewer) {
    if (reviewer !== null) this.#watch?.followNamespaces(NAMESPACE.kind in reviewer.status().kinds);
  }

  /** @param {ReviewerSettings} settings @returns {ReviewerSettings} with the exceptions that are objects of the cluster */
  #withExceptions(settings) {
    if (this.#exceptions.length === 0) return settings;
    return { ...settings, exceptions: [...(settings.exceptions ?? []), ...this.#exceptions] };
  }

  /** Takes the exceptions of the cluster, one by one: what the core refuses in one does not cost the others. @param {Exception[]} read */
  #takeExceptions(read) {
    const reviewer = this.#options.make({ config: {} });
    const isUsable = (/** @type {Exception} */ exception) => {
      try {
        reviewer.configure({ exceptions: [exception] });
        return true;
      } catch (error) {
        this.emit('log', 'warn', { name: exception.name, reason: messageOf(error) }, 'an exception cannot be used');
        return false;
      }
    };
    this.#exceptions = read.filter(isUsable);
    reviewer.free();
    this.configure(this.#options.settings);
    this.emit('log', 'info', { exceptions: this.#exceptions.map(({ name }) => name) }, 'exceptions taken');
  }

  /** The exceptions that apply now, those of the configuration included. */
  get exceptions() {
    const { exceptions } = this.#withExceptions(this.#options.settings);
    return (exceptions ?? []).filter(({ until }) => Date.parse(until) > Date.now()).length;
  }

  /** Stops it. Pending tasks get no verdict. */
  stop() {
    this.#ending.abort();
    this.#watchdog.stop();
    clearTimeout(this.#restart);
    clearTimeout(this.#look);
    clearTimeout(this.#relisting);
    const begun = this.#turn?.tasks ?? [];
    this.#turn = null;
    for (const task of [...begun, ...this.#reviews.splice(0), ...this.#others.splice(0)]) refuse(task, 'stopped');
    this.#reviewer?.free();
    this.#reviewer = null;
  }

  /** @param {ReviewerSettings} settings @param {Uint8Array} [snapshot] */
  #makeOne(settings, snapshot) {
    return this.#options.make({ config: this.#withExceptions(settings), snapshot });
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
    if (this.#isDue || this.#reviews.length + this.#others.length === 0) return;
    this.#isDue = true;
    this.#watchdog.schedule(this.#reviews.length > 0);
  }

  /** A verdict based on the cluster is worth waiting for, as long as time permits. */
  #isLearning() {
    return this.#waitForSync && this.#whyNotSynced() !== null && performance.now() - this.#upSince < PATIENCE;
  }

  /** Called by the watchdog, which may stop it at any point while it judges. */
  #judgeSome() {
    this.#isDue = false;
    const reviewer = this.#reviewer;
    if (reviewer === null) return;
    if (this.#isLearning()) {
      this.#look ??= setTimeout(() => ((this.#look = undefined), this.#schedule()), LOOK);
      return;
    }
    this.#turn = { tasks: this.#nextTasks(), verdicts: [] };
    // Nobody may use a reviewer that was stopped.
    this.#reviewer = null;
    const trap = this.#judge(reviewer, this.#turn);
    if (trap !== undefined) return this.#giveUp('trap', trap);
    this.#reviewer = reviewer;
    this.#settle();
    this.#schedule();
  }

  /**
   * Processes the tasks of a turn in order, up to one that traps the reviewer.
   * @param {Reviewer} reviewer
   * @param {{tasks: Task[], verdicts: Verdict[]}} turn
   * @returns {string | undefined} the trap
   */
  #judge(reviewer, { tasks, verdicts }) {
    const asking = { contextAgeSeconds: this.#watch ? ageOf(this.#watch.states()) : undefined, now: new Date().toISOString() };
    /** @type {string | undefined} */
    let trap;
    for (const task of tasks) {
      this.#watchdog.next();
      const verdict = judge(reviewer, task, asking);
      if (verdict.status === 500) {
        trap = verdict.record.reason;
        break;
      }
      verdicts.push(verdict);
    }
    this.#watchdog.rest();
    return trap;
  }

  /** @returns {Task[]} those of the turn without a verdict */
  #settle() {
    const { tasks, verdicts } = this.#turn ?? { tasks: [], verdicts: [] };
    this.#turn = null;
    verdicts.forEach((verdict, index) => settle(tasks[index], verdict));
    return tasks.slice(verdicts.length);
  }

  /**
   * Replaces the reviewer. The task that it fails on gets no verdict; the ones after it wait for the next reviewer.
   * @param {'trap' | 'runaway'} reason
   * @param {string} detail
   */
  #giveUp(reason, detail) {
    const [culprit, ...innocent] = this.#settle();
    for (const task of innocent.reverse()) this.#enqueue(task, 'unshift');
    this.#lose(reason, detail);
    if (culprit) refuse(culprit, reason);
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
    // Their deadline has no effect while they are judged.
    for (const { ending } of tasks) ending.onCome = null;
    return tasks;
  }

  /**
   * @param {'trap' | 'runaway' | 'start'} reason
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
 * @param {{contextAgeSeconds: number | undefined, now: string}} asking
 * @returns {Verdict}
 */
function judge(reviewer, { door, bytes, policy, caughtUp }, asking) {
  const { status, body, record } = answerTo(() => ask(reviewer, door, bytes, { ...asking, policy, caughtUp }));
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

/** Bad input, after which a reviewer is as it was. @param {unknown} error */
function isRefusal(error) {
  return error instanceof SlicewiseError && error.code !== 'Internal';
}

/** @param {unknown} error */
function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}
