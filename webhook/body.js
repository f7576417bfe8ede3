/** Reads a request's complete body, up to a limit. */
import { Body } from './memory.js';

/** The reason why the body could not be read. */
export class BodyError extends Error {
  /** @param {'too-large' | 'truncated' | 'late'} reason */
  constructor(reason) {
    super(reason);
    this.reason = reason;
  }
}

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {number} limit in bytes
 * @param {import('./ending.js').Ending} ending
 * @param {import('./memory.js').Memory} memory
 * @returns {Promise<Body>} to be released
 */
export function readBody(request, limit, ending, memory) {
  return new Promise((resolve, reject) => {
    const body = new Body(memory, Math.min(Number(request.headers['content-length'] ?? 0), limit));
    let isOver = false;
    const end = () => {
      isOver = true;
      ending.onCome = null;
    };
    /** @param {BodyError['reason']} reason */
    const fail = (reason) => {
      if (isOver) return;
      end();
      body.release();
      reject(new BodyError(reason));
    };
    request.on('data', (/** @type {Buffer} */ chunk) => {
      if (isOver) return;
      if (body.length + chunk.length > limit) fail('too-large');
      else body.add(chunk);
    });
    request.on('end', () => {
      if (isOver) return;
      // A client that disconnects can look like one that has finished.
      if (!request.complete) return fail('truncated');
      end();
      resolve(body);
    });
    request.on('error', () => fail('truncated'));
    request.on('close', () => request.complete || fail('truncated'));
    ending.onCome = () => fail('late');
    if (ending.hasCome) fail('late');
  });
}
