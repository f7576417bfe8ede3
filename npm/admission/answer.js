/** The HTTP response to a review: bytes in, status and body out. No sockets. */

/**
 * @typedef {object} Answer
 * @property {number} status HTTP status code
 * @property {Uint8Array | string} body JSON
 * @property {import('slicewise/admission').ReviewRecord} record what may be logged and counted, never the object
 */

/** Statuses of the core's error codes; any other error in a review is a 400. @type {Record<string, number>} */
const STATUS = { TooLarge: 413, Internal: 500, Closed: 500, NotReady: 500, LoadFailed: 500 };

/**
 * @param {() => {answer: Uint8Array, record: import('slicewise/admission').ReviewRecord}} judge
 * @returns {Answer}
 */
export function answerTo(judge) {
  try {
    const { answer, record } = judge();
    return { status: 200, body: answer, record };
  } catch (error) {
    return failure(error);
  }
}

/** An internal error may contain anything; the client learns only that there was one. */
export const NOT_PROCESSED = 'the review could not be processed; see the log of the webhook';

/**
 * An error in the format that all of slicewise uses.
 * @param {{code: string, message: string, path?: string, line?: number, column?: number}} details
 */
export function errorBody({ code, message, path, line, column }) {
  return JSON.stringify({ error: { code, message: cut(message), path, line, column } });
}

/** @param {any} error @returns {Answer} */
function failure(error) {
  const isTyped = typeof error?.code === 'string' && error.name === 'SlicewiseError';
  const status = isTyped ? (STATUS[error.code] ?? 400) : 500;
  const details = status === 500 ? { code: 'Internal', message: NOT_PROCESSED } : error;
  const reason = cut(String(error?.message ?? error));
  return { status, body: errorBody(details), record: { verdict: 'error', policies: [], code: details.code, reason } };
}

/** Truncates a message, which may repeat an input value of any length. @param {string} message */
function cut(message) {
  return message.length > 500 ? `${message.slice(0, 500)}…` : message;
}

/** A request that is refused without a review. */
export class Refusal extends Error {
  /** @param {number} status @param {string} code @param {string} message @param {Record<string, string>} [headers] */
  constructor(status, code, message, headers = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

const REVIEWS = { what: 'reviews', types: ['application/json'] };

/**
 * Refuses a request whose headers rule out a review.
 * @param {string | undefined} method
 * @param {(name: string) => string | null | undefined} header
 * @param {{maxBytes: number, what?: string, types?: string[]}} expected
 */
export function checkRequest(method, header, { maxBytes, what = REVIEWS.what, types = REVIEWS.types }) {
  if (method !== 'POST') throw new Refusal(405, 'MethodNotAllowed', `${what} are sent with POST`, { allow: 'POST' });
  if (!isOfType(header('content-type') ?? '', types)) {
    throw new Refusal(415, 'UnsupportedMediaType', `${what} are sent as content-type: ${types[0]}, in UTF-8`);
  }
  if ((header('content-encoding') ?? 'identity') !== 'identity') {
    throw new Refusal(415, 'UnsupportedMediaType', `${what} are sent without content-encoding`);
  }
  if (Number(header('content-length') ?? 0) > maxBytes) throw tooLarge(what, maxBytes);
}

/** @param {string} what @param {number} maxBytes */
export function tooLarge(what, maxBytes) {
  return new Refusal(413, 'TooLarge', `${what} may have ${maxBytes} bytes`);
}

/** @param {string} contentType @param {string[]} types */
function isOfType(contentType, types) {
  if (types.includes(contentType)) return true;
  const [type, ...parameters] = contentType.toLowerCase().split(';').map((part) => part.trim());
  return types.includes(type) && parameters.every((parameter) => !parameter.startsWith('charset=') || /^charset="?utf-8"?$/.test(parameter));
}
