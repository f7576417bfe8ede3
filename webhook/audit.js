/**
 * `POST /audit`: reviews or existing objects, one per line; answers with one verdict per line, as they are made. No change
 * waits for an audit, so reviews take precedence; and an audit enforces nothing.
 */
import { once } from 'node:events';
import { Ending } from './ending.js';
import { lines } from './lines.js';
import { Unjudged } from './supervisor.js';

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
    const input = bounded(request, limits.maxAuditBytes, timeIsUp);
    for await (const line of lines(input, limits.maxBodyBytes, memory)) {
      counts.lines += 1;
      const told = await verdictOn(line, counts.lines, parts, call);
      if (told === null) continue;
      counts[told.verdict] += 1;
      metrics.audited.inc(told.verdict);
      if (!response.write(told.text)) await Promise.race([once(response, 'drain'), timeIsUp]);
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
 * @param {import('./routes.js').Request} request
 * @param {number} most in bytes
 * @param {Promise<never>} cut
 */
async function* bounded(request, most, cut) {
  const chunks = request.iterator({ destroyOnReturn: false });
  let size = 0;
  for (;;) {
    const { value, done } = await Promise.race([chunks.next(), cut]);
    if (done) return;
    size += value.length;
    if (size > most) throw new Cut('TooLarge', `an audit may have ${most} bytes; audit less at a time, or raise maxAuditBytes`);
    yield /** @type {Buffer} */ (value);
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
