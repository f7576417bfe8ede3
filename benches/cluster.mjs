/**
 * Writes a settled cluster as `kubectl get services,pods,nodes,endpointslices -A -o json` prints it: 20 pods for each
 * Service, in 50 namespaces, on 500 nodes in three zones; one pod in 97 is not ready.
 */
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';

const PODS = 20;
const NODES = 500;
const NAMESPACES = 50;
const ZONES = ['a', 'b', 'c'];
const STORED = '2026-01-01T00:00:00Z';

/** An address in the second half of 10.0.0.0/8, or the first. @param {number} first @param {number} number */
const address = (first, number) => `10.${first + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`;

/** @param {number} number */
function node(number) {
  const name = `node-${number}`;
  const labels = { 'topology.kubernetes.io/zone': ZONES[number % 3], 'kubernetes.io/hostname': name };
  const status = { allocatable: { cpu: '16' }, conditions: [{ type: 'Ready', status: 'True' }], nodeInfo: { kubeletVersion: 'v1.37.0' } };
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, labels, uid: name, resourceVersion: '5' }, status };
}

/** @param {number} number */
const namespaceOf = (number) => `team-${number % NAMESPACES}`;

/** @param {number} number */
function service(number) {
  const name = `service-${number}`;
  const clusterIP = address(96, number);
  const annotations = number % 4 === 0 ? { 'service.kubernetes.io/topology-mode': 'Auto' } : {};
  const traffic = number % 4 === 1 ? { trafficDistribution: 'PreferSameZone' } : {};
  const policies = { ipFamilyPolicy: 'SingleStack', internalTrafficPolicy: 'Cluster', sessionAffinity: 'None', ...traffic };
  const ports = [{ name: 'http', port: 80, protocol: 'TCP', targetPort: 8080 }];
  const spec = { type: 'ClusterIP', clusterIP, clusterIPs: [clusterIP], ipFamilies: ['IPv4'], ...policies, selector: { app: name }, ports };
  const metadata = { namespace: namespaceOf(number), name, uid: name, resourceVersion: '7', creationTimestamp: STORED, annotations };
  return { apiVersion: 'v1', kind: 'Service', metadata, spec, status: { loadBalancer: {} } };
}

/** @param {number} of the Service @param {number} number of all pods */
function pod(of, number) {
  const name = `service-${of}-${number}`;
  const ready = number % 97 !== 0;
  const ip = address(128, number);
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: `service-${of}-5d9c`, uid: `set-${of}`, controller: true };
  const labels = { app: `service-${of}`, 'pod-template-hash': '5d9c' };
  const metadata = { namespace: namespaceOf(of), name, uid: name, resourceVersion: '9', creationTimestamp: STORED, labels, ownerReferences: [owner] };
  const container = { name: 'app', image: 'example.com/app:1', ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }] };
  const spec = { nodeName: `node-${number % NODES}`, containers: [container], restartPolicy: 'Always', serviceAccountName: 'default' };
  const conditions = ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => {
    return { type, status: ready || !type.includes('Ready') ? 'True' : 'False', lastTransitionTime: STORED };
  });
  const state = { name: 'app', ready, started: true, restartCount: 0, state: { running: { startedAt: STORED } }, image: 'example.com/app:1' };
  const status = { phase: 'Running', podIP: ip, podIPs: [{ ip }], startTime: STORED, conditions, containerStatuses: [state] };
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec, status };
}

/** @param {string} file @param {any[]} items */
function writeList(file, items) {
  writeFileSync(file, '{"apiVersion":"v1","kind":"List","items":[\n');
  const to = openSync(file, 'a');
  for (const [index, item] of items.entries()) writeSync(to, `${index > 0 ? ',\n' : ''}${JSON.stringify(item)}`);
  writeSync(to, '\n]}');
  closeSync(to);
}

/** In the order of API servers: by namespace and name. @param {any[]} objects */
function listed(objects) {
  const key = (/** @type {any} */ { metadata }) => `${metadata.namespace ?? ''}\0${metadata.name}`;
  return objects.map((object) => ({ key: key(object), object })).sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ object }) => object);
}

/** @param {string} file @param {number} services @param {string} command plans the slices */
export function writeCluster(file, services, command) {
  const numbers = Array.from({ length: services }, (_, number) => number);
  const pods = numbers.flatMap((of) => Array.from({ length: PODS }, (_, index) => pod(of, of * PODS + index)));
  const nodes = Array.from({ length: NODES }, (_, number) => node(number));
  const items = [...listed(numbers.map(service)), ...listed(pods), ...listed(nodes)];
  writeList(file, items);
  const { plans } = JSON.parse(execFileSync(command, ['plan', file, '-o', 'json'], { encoding: 'utf8', maxBuffer: 2 ** 30 }));
  const planned = plans.flatMap((/** @type {any} */ { create }) => create);
  const slices = planned.map((/** @type {any} */ { metadata: { generateName, ...metadata }, ...slice }, /** @type {number} */ number) => {
    const name = `${generateName}${number.toString(36).padStart(5, '0')}`;
    return { ...slice, metadata: { ...metadata, name, uid: name, resourceVersion: '11', generation: 1, creationTimestamp: STORED } };
  });
  writeList(file, [...items, ...listed(slices)]);
  return { services, pods: pods.length };
}
