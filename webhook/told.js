/** The annotations of a review, by which its line in the log and the event in the API server's audit log find each other. */

/** @typedef {Record<string, string>} Annotations */

/** The annotation with the uid of the review, which the API server's audit log does not have otherwise. */
const UID = 'uid';

/**
 * The answer with the uid among its annotations.
 * @param {string} body an AdmissionReview
 * @returns {{body: string, annotations: Annotations}}
 */
export function annotated(body) {
  const review = JSON.parse(body);
  const annotations = { ...review.response.auditAnnotations, [UID]: review.response.uid };
  review.response.auditAnnotations = annotations;
  return { body: JSON.stringify(review), annotations };
}

/** The verdicts of a policy, the gravest first, as its annotation names them: `deny: rule; warn: rule`; and that an exception lets pass. */
export const VERDICTS = /** @type {const} */ (['deny', 'would deny', 'warn', 'would warn', 'excepted']);

/**
 * The verdict of each policy with findings, in its mode: `would deny` if it only warns, or is only noted.
 * @param {string[]} policies @param {Annotations} [annotations]
 * @returns {{policy: string, verdict: string}[]}
 */
export function verdictsOf(policies, annotations = {}) {
  return policies.map((policy) => ({ policy, verdict: annotations[policy].split(':', 1)[0] }));
}
