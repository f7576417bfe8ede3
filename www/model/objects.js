/**
 * The objects of an input by kind, for a plan request or for objects as kubectl prints them.
 * @import {Legend} from '../types.js'
 * @import {Slice} from './service.js'
 */

import { objectsOf } from '../input/walk.js';

/**
 * @typedef {Record<string, string> | null} Texts
 * @typedef {object} Kube the fields that are read of any object
 * @property {string} [kind]
 * @property {{namespace?: string, name?: string, uid?: string, labels?: Texts, annotations?: Texts}} metadata
 * @property {{clusterIP?: string, clusterIPs?: string[] | null}} [spec]
 * @property {{allocatable?: object, conditions?: object[]}} [status]
 *
 * @typedef {{Service: Kube[], Pod: Kube[], Node: Kube[], EndpointSlice: Slice[]}} Objects
 */

/** @param {any} root of a plan request @returns {Objects} */
export function collectRequest(root) {
  return byKind(root, 'request');
}

/** Objects that name no namespace are in this one, except those of a plan request. */
const NAMESPACE = 'default';

/** The metadata of an object outside of plan requests. @template T @param {string} kind @param {T & {namespace?: string}} metadata */
export function placed(kind, metadata) {
  return kind === 'Node' || metadata?.namespace ? metadata : { ...metadata, namespace: NAMESPACE };
}

/** @param {any} root an object, an array, a list, or lists in lists, each object with its namespace @returns {Objects} */
export function collectSnapshot(root) {
  return byKind(root, 'snapshot');
}

/** @param {any} root @param {'request' | 'snapshot'} form */
function byKind(root, form) {
  /** @type {Objects} */
  const objects = { Service: [], Pod: [], Node: [], EndpointSlice: [] };
  for (const { kind, value } of objectsOf(root, form)) {
    const object = form === 'request' ? value : { ...value, metadata: placed(kind, value.metadata) };
    if (Object.hasOwn(objects, kind)) objects[/** @type {keyof Objects} */ (kind)].push(object);
  }
  return objects;
}

/** The name of an object, with its namespace if it has one. @param {{namespace?: string, name?: string}} meta */
export function keyOf({ namespace, name = '' }) {
  return namespace ? `${namespace}/${name}` : name;
}

/** A Service's name in questions to the core. @param {string} key */
export function askedAs(key) {
  return key.includes('/') ? key : `/${key}`;
}

/**
 * The Service of that name; of only one, that one.
 * @template T
 * @param {T[]} services @param {string} asked as in questions to the core @param {(service: T) => Kube['metadata']} metadataOf @returns {T}
 */
export function serviceAsked(services, asked, metadataOf) {
  const found = services.find((each) => askedAs(keyOf(metadataOf(each))) === asked) ?? (services.length === 1 ? services[0] : undefined);
  if (found === undefined) throw new Error(`There is no Service ${asked.replace(/^\//, '')} in this input.`);
  return found;
}

/** The Service whose name a slice carries. @param {Slice} slice @param {Legend} legend */
export function serviceKeyOf({ metadata: { namespace, labels } }, legend) {
  return keyOf({ namespace, name: labels?.[legend.labels.service] });
}
