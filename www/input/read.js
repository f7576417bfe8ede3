/**
 * Converts what was pasted, dropped or opened to the JSON bytes that the core reads. JSON is passed through unchanged;
 * YAML, one document or many, is converted by a part that loads only when needed. The result can also map
 * a path in the JSON to a position in the text, so that errors can be shown in place.
 */
import { joined } from '../model/bytes.js';
import { UnreadableInput } from './unreadable.js';

/**
 * @import {TextChange} from './changes.js'
 *
 * @typedef {object} Reading
 * @property {'json' | 'yaml'} format
 * @property {string} text the input as text
 * @property {Uint8Array} bytes the input as JSON
 * @property {boolean} isPlain whether each character of what was given is the byte at the same position
 * @property {(path: string) => {line: number, column: number} | null} locate
 */

const encoder = new TextEncoder();
const decoder = new TextDecoder();
/** It begins a line that separates documents. */
const SEPARATOR = '\n---';
/** And what is less. */
const SPACE = 0x20;

/**
 * @param {Uint8Array | string} raw
 * @param {{isOwn?: boolean}} [options] whether it is settings or a scenario, whose YAML is not read as `kubectl` reads manifests
 * @returns {Promise<Reading>}
 */
export async function readInput(raw, { isOwn = false } = {}) {
  const { bytes, text } = typeof raw === 'string' ? unmarked(raw) : decode(raw);
  if (text.trim() === '') throw new UnreadableInput({ code: 'Empty', message: 'there is no input yet', text });
  if (looksLikeJson(text)) {
    const json = bytes ?? encode(text);
    return { format: 'json', text, bytes: json, isPlain: typeof raw === 'string' && json.length === raw.length, locate: () => null };
  }
  const { convertYaml } = await import(/* webpackChunkName: "yaml" */ './yaml.js');
  return { format: 'yaml', isPlain: false, ...convertYaml(text, isOwn) };
}

/**
 * The same after changes of the text, made in the bytes: the text itself is made only if it is asked for. Null if it must be
 * read again: where not every character is a byte, and where it may become YAML.
 * @param {Reading} reading @param {TextChange[]} changes in order @returns {Reading | null}
 */
export function changedReading({ isPlain, bytes: before }, changes) {
  const first = changes[0]?.from ?? before.length;
  if (!isPlain || first <= before.findIndex((byte) => byte > SPACE)) return null;
  /** @type {(string | Uint8Array)[]} */
  const parts = [];
  let [at, by] = [0, 0];
  const places = changes.map(({ from, to, insert }) => {
    parts.push(before.subarray(at, from), insert);
    const place = { from: from + by, to: from + by + insert.length };
    [at, by] = [to, by + insert.length - (to - from)];
    return place;
  });
  const bytes = joined([...parts, before.subarray(at)]);
  if (bytes.length !== before.length + by) return null;
  const around = places.map(({ from, to }) => decoder.decode(bytes.subarray(Math.max(0, from - SEPARATOR.length), to + SEPARATOR.length)));
  if (around.some((text) => text.includes(SEPARATOR))) return null;
  /** @type {string | null} */
  let text = null;
  return {
    format: 'json',
    bytes,
    isPlain,
    locate: () => null,
    get text() {
      return (text ??= decoder.decode(bytes));
    },
  };
}

/**
 * A `---` line is never JSON, but separates documents of JSON as well as YAML.
 * @param {string} text
 */
export function looksLikeJson(text) {
  return /^\s*[[{]/.test(text) && !text.includes(SEPARATOR);
}

/** Encodes into memory of the right size, which is several times faster for megabytes. @param {string} text */
function encode(text) {
  const bytes = new Uint8Array(text.length);
  const { read, written } = encoder.encodeInto(text, bytes);
  // If a character takes several bytes, the size was wrong.
  return read === text.length ? bytes.subarray(0, written) : encoder.encode(text);
}

/** @param {string} raw @returns {{text: string, bytes: Uint8Array | null}} */
function unmarked(raw) {
  return { text: raw.startsWith('\uFEFF') ? raw.slice(1) : raw, bytes: null };
}

/**
 * A Windows shell redirects output as UTF-16, and some editors begin a file with a byte order
 * mark: both are undone here; everything else is left to the core.
 * @param {Uint8Array} raw
 */
function decode(raw) {
  const [first, second] = raw;
  const wide = first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : null;
  const text = new TextDecoder(wide ?? 'utf-8').decode(raw);
  const marked = wide !== null || first === 0xef;
  return { text, bytes: marked ? new TextEncoder().encode(text) : raw };
}
