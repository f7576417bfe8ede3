/**
 * `POST /audit`: reviews or existing objects, one per line; answers with one verdict per line, as they are made. No change
 * waits for an audit, so reviews take precedence; and an audit enforces nothing.
 */
import { once } from 'node:events';
import { Ending } from './ending.js';
import { lines } from './lines.js';
import { Unjudged } from './supervisor.js';

const NEWLINE = 0x0a;

/** @typedef {{lines: number, allow: number, warn: number, deny: number, error: number}} Counts */
/** @typedef {import('./routes.js').Parts} Parts */
/** @typedef {import('./routes.js').Call} Call */

/** The reason for ending an audit early. */
class Cut extends Error {
  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** @param {Parts} parts @param {Call} call */
export async function audit(parts, call) {
  const { auditGate, limits, memory, metrics, log } = parts;
  const { request, response, ending } = call;
  const started = performance.now();
  await auditGate.enter(ending);
  // The client may still be sending after the last answer.
  response.writeHead(200, { 'content-type': 'application/x-ndjson', 'x-content-type-options': 'nosniff', connection: 'close' });
  const timeIsUp = cutAt(ending);
  /** @type {Counts} */
  const counts = { lines: 0, allow: 0, warn: 0, deny: 0, error: 0 };
  /** @type {{code: string, message: string} | undefined} */
  let error;
  try {
    const input = bounded(request, limits, timeIsUp);
    for await (const line of lines(input, limits.maxBodyBytes, memory)) {
      counts.lines += 1;
      const told = await verdictOn(line, counts.lines, parts, call);
      if (told === null) continue;
      counts[told.verdict] += 1;
      metrics.audited.inc(told.verdict);
      if (!response.write(told.text)) await within(limits.bodyTimeout, [once(response, 'drain'), timeIsUp], 'the answers are not read');
    }
    if (!request.complete) throw new Cut('InvalidJson', 'the input was cut off');
  } catch (thrown) {
    const isOurs = thrown instanceof Cut;
    if (!isOurs) log.debug({ error: thrown }, 'audit cut off');
    error = isOurs ? { code: thrown.code, message: thrown.message } : { code: 'InvalidJson', message: 'the input was cut off' };
  } finally {
    auditGate.leave();
  }
  const summary = { ...counts, complete: error === undefined };
  response.end(`${JSON.stringify({ summary, error })}\n`);
  metrics.responses.inc(200);
  log.info({ ...summary, reason: error?.message, durationMs: Math.round(performance.now() - started) }, 'audit');
}

/** Rejects when time is up or the caller disconnects. @param {Ending} ending @returns {Promise<never>} */
function cutAt(ending) {
  /** @type {Promise<never>} */
  const cut = new Promise((_, reject) => {
    ending.onCome = () => reject(new Cut('Timeout', 'the time for audits is up; audit less at a time, or raise auditTimeout'));
  });
  // It may reject while nothing awaits it.
  cut.catch(() => {});
  return cut;
}

/**
 * Others wait for the place of an audit, so nobody keeps it without making progress: a line must arrive in time.
 * @param {import('./routes.js').Request} request
 * @param {import('./config.js').Limits} limits
 * @param {Promise<never>} cut
 */
async function* bounded(request, { maxAuditBytes: most, bodyTimeout }, cut) {
  const chunks = request.iterator({ destroyOnReturn: false });
  let size = 0;
  let left = bodyTimeout;
  for (;;) {
    const began = performance.now();
    const { value, done } = await within(left, [chunks.next(), cut], 'the next line did not arrive in time');
    if (done) return;
    size += value.length;
    if (size > most) throw new Cut('TooLarge', `an audit may have ${most} bytes; audit less at a time, or raise maxAuditBytes`);
    left = value.includes(NEWLINE) ? bodyTimeout : Math.max(0, left - (performance.now() - began));
    yield /** @type {Buffer} */ (value);
  }
}

/**
 * @template T
 * @param {number} time in milliseconds
 * @param {Promise<T>[]} promises
 * @param {string} message if none is settled by then
 * @returns {Promise<T>}
 */
async function within(time, promises, message) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  /** @type {Promise<never>} */
  const late = new Promise((_, reject) => (timer = setTimeout(() => reject(new Cut('Timeout', message)), time)));
  try {
    return await Promise.race([...promises, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The answer to one line; null for a blank one.
 * @param {import('./memory.js').Body | null} line
 * @param {number} number
 * @param {Parts} parts
 * @param {Call} call
 * @returns {Promise<{verdict: 'allow' | 'warn' | 'deny' | 'error', text: string} | null>}
 */
async function verdictOn(line, number, { limits }, { reviewing, policy, ending: whole }) {
  /** @param {{code: string, message: string}} error */
  const failed = (error) => ({ verdict: /** @type {const} */ ('error'), text: `${JSON.stringify({ line: number, verdict: 'error', error })}\n` });
  if (line === null) return failed({ code: 'TooLarge', message: `a line may have ${limits.maxBodyBytes} bytes; no legal object is larger` });
  const ending = new Ending();
  // Long enough to replace a lost reviewer.
  const timer = setTimeout(() => ending.come(), limits.maxTimeout);
  try {
    if (line.isGivenUp) return failed({ code: 'Busy', message: 'too much large input arrives at once; audit this line again' });
    if (isBlank(line.bytes)) return null;
    if (whole.hasCome) ending.come();
    const { status, body, record } = await reviewing.ask('audit', line.bytes, policy, ending);
    if (status !== 200) return failed(JSON.parse(body).error);
    const { verdict, kind, namespace, name, policies, reason } = record;
    const head = JSON.stringify({ line: number, verdict, kind, namespace, name, policies, reason });
    return { verdict, text: `${head.slice(0, -1)},"review":${body}}\n` };
  } catch (error) {
    if (!(error instanceof Unjudged)) throw error;
    return failed({ code: 'Unjudged', message: `there is no verdict (${error.reason}); see the log of the webhook` });
  } finally {
    clearTimeout(timer);
    line.release();
  }
}

/** @param {Uint8Array} bytes */
function isBlank(bytes) {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
