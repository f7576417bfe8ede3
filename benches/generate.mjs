/**
 * Writes the inputs of the benchmark: plan requests, the same bytes every time.
 *
 * `node benches/generate.mjs SIZE SCENARIO HINTS [--slim] [--slices FILE] > request.json`; `npm run bench` calls
 * the functions. SCENARIO is one of {@link SCENARIOS}, HINTS `on` or `off`. FILE holds the creation plan.
 */
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

/** What changed since the slices were written. */
export const SCENARIOS = /** @type {const} */ (['creation', 'no-change', 'one-replaced', 'quarter-replaced', 'hints-removed']);

/**
 * @typedef {typeof SCENARIOS[number]} Scenario
 * @typedef {{size: number, scenario: Scenario, hints: boolean, slim: boolean}} Case
 * @typedef {{slices: any[], state: any}} Before what the creation left
 */

const NAMESPACE = 'shop';
const APP = 'cart';
const PODS_PER_NODE = 30;
const ZONES = ['eu-west-1a', 'eu-west-1b', 'eu-west-1c'];
const CREATED = '2026-03-01T08:00:00Z';
const TRIGGER = '2026-03-01T08:00:09.123456Z';
const REPLACED = '2026-03-02T10:30:00Z';

/** If slices still carry hints that the Service no longer asks for, they come from the hinted case. @param {Case} of */
export const startsWithHints = ({ scenario, hints }) => hints || scenario === 'hints-removed';

/**
 * The request that creates the slices the other scenarios start with.
 * @param {Case} of
 */
export function creation(of) {
  return request({ ...of, scenario: 'creation', hints: startsWithHints(of) }, { slices: [], state: {} });
}

/**
 * The slices and the state that a plan of {@link creation} leaves.
 * @param {any} plan
 * @returns {Before}
 */
export function applied(plan) {
  const slices = plan.create.map((/** @type {any} */ slice, /** @type {number} */ index) => ({
    ...slice,
    metadata: {
      ...slice.metadata,
      name: `${slice.metadata.generateName}${letters(index)}`,
      uid: uid(0x511c, index),
      resourceVersion: String(900_000 + index),
      generation: 1,
      creationTimestamp: CREATED,
    },
  }));
  return { slices, state: plan.state };
}

/**
 * One request in pieces, because the whole may exceed the maximum length of a string.
 * @param {Case} of
 * @param {Before} before
 */
export function* request(of, before) {
  const fromScratch = of.scenario === 'creation';
  yield `{"service":${JSON.stringify(service(of.hints))},"pods":[`;
  const nodes = Math.max(ZONES.length, Math.ceil(of.size / PODS_PER_NODE));
  for (let index = 0; index < of.size; index += 1) {
    const generation = isReplaced(of, index) ? 1 : 0;
    const pod = of.slim ? slimPod(index, generation, nodes) : fullPod(index, generation, nodes);
    yield (index === 0 ? '' : ',') + JSON.stringify(pod);
  }
  yield `],"nodes":${JSON.stringify(Array.from({ length: nodes }, (_, index) => node(index)))},"slices":[`;
  for (const [index, slice] of (fromScratch ? [] : before.slices).entries()) yield (index === 0 ? '' : ',') + JSON.stringify(slice);
  yield `],"triggerTime":"${TRIGGER}","state":${JSON.stringify(fromScratch ? {} : before.state)}}`;
}

/**
 * Watch events of pods that become unready and ready again, one per line, as an API server sends them.
 * @param {Case} of
 * @param {number} count how many pods, spread evenly over all of them
 */
export function* podEvents(of, count) {
  const nodes = Math.max(ZONES.length, Math.ceil(of.size / PODS_PER_NODE));
  for (const status of ['False', 'True']) {
    for (let number = 0; number < count; number += 1) {
      const pod = fullPod(Math.floor((number * of.size) / count), 0, nodes);
      pod.metadata.resourceVersion = `${status === 'True' ? 4 : 3}0000${number}`;
      const ready = pod.status.conditions.find(({ type }) => type === 'Ready');
      if (ready) ready.status = status;
      yield `${JSON.stringify({ type: 'MODIFIED', object: pod })}\n`;
    }
  }
}

/**
 * Input lines for `slicewise simulate --ndjson`: the whole cluster as one list, then timed events like those of
 * {@link podEvents}, far enough apart that the effects of one are complete before the next.
 * @param {Case} of
 * @param {Before} before
 * @param {number} changes
 */
export function* controllerLines(of, before, changes) {
  const nodes = Math.max(ZONES.length, Math.ceil(of.size / PODS_PER_NODE));
  yield `{"at":0,"list":{"kind":"List","apiVersion":"v1","items":[${JSON.stringify(service(of.hints))}`;
  for (let index = 0; index < nodes; index += 1) yield `,${JSON.stringify(node(index))}`;
  for (let index = 0; index < of.size; index += 1) yield `,${JSON.stringify({ apiVersion: 'v1', kind: 'Pod', ...slimPod(index, 0, nodes) })}`;
  for (const slice of before.slices) yield `,${JSON.stringify({ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', ...slice })}`;
  yield ']}}\n';
  const events = [...podEvents(of, Math.min(50, of.size))];
  for (let number = 0; number < changes; number += 1) {
    const event = events[number % events.length].trimEnd().replace(/"resourceVersion":"\d+"/, `"resourceVersion":"${5_000_000 + number}"`);
    yield `{"at":${(number + 5) * 2000},"event":${event}}\n`;
  }
}

/** @param {Case} of @param {number} index */
function isReplaced({ scenario, size }, index) {
  if (scenario === 'one-replaced') return index === Math.floor(size / 2);
  return scenario === 'quarter-replaced' && index % 4 === 1;
}

/** @param {boolean} hints */
function service(hints) {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: APP,
      namespace: NAMESPACE,
      uid: uid(0x5e41, 0),
      resourceVersion: '4711',
      creationTimestamp: CREATED,
      labels: { app: APP, team: 'checkout' },
      ...(hints ? { annotations: { 'service.kubernetes.io/topology-mode': 'Auto' } } : {}),
    },
    spec: {
      type: 'ClusterIP',
      clusterIP: '10.96.0.42',
      clusterIPs: ['10.96.0.42'],
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      selector: { app: APP },
      ports: [
        { name: 'http', protocol: 'TCP', port: 80, targetPort: 8080 },
        { name: 'metrics', protocol: 'TCP', port: 9090, targetPort: 9090 },
      ],
    },
  };
}

/** @param {number} index */
function node(index) {
  const name = nodeName(index);
  const zone = ZONES[index % ZONES.length];
  const labels = {
    'kubernetes.io/hostname': name,
    'kubernetes.io/os': 'linux',
    'topology.kubernetes.io/region': 'eu-west-1',
    'topology.kubernetes.io/zone': zone,
  };
  const resources = { cpu: '15890m', memory: '63589448Ki', 'ephemeral-storage': '95551679124', pods: '110' };
  const condition = (/** @type {string} */ type, /** @type {string} */ status, /** @type {string} */ reason) => ({
    type, status, reason, message: `kubelet reports ${reason}`, lastHeartbeatTime: REPLACED, lastTransitionTime: CREATED,
  });
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, uid: uid(0x40de, index), resourceVersion: String(100 + index), creationTimestamp: CREATED, labels },
    spec: { providerID: `example:///${zone}/${name}`, podCIDR: `10.${200 + (index >> 8)}.${index & 255}.0/24` },
    status: {
      addresses: [{ type: 'InternalIP', address: address(192, index) }, { type: 'Hostname', address: name }],
      allocatable: resources,
      capacity: { ...resources, cpu: '16' },
      conditions: [condition('MemoryPressure', 'False', 'KubeletHasSufficientMemory'), condition('Ready', 'True', 'KubeletReady')],
      nodeInfo: { architecture: 'amd64', kubeletVersion: 'v1.37.0', operatingSystem: 'linux', containerRuntimeVersion: 'containerd://2.2.1' },
    },
  };
}

/** A pod's identity; its replacement is another pod on the same node. @param {number} index @param {number} generation @param {number} nodes */
function identity(index, generation, nodes) {
  return {
    name: `${APP}-${generation === 0 ? '6d4b75cb6d' : '7f9c8d5b44'}-${letters(index)}`,
    uid: uid(0x900d + generation, index),
    nodeName: nodeName(index % nodes),
    ip: address(generation === 0 ? 10 : 11, index),
  };
}

/** Only the fields that plans depend on. @param {number} index @param {number} generation @param {number} nodes */
function slimPod(index, generation, nodes) {
  const { name, uid: id, nodeName: at, ip } = identity(index, generation, nodes);
  return {
    metadata: { name, namespace: NAMESPACE, uid: id, labels: { app: APP } },
    spec: { nodeName: at },
    status: { phase: 'Running', podIP: ip, podIPs: [{ ip }], conditions: [{ type: 'Ready', status: 'True' }] },
  };
}

/**
 * A pod as an API server returns it, a good 5 KB. Constant times and annotations would favour implementations that cache values.
 * @param {number} index @param {number} generation @param {number} nodes
 */
function fullPod(index, generation, nodes) {
  const { name, uid: id, nodeName: at, ip } = identity(index, generation, nodes);
  const hash = name.split('-')[1];
  const created = time(index, 0);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      generateName: `${APP}-${hash}-`,
      namespace: NAMESPACE,
      uid: id,
      resourceVersion: String(200_000 + index),
      creationTimestamp: created,
      labels: { app: APP, team: 'checkout', 'app.kubernetes.io/version': '2026.3.1', 'pod-template-hash': hash },
      annotations: {
        'prometheus.io/scrape': 'true',
        'prometheus.io/port': '9090',
        'example.com/config': `"${letters(index)}"`,
        [`example.com/rollout-${index % 7}`]: String(index),
        'example.com/injected': '{"version":"1.29.0","initContainers":["init"],"containers":["proxy"],"volumes":["envoy","data","podinfo","token"]}',
      },
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind: 'ReplicaSet',
          name: `${APP}-${hash}`,
          uid: uid(0x4e5e, generation),
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
      managedFields: [managed('kube-controller-manager', created, MANAGED_SPEC), managed('kubelet', time(index, 9), MANAGED_STATUS, 'status')],
    },
    spec: podSpec(at, index),
    status: podStatus(ip, index),
  };
}

const MANAGED_SPEC = Object.fromEntries(
  ['f:generateName', 'f:labels', 'f:ownerReferences', 'f:containers', 'f:dnsPolicy', 'f:restartPolicy', 'f:schedulerName', 'f:volumes'].map((key) => [
    key,
    { '.': {} },
  ]),
);
const MANAGED_STATUS = Object.fromEntries(
  ['f:conditions', 'f:containerStatuses', 'f:hostIP', 'f:phase', 'f:podIP', 'f:podIPs', 'f:startTime'].map((key) => [
    key,
    { '.': {}, 'k:{"type":"Ready"}': {} },
  ]),
);

/** @param {string} manager @param {string} written @param {object} fields @param {string} [subresource] */
function managed(manager, written, fields, subresource) {
  return {
    manager,
    operation: 'Update',
    apiVersion: 'v1',
    time: written,
    fieldsType: 'FieldsV1',
    fieldsV1: fields,
    ...(subresource ? { subresource } : {}),
  };
}

/** @param {string} at @param {number} index */
function podSpec(at, index) {
  const env = (/** @type {string} */ name, /** @type {string} */ value) => ({ name, value });
  const probe = (/** @type {string} */ path) => ({
    httpGet: { path, port: 8080, scheme: 'HTTP' },
    timeoutSeconds: 1,
    periodSeconds: 10,
    successThreshold: 1,
    failureThreshold: 3,
  });
  const token = `kube-api-access-${letters(index)}`;
  const mounts = [
    { name: 'config', mountPath: '/etc/cart', readOnly: true },
    { name: token, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount', readOnly: true },
  ];
  return {
    volumes: [
      { name: 'config', configMap: { name: 'cart-config', defaultMode: 420 } },
      {
        name: token,
        projected: {
          defaultMode: 420,
          sources: [
            { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
            { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
          ],
        },
      },
    ],
    containers: [
      {
        name: 'cart',
        image: 'registry.example.com/shop/cart:2026.3.1',
        ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }, { name: 'metrics', containerPort: 9090, protocol: 'TCP' }],
        env: [
          env('GOMEMLIMIT', '512MiB'), env('DATABASE_URL', 'postgres://cart@db.shop.svc:5432/cart?sslmode=verify-full'), env('LOG_FORMAT', '{"level":"info"}'),
          { name: 'POD_IP', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'status.podIP' } } },
        ],
        resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '250m', memory: '512Mi' } },
        volumeMounts: mounts,
        livenessProbe: probe('/healthz'),
        readinessProbe: probe('/readyz'),
        terminationMessagePath: '/dev/termination-log',
        terminationMessagePolicy: 'File',
        imagePullPolicy: 'IfNotPresent',
        securityContext: { capabilities: { drop: ['ALL'] }, runAsNonRoot: true, readOnlyRootFilesystem: true, allowPrivilegeEscalation: false },
      },
    ],
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    serviceAccountName: 'cart',
    serviceAccount: 'cart',
    nodeName: at,
    securityContext: {},
    affinity: {
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 100, podAffinityTerm: { labelSelector: { matchLabels: { app: APP } }, topologyKey: 'kubernetes.io/hostname' } },
        ],
      },
    },
    schedulerName: 'default-scheduler',
    tolerations: ['not-ready', 'unreachable'].map((key) => ({
      key: `node.kubernetes.io/${key}`,
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds: 300,
    })),
    priority: 0,
    enableServiceLinks: true,
    preemptionPolicy: 'PreemptLowerPriority',
  };
}

/** @param {string} ip @param {number} index */
function podStatus(ip, index) {
  const digest = uid(0xd16e, index).replaceAll('-', '').repeat(2);
  return {
    phase: 'Running',
    conditions: ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type, number) => ({
      type, status: 'True', lastProbeTime: null, lastTransitionTime: time(index, number),
    })),
    hostIP: address(192, index),
    hostIPs: [{ ip: address(192, index) }],
    podIP: ip,
    podIPs: [{ ip }],
    startTime: time(index, 0),
    containerStatuses: [
      {
        name: 'cart',
        state: { running: { startedAt: time(index, 5) } },
        lastState: {},
        ready: true,
        restartCount: 0,
        image: 'registry.example.com/shop/cart:2026.3.1',
        imageID: `registry.example.com/shop/cart@sha256:${digest}`,
        containerID: `containerd://${digest}`,
        started: true,
      },
    ],
    qosClass: 'Burstable',
  };
}

/** A number of seconds after the pod was created. @param {number} index @param {number} seconds */
const time = (index, seconds) => `${new Date(1_770_000_000_000 + index * 61_003 + seconds * 1000).toISOString().slice(0, -5)}Z`;

/** @param {number} index */
const nodeName = (index) => `ip-${address(192, index).replaceAll('.', '-')}.eu-west-1.compute.internal`;

/** @param {number} first @param {number} index */
const address = (first, index) => `${first}.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;

/** Five letters, unique for each number and spread over the alphabet like generated names. @param {number} index */
const letters = (index) => ((index * 7_368_787) % 36 ** 5).toString(36).padStart(5, '0');

/** @param {number} kind @param {number} index */
function uid(kind, index) {
  const mixed = Math.imul(index + kind, 0x9e37_79b1) >>> 0;
  const hex = (/** @type {number} */ value, /** @type {number} */ length) => value.toString(16).padStart(length, '0').slice(-length);
  return `${hex(mixed, 8)}-${hex(kind, 4)}-4${hex(mixed >>> 7, 3)}-a${hex(mixed >>> 13, 3)}-${hex(index, 12)}`;
}

async function main() {
  const options = /** @type {const} */ ({ slim: { type: 'boolean', default: false }, slices: { type: 'string' } });
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [size, scenario, hints] = positionals;
  const of = { size: Number(size), scenario: /** @type {Scenario} */ (scenario), hints: hints === 'on', slim: values.slim };
  if (!(of.size > 0) || !SCENARIOS.includes(of.scenario)) {
    throw new Error(`usage: generate.mjs SIZE ${SCENARIOS.join('|')} on|off [--slim] [--slices FILE]`);
  }
  const before = values.slices ? applied(JSON.parse(await readFile(values.slices, 'utf8'))) : { slices: [], state: {} };
  for (const piece of request(of, before)) process.stdout.write(piece);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
