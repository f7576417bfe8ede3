/**
 * A lane for each zone: the endpoints allocated to its clients, and how many they need. The cells are visual only; the same
 * endpoints can be reached with the keyboard in the slices below.
 * @import {Actions, Cell, Glance, ServiceModel, Zone} from '../types.js'
 * @import {Lane} from '../model/lanes.js'
 */
import { h } from 'preact';
import { useRef } from 'preact/hooks';
import { DRAWN, lanesOf, losesHint } from '../model/lanes.js';
import { cellSentence, counted, number } from '../model/text.js';
import { letterOf, zoneClass } from '../model/zones.js';
import { LongName } from './long-name.js';
import { useMoves } from './moves.js';

const LANES = 12;

/** @param {{glance: Glance, model: ServiceModel, chosen: string, actions: Actions}} props `chosen`: the cell that is inspected */
export function Lanes({ glance, model, chosen, actions }) {
  const box = useRef(/** @type {HTMLUListElement | null} */ (null));
  const lanes = lanesOf(glance, model);
  useMoves(box, glance, model.key);
  const scale = Math.max(1, ...lanes.map(({ given, needs }) => Math.max(given, needs ?? 0)));
  const left = lanes.length - LANES;
  const drawn = glance.ready <= DRAWN;
  return [
    h(
      'ul',
      { ref: box, class: 'lanes', 'aria-label': 'Endpoints for each zone' },
      lanes.slice(0, LANES).map((lane) => h(LaneBox, { key: lane.zone, lane, scale, drawn, zones: model.zones, chosen, actions })),
    ),
    left > 0 && h('p', { class: 'quiet' }, `and ${counted(left, 'more zone')}`),
  ];
}

/** @param {{lane: Lane, scale: number, drawn: boolean, zones: Zone[], chosen: string, actions: Actions}} props */
function LaneBox({ lane, scale, drawn, zones, chosen, actions }) {
  const { zone, needs, met } = lane;
  const state = needs === null ? '' : met ? ' met' : ' unmet';
  return h(
    'li',
    { class: `lane ${zoneClass(zones, zone)}${state}` },
    h(
      'p',
      { class: 'lane-head' },
      h('span', { class: 'swatch', 'aria-hidden': 'true' }, letterOf(zones, zone)),
      h('span', { class: 'lane-name', title: zone }, h(LongName, { name: zone || 'no zone' })),
      needs === null
        ? h(
          'strong',
          { class: 'lane-needs' },
          number(lane.given),
          h('span', { class: 'unit' }, lane.given === 1 ? ' endpoint' : ' endpoints'),
        )
        : h(
          'strong',
          { class: 'lane-needs' },
          `needs ${number(needs)}`,
          h('span', { 'aria-hidden': 'true' }, met ? ' ✓' : ' ✗'),
          h('span', { class: 'visually-hidden' }, met ? ', met' : ', not met'),
        ),
    ),
    drawn ? h(Cells, { lane, zones, chosen, actions }) : h(Bar, { lane, scale }),
  );
}

/** @param {{lane: Lane, scale: number}} props */
function Bar({ lane: { given, needs }, scale }) {
  return h(
    'div',
    { class: 'lane-bar', 'aria-hidden': 'true' },
    h('div', { style: { width: `${(given / scale) * 100}%` } }),
    needs !== null && h('span', { class: 'lane-mark', style: { left: `${(needs / scale) * 100}%` } }),
  );
}

/** @param {{lane: Lane, zones: Zone[], chosen: string, actions: Actions}} props */
function Cells({ lane: { cells, needs }, zones, chosen, actions }) {
  const missing = Math.max(0, (needs ?? 0) - cells.length);
  /** @param {Event} event */
  const clicked = (event) => {
    const cell = /** @type {Element} */ (event.target).closest('[data-move]');
    const id = cell?.getAttribute('data-move');
    if (!id) return;
    actions.onInspect({ kind: 'cell', id, side: 'after' });
    cell?.scrollIntoView({ block: 'nearest' });
  };
  return h(
    'div',
    { class: 'lane-cells', 'aria-hidden': 'true', onClick: clicked },
    cells.map((cell) => h(LaneCell, { key: cell.id, cell, zones, isChosen: cell.id === chosen })),
    Array.from({ length: missing }, (_, index) => h('span', { key: `missing-${index}`, class: 'lane-missing' }, '?')),
  );
}

/** @param {{cell: Cell, zones: Zone[], isChosen: boolean}} props */
function LaneCell({ cell, zones, isChosen }) {
  const lost = losesHint(cell);
  const [hint] = cell.hintZones;
  const tag = hint ? letterOf(zones, hint) : lost && letterOf(zones, cell.fields.find(({ field }) => field === 'zone hint')?.before ?? '');
  return h(
    'span',
    {
      class: `lane-cell ${zoneClass(zones, cell.zone)}${tag ? ' tagged' : ''}${isChosen ? ' chosen' : ''}`,
      'data-move': cell.id,
      title: cellSentence(cell),
    },
    letterOf(zones, cell.zone),
    tag && h('span', { class: lost ? 'hint-tag lost' : `hint-tag ${zoneClass(zones, hint ?? '')}` }, `›${tag}`),
  );
}
