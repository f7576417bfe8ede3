/**
 * Compact slices: a line for each, its endpoints as cells with the letter of their zone, and below it
 * that of the hinted zone. A large slice is a fill bar; those that the first column has, too, are counted.
 * @import {Cell, ComparedSide, Zone} from '../types.js'
 */
import { h } from 'preact';
import { BARS, CELLS } from '../model/presets.js';
import { cellSentence, counted } from '../model/text.js';
import { letterOf, zoneClass } from '../model/zones.js';

const COLUMNS = 12;
const SIZE = 18;
const PITCH = 21;
const HINT = 14;

/** @param {{slices: ComparedSide['slices'], zones: Zone[], max: number}} props */
export function MiniSlices({ slices, zones, max }) {
  const others = slices.filter(({ isKnown }) => !isKnown);
  const shown = others.slice(0, BARS);
  const same = slices.length - others.length;
  return h(
    'div',
    { class: 'mini-slices' },
    shown.map(({ name, count, cells }) =>
      h(
        'div',
        { key: name, class: 'mini-slice' },
        h('p', null, h('code', { title: name }, name), h('span', { class: 'quiet' }, `${count} of ${max}`)),
        count <= CELLS
          ? h(Cells, { name, cells, zones })
          : h(
              'div',
              { class: 'share-track', 'aria-hidden': 'true' },
              h('div', { class: 'stays', style: { width: `${Math.min(1, count / max) * 100}%` } }),
            ),
      ),
    ),
    others.length > BARS && h('p', { class: 'quiet' }, `and ${counted(others.length - BARS, 'more slice')}`),
    same > 0 && h('p', { class: 'quiet' }, `${counted(same, 'slice')} as in the first column`),
    slices.length === 0 && h('p', { class: 'quiet' }, 'none'),
  );
}

/** @param {{name: string, cells: Cell[], zones: Zone[]}} props */
function Cells({ name, cells, zones }) {
  const hinted = cells.some(({ hintZones }) => hintZones.length > 0);
  const height = SIZE + (hinted ? HINT : 0);
  const columns = Math.min(COLUMNS, Math.max(1, cells.length));
  const size = { width: columns * PITCH, height: Math.max(1, Math.ceil(cells.length / columns)) * (height + 4) };
  return h(
    'svg',
    { ...size, viewBox: `-1 -1 ${size.width} ${size.height}`, role: 'img', 'aria-label': `${name}: ${counted(cells.length, 'endpoint')}` },
    cells.map((cell, index) => {
      const [x, y] = [(index % columns) * PITCH, Math.floor(index / columns) * (height + 4)];
      const [hint] = cell.hintZones;
      return h(
        'g',
        { key: cell.id, transform: `translate(${x} ${y})` },
        h('title', null, cellSentence(cell)),
        h('rect', { class: `mini-cell ${cell.state} ${zoneClass(zones, cell.zone)}`, width: SIZE, height: SIZE, rx: 4 }),
        h('text', { class: `mini-letter ${cell.state} ${zoneClass(zones, cell.zone)}`, x: SIZE / 2, y: SIZE / 2 }, letterOf(zones, cell.zone)),
        hint !== undefined &&
          h('text', { class: 'mini-hint', x: SIZE / 2, y: SIZE + HINT / 2 }, `${cell.hintNodes.length > 0 ? '»' : '›'}${letterOf(zones, hint)}`),
      );
    }),
  );
}
