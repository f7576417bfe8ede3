/**
 * The answer has the form of the input: bytes give bytes, text gives text, a value gives a value. Anything else is
 * refused with a typed error, because a guess might silently drop something.
 */
import { SlicewiseError } from './error.js';
import { giveBack, write } from './writer.js';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * @typedef {object} Opened
 * @property {Uint8Array} bytes the input for the core, until it is closed
 * @property {boolean} isValue whether they were made from a value, in which case lines and columns are meaningless
 * @property {(answer: Uint8Array) => any} answer converts the core's bytes to the form of the input
 */

/** @type {import('./fields.js').Read} */
const everything = () => null;

/**
 * @param {unknown} input
 * @param {string} what the input's name in messages
 * @param {import('./fields.js').Read} [read] which fields of a value are read
 * @param {(text: string) => any} [parse] parses the answer to a value
 * @returns {Opened}
 */
export function open(input, what, read = everything, parse = JSON.parse) {
  if (input instanceof Uint8Array) return { bytes: input, isValue: false, answer: (answer) => answer };
  if (typeof input === 'string') return { bytes: encode(input, what), isValue: false, answer: decode };
  return { bytes: write(input, read(), what), isValue: true, answer: (answer) => parse(decode(answer)) };
}

/**
 * An optional argument.
 * @param {unknown} input
 * @param {string} what
 * @param {import('./fields.js').Read} [read]
 * @returns {Opened}
 */
export function openOptional(input, what, read) {
  return open(input ?? new Uint8Array(), what, read);
}

const NOTHING = new Uint8Array();

/** The input is no longer needed: the next value takes its place. @param {Opened} input */
export function close(input) {
  if (!input.isValue) return;
  giveBack(input.bytes);
  input.bytes = NOTHING;
}

/** @param {string} text @param {string} what */
function encode(text, what) {
  if (text.isWellFormed()) return encoder.encode(text);
  throw new SlicewiseError({ code: 'InvalidJson', message: `there is a lone surrogate, which is not valid Unicode, in ${what}` });
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
