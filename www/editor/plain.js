/** Texts without colours, completion and remarks: all of those need what stands before, which in a long text is too much. */

const LONGEST = 5_000_000;

/** @param {string} text */
export function isShownPlain(text) {
  return text.length > LONGEST;
}
