/** Changes of a text: positions in the old text, in order, without overlap. */

/** @typedef {{from: number, to: number, insert: string}} TextChange */

/** The one change that was made last, until it has been asked for: to find it again takes longer. @type {[string, string, TextChange] | []} */
let latest = [];

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
  const [change, more] = changes;
  latest = change && !more ? [text, after, change] : [];
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
  const [old, now, made] = latest;
  if (made && before === old && after === now) {
    latest = [];
    return made;
  }
  if (made && before === now && after === old) return { from: made.from, to: made.from + made.insert.length, insert: old.slice(made.from, made.to) };
  const shortest = Math.min(before.length, after.length);
  const from = shared(shortest, (start, end) => before.slice(start, end) === after.slice(start, end));
  const [b, a] = [before.length, after.length];
  const rest = shared(shortest - from, (start, end) => before.slice(b - end, b - start) === after.slice(a - end, a - start));
  return { from, to: b - rest, insert: after.slice(from, a - rest) };
}

const BLOCK = 4096;

/** The number of equal characters from one end. @param {number} most @param {(start: number, end: number) => boolean} same */
function shared(most, same) {
  let count = 0;
  for (let size = BLOCK; size > 0; size >>= 3) {
    while (count + size <= most && same(count, count + size)) count += size;
  }
  return count;
}
