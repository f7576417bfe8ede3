/** Structured logs: one JSON object per line, by pino. Objects under review are never logged. */
import { destination, pino, stdTimeFunctions } from 'pino';

/** From the least to the most verbose. */
export const LEVELS = /** @type {const} */ (['silent', 'error', 'warn', 'info', 'debug']);

/** @typedef {typeof LEVELS[number]} Level */
/** @typedef {import('pino').Logger} Log */

/** User text in messages is truncated to this length. */
const LONGEST = 1000;
/** Unread lines beyond this are dropped: a slow log reader must neither stop reviews nor fill the memory. */
const MOST_BUFFERED = 8 * 1024 * 1024;

/** Lines are written in batches, by size in bytes or by milliseconds: writing them one by one is most of their cost. */
const [TOGETHER, LATEST] = [32 * 1024, 100];
const LARGEST_WRITE = 2 * TOGETHER;

/**
 * Standard output that never blocks on its reader.
 * @param {() => void} onDrop called when lines are dropped
 */
export function standardOutput(onDrop) {
  return destination({ dest: 1, sync: false, minLength: TOGETHER, maxWrite: LARGEST_WRITE, periodicFlush: LATEST, maxLength: MOST_BUFFERED }).on(
    'drop',
    onDrop,
  );
}

/**
 * @param {Level} level
 * @param {import('pino').DestinationStream} output
 * @returns {Log}
 */
export function createLog(level, output) {
  const formatters = { level: (/** @type {string} */ label) => ({ level: label }), log: shorten };
  return pino(
    {
      level,
      base: undefined,
      messageKey: 'message',
      errorKey: 'error',
      timestamp: stdTimeFunctions.isoTime,
      formatters,
      hooks: { streamWrite: shown },
    },
    output,
  );
}

/** @param {Record<string, unknown>} fields */
function shorten(fields) {
  for (const key in fields) {
    const value = fields[key];
    if (typeof value === 'string' && value.length > LONGEST) fields[key] = `${value.slice(0, LONGEST)}…`;
  }
  return fields;
}

/** What a terminal obeys and JSON does not escape: further control characters, bidirectional marks, line separators, zero-width characters. */
const OBEYED = /[\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udc7f]/g;

/** A line of JSON that no terminal obeys. @param {string} line */
function shown(line) {
  const escaped = (/** @type {string} */ found) => found.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return line.replaceAll(OBEYED, escaped);
}
