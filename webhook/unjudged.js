/** The answer to a review that could not be judged: by default an error, which the caller handles as its `failurePolicy` says. */

/** The choices in the configuration. */
export const ON_FAILURE = /** @type {const} */ (['error', 'allow', 'deny']);

/** @typedef {typeof ON_FAILURE[number]} OnFailure */

/** @type {Record<import('./supervisor.js').Reason, string>} */
const WHY = {
  deadline: 'the deadline passed before it was processed',
  trap: 'judging it failed',
  runaway: 'judging it did not finish',
  stopped: 'the webhook is shutting down',
  reconfigured: 'the configuration changed while it arrived',
};

/**
 * @param {Uint8Array} bytes the review
 * @param {import('./supervisor.js').Reason} reason
 * @param {OnFailure} onFailure
 * @returns {import('./supervisor.js').Verdict | null} null for an error; without a readable review there is no other answer
 */
export function unjudgedAnswer(bytes, reason, onFailure) {
  const uid = onFailure === 'error' ? undefined : uidOf(bytes);
  if (uid === undefined) return null;
  const message = `slicewise: the change was not checked, because ${WHY[reason]}; onFailure says ${onFailure}`;
  const isAllowed = onFailure === 'allow';
  const status = isAllowed ? { code: 200, message } : { code: 403, reason: 'Forbidden', message };
  const response = { uid, allowed: isAllowed, status, ...(isAllowed ? { warnings: [message] } : {}) };
  const body = JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response });
  return { status: 200, body, record: { verdict: 'error', uid, policies: [], code: 'Unjudged', reason: message } };
}

/** @param {Uint8Array} bytes */
function uidOf(bytes) {
  try {
    const { apiVersion, kind, request } = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    const isReview = apiVersion === 'admission.k8s.io/v1' && kind === 'AdmissionReview';
    return isReview && typeof request?.uid === 'string' && request.uid !== '' ? request.uid : undefined;
  } catch {
    return undefined;
  }
}
