/** A validation for Pepr, which reads reviews itself and makes its own answer. */
import { readFile } from 'node:fs/promises';
import { createReviewer } from 'slicewise/admission';

const reviewer = createReviewer({ snapshot: await readFile(process.argv[2]) });

/**
 * For a capability: `When(a.Service).IsCreatedOrUpdated().Validate(validate)`.
 * @param {import('pepr').PeprValidateRequest<import('pepr').KubernetesObject>} request
 */
export function validate(request) {
  const { response } = reviewer.reviewObject({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request: request.Request });
  if (response.allowed) return request.Approve(response.warnings);
  return request.Deny(response.status.message, response.status.code, response.warnings);
}
