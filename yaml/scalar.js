/** Plain scalars: what the core schema (YAML 1.2.2, 10.3.2) says they are. */

export const TEXT = 'str';
/** A number that JSON cannot express: infinite, NaN, or too long in base 8 or 16. */
export const UNSPEAKABLE = 'unspeakable';

const WITH_BASE = /^0(?:x[0-9a-fA-F]+|o[0-7]+)$/;
const NUMBER = /^([-+]?)([0-9]*)(\.?)([0-9]*)([eE][-+]?[0-9]+)?$/;
const NO_NUMBER = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
/** The limit of both readers for base 8 and 16. */
const MOST = 2n ** 128n;

/**
 * @param {string} text
 * @returns {{kind: string, json: string}} the name of its tag, and JSON unless it is a string; numbers keep their digits
 */
export function resolve(text) {
  if (/^(?:null|Null|NULL|~|)$/.test(text)) return { kind: 'null', json: 'null' };
  if (/^(?:true|True|TRUE|false|False|FALSE)$/.test(text)) return { kind: 'bool', json: text.toLowerCase() };
  if (NO_NUMBER.test(text)) return { kind: UNSPEAKABLE, json: '' };
  if (WITH_BASE.test(text)) {
    const value = BigInt(text);
    return value < MOST ? { kind: 'int', json: String(value) } : { kind: UNSPEAKABLE, json: '' };
  }
  return decimal(text) ?? { kind: TEXT, json: '' };
}

/** @param {string} text */
function decimal(text) {
  const match = NUMBER.exec(text);
  if (!match) return null;
  const [, sign, whole, point, fraction, exponent = ''] = match;
  if (whole === '' && fraction === '') return null;
  const start = (sign === '-' ? '-' : '') + (whole.replace(/^0+/, '') || '0');
  if (!point && !exponent) return { kind: 'int', json: start };
  return { kind: 'float', json: start + (point && `.${fraction || '0'}`) + exponent };
}
