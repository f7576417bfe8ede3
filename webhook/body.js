/** Reads a request's complete body, up to a limit and within a time of its own. */
import { Body } from './memory.js';

/** The reason why the body could not be read. */
export class BodyError extends Error {
  /** @param {'too-large' | 'truncated' | 'late' | 'slow' | 'crowded'} reason */
  constructor(reason) {
    super(reason);
    this.reason = reason;
  }
}

/** Larger reviews are sieved while they arrive, in bytes. */
const LARGE = 1024 * 1024;

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {{maxBodyBytes: number, bodyTimeout: number}} limits
 * @param {import('./ending.js').Ending} ending
 * @param {import('./memory.js').Memory} memory
 * @param {() => import('./memory.js').Sieve | null} [startSieve] for a large body; null if it is needed whole
 * @returns {Promise<Body>} to be released
 */
export function readBody(request, { maxBodyBytes, bodyTimeout }, ending, memory, startSieve = () => null) {
  return new Promise((resolve, reject) => {
    const body = new Body(memory, () => fail(new BodyError('crowded')));
    let isOver = false;
    let isSmall = true;
    const timer = setTimeout(() => fail(new BodyError('slow')), bodyTimeout);
    const end = () => {
      isOver = true;
      ending.onCome = null;
      clearTimeout(timer);
    };
    /** @param {unknown} error */
    const fail = (error) => {
      if (isOver) return;
      end();
      body.release();
      reject(error);
    };
    /** @param {() => void} work of a sieve, which may fail */
    const tried = (work) => {
      try {
        work();
      } catch (error) {
        fail(error);
      }
    };
    request.on('data', (/** @type {Buffer} */ chunk) => {
      if (isOver) return;
      if (body.length + chunk.length > maxBodyBytes) return fail(new BodyError('too-large'));
      tried(() => {
        if (isSmall && body.length + chunk.length > LARGE) {
          isSmall = false;
          const sieve = startSieve();
          if (sieve) body.pass(sieve);
        }
        body.add(chunk);
      });
    });
    request.on('end', () => {
      if (isOver) return;
      // A client that disconnects can look like one that has finished.
      if (!request.complete) return fail(new BodyError('truncated'));
      tried(() => {
        body.finish();
        end();
        resolve(body);
      });
    });
    request.on('error', () => fail(new BodyError('truncated')));
    request.on('close', () => request.complete || fail(new BodyError('truncated')));
    ending.onCome = () => fail(new BodyError('late'));
    if (ending.hasCome) fail(new BodyError('late'));
  });
}
