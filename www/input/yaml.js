/**
 * YAML to JSON, with positions. One document becomes its value; several become an array of the documents
 * that hold something, as the command line takes them.
 */
import { LineCounter, isMap, isSeq, isScalar, parseAllDocuments } from 'yaml';
import { UnreadableInput } from './read.js';

/**
 * @import {Document, Node} from 'yaml'
 * @typedef {{line: number, column: number}} Place
 */

/**
 * @param {string} text
 * @returns {{text: string, bytes: Uint8Array, locate: (path: string) => Place | null}}
 */
export function convertYaml(text) {
  const lines = new LineCounter();
  const parsed = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false });
  const documents = (Array.isArray(parsed) ? parsed : []).filter((document) => !isBlank(document));
  for (const document of documents) refuseBroken(document, lines, text);
  const values = documents.map((document) => toValue(document, lines, text));
  const single = documents.length === 1;
  const json = JSON.stringify(single ? values[0] : values) ?? 'null';
  return {
    text,
    bytes: new TextEncoder().encode(json),
    locate: (path) => locate(single ? documents[0] : documents, path, lines),
  };
}

/** @param {Document} document */
function isBlank(document) {
  const { contents } = document;
  return document.errors.length === 0 && (contents === null || (isScalar(contents) && contents.value === null));
}

/** @param {Document} document @param {LineCounter} lines @param {string} text */
function refuseBroken(document, lines, text) {
  const [error] = document.errors;
  if (!error) return;
  throw new UnreadableInput({ code: 'InvalidYaml', message: error.message, text, ...placeOf(lines, error.pos[0]) });
}

/** @param {Document} document @param {LineCounter} lines @param {string} text */
function toValue(document, lines, text) {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new UnreadableInput({ code: 'InvalidYaml', message, text, ...placeOf(lines, document.range?.[0] ?? 0) });
  }
}

/**
 * Follows a JSON path (`/items/0/spec`) as far as the text goes: to the value it names, or, when that is
 * missing, to the nearest thing around it.
 * @param {Document | Document[] | undefined} root
 * @param {string} path
 * @param {LineCounter} lines
 */
function locate(root, path, lines) {
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
  return offset === null ? null : placeOf(lines, offset);
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

/** @param {LineCounter} lines @param {number} offset @returns {Place} */
function placeOf(lines, offset) {
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
}
