/** Reviewers, and the handler of a webhook. */
import { bind as plain } from '../bind.js';
import { OF, USE, guard } from '../guard.js';
import { handlers } from './handler.js';

/**
 * @param {Record<string, import('../guard.js').RawClass>} raw
 * @param {string[]} _names
 * @param {() => boolean} [isReady] whether the module is loaded; always, unless it is loaded explicitly
 */
export function bind(raw, _names, isReady) {
  const { handle } = guard(isReady);
  const Pieces = handle(raw.ListPieces, 'List');

  /** What is kept of a large review. */
  class Review extends handle(raw.ReviewSieve, 'Review') {
    finish() {
      try {
        return super.finish();
      } finally {
        this.free();
      }
    }
  }

  class Reviewer extends handle(raw.Reviewer, 'Reviewer') {
    /** @param {object} review @param {unknown} [asking] */
    reviewObject(review, asking) {
      return this.review(review, asking);
    }

    /** A page of a list, given piece by piece. An error ends it. */
    startList() {
      const list = new Pieces();
      /** @param {(reviewer: any, pieces: any) => any} call */
      const use = (call) => {
        try {
          return list[USE]((pieces) => this[USE]((reviewer) => call(reviewer, pieces)));
        } catch (error) {
          list.free();
          throw error;
        }
      };
      return {
        push: (/** @type {Uint8Array} */ bytes) => use((reviewer, pieces) => reviewer._pushList(pieces, bytes)),
        finish() {
          const applied = use((reviewer, pieces) => reviewer._finishList(pieces));
          list.free();
          return applied;
        },
        free: () => list.free(),
      };
    }

    /** A large review that arrives piece by piece; null if it is needed whole. */
    startReview() {
      const sieve = this[USE]((reviewer) => reviewer._sieve());
      return sieve ? Review[OF](sieve) : null;
    }
  }

  const bound = plain(raw, ['maxReviewBytes', 'policies', 'version'], isReady);
  return {
    ...bound,
    createReviewer: (/** @type {unknown} */ options) => new Reviewer(options ?? {}),
    createHandler: handlers(bound.maxReviewBytes),
  };
}
