/**
 * Scenarios about a Service like the one that is loaded: as many nodes with as much CPU in each zone, as many pods, the same
 * families, ports and hints. Its pods are placed evenly, as the simulation places all pods.
 * @import {Likeness} from '../types.js'
 */
import { counted } from './text.js';

/** A larger Service takes seconds to replace: it is played when asked to, not at once. */
export const SMALL = 400;
const DEFAULT_CPU = 4000;

/** @param {{service: any, nodes: any[]}} request @param {{zone: string, topologyMode: string}} labels @returns {Likeness} */
export function likenessOf({ service: { metadata, spec = {} }, nodes }, labels) {
  const isAuto = /^auto$/i.test(metadata.annotations?.[labels.topologyMode] ?? '');
  const { ipFamilies: families = ['IPv4'], clusterIP, ports = [], trafficDistribution, publishNotReadyAddresses } = spec;
  return {
    zones: zonesOf(nodes, labels.zone),
    service: {
      families,
      headless: clusterIP === 'None',
      ports: ports.map(portOf),
      ...(isAuto && { topologyMode: 'Auto' }),
      ...(trafficDistribution && { trafficDistribution }),
      ...(publishNotReadyAddresses && { publishNotReadyAddresses }),
    },
  };
}

/** By name, each with the CPU of an average node. @param {any[]} nodes @param {string} label @returns {Likeness['zones']} */
function zonesOf(nodes, label) {
  /** @type {Map<string, {count: number, cpu: number}>} */
  const zones = new Map();
  for (const { metadata: { labels }, status } of nodes) {
    const name = labels?.[label] ?? '';
    const { count, cpu } = zones.get(name) ?? { count: 0, cpu: 0 };
    zones.set(name, { count: count + 1, cpu: cpu + millicores(status?.allocatable?.cpu) });
  }
  const names = [...zones.keys()].sort();
  return names.map((name) => {
    const { count, cpu } = zones.get(name) ?? { count: 1, cpu: DEFAULT_CPU };
    return { name, nodes: count, cpu: `${Math.round(cpu / count)}m` };
  });
}

/** @param {{name?: string, protocol?: string, port: number, targetPort?: number | string}} port */
function portOf({ name = '', protocol = 'TCP', port, targetPort }) {
  return { name, protocol, targetPort: typeof targetPort === 'number' ? targetPort : port };
}

/** @param {string | undefined} quantity such as `4`, `3.5` or `3920m` */
function millicores(quantity) {
  const [, number, unit] = /^([\d.]+)(m?)$/.exec(quantity ?? '') ?? [];
  if (number === undefined) return DEFAULT_CPU;
  return Number(number) * (unit === 'm' ? 1 : 1000);
}

/**
 * What can be played with a Service: its name in the list, and the scenario as text.
 * @param {string} key @param {number} pods @param {Likeness} likeness @returns {{id: string, title: string, text: string}[]}
 */
export function scenariosOf(key, pods, { zones, service: like }) {
  const service = key.includes('/') ? key : `default/${key}`;
  if (pods === 0 || zones.length === 0) return [];
  const known = zones.filter(({ name }) => name !== '');
  const more = pods < 12 ? 12 : 2 * pods;
  const plays = [
    { id: 'own:roll', title: 'roll its Deployment', actions: [{ at: '30s', phase: 'rolling update', rollingUpdate: { service } }] },
    {
      id: 'own:scale',
      title: `scale it ${pods} → ${more}`,
      actions: [
        { at: '30s', phase: `${more} pods`, scale: { service, replicas: more } },
        { at: '1m30s', phase: 'back again', scale: { service, replicas: pods } },
      ],
    },
    ...known.map(({ name }) => ({
      id: `own:drain:${name}`,
      title: `drain a node of ${name}`,
      actions: [
        { at: '30s', phase: 'drain', drainNodes: { zone: name, count: 1 } },
        { at: '2m', phase: 'back again', recoverNodes: { zone: name } },
      ],
    })),
    ...(known.length < 2 ? [] : known).map(({ name }) => ({
      id: `own:lose:${name}`,
      title: `lose ${name}`,
      actions: [
        { at: '30s', phase: 'unnoticed', failNodes: { zone: name } },
        { at: '1m20s', phase: 'noticed' },
        { at: '6m20s', phase: 'evicted' },
        { at: '10m', phase: 'back again', recoverNodes: { zone: name } },
      ],
    })),
  ];
  const nodes = zones.reduce((sum, zone) => sum + zone.nodes, 0);
  const lesson = `A Service like ${key}: ${counted(pods, 'pod')}, placed evenly on ${counted(nodes, 'node')} in ${counted(zones.length, 'zone')}.`;
  const services = [{ service, replicas: pods, jitter: '1s', ...like }];
  return plays.map(({ id, title: what, actions }) => {
    const title = `${key}: ${what}`;
    return { id, title, text: JSON.stringify({ title, lesson, zones, services, actions }, null, 2) };
  });
}
