/** The answer to a review that could not be judged: by default an error, which the caller handles as its `failurePolicy` says. */

/** The choices in the configuration. */
export const ON_FAILURE = /** @type {const} */ (['error', 'allow', 'deny']);

/** @typedef {typeof ON_FAILURE[number]} OnFailure */

const SEE_LOG = 'see the log of the webhook';

/**
 * Why there is no verdict, what to do about it, and the status and code of an answer that is an error.
 * @type {Record<import('./supervisor.js').Reason, {status: number, code: string, why: string, next?: string}>}
 */
export const UNJUDGED = {
  deadline: { status: 503, code: 'Timeout', why: 'the deadline passed before the review was processed' },
  stopped: { status: 503, code: 'Busy', why: 'the webhook is shutting down' },
  reconfigured: { status: 503, code: 'Busy', why: 'the configuration changed while the review arrived', next: 'try again' },
  trap: { status: 500, code: 'Internal', why: 'the review could not be processed', next: SEE_LOG },
  runaway: { status: 500, code: 'Internal', why: 'the review did not finish in time', next: SEE_LOG },
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
  const message = `slicewise: the change was not checked, because ${UNJUDGED[reason].why}; onFailure says ${onFailure}`;
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
