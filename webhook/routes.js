/**
 * The review port: one HTTP request in, one response out. Every refusal has a status and a message with a remedy, and
 * nothing ever redirects: an API server would follow.
 */
import { SlicewiseError } from 'slicewise/admission';
import { audit } from './audit.js';
import { BodyError, readBody } from './body.js';
import { parseDuration } from './duration.js';
import { Ending } from './ending.js';
import { explanationOf } from './explain.js';
import { Refused } from './gate.js';
import { POLICIES } from './policies.js';
import { Unjudged } from './supervisor.js';
import { annotated, verdictsOf } from './told.js';
import { UNJUDGED, unjudgedAnswer } from './unjudged.js';
import { NOT_PROCESSED, Refusal, answerTo, checkRequest, errorBody, tooLarge } from '../npm/admission/answer.js';

/** @typedef {import('node:http').IncomingMessage} Request */
/** @typedef {import('node:http').ServerResponse} Response */

/**
 * @typedef {object} Parts
 * @property {import('./supervisor.js').Reviewing} reviewing
 * @property {import('./memory.js').Memory} memory
 * @property {import('./gate.js').Gate} gate of reviews
 * @property {import('./gate.js').Gate} explainGate
 * @property {import('./gate.js').Gate} auditGate
 * @property {import('./config.js').Limits} limits
 * @property {import('./config.js').OnFailure} onFailure
 * @property {import('./log.js').Log} log
 * @property {import('./metrics.js').Metrics} metrics
 * @property {(socket: import('node:net').Socket) => boolean} isLast whether to close a connection after this response
 * @property {(socket: import('node:net').Socket) => void} prove is told of each connection with a request of a permitted caller
 * @property {string} probeToken the token of the service's own readiness probe, which bypasses the gate and is not counted
 * @property {() => import('./callers.js').Callers | null} callers those permitted; null permits anyone
 *
 * @typedef {object} Call
 * @property {import('./supervisor.js').Reviewing} reviewing
 * @property {Request} request
 * @property {Response} response
 * @property {string | undefined} policy the only policy to run
 * @property {Ending} ending
 *
 * @typedef {'validate' | 'audit' | 'explain'} Door
 */

/** The header of the readiness probe. */
export const PROBE_HEADER = 'x-slicewise-probe';

const JSON_ONLY = ['application/json'];
const LINES = ['application/x-ndjson', 'application/jsonl', 'application/json'];
/** How long a refused client may take to finish sending, in milliseconds. */
const LINGER = 5_000;

/** The routes by path. @type {Map<string, {door: Door, policy: string | undefined}>} */
const PATHS = new Map();
for (const door of /** @type {const} */ (['validate', 'audit', 'explain'])) {
  PATHS.set(`/${door}`, { door, policy: undefined });
  for (const policy of POLICIES) PATHS.set(`/${door}/${policy}`, { door, policy });
}

/** @param {Parts} parts @returns {(request: Request, response: Response) => Promise<void>} */
export function createReviewRoute(parts) {
  return async (request, response) => {
    try {
      checkCaller(request, parts);
      parts.prove(request.socket);
      const { door, policy, timeout } = routeOf(request, parts.limits);
      const isAudit = door === 'audit';
      checkRequest(request.method, (name) => /** @type {string | undefined} */ (request.headers[name]), {
        what: isAudit ? 'audits' : 'reviews',
        maxBytes: isAudit ? parts.limits.maxAuditBytes : parts.limits.maxBodyBytes,
        types: isAudit ? LINES : JSON_ONLY,
      });
      const work = { validate, audit, explain }[door];
      const { reviewing } = parts;
      await withDeadline(timeout, response, (ending) => work(parts, { reviewing, request, response, policy, ending }));
    } catch (error) {
      refuse(parts, response, refusalOf(error, parts));
    }
  };
}

/**
 * Runs `work` with the request's ending, for a timeout or a caller that disconnects.
 * @param {number} timeout milliseconds
 * @param {Response} response
 * @param {(ending: Ending) => Promise<void>} work
 */
async function withDeadline(timeout, response, work) {
  const ending = new Ending();
  const timer = setTimeout(() => ending.come(), timeout);
  response.once('close', () => ending.come());
  try {
    await work(ending);
  } finally {
    clearTimeout(timer);
  }
}

/** @param {Parts} parts @param {Call} call */
async function validate(parts, { request, response, policy, ending }) {
  const { gate, limits, memory, reviewing } = parts;
  const isProbe = request.headers[PROBE_HEADER] === parts.probeToken;
  const arrived = performance.now();
  continueIfAsked(request, response);
  const body = await readBody(request, limits, ending, memory, () => reviewing.startReview?.() ?? null);
  try {
    if (!isProbe) await gate.enter(ending);
    try {
      const started = performance.now();
      const verdict = await judged(parts, reviewing.ask('review', body.bytes, policy, ending), body);
      const times = { waited: started - arrived, took: performance.now() - started };
      const answer = verdict.status === 200 ? annotated(verdict.body) : { body: verdict.body, annotations: undefined };
      send(parts, response, verdict.status, answer.body);
      tell(parts, { ...verdict, annotations: answer.annotations }, times, isProbe);
    } finally {
      if (!isProbe) gate.leave();
    }
  } finally {
    body.release();
  }
}

/**
 * The verdict, or the answer that `onFailure` sets instead.
 * @param {Parts} parts
 * @param {Promise<import('./supervisor.js').Verdict>} verdict
 * @param {import('./memory.js').Body} body
 */
async function judged({ onFailure, metrics, log }, verdict, body) {
  try {
    return await verdict;
  } catch (error) {
    if (!(error instanceof Unjudged)) throw error;
    metrics.unjudged.inc({ reason: error.reason });
    const answer = unjudgedAnswer(body.bytes, error.reason, onFailure);
    if (answer === null) throw error;
    log.warn({ reason: error.reason, onFailure }, 'answered without a verdict');
    return answer;
  }
}

/** @param {Parts} parts @param {Call} call */
async function explain(parts, { request, response, policy, ending }) {
  const { explainGate, limits, memory, reviewing } = parts;
  continueIfAsked(request, response);
  const body = await readBody(request, limits, ending, memory);
  try {
    await explainGate.enter(ending);
    try {
      const { status, body: answer } = await reviewing.ask('explain', body.bytes, policy, ending);
      const { type, text } = explanationOf(status, answer, request.headers.accept);
      send(parts, response, status, text, { 'content-type': type });
      parts.log.info({ status }, 'explained');
    } finally {
      explainGate.leave();
    }
  } finally {
    body.release();
  }
}

/** Strangers only learn that they are; the log says why. */
class StrangerRefusal extends Refusal {
  /** @param {object} why */
  constructor(why) {
    super(401, 'Unauthorized', 'callers need a client certificate from the configured CA', { connection: 'close' });
    this.why = why;
  }
}

/**
 * Nothing is read from unauthorized callers (CVE-2025-1974), and nothing but the refusal is sent.
 * @param {Request} request
 * @param {Pick<Parts, 'callers' | 'probeToken'>} parts
 */
function checkCaller(request, { callers, probeToken }) {
  if (request.headers[PROBE_HEADER] === probeToken) return;
  const why = callers()?.whyRefused(request.socket) ?? null;
  if (why !== null) throw new StrangerRefusal(why);
}

/**
 * @param {Request} request
 * @param {import('./config.js').Limits} limits
 * @returns {{door: Door, policy: string | undefined, timeout: number}}
 */
function routeOf(request, { defaultTimeout, maxTimeout, auditTimeout }) {
  const url = request.url ?? '';
  const mark = url.indexOf('?');
  const route = PATHS.get(mark === -1 ? url : url.slice(0, mark));
  if (!route) {
    throw new Refusal(404, 'NotFound', `no such path; use /validate, /audit or /explain, each alone or with one policy: ${POLICIES.join(', ')}`);
  }
  const [usual, most] = route.door === 'audit' ? [auditTimeout, auditTimeout] : [defaultTimeout, maxTimeout];
  const asked = mark === -1 ? null : new URLSearchParams(url.slice(mark)).get('timeout');
  const timeout = asked === null ? usual : parseDuration(asked);
  if (timeout === null || timeout <= 0) throw new Refusal(400, 'InvalidValue', 'timeout must be a duration such as 10s');
  return { ...route, timeout: Math.min(timeout, most) };
}

/** @param {Request} request @param {Response} response */
export function continueIfAsked(request, response) {
  if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
}

/** @param {unknown} error @param {Parts} parts @returns {Refusal} */
function refusalOf(error, { limits, log }) {
  if (error instanceof Refusal) return error;
  if (error instanceof Unjudged) {
    const { status, code, why, next } = UNJUDGED[error.reason];
    return new Refusal(status, code, next ? `${why}; ${next}` : why, status === 503 ? { 'retry-after': '1' } : {});
  }
  if (error instanceof Refused && error.reason === 'full') {
    return new Refusal(429, 'Busy', 'too many reviews are waiting; try again', { 'retry-after': '1' });
  }
  if (error instanceof Refused) return new Refusal(503, 'Busy', 'the deadline passed while the review waited for its turn', { 'retry-after': '1' });
  if (error instanceof BodyError) {
    if (error.reason === 'too-large') return tooLarge('reviews', limits.maxBodyBytes);
    if (error.reason === 'crowded') return new Refusal(429, 'Busy', 'too many large reviews arrive at once; try again', { 'retry-after': '1' });
    if (error.reason === 'slow') return new Refusal(408, 'Timeout', `the complete review had not arrived within ${limits.bodyTimeout} ms`);
    if (error.reason === 'late') return new Refusal(408, 'Timeout', 'the deadline passed before the complete review had arrived');
    return new Refusal(400, 'InvalidJson', 'the review was cut off');
  }
  if (error instanceof SlicewiseError) {
    const { status, record } = answerTo(() => {
      throw error;
    });
    return new Refusal(status, record.code ?? 'Internal', record.reason);
  }
  log.error({ error }, 'bug');
  return new Refusal(500, 'Internal', NOT_PROCESSED);
}

/** @param {Parts} parts @param {Response} response @param {Refusal} refusal */
function refuse(parts, response, refusal) {
  const { status, code, message, headers } = refusal;
  const { req: request, socket } = response;
  if (response.destroyed || response.headersSent) {
    parts.log.debug({ code }, 'client went away');
    parts.metrics.responses.inc('none');
    return;
  }
  // Node reads and drops the rest of the body, so that the response arrives. If the body may never arrive (it is
  // late, or the client waits for permission to send it), the connection cannot be reused.
  const isWaiting = request.headers.expect !== undefined && !request.complete;
  if (isWaiting || status === 408) response.setHeader('connection', 'close');
  send(parts, response, status, errorBody({ code, message }), headers);
  if (!request.complete && socket) {
    const timer = setTimeout(() => request.complete || socket.destroy(), LINGER);
    timer.unref();
    request.once('close', () => clearTimeout(timer));
  }
  parts.log.warn({ status, code, reason: message, ...(refusal instanceof StrangerRefusal && refusal.why) }, 'refused');
}

/**
 * @param {Pick<Parts, 'metrics' | 'isLast'>} parts
 * @param {Response} response
 * @param {number} status
 * @param {string} body
 * @param {Record<string, string>} [headers]
 */
function send({ metrics, isLast }, response, status, body, headers) {
  if (response.socket && isLast(response.socket)) response.setHeader('connection', 'close');
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-content-type-options': 'nosniff',
    ...headers,
  });
  response.end(body);
  metrics.responses.inc(status);
}

/**
 * The log line and the metrics of a review.
 * @param {Parts} parts
 * @param {import('./supervisor.js').Verdict & {annotations?: import('./told.js').Annotations}} verdict
 * @param {{waited: number, took: number}} times in milliseconds
 * @param {boolean} isProbe
 */
function tell({ log, metrics }, { status, record, annotations }, { waited, took }, isProbe) {
  const { verdict, policies } = record;
  const level = isProbe ? 'debug' : status >= 500 ? 'error' : verdict === 'error' ? 'warn' : 'info';
  const fields = { ...record, auditAnnotations: annotations, status, durationMs: round(took), waitMs: round(waited) };
  log[level](fields, isProbe ? 'probe' : 'review');
  if (isProbe) return;
  metrics.reviews.inc(verdict);
  for (const found of verdictsOf(policies, annotations)) metrics.findings.inc(found);
  metrics.duration.observe(took / 1000);
  metrics.waiting.observe(waited / 1000);
}

/** @param {number} milliseconds */
function round(milliseconds) {
  return Math.round(milliseconds * 1000) / 1000;
}

