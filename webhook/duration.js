/** Durations as Go writes them: `10s`, `1m30s`, `1.5s`, `250ms`. */

/** @type {Record<string, number>} */
const UNITS = { ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const PART = /(\d+(?:\.\d+)?|\.\d+)(ns|us|µs|ms|s|m|h)/y;

/**
 * Milliseconds; null if the text is not a duration, or negative.
 * @param {string} text
 * @returns {number | null}
 */
export function parseDuration(text) {
  if (text === '0') return 0;
  let total = 0;
  let end = 0;
  PART.lastIndex = 0;
  for (let part = PART.exec(text); part; part = PART.exec(text)) {
    total += Number(part[1]) * UNITS[part[2]];
    end = PART.lastIndex;
  }
  return text !== '' && end === text.length ? total : null;
}
