/** Bytes, cut into lines without decoding them. */

const NEWLINE = 0x0a;
/** What may stand in an empty line: space, tab, form feed, carriage return. */
const BLANK = [0x20, 0x09, 0x0c, 0x0d];

/**
 * The lines without their ends; empty lines are passed over, and the last one needs no end.
 * @param {AsyncIterable<Buffer>} chunks
 * @returns {AsyncGenerator<Buffer>}
 */
export async function* lines(chunks) {
  /** @type {Buffer[]} */
  let pending = [];
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      pending.push(chunk.subarray(start, end));
      yield* unlessBlank(pending);
      pending = [];
      start = end + 1;
    }
    if (start < chunk.length) pending.push(chunk.subarray(start));
  }
  yield* unlessBlank(pending);
}

/** @param {Buffer[]} parts */
function* unlessBlank(parts) {
  const line = parts.length === 1 ? parts[0] : Buffer.concat(parts);
  if (!line.every((byte) => BLANK.includes(byte))) yield line;
}
