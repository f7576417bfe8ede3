/** Bytes of a watch, cut where its lines end: an event is one line, and no character is taken apart. */

const NEWLINE = 0x0a;

/** An object has at most a few megabytes. */
const MOST = 32 << 20;

/**
 * Whole lines, as many at a time as have come.
 * @param {AsyncIterable<Buffer>} chunks
 * @param {number} [most] how long a line may be
 * @returns {AsyncGenerator<Uint8Array, boolean>} in the end, whether the last line was whole
 */
export async function* wholeLines(chunks, most = MOST) {
  /** @type {Buffer[]} */
  let begun = [];
  let size = 0;
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end > 0) {
      yield begun.length === 0 ? chunk.subarray(0, end) : Buffer.concat([...begun, chunk.subarray(0, end)]);
      [begun, size] = [[], 0];
    }
    if (end === chunk.length) continue;
    begun.push(chunk.subarray(end));
    size += chunk.length - end;
    if (size > most) throw new RangeError(`a line of a watch is longer than ${most} bytes`);
  }
  return size === 0;
}
