/**
 * A text as its syntax tree has it, valid or not: maps, lists and what is in them, the same for JSON and YAML.
 * @import {SyntaxNode} from '@lezer/common'
 * @import {EditorState, Text} from '@codemirror/state'
 */
import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';

/**
 * @typedef {object} Entry a member of a map, or an item of a list
 * @property {string} key empty in a list
 * @property {SyntaxNode | null} name
 * @property {SyntaxNode | null} value
 * @property {SyntaxNode} node
 */

const MAPS = new Set(['Object', 'BlockMapping', 'FlowMapping']);
const LISTS = new Set(['Array', 'BlockSequence', 'FlowSequence']);
const SCALARS = new Set(['String', 'Number', 'True', 'False', 'Null', 'Literal', 'QuotedLiteral', 'BlockLiteral']);
const NAMES = new Set(['PropertyName', 'Key']);
const MEMBERS = new Set(['Property', 'Pair']);
/** What stands around a value. */
const WRAPPERS = new Set(['JsonText', 'Stream', 'Document', 'Item', 'Tagged', 'Anchored']);

/** So short a text is read in a moment whatever it is, and to its end however busy the machine is. */
const SHORT = 5000;
/** How long a longer one is read on, in milliseconds: 100 KB of `- - -` would take half a minute. */
const PATIENCE = 50;

/** The tree up to a position; of a longer text, as far as it has been read. @param {EditorState} state @param {number} to */
export function treeUpTo(state, to) {
  return ensureSyntaxTree(state, to, state.doc.length > SHORT ? PATIENCE : Infinity) ?? syntaxTree(state);
}

/** @param {SyntaxNode | null} node */
export const isMap = (node) => node !== null && MAPS.has(node.name);
/** @param {SyntaxNode | null} node */
export const isList = (node) => node !== null && LISTS.has(node.name);
/** @param {SyntaxNode | null} node */
export const isScalar = (node) => node !== null && SCALARS.has(node.name);
/** @param {SyntaxNode | null} node */
export const isName = (node) => node !== null && NAMES.has(node.name);

/** @param {SyntaxNode} node */
function* childrenOf(node) {
  for (let child = node.firstChild; child; child = child.nextSibling) yield child;
}

/** The values that have no owner: one for JSON, one for each document of YAML. @param {SyntaxNode} top */
export function rootsOf(top) {
  const holders = top.name === 'Stream' ? top.getChildren('Document') : [top];
  return holders.map(valueIn).filter((node) => node !== null);
}

/** The value in a node that holds one. @param {SyntaxNode} holder @returns {SyntaxNode | null} */
function valueIn(holder) {
  for (const child of childrenOf(holder)) {
    if (isMap(child) || isList(child) || isScalar(child)) return child;
    if (WRAPPERS.has(child.name)) return valueIn(child);
  }
  return null;
}

/**
 * What a map holds, or a list in a range of the text: a list of a whole cluster is not walked for the few items that are shown.
 * @param {SyntaxNode} node @param {Text} text @param {{from: number, to: number}} [range] @returns {Entry[]}
 */
export function entriesOf(node, text, { from, to } = node) {
  if (isMap(node)) {
    return [...childrenOf(node)].filter(({ name }) => MEMBERS.has(name)).map((member) => {
      const name = member.getChild('PropertyName') ?? member.getChild('Key');
      return { key: name ? textOf(name, text) : '', name, value: valueIn(member), node: member };
    });
  }
  if (!isList(node)) return [];
  const items = [];
  for (let child = from > node.from ? node.childAfter(from) : node.firstChild; child && child.from <= to; child = child.nextSibling) {
    if (child.name === 'Item' || isMap(child) || isList(child) || isScalar(child)) items.push(child);
  }
  return items.map((item) => ({ key: '', name: null, value: item.name === 'Item' ? valueIn(item) : item, node: item }));
}

/** The map or list that holds a value or a name, and the key it is at; null for a root. @param {SyntaxNode} node @param {Text} text */
export function ownerOf(node, text) {
  let key = '';
  for (let at = node.parent; at; at = at.parent) {
    if (MEMBERS.has(at.name)) {
      const name = at.getChild('PropertyName') ?? at.getChild('Key');
      key = name ? textOf(name, text) : '';
    }
    if (isMap(at) || isList(at)) return { node: at, key };
  }
  return null;
}

/** The name of a member or the scalar at a position. @param {SyntaxNode} node the innermost one there @returns {SyntaxNode | null} */
export function leafAt(node) {
  /** @type {SyntaxNode | null} */
  let leaf = null;
  for (let at = /** @type {SyntaxNode | null} */ (node); at && !isMap(at) && !isList(at); at = at.parent) {
    if (isName(at) || (isScalar(at) && leaf === null)) leaf = at;
  }
  return leaf;
}

/** Whether something in it cannot be read; not what is deeper. @param {SyntaxNode} node */
export function isBroken(node) {
  return [...childrenOf(node)].some(({ type }) => type.isError);
}

/** Where the words of a scalar or a name are: without quotes. @param {SyntaxNode} node @param {Text} text */
export function wordsIn(node, text) {
  const whole = text.sliceString(node.from, node.to);
  const isQuoted = /^(["']).*\1$/s.test(whole) && whole.length > 1;
  return isQuoted ? { from: node.from + 1, to: node.to - 1 } : { from: node.from, to: node.to };
}

/** The value of a scalar or a name; escapes are not undone, as no name of a field has one. @param {SyntaxNode} node @param {Text} text */
export function textOf(node, text) {
  const { from, to } = wordsIn(node, text);
  return text.sliceString(from, to);
}
