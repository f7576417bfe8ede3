/** Changes of a text: places in the text as it was, in order, none inside of another. */

/** @typedef {{from: number, to: number, insert: string}} TextChange */

/** @param {string} text @param {TextChange[]} changes */
export function applyChanges(text, changes) {
  const parts = [];
  let at = 0;
  for (const { from, to, insert } of changes) {
    parts.push(text.slice(at, from), insert);
    at = to;
  }
  return parts.join('') + text.slice(at);
}

/**
 * The one change that makes a text of another, as small as what they share at both ends allows. The ends are compared
 * in blocks, so that texts of megabytes that differ by a letter cost little.
 * @param {string} before
 * @param {string} after
 * @returns {TextChange | null} nothing when they are the same
 */
export function changeBetween(before, after) {
  if (before === after) return null;
  const shortest = Math.min(before.length, after.length);
  const from = shared(shortest, (start, end) => before.slice(start, end) === after.slice(start, end));
  const [b, a] = [before.length, after.length];
  const rest = shared(shortest - from, (start, end) => before.slice(b - end, b - start) === after.slice(a - end, a - start));
  return { from, to: b - rest, insert: after.slice(from, a - rest) };
}

const BLOCK = 4096;

/** How many characters are the same, from an end. @param {number} most @param {(start: number, end: number) => boolean} same */
function shared(most, same) {
  let count = 0;
  for (let size = BLOCK; size >= 1; size = Math.floor(size / 8)) {
    while (count + size <= most && same(count, count + size)) count += size;
  }
  return count;
}
