/** What the doors read. The glue lists it, from the tables by which the core reads: see src/api/fields.rs. */

/**
 * What is read of a value; `null` stands for all of it, as for a value of another type than is expected.
 * @typedef {object} Node
 * @property {Node | null} items what is read of each item of a list
 * @property {Map<string, Field> | null} named what is read of the fields of an object
 * @property {boolean} others are unknown fields read as well, to be kept or refused?
 * @property {boolean} isTexts is it only looked at whether it is an object of texts?
 * @property {Only | null} only which items of a list are read; of the others only the types of the fields matter
 * @property {Kinds | null} kinds what is read of an object, or of each in a list, by what it says of itself
 */

/** @typedef {{field: string, value: string}} Only */
/** @typedef {{by: string, of: Map<string, Node | null>}} Kinds the field that says it; what is read, by its value */

/**
 * @typedef {object} Field
 * @property {Node | null} node what is read of its value
 * @property {Uint8Array} start `,"name":`
 */

/** @typedef {{doors: Record<string, unknown>, kinds: Record<string, {by: string, of: Record<string, unknown>}>}} Listed */
/** @typedef {() => Node | null} Read made when the first object comes: most callers have none */

const encoder = new TextEncoder();

/**
 * What each door reads, by its name in the list.
 * @param {Listed} listed
 * @returns {(door: string) => Read}
 */
export function readers({ doors, kinds }) {
  /** @type {Map<string, Node>} */
  const tables = new Map();

  return function reader(door) {
    /** @type {Node | null | undefined} */
    let node;
    return () => (node === undefined ? (node = make(doors[door])) : node);
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
      if (field) node.only = { field, value };
      return node;
    }
    node.named = new Map();
    for (const [key, inner] of Object.entries(tree)) {
      if (key === '*') node.others = true;
      else node.named.set(key, { node: make(inner), start: encoder.encode(`,"${key}":`) });
    }
    return node;
  }

  /** A list may hold lists, so that a table may lead to itself. @param {string} name */
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

/** Nothing is read of an object but its first key, nor of those in a list. @type {Read} */
export const firstKey = () => {
  const node = nothing();
  node.named = new Map();
  node.items = node;
  return node;
};

/** @returns {Node} */
function nothing() {
  return { items: null, isTexts: false, only: null, named: null, others: false, kinds: null };
}
