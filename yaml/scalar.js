/**
 * Plain scalars: what `kubectl` takes them for. Its reader resolves the words and numbers of YAML 1.1 (`go.yaml.in/yaml/v2`,
 * `resolve.go`), besides the octal numbers of YAML 1.2.
 */

export const TEXT = 'str';
/** A number that JSON cannot express: infinite, or not a number. */
export const UNSPEAKABLE = 'unspeakable';

const NULL = /^(?:null|Null|NULL|~|)$/;
const TRUE = /^(?:y|Y|yes|Yes|YES|true|True|TRUE|on|On|ON)$/;
const FALSE = /^(?:n|N|no|No|NO|false|False|FALSE|off|Off|OFF)$/;
/** Those that are texts in YAML 1.2. */
const WORD = /^(?:y|n|yes|no|on|off)$/i;
const WITH_BASE = /^([-+]?)0(?:([xX])([0-9a-fA-F]+)|([bB])([01]+)|[oO]?([0-7]+))$/;
// Digits belong to one part only: a long word that is no number is read once.
const NUMBER = /^([-+]?)([0-9]*)(?:\.([0-9]*))?([eE][-+]?[0-9]+)?$/;
const NO_NUMBER = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
/** Integers have 64 bits: those above are unsigned. */
const MOST = 2n ** 64n - 1n;
const MOST_WITH_SIGN = 2n ** 63n;

/** @typedef {{kind: string, json: string}} Resolved the name of its tag, and JSON unless it is a string; numbers keep their digits */

/** @param {string} text @param {boolean} [isOwn] whether only `true` and `false` are booleans @returns {Resolved} */
export function resolve(text, isOwn = false) {
  if (isOwn && WORD.test(text)) return { kind: TEXT, json: '' };
  if (NULL.test(text)) return { kind: 'null', json: 'null' };
  if (TRUE.test(text)) return { kind: 'bool', json: 'true' };
  if (FALSE.test(text)) return { kind: 'bool', json: 'false' };
  if (NO_NUMBER.test(text)) return { kind: UNSPEAKABLE, json: '' };
  // Behind a point, a `_` must be between two digits.
  const between = text.startsWith('.') ? /(?<=[0-9])_(?=[0-9])/g : /(?<!^)_/g;
  const digits = text.replaceAll(between, '');
  return withBase(digits) ?? decimal(digits) ?? { kind: TEXT, json: '' };
}

/** The text that a plain scalar is as a key; null for null, which cannot be one. @param {Resolved} resolved @param {string} text */
export function keyOf({ kind, json }, text) {
  if (kind === 'null') return null;
  return kind === 'bool' ? json : text;
}

/** @param {string} text */
function withBase(text) {
  const match = WITH_BASE.exec(text);
  if (!match) return null;
  const [, sign, hex, ofHex, binary, ofBinary, octal] = match;
  const digits = ofHex ?? ofBinary ?? octal;
  return integer(sign, digits.replace(/^0+(?=.)/, ''), hex ? '0x' : binary ? '0b' : '0o');
}

/** An integer that fits 64 bits with its sign. @param {string} sign @param {string} digits @param {string} base before them */
function integer(sign, digits, base) {
  if (digits.length > 64) return null;
  const value = BigInt(base + digits);
  return value <= (sign ? MOST_WITH_SIGN : MOST) ? { kind: 'int', json: (sign === '-' ? '-' : '') + value } : null;
}

/** @param {string} text */
function decimal(text) {
  const match = NUMBER.exec(text);
  if (!match) return null;
  const [, sign, whole, fraction, exponent = ''] = match;
  if (whole === '' && !fraction) return null;
  const digits = whole.replace(/^0+/, '') || '0';
  const start = (sign === '-' ? '-' : '') + digits;
  if (fraction === undefined && !exponent) return integer(sign, digits, '') ?? { kind: 'float', json: start };
  const json = start + (fraction === undefined ? '' : `.${fraction || '0'}`) + exponent;
  return Number.isFinite(Number(json)) ? { kind: 'float', json } : null;
}
