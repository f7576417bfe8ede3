/**
 * Writes values as `JSON.stringify` does, in UTF-8, but omits what is not read. Values that `JSON.stringify` would silently
 * turn into `null` or `{}` are errors.
 *
 * It writes byte by byte: building smaller copies of the objects, or concatenating strings, takes longer, and collecting
 * that garbage far longer.
 */
import { SlicewiseError } from './error.js';

/** @typedef {import('./fields.js').Node} Node */

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const [QUOTE, COMMA, COLON, BACKSLASH, SPACE, TILDE] = [0x22, 0x2c, 0x3a, 0x5c, 0x20, 0x7e];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
/** `JSON.stringify` turns these into empty objects. */
const LOST = [ArrayBuffer, Map, Promise, Set, WeakMap, WeakSet];
const EMPTY = encoder.encode('{}');
/** A list that contains itself. @type {unknown[]} */
const CYCLE = [];
CYCLE.push(CYCLE);
const BOXES = [Number, String, Boolean, BigInt];
/** The initial size of the buffer, and how much of it is kept for the next value. */
const [LEAST, MOST_KEPT] = [1 << 10, 1 << 22];

/** The buffer of a value that is no longer needed. @type {Uint8Array | null} */
let spare = null;
const { hasOwnProperty } = Object.prototype;

/**
 * @param {unknown} input
 * @param {Node | null} node which parts of it are read
 * @param {string} what its name in messages
 * @returns {Uint8Array} to be copied at once: the next value may be written in its place
 */
export function written(input, node, what) {
  // Taken, because a getter of the input may call the package again.
  const writer = new Writer(what, spare ?? new Uint8Array(LEAST));
  spare = null;
  try {
    writer.root(input, node);
    return writer.bytes.subarray(0, writer.at);
  } catch (cause) {
    throw notWritten(what, cause);
  } finally {
    if (writer.bytes.length <= MOST_KEPT) spare = writer.bytes;
  }
}

/** A string in UTF-8. @param {string} text @param {string} what */
export function encoded(text, what) {
  if (text.isWellFormed()) return encoder.encode(text);
  throw new SlicewiseError({ code: 'InvalidJson', message: `there is a lone surrogate, which is not valid Unicode, in ${what}` });
}

/** A string of UTF-8. @param {Uint8Array} text */
export function decoded(text) {
  try {
    return decoder.decode(text);
  } catch (cause) {
    const message = 'the answer is longer than a string can be: pass a Uint8Array to get one';
    throw new SlicewiseError({ code: 'TooLarge', message }, { cause });
  }
}

/**
 * The usual answer to events, with its fields in the order of the JSON.
 * @param {number} taken @param {number} late @param {number} unknown @param {number} bookmarks
 * @param {string} kind @param {string} version
 */
export function applied(taken, late, unknown, bookmarks, kind, version) {
  return { taken, late, unknown, bookmarks, ignored: {}, resourceVersions: { [kind]: version }, errors: [] };
}

class Writer {
  /** @param {string} what @param {Uint8Array} bytes */
  constructor(what, bytes) {
    this.what = what;
    this.bytes = bytes;
    this.at = 0;
    /** @type {object[]} the enclosing objects and lists, `depth` of them */
    this.open = [];
    this.depth = 0;
  }

  /** @param {unknown} input @param {Node | null} node */
  root(input, node) {
    this.value(rootOf(input, this.what), node, '', '', false);
  }

  /**
   * @param {any} value the value, after toJSON
   * @param {Node | null} node which parts of it are read
   * @param {string} kind its kind if it does not state one
   * @param {string | number} key
   * @param {boolean} isItem whether the key is a list index
   */
  value(value, node, kind, key, isItem) {
    if (typeof value === 'string') this.text(value);
    else if (typeof value === 'object' && value !== null) this.container(value, node, kind, key, isItem);
    else if (typeof value === 'bigint') throw notWritten(this.what, refusal(value), this.pointer(key));
    else if (typeof value === 'number' && !Number.isFinite(value)) throw this.notJson(value, key, isItem);
    else this.ascii(String(value));
  }

  /** @param {any} value @param {Node | null} node @param {string} kind @param {string | number} key @param {boolean} isItem */
  container(value, node, kind, key, isItem) {
    const { open, depth } = this;
    for (let level = 0; level < depth; level += 1) {
      if (open[level] === value) throw notWritten(this.what, refusal(CYCLE), this.pointer(key));
    }
    open[depth] = value;
    this.depth = depth + 1;
    if (Array.isArray(value)) {
      this.list(value, node, kind);
    } else if (isPlain(value)) {
      this.object(value, node, kind);
    } else if (isLost(value)) {
      throw notPlain(this.what, value, key, pointer(open.slice(0, depth), key));
    } else if (BOXES.some((Box) => value instanceof Box)) {
      this.value(value.valueOf(), null, '', key, isItem);
    } else {
      this.object(value, node, kind);
    }
    this.depth = depth;
  }

  /** @param {any[]} list @param {Node | null} node @param {string} kind */
  list(list, node, kind) {
    const each = node === null || node.kinds !== null ? node : node.items;
    const only = node === null ? null : node.only;
    this.byte(OPEN_LIST);
    for (let index = 0; index < list.length; index += 1) {
      if (index > 0) this.byte(COMMA);
      const item = converted(list[index], index);
      if (isAbsent(item)) throw this.notJson(item, index, true);
      // It keeps its place, so that errors about the others have the right index.
      if (only !== null && isAnother(item, only)) this.raw(EMPTY);
      else this.value(item, each, kind, index, true);
    }
    this.byte(CLOSE_LIST);
  }

  /** @param {any} object @param {Node | null} node @param {string} kind */
  object(object, node, kind) {
    const read = node === null || node.kinds === null ? node : ofKind(node.kinds, object, kind);
    const start = this.at;
    if (read === null || (read.named === null && !(read.isTexts && isTexts(object)))) this.allFields(object);
    else if (read.named === null) return this.raw(EMPTY);
    else this.fields(object, read.named, read.others, start);
    if (this.at === start) this.byte(OPEN_OBJECT);
    // Replaces the comma before the first field.
    else this.bytes[start] = OPEN_OBJECT;
    this.byte(CLOSE_OBJECT);
  }

  /** @param {any} object @param {Map<string, import('./fields.js').Field>} named @param {boolean} others @param {number} start */
  fields(object, named, others, start) {
    for (const key in object) {
      if (!hasOwnProperty.call(object, key)) continue;
      const field = named.get(key);
      if (field === undefined) {
        if (others) this.field(key, object[key]);
        // The first key of an input tells what it is, even if its value is not read.
        else if (this.depth === 1 && this.at === start && !isAbsent(object[key])) this.field(key, 0);
        continue;
      }
      const value = converted(object[key], key);
      if (isAbsent(value)) continue;
      const { node } = field;
      this.raw(field.start);
      if (typeof value === 'string') this.text(value);
      else this.value(value, node, node === null || node.kinds === null ? '' : listedKind(object), key, false);
    }
  }

  /** @param {any} object */
  allFields(object) {
    for (const key in object) {
      if (hasOwnProperty.call(object, key)) this.field(key, object[key]);
    }
  }

  /** @param {string} key @param {unknown} given */
  field(key, given) {
    const value = converted(given, key);
    if (isAbsent(value)) return;
    this.byte(COMMA);
    this.text(key);
    this.byte(COLON);
    this.value(value, null, '', key, false);
  }

  /** @param {string} text */
  text(text) {
    const { length } = text;
    const bytes = this.room(length + 2);
    let at = this.at;
    bytes[at++] = QUOTE;
    for (let index = 0; index < length; index += 1) {
      const unit = text.charCodeAt(index);
      if (unit < SPACE || unit > TILDE || unit === QUOTE || unit === BACKSLASH) return this.escaped(text);
      bytes[at++] = unit;
    }
    bytes[at++] = QUOTE;
    this.at = at;
  }

  /** @param {string} text */
  escaped(text) {
    const json = JSON.stringify(text);
    const bytes = this.room(json.length * 3);
    this.at += encoder.encodeInto(json, bytes.subarray(this.at)).written;
  }

  /** @param {string} text */
  ascii(text) {
    const bytes = this.room(text.length);
    for (let index = 0; index < text.length; index += 1) bytes[this.at++] = text.charCodeAt(index);
  }

  /** @param {Uint8Array} part */
  raw(part) {
    this.room(part.length).set(part, this.at);
    this.at += part.length;
  }

  /** @param {number} byte */
  byte(byte) {
    this.room(1)[this.at++] = byte;
  }

  /** The buffer, with room for this many more bytes. @param {number} more */
  room(more) {
    const { bytes, at } = this;
    if (at + more <= bytes.length) return bytes;
    const larger = new Uint8Array(Math.max(at + more, bytes.length * 2));
    larger.set(bytes.subarray(0, at));
    this.bytes = larger;
    return larger;
  }

  /** @param {unknown} value @param {string | number} key @param {boolean} isItem */
  notJson(value, key, isItem) {
    return notJson(this.what, value, key, isItem, this.pointer(key));
  }

  /** @param {string | number} key in the innermost object or list that is open */
  pointer(key) {
    return pointer(this.open.slice(0, this.depth), key);
  }
}

/** The outermost value, after its toJSON. @param {unknown} input @param {string} what */
function rootOf(input, what) {
  if (typeof input !== 'object' || input === null || isLost(input)) throw wrongType(what, kindOf(input));
  const value = converted(input, '');
  if (isAbsent(value)) throw wrongType(what, 'an object whose toJSON gives undefined');
  return value;
}

/** @param {string} what @param {unknown} value @param {string | number} key @param {boolean} isItem @param {string} [path] */
function notJson(what, value, key, isItem, path) {
  const name = isItem ? `item ${key} of a list` : `\`${key}\``;
  return new SlicewiseError({ code: 'InvalidValue', message: `${what} cannot be written as JSON: ${name} is ${String(value)}`, path });
}

/** @param {string} what @param {unknown} value @param {string | number} key @param {string} [path] */
function notPlain(what, value, key, path) {
  return new SlicewiseError({ code: 'InvalidType', message: `${what} must hold plain objects only, \`${key}\` is ${kindOf(value)}`, path });
}

/** What was thrown while a value was read. @param {string} what @param {unknown} cause @param {string} [path] */
function notWritten(what, cause, path) {
  if (cause instanceof SlicewiseError) return cause;
  return new SlicewiseError({ code: 'InvalidJson', message: `${what} cannot be written as JSON: ${firstLine(cause)}`, path }, { cause });
}

/**
 * The position of a value, as a JSON pointer. Found only when it is needed; not known if a getter or toJSON made what is around it.
 * @param {object[]} open the enclosing objects and lists
 * @param {string | number} key
 */
function pointer(open, key) {
  const keys = open.slice(1).map((inner, level) => keyOf(open[level], inner));
  if (keys.includes(undefined)) return undefined;
  return [...keys, key].map((each) => `/${String(each).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** @param {object} outer @param {object} inner @returns {string | undefined} */
function keyOf(outer, inner) {
  try {
    return Object.keys(outer).find((key) => Object.getOwnPropertyDescriptor(outer, key)?.value === inner);
  } catch {
    return undefined;
  }
}

/**
 * The result of an object's toJSON, which gets its position as an argument.
 * @param {any} value
 * @param {string | number} key
 */
function converted(value, key) {
  if (typeof value === 'object' ? value === null : typeof value !== 'bigint' && typeof value !== 'function') return value;
  const { toJSON } = value;
  return typeof toJSON === 'function' ? toJSON.call(value, String(key)) : value;
}

/**
 * Whether it is omitted from an object; in a list, nothing could replace it.
 * @param {unknown} value
 */
function isAbsent(value) {
  return value === undefined || typeof value === 'function' || typeof value === 'symbol';
}

/** @param {object} value */
function isPlain(value) {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** @param {object} value */
function isLost(value) {
  return ArrayBuffer.isView(value) || LOST.some((type) => value instanceof type);
}

/**
 * Whether the item is skipped, and valid as far as it is checked.
 * @param {any} item
 * @param {import('./fields.js').Only} only
 */
function isAnother(item, { field, value, names }) {
  if (typeof item !== 'object' || item === null || !isPlain(item)) return false;
  const own = item[field];
  if (typeof own !== 'string' || own === value) return false;
  for (let index = 0; index < names.length; index += 1) {
    const type = typeof item[names[index]];
    if (type !== 'string' && type !== 'undefined') return false;
  }
  return true;
}

/** Whether it is an object of strings. @param {any} object */
function isTexts(object) {
  for (const key in object) {
    if (hasOwnProperty.call(object, key) && typeof object[key] !== 'string') return false;
  }
  return true;
}

/**
 * What to read of an object of its kind. If its kind is not a string, all of it is read, to be refused.
 * @param {import('./fields.js').Kinds} kinds
 * @param {any} object
 * @param {string} otherwise
 */
function ofKind({ by, of }, object, otherwise) {
  const own = isField(object, by) ? object[by] : undefined;
  const kind = own === undefined || own === null || own === '' ? otherwise : own;
  if (typeof kind !== 'string') return null;
  const known = of.get(kind);
  return known === undefined ? (of.get('') ?? null) : known;
}

/** Whether JSON would have it: `propertyIsEnumerable` takes longer. @param {object} object @param {string} key */
function isField(object, key) {
  for (const own in object) if (own === key) return hasOwnProperty.call(object, key);
  return false;
}

/** The kind of a `PodList`'s items if they do not state one. @param {any} list */
function listedKind(list) {
  const kind = isField(list, 'kind') ? list.kind : undefined;
  return typeof kind === 'string' && kind.endsWith('List') ? kind.slice(0, -'List'.length) : '';
}

/** Why the engine refuses a value, in its own words. @param {unknown} value @returns {unknown} */
function refusal(value) {
  try {
    return JSON.stringify(value);
  } catch (error) {
    return error;
  }
}

/** @param {string} what @param {string} got */
function wrongType(what, got) {
  return new SlicewiseError({ code: 'InvalidType', message: `${what} must be a Uint8Array, a string or a plain object, got ${got}` });
}

/** @param {unknown} value */
function kindOf(value) {
  if (value === null || value === undefined) return String(value);
  if (typeof value === 'object') return `${value.constructor?.name ?? 'object'} (wrap or convert it first)`;
  return `a ${typeof value}`;
}

/** @param {unknown} error */
function firstLine(error) {
  return String(error instanceof Error ? error.message : error).split('\n', 1)[0];
}
