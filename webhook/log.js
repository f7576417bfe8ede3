/** Structured logs: one JSON object per line. Objects under review never get in here. */

/** From the least to the most talkative. */
export const LEVELS = /** @type {const} */ (['silent', 'error', 'warn', 'info', 'debug']);

/** @typedef {typeof LEVELS[number]} Level */
/** @typedef {Record<string, unknown>} Fields */

/** User text that got into a message stays short. */
const LONGEST = 1000;

/**
 * @typedef {object} Log
 * @property {(message: string, fields?: Fields) => void} error
 * @property {(message: string, fields?: Fields) => void} warn
 * @property {(message: string, fields?: Fields) => void} info
 * @property {(message: string, fields?: Fields) => void} debug
 */

/**
 * @param {{level?: Level, write?: (line: string) => void, now?: () => Date}} [options]
 * @returns {Log}
 */
export function createLog({ level = 'info', write = (line) => process.stdout.write(line), now = () => new Date() } = {}) {
  const most = LEVELS.indexOf(level);
  /** @param {Exclude<Level, 'silent'>} name */
  const at = (name) => {
    if (LEVELS.indexOf(name) > most) return () => {};
    return (/** @type {string} */ message, /** @type {Fields} */ fields = {}) => {
      write(`${JSON.stringify({ time: now().toISOString(), level: name, message, ...fields }, shorten)}\n`);
    };
  };
  return { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') };
}

/** @param {string} _key @param {unknown} value */
function shorten(_key, value) {
  return typeof value === 'string' && value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value;
}
