/**
 * Who serves whom, from zone to zone, as it is and after the plan, through the eyes of a reader of slices.
 * @import {PortTraffic, Reader, RuleUse, ServiceModel, TrafficModel, TrafficSide, Zone} from '../types.js'
 */
import { h } from 'preact';
import { useState } from 'preact/hooks';
import { counted } from '../model/text.js';
import { bothSides, crossingWords, percent, trafficSentence, usesWords } from '../model/traffic-text.js';
import { AnswerPanel, useAnswer } from './answer.js';
import { Matrix, ZoneMark, largestShare } from './matrix.js';
import { Tile } from './tile.js';

/** @type {[Reader, string][]} */
const READERS = [
  ['kube-proxy', 'kube-proxy'],
  ['cilium', 'Cilium, with topology'],
  ['istio', 'Istio (ztunnel)'],
  ['linkerd', 'Linkerd'],
  ['envoy-gateway', 'Envoy Gateway'],
];

/** @param {{model: ServiceModel, onTraffic: (key: string, reader: Reader) => Promise<TrafficModel | null>}} props */
export function Traffic({ model, onTraffic }) {
  const [reader, setReader] = useState(/** @type {Reader} */ ('kube-proxy'));
  const [chosen, setChosen] = useState('');
  const answer = useAnswer(() => onTraffic(model.key, reader), model, reader);
  const traffic = answer?.value;
  const ports = traffic?.ports ?? [];
  const port = ports.find(({ id }) => id === chosen) ?? ports[0];
  const controls = (!traffic || port) && [
    h(Choice, { key: 'reader', label: 'Read by', value: reader, options: READERS, onChoose: (value) => setReader(/** @type {Reader} */ (value)) }),
    ports.length > 1 && h(Choice, { key: 'port', label: 'Port', value: port?.id ?? '', options: portOptions(ports), onChoose: setChosen }),
  ];
  return h(
    AnswerPanel,
    { id: 'traffic', title: 'Traffic', waiting: 'Following the traffic …', answer, controls: controls && h('div', { class: 'controls' }, controls) },
    port ? h(Port, { port, zones: model.zones }) : h('p', { class: 'quiet' }, traffic?.note),
  );
}

/** @param {PortTraffic[]} ports @returns {[string, string][]} */
function portOptions(ports) {
  const several = new Set(ports.map(({ addressType }) => addressType)).size > 1;
  return ports.map(({ id, name, addressType }) => [id, several ? `${name}, ${addressType}` : name]);
}

/**
 * @param {object} props
 * @param {string} props.label
 * @param {string} props.value
 * @param {[string, string][]} props.options
 * @param {(value: string) => void} props.onChoose
 */
function Choice({ label, value, options, onChoose }) {
  return h(
    'label',
    { class: 'choice' },
    h('span', null, label),
    h(
      'select',
      { value, onChange: (/** @type {Event} */ event) => onChoose(/** @type {HTMLSelectElement} */ (event.currentTarget).value) },
      options.map(([id, name]) => h('option', { key: id, value: id }, name)),
    ),
  );
}

/** @param {{port: PortTraffic, zones: Zone[]}} props */
function Port({ port, zones }) {
  const { now, after } = port;
  const frame = { columns: port.zones, most: largestShare(after ? [now, after] : [now]), zones };
  return h(
    'div',
    { class: 'traffic' },
    h('p', { class: 'headline' }, trafficSentence(port)),
    h(
      'ul',
      { class: 'tiles', 'aria-label': 'Figures of the traffic' },
      h(Tile, { title: 'Crosses zones', value: bothSides(port, crossingWords) }),
      h(Tile, { title: 'Finds no endpoint', value: bothSides(port, (side) => percent(side.unserved)) }),
      h(Tile, { title: 'Busiest endpoint', value: bothSides(port, (side) => percent(side.overload)), note: 'above its fair share' }),
    ),
    h(
      'div',
      { class: 'sides' },
      h(Side, { title: after ? 'Now' : 'Now and after the plan', side: now, frame }),
      after && h(Side, { title: 'After the plan', side: after, frame }),
    ),
    h('p', { class: 'assumption' }, 'As if every node sent the same, each of them evenly to the endpoints that it uses.'),
  );
}

/** @param {{title: string, side: TrafficSide, frame: {columns: string[], most: number, zones: Zone[]}}} props */
function Side({ title, side, frame }) {
  const { busiest } = side;
  return h(
    'div',
    { class: 'side' },
    h('h4', null, title),
    h(Matrix, { title, side, ...frame }),
    h('ul', { class: 'rules' }, side.rules.map((use) => h(Rule, { key: use.rule, use, zones: frame.zones }))),
    busiest && side.overload > 0 && h('p', { class: 'assumption' }, 'Busiest: ', h('code', null, busiest.endpoint), `${busiest.zone && ` in ${busiest.zone}`} with ${percent(busiest.share)} of the traffic.`),
  );
}

/** @param {{use: RuleUse, zones: Zone[]}} props */
function Rule({ use, zones }) {
  return h(
    'li',
    null,
    h('span', { class: 'marks' }, use.zones.map((zone) => h(ZoneMark, { key: zone, zone, zones }))),
    h('span', null, h('strong', null, counted(use.nodes, 'node')), ` → ${usesWords(use)} (${use.rule})`),
  );
}
