/**
 * The input as a text that undo steps can refer to: one that is no longer shown is stored as the difference from a newer
 * one until it is read again. Two hundred steps in an input of megabytes thus take little more than one.
 * @import {Source} from '../types.js'
 */
import { applyChanges, changeBetween } from '../input/changes.js';
import { textIn } from '../model/pieces.js';

/** Shorter ones are cheap to keep. */
const LONG = 10_000;

/** @typedef {Pick<Source, 'text' | 'name' | 'size' | 'bytes'>} PlainSource as it is saved */

/** @implements {Source} */
class KeptSource {
  name;
  size;
  bytes;
  /** Null while it is stored as a difference. @type {string | null} */
  #text;
  /** @type {{of: Source, change: import('../input/changes.js').TextChange} | null} */
  #kept = null;

  /** @param {PlainSource} plain */
  constructor({ text, name, size, bytes }) {
    this.#text = text;
    this.name = name;
    this.size = size;
    if (bytes) this.bytes = bytes;
  }

  get text() {
    if (this.#kept) {
      this.#text = applyChanges(this.#kept.of.text, [this.#kept.change]);
      this.#kept = null;
    }
    return this.#text ?? '';
  }

  get weight() {
    return (this.#kept?.change.insert ?? this.#text ?? '').length;
  }

  /** @param {Source} other */
  keepAsChangeOf(other) {
    const { text } = this;
    if (other === this || text.length < LONG) return;
    const change = changeBetween(other.text, text) ?? { from: 0, to: 0, insert: '' };
    if (change.insert.length > text.length / 2) return;
    // A substring of a long text would keep all of it alive.
    this.#kept = { of: other, change: { ...change, insert: structuredClone(change.insert) } };
    this.#text = null;
  }

  /** @returns {PlainSource} */
  plain() {
    const { text, name, size, bytes } = this;
    return { text, name, size, ...(bytes && { bytes }) };
  }
}

/** @param {PlainSource} plain @returns {Source} */
export function sourceOf(plain) {
  return new KeptSource(plain);
}

/** @param {string} text @param {string} [name] @returns {Source} */
export function sourceOfText(text, name = '') {
  return new KeptSource({ text, name, size: text.length });
}

/** The text of a file, with the bytes only if not all of them are in it. @param {Uint8Array} bytes @param {string} name @returns {Promise<Source>} */
export async function sourceOfFile(bytes, name) {
  const [first, second] = bytes;
  const wide = first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : null;
  const { text, isWhole } = await textIn(bytes, wide ?? 'utf-8');
  return new KeptSource({ text, name, size: bytes.length, ...(!isWhole && { bytes }) });
}
