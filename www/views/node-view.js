/**
 * The traffic of one node: the endpoints it uses among all, zone by zone, and the rules that decided.
 * @import {NodeSide, NodeTraffic, Zone} from '../types.js'
 */
import { h } from 'preact';
import { counted } from '../model/text.js';
import { percent } from '../model/traffic-text.js';
import { letterOf, zoneClass } from '../model/zones.js';
import { ZoneMark } from './matrix.js';

/** Beyond this number, endpoints are only counted, zone by zone. */
const DRAWN = 400;
const LISTED = 200;
const CELL = { width: 26, height: 26, gap: 5 };
const COLUMNS = 10;

/** @param {{told: NodeTraffic, port: string, zones: Zone[]}} props */
export function NodeView({ told, port: id, zones }) {
  const port = told.ports.find((each) => each.id === id);
  if (!port) return null;
  const sides = port.after
    ? [
        { title: 'Now', side: port.now },
        { title: 'After the plan', side: port.after },
      ]
    : [{ title: 'Now and after the plan', side: port.now }];
  return h(
    'div',
    { class: 'node-view', role: 'status' },
    h(
      'p',
      { class: 'node-title' },
      h(ZoneMark, { zone: told.zone, zones }),
      h('strong', null, told.node),
      h('span', { class: 'quiet' }, told.zone || 'no zone'),
    ),
    h('div', { class: 'sides' }, sides.map(({ title, side }) => h(Side, { key: title, title, side, zones, home: told.zone, node: told.node }))),
    h(EndpointTable, { sides, node: told.node }),
  );
}

/** @param {{title: string, side: NodeSide, zones: Zone[], home: string, node: string}} props */
function Side({ title, side, zones, home, node }) {
  const used = side.endpoints.filter((each) => each.used).length;
  return h(
    'div',
    { class: 'side' },
    h('h3', null, title),
    h('ol', { class: 'rule-steps' }, stepsOf(side).map((text) => h('li', { key: text }, text))),
    h('p', { class: 'uses' }, h('strong', null, `${used} of ${counted(side.endpoints.length, 'endpoint')}`), side.unserved > 0 && ' · finds none'),
    h('div', { class: 'node-zones' }, zonesOf(side).map((zone) => h(ZoneBand, { key: zone, zone, side, zones, home, node }))),
  );
}

/** The rules in words; the short form if they are not listed one by one. @param {NodeSide} side */
function stepsOf({ rule, rules }) {
  return rules.length > 0 ? rules.map(({ message }) => message) : [rule];
}

/** The zones of the endpoints, those without one last. @param {NodeSide} side */
function zonesOf({ endpoints }) {
  return [...new Set(endpoints.map(({ zone }) => zone))].sort((a, b) => Number(a === '') - Number(b === '') || (a < b ? -1 : 1));
}

/** @param {{zone: string, side: NodeSide, zones: Zone[], home: string, node: string}} props */
function ZoneBand({ zone, side, zones, home, node }) {
  const all = side.endpoints.filter((each) => each.zone === zone);
  const used = all.filter((each) => each.used).length;
  const share = side.zones.find((each) => each.zone === zone)?.share ?? 0;
  const crosses = zone !== home;
  return h(
    'div',
    { class: `zone-band${share > 0 ? ' used' : ''}${crosses ? ' crosses' : ''}` },
    h(
      'p',
      null,
      h(ZoneMark, { zone, zones }),
      h('span', null, zone || 'no zone'),
      h('span', { class: 'quiet' }, `${used} of ${all.length}`),
      h('strong', null, percent(share)),
    ),
    h(
      'div',
      { class: 'share-track', 'aria-hidden': 'true' },
      h('div', { class: crosses ? 'crosses' : 'stays', style: { width: `${share * 100}%` } }),
    ),
    side.endpoints.length <= DRAWN && h(Endpoints, { endpoints: all, hue: zoneClass(zones, zone), letter: letterOf(zones, zone), node }),
  );
}

/**
 * Used ones are filled, others hollow; one on the node itself has a dot.
 * @param {{endpoints: NodeSide['endpoints'], hue: string, letter: string, node: string}} props
 */
function Endpoints({ endpoints, hue, letter, node }) {
  const columns = Math.min(COLUMNS, endpoints.length);
  const pitch = { x: CELL.width + CELL.gap, y: CELL.height + CELL.gap };
  const size = { width: columns * pitch.x, height: Math.ceil(endpoints.length / columns) * pitch.y };
  return h(
    'svg',
    { class: hue, ...size, viewBox: `-2 -2 ${size.width} ${size.height}`, 'aria-hidden': 'true' },
    endpoints.map((endpoint, index) => {
      const [x, y] = [(index % columns) * pitch.x, Math.floor(index / columns) * pitch.y];
      return h(
        'g',
        { key: endpoint.endpoint, class: endpoint.used ? 'serves' : 'idle', transform: `translate(${x} ${y})` },
        h('title', null, `${endpoint.endpoint} on ${endpoint.node || 'no node'}`),
        h('rect', { width: CELL.width, height: CELL.height, rx: 6 }),
        h('text', { x: CELL.width / 2, y: CELL.height / 2 }, letter),
        endpoint.node !== '' && endpoint.node === node && h('circle', { class: 'here', cx: CELL.width - 2, cy: 2, r: 4 }),
      );
    }),
  );
}

/** @param {{sides: {title: string, side: NodeSide}[], node: string}} props */
function EndpointTable({ sides, node }) {
  const names = [...new Map(sides.flatMap(({ side }) => side.endpoints.map((each) => [each.endpoint, each]))).values()];
  const shown = names.slice(0, LISTED);
  return h(
    'details',
    { class: 'as-table' },
    h('summary', null, 'The same as a table'),
    h(
      'div',
      { class: 'scroller', tabindex: 0, role: 'region', 'aria-label': `Endpoints that ${node} uses` },
      h(
        'table',
        null,
        h('caption', { class: 'visually-hidden' }, `Endpoints that ${node} uses`),
        h(
          'thead',
          null,
          h(
            'tr',
            null,
            ['Endpoint', 'Zone', 'Node', ...sides.map(({ title }) => title)].map((title) => h('th', { key: title, scope: 'col' }, title)),
          ),
        ),
        h('tbody', null, shown.map(({ endpoint, zone, node: on }) => h(
          'tr',
          { key: endpoint },
          h('th', { scope: 'row' }, endpoint),
          h('td', null, zone || 'none'),
          h('td', null, on === node ? `${on} (this node)` : on || 'none'),
          sides.map(({ title, side }) => h('td', { key: title }, useWords(side.endpoints.find((each) => each.endpoint === endpoint)))),
        ))),
      ),
    ),
    shown.length < names.length && h('p', { class: 'quiet' }, `and ${counted(names.length - shown.length, 'more endpoint')}`),
  );
}

/** @param {NodeSide['endpoints'][number] | undefined} endpoint */
function useWords(endpoint) {
  if (!endpoint) return 'is not there';
  return endpoint.used ? percent(endpoint.share) : 'not used';
}
