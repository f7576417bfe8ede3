/**
 * YAML as a tree of places (`text-tree.js`). Several documents become a list of those with content, as for the core.
 * @import {Document, Node as YamlNode, Pair} from 'yaml'
 * @import {Entry, Node} from './text-tree.js'
 */
import { isMap, isScalar, isSeq, stringify } from 'yaml';
import { readDocuments } from '../../yaml/documents.js';
import { nameOf } from '../../yaml/place.js';

/** Parses YAML that is known to be valid. @param {string} text @returns {Node} */
export function yamlTree(text) {
  const { documents } = readDocuments(text);
  if (documents.length === 1) return yamlNode(text, /** @type {YamlNode} */ (documents[0].contents));
  const entries = documents.map(({ contents }, index) => {
    const node = yamlNode(text, /** @type {YamlNode} */ (contents));
    return { key: String(index), from: node.from, node };
  });
  return { type: 'list', block: true, stream: true, from: 0, to: text.length, entries: () => entries };
}

/** A value by indentation, with quotes around what `kubectl` takes for no text. @param {unknown} value */
export function blockText(value) {
  return stringify(value, { lineWidth: 0, compat: 'yaml-1.1' }).trimEnd();
}

/** @param {string} text @param {YamlNode | null} node @param {number} [fallback] its position if it is missing @returns {Node} */
function yamlNode(text, node, fallback = 0) {
  const type = isMap(node) ? 'map' : isSeq(node) ? 'list' : 'scalar';
  const from = node?.range?.[0] ?? fallback;
  const flow = isMap(node) || isSeq(node) ? Boolean(node.flow) : true;
  /** @type {Entry[] | null} */
  let entries = null;
  const list = () => (entries ??= entriesOf(text, node, from));
  return { type, block: !flow, from, to: endOf(text, node, from), entries: list };
}

/** @param {string} text @param {YamlNode | null} node @param {number} from @returns {Entry[]} */
function entriesOf(text, node, from) {
  if (isSeq(node)) {
    return node.items.map((item, index) => {
      const child = yamlNode(text, /** @type {YamlNode} */ (item), from);
      return { key: String(index), from: child.from, node: child };
    });
  }
  if (!isMap(node)) return [];
  return node.items.map((pair) => {
    const { key, value } = /** @type {Pair<YamlNode, YamlNode>} */ (pair);
    const start = key?.range?.[0] ?? from;
    const colon = text.indexOf(':', key?.range?.[1] ?? start) + 1;
    return { key: (isScalar(key) && nameOf(key)) || '', from: start, node: yamlNode(text, value, colon) };
  });
}

/**
 * The position after its last child; the library's own end includes the lines that follow.
 * @param {string} text
 * @param {YamlNode | null} node
 * @param {number} from
 * @returns {number}
 */
function endOf(text, node, from) {
  const end = node?.range?.[1] ?? from;
  if (!(isMap(node) || isSeq(node)) || node.flow || node.items.length === 0) return end;
  if (isSeq(node)) return endOf(text, /** @type {YamlNode | null} */ (node.items.at(-1)), end);
  const { key, value } = /** @type {Pair<YamlNode, YamlNode | null>} */ (node.items.at(-1));
  return endOf(text, value, text.indexOf(':', key?.range?.[1] ?? from) + 1);
}
