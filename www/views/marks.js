/**
 * The marks of a picture: shapes represent endpoints, with letters and signs above them that are purely
 * visual. Most cells are one shape and one letter, because there may be thousands.
 * @import {Cell, Zone} from '../types.js'
 * @import {Density, Layout} from './geometry.js'
 */
import { h } from 'preact';
import { cellSentence } from '../model/text.js';
import { letterOf, zoneClass } from '../model/zones.js';
import { positionOf } from './geometry.js';

const ROUNDED = 5;

/** The sign in the corner of a cell. @type {Partial<Record<Cell['change'], string>>} */
const SIGNS = { added: '+', removed: '−', changed: '≠', moved: '⇄' };

/**
 * @typedef {object} Drawing
 * @property {string} id of the picture
 * @property {Cell[]} cells
 * @property {'before' | 'after'} side
 * @property {Zone[]} zones
 * @property {number} columns
 * @property {Density} density
 * @property {boolean} signed whether changes are marked
 */

/** @param {Drawing} drawing */
export function drawCells(drawing) {
  const { id, cells, zones, columns, density } = drawing;
  const places = cells.map((_, index) => positionOf(index, columns, density));
  const shapes = cells.map((cell, index) => {
    const said = {
      key: cell.id,
      id: `${id}-${index}`,
      role: 'option',
      'aria-label': cellSentence(cell),
      'data-index': index,
      'data-move': `${drawing.side} ${cell.id}`,
    };
    const classes = `cell ${cell.state} ${cell.change} ${zoneClass(zones, cell.zone)}`;
    return placeShape(cell.state, said, classes, places[index] ?? { x: 0, y: 0 }, density);
  });
  const letters = cells.map((cell, index) => placeLetters(cell, places[index] ?? { x: 0, y: 0 }, drawing));
  return [shapes, h('g', { class: 'letters', 'aria-hidden': 'true' }, letters)];
}

/**
 * @param {Cell['state']} state
 * @param {Record<string, unknown>} said
 * @param {string} classes
 * @param {{x: number, y: number}} place
 * @param {Density} density
 */
function placeShape(state, said, classes, { x, y }, density) {
  const plain = state === 'ready' || state === 'notReady';
  if (plain) return h('rect', { ...said, ...outline(state, density), class: `shape ${classes}`, x, y });
  return h('g', { ...said, class: classes, transform: `translate(${x} ${y})` }, drawShape(state, density));
}

/**
 * Filled if ready, hatched while draining, hollow and round if not serving.
 * @param {Cell['state']} state
 * @param {Density} density
 */
export function drawShape(state, density) {
  const { width, height } = density;
  const box = outline(state, density);
  return [
    h('rect', { class: 'shape', ...box }),
    state === 'draining' && h('rect', { class: 'hatch', ...box }),
    state === 'published' && h('rect', { class: 'inner', x: 3, y: 3, width: width - 6, height: height - 6, rx: box.rx - 2 }),
    state === 'stopped' && h('path', { class: 'slash', d: `M5 ${height - 5}L${width - 5} 5` }),
  ];
}

/** @param {Cell['state']} state @param {Density} density */
function outline(state, { width, height }) {
  const hollow = state === 'notReady' || state === 'stopped';
  return { width, height, rx: hollow ? Math.min(width, height) / 2 : ROUNDED };
}

/** @param {Cell} cell @param {{x: number, y: number}} place @param {Drawing} drawing */
function placeLetters(cell, { x, y }, { side, zones, density, signed }) {
  const classes = `${cell.state} ${zoneClass(zones, cell.zone)}`;
  const sign = signed && drawSign(cell, side, density);
  const hint = hintMark(cell, zones);
  const letter = letterOf(zones, cell.zone);
  const middle = { x: density.width / 2, y: density.height / 2 };
  const move = `letter ${side} ${cell.id}`;
  if (hint === '' && !sign) {
    return h('text', { key: cell.id, 'data-move': move, class: `letter ${classes}`, x: x + middle.x, y: y + middle.y }, letter);
  }
  const text = hint ? drawHinted(cell, letter, hint, zones, density) : h('text', { class: 'letter', ...middle }, letter);
  return h('g', { key: cell.id, 'data-move': move, class: `${classes} ${signed ? cell.change : ''}`, transform: `translate(${x} ${y})` }, text, sign);
}

/**
 * The zone, and the hint beside it. A hint for a different zone has that zone's colour.
 * @param {Cell} cell
 * @param {string} letter
 * @param {string} hint
 * @param {Zone[]} zones
 * @param {Density} density
 */
function drawHinted(cell, letter, hint, zones, { width, height }) {
  const lent = isLent(cell) ? zoneClass(zones, cell.hintZones[0] ?? '') : '';
  const half = width / 2;
  return [
    lent && h('rect', { class: `loan ${lent}`, x: half - 3, y: 2, width: half + 1, height: height - 4, rx: ROUNDED - 1 }),
    h('text', { class: 'letter', x: half / 2 + 1, y: height / 2 }, letter),
    h('text', { class: `hint ${lent}`, x: half + half / 2 - 3, y: height / 2 }, hint),
  ];
}

/** @param {Cell} cell */
function isLent(cell) {
  return cell.hintZones.length > 0 && !cell.hintZones.includes(cell.zone);
}

/**
 * Changes are marked on the side they belong to: removals before, additions and modifications after.
 * @param {Cell} cell
 * @param {'before' | 'after'} side
 * @param {Density} density
 */
function drawSign(cell, side, { width, height }) {
  const sign = SIGNS[cell.change];
  if (!sign || (cell.change === 'changed' && side === 'before')) return null;
  return [
    cell.change === 'removed' && h('path', { class: 'strike', d: `M-2 ${height / 2}H${width + 2}` }),
    h('circle', { class: 'sign', cx: width - 1, cy: 1, r: 6 }),
    h('text', { class: 'sign-text', x: width - 1, y: 1 }, sign),
  ];
}

/** An arrow and the letter of the zone; for a node hint, a double arrow. @param {Cell} cell @param {Zone[]} zones */
function hintMark(cell, zones) {
  const [zone] = cell.hintZones;
  if (zone === undefined) return cell.hintNodes.length > 0 ? '»' : '';
  const more = cell.hintZones.length > 1 ? '+' : '';
  return `${cell.hintNodes.length > 0 ? '»' : '›'}${letterOf(zones, zone)}${more}`;
}

/** @param {number} count @param {Layout} layout @param {Density} density */
export function drawFree(count, layout, density) {
  const places = [];
  for (let index = count; index < layout.slots; index += 1) {
    const { x, y } = positionOf(index, layout.columns, density);
    places.push(h('rect', { key: index, class: 'free', x, y, width: density.width, height: density.height, rx: ROUNDED }));
  }
  return places;
}

/** The hatching of draining endpoints, in each zone's colour. */
export function PatternDefinitions() {
  const hues = ['z0', 'z1', 'z2', 'z3', 'z4', 'z5', 'z6', 'z7', 'z-none', 'z-key'];
  return h(
    'svg',
    { class: 'definitions', width: 0, height: 0, 'aria-hidden': 'true' },
    h(
      'defs',
      null,
      hues.map((hue) =>
        h(
          'pattern',
          { key: hue, id: `hatch-${hue}`, class: hue, width: 6, height: 6, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' },
          h('rect', { class: 'hatch-line', width: 2.5, height: 6 }),
        ),
      ),
    ),
  );
}
