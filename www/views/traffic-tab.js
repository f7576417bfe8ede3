/**
 * Traffic, now and after the plan, for a chosen reader of slices: from zone to zone, and for one
 * node, which endpoints it uses and which rule decided.
 * @import {Actions, AppState, PortTraffic, Reader, RuleUse, ServiceModel, TrafficModel, TrafficSide, Zone} from '../types.js'
 */
import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { counted } from '../model/text.js';
import { bothSides, crossingWords, percent, trafficSentence, usesWords } from '../model/traffic-text.js';
import '../styles/traffic.css';
import { AnswerPanel, Failure, useAnswer } from './answer.js';
import { Choice } from './choice.js';
import { Listbox } from './listbox.js';
import { Matrix, ZoneMark, largestShare } from './matrix.js';
import { NodeView } from './node-view.js';
import { Tile } from './tile.js';
import { Prose } from './prose.js';

const LISTED = 300;
const SEARCHED = 12;

/**
 * The stored state of this view: the reader, and the selected port and node.
 * @typedef {{reader: Reader, port: string, node: string}} TrafficChoice
 */

/** @type {TrafficChoice} */
const FIRST = { reader: 'kube-proxy', port: '', node: '' };

/** @param {{state: AppState, actions: Actions}} props */
export function TrafficTab({ state, actions }) {
  const { model } = state;
  if (!model) return null;
  const choice = { ...FIRST, .../** @type {Partial<TrafficChoice>} */ (state.views.traffic) };
  /** @param {Partial<TrafficChoice>} change */
  const onChoose = (change) => actions.onView('traffic', { ...choice, ...change });
  return h(Traffic, { key: model.key, model, choice, onChoose, actions, active: state.tab === 'traffic' });
}

/**
 * @param {object} props
 * @param {ServiceModel} props.model
 * @param {TrafficChoice} props.choice
 * @param {(change: Partial<TrafficChoice>) => void} props.onChoose
 * @param {Actions} props.actions
 * @param {boolean} props.active
 */
function Traffic({ model, choice, onChoose, actions, active }) {
  const { reader } = choice;
  const answer = useAnswer(() => actions.onTraffic(model.key, reader), model, reader, { active });
  const traffic = answer?.value;
  const ports = traffic?.ports ?? [];
  const port = ports.find(({ id }) => id === choice.port) ?? ports[0];
  const controls = (!traffic || port) && [
    h(Choice, {
      key: 'reader',
      label: 'Read by',
      value: reader,
      options: Object.entries(model.legend.readers),
      onChoose: (value) => onChoose({ reader: /** @type {Reader} */ (value) }),
    }),
    ports.length > 1 &&
      h(Choice, { key: 'port', label: 'Port', value: port?.id ?? '', options: portOptions(ports), onChoose: (value) => onChoose({ port: value }) }),
  ];
  return [
    h(
      AnswerPanel,
      {
        key: 'zones',
        id: 'traffic',
        title: 'Traffic',
        heading: 'h2',
        waiting: 'Following the traffic …',
        answer,
        controls: controls && h('div', { class: 'controls' }, controls),
      },
      port ? h(Port, { port, zones: model.zones, traffic }) : h(NoPort, { traffic }),
    ),
    traffic && port && h(OneNode, { key: 'node', model, traffic, port: port.id, choice, onChoose, actions, active }),
  ];
}

/** Why there is nothing to show. @param {{traffic: TrafficModel | null | undefined}} props */
function NoPort({ traffic }) {
  return h('p', { class: 'quiet' }, h(Prose, { text: traffic?.note ?? '' }));
}

/** @param {PortTraffic[]} ports @returns {[string, string][]} */
function portOptions(ports) {
  const several = new Set(ports.map(({ addressType }) => addressType)).size > 1;
  return ports.map(({ id, name, addressType }) => [id, several ? `${name}, ${addressType}` : name]);
}

/** @param {{port: PortTraffic, zones: Zone[], traffic: TrafficModel | null | undefined}} props */
function Port({ port, zones, traffic }) {
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
    h('p', { class: 'assumption' }, traffic?.assumption),
  );
}

/** @param {{title: string, side: TrafficSide, frame: {columns: string[], most: number, zones: Zone[]}}} props */
function Side({ title, side, frame }) {
  const { busiest } = side;
  return h(
    'div',
    { class: 'side' },
    h('h3', null, title),
    h(Matrix, { title, side, ...frame }),
    h('ul', { class: 'rules' }, side.rules.map((use) => h(Rule, { key: use.rule, use, zones: frame.zones }))),
    busiest &&
      side.overload > 0 &&
      h(
        'p',
        { class: 'assumption' },
        'Busiest: ',
        h('code', null, busiest.endpoint),
        [busiest.zone, percent(busiest.share)].map((each) => each && `, ${each}`),
      ),
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

/**
 * @param {object} props
 * @param {ServiceModel} props.model
 * @param {TrafficModel} props.traffic
 * @param {string} props.port
 * @param {TrafficChoice} props.choice
 * @param {(change: Partial<TrafficChoice>) => void} props.onChoose
 * @param {Actions} props.actions
 * @param {boolean} props.active
 */
function OneNode({ model, traffic, port, choice, onChoose, actions, active }) {
  const node = traffic.nodes.find(({ name }) => name === choice.node)?.name ?? traffic.nodes[0]?.name ?? '';
  const detail = `${choice.reader} ${node}`;
  const answer = useAnswer(() => actions.engine.nodeTraffic(model.key, choice.reader, node), model, detail, { active, rest: 0 });
  return h(
    'section',
    { class: 'panel one-node', 'aria-labelledby': 'node-title', 'aria-busy': !answer || answer.stale ? 'true' : 'false' },
    h('h2', { id: 'node-title' }, 'The view of one node'),
    h(
      'div',
      { class: 'node-and-view' },
      h(NodePicker, { nodes: traffic.nodes, zones: model.zones, chosen: node, onChoose: (name) => onChoose({ node: name }) }),
      h(
        'div',
        { class: answer?.stale ? 'answer outdated' : 'answer' },
        h(Failure, { answer }),
        answer?.value && h(NodeView, { told: answer.value, port, zones: model.zones }),
      ),
    ),
  );
}

/** @param {{nodes: TrafficModel['nodes'], zones: Zone[], chosen: string, onChoose: (name: string) => void}} props */
function NodePicker({ nodes, zones, chosen, onChoose }) {
  const [query, setQuery] = useState('');
  const words = query.toLowerCase().split(/\s+/);
  const found = nodes.filter(({ name, zone }) => words.every((word) => `${name} ${zone}`.toLowerCase().includes(word)));
  const shown = found.slice(0, LISTED);
  useEffect(() => {
    const [first] = found;
    if (query && first && !found.some(({ name }) => name === chosen)) onChoose(first.name);
  }, [query]);
  return h(
    'div',
    { class: 'node-picker' },
    nodes.length > SEARCHED &&
      h('input', {
        type: 'search',
        'aria-label': 'Search nodes',
        placeholder: 'Search by name or zone',
        value: query,
        onInput: (/** @type {Event} */ event) => setQuery(/** @type {HTMLInputElement} */ (event.currentTarget).value),
      }),
    shown.length > 0
      ? h(Listbox, { name: 'node', label: 'Nodes', groups: groupsOf(shown, zones), selected: chosen, onSelect: onChoose })
      : h('p', { class: 'quiet' }, 'No node matches.'),
    found.length > LISTED && h('p', { class: 'quiet' }, `The first ${LISTED} of ${found.length} are listed; search for the others.`),
  );
}

/** @param {TrafficModel['nodes']} nodes @param {Zone[]} zones */
function groupsOf(nodes, zones) {
  const names = [...new Set(nodes.map(({ zone }) => zone))].sort((a, b) => Number(a === '') - Number(b === '') || (a < b ? -1 : 1));
  return names.map((zone) => ({
    title: zone || 'no zone',
    head: [h(ZoneMark, { key: 'mark', zone, zones }), ` ${zone || 'no zone'}`],
    options: nodes.filter((node) => node.zone === zone).map(({ name }) => ({ id: name, label: name })),
  }));
}
