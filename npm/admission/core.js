/** Reviewers, and the handler of a webhook. */
import { SlicewiseError } from '../error.js';
import { OF, USE, guard } from '../guard.js';
import { handlers } from './handler.js';
import { listReader, reviewReader } from './pieces.js';

/**
 * @param {import('../../pkg/glue/full/glue.js').Instance} raw
 * @param {() => boolean} [isReady] whether the module is loaded; always, unless it is loaded explicitly
 */
export function bind(raw, isReady) {
  const { guarded, handle } = guard(isReady);
  const [Pieces, Review] = [handle(raw.ListPieces, 'List'), handle(/** @type {any} */ (raw.ReviewSieve), 'Review')];

  class Reviewer extends handle(raw.Reviewer, 'Reviewer') {
    /** @param {object} review @param {unknown} [asking] */
    reviewObject(review, asking) {
      return this.review(review, asking);
    }

    /** A page of a list, given piece by piece. */
    startList() {
      return listReader(this, new Pieces());
    }

    /** A large review that arrives piece by piece; null if it is needed whole. */
    startReview() {
      const sieve = this[USE]((reviewer) => reviewer.sieve());
      return sieve ? reviewReader(Review[OF](sieve)) : null;
    }
  }

  const maxReviewBytes = guarded(raw.maxReviewBytes);
  return {
    createReviewer: (/** @type {unknown} */ options) => new Reviewer(options ?? {}),
    createHandler: handlers(maxReviewBytes),
    maxReviewBytes,
    policies: guarded(raw.policies),
    version: guarded(raw.version),
    SlicewiseError,
  };
}
