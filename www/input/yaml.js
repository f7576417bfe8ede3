/**
 * YAML to JSON, with positions. One document becomes its value; several become an array of the documents
 * with content, as on the command line.
 */
import { isMap, isSeq, isScalar } from 'yaml';
import { YamlError, readDocuments } from '../../yaml/documents.js';
import { UnreadableInput } from './unreadable.js';

/**
 * @import {Document, Node} from 'yaml'
 * @import {Place} from '../../yaml/documents.js'
 */

/**
 * @param {string} text
 * @returns {{text: string, bytes: Uint8Array, locate: (path: string) => Place | null}}
 */
export function convertYaml(text) {
  const { json, documents, placeOf } = read(text);
  const single = documents.length === 1;
  return {
    text,
    bytes: new TextEncoder().encode(single ? json[0] : `[${json.join(',')}]`),
    locate: (path) => locate(single ? documents[0] : documents, path, placeOf),
  };
}

/** @param {string} text */
function read(text) {
  try {
    return readDocuments(text);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    const { code, message, line, column } = error;
    throw new UnreadableInput({ code, message, line, column, text });
  }
}

/**
 * Follows a JSON path (`/items/0/spec`) as far as the text goes: to the value it names or, if that is
 * missing, to its nearest existing parent.
 * @param {Document | Document[] | undefined} root
 * @param {string} path
 * @param {(offset: number) => Place} placeOf
 */
function locate(root, path, placeOf) {
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
  const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === step);
  return pair ? { value: pair.value, offset: offsetOf(pair.key) } : null;
}

/** @param {unknown} node */
function offsetOf(node) {
  return /** @type {Node | null | undefined} */ (node)?.range?.[0] ?? null;
}
