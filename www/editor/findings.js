/**
 * Fields and values that the schemas do not have. Only remarks: Kubernetes drops unknown fields, and the core decides what is
 * an error.
 * @import {SyntaxNode} from '@lezer/common'
 * @import {Text} from '@codemirror/state'
 * @import {Visit} from './places.js'
 * @import {Schemas} from './schema.js'
 */
import { nearest } from '../model/nearest.js';
import { visits } from './places.js';
import { isBroken, isMap, isScalar, textOf, wordsIn } from './structure.js';

/**
 * @typedef {object} Finding
 * @property {number} from
 * @property {number} to
 * @property {string} message
 * @property {string | null} meant what was probably meant
 */

/** More are of no use. */
const MOST = 100;
/** What a field may hold that has no value. */
const NOTHING = new Set(['', 'null', '~']);

/**
 * @param {SyntaxNode} top @param {Text} text @param {Schemas} schemas @param {{from: number, to: number}} range @returns {Finding[]}
 */
export function findingsIn(top, text, schemas, range) {
  const found = [];
  for (const visit of visits(top, text, schemas, range)) {
    found.push(...(isMap(visit.node) ? unknownFields(visit, text) : []), ...unknownValue(visit, text, schemas));
    if (found.length >= MOST) return found.slice(0, MOST);
  }
  return found;
}

/** @param {Visit} visit @param {Text} text @returns {Finding[]} */
function unknownFields({ type, entries }, text) {
  if (type.fields.size === 0 || type.others) return [];
  const there = new Set(entries.map(({ key }) => key));
  return entries.flatMap(({ key, name, node: member }) => {
    if (!name || key === '' || type.fields.has(key) || isBroken(member)) return [];
    const meant = nearest(key, [...type.fields.keys()].filter((field) => !there.has(field)));
    if (type.unknown === 'any' && meant === null) return [];
    const fate = type.unknown === 'dropped' ? ', which Kubernetes drops' : '';
    return [{ ...wordsIn(name, text), message: `unknown field \`${key}\`${fate}${question(meant)}`, meant }];
  });
}

/** @param {Visit} visit @param {Text} text @param {Schemas} schemas @returns {Finding[]} */
function unknownValue({ node, type, key }, text, schemas) {
  if (!isScalar(node)) return [];
  const value = textOf(node, text);
  const isKind = key === 'kind' && type.examples.includes('List');
  const known = isKind ? [...schemas.kinds, ...schemas.kinds.map((kind) => `${kind}List`), 'List'] : type.values;
  if (known.length === 0 || known.includes(value) || NOTHING.has(value)) return [];
  const meant = nearest(value, known);
  // There are many more kinds than those that plans read.
  if (isKind && meant === null) return [];
  const mend = meant === null ? `; known are ${known.map((each) => `\`${each}\``).join(', ')}` : question(meant);
  return [{ ...wordsIn(node, text), message: `unknown value \`${value}\`${mend}`, meant }];
}

/** @param {string | null} meant */
function question(meant) {
  return meant === null ? '' : `; did you mean \`${meant}\`?`;
}
