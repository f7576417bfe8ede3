/** Structured logs: one JSON object per line, by pino. Objects under review never get in here. */
import { destination, pino, stdTimeFunctions } from 'pino';

/** From the least to the most talkative. */
export const LEVELS = /** @type {const} */ (['silent', 'error', 'warn', 'info', 'debug']);

/** @typedef {typeof LEVELS[number]} Level */
/** @typedef {import('pino').Logger} Log */

/** User text that got into a message stays short. */
const LONGEST = 1000;
/** Unread lines are dropped above this: a slow reader of logs must not stop reviews, nor fill the memory. */
const MOST_BUFFERED = 8 * 1024 * 1024;

/** Lines are written together, after so many bytes or milliseconds: one by one, writing is most of what a line costs. */
const [TOGETHER, LATEST] = [32 * 1024, 100];
const LARGEST_WRITE = 2 * TOGETHER;

/**
 * Standard output, without waiting for its reader.
 * @param {() => void} onDrop called when lines had to be dropped
 */
export function standardOutput(onDrop) {
  return destination({ dest: 1, sync: false, minLength: TOGETHER, maxWrite: LARGEST_WRITE, periodicFlush: LATEST, maxLength: MOST_BUFFERED }).on('drop', onDrop);
}

/**
 * @param {Level} level
 * @param {import('pino').DestinationStream} output
 * @returns {Log}
 */
export function createLog(level, output) {
  const formatters = { level: (/** @type {string} */ label) => ({ level: label }), log: shorten };
  return pino({ level, base: undefined, messageKey: 'message', errorKey: 'error', timestamp: stdTimeFunctions.isoTime, formatters, hooks: { streamWrite: shown } }, output);
}

/** @param {Record<string, unknown>} fields */
function shorten(fields) {
  for (const key in fields) {
    const value = fields[key];
    if (typeof value === 'string' && value.length > LONGEST) fields[key] = `${value.slice(0, LONGEST)}…`;
  }
  return fields;
}

/** What a terminal obeys and JSON lets stand: the rest of the control characters, marks of direction, line separators, what takes no room. */
const OBEYED = /[\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udc7f]/g;

/** A line of JSON that no terminal obeys. @param {string} line */
function shown(line) {
  const escaped = (/** @type {string} */ found) => found.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return line.replaceAll(OBEYED, escaped);
}
