/**
 * The reviewer's thread: it knows the cluster and judges one review after the other. It has no socket of the review port
 * and decides nothing about deadlines; whoever started it ends it when it does not come back.
 */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { answerTo } from '../npm/admission/answer.js';
import { loadSnapshot } from './snapshot.js';

/**
 * @typedef {import('slicewise/admission').Reviewer} Reviewer
 * @typedef {'review' | 'audit' | 'explain'} Door what is asked
 *
 * @typedef {object} Start
 * @property {string} module where reviewers are made
 * @property {string | null} snapshot file
 * @property {import('./config.js').ReviewerSettings} settings
 *
 * What comes in is an array, because it is the cheapest to send.
 * @typedef {[id: number, door: Door, bytes: Uint8Array, policy: string | undefined]} Work
 * @typedef {{configure: import('./config.js').ReviewerSettings}} Order
 *
 * @typedef {[id: number, status: number, body: string, record: import('slicewise/admission').ReviewRecord, isLost: boolean]} Done
 *   several of them go back together
 * @typedef {{name: string, code?: string, message: string, path?: string, line?: number}} Failure
 * @typedef {{kinds: Record<string, {known: boolean, objects: number}>, isSynced: boolean, heard: number | null}} Status `heard` is
 *   when the last news came, in milliseconds since 1970; null where the context does not age
 * @typedef {{ready: Status} | {status: Status} | {failed: Failure} | {configured: Failure | null}} News
 */

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
const { module, snapshot, settings } = /** @type {Start} */ (workerData);
const decoder = new TextDecoder();

/** Waking the other thread costs more than sending; so verdicts on what has come already are sent together, but not late. */
const TOGETHER = 4;

/** @param {News | Done[]} news */
const tell = (news) => port.postMessage(news);

try {
  const { createReviewer } = await import(module);
  const bytes = loadSnapshot(snapshot);
  serve(createReviewer({ config: settings, snapshot: bytes.length === 0 ? undefined : bytes }));
} catch (error) {
  tell({ failed: failure(error) });
}

/** @param {Reviewer} reviewer */
function serve(reviewer) {
  port.on('message', (/** @type {Work | Order} */ message) => {
    /** @type {Done[]} */
    const done = [];
    for (let next = message; next; next = done.length < TOGETHER ? receiveMessageOnPort(port)?.message : undefined) {
      if (Array.isArray(next)) done.push(judged(reviewer, next));
      else tell({ configured: attempt(() => reviewer.configure(/** @type {Order} */ (next).configure)) });
    }
    if (done.length > 0) tell(done);
  });
  tell({ ready: { kinds: reviewer.status().kinds, isSynced: true, heard: null } });
}

/** @param {Reviewer} reviewer @param {Work} work @returns {Done} */
function judged(reviewer, [id, door, bytes, policy]) {
  const asking = { policy };
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
