/** Bytes of a watch, cut where its lines end: an event is one line, and no character is taken apart. */

const NEWLINE = 0x0a;

/** How much is kept from the beginning; most events are smaller. */
const FIRST = 64 << 10;

/** An object has at most a few megabytes. */
const MOST = 32 << 20;

/**
 * Whole lines, as many at a time as have come. All are in one buffer, which is written anew for the next ones: memory
 * outside the heap that comes and goes makes V8 collect garbage all the time.
 * @param {AsyncIterable<Buffer>} chunks
 * @param {number} [most] how long a line may be
 * @returns {AsyncGenerator<Uint8Array, boolean>} in the end, whether the last line was whole
 */
export async function* wholeLines(chunks, most = MOST) {
  let buffer = Buffer.allocUnsafeSlow(FIRST);
  let size = 0;
  for await (const chunk of chunks) {
    if (size + chunk.length > buffer.length) buffer = larger(buffer, size, size + chunk.length);
    chunk.copy(buffer, size);
    const end = size + chunk.lastIndexOf(NEWLINE) + 1;
    const isEnded = end > size;
    size += chunk.length;
    if (isEnded) {
      yield buffer.subarray(0, end);
      buffer.copyWithin(0, end, size);
      size -= end;
    }
    if (size > most) throw new RangeError(`a line of a watch is longer than ${most} bytes`);
  }
  return size === 0;
}

/** @param {Buffer} buffer @param {number} size how much of it is in use @param {number} wanted */
function larger(buffer, size, wanted) {
  const grown = Buffer.allocUnsafeSlow(Math.max(wanted, buffer.length * 2));
  buffer.copy(grown, 0, 0, size);
  return grown;
}
