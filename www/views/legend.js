/**
 * How to read the pictures: zones with their numbers, shapes for conditions, signs for changes. Only what
 * occurs is explained.
 * @import {Cell, ServiceModel} from '../types.js'
 */
import { h } from 'preact';
import { letterOf, zoneClass } from '../model/zones.js';
import { drawShape } from './marks.js';

/** @type {[Cell['change'], string, string][]} */
const SIGNS = [
  ['added', '+', 'added'],
  ['removed', '−', 'removed'],
  ['changed', '≠', 'changed'],
  ['moved', '⇄', 'moved'],
];

/** @type {import('./geometry.js').Density} */
const SAMPLE = { width: 20, height: 18, gap: 0 };

/** @param {{model: ServiceModel}} props */
export function Legend({ model }) {
  const { legend, signs: { states, changes, hintZone, nodeHint } } = model;
  return h(
    'div',
    { class: 'legend' },
    h('ul', { 'aria-label': 'Zones' }, model.zoneCounts.map((count) => h(ZoneItem, { key: count.zone, count, model }))),
    h(
      'ul',
      { 'aria-label': 'Signs' },
      legend.states.filter(({ state }) => states.includes(state)).map(({ state, words }) => h('li', { key: state }, h(StateMark, { state }), words)),
      hintZone &&
        h(
          'li',
          null,
          h('span', { class: 'hint-key' }, `${nodeHint ? '»' : '›'}${letterOf(model.zones, hintZone)}`),
          nodeHint ? legend.hints.node : legend.hints.zone,
        ),
      SIGNS.filter(([change]) => changes.includes(change)).map(([change, sign, word]) =>
        h('li', { key: change }, h('span', { class: 'sign-key', 'aria-hidden': 'true' }, sign), word),
      ),
    ),
  );
}

/** @param {{count: ServiceModel['zoneCounts'][number], model: ServiceModel}} props */
function ZoneItem({ count, model }) {
  const { zone, before, after } = count;
  const numbers = before === after ? `${after}` : `${before} → ${after}`;
  return h(
    'li',
    null,
    h('span', { class: `swatch ${zoneClass(model.zones, zone)}`, 'aria-hidden': 'true' }, letterOf(model.zones, zone)),
    h('span', null, zone || 'no zone'),
    h('strong', null, numbers),
  );
}

/** @param {{state: Cell['state']}} props */
function StateMark({ state }) {
  return h(
    'svg',
    { class: 'picture key', width: 22, height: 20, viewBox: '-1 -1 22 20', 'aria-hidden': 'true' },
    h(
      'g',
      { class: `cell ${state} kept z-key` },
      drawShape(state, SAMPLE),
    ),
  );
}
