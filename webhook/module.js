/** Reviewers with an instance of the module each, so that losing one does not affect others. */
import { createInstance } from 'slicewise/admission';

/** @param {import('slicewise/admission').ReviewerOptions} options @returns {import('slicewise/admission').Reviewer} */
export function createReviewer(options) {
  return createInstance().createReviewer(options);
}
