/** Splits the bytes of a watch at line ends: an event is one line, and no character is split. */

const NEWLINE = 0x0a;

/** The initial size of the buffer; most events are smaller. */
const FIRST = 64 << 10;

/** The approximate size of a batch, and how many milliseconds to wait for more. */
const TOGETHER = 256 << 10;
const SOON = 2;

/** Objects have at most a few megabytes. */
const MOST = 32 << 20;

/**
 * Complete lines, as many as arrive together. All are in one buffer, which is reused for the next batch: allocating and
 * dropping memory outside the heap makes V8 collect garbage constantly.
 * @param {AsyncIterable<Buffer> & {destroy?: () => void}} chunks
 * @param {number} [most] the maximum length of a line
 * @returns {AsyncGenerator<Uint8Array, boolean>} returns whether the last line was complete
 */
export async function* wholeLines(chunks, most = MOST) {
  const reading = chunks[Symbol.asyncIterator]();
  const read = () => {
    const next = reading.next();
    // It fails when a caller stops in between, and nobody waits for it any more.
    next.catch(() => {});
    return next;
  };
  let buffer = Buffer.allocUnsafeSlow(FIRST);
  let [size, end] = [0, 0];
  try {
    for (let next = read(); ; ) {
      const { value: chunk, done } = await next;
      if (done) break;
      next = read();
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
    // A reader that stops must not wait for more.
    chunks.destroy?.();
  }
}

/**
 * Whether more arrives shortly. Data that accumulated while a batch was read arrives at once, so one call can take all of it.
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
    // The next read will report the failure.
    next.then(come, come);
  });
}

/** @param {Buffer} buffer @param {number} size how much of it is in use @param {number} wanted */
function larger(buffer, size, wanted) {
  const grown = Buffer.allocUnsafeSlow(Math.max(wanted, buffer.length * 2));
  buffer.copy(grown, 0, 0, size);
  return grown;
}
