/** The AdmissionReview that an API server sends for a change. */

/**
 * @param {string} operation
 * @param {any} object the new object, or `null`
 * @param {any} [oldObject] the current object, or `null`
 * @param {string} [username] the user making the change
 */
export function reviewOf(operation, object, oldObject = null, username = 'jane') {
  const { apiVersion = '', kind = '', metadata = {} } = object ?? oldObject ?? {};
  const [version, group = ''] = apiVersion.split('/').reverse();
  const lower = kind.toLowerCase();
  return {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid: '705ab4f5-6393-11e8-b7cc-42010a800002',
      kind: { group, version, kind },
      resource: { group, version, resource: lower.endsWith('s') ? lower : `${lower}s` },
      name: metadata.name,
      namespace: metadata.namespace,
      operation,
      userInfo: { username, groups: ['system:authenticated'] },
      object,
      oldObject,
      dryRun: false,
    },
  };
}
