/**
 * A text as a tree of positions: what is needed to change a value in place and leave every other byte alone.
 * Parses JSON; YAML (`yaml-tree.js`) gives the same nodes, and loads only when needed.
 */

/**
 * @typedef {object} Entry a member of a map, or an item of a list
 * @property {string} key the index, in a list
 * @property {number} from its start: the key, or the item itself
 * @property {Node} node
 *
 * @typedef {object} Node
 * @property {'map' | 'list' | 'scalar'} type
 * @property {boolean} block whether it is laid out by indentation, as in YAML only
 * @property {boolean} [stream] whether it consists of the documents of a YAML stream
 * @property {number} from
 * @property {number} to
 * @property {() => Entry[]} entries
 */

/**
 * The node at a path, and its position in its parent.
 * @param {Node} root
 * @param {string[]} steps
 * @returns {{node: Node, parent: Node | null, index: number} | null}
 */
export function follow(root, steps) {
  /** @type {{node: Node, parent: Node | null, index: number}} */
  let at = { node: root, parent: null, index: 0 };
  for (const step of steps) {
    const entries = at.node.entries();
    const index = at.node.type === 'list' ? Number(step) : entries.findIndex(({ key }) => key === step);
    if (!entries[index]) return null;
    at = { node: entries[index].node, parent: at.node, index };
  }
  return at;
}

const SPACE = /[ \t\r\n]*/y;
const ATOM = /[^\s,\]}]+/y;
const MARK = /["[\]{}]/g;

/** Parses JSON that is known to be valid. @param {string} text @returns {Node} */
export function jsonTree(text) {
  return jsonNode(text, skip(SPACE, text, text.startsWith('\uFEFF') ? 1 : 0));
}

/** Whether the text has consecutive objects, which the core accepts. @param {string} text */
export function isStream(text) {
  return skip(SPACE, text, jsonTree(text).to) < text.length;
}

/** JSON as values; consecutive objects become a list. @param {string} text @returns {any} */
export function valuesOf(text) {
  if (!isStream(text)) return JSON.parse(text);
  const values = [];
  for (let node = jsonTree(text); node.from < text.length; node = jsonNode(text, skip(SPACE, text, node.to))) {
    values.push(JSON.parse(text.slice(node.from, node.to)));
  }
  return values;
}

/** @param {string} text @param {number} from @returns {Node} */
function jsonNode(text, from) {
  const open = text[from];
  const type = open === '{' ? 'map' : open === '[' ? 'list' : 'scalar';
  /** @type {Entry[] | null} */
  let entries = null;
  return { type, block: false, from, to: endOf(text, from), entries: () => (entries ??= type === 'scalar' ? [] : jsonEntries(text, from, type)) };
}

/** @param {string} text @param {number} open @param {'map' | 'list'} type */
function jsonEntries(text, open, type) {
  /** @type {Entry[]} */
  const entries = [];
  let at = skip(SPACE, text, open + 1);
  while (at < text.length && text[at] !== '}' && text[at] !== ']') {
    const from = at;
    let key = String(entries.length);
    if (type === 'map') {
      at = stringEnd(text, from);
      key = JSON.parse(text.slice(from, at));
      at = skip(SPACE, text, skip(SPACE, text, at) + 1);
    }
    const node = jsonNode(text, at);
    entries.push({ key, from, node });
    at = skip(SPACE, text, node.to);
    if (text[at] === ',') at = skip(SPACE, text, at + 1);
  }
  return entries;
}

/** The end of the value that begins here. @param {string} text @param {number} from */
function endOf(text, from) {
  if (text[from] === '"') return stringEnd(text, from);
  if (text[from] !== '{' && text[from] !== '[') return skip(ATOM, text, from);
  let depth = 0;
  let at = from;
  do {
    MARK.lastIndex = at;
    const mark = MARK.exec(text)?.[0];
    if (!mark) return text.length;
    at = mark === '"' ? stringEnd(text, MARK.lastIndex - 1) : MARK.lastIndex;
    if (mark !== '"') depth += mark === '{' || mark === '[' ? 1 : -1;
  } while (depth > 0);
  return at;
}

/** The position after the closing quote of the string. @param {string} text @param {number} from */
function stringEnd(text, from) {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at;
    while (text[before - 1] === '\\') before -= 1;
    if ((at - before) % 2 === 0) return at + 1;
  }
  return text.length;
}

/** @param {RegExp} pattern a sticky one @param {string} text @param {number} from @returns {number} */
function skip(pattern, text, from) {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
}
