/** Reviews over the bundled cluster. */
import { reviewOf as envelopeOf } from '../../../webhook/review.js';

/** @typedef {Record<string, any>} Json */

/**
 * @param {Json} cluster the snapshot, read
 * @param {string} kind
 * @param {string} name NAMESPACE/NAME
 * @returns {Json} a copy
 */
export function objectOf(cluster, kind, name) {
  const found = cluster.items.find((/** @type {Json} */ item) => item.kind === kind && `${item.metadata.namespace}/${item.metadata.name}` === name);
  if (!found) throw new Error(`the snapshot has no ${kind} ${name}`);
  return structuredClone(found);
}

/**
 * The review that an API server would send, with a unique uid.
 * @param {string} operation
 * @param {Json | null} object
 * @param {Json | null} [oldObject]
 * @returns {Json}
 */
export function reviewOf(operation, object, oldObject = null) {
  const { request, ...envelope } = envelopeOf(operation, object, oldObject);
  return { ...envelope, request: { ...request, uid: `uid-of-${(object ?? oldObject)?.metadata.name}`, options: null } };
}

/**
 * The creation of a slice that gives pods of one Service to another, which is allowed.
 * @param {Json} cluster the snapshot, read
 */
export function handSlice(cluster) {
  const sliceOf = (/** @type {string} */ service) =>
    cluster.items.find((/** @type {Json} */ item) => item.kind === 'EndpointSlice' && item.metadata.labels['kubernetes.io/service-name'] === service);
  const { addresses } = sliceOf('cart').endpoints[0];
  return reviewOf('CREATE', {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 'by-hand', namespace: 'shop', labels: { 'kubernetes.io/service-name': 'catalog' } },
    addressType: 'IPv4',
    endpoints: [{ addresses }],
    ports: sliceOf('catalog').ports,
  });
}

/** A small review. @param {string} [uid] */
export function anyReview(uid = 'any') {
  const object = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web', namespace: 'shop' } };
  const review = reviewOf('CREATE', object);
  review.request.uid = uid;
  return JSON.stringify(review);
}
