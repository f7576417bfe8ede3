/** The name that was most likely meant, by the rule of the core: insert, delete, replace, or swap two letters. */

/** Anything longer is not a typo. */
const LONGEST = 253;

/**
 * The candidate nearest to `wanted`, if it is near enough for a typo; among equals the first one.
 * @param {string} wanted @param {Iterable<string>} candidates @returns {string | null}
 */
export function nearest(wanted, candidates) {
  if (wanted.length > LONGEST) return null;
  let most = Math.min(3, Math.max(1, Math.floor(wanted.length / 3)));
  let found = null;
  for (const candidate of candidates) {
    const isFar = Math.abs(wanted.length - candidate.length) > most;
    if (isFar || candidate === '' || candidate === wanted) continue;
    const slips = distance(wanted, candidate);
    if (slips > most || (slips === most && found !== null)) continue;
    most = slips;
    found = candidate;
  }
  return found;
}

/** The number of edits that turn one text into the other. @param {string} one @param {string} other */
function distance(one, other) {
  const rows = [Array.from({ length: other.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= one.length; row += 1) {
    const slips = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwap = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      slips[column] = Math.min(
        rows[row - 1][column - 1] + (isSame ? 0 : 1),
        rows[row - 1][column] + 1,
        slips[column - 1] + 1,
        isSwap ? rows[row - 2][column - 2] + 1 : Infinity,
      );
    }
    rows.push(slips);
  }
  return rows[one.length][other.length];
}
