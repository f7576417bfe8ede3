/**
 * Finds objects and their members in JSON bytes without parsing them into values. The core has read the bytes before
 * without an error. A large input thus stays a single piece of memory, of which only the few objects that the
 * page needs are parsed.
 */
import { REQUEST_FIELDS } from './walk.js';

/**
 * @import {TextChange} from './changes.js'
 *
 * @typedef {{from: number, to: number}} Range of bytes
 * @typedef {{kind: string} & Range} Place an object and its kind
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const MAP = 0x7b;
const MAP_END = 0x7d;
const LIST = 0x5b;
const LIST_END = 0x5d;
/** And what is less. */
const SPACE = 0x20;
/** What a request has besides objects. */
export const OPTIONS = 'options';
/** Kinds that are objects and never lists, whatever else they have. */
const SINGLE = new Set(Object.values(REQUEST_FIELDS));
const decoder = new TextDecoder();

/** @param {Uint8Array} bytes @param {Range} range @returns {any} */
export function valueAt(bytes, { from, to }) {
  return JSON.parse(decoder.decode(bytes.subarray(from, to)));
}

/**
 * The objects of an input, as `objectsOf` (`walk.js`) finds them in its values.
 * @param {Uint8Array} bytes
 * @param {'request' | 'snapshot'} form
 * @returns {Place[]}
 */
export function placesIn(bytes, form) {
  if (form === 'request') return placesInRequest(bytes);
  /** @type {Place[]} */
  const found = [];
  for (let at = start(bytes); at < bytes.length; at = space(bytes, at)) at = scan(bytes, at, found);
  return found.filter(({ kind }) => kind !== '');
}

/**
 * The same after a change within one of them, of which only that one is read again. Null if everything must be read: the change
 * is between them, or the object does not end where it did, or its kind is another.
 * @param {Place[]} places in order @param {TextChange} change of the bytes before @param {Uint8Array} bytes after it
 * @param {'request' | 'snapshot'} form @returns {Place[] | null}
 */
export function movedPlaces(places, { from, to, insert }, bytes, form) {
  const by = insert.length - (to - from);
  const changed = places.findIndex((place) => place.to > from);
  const { kind = '', ...old } = places[changed] ?? {};
  if (kind === '' || from <= old.from || to >= old.to) return null;
  /** @type {Place[]} */
  const found = [];
  const end = form === 'request' ? skip(bytes, old.from) : scan(bytes, old.from, found);
  if (end !== old.to + by || (form === 'snapshot' && (found.length !== 1 || found[0]?.kind !== kind))) return null;
  const after = places.slice(changed + 1).map((place) => ({ kind: place.kind, from: place.from + by, to: place.to + by }));
  return [...places.slice(0, changed), { kind, from: old.from, to: end }, ...after];
}

/** With the options, under their own name. @param {Uint8Array} bytes */
function placesInRequest(bytes) {
  /** @type {Place[]} */
  const found = [];
  eachMember(bytes, start(bytes), (key, at) => {
    const kind = key === OPTIONS ? OPTIONS : Object.hasOwn(REQUEST_FIELDS, key) ? REQUEST_FIELDS[key] : undefined;
    /** @param {number} from */
    const take = (from) => {
      const to = skip(bytes, from);
      if (kind && bytes[from] === MAP) found.push({ kind, from, to });
      return to;
    };
    return kind && bytes[at] === LIST ? eachItem(bytes, at, take) : take(at);
  });
  return found;
}

/** Collects the objects of the value here. @param {Uint8Array} bytes @param {number} from @param {Place[]} found @returns {number} its end */
function scan(bytes, from, found) {
  if (bytes[from] === LIST) return eachItem(bytes, from, (at) => scan(bytes, at, found));
  if (bytes[from] !== MAP) return skip(bytes, from);
  let kind = '';
  /** @type {Place[] | null} */
  let inner = null;
  const to = eachMember(bytes, from, (key, at) => {
    if (key === 'items' && bytes[at] === LIST) {
      const items = (inner ??= []);
      return eachItem(bytes, at, (item) => scan(bytes, item, items));
    }
    const end = skip(bytes, at);
    if (key === 'kind' && bytes[at] === QUOTE) kind = valueAt(bytes, { from: at, to: end });
    return SINGLE.has(kind) && !inner ? leave(bytes, end) : end;
  });
  // A list may state its kind after its items.
  if (inner) for (const each of /** @type {Place[]} */ (inner)) found.push({ ...each, kind: each.kind || kind.replace(/List$/, '') });
  else found.push({ kind, from, to });
  return to;
}

/** The members of the map that begins here; the last one of duplicates. @param {Uint8Array} bytes @param {number} [from] */
export function membersOf(bytes, from = start(bytes)) {
  /** @type {Map<string, Range>} */
  const members = new Map();
  if (bytes[from] !== MAP) return members;
  eachMember(bytes, from, (key, at) => {
    const to = skip(bytes, at);
    members.set(key, { from: at, to });
    return to;
  });
  return members;
}

/** @param {Uint8Array} bytes @param {Range | undefined} range of a list @returns {Range[]} */
export function itemsOf(bytes, range) {
  /** @type {Range[]} */
  const items = [];
  if (!range || bytes[range.from] !== LIST) return items;
  eachItem(bytes, range.from, (from) => rangeInto(items, from, skip(bytes, from)));
  return items;
}

/**
 * The items of some lists in the map that begins here, found in one pass.
 * @param {Uint8Array} bytes
 * @param {number} from
 * @param {string[]} names
 * @returns {{lists: Range[][], to: number}} in the order of the names, and the end of the map
 */
export function listsOf(bytes, from, names) {
  /** @type {Range[][]} */
  const lists = names.map(() => []);
  const to = eachMember(bytes, from, (key, at) => {
    const list = bytes[at] === LIST ? lists[names.indexOf(key)] : undefined;
    return list ? eachItem(bytes, at, (item) => rangeInto(list, item, skip(bytes, item))) : skip(bytes, at);
  });
  return { lists, to };
}

/** @param {Range[]} list @param {number} from @param {number} to */
function rangeInto(list, from, to) {
  list.push({ from, to });
  return to;
}

/** The value at a path of members; null if the path does not exist. @param {Uint8Array} bytes @param {Range} range @param {string[]} names */
export function memberAt(bytes, range, names) {
  /** @type {Range | undefined} */
  let at = range;
  for (const name of names) at = at && bytes[at.from] === MAP ? membersOf(bytes, at.from).get(name) : undefined;
  return at;
}

/**
 * Calls back with every member; the callback returns the member's end.
 * @param {Uint8Array} bytes @param {number} from of the map @param {(key: string, at: number) => number} take @returns {number} where the map ends
 */
function eachMember(bytes, from, take) {
  let at = space(bytes, from + 1);
  while (at < bytes.length && bytes[at] !== MAP_END) {
    const to = stringEnd(bytes, at);
    const key = keyOf(bytes, at, to);
    at = space(bytes, to);
    if (bytes[at] === COLON) at = space(bytes, at + 1);
    at = space(bytes, take(key, at));
    if (bytes[at] === COMMA) at = space(bytes, at + 1);
  }
  return at + 1;
}

/** @param {Uint8Array} bytes @param {number} from of the list @param {(at: number) => number} take @returns {number} where the list ends */
function eachItem(bytes, from, take) {
  let at = space(bytes, from + 1);
  while (at < bytes.length && bytes[at] !== LIST_END) {
    at = space(bytes, take(at));
    if (bytes[at] === COMMA) at = space(bytes, at + 1);
  }
  return at + 1;
}

/** @param {Uint8Array} bytes @param {number} from @param {number} to */
function keyOf(bytes, from, to) {
  const text = decoder.decode(bytes.subarray(from, to));
  return text.includes('\\') ? JSON.parse(text) : text.slice(1, -1);
}

/** The end of the value that begins here. @param {Uint8Array} bytes @param {number} from */
function skip(bytes, from) {
  const open = bytes[from];
  if (open === QUOTE) return stringEnd(bytes, from);
  if (open === MAP || open === LIST) return leave(bytes, from + 1) + 1;
  let at = from;
  while (at < bytes.length && !isEnd(/** @type {number} */ (bytes[at]))) at += 1;
  return at;
}

/** The closing bracket for the one at this position. @param {Uint8Array} bytes @param {number} from */
function leave(bytes, from) {
  const { length } = bytes;
  let depth = 1;
  for (let at = from; at < length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) at = stringEnd(bytes, at) - 1;
    else if (byte === MAP || byte === LIST) depth += 1;
    else if (byte === MAP_END || byte === LIST_END) {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return length;
}

/** The position after the closing quote of the string. @param {Uint8Array} bytes @param {number} from */
function stringEnd(bytes, from) {
  const { length } = bytes;
  let at = from + 1;
  for (; at < length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) return at + 1;
    if (byte === BACKSLASH) at += 1;
  }
  return length;
}

/** @param {number} byte */
function isEnd(byte) {
  return byte <= SPACE || byte === COMMA || byte === MAP_END || byte === LIST_END;
}

/** @param {Uint8Array} bytes @param {number} from */
function space(bytes, from) {
  let at = from;
  while (at < bytes.length && /** @type {number} */ (bytes[at]) <= SPACE) at += 1;
  return at;
}

/** The position after a byte order mark. @param {Uint8Array} bytes */
function start(bytes) {
  return space(bytes, bytes[0] === 0xef ? 3 : 0);
}
