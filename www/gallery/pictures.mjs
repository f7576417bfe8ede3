/**
 * Writes `pictures.json` beside this file: `node www/gallery/pictures.mjs`. It has the outcome of each example,
 * as the core plans it, small enough to be drawn beside its lesson. Repeated runs give the same bytes.
 * @import {Cell, ServiceModel, SliceRow, Zone} from '../types.js'
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Engine } from '../engine.js';
import { unpackModel } from '../model/packed.js';
import { EXAMPLES } from '../samples/index.js';

/**
 * @typedef {object} Picture
 * @property {{created: number, updated: number, deleted: number}} writes
 * @property {number} before the number of endpoints
 * @property {number} after
 * @property {string} hints whether they are on, in the core's words
 * @property {string} letters of the zones
 * @property {string} hues of the zones, a digit for each
 * @property {{change: SliceRow['change'], cells: string}[]} rows slices; four characters stand for an endpoint: its zone, state, change
 *   and hint
 */

/** Slices beyond this number are not drawn. */
const ROWS = 4;
/** Zones are digits, in hints for nodes letters. */
const NODE_HINTS = 'abcdefgh';
const NONE = '-';

/** All pictures, by example. */
export async function picturesFile() {
  const pictures = [];
  for (const { id, url } of EXAMPLES) {
    const answer = await new Engine().open(new Uint8Array(readFileSync(url)), {});
    if (!answer.ok || !answer.model) throw new Error(`The example ${id} has no plan.`);
    pictures.push(`${JSON.stringify(id)}: ${JSON.stringify(pictureOf(unpackModel(answer.model)))}`);
  }
  return `{\n${pictures.join(',\n')}\n}\n`;
}

/** @param {ServiceModel} model @returns {Picture} */
export function pictureOf({ counts: { created, updated, deleted }, before, after, hints, legend, zones, groups, foreign }) {
  const rows = [...groups.flatMap((group) => group.rows), ...foreign];
  return {
    writes: { created, updated, deleted },
    before: before.endpoints,
    after: after.endpoints,
    hints: legend.hints[hints],
    letters: zones.map(({ letter }) => letter.charAt(0)).join(''),
    hues: zones.map(({ hue }) => hue).join(''),
    rows: rows.slice(0, ROWS).map((row) => ({ change: row.change, cells: cellsOf(row).map((cell) => codeOf(cell, zones)).join('') })),
  };
}

/** The endpoints after the plan, and those that it takes away. @param {SliceRow} row @returns {Cell[]} */
function cellsOf({ before, after }) {
  if (!before || !after) return (after ?? before)?.cells ?? [];
  return [...after.cells, ...before.cells.filter(({ change }) => change === 'removed')];
}

/** @param {Cell} cell @param {Zone[]} zones */
function codeOf({ zone, state, change, hintZones: [hint = ''], hintNodes }, zones) {
  const [own, hinted] = [zone, hint].map((name) => zones.findIndex((each) => each.name === name));
  const digit = (/** @type {number | undefined} */ at) => (at === undefined || at < 0 ? NONE : String(at));
  const hintCode = hintNodes.length > 0 ? (NODE_HINTS[hinted ?? -1] ?? NONE) : digit(hinted);
  return `${digit(own)}${state.charAt(0)}${change.charAt(0)}${hintCode}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(new URL('pictures.json', import.meta.url), await picturesFile());
