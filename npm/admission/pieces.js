/** Inputs that arrive in pieces: pages of lists, and large reviews. */
import { USE } from '../guard.js';

/** @typedef {import('../../pkg/glue/full/glue.js').Instance} Glue */
/** @template R @typedef {import('../guard.js').Handle<R>} Handle */

/**
 * A page of a list. An error ends it, and whatever was left of it is given back.
 * @param {Handle<InstanceType<Glue['Reviewer']>>} reviewer
 * @param {Handle<InstanceType<Glue['ListPieces']>>} list
 */
export function listReader(reviewer, list) {
  /** @template T @param {(handle: InstanceType<Glue['Reviewer']>, pieces: InstanceType<Glue['ListPieces']>) => T} call */
  const use = (call) => {
    try {
      return list[USE]((pieces) => reviewer[USE]((handle) => call(handle, pieces)));
    } catch (error) {
      list.free();
      throw error;
    }
  };
  return {
    /** @param {Uint8Array} bytes */
    push(bytes) {
      use((handle, pieces) => handle.pushList(pieces, bytes));
    },
    finish() {
      const applied = use((handle, pieces) => handle.finishList(pieces));
      list.free();
      return applied;
    },
    free: () => list.free(),
  };
}

/**
 * A review without what nobody reads.
 * @param {Handle<import('../../pkg/glue/full/raw.js').ReviewSieve>} review
 */
export function reviewReader(review) {
  return {
    /** @param {Uint8Array} bytes */
    push(bytes) {
      review[USE]((sieve) => sieve.push(bytes));
    },
    /** What is kept of the review. */
    finish() {
      try {
        return review[USE]((sieve) => sieve.finish());
      } finally {
        review.free();
      }
    },
    free: () => review.free(),
  };
}
