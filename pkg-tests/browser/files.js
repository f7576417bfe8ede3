/** The inputs of the examples, as files; without a browser. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './server.js';

/** @param {string} id */
export function exampleFile(id) {
  return id === 'cluster-at-rest' ? join(ROOT, 'samples/cluster-at-rest.json') : join(ROOT, 'www/samples', `${id}.json`);
}

/** @param {string} id */
export function exampleBytes(id) {
  return readFileSync(exampleFile(id));
}

/**
 * A new Service with this many pods in three zones.
 * @param {number} count
 * @param {number} max endpoints per slice
 * @param {number} [seed] different seeds give different pods
 * @param {number} [bytes] the least size of a pod
 */
export function newService(count, max, seed = 0, bytes = 0) {
  const zones = ['a', 'b', 'c'];
  const nodes = zones.map((zone) => ({
    metadata: { name: `n-${zone}`, labels: { 'topology.kubernetes.io/zone': zone } },
    status: { allocatable: { cpu: '8' } },
  }));
  // Annotations are what makes pods large, and nothing reads them.
  const note = 'x'.repeat(Math.max(0, bytes - 250));
  const pods = Array.from({ length: count }, (_, index) => ({
    metadata: {
      name: `p-${seed}-${index}`,
      namespace: 'n',
      uid: `u${index}`,
      labels: { app: 'x' },
      ...(note && { annotations: { note } }),
    },
    spec: { nodeName: `n-${zones[index % 3]}`, containers: [{ name: 'c' }] },
    status: {
      phase: 'Running',
      podIPs: [{ ip: `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}` }],
      conditions: [{ type: 'Ready', status: 'True' }],
    },
  }));
  const spec = { selector: { app: 'x' }, ipFamilies: ['IPv4'], clusterIP: '10.96.0.1', trafficDistribution: 'PreferSameZone' };
  return JSON.stringify({
    service: { metadata: { name: 's', namespace: 'n', uid: 'u' }, spec },
    pods,
    nodes,
    options: { maxEndpointsPerSlice: max },
  });
}

/** A dump of many Services with two pods each; the selector of some matches nothing. @param {number} count @param {number[]} broken */
export function dump(count, broken) {
  const { service, pods, nodes } = JSON.parse(newService(2, 100));
  const items = Array.from({ length: count }, (_, index) => {
    const [namespace, app] = [`team-${index % 3}`, `app-${index}`];
    const metadata = { ...service.metadata, name: `svc-${String(index).padStart(4, '0')}`, namespace };
    const spec = { ...service.spec, selector: { app: broken.includes(index) ? `${app}x` : app } };
    return [
      { kind: 'Service', apiVersion: 'v1', metadata, spec },
      ...pods.map((/** @type {any} */ pod) => ({
        ...pod,
        kind: 'Pod',
        metadata: { ...pod.metadata, name: `${app}-${pod.metadata.name}`, namespace, labels: { app } },
      })),
    ];
  });
  const objects = nodes.map((/** @type {object} */ node) => ({ ...node, kind: 'Node' }));
  return JSON.stringify({ kind: 'List', apiVersion: 'v1', items: [...objects, ...items.flat()] });
}
