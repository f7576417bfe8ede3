/** Splits a stream of bytes into lines, each in a reusable buffer. */
import { Body } from './memory.js';

const NEWLINE = 0x0a;

/**
 * @param {AsyncIterable<Uint8Array>} chunks
 * @param {number} longest in bytes; longer lines are discarded
 * @param {import('./memory.js').Memory} memory
 * @returns {AsyncGenerator<Body | null>} lines, to be released; null for a line that is too long
 */
export async function* lines(chunks, longest, memory) {
  let line = new Body(memory);
  let isTooLong = false;
  try {
    for await (const chunk of chunks) {
      let from = 0;
      while (from < chunk.length) {
        const found = chunk.indexOf(NEWLINE, from);
        const to = found === -1 ? chunk.length : found;
        isTooLong ||= line.length + (to - from) > longest;
        if (!isTooLong) line.add(chunk.subarray(from, to));
        from = to + 1;
        if (found === -1) break;
        const whole = line;
        line = new Body(memory);
        yield* told(whole, isTooLong);
        isTooLong = false;
      }
    }
    if (line.length > 0 || isTooLong) {
      const last = line;
      line = new Body(memory);
      yield* told(last, isTooLong);
    }
  } finally {
    line.release();
  }
}

/** @param {Body} line @param {boolean} isTooLong */
function* told(line, isTooLong) {
  if (isTooLong) {
    line.release();
    yield null;
  } else {
    line.finish();
    yield line;
  }
}
