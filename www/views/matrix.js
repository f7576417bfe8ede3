/**
 * Traffic from zone to zone, as a table, with a bar for each share.
 * @import {TrafficSide, Zone} from '../types.js'
 */
import { h } from 'preact';
import { percent } from '../model/traffic-text.js';
import { letterOf, zoneClass } from '../model/zones.js';

/** The largest share between two zones, which gets the longest bar. @param {TrafficSide[]} sides */
export function largestShare(sides) {
  return Math.max(...sides.flatMap(({ rows }) => rows.flatMap(({ shares, unserved }) => [...shares, unserved])));
}

/**
 * @param {object} props
 * @param {string} props.title
 * @param {TrafficSide} props.side
 * @param {string[]} props.columns
 * @param {number} props.most
 * @param {Zone[]} props.zones
 */
export function Matrix({ title, side, columns, most, zones }) {
  const lost = side.unserved > 0;
  const caption = `Traffic from zone to zone: ${title.toLowerCase()}`;
  return h(
    'div',
    { class: 'scroller', tabindex: 0, role: 'region', 'aria-label': caption },
    h(
      'table',
      { class: lost ? 'matrix with-lost' : 'matrix' },
      h('caption', { class: 'visually-hidden' }, caption),
      h(
        'thead',
        null,
        h(
          'tr',
          null,
          h('td', { class: 'corner' }, 'from ↓ to →'),
          columns.map((zone) => h('th', { key: zone, scope: 'col' }, h(ZoneMark, { zone, zones }))),
          lost && h('th', { scope: 'col' }, 'nowhere'),
          h('th', { scope: 'col' }, 'all'),
        ),
      ),
      h('tbody', null, side.rows.map((row) => h(Row, { key: row.from, row, columns, zones, lost, most }))),
      h(
        'tfoot',
        null,
        h(
          'tr',
          null,
          h('th', { scope: 'row' }, 'all'),
          side.totals.map((share, index) => h('td', { key: columns[index] }, percent(share))),
          lost && h('td', null, percent(side.unserved)),
          h('td', null, percent(1)),
        ),
      ),
    ),
  );
}

/** @param {{row: TrafficSide['rows'][number], columns: string[], zones: Zone[], lost: boolean, most: number}} props */
function Row({ row, columns, zones, lost, most }) {
  return h(
    'tr',
    null,
    h(
      'th',
      { scope: 'row' },
      h(ZoneMark, { zone: row.from, zones }),
      h('span', { class: 'zone-name', 'aria-hidden': 'true' }, row.from || 'no zone'),
    ),
    row.shares.map((share, index) =>
      h(Cell, { key: columns[index], share, most, kind: row.from !== '' && row.from === columns[index] ? 'stays' : 'crosses' }),
    ),
    lost && h(Cell, { share: row.unserved, most, kind: 'lost' }),
    h('td', null, percent(row.total)),
  );
}

/** @param {{share: number, most: number, kind: 'stays' | 'crosses' | 'lost'}} props */
function Cell({ share, most, kind }) {
  if (share === 0) return h('td', { class: 'quiet' }, '0 %');
  return h(
    'td',
    { class: kind },
    percent(share),
    h('span', { class: 'share-bar', 'aria-hidden': 'true', style: { width: `${(share / most) * 100}%` } }),
  );
}

/** The letter of a zone, with its name for screen readers and as a tooltip. @param {{zone: string, zones: Zone[]}} props */
export function ZoneMark({ zone, zones }) {
  const name = zone || 'no zone';
  return h(
    'span',
    { class: `swatch ${zoneClass(zones, zone)}`, title: name },
    h('span', { 'aria-hidden': 'true' }, letterOf(zones, zone)),
    h('span', { class: 'visually-hidden' }, name),
  );
}
