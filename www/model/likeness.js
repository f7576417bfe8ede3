/**
 * Scenarios about the Service that is loaded: its nodes and zones by name, its pods under the name of their Deployment, its families,
 * ports and hints. The simulation places its pods evenly, and gives all nodes of a zone the same CPU.
 * @import {Likeness} from '../types.js'
 */
import { counted } from './text.js';

/** A larger Service takes seconds to replace: it is played when asked to, not at once. */
export const SMALL = 400;
const DEFAULT_CPU = 4000;
const TEMPLATE_HASH = 'pod-template-hash';

/**
 * @param {{service: any, pods: any[], nodes: any[], slices: any[]}} request
 * @param {{zone: string, topologyMode: string}} labels
 * @returns {Likeness}
 */
export function likenessOf({ service: { metadata, spec = {} }, pods, nodes, slices }, labels) {
  const isAuto = /^auto$/i.test(metadata.annotations?.[labels.topologyMode] ?? '');
  const { ipFamilies: families = ['IPv4'], clusterIP, ports = [], trafficDistribution, publishNotReadyAddresses } = spec;
  const own = pods.filter((pod) => isSelected(pod, spec.selector) && !pod.metadata.deletionTimestamp);
  const usable = nodes.filter(takesPods);
  const workload = workloadOf(own);
  const numbers = new Map(slices.flatMap((slice) => slice.ports ?? []).map(({ name = '', port }) => [name, port]));
  return {
    zones: zonesOf(usable, own, labels.zone),
    leftOut: nodes.length - usable.length,
    workload,
    service: {
      ...(isName(workload.name) && { deployment: workload.name }),
      families,
      headless: clusterIP === 'None',
      ports: ports.map((/** @type {any} */ port) => portOf(port, numbers)),
      ...(isAuto && { topologyMode: 'Auto' }),
      ...(trafficDistribution && { trafficDistribution }),
      ...(publishNotReadyAddresses && { publishNotReadyAddresses }),
    },
  };
}

/** Does the scenario take it as the name of a Deployment? @param {string} name */
function isName(name) {
  return name.length <= 50 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name);
}

/** @param {any} pod @param {Record<string, string> | null | undefined} selector */
function isSelected({ metadata: { labels = {} } }, selector) {
  return Object.entries(selector ?? { '': '' }).every(([key, value]) => labels[key] === value);
}

/** Nodes of the control plane and those that are not ready run no pods of the Service, and do not count for hints. @param {any} node */
function takesPods({ metadata: { labels = {} }, status }) {
  const isControlPlane = ['control-plane', 'master'].some((role) => `node-role.kubernetes.io/${role}` in labels);
  const ready = (status?.conditions ?? []).find((/** @type {any} */ { type }) => type === 'Ready');
  return !isControlPlane && (ready?.status ?? 'True') === 'True';
}

/** What owns the most pods; a ReplicaSet stands for its Deployment. @param {any[]} pods @returns {Likeness['workload']} */
function workloadOf(pods) {
  /** @type {Map<string, {kind: string, name: string, pods: number}>} */
  const found = new Map();
  for (const { metadata: { labels = {}, ownerReferences = [] } } of pods) {
    const owner = ownerReferences.find((/** @type {any} */ { controller }) => controller) ?? ownerReferences[0];
    if (!owner) continue;
    const hash = `-${labels[TEMPLATE_HASH]}`;
    const isOfDeployment = owner.kind === 'ReplicaSet' && owner.name.endsWith(hash);
    const [kind, name] = isOfDeployment ? ['Deployment', owner.name.slice(0, -hash.length)] : [owner.kind, owner.name];
    const known = found.get(`${kind} ${name}`) ?? { kind, name, pods: 0 };
    found.set(`${kind} ${name}`, { ...known, pods: known.pods + 1 });
  }
  const [most] = [...found.values()].toSorted((one, other) => other.pods - one.pods);
  return { kind: most?.kind ?? '', name: most?.name ?? '' };
}

/** By name, each with the CPU of an average node. @param {any[]} nodes @param {any[]} pods @param {string} label @returns {Likeness['zones']} */
function zonesOf(nodes, pods, label) {
  /** @type {Map<string, {nodes: any[], cpu: number}>} */
  const zones = new Map();
  for (const node of nodes) {
    const name = node.metadata.labels?.[label] ?? '';
    const zone = zones.get(name) ?? { nodes: [], cpu: 0 };
    zone.nodes.push(node);
    zone.cpu += millicores(node.status?.allocatable?.cpu);
    zones.set(name, zone);
  }
  /** @type {Map<string, number>} */
  const on = new Map();
  for (const { spec } of pods) on.set(spec?.nodeName ?? '', (on.get(spec?.nodeName ?? '') ?? 0) + 1);
  return [...zones].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([name, { nodes: its, cpu }]) => {
    const names = its.map(({ metadata }) => metadata.name).toSorted();
    const counts = names.map((node) => on.get(node) ?? 0);
    const busiest = names[counts.indexOf(Math.max(...counts))];
    const zoned = { name, nodes: its.length, nodeNames: names, cpu: `${Math.round(cpu / its.length)}m` };
    return { zone: zoned, pods: counts.reduce((sum, count) => sum + count, 0), busiest };
  });
}

/**
 * @param {{name?: string, protocol?: string, port: number, targetPort?: number | string}} port
 * @param {Map<string, number>} numbers of the slices, by name
 */
function portOf({ name = '', protocol = 'TCP', port, targetPort }, numbers) {
  return { name, protocol, targetPort: typeof targetPort === 'number' ? targetPort : (numbers.get(name) ?? port) };
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
export function scenariosOf(key, pods, { zones: found, leftOut, workload, kubernetes, service: like }) {
  const service = key.includes('/') ? key : `default/${key}`;
  if (pods === 0 || found.length === 0) return [];
  const known = found.filter(({ zone }) => zone.name !== '');
  const more = pods < 12 ? 12 : 2 * pods;
  const its = workload.name ? `${workload.kind} ${workload.name}` : 'its Deployment';
  const plays = [
    { id: 'own:roll', title: `roll ${its}`, actions: [{ at: '30s', phase: 'rolling update', rollingUpdate: { service } }] },
    {
      id: 'own:scale',
      title: `scale ${workload.name ? its : 'it'} ${pods} → ${more}`,
      actions: [
        { at: '30s', phase: `${more} pods`, scale: { service, replicas: more } },
        { at: '1m30s', phase: 'back again', scale: { service, replicas: pods } },
      ],
    },
    ...found.map(({ zone, busiest: node }) => ({
      id: `own:drain:${zone.name}`,
      title: `drain ${node}${zone.name === '' ? '' : ` (${zone.name})`}`,
      actions: [
        { at: '30s', phase: 'drain', drainNodes: { node } },
        { at: '2m', phase: 'back again', recoverNodes: { node } },
      ],
    })),
    ...(known.length < 2 ? [] : known).map(({ zone: { name } }) => ({
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
  const zones = found.map(({ zone }) => zone);
  const nodes = zones.reduce((sum, zone) => sum + zone.nodes, 0);
  const spread = found.map(({ zone, pods: count }) => `${count} in ${zone.name || 'no zone'}`).join(', ');
  const lesson = [
    `The nodes and zones of the input, and ${counted(pods, 'ready pod')} of ${key}, placed evenly on ${counted(nodes, 'node')}`,
    `in the input there are ${spread}`,
    ...(leftOut > 0 ? [`${counted(leftOut, 'node')} that ${leftOut === 1 ? 'takes no pods is' : 'take no pods are'} left out`] : []),
    'all nodes of a zone have its average CPU',
  ].join('; ');
  const services = [{ service, replicas: pods, jitter: '1s', ...like }];
  const controller = kubernetes && { controller: { options: { kubernetes } } };
  return plays.map(({ id, title: what, actions }) => {
    const title = `${key}: ${what}`;
    return { id, title, text: JSON.stringify({ title, lesson: `${lesson}.`, zones, services, ...controller, actions }, null, 2) };
  });
}
