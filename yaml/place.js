/** Where a value is in YAML. */
import { isMap, isScalar, isSeq } from 'yaml';
import { keyOf, resolve } from './scalar.js';

/**
 * @import {Document, Node} from 'yaml'
 * @import {Place} from './documents.js'
 */

/**
 * Follows a JSON path (`/items/0/spec`) as far as the text goes: to the value it names or, if that is
 * missing, to its nearest existing parent.
 * @param {Document | Document[] | undefined} root
 * @param {string} path
 * @param {(offset: number) => Place} placeOf
 */
export function locate(root, path, placeOf) {
  const steps = path.split('/').slice(1).map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const document = Array.isArray(root) ? root[Number(steps.shift())] : root;
  /** @type {any} */
  let node = document?.contents;
  let offset = offsetOf(node);
  for (const step of steps) {
    const next = child(node, step);
    if (!next) break;
    node = next.value;
    offset = next.offset;
  }
  return offset === null ? null : placeOf(offset);
}

/**
 * @param {unknown} node
 * @param {string} step
 * @returns {{value: unknown, offset: number | null} | null}
 */
function child(node, step) {
  if (isSeq(node)) {
    const value = node.items[Number(step)];
    return value === undefined ? null : { value, offset: offsetOf(value) };
  }
  if (!isMap(node)) return null;
  const pair = node.items.find((item) => isScalar(item.key) && nameOf(item.key) === step);
  return pair ? { value: pair.value, offset: offsetOf(pair.key) } : null;
}

/** The text that a key is in JSON. @param {import('yaml').Scalar} key */
export function nameOf(key) {
  const text = String(key.value ?? '');
  return key.type === 'PLAIN' ? keyOf(resolve(text), text) : text;
}

/** @param {unknown} node */
function offsetOf(node) {
  return /** @type {Node | null | undefined} */ (node)?.range?.[0] ?? null;
}
