/**
 * What goes in comes out: bytes give bytes, text gives text, a value gives a value. Everything else is
 * refused with a typed error, because a guess would drop something in silence.
 */
import { SlicewiseError } from './error.js';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * @typedef {object} Opened
 * @property {Uint8Array} bytes what the core reads
 * @property {(answer: Uint8Array) => any} answer the core's bytes in the shape of the input
 */

/**
 * @param {unknown} input
 * @param {string} what the input's name in messages
 * @param {(text: string) => any} [parse] makes values of an answer to a value
 * @returns {Opened}
 */
export function open(input, what, parse = JSON.parse) {
  if (input instanceof Uint8Array) return { bytes: input, answer: (answer) => answer };
  if (typeof input === 'string') return { bytes: encode(input, what), answer: decode };
  return { bytes: encode(stringify(input, what), what), answer: (answer) => parse(decode(answer)) };
}

/**
 * The bytes of an argument that may be left out.
 * @param {unknown} input
 * @param {string} what
 */
export function openOptional(input, what) {
  return input === undefined || input === null ? new Uint8Array() : open(input, what).bytes;
}

/** @param {string} text @param {string} what */
function encode(text, what) {
  if (text.isWellFormed()) return encoder.encode(text);
  throw new SlicewiseError({ code: 'InvalidJson', message: `half a surrogate pair, which is no Unicode text, is in ${what}` });
}

/** @param {Uint8Array} answer */
export function decode(answer) {
  try {
    return decoder.decode(answer);
  } catch (cause) {
    const message = 'the answer is longer than a string can be: pass a Uint8Array to get one';
    throw new SlicewiseError({ code: 'TooLarge', message }, { cause });
  }
}

/** @param {unknown} input @param {string} what */
function stringify(input, what) {
  if (typeof input !== 'object' || input === null || isLost(input)) throw wrongType(what, kindOf(input));
  const text = stringifyOrThrow(input, what);
  // `null` is rare in what an API server prints, and the only trace that NaN and the like leave.
  if (text.includes('null')) refuseLostValues(input, what);
  return text;
}

/** @param {object} input @param {string} what */
function stringifyOrThrow(input, what) {
  let text;
  try {
    text = JSON.stringify(input, (key, value) => {
      if (!isLost(value)) return value;
      throw new SlicewiseError({ code: 'InvalidType', message: `${what} must hold plain objects only, \`${key}\` is ${kindOf(value)}` });
    });
  } catch (cause) {
    if (cause instanceof SlicewiseError) throw cause;
    throw new SlicewiseError({ code: 'InvalidJson', message: `${what} cannot be written as JSON: ${firstLine(cause)}` }, { cause });
  }
  if (typeof text !== 'string') throw wrongType(what, `an object whose toJSON gives ${text}`);
  return text;
}

/**
 * JSON.stringify turns these into `null`, which would read as "absent".
 * @param {object} input
 * @param {string} what
 */
function refuseLostValues(input, what) {
  JSON.stringify(input, function check(key, value) {
    const lost = typeof value === 'number' ? !Number.isFinite(value) : Array.isArray(this) && !isJson(value);
    if (!lost) return value;
    const name = Array.isArray(this) ? `item ${key} of a list` : `\`${key}\``;
    throw new SlicewiseError({ code: 'InvalidValue', message: `${what} cannot be written as JSON: ${name} is ${String(value)}` });
  });
}

/**
 * JSON.stringify makes an empty object of these, or of bytes one with numbers for keys.
 * @param {unknown} value
 */
function isLost(value) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return ArrayBuffer.isView(value) || [ArrayBuffer, Map, Promise, Set, WeakMap, WeakSet].some((type) => value instanceof type);
}

/** @param {unknown} value */
function isJson(value) {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
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
