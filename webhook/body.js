/** Reads a request's body whole, within a limit. */

/** Why there is no body. */
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
 * @returns {Promise<Uint8Array>}
 */
export function readBody(request, limit, ending) {
  return new Promise((resolve, reject) => {
    /** @type {Buffer[]} */
    let chunks = [];
    let size = 0;
    // A promise is settled once: whatever happens after that changes nothing.
    /** @param {BodyError['reason']} reason */
    const fail = (reason) => {
      chunks = [];
      ending.onCome = null;
      reject(new BodyError(reason));
    };
    request.on('data', (/** @type {Buffer} */ chunk) => {
      size += chunk.length;
      if (size > limit) fail('too-large');
      else chunks.push(chunk);
    });
    request.on('end', () => {
      // A client that goes away can look like one that has finished.
      if (!request.complete) return fail('truncated');
      ending.onCome = null;
      resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, Math.min(size, limit)));
    });
    request.on('error', () => fail('truncated'));
    request.on('close', () => request.complete || fail('truncated'));
    ending.onCome = () => fail('late');
    if (ending.hasCome) fail('late');
  });
}
