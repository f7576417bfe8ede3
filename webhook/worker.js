/**
 * The reviewer's thread: it knows the cluster and judges one review after the other. It has no socket of the review port
 * and decides nothing about deadlines; whoever started it ends it when it does not come back.
 */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { version } from 'slicewise/admission';
import { answerTo } from '../npm/admission/answer.js';
import { connect } from './cluster/connection.js';
import { ageOf } from './cluster/states.js';
import { watchCluster } from './cluster/watch.js';
import { loadSnapshot } from './snapshot.js';

/**
 * @typedef {import('slicewise/admission').Reviewer} Reviewer
 * @typedef {'review' | 'audit' | 'explain'} Door what is asked
 *
 * @typedef {object} Start
 * @property {string} module where reviewers are made
 * @property {string | null} snapshot file
 * @property {import('./config.js').ClusterSettings | null} cluster to watch
 * @property {Partial<import('./cluster/times.js').Times>} [times] of the watching
 * @property {import('./config.js').ReviewerSettings} settings
 *
 * What comes in is an array, because it is the cheapest to send.
 * @typedef {[id: number, door: Door, bytes: Uint8Array, policy: string | undefined]} Work
 * @typedef {{configure: import('./config.js').ReviewerSettings}} Order
 *
 * @typedef {[id: number, status: number, body: string, record: import('slicewise/admission').ReviewRecord, isLost: boolean]} Done
 *   several of them go back together
 * @typedef {{name: string, code?: string, message: string, path?: string, line?: number}} Failure
 * @typedef {{kinds: Record<string, {known: boolean, objects: number}>, watched: KindState[], server: string | null}} Status what
 *   is known of the cluster, and how far it is watched, if it is
 * @typedef {import('./cluster/states.js').KindState} KindState
 * @typedef {{level: 'debug' | 'info' | 'warn', fields: object, message: string}} LogLine
 * @typedef {{ready: Status} | {status: Status} | {failed: Failure} | {configured: Failure | null} | {log: LogLine}} News
 */

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
const { module, snapshot, cluster, settings, times } = /** @type {Start} */ (workerData);
const decoder = new TextDecoder();

/** Waking the other thread costs more than sending; so verdicts on what has come already are sent together, but not late. */
const TOGETHER = 4;

/** @param {News | Done[]} news */
const tell = (news) => port.postMessage(news);

try {
  const { createReviewer } = await import(module);
  const connection = cluster && (await connect({ ...cluster, userAgent: `slicewise-webhook/${version()}` }));
  const bytes = loadSnapshot(snapshot);
  const reviewer = createReviewer({ config: settings, snapshot: bytes.length === 0 ? undefined : bytes });
  serve(reviewer, connection && follow(reviewer, connection));
} catch (error) {
  tell({ failed: failure(error) });
}

/**
 * Watches a cluster in this thread, so that what comes of it is never handed on.
 * @param {Reviewer} reviewer
 * @param {import('./cluster/connection.js').Connection} connection
 */
function follow(reviewer, connection) {
  const watch = watchCluster({
    connection,
    apply: (events) => JSON.parse(decoder.decode(reviewer.apply(events))),
    onState: (watched) => tell({ status: statusOf(reviewer, watched, connection.server) }),
    log: { debug: logAs('debug'), info: logAs('info'), warn: logAs('warn') },
    signal: new AbortController().signal,
    times,
  });
  return { watched: watch.states, server: connection.server };
}

/** @param {LogLine['level']} level */
function logAs(level) {
  return (/** @type {object} */ fields, /** @type {string} */ message) => tell({ log: { level, fields, message } });
}

/** @param {Reviewer} reviewer @param {KindState[]} watched @param {string | null} server @returns {Status} */
function statusOf(reviewer, watched, server) {
  return { kinds: reviewer.status().kinds, watched, server };
}

/** @param {Reviewer} reviewer @param {{watched: () => KindState[], server: string} | null} following */
function serve(reviewer, following) {
  port.on('message', (/** @type {Work | Order} */ message) => {
    /** @type {Done[]} */
    const done = [];
    for (let next = message; next; next = done.length < TOGETHER ? receiveMessageOnPort(port)?.message : undefined) {
      if (Array.isArray(next)) done.push(judged(reviewer, next, following));
      else tell({ configured: attempt(() => reviewer.configure(/** @type {Order} */ (next).configure)) });
    }
    if (done.length > 0) tell(done);
  });
  tell({ ready: statusOf(reviewer, following?.watched() ?? [], following?.server ?? null) });
}

/**
 * @param {Reviewer} reviewer
 * @param {Work} work
 * @param {{watched: () => KindState[]} | null} following
 * @returns {Done}
 */
function judged(reviewer, [id, door, bytes, policy], following) {
  const asking = { policy, contextAgeSeconds: following ? ageOf(following.watched()) : undefined };
  const { status, body, record } = answerTo(() => ask(reviewer, door, bytes, asking));
  // Text, because Node sends short text and headers in one piece, but bytes in two.
  return [id, status, typeof body === 'string' ? body : decoder.decode(body), record, status === 500];
}

/** @param {Reviewer} reviewer @param {Door} door @param {Uint8Array} bytes @param {import('slicewise/admission').Asking} asking */
function ask(reviewer, door, bytes, asking) {
  if (door === 'review') return reviewer.judge(bytes, asking);
  if (door === 'audit') return reviewer.audit(bytes, asking);
  return { answer: reviewer.explain(bytes, asking), record: EXPLAINED };
}

/** @type {import('slicewise/admission').ReviewRecord} */
const EXPLAINED = { verdict: 'allow', policies: [], reason: 'explained' };

/** @param {() => void} work @returns {Failure | null} */
function attempt(work) {
  try {
    work();
    return null;
  } catch (error) {
    return failure(error);
  }
}

/** Errors keep their class and their fields in no message between threads. @param {any} error @returns {Failure} */
function failure(error) {
  const { name, code, message, path, line } = error ?? {};
  return { name: String(name), code, message: String(message ?? error), path, line };
}
