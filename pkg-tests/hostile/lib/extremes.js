/**
 * Objects that an API server accepts and keeps, at the limits of its validation, and a few that only a broken or newer
 * server would send. All are made from a seed.
 *
 * The limits are those of Kubernetes: 1,000 endpoints of 100 addresses and 20,000 ports in a slice, annotations of 256 KiB,
 * 1.5 MiB in etcd, and no limit for the depth of `managedFields`.
 */

/** @typedef {import('../../webhook/lib/reviews.js').Json} Json */
/** @typedef {import('./random.js').Random} Random */

const KINDS = /** @type {const} */ (['Service', 'EndpointSlice', 'Pod', 'Node']);
const [FREE_IPV4, LITERAL] = ['198.18.', '10.0.0.1'];

/** Nested values of that depth, as a server keeps them in `fieldsV1`. @param {number} depth */
function nested(depth) {
  /** @type {Json} */
  let value = {};
  for (let level = 0; level < depth; level += 1) value = level % 7 === 6 ? { 'k:{"port":80}': [value] } : { [`f:${level}`]: value };
  return value;
}

const SHARED = { app: 'odd' };

/** @type {Record<typeof KINDS[number], (name: string) => Json>} */
const PLAIN = {
  Service: (name) => ({
    apiVersion: 'v1', kind: 'Service', metadata: { name, namespace: 'odd', uid: name, labels: SHARED },
    spec: {
      type: 'ClusterIP',
      clusterIP: '10.96.7.7',
      ipFamilies: ['IPv4'],
      selector: SHARED,
      ports: [{ name: 'http', port: 80, protocol: 'TCP', targetPort: 8080 }],
    },
    status: { loadBalancer: {} },
  }),
  EndpointSlice: (name) => ({
    apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice',
    metadata: { name, namespace: 'odd', uid: name, labels: { 'kubernetes.io/service-name': 'odd' } },
    addressType: 'IPv4', endpoints: [], ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
  }),
  Pod: (name) => ({
    apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'odd', uid: name, labels: SHARED },
    spec: { nodeName: 'n1', containers: [{ name: 'c', image: 'i' }] },
    status: { phase: 'Running', podIP: '10.9.0.9', podIPs: [{ ip: '10.9.0.9' }], conditions: [{ type: 'Ready', status: 'True' }] },
  }),
  Node: (name) => ({
    apiVersion: 'v1', kind: 'Node', metadata: { name, labels: { 'topology.kubernetes.io/zone': 'a' } },
    status: { allocatable: { cpu: '4' }, conditions: [{ type: 'Ready', status: 'True' }] },
  }),
};

/** @param {string} kind @param {(object: Json, random: Random) => void} change */
const of = (kind, change) => ({ kind, change });

/** @param {number} count @param {(index: number) => any} make */
const list = (count, make) => Array.from({ length: count }, (_, index) => make(index));

const address = (/** @type {number} */ index) => `${FREE_IPV4}${(index >> 8) & 255}.${index & 255}`;

/** Changes that API servers accept, by name. @type {Record<string, {kind: string, change: (object: Json, random: Random) => void}>} */
const LEGAL = {
  ...Object.fromEntries(
    KINDS.flatMap((kind) => [
      [
        `deep managedFields of a ${kind}`,
        of(
          kind,
          (object, random) =>
            (object.metadata.managedFields = [
              { manager: 'x', operation: 'Apply', fieldsType: 'FieldsV1', fieldsV1: nested(random.pick([101, 150, 2000])) },
            ]),
        ),
      ],
      [
        `annotations full of escapes of a ${kind}`,
        of(
          kind,
          (object, random) =>
            (object.metadata.annotations = { note: random.pick(['<', '&', '"', '\\', '\u0001', '\u2028', '鍵', '🗝']).repeat(60_000) }),
        ),
      ],
      [
        `absent values of a ${kind}`,
        of(kind, (object) =>
          Object.assign(object, { status: null }, object.spec ? {} : { endpoints: null, ports: null }, {
            metadata: { ...object.metadata, annotations: null, finalizers: null, ownerReferences: null },
          }),
        ),
      ],
      [
        `many labels of a ${kind}`,
        of(
          kind,
          (object) =>
            (object.metadata.labels = {
              ...object.metadata.labels,
              ...Object.fromEntries(list(4000, (index) => [`l${index}.example.com/${'x'.repeat(63)}`, 'v'.repeat(63)])),
            }),
        ),
      ],
      [
        `names with a meaning elsewhere of a ${kind}`,
        of(kind, (object) => (object.metadata.annotations = { __proto__: null, constructor: 'x', toString: 'x', hasOwnProperty: 'x' })),
      ],
    ]),
  ),
  'arguments full of escapes': of('Pod', (pod) => (pod.spec.containers[0].args = ['<'.repeat(1_300_000)])),
  'a slice of the largest size': of(
    'EndpointSlice',
    (slice) => (slice.endpoints = list(1000, (at) => ({ addresses: list(12, (index) => address(at * 12 + index)), conditions: { ready: true } }))),
  ),
  'equal names a hundred thousand times': of('EndpointSlice', (slice) =>
    Object.assign(slice, { addressType: 'FQDN', endpoints: list(1000, () => ({ addresses: list(100, () => 'a.b') })) }),
  ),
  'equal literals a hundred thousand times': of('EndpointSlice', (slice) =>
    Object.assign(slice, { addressType: 'FQDN', endpoints: list(1000, () => ({ addresses: list(100, () => LITERAL) })) }),
  ),
  'twenty thousand ports': of(
    'EndpointSlice',
    (slice) => (slice.ports = list(20_000, (index) => ({ name: `p${index}`, protocol: 'TCP', port: 1 + index }))),
  ),
  'hints of the largest size': of(
    'EndpointSlice',
    (slice) =>
      (slice.endpoints = list(1000, (at) => ({
        addresses: [address(at)],
        hints: { forZones: list(8, (zone) => ({ name: `z${zone}` })), forNodes: list(8, (node) => ({ name: `n${node}` })) },
      }))),
  ),
  'ports of a Service by the thousand': of(
    'Service',
    (service) => (service.spec.ports = list(5000, (index) => ({ name: `p${index}`, protocol: 'TCP', port: 1 + index, targetPort: `t${index}` }))),
  ),
  'external addresses by the thousand': of('Service', (service) => (service.spec.externalIPs = list(5000, address))),
  'containers by the hundred': of(
    'Pod',
    (pod) =>
      (pod.spec.containers = list(500, (index) => ({
        name: `c${index}`,
        image: 'i',
        ports: list(20, (port) => ({ name: `p${index}-${port}`, containerPort: 1 + port })),
      }))),
  ),
  'times at the ends of time': of('Pod', (pod) =>
    Object.assign(pod.metadata, {
      creationTimestamp: '0001-01-01T00:00:00Z',
      deletionTimestamp: '9999-12-31T23:59:59Z',
      deletionGracePeriodSeconds: 9007199254740991,
    }),
  ),
  'quantities at their ends': of(
    'Node',
    (node, random) =>
      (node.status.allocatable.cpu = random.pick(['0', '1e-9', '9E', '9223372036854775807', '.5', '5.', '1n', '0.000000000000000001Ei', '-4'])),
  ),
  'images by the hundred': of(
    'Node',
    (node) =>
      (node.status.images = list(500, (index) => ({
        names: list(20, (name) => `registry.example/${index}/${'x'.repeat(200)}:${name}`),
        sizeBytes: 1e9,
      }))),
  ),
};

/** Changes that no server of today would let through. @type {typeof LEGAL} */
const BROKEN = {
  'a label that is a number': of('Pod', (pod) => (pod.metadata.labels = { app: 7 })),
  'an address that is a number': of('Pod', (pod) => (pod.status.podIPs = [{ ip: 7 }])),
  'a selector that is a list': of('Service', (service) => (service.spec.selector = ['app'])),
  'endpoints that are an object': of('EndpointSlice', (slice) => (slice.endpoints = { addresses: ['10.0.0.1'] })),
  'a quantity beyond every integer': of('Node', (node) => (node.status.allocatable.cpu = '1000000000000000000000000')),
  'conditions that are a text': of('Node', (node) => (node.status.conditions = 'Ready')),
};

/**
 * Every extreme once, each made anew from the seed.
 * @param {Random} random
 * @returns {{title: string, object: Json, isLegal: boolean}[]}
 */
export function extremes(random) {
  return Object.entries({ ...LEGAL, ...BROKEN }).map(([title, { kind, change }], number) => {
    const object = PLAIN[/** @type {typeof KINDS[number]} */ (kind)](`odd-${number}`);
    change(object, random);
    return { title, object, isLegal: Object.hasOwn(LEGAL, title) };
  });
}

/** Users as servers, tools and attackers name themselves. @type {Json[]} */
export const USERS = [
  { username: 'jane', groups: ['system:authenticated'] },
  { username: '', groups: null },
  { username: 'system:serviceaccount:odd:odd', uid: 'x', groups: list(2000, (index) => `group-${index}`) },
  { username: 'ключ\u202e\u0000\n', extra: { 'authentication.kubernetes.io/pod-name': list(500, () => 'x'.repeat(100)) } },
  { username: 'x'.repeat(100_000) },
];

/** JSON as Go's encoder writes it. @param {unknown} value */
export function goJson(value) {
  /** @type {Record<string, string>} */
  const escapes = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026', '\u2028': '\\u2028', '\u2029': '\\u2029' };
  return JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (character) => escapes[character]);
}
