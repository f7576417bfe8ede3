/**
 * Bytes → review → bytes. No HTTP and no sockets: a reviewer goes in, so that tests need no WebAssembly, and what
 * should be logged and counted comes out with the answer.
 */

/**
 * @typedef {object} Reviewing
 * @property {(bytes: Uint8Array, policy?: string) => Uint8Array} review throws an error with a `code` for a broken review
 * @property {() => void} [reset] called after a bug showed, so that the next review starts afresh
 */

/**
 * @typedef {object} Answer
 * @property {number} status HTTP status code
 * @property {string} body JSON; text, because Node sends short text and headers in one piece, but bytes in two
 * @property {ReviewRecord} record
 */

/**
 * What may be told of a review: names and verdicts, never the object.
 * @typedef {object} ReviewRecord
 * @property {'allow' | 'warn' | 'deny' | 'error'} verdict
 * @property {string} [uid]
 * @property {string} [kind]
 * @property {string} [name]
 * @property {string[]} policies those that had something to say
 * @property {string} reason for people
 * @property {string} [code] of an error
 */

const decoder = new TextDecoder();

/** Statuses of the core's codes; everything else that is wrong with a review is a 400. */
/** @type {Record<string, number>} */
const STATUS = { TooLarge: 413, Internal: 500, Closed: 500, NotReady: 500, LoadFailed: 500 };

/**
 * @param {Reviewing} reviewer
 * @returns {(bytes: Uint8Array, policy?: string) => Answer}
 */
export function createHandler(reviewer) {
  return (bytes, policy) => {
    try {
      const body = decoder.decode(reviewer.review(bytes, policy));
      return { status: 200, body, record: recordOf(JSON.parse(body).response) };
    } catch (error) {
      return failure(error, reviewer);
    }
  };
}

/**
 * An error in the envelope that every door of slicewise uses.
 * @param {{code: string, message: string, path?: string, line?: number, column?: number}} details
 */
export function errorBody({ code, message, path, line, column }) {
  return JSON.stringify({ error: { code, message: cut(message), path, line, column } });
}

/** @param {any} response the core's, so its shape is known */
function recordOf({ uid, allowed, status, warnings = [], auditAnnotations = {} }) {
  const verdict = /** @type {ReviewRecord['verdict']} */ (allowed ? (warnings.length > 0 ? 'warn' : 'allow') : 'deny');
  const { kind, name } = status.details;
  const reason = verdict === 'warn' ? warnings.join('; ') : status.message;
  return { verdict, uid, kind, name, policies: Object.keys(auditAnnotations), reason };
}

/** @param {any} error @param {Reviewing} reviewer @returns {Answer} */
function failure(error, reviewer) {
  const isTyped = typeof error?.code === 'string' && error.name === 'SlicewiseError';
  const status = isTyped ? (STATUS[error.code] ?? 400) : 500;
  if (status === 500) reviewer.reset?.();
  // What a bug says may hold anything; the client learns only that there is one.
  const details = status === 500 ? { code: 'Internal', message: 'the review could not be judged; see the log of the webhook' } : error;
  const record = /** @type {ReviewRecord} */ ({ verdict: 'error', policies: [], code: details.code, reason: cut(String(error?.message ?? error)) });
  return { status, body: errorBody(details), record };
}

/** A message may repeat a value of the input, which can be of any length. @param {string} message */
function cut(message) {
  return message.length > 500 ? `${message.slice(0, 500)}…` : message;
}
