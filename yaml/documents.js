/**
 * YAML documents to JSON text, read as `kubectl` reads them, with YAML 1.2's syntax. Whatever JSON cannot express, or obscures
 * the content, is refused: custom tags, infinite numbers, duplicate keys. The differences are in `docs/deviations.md`.
 * The cases in `pkg-tests/yaml` hold the command, the page and the webhook to the same.
 */
import { LineCounter, isAlias, isMap, isScalar, isSeq, parseAllDocuments } from 'yaml';
import { TEXT, UNSPEAKABLE, keyOf, resolve } from './scalar.js';

/**
 * @import {Document, Node, Scalar, YAMLMap, YAMLSeq} from 'yaml'
 * @typedef {{line: number, column: number}} Place
 * @typedef {{json: string, height: number, members?: Map<string, string>, items?: Written[]}} Written a value as JSON, its
 * depth, and its parts
 */

/** The core's maximum depth; one level is reserved for the array around several documents. */
const MAX_DEPTH = 100;
/** How much text aliases may add in total. */
const MAX_ALIASED = 16 * 1024 * 1024;
const CORE_TAG = /^tag:yaml\.org,2002:(null|bool|int|float|str|map|seq)$/;
const TOO_DEEP = `the YAML is nested deeper than ${MAX_DEPTH} levels; give it as JSON`;

/** YAML that is refused: a code of the core, a sentence, and the place. */
export class YamlError extends Error {
  /** @param {string} code @param {string} message @param {Partial<Place>} [place] */
  constructor(code, message, { line, column } = {}) {
    super(message);
    this.name = 'YamlError';
    this.code = code;
    this.line = line;
    this.column = column;
  }
}

/**
 * The documents with content: each as JSON, and as nodes with positions.
 * @param {string} text
 * @param {{isOwn?: boolean}} [options] whether it is a file of our own, such as settings: then `on` and `off` are texts
 * @returns {{json: string[], documents: Document[], placeOf: (offset: number) => Place}}
 */
export function readDocuments(text, { isOwn = false } = {}) {
  const lines = new LineCounter();
  const placeOf = (/** @type {number} */ offset) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const parsed = parse(text, lines);
  for (const { contents, errors: [error] } of parsed) {
    if (!error) continue;
    // Text that is nested too deeply is often unterminated as well.
    if (isTooDeep(contents, 0)) throw new YamlError('TooDeep', TOO_DEEP);
    throw new YamlError('InvalidJson', `the input is not valid YAML: ${error.message}`, placeOf(error.pos[0]));
  }
  const written = parsed.map((document) => ({ document, json: new Writer(document, placeOf, isOwn).write() }));
  const kept = written.filter(({ json }) => json !== 'null');
  const [first] = kept;
  if (!first || (kept.length === 1 && !'{['.includes(first.json[0]))) {
    throw new YamlError('InvalidJson', 'the input is neither JSON nor YAML objects; give the output of `kubectl get … -o json` or `-o yaml`');
  }
  return { json: kept.map(({ json }) => json), documents: kept.map(({ document }) => document), placeOf };
}

/** @param {string} text @param {LineCounter} lineCounter @returns {Document[]} */
function parse(text, lineCounter) {
  try {
    // Scalars stay strings here: `resolve` applies the schema and keeps all digits of numbers.
    const schema = { schema: 'failsafe', resolveKnownTags: false, uniqueKeys: false };
    const parsed = parseAllDocuments(text, { ...schema, lineCounter, prettyErrors: false, logLevel: 'silent' });
    return Array.isArray(parsed) ? parsed : [];
  } catch (error) {
    // The library is recursive.
    if (error instanceof RangeError) throw new YamlError('TooDeep', TOO_DEEP);
    throw error;
  }
}

/** @param {unknown} node @param {number} depth @returns {boolean} */
function isTooDeep(node, depth) {
  if (!isMap(node) && !isSeq(node)) return false;
  if (depth + 1 >= MAX_DEPTH) return true;
  return node.items.some((item) => isTooDeep(isMap(node) ? /** @type {import('yaml').Pair} */ (item).value : item, depth + 1));
}

/** Writes one document. */
class Writer {
  #document;
  #placeOf;
  #isOwn;
  /** @type {Map<string, Written>} */
  #anchors = new Map();
  #aliased = 0;

  /** @param {Document} document @param {(offset: number) => Place} placeOf @param {boolean} isOwn */
  constructor(document, placeOf, isOwn) {
    this.#document = document;
    this.#placeOf = placeOf;
    this.#isOwn = isOwn;
  }

  write() {
    return this.#value(this.#document.contents, 0).json;
  }

  /** @param {unknown} node @param {number} depth @returns {Written} */
  #value(node, depth) {
    if (isAlias(node)) return this.#alias(node, depth);
    const written = this.#content(/** @type {Scalar | YAMLMap | YAMLSeq | null} */ (node), depth);
    const anchor = /** @type {{anchor?: string} | null} */ (node)?.anchor;
    if (anchor) this.#anchors.set(anchor, written);
    return written;
  }

  /** @param {Scalar | YAMLMap | YAMLSeq | null} node @param {number} depth @returns {Written} */
  #content(node, depth) {
    if (!isMap(node) && !isSeq(node)) return { json: isScalar(node) ? this.#scalar(node) : 'null', height: 0 };
    if (depth + 1 >= MAX_DEPTH) throw this.#error('TooDeep', TOO_DEEP, node);
    return isMap(node) ? this.#map(node, depth + 1) : this.#list(node, depth + 1);
  }

  /** @param {YAMLMap} node @param {number} depth @returns {Written} */
  #map(node, depth) {
    this.#checkTag(node, 'map');
    /** @type {Map<string, string>} */
    const members = new Map();
    /** @type {Map<string, string>} */
    const merged = new Map();
    let height = 0;
    for (const { key: keyNode, value: valueNode } of node.items) {
      const isMerge = isMergeKey(keyNode);
      const key = this.#key(keyNode, node);
      if (!isMerge && members.has(key)) {
        throw this.#error('InvalidJson', `the key \`${short(key)}\` appears twice; leave one out`, keyNode);
      }
      const value = this.#value(valueNode, depth);
      height = Math.max(height, value.height);
      if (isMerge) {
        this.#merge(value, keyNode, members, merged);
      } else {
        merged.delete(key);
        members.set(key, value.json);
      }
    }
    for (const key of [...merged.keys()].sort()) members.set(key, /** @type {string} */ (merged.get(key)));
    const texts = [...members].map(([key, json]) => `${JSON.stringify(key)}:${json}`);
    return { json: `{${texts.join(',')}}`, height: height + 1, members };
  }

  /**
   * What a merge key adds to a map: as `kubectl` reads it, it replaces the keys above it, and is replaced by those below.
   * @param {Written} value @param {unknown} keyNode @param {Map<string, string>} members @param {Map<string, string>} merged
   */
  #merge(value, keyNode, members, merged) {
    const maps = (value.items ?? [value]).map((map) => map.members);
    for (const map of maps.reverse()) {
      if (!map) throw this.#error('InvalidJson', '`<<` merges a map or a list of maps, and this is neither', keyNode);
      for (const [key, json] of map) {
        members.delete(key);
        merged.set(key, json);
      }
    }
  }

  /** @param {YAMLSeq} node @param {number} depth @returns {Written} */
  #list(node, depth) {
    this.#checkTag(node, 'seq');
    const items = node.items.map((item) => this.#value(item, depth));
    const height = items.reduce((most, item) => Math.max(most, item.height), 0);
    return { json: `[${items.map(({ json }) => json).join(',')}]`, height: height + 1, items };
  }

  /** @param {unknown} node @param {YAMLMap} map @returns {string} */
  #key(node, map) {
    if (node !== null && !isScalar(node)) throw this.#error('InvalidJson', 'a key must be a plain or quoted text', node ?? map);
    const text = textOf(node);
    // An alias of a key repeats it as a value.
    if (node?.anchor) this.#anchors.set(node.anchor, { json: this.#scalar(node), height: 0 });
    const tag = node && coreTag(node);
    const key = isMergeKey(node) || (!tag && isQuoted(node)) ? text : keyOf(tag ? this.#resolved(node) : resolve(text, this.#isOwn), text);
    if (key === null) throw this.#error('InvalidJson', 'a key must be a text, and this one is null; write it in quotes', node ?? map);
    return key;
  }

  /** @param {Scalar} node */
  #scalar(node) {
    const { kind, json } = this.#resolved(node);
    return kind === TEXT ? JSON.stringify(textOf(node)) : json;
  }

  /** What a scalar stands for. @param {Scalar} node */
  #resolved(node) {
    const text = textOf(node);
    const tag = coreTag(node);
    const resolved = tag === 'str' || (!tag && isQuoted(node)) ? { kind: TEXT, json: '' } : resolve(text, this.#isOwn);
    const { kind } = resolved;
    if (kind === UNSPEAKABLE && (!tag || tag === 'float')) {
      throw this.#error('InvalidValue', `JSON cannot represent the number \`${short(text)}\`; write a finite one`, node);
    }
    if (tag && tag !== kind && !(tag === 'float' && kind === 'int')) throw this.#badTag(node);
    return resolved;
  }

  /** @param {import('yaml').Alias} node @param {number} depth @returns {Written} */
  #alias(node, depth) {
    const written = this.#anchors.get(node.source);
    if (!written) throw this.#error('InvalidJson', 'this alias is inside the value that it refers to, or has no anchor', node);
    this.#aliased += written.json.length;
    if (this.#aliased > MAX_ALIASED) {
      throw this.#error('TooLarge', 'aliases (`*name`) expand the input by more than 16 MiB; write the values out', node);
    }
    if (depth + written.height >= MAX_DEPTH) throw this.#error('TooDeep', TOO_DEEP, node);
    return written;
  }

  /** @param {YAMLMap | YAMLSeq} node @param {string} expected */
  #checkTag(node, expected) {
    if ((coreTag(node) ?? expected) !== expected) throw this.#badTag(node);
  }

  /** @param {Node} node */
  #badTag(node) {
    const tag = short(String(node.tag).replace('tag:yaml.org,2002:', '!!'));
    return this.#error('Unsupported', `the tag \`${tag}\` is unknown, or does not match its value; remove it`, node);
  }

  /** @param {string} code @param {string} message @param {unknown} node */
  #error(code, message, node) {
    const offset = /** @type {Node | null} */ (node)?.range?.[0];
    return new YamlError(code, message, offset === undefined ? {} : this.#placeOf(offset));
  }
}

/** The name of a node's tag in the core schema; null without a tag. @param {Node} node */
function coreTag({ tag }) {
  return tag ? (CORE_TAG.exec(tag)?.[1] ?? 'unknown') : null;
}

/** @param {Scalar | null} node */
function textOf(node) {
  return String(node?.value ?? '');
}

/** @param {Scalar | null} node */
function isQuoted(node) {
  return node !== null && node.type !== 'PLAIN';
}

/** @param {unknown} node */
function isMergeKey(node) {
  if (!isScalar(node) || node.value !== '<<') return false;
  return node.tag ? node.tag === 'tag:yaml.org,2002:merge' : node.type === 'PLAIN';
}

/** @param {string} text */
function short(text) {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
