/**
 * What is told of a review, beside its verdict: who asked for what, for the log, and the annotations by which its line and the
 * event in the API server's audit log find each other.
 */

/**
 * @typedef {Record<string, string>} Annotations
 * @typedef {{user?: string, groups?: number, operation?: string, dryRun?: boolean}} Asked
 */

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

/** The verdicts of a policy, the gravest first, as its annotation names them: `deny: rule; warn: rule`. */
export const VERDICTS = /** @type {const} */ (['deny', 'would deny', 'warn', 'would warn']);

/**
 * The verdict of each policy with findings, in its mode: `would deny` if it only warns, or is only noted.
 * @param {string[]} policies @param {Annotations} [annotations]
 * @returns {{policy: string, verdict: string}[]}
 */
export function verdictsOf(policies, annotations = {}) {
  return policies.map((policy) => ({ policy, verdict: annotations[policy].split(':', 1)[0] }));
}

/**
 * The user, the number of groups, the operation, and whether it is a dry run. What cannot be read is left out.
 * @param {Uint8Array} bytes a review
 * @returns {Asked}
 */
export function askedBy(bytes) {
  try {
    const { operation, dryRun = false, userInfo = {} } = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()).request;
    return { user: userInfo.username, groups: userInfo.groups?.length ?? 0, operation, dryRun };
  } catch {
    return {};
  }
}
