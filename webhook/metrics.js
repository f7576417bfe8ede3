/** The metrics for Prometheus. */
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { KINDS } from './cluster/kinds.js';
import { now } from './cluster/times.js';
import { POLICIES } from './policies.js';
import { RELOADED } from './reload.js';
import { VERDICTS } from './told.js';
import { UNJUDGED } from './unjudged.js';

/** In seconds: a review takes tens of microseconds, and seconds in the worst case. */
const BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const PREFIX = 'slicewise_webhook_';

const REVIEWED = ['allow', 'warn', 'deny', 'error'];
/** The statuses of the review port. */
const CODES = [200, 400, 401, 404, 405, 408, 413, 415, 429, 500, 503];
/** Events of the process. */
export const FAULTS = /** @type {const} */ (['unhandledRejection', 'uncaughtException']);

/**
 * Values that are read when metrics are scraped.
 * @typedef {object} Sources
 * @property {{active: number, waiting: number}} gate
 * @property {{arriving: number, held: number}} memory
 * @property {() => boolean} isReady
 * @property {() => import('./supervisor.js').State} reviewer
 * @property {() => number | undefined} certificateEnds in seconds since 1970
 * @property {string} version
 */

/** @param {Registry[]} registers */
function createCounters(registers) {
  /**
   * With every series at 0 from the start: the rate of one that begins at 1 misses its first event.
   * @param {string} name @param {string} help @param {Record<string, readonly (string | number)[]>} labels with all their values
   */
  const counter = (name, help, labels = {}) => {
    const made = new Counter({ name: PREFIX + name, help, labelNames: Object.keys(labels), registers });
    for (const series of combined(labels)) made.inc(series, 0);
    return made;
  };
  return {
    reviews: counter('reviews_total', 'Reviews by verdict: allow, warn, deny, error.', { verdict: REVIEWED }),
    findings: counter(
      'policy_findings_total',
      'Reviews with findings of a policy, by its own verdict: deny, warn; would deny, would warn if its mode lets pass; excepted.',
      { policy: POLICIES, verdict: VERDICTS },
    ),
    responses: counter('http_responses_total', 'Answers by HTTP status code; none if the client disconnected first.', { code: ['none', ...CODES] }),
    unjudged: counter(
      'unjudged_reviews_total',
      'Reviews without a verdict, answered as onFailure says, by the reason: deadline, trap, runaway, stopped, reconfigured.',
      { reason: Object.keys(UNJUDGED) },
    ),
    caughtUp: counter('caught_up_reviews_total', 'Reviews that waited for the watch or asked the API server for a pod, by verdict.', {
      verdict: REVIEWED,
    }),
    leftOut: counter('left_out_objects_total', 'How often an object of the cluster could not be read and was left out, by kind.', {
      kind: KINDS.map(({ kind }) => kind),
    }),
    faults: counter('faults_total', 'Faults beside judging that were contained, by event.', { event: FAULTS }),
    replacements: counter('reviewer_replacements_total', 'Reviewers that were lost and replaced, by the reason: trap, runaway, start.', {
      reason: ['trap', 'runaway', 'start'],
    }),
    audited: counter('audited_objects_total', 'Lines of audits by verdict.', { verdict: REVIEWED }),
    reloads: counter('reloads_total', 'Reloaded files, by kind and by whether they were valid.', { what: RELOADED, result: ['taken', 'refused'] }),
    droppedLogs: counter('log_drops_total', 'How often log lines were dropped because they were not read in time.'),
  };
}

/** The metrics of one service. @param {Sources} sources */
export function createMetrics({ gate, memory, isReady, reviewer, certificateEnds, version }) {
  const registers = [new Registry()];
  const [registry] = registers;
  collectDefaultMetrics({ register: registry });
  /** @param {string} name @param {string} help @param {(this: Gauge) => void} collect @param {string[]} labelNames */
  const gauge = (name, help, collect, labelNames = []) => new Gauge({ name: PREFIX + name, help, labelNames, registers, collect });
  /** @param {string} name @param {string} help @param {() => number | undefined} read */
  const reading = (name, help, read) =>
    gauge(name, help, function collect() {
      const value = read();
      if (value === undefined) this.reset();
      else this.set(value);
    });

  /** @param {string} name @param {string} help */
  const histogram = (name, help) => new Histogram({ name: PREFIX + name, help, buckets: BUCKETS, registers });
  const of = {
    ...createCounters(registers),
    duration: histogram('review_duration_seconds', 'From the turn of a review to its verdict.'),
    waiting: histogram('review_wait_seconds', 'From the headers of a review to its turn: the network, and the queue.'),
  };
  reading('reviews_in_flight', 'Reviews being processed.', () => gate.active);
  reading('reviews_waiting', 'Reviews in the queue.', () => gate.waiting);
  reading('bodies_arriving', 'Requests whose body has not arrived completely.', () => memory.arriving);
  reading('buffered_bytes', 'Bytes of bodies held.', () => memory.held);
  reading('ready', '1 while the service accepts traffic.', () => Number(isReady()));
  reading('reviewer_up', '1 while a reviewer is running.', () => Number(reviewer().isUp));
  reading('context_synced', '1 once all watched objects have been listed, or the snapshot is loaded.', () => Number(reviewer().isSynced));
  reading('context_age_seconds', 'Seconds since the last update from the cluster; absent if the context does not age.', () => reviewer().age);
  reading('exceptions', 'Exceptions from policies that apply now.', () => reviewer().exceptions);
  reading('certificate_expiry_timestamp_seconds', 'When the serving certificate expires.', certificateEnds);
  gauge('context_objects', 'Known objects of the cluster, by kind; absent if the kind is unknown.', function collect() {
    this.reset();
    for (const [kind, { known, objects }] of Object.entries(reviewer().kinds)) if (known) this.set({ kind }, objects);
  }, ['kind']);
  gauge('context_left_out_objects', 'Objects of the cluster that exist and cannot be read, by kind.', function collect() {
    this.reset();
    for (const [kind, { leftOut }] of Object.entries(reviewer().kinds)) this.set({ kind }, leftOut);
  }, ['kind']);
  /** @param {string} name @param {string} help @param {(state: import('./supervisor.js').KindState) => number} read */
  const ofWatch = (name, help, read) => gauge(name, help, function collect() {
    this.reset();
    for (const state of reviewer().watched) this.set({ kind: state.kind }, read(state));
  }, ['kind']);
  ofWatch('cluster_synced', '1 once all objects of the kind have been listed.', ({ isSynced }) => Number(isSynced));
  ofWatch('cluster_age_seconds', 'Seconds since the last update of the kind.', ({ newsAt }) => (now() - newsAt) / 1000);
  /** @param {string} name @param {string} help @param {'lists' | 'failures'} field */
  const countOfWatch = (name, help, field) => {
    const collect = /** @this {Counter} */ function collect() {
      this.reset();
      for (const state of reviewer().watched) this.inc({ kind: state.kind }, state[field]);
    };
    return new Counter({ name: PREFIX + name, help, labelNames: ['kind'], registers, collect });
  };
  countOfWatch('cluster_lists_total', 'Completed lists of the kind.', 'lists');
  countOfWatch('cluster_failures_total', 'Lists and watches of the kind that failed.', 'failures');
  gauge('build_info', 'Always 1.', function collect() {
    this.set({ version }, 1);
  }, ['version']);

  const bound = {
    ...of,
    reviews: byLabel((verdict) => of.reviews.labels(verdict)),
    responses: byLabel((code) => of.responses.labels(code)),
    audited: byLabel((verdict) => of.audited.labels(verdict)),
  };
  return { ...bound, contentType: registry.contentType, render: () => registry.metrics() };
}

/** @typedef {ReturnType<typeof createMetrics>} Metrics */

/**
 * Caches label lookups, which are most of the cost of counting.
 * @param {(label: string) => {inc(): void}} find
 */
function byLabel(find) {
  /** @type {Map<string | number, {inc(): void}>} */
  const found = new Map();
  return {
    /** @param {string | number} label */
    inc(label) {
      let counter = found.get(label);
      if (counter === undefined) found.set(label, (counter = find(String(label))));
      counter.inc();
    },
  };
}

/** One value of each label, in all combinations. @param {Record<string, readonly (string | number)[]>} labels */
function combined(labels) {
  /** @type {Record<string, string>[]} */
  let all = Object.keys(labels).length === 0 ? [] : [{}];
  for (const [name, values] of Object.entries(labels)) all = all.flatMap((each) => values.map((value) => ({ ...each, [name]: String(value) })));
  return all;
}
