/**
 * What a link about one Service needs of an input: the Service, its pods and slices, and all nodes; on request with other
 * names and addresses. These sort as those that they replace, so that the plan is the same up to names.
 * @import {Legend} from '../types.js'
 */
import { collectRequest, collectSnapshot, keyOf, serviceKeyOf } from '../model/objects.js';

/**
 * @param {any} root of the input
 * @param {'request' | 'snapshot'} kind
 * @param {{key: string, renamed: boolean}} which Service, and whether under other names
 * @param {Legend} legend
 * @returns {{text: string, key: string} | null} with the Service's key in it
 */
export function reduced(root, kind, { key, renamed }, legend) {
  const objects = kind === 'request' ? collectRequest(root) : collectSnapshot(root);
  const service = objects.Service.find(({ metadata }) => keyOf(metadata) === key);
  if (!service) return null;
  const slices = objects.EndpointSlice.filter((slice) => kind === 'request' || serviceKeyOf(slice, legend) === key);
  const targets = new Set(slices.flatMap(({ endpoints }) => (endpoints ?? []).map(({ targetRef }) => targetRef?.name)));
  const pods = objects.Pod.filter((pod) => isIn(pod, service) && (selects(service, pod) || targets.has(pod.metadata.name)));
  const kept = { service, pods, nodes: objects.Node, slices };
  const { service: named, ...others } = renamed ? withOtherNames(kept, legend) : kept;
  const written = kind === 'request' ? { service: named, ...others, ...(root.options && { options: root.options }) } : listOf(named, others);
  return { text: JSON.stringify(written), key: keyOf(named.metadata) };
}

/** @param {any} pod @param {any} service */
function isIn(pod, service) {
  return (pod.metadata.namespace ?? '') === (service.metadata.namespace ?? '');
}

/** @param {any} service @param {any} pod */
function selects({ spec }, { metadata }) {
  const wanted = Object.entries(spec?.selector ?? {});
  return wanted.length > 0 && wanted.every(([label, value]) => metadata.labels?.[label] === value);
}

/** @param {object} service @param {Record<'pods' | 'nodes' | 'slices', object[]>} others */
function listOf(service, { pods, nodes, slices }) {
  /** @param {string} apiVersion @param {string} kind @returns {(object: object) => object} */
  const typed = (apiVersion, kind) => (object) => ({ ...object, apiVersion, kind });
  const items = [typed('v1', 'Service')(service), ...pods.map(typed('v1', 'Pod')), ...nodes.map(typed('v1', 'Node'))];
  return { apiVersion: 'v1', kind: 'List', items: [...items, ...slices.map(typed('discovery.k8s.io/v1', 'EndpointSlice'))] };
}

/** Annotations that decide something; others are left out. */
const ANNOTATIONS = [
  'service.kubernetes.io/topology-mode',
  'service.kubernetes.io/topology-aware-hints',
  'endpoints.kubernetes.io/last-change-trigger-time',
];
/** Labels of Kubernetes keep their names, and these their values. */
const OF_KUBERNETES = /(?:^|[./])kubernetes\.io\/|\.k8s\.io\//;
const TELLING = ['endpointslice.kubernetes.io/managed-by', 'endpointslice.kubernetes.io/skip-mirror'];
const SWITCHES = ['', 'true', 'false'];

/**
 * @template {{service: any, pods: any[], nodes: any[], slices: any[]}} T
 * @param {T} kept
 * @param {Legend} legend
 * @returns {T}
 */
function withOtherNames(kept, legend) {
  const seen = new Names();
  const shape = shapeOf(seen, legend);
  // The Service has the first of its names, and owns the first prefix.
  seen.of('service')(kept.service.metadata.name);
  picked(kept, shape);
  seen.settle();
  return picked(kept, shape);
}

/** Values by role: collected first, and then replaced in their order. */
class Names {
  /** @type {Map<string, Map<string, string>>} */
  #roles = new Map();
  #isSettled = false;

  /** What collects or replaces the values of a role. @param {string} role */
  of(role) {
    return (/** @type {unknown} */ value) => {
      if (typeof value !== 'string' || value === '') return value;
      const names = this.#roles.get(role) ?? new Map();
      this.#roles.set(role, names);
      if (this.#isSettled) return names.get(value) ?? value;
      names.set(value, value);
      return value;
    };
  }

  settle() {
    for (const [role, names] of this.#roles) {
      const values = [...names.keys()];
      const width = String(values.length).length;
      if (role !== 'service') values.sort();
      values.forEach((value, index) => names.set(value, replacement(role, value, index, width)));
    }
    this.#isSettled = true;
  }
}

/** @param {string} role @param {string} value @param {number} index @param {number} width */
function replacement(role, value, index, width) {
  if (role === 'ip') return value.includes(':') ? `fd00::${(0x1000 + index).toString(16)}` : value === 'None' ? value : addressOf(index);
  if (index === 0 && (role === 'service' || role === 'namespace')) return role;
  return `${role === 'slice' ? 'service' : role}-${String(index + 1).padStart(width, '0')}`;
}

/** Octets of three digits, which sort as numbers and as text. @param {number} index */
function addressOf(index) {
  const octets = [22_500, 150, 1].map((unit) => 100 + (Math.floor(index / unit) % 150));
  return ['10', ...octets].join('.');
}

/** The fields that are kept, with what happens to their values. @param {Names} names @param {Legend} legend */
function shapeOf(names, legend) {
  const [pod, node, zone, service, namespace, uid, ip] = ['pod', 'node', 'zone', 'service', 'namespace', 'uid', 'ip'].map((role) => names.of(role));
  /** @param {string} key @param {string} value */
  const label = (key, value) => {
    if (!OF_KUBERNETES.test(key)) return [names.of('label')(key), names.of('value')(value)];
    if (key === legend.labels.zone) return [key, zone?.(value)];
    if (key === legend.labels.service) return [key, service?.(value)];
    if (key === 'kubernetes.io/hostname') return [key, node?.(value)];
    return [key, TELLING.includes(key) || SWITCHES.includes(value) ? value : names.of('value')(value)];
  };
  /** @param {Record<string, string> | null} all */
  const labels = (all) => all && Object.fromEntries(Object.entries(all).map(([key, value]) => label(key, value)));
  /** @param {Record<string, string> | null} all */
  const annotations = (all) => all && Object.fromEntries(Object.entries(all).filter(([key]) => ANNOTATIONS.includes(key)));
  const same = (/** @type {unknown} */ value) => value;
  const times = { creationTimestamp: same, deletionTimestamp: same, generation: same };
  const meta = (/** @type {unknown} */ name) => ({ name, namespace, uid, labels, annotations, ...times });
  const port = { name: same, port: same, protocol: same, appProtocol: same, targetPort: same, nodePort: same };
  const container = { ports: { name: same, containerPort: same, protocol: same }, restartPolicy: same };
  const conditions = { type: same, status: same, reason: same };
  return {
    service: {
      metadata: meta(service),
      spec: {
        ...{ selector: labels, ports: port, clusterIP: ip, clusterIPs: ip, type: same, ipFamilies: same, ipFamilyPolicy: same },
        ...{ trafficDistribution: same, publishNotReadyAddresses: same, internalTrafficPolicy: same, externalTrafficPolicy: same },
      },
    },
    pods: {
      metadata: meta(pod),
      spec: {
        ...{ nodeName: node, hostname: pod, subdomain: service, hostNetwork: same, containers: container, initContainers: container },
        readinessGates: same,
      },
      status: { phase: same, podIP: ip, podIPs: { ip }, conditions },
    },
    nodes: { metadata: meta(node), spec: { unschedulable: same }, status: { allocatable: { cpu: same }, conditions } },
    slices: {
      metadata: { ...meta(names.of('slice')), ownerReferences: { apiVersion: same, kind: same, name: service, uid, controller: same } },
      ...{ addressType: same, ports: port },
      endpoints: {
        ...{ addresses: ip, conditions: same, hostname: pod, nodeName: node, zone },
        hints: { forZones: { name: zone }, forNodes: { name: node } },
        targetRef: { kind: same, namespace, name: pod, uid },
      },
    },
  };
}

/** The parts of a value that a shape has; for an array, of each of its items. @param {any} value @param {any} shape @returns {any} */
function picked(value, shape) {
  if (value === null || value === undefined) return value;
  if (Array.isArray(value)) return value.map((each) => picked(each, shape));
  if (typeof shape === 'function') return shape(value);
  const parts = Object.keys(shape).filter((name) => value[name] !== undefined);
  return Object.fromEntries(parts.map((name) => [name, picked(value[name], shape[name])]));
}
