/** Binds the raw functions of reviewers. */
import { runner } from '../core.js';
import { SlicewiseError } from '../error.js';
import { handlers } from './handler.js';
import { reviewers } from './reviewer.js';

/**
 * @typedef {typeof import('../../pkg/glue/full/node.js')} Glue
 * @typedef {Pick<Glue, 'Reviewer' | 'ListPieces' | 'ReviewSieve' | 'policies' | 'version' | 'maxInputBytes' | 'maxReviewBytes' | 'fields'>} Raw
 */

/**
 * @param {Raw} raw
 * @param {() => boolean} [isReady] whether the module is loaded; always, unless it is loaded explicitly
 */
export function bind(raw, isReady) {
  const run = runner(raw, isReady);
  const version = () => run(() => raw.version());
  const policies = () => {
    const lines = run(() => raw.policies()).split('\n');
    return lines.map((line) => line.split('\t')).map(([name, about, ...kinds]) => ({ name, about, kinds }));
  };
  const maxReviewBytes = () => run(() => raw.maxReviewBytes());
  return { createReviewer: reviewers(raw, run), createHandler: handlers(maxReviewBytes), maxReviewBytes, policies, version, SlicewiseError };
}
