/**
 * Writes the example inputs beside this file: `node www/samples/generate.mjs`. Every example is a story about
 * a Service as it was (its slices) and as it is (its pods and nodes). The same run gives the same bytes.
 */
import { writeFileSync } from 'node:fs';
import { uidOf as uid } from '../input/uid.js';

const ZONES = ['europe-west4-a', 'europe-west4-b', 'europe-west4-c'];
const MANAGER = 'endpointslice-controller.k8s.io';
const CREATED = '2026-03-02T08:00:00Z';

/** @param {string} name @param {string | null} zone @param {string} [cpu] */
function node(name, zone, cpu = '4') {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      uid: uid('node', name),
      labels: { 'kubernetes.io/hostname': name, ...(zone && { 'topology.kubernetes.io/zone': zone }) },
    },
    status: { allocatable: { cpu, memory: '16Gi', pods: '110' }, conditions: [{ type: 'Ready', status: 'True' }] },
  };
}

/** Two nodes in each zone. @param {string[]} [cpus] CPU of the nodes of each zone */
function fleet(cpus = ['4', '4', '4']) {
  return ZONES.flatMap((zone, index) => [1, 2].map((n) => node(`node-${zone.at(-1)}${n}`, zone, cpus[index])));
}

/**
 * @typedef {object} PodSpec
 * @property {string} name
 * @property {string} app
 * @property {string} on the node
 * @property {string[]} ips
 * @property {boolean} [ready]
 * @property {boolean} [terminating]
 * @property {number} [port]
 * @property {string} [subdomain]
 */

/** @param {PodSpec} spec */
function pod({ name, app, on, ips, ready = true, terminating = false, port = 8080, subdomain }) {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'shop',
      uid: uid('pod', name),
      labels: { app },
      ...(terminating && { deletionTimestamp: '2026-03-02T09:30:00Z' }),
    },
    spec: {
      nodeName: on,
      ...(subdomain && { hostname: name, subdomain }),
      containers: [{ name: 'app', ports: [{ name: 'http', containerPort: port, protocol: 'TCP' }] }],
    },
    status: {
      phase: 'Running',
      podIP: ips[0],
      podIPs: ips.map((ip) => ({ ip })),
      conditions: [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: '2026-03-02T09:00:00Z' }],
    },
  };
}

/**
 * Pods on nodes, one address each, numbered from `first`.
 * @param {string} app
 * @param {string[]} on the node of each pod
 * @param {Partial<PodSpec> & {first?: number, version?: string}} [more]
 */
function pods(app, on, { first = 1, version = 'v1', ...more } = {}) {
  return on.map((name, index) => {
    const number = first + index;
    const ip = `10.8.${Math.floor(number / 200)}.${(number % 200) + 10}`;
    return pod({ name: `${app}-${version}-${String(number).padStart(2, '0')}`, app, on: name, ips: [ip], ...more });
  });
}

/** Node names, round robin over zones. @param {number} count @param {string} [order] zone letters to repeat */
function spread(count, order = 'abc') {
  return Array.from({ length: count }, (_, index) => {
    const letter = order[index % order.length];
    return `node-${letter}${(Math.floor(index / order.length) % 2) + 1}`;
  });
}

/** @param {string} name @param {Record<string, unknown>} [spec] @param {Record<string, string>} [annotations] */
function service(name, spec = {}, annotations) {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: 'shop', uid: uid('service', name), creationTimestamp: CREATED, ...(annotations && { annotations }) },
    spec: {
      type: 'ClusterIP',
      clusterIP: '10.96.0.10',
      ipFamilies: ['IPv4'],
      selector: { app: name },
      ports: [{ name: 'http', protocol: 'TCP', port: 80, targetPort: 'http' }],
      ...spec,
    },
  };
}

const AUTO = { 'service.kubernetes.io/topology-mode': 'Auto' };

/**
 * The endpoint a pod became when it was last looked at: ready, and hinted for its own zone if `hints` says so.
 * @param {ReturnType<typeof pod>} from
 * @param {ReturnType<typeof node>[]} nodes
 * @param {{hints?: boolean, nodeHints?: boolean, family?: 'IPv4' | 'IPv6'}} [options]
 */
function endpoint(from, nodes, { hints = false, nodeHints = false, family = 'IPv4' } = {}) {
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
 * @param {{port?: number, managedBy?: string, headless?: boolean}} [options]
 */
function slice(of, suffix, endpoints, { port = 8080, managedBy = MANAGER, headless = false } = {}) {
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
      },
      ownerReferences: [
        { apiVersion: 'v1', kind: 'Service', name: of, uid: uid('service', of), controller: true, blockOwnerDeletion: true },
      ],
    },
    addressType: 'IPv4',
    endpoints,
    ports: [{ name: 'http', port, protocol: 'TCP' }],
  };
}

/** 14 pods in a full slice and a partly full one; 12 more arrive. */
function scaleUp() {
  const nodes = fleet();
  const all = pods('web', spread(26));
  const old = all.slice(0, 14).map((each) => endpoint(each, nodes, { hints: true }));
  return {
    service: service('web', { trafficDistribution: 'PreferSameZone' }),
    pods: all,
    nodes,
    slices: [slice('web', 'k2x7p', old.slice(0, 10)), slice('web', 'q9d4m', old.slice(10))],
    options: { maxEndpointsPerSlice: 10 },
  };
}

/** 30 pods became 12, four left in each of three slices. */
function scaleDown() {
  const nodes = fleet();
  const all = pods('web', spread(30));
  const old = all.map((each) => endpoint(each, nodes));
  return {
    service: service('web'),
    pods: all.filter((_, index) => index % 10 < 4),
    nodes,
    slices: ['b5t8r', 'h3w6z', 'n7c1v'].map((suffix, index) => slice('web', suffix, old.slice(index * 10, index * 10 + 10))),
    options: { maxEndpointsPerSlice: 10 },
  };
}

/** In the middle of a rollout: old pods going, new ones coming, not all of them ready. */
function rollingUpdate() {
  const nodes = fleet();
  const old = pods('cart', spread(12));
  const slices = [slice('cart', 'd8f2k', old.map((each) => endpoint(each, nodes)))];
  const draining = pods('cart', spread(12).slice(4, 7), { first: 5, terminating: true });
  const stopped = pods('cart', spread(12).slice(7, 9), { first: 8, terminating: true, ready: false });
  const fresh = pods('cart', spread(6), { first: 21, version: 'v2' });
  const starting = pods('cart', spread(2, 'ab'), { first: 27, version: 'v2', ready: false });
  return {
    service: service('cart'),
    pods: [...old.slice(9), ...draining, ...stopped, ...fresh, ...starting],
    nodes,
    slices,
    options: { maxEndpointsPerSlice: 12 },
  };
}

/** Twelve pods with hints lose one, and with it the hints. */
function elevenEndpoints() {
  const nodes = fleet();
  const all = pods('checkout', spread(12));
  return {
    service: service('checkout', {}, AUTO),
    pods: all.slice(0, 11),
    nodes,
    slices: [slice('checkout', 'v4j9s', all.map((each) => endpoint(each, nodes, { hints: true })))],
  };
}

/** A node without a zone label joins; no pod of the Service runs on it. */
function unlabelledNode() {
  const nodes = fleet();
  const all = pods('checkout', spread(12));
  return {
    service: service('checkout', {}, AUTO),
    pods: all,
    nodes: [...nodes, node('spot-7f3c', null)],
    slices: [slice('checkout', 'v4j9s', all.map((each) => endpoint(each, nodes, { hints: true })))],
  };
}

/** One zone has half of the CPU, and the pods are spread evenly. */
function borrowedEndpoints() {
  const nodes = fleet(['8', '4', '4']);
  const all = pods('search', spread(12));
  return {
    service: service('search', {}, AUTO),
    pods: all,
    nodes,
    slices: [slice('search', 'r6m2y', all.map((each) => endpoint(each, nodes)))],
  };
}

/** Preference for the same zone, with seven pods in one zone and one in another. */
function lopsidedZones() {
  const nodes = fleet();
  const all = pods('api', [...spread(7, 'a'), ...spread(2, 'b'), 'node-c1']);
  return {
    service: service('api', { trafficDistribution: 'PreferSameZone' }),
    pods: all,
    nodes,
    slices: [slice('api', 'w1g5x', all.map((each) => endpoint(each, nodes)))],
  };
}

/** A pod of a DaemonSet on every node, and a preference for the same node. */
function sameNode() {
  const nodes = fleet();
  const all = pods('dns', nodes.map((each) => each.metadata.name));
  const known = all.slice(0, 5).map((each) => endpoint(each, nodes, { hints: true, nodeHints: true }));
  return {
    service: service('dns', { trafficDistribution: 'PreferSameNode' }),
    pods: all,
    nodes,
    slices: [slice('dns', 'z3p8l', known)],
  };
}

/** A headless Service becomes dual-stack; one member is not ready but must be found. */
function dualStack() {
  const nodes = fleet();
  const all = spread(5).map((on, index) =>
    pod({
      name: `db-${index}`,
      app: 'db',
      on,
      ips: [`10.8.4.${index + 10}`, `fd00:8:4::${(index + 10).toString(16)}`],
      ready: index !== 3,
      subdomain: 'db',
    }),
  );
  const known = all.map((each) => endpoint(each, nodes));
  known[3].conditions.serving = false;
  return {
    service: service('db', {
      clusterIP: 'None',
      ipFamilies: ['IPv4', 'IPv6'],
      ipFamilyPolicy: 'RequireDualStack',
      publishNotReadyAddresses: true,
    }),
    pods: all,
    nodes,
    slices: [slice('db', 'f5h7c', known, { headless: true })],
  };
}

/** The new version listens on another port under the same name. */
function namedPort() {
  const nodes = fleet();
  const old = pods('pay', spread(8));
  const fresh = pods('pay', spread(4), { first: 21, version: 'v2', port: 9090 });
  return {
    service: service('pay'),
    pods: [...old.slice(0, 5), ...fresh],
    nodes,
    slices: [slice('pay', 'm2b9q', old.map((each) => endpoint(each, nodes)))],
  };
}

/** A pod runs on a node the controller has not seen yet. */
function unknownNode() {
  const nodes = fleet();
  const known = pods('feed', spread(6));
  return {
    service: service('feed'),
    pods: [...known, ...pods('feed', ['node-d1'], { first: 7 })],
    nodes,
    slices: [slice('feed', 'c8k4t', known.slice(0, 5).map((each) => endpoint(each, nodes)))],
  };
}

/** A list as kubectl prints it: one Service whose selector no longer matches, one that is well. */
function selectorTypo() {
  const nodes = fleet();
  const orders = pods('orders', spread(8));
  const stock = pods('stock', spread(3), { first: 40 });
  return {
    apiVersion: 'v1',
    kind: 'List',
    items: [
      service('orders', { selector: { app: 'order' } }),
      service('stock'),
      ...orders,
      ...stock,
      ...nodes,
      slice('orders', 'x9r3n', orders.map((each) => endpoint(each, nodes))),
      slice('stock', 'g6v1w', stock.map((each) => endpoint(each, nodes))),
    ],
  };
}

/** Another controller keeps a slice for the same Service. */
function otherManager() {
  const nodes = fleet();
  const own = pods('media', spread(4));
  const remote = pods('media', spread(3), { first: 101, version: 'west' }).map((each) => ({
    addresses: [each.status.podIP],
    conditions: { ready: true },
    zone: 'us-west1-a',
  }));
  return {
    service: service('media'),
    pods: own,
    nodes,
    slices: [
      slice('media', 'j7y5d', own.slice(0, 3).map((each) => endpoint(each, nodes))),
      slice('media', 'mesh-west', remote, { managedBy: 'mesh.example.com' }),
    ],
  };
}

const SAMPLES = {
  'scale-up': scaleUp,
  'scale-down': scaleDown,
  'rolling-update': rollingUpdate,
  'eleven-endpoints': elevenEndpoints,
  'unlabelled-node': unlabelledNode,
  'borrowed-endpoints': borrowedEndpoints,
  'lopsided-zones': lopsidedZones,
  'same-node': sameNode,
  'dual-stack': dualStack,
  'named-port': namedPort,
  'unknown-node': unknownNode,
  'selector-typo': selectorTypo,
  'other-manager': otherManager,
};

/** Every example as it is written, by file name. */
export function sampleFiles() {
  return Object.entries(SAMPLES).map(([name, make]) => ({ file: `${name}.json`, text: `${JSON.stringify(make(), null, 2)}\n` }));
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  for (const { file, text } of sampleFiles()) writeFileSync(new URL(file, import.meta.url), text);
}
