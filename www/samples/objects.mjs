/** Building blocks of the examples: nodes, pods on them, and earlier slices. */
import { node, pod, service } from '../input/build.js';
import { uidOf as uid } from '../input/uid.js';

export { node, pod, service };

export const ZONES = ['europe-west4-a', 'europe-west4-b', 'europe-west4-c'];
export const AUTO = { 'service.kubernetes.io/topology-mode': 'Auto' };
const MANAGER = 'endpointslice-controller.k8s.io';
const CREATED = '2026-03-02T08:00:00Z';

/** @import {PodSpec} from '../input/build.js' */

/** Two nodes in each zone. @param {string[]} [cpus] CPU of the nodes of each zone */
export function fleet(cpus = ['4', '4', '4'], zones = ZONES) {
  return zones.flatMap((zone, index) => [1, 2].map((n) => node({ name: `node-${zone.at(-1)}${n}`, zone, cpu: cpus[index] })));
}

/**
 * Pods on nodes, one address each, numbered from `first`.
 * @param {string} app
 * @param {string[]} on the node of each pod
 * @param {Partial<PodSpec> & {first?: number, version?: string}} [more]
 */
export function pods(app, on, { first = 1, version = 'v1', ...more } = {}) {
  return on.map((name, index) => {
    const number = first + index;
    const ip = `10.8.${Math.floor(number / 200)}.${(number % 200) + 10}`;
    return pod({ name: `${app}-${version}-${String(number).padStart(2, '0')}`, labels: { app }, on: name, ips: [ip], ...more });
  });
}

/** Node names, round robin over zones. @param {number} count @param {string} [order] zone letters to repeat */
export function spread(count, order = 'abc') {
  return Array.from({ length: count }, (_, index) => `node-${order[index % order.length]}${(Math.floor(index / order.length) % 2) + 1}`);
}

/**
 * The endpoint of a pod in an earlier slice: ready, and hinted for its own zone if `hints` is set.
 * @param {ReturnType<typeof pod>} from
 * @param {ReturnType<typeof node>[]} nodes
 * @param {{hints?: boolean, nodeHints?: boolean, family?: 'IPv4' | 'IPv6'}} [options]
 */
export function endpoint(from, nodes, { hints = false, nodeHints = false, family = 'IPv4' } = {}) {
  const on = nodes.find((each) => each.metadata.name === from.spec.nodeName);
  const zone = on?.metadata.labels['topology.kubernetes.io/zone'];
  return {
    addresses: from.status.podIPs.map((each) => each.ip).filter((ip) => ip.includes(':') === (family === 'IPv6')),
    conditions: { ready: true, serving: true, terminating: false },
    ...(from.spec.hostname && { hostname: from.spec.hostname }),
    targetRef: { kind: 'Pod', namespace: 'shop', name: from.metadata.name, uid: from.metadata.uid },
    nodeName: from.spec.nodeName,
    ...(zone && { zone }),
    ...(hints && {
      hints: { forZones: [{ name: zone }], ...(nodeHints && { forNodes: [{ name: from.spec.nodeName }] }) },
    }),
  };
}

/**
 * @param {string} of the Service
 * @param {string} suffix
 * @param {object[]} endpoints
 * @param {{port?: number, managedBy?: string, headless?: boolean, addressType?: string, labels?: Record<string, string>, ports?: object[]}} [options]
 */
export function slice(of, suffix, endpoints, {
  port = 8080,
  managedBy = MANAGER,
  headless = false,
  addressType = 'IPv4',
  labels = {},
  ports: given,
} = {}) {
  const name = `${of}-${suffix}`;
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name,
      generateName: `${of}-`,
      namespace: 'shop',
      uid: uid('slice', name),
      resourceVersion: String(1000 + suffix.charCodeAt(0)),
      generation: 3,
      creationTimestamp: CREATED,
      labels: {
        'endpointslice.kubernetes.io/managed-by': managedBy,
        'kubernetes.io/service-name': of,
        ...(headless && { 'service.kubernetes.io/headless': '' }),
        ...labels,
      },
      ownerReferences: [
        { apiVersion: 'v1', kind: 'Service', name: of, uid: uid('service', of), controller: true, blockOwnerDeletion: true },
      ],
    },
    addressType,
    endpoints,
    ports: given ?? [{ name: 'http', port, protocol: 'TCP' }],
  };
}
