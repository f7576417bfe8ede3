/**
 * The review port: one HTTP request in, one answer out. Every refusal has a status and a message that says what to
 * mend, and nothing ever redirects: an API server would follow.
 */
import { BodyError, readBody } from './body.js';
import { parseDuration } from './duration.js';
import { Ending } from './ending.js';
import { Refused } from './gate.js';
import { POLICIES } from './policies.js';
import { Refusal, checkRequest, errorBody, tooLarge } from '../npm/admission/answer.js';

/** @typedef {import('node:http').IncomingMessage} Request */
/** @typedef {import('node:http').ServerResponse} Response */

/**
 * @typedef {object} Parts
 * @property {(bytes: Uint8Array, policy?: string) => import('./judge.js').Answer} judge
 * @property {import('./gate.js').Gate} gate
 * @property {import('./config.js').Limits} limits
 * @property {import('./log.js').Log} log
 * @property {import('./metrics.js').Metrics} metrics
 * @property {() => boolean} isDraining
 * @property {string} probeToken what the service's own readiness probe shows; it goes past the gate and is not counted
 * @property {string[] | null} callers common names of those who may ask, all that the authority knows if it is empty; null for anyone
 */

/** The header of the readiness probe. */
export const PROBE_HEADER = 'x-slicewise-probe';

const PATHS = ['/validate', ...POLICIES.map((policy) => `/validate/${policy}`)];

/** @param {Parts} parts @returns {(request: Request, response: Response) => Promise<void>} */
export function createReviewRoute(parts) {
  return async (request, response) => {
    try {
      checkCaller(request, parts);
      const { policy, timeout } = routeOf(request, parts.limits);
      checkRequest(request.method, (name) => /** @type {string | undefined} */ (request.headers[name]), parts.limits.maxBodyBytes);
      await withDeadline(timeout, response, (ending) => review(parts, request, response, policy, ending));
    } catch (error) {
      refuse(parts, response, refusalOf(error, parts));
    }
  };
}

/**
 * Runs `work` with the request's ending: time is up, or nobody waits for the answer any more.
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

/**
 * @param {Parts} parts
 * @param {Request} request
 * @param {Response} response
 * @param {string | undefined} policy
 * @param {Ending} ending
 */
async function review(parts, request, response, policy, ending) {
  const { gate, limits } = parts;
  const isProbe = request.headers[PROBE_HEADER] === parts.probeToken;
  const arrived = performance.now();
  if (!isProbe) await gate.enter(ending);
  try {
    continueIfAsked(request, response);
    const bytes = await readBody(request, limits.maxBodyBytes, ending);
    const started = performance.now();
    const answer = parts.judge(bytes, policy);
    const times = { waited: started - arrived, took: performance.now() - started };
    send(parts, response, answer.status, answer.body);
    tell(parts, answer, times, isProbe);
  } finally {
    if (!isProbe) gate.leave();
  }
}

/**
 * Nothing is read of those who may not ask (CVE-2025-1974), and nothing is said but that.
 * @param {Request} request
 * @param {Pick<Parts, 'callers' | 'probeToken'>} parts
 */
function checkCaller(request, { callers, probeToken }) {
  if (callers === null || request.headers[PROBE_HEADER] === probeToken) return;
  const socket = /** @type {import('node:tls').TLSSocket} */ (request.socket);
  const name = socket.authorized ? socket.getPeerCertificate().subject?.CN : undefined;
  if (name !== undefined && (callers.length === 0 || callers.includes(String(name)))) return;
  throw new Refusal(401, 'Unauthorized', 'callers need a client certificate of the authority that is configured', { connection: 'close' });
}

/**
 * @param {Request} request
 * @param {import('./config.js').Limits} limits
 * @returns {{policy: string | undefined, timeout: number}}
 */
function routeOf(request, { defaultTimeout, maxTimeout }) {
  const url = request.url ?? '';
  const mark = url.indexOf('?');
  const path = mark === -1 ? url : url.slice(0, mark);
  if (!PATHS.includes(path)) throw new Refusal(404, 'NotFound', `there is no such path; reviews go to ${PATHS.join(', ')}`);
  const asked = mark === -1 ? null : new URLSearchParams(url.slice(mark)).get('timeout');
  const timeout = asked === null ? defaultTimeout : parseDuration(asked);
  if (timeout === null || timeout <= 0) throw new Refusal(400, 'InvalidValue', 'timeout must be a duration such as 10s');
  return { policy: path === '/validate' ? undefined : path.slice('/validate/'.length), timeout: Math.min(timeout, maxTimeout) };
}

/** @param {Request} request @param {Response} response */
function continueIfAsked(request, response) {
  if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
}

/** @param {unknown} error @param {Parts} parts @returns {Refusal} */
function refusalOf(error, { limits, log }) {
  if (error instanceof Refusal) return error;
  if (error instanceof Refused && error.reason === 'full') {
    return new Refusal(429, 'Busy', 'too many reviews are waiting; try again', { 'retry-after': '1' });
  }
  if (error instanceof Refused) return new Refusal(503, 'Busy', 'the deadline passed while the review waited for its turn', { 'retry-after': '1' });
  if (error instanceof BodyError) {
    if (error.reason === 'too-large') return tooLarge(limits.maxBodyBytes);
    if (error.reason === 'late') return new Refusal(408, 'Timeout', 'the deadline passed before the whole review had arrived');
    return new Refusal(400, 'InvalidJson', 'the review was cut off');
  }
  log.error('bug', { error: String(error instanceof Error ? error.stack : error) });
  return new Refusal(500, 'Internal', 'the review could not be judged; see the log of the webhook');
}

/** @param {Parts} parts @param {Response} response @param {Refusal} refusal */
function refuse(parts, response, refusal) {
  const { status, code, message, headers } = refusal;
  if (response.destroyed) {
    parts.log.debug('client went away', { code });
    parts.metrics.responses.add('none');
    return;
  }
  // Node reads and drops what is left of the body, so that the answer arrives. Where the body may never come (it is
  // late, or the client waits for leave to send it), the connection cannot be used again.
  const isWaiting = response.req.headers.expect !== undefined && !response.req.complete;
  if (isWaiting || status === 408) response.setHeader('connection', 'close');
  send(parts, response, status, errorBody({ code, message }), headers);
  parts.log.warn('refused', { status, code, reason: message });
}

/**
 * @param {Parts} parts
 * @param {Response} response
 * @param {number} status
 * @param {string} body
 * @param {Record<string, string>} [headers]
 */
function send({ metrics, isDraining }, response, status, body, headers = {}) {
  if (isDraining()) response.setHeader('connection', 'close');
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), 'x-content-type-options': 'nosniff', ...headers });
  response.end(body);
  metrics.responses.add(status);
}

/**
 * The log line and the numbers of a review.
 * @param {Parts} parts
 * @param {import('./judge.js').Answer} answer
 * @param {{waited: number, took: number}} times in milliseconds
 * @param {boolean} isProbe
 */
function tell({ log, metrics }, { status, record }, { waited, took }, isProbe) {
  const { verdict, policies } = record;
  const fields = { ...record, status, durationMs: round(took), waitMs: round(waited) };
  if (isProbe) return log.debug('probe', fields);
  metrics.reviews.add(verdict);
  for (const policy of policies) metrics.findings.add(policy, verdict);
  metrics.duration.observe(took / 1000);
  if (status >= 500) log.error('review', fields);
  else if (verdict === 'error') log.warn('review', fields);
  else log.info('review', fields);
}

/** @param {number} milliseconds */
function round(milliseconds) {
  return Math.round(milliseconds * 1000) / 1000;
}
