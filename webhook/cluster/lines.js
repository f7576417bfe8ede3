/** Bytes of a watch, cut where its lines end: an event is one line, and no character is taken apart. */

const NEWLINE = 0x0a;

/** How much is kept from the beginning; most events are smaller. */
const FIRST = 64 << 10;

/** How much is handed on together, about, and how many milliseconds it waits for more. */
const TOGETHER = 256 << 10;
const SOON = 2;

/** An object has at most a few megabytes. */
const MOST = 32 << 20;

/**
 * Whole lines, as many at a time as come together. All are in one buffer, which is written again for the next ones: memory
 * outside the heap that comes and goes makes V8 collect garbage all the time.
 * @param {AsyncIterable<Buffer> & {destroy?: () => void}} chunks
 * @param {number} [most] how long a line may be
 * @returns {AsyncGenerator<Uint8Array, boolean>} in the end, whether the last line was whole
 */
export async function* wholeLines(chunks, most = MOST) {
  const reading = chunks[Symbol.asyncIterator]();
  let buffer = Buffer.allocUnsafeSlow(FIRST);
  let [size, end] = [0, 0];
  try {
    for (let next = reading.next(); ; ) {
      const { value: chunk, done } = await next;
      if (done) break;
      next = reading.next();
      if (size + chunk.length > buffer.length) buffer = larger(buffer, size, size + chunk.length);
      chunk.copy(buffer, size);
      const at = chunk.lastIndexOf(NEWLINE);
      if (at !== -1) end = size + at + 1;
      size += chunk.length;
      if (size - end > most) throw new RangeError(`a line of a watch is longer than ${most} bytes`);
      if (end === 0 || (size < TOGETHER && (await comesSoon(next)))) continue;
      yield buffer.subarray(0, end);
      buffer.copyWithin(0, end, size);
      [size, end] = [size - end, 0];
    }
    if (end > 0) yield buffer.subarray(0, end);
    return size === end;
  } finally {
    // A reader that stops need not wait for more.
    chunks.destroy?.();
  }
}

/**
 * Is there more within a moment? What comes while a list is read comes at once, and one call takes all of it.
 * @param {Promise<unknown>} next
 * @returns {Promise<boolean>}
 */
function comesSoon(next) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, SOON, false);
    const come = () => {
      clearTimeout(timer);
      resolve(true);
    };
    // The next reader gets the failure.
    next.then(come, come);
  });
}

/** @param {Buffer} buffer @param {number} size how much of it is in use @param {number} wanted */
function larger(buffer, size, wanted) {
  const grown = Buffer.allocUnsafeSlow(Math.max(wanted, buffer.length * 2));
  buffer.copy(grown, 0, 0, size);
  return grown;
}
