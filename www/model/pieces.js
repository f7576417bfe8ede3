/**
 * Very long texts in pieces: copying one at once, to a worker or to the browser's storage, would block the page. Between
 * two pieces the page can draw.
 */

/** Shorter texts are copied at once, which is faster. */
const LONG = 20_000_000;
const PIECE = 2_000_000;

const encoder = new TextEncoder();

/** @param {string} text */
export function isLong(text) {
  return text.length > LONG;
}

/** The text as UTF-8, to be transferred to a worker. @param {string} text @returns {Promise<Uint8Array<ArrayBuffer>[]>} */
export function encoded(text) {
  return mapped(text, (piece) => encoder.encode(piece));
}

/** The text that was encoded. @param {Uint8Array[]} pieces */
export function decoded(pieces) {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return pieces.map((piece) => decoder.decode(piece)).join('');
}

/** The text of bytes, and whether all of them are in it. @param {Uint8Array} bytes @param {string} encoding */
export async function textIn(bytes, encoding) {
  const decoder = new TextDecoder(encoding);
  const parts = [];
  for (let from = 0; from < bytes.length; from += PIECE) {
    parts.push(decoder.decode(bytes.subarray(from, from + PIECE), { stream: true }));
    if (bytes.length > LONG) await breath();
  }
  parts.push(decoder.decode());
  return { text: parts.join(''), isWhole: !parts.some((part) => part.includes('\uFFFD')) };
}

/** The text as a blob, which the browser stores without the page's help. @param {string} text */
export async function blobOf(text) {
  return new Blob(await mapped(text, (piece) => new Blob([piece])));
}

/**
 * @template T
 * @param {string} text
 * @param {(piece: string) => T} take
 */
async function mapped(text, take) {
  const results = [];
  for (let from = 0; from < text.length; ) {
    const to = endOf(text, from);
    results.push(take(text.slice(from, to)));
    from = to;
    await breath();
  }
  return results;
}

/** The end of a piece, never between the halves of a character. @param {string} text @param {number} from */
function endOf(text, from) {
  const to = Math.min(from + PIECE, text.length);
  const isHalf = to < text.length && /[\uD800-\uDBFF]/.test(text.charAt(to - 1));
  return isHalf ? to - 1 : to;
}

/** Yields to the page. */
export function breath() {
  return new Promise((resolve) => {
    setTimeout(resolve);
  });
}
