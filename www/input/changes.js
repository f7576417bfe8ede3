/** Changes of a text: positions in the old text, in order, without overlap. */

/** @typedef {{from: number, to: number, insert: string}} TextChange */

/** The one change that was made last, until it has been asked for: to find it again takes longer. @type {Made | null} */
let latest = null;

/** @typedef {{before: string, after: string, change: TextChange}} Made */

/** @param {string} text @param {TextChange[]} changes */
export function applyChanges(text, changes) {
  const parts = [];
  let at = 0;
  for (const { from, to, insert } of changes) {
    parts.push(text.slice(at, from), insert);
    at = to;
  }
  // In one copy.
  const after = [...parts, text.slice(at)].join('');
  const [change] = changes;
  latest = change && changes.length === 1 ? { before: text, after, change } : null;
  return after;
}

/**
 * The one change that turns a text into another, as small as their common ends allow. The ends are compared
 * in blocks, so that texts of megabytes that differ by a letter are cheap to compare.
 * @param {string} before
 * @param {string} after
 * @returns {TextChange | null} null if they are equal
 */
export function changeBetween(before, after) {
  if (before === after) return null;
  const made = latest;
  if (made && before === made.before && after === made.after) {
    latest = null;
    return made.change;
  }
  if (made && before === made.after && after === made.before) return undone(made);
  const shortest = Math.min(before.length, after.length);
  const from = shared(shortest, (start, end) => before.slice(start, end) === after.slice(start, end));
  const [b, a] = [before.length, after.length];
  const rest = shared(shortest - from, (start, end) => before.slice(b - end, b - start) === after.slice(a - end, a - start));
  return { from, to: b - rest, insert: after.slice(from, a - rest) };
}

/** @param {Made} made @returns {TextChange} */
function undone({ before, change: { from, to, insert } }) {
  return { from, to: from + insert.length, insert: before.slice(from, to) };
}

const BLOCK = 4096;

/** The number of equal characters from one end. @param {number} most @param {(start: number, end: number) => boolean} same */
function shared(most, same) {
  let count = 0;
  for (let size = BLOCK; size >= 1; size = Math.floor(size / 8)) {
    while (count + size <= most && same(count, count + size)) count += size;
  }
  return count;
}
