/**
 * Hints, one family at a time: whether they are on, the reason, and each zone's allocation.
 * @import {Hint, ServiceModel, Zone, ZoneHint} from '../types.js'
 */
import { h } from 'preact';
import { hintState, sentence } from '../model/text.js';
import { percent } from '../model/traffic-text.js';
import { letterOf, zoneClass } from '../model/zones.js';
import { Prose } from './prose.js';

/** @param {{model: ServiceModel}} props */
export function Hints({ model }) {
  return h(
    'section',
    { class: 'panel', 'aria-labelledby': 'hints-title' },
    h('h3', { id: 'hints-title' }, 'Hints'),
    model.hintDetails.map((hint) => h(Family, { key: hint.addressType, hint, model })),
  );
}

/** @param {{hint: Hint, model: ServiceModel}} props */
function Family({ hint, model }) {
  const zones = hint.zones ?? [];
  const state = hintState(hint);
  return h(
    'div',
    { class: 'family-hints' },
    h(
      'p',
      null,
      h('span', { class: 'family' }, hint.addressType),
      ' ',
      h('strong', { class: `hint-state ${state}` }, model.legend.hints[state]),
      state !== 'none' && ` (${hint.mode})`,
    ),
    hint.reason && h('p', { class: 'reason' }, h(Prose, { text: sentence(hint.reason) })),
    zones.length > 0 && h(ZoneTable, { zones, model }),
  );
}

/** @param {{zones: ZoneHint[], model: ServiceModel}} props */
function ZoneTable({ zones, model }) {
  const scale = zones.reduce((most, zone) => Math.max(most, zone.maximum ?? 0, zone.desired ?? 0, zone.allocated ?? 0, zone.minimum ?? 0), 1);
  return h(
    'div',
    { class: 'scroller', tabindex: 0, role: 'region', 'aria-label': 'Endpoints owed to each zone' },
    h(
      'table',
      { class: 'zone-table' },
      h('caption', { class: 'visually-hidden' }, 'Endpoints owed to each zone'),
      h(
        'thead',
        null,
        h(
          'tr',
          null,
          ['Zone', 'CPU', 'Minimum', 'CPU share', 'Maximum', 'Endpoints'].map((title) => h('th', { key: title, scope: 'col' }, title)),
          h('td', { 'aria-hidden': 'true' }),
        ),
      ),
      h('tbody', null, zones.map((zone) => h(ZoneRow, { key: zone.zone, zone, scale, zones: model.zones }))),
    ),
    h(RangeKey, null),
  );
}

/** @param {{zone: ZoneHint, scale: number, zones: Zone[]}} props */
function ZoneRow({ zone, scale, zones }) {
  return h(
    'tr',
    null,
    h(
      'th',
      { scope: 'row' },
      h('span', { class: `swatch ${zoneClass(zones, zone.zone)}`, 'aria-hidden': 'true' }, letterOf(zones, zone.zone)),
      ` ${zone.zone}`,
    ),
    h('td', null, typeof zone.cpuRatio !== 'number' ? '–' : percent(zone.cpuRatio)),
    h('td', null, numberWords(zone.minimum)),
    h('td', null, numberWords(zone.desired)),
    h('td', null, numberWords(zone.maximum)),
    h('td', { class: 'given' }, numberWords(zone.allocated)),
    h('td', { class: 'range', 'aria-hidden': 'true' }, h(Range, { zone, scale, hue: zoneClass(zones, zone.zone) })),
  );
}

/** @param {number | null | undefined} value */
function numberWords(value) {
  if (value === null || value === undefined) return '–';
  return value.toLocaleString('en', { maximumFractionDigits: 2 });
}

/**
 * A band from minimum to maximum, a tick at the CPU share, a dot at the allocation.
 * @param {{zone: ZoneHint, scale: number, hue: string}} props
 */
function Range({ zone, scale, hue }) {
  /** @param {number | null | undefined} value */
  const x = (value) => 8 + ((value ?? 0) / scale) * 124;
  const from = x(zone.minimum);
  return h(
    'svg',
    { class: hue, width: 140, height: 22, viewBox: '0 0 140 22' },
    h('line', { class: 'axis', x1: 8, x2: 132, y1: 11, y2: 11 }),
    h('rect', { class: 'band', x: from - 1, y: 6, width: Math.max(0, x(zone.maximum ?? zone.minimum) - from) + 2, height: 10, rx: 3 }),
    h('line', { class: 'wanted', x1: x(zone.desired), x2: x(zone.desired), y1: 2, y2: 20 }),
    typeof zone.allocated === 'number' && h('circle', { class: 'dot', cx: x(zone.allocated), cy: 11, r: 5 }),
  );
}

function RangeKey() {
  return h(
    'p',
    { class: 'range-key', 'aria-hidden': 'true' },
    h('svg', { width: 16, height: 12, viewBox: '0 0 16 12' }, h('rect', { class: 'band', y: 2, width: 16, height: 8, rx: 3 })),
    'minimum to maximum ',
    h('svg', { width: 6, height: 12, viewBox: '0 0 6 12' }, h('line', { class: 'wanted', x1: 3, x2: 3, y1: 0, y2: 12 })),
    'CPU share ',
    h('svg', { width: 10, height: 12, viewBox: '0 0 10 12' }, h('circle', { class: 'dot', cx: 5, cy: 6, r: 4 })),
    'endpoints',
  );
}
