/** Inputs that arrive in pieces: pages of lists, and large reviews. */
import { decode, open } from '../doors.js';
import { SlicewiseError } from '../error.js';
import { Handle } from '../handle.js';

/**
 * @typedef {import('./core.js').Raw} Glue
 * @typedef {InstanceType<Glue['Reviewer']>} Reviewer
 * @typedef {InstanceType<Glue['ListPieces']>} Pieces
 */

/**
 * A page of a list. An error ends it, and whatever was left of it is given back.
 * @param {Glue} raw
 * @param {import('../core.js').Run} run
 * @param {Handle<Reviewer>} reviewer
 * @param {number} most the maximum length of a piece
 */
export function listReader(raw, run, reviewer, most) {
  const list = new Handle(run, 'list', most, [], () => new raw.ListPieces());
  /** @template T @param {(handle: Reviewer, pieces: Pieces) => T} call @param {import('../doors.js').Opened[]} [inputs] */
  const use = (call, inputs) => {
    try {
      return list.use((pieces) => reviewer.use((handle) => call(handle, pieces), inputs));
    } catch (error) {
      list.free();
      throw error;
    }
  };
  return {
    /** @param {Uint8Array} bytes */
    push(bytes) {
      const piece = pieceOf(bytes, 'the list');
      use((handle, pieces) => handle.pushList(pieces, piece.bytes), [piece]);
    },
    finish() {
      const applied = use((handle, pieces) => handle.finishList(pieces));
      list.free();
      return JSON.parse(decode(applied));
    },
    free: () => list.free(),
  };
}

/**
 * A review without what nobody reads; null if it is needed whole.
 * @param {Glue} raw
 * @param {import('../core.js').Run} run
 * @param {Handle<Reviewer>} reviewer
 */
export function reviewReader(raw, run, reviewer) {
  const sieve = reviewer.use((handle) => handle.startReview());
  if (!sieve) return null;
  const review = new Handle(run, 'review', run(() => raw.maxReviewBytes()), [], () => sieve);
  return {
    /** @param {Uint8Array} bytes */
    push(bytes) {
      const piece = pieceOf(bytes, 'the review');
      review.use((handle) => handle.push(piece.bytes), [piece]);
    },
    /** What is kept of the review. */
    finish() {
      try {
        return review.use((handle) => handle.finish());
      } finally {
        review.free();
      }
    },
    free: () => review.free(),
  };
}

/** @param {Uint8Array} bytes @param {string} what */
function pieceOf(bytes, what) {
  if (!(bytes instanceof Uint8Array)) throw new SlicewiseError({ code: 'InvalidType', message: `${what} comes in pieces of bytes, as a Uint8Array` });
  return open(bytes, what);
}
