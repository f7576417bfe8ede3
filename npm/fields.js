/** The fields that the functions read. The build lists them, from the tables that read them: see crates/full/src/fields.rs. */

/**
 * Which parts of a value are read; `null` means all of it, as for a value of an unexpected type.
 * @typedef {object} Node
 * @property {Node | null} items for each item of a list
 * @property {Map<string, Field> | null} named for the fields of an object
 * @property {boolean} others whether unknown fields are read as well, to be kept or refused
 * @property {boolean} isTexts whether it is only checked to be an object of strings
 * @property {Only | null} only which items of a list are read; of the others, only the types of the fields matter
 * @property {Kinds | null} kinds for an object, or each object in a list, by its own kind
 */

/** @typedef {{field: string, value: string, names: string[]}} Only the value of the field that tells them, and all fields that are read */
/** @typedef {{by: string, of: Map<string, Node | null>}} Kinds the field that states the kind, and what to read for each of its values */

/**
 * @typedef {object} Field
 * @property {Node | null} node which parts of its value are read
 * @property {Uint8Array} start `,"name":`
 */

/** @typedef {{doors: Record<string, unknown>, kinds: Record<string, {by: string, of: Record<string, unknown>}>}} Listed */

const encoder = new TextEncoder();

/**
 * What each function reads, by its name in the list; all of it if that does not name it. Built when the first object arrives: most
 * callers pass none.
 * @param {Listed} listed
 * @returns {(door: string) => Node | null}
 */
export function readers({ doors, kinds }) {
  /** @type {Map<string, Node>} */
  const tables = new Map();

  /** @type {Map<string, Node | null>} */
  const built = new Map([['detect', firstKey()]]);

  return function read(door) {
    let node = built.get(door);
    if (node === undefined) built.set(door, (node = make(doors[door])));
    return node;
  };

  /** @param {unknown} tree @returns {Node | null} */
  function make(tree) {
    if (typeof tree === 'string') return table(tree);
    const node = nothing();
    if (tree === 2) {
      node.isTexts = true;
      return node;
    }
    if (typeof tree !== 'object' || tree === null) return null;
    if (Array.isArray(tree)) {
      const [items, field, value] = tree;
      node.items = make(items);
      if (field) node.only = { field, value, names: Object.keys(items) };
      return node;
    }
    node.named = new Map();
    for (const [key, inner] of Object.entries(tree)) {
      if (key === '*') node.others = true;
      else node.named.set(key, { node: make(inner), start: encoder.encode(`,"${key}":`) });
    }
    return node;
  }

  /** Lists may contain lists, so a table may refer to itself. @param {string} name */
  function table(name) {
    const known = tables.get(name);
    if (known) return known;
    const node = nothing();
    tables.set(name, node);
    const { by, of } = kinds[name];
    node.kinds = { by, of: new Map(Object.entries(of).map(([kind, tree]) => [kind, make(tree)])) };
    return node;
  }
}

/** Reads only the first key of an object, or of each object in a list. */
function firstKey() {
  const node = nothing();
  node.named = new Map();
  node.items = node;
  return node;
}

/** @returns {Node} */
function nothing() {
  return { items: null, isTexts: false, only: null, named: null, others: false, kinds: null };
}
