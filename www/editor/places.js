/**
 * The text and the schemas together: which type belongs where.
 * @import {SyntaxNode} from '@lezer/common'
 * @import {Text} from '@codemirror/state'
 * @import {Place, Schemas, Type} from './schema.js'
 * @import {Entry} from './structure.js'
 */
import { entriesOf, isMap, isName, isScalar, ownerOf, rootsOf, textOf } from './structure.js';

/**
 * @typedef {object} Visit a value with its type
 * @property {SyntaxNode} node
 * @property {Type} type
 * @property {string} key the key that it is at, or that its list is at
 * @property {Entry[]} entries
 */

/** Fields with labels, of which those that occur are worth proposing. */
const LABELS = new Set(['labels', 'selector', 'matchLabels', 'nodeSelector']);
/** Fields whose values occur again elsewhere. */
const SHARED = new Set(['namespace', 'nodeName', 'zone', 'service']);
/** Names of a scenario's zones and nodes, by the list they are in, which its actions repeat. @type {Record<string, {field: string, as: string}>} */
const NAMED = { zones: { field: 'name', as: 'zone' }, nodeNames: { field: '', as: 'node' } };
const ZONE = 'topology.kubernetes.io/zone';

/** The value of a field of a map, for the schema of an object; null without it. @param {Entry[]} entries @param {Text} text */
function reader(entries, text) {
  return (/** @type {string} */ field) => {
    const entry = entries.find(({ key }) => key === field);
    return entry ? (isScalar(entry.value) ? textOf(/** @type {SyntaxNode} */ (entry.value), text) : '') : null;
  };
}

/**
 * The type of a value, or of the value of a name; null where anything may be.
 * @param {SyntaxNode} node @param {Text} text @param {Schemas} schemas @returns {{type: Type, owner: Type | null, key: string} | null}
 */
export function typeAt(node, text, schemas) {
  const placed = placeOf(node, text, schemas);
  const entries = isName(node) ? [] : entriesOf(node, text);
  return placed && { ...placed, type: schemas.typeOf(placed.place, reader(entries, text)) };
}

/** @param {SyntaxNode} node @param {Text} text @param {Schemas} schemas @returns {{place: Place, owner: Type | null, key: string} | null} */
function placeOf(node, text, schemas) {
  const holder = ownerOf(node, text);
  if (!holder) return { place: schemas.root, owner: null, key: '' };
  const above = placeOf(holder.node, text, schemas);
  if (!above) return null;
  if (!isMap(holder.node)) {
    const list = schemas.typeOf(above.place);
    const place = above.owner === null && above.key === '' ? schemas.root : list.items;
    return place && { place, owner: list, key: above.key };
  }
  const owner = schemas.typeOf(above.place, reader(entriesOf(holder.node, text), text));
  const place = schemas.field(owner, holder.key);
  return place && { place, owner, key: holder.key };
}

/**
 * All values that have a type and are in a range, from outside to inside.
 * @param {SyntaxNode} top @param {Text} text @param {Schemas} schemas @param {{from: number, to: number}} range @returns {Generator<Visit>}
 */
export function* visits(top, text, schemas, { from, to }) {
  /** @param {SyntaxNode} node @param {Place} place @param {string} key @param {boolean} isRoot @returns {Generator<Visit>} */
  function* below(node, place, key, isRoot) {
    if (node.to < from || node.from > to) return;
    const entries = entriesOf(node, text, { from, to });
    const type = schemas.typeOf(place, reader(entries, text));
    yield { node, type, key, entries };
    for (const entry of entries) {
      const next = isMap(node) ? schemas.field(type, entry.key) : isRoot ? schemas.root : type.items;
      if (entry.value && next) yield* below(entry.value, next, isMap(node) ? entry.key : key, false);
    }
  }
  for (const root of rootsOf(top)) yield* below(root, schemas.root, '', true);
}

/**
 * The labels that occur, with their values, and the values of fields that are worth repeating.
 * @typedef {{labels: Map<string, Set<string>>, shared: Map<string, Set<string>>}} Occurring
 * @param {SyntaxNode} top @param {Text} text @param {Schemas} schemas @returns {Occurring}
 */
export function occurring(top, text, schemas) {
  /** @type {Occurring} */
  const found = { labels: new Map(), shared: new Map() };
  const note = (/** @type {Map<string, Set<string>>} */ all, /** @type {string} */ key, /** @type {string} */ value) => {
    if (value !== '') all.set(key, (all.get(key) ?? new Set()).add(value));
  };
  for (const { key, entries } of visits(top, text, schemas, { from: 0, to: text.length })) {
    for (const entry of entries) {
      if (!isScalar(entry.value)) continue;
      const value = textOf(/** @type {SyntaxNode} */ (entry.value), text);
      if (LABELS.has(key)) note(found.labels, entry.key, value);
      if (LABELS.has(key) && entry.key === ZONE) note(found.shared, 'zone', value);
      if (SHARED.has(entry.key)) note(found.shared, entry.key, value);
      const named = NAMED[key];
      if (named?.field === entry.key) note(found.shared, named.as, value);
    }
  }
  return found;
}

/** Whether the fields of the value at a key are labels. @param {string} key @param {Type | null} type */
export function holdsLabels(key, type) {
  return LABELS.has(key) && type !== null && (type.others !== null || type.names.length === 0);
}
