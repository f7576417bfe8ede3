/**
 * The commands' output, byte for byte: each case has its text in `pkg-tests/command`. `UPDATE=1` rewrites them,
 * for review.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ROOT } from './lib/builds.mjs';
import { COMMANDS, NATIVE, invoke } from './lib/commands.mjs';

const FOLDER = join(ROOT, 'pkg-tests/command');
const UPDATE = Boolean(process.env.UPDATE);
// Help is as wide as the terminal.
process.env.COLUMNS = '100';

/** @param {string} name */
const sample = (name) => `www/samples/${name}.json`;

/** A Service in YAML, with slice fields that no version knows. */
const REQUEST = `service:
  metadata: {namespace: shop, name: cart, uid: a1}
  spec:
    selector: {app: cart}
    ipFamilies: [IPv4]
    ports:
    - {name: http, port: 80, targetPort: 8080, protocol: TCP}
pods:
- metadata: {namespace: shop, name: cart-1, uid: c1, labels: {app: cart}}
  spec: {nodeName: node-a}
  status: {phase: Running, podIP: 10.0.0.1, podIPs: [{ip: 10.0.0.1}], conditions: [{type: Ready, status: "True"}]}
nodes:
- metadata: {name: node-a, labels: {topology.kubernetes.io/zone: a}}
slices:
- metadata:
    namespace: shop
    name: cart-x
    uid: e1
    resourceVersion: "7"
    labels: {kubernetes.io/service-name: cart, endpointslice.kubernetes.io/managed-by: endpointslice-controller.k8s.io}
    annotations: {note: "yes", text: "one\\n two\\n", json: '{"a":1}'}
    ownerReferences: [{apiVersion: v1, kind: Service, name: cart, uid: a1, controller: true}]
    managedFields: [{manager: not-shown-in-a-diff}]
  addressType: IPv4
  endpoints: []
  ports: [{name: http, port: 8080, protocol: TCP}]
  long: 123456789012345678901234567890
  exact: 1.10
  deep: DEEP
`.replace('DEEP', '['.repeat(90) + ']'.repeat(90));

const DOCUMENTS = `---
apiVersion: v1
kind: Service
metadata: {namespace: shop, name: cart, uid: a1}
spec: {selector: {app: cart}, ipFamilies: [IPv4], ports: [{port: 80}]}
---
# nothing here
---
apiVersion: v1
kind: Pod
metadata: {namespace: shop, name: cart-1, uid: c1, labels: {app: cart}}
spec: {nodeName: node-a}
status: {phase: Running, podIP: 10.0.0.1, podIPs: [{ip: 10.0.0.1}], conditions: [{type: Ready, status: "True"}]}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: other}
`;

const SCENARIO = `zones:
- {name: a, nodes: 2}
- {name: b, nodes: 1}
services:
- {service: shop/cart, replicas: 3, trafficDistribution: PreferSameZone}
sampleEvery: 1m
actions:
- {at: 1m, phase: trouble, refuseWrites: {error: Conflict, next: 1}}
- {at: 1m, deletePods: {service: shop/cart}}
`;

/** Services that kube-proxy does not serve. */
const NOT_PROXIED = `kind: Service
metadata: {namespace: shop, name: db}
spec: {clusterIP: None, ports: [{port: 5432}]}
---
kind: Service
metadata: {namespace: shop, name: elsewhere}
spec: {type: ExternalName, externalName: example.com}
`;

/** A webhook configuration that could be better, but cannot deadlock anything. */
const HARMLESS = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: harmless}
webhooks:
- name: jobs.harmless.example.com
  clientConfig: {url: https://jobs.example.com/validate}
  rules:
  - {apiGroups: [batch], apiVersions: [v1], operations: [CREATE], resources: [jobs]}
  failurePolicy: Ignore
  namespaceSelector: {matchLabels: {jobs: checked}}
  sideEffects: None
  admissionReviewVersions: [v1]
`;

/** Its slice counts as the placeholder until 1.37, and an address is spelt as API servers may accept until then. */
const OF_AN_OLDER_SERVICE = JSON.stringify({
  service: {
    metadata: { namespace: 'shop', name: 'web', uid: 'svc-1' },
    spec: { selector: { app: 'web' }, clusterIP: '10.96.0.10', clusterIPs: ['10.96.0.10'], ipFamilies: ['IPv4'], externalIPs: ['010.0.0.1'] },
  },
  slices: [
    {
      metadata: {
        namespace: 'shop',
        name: 'web-a',
        labels: { 'kubernetes.io/service-name': 'web', 'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io' },
        ownerReferences: [{ apiVersion: 'v1', kind: 'Service', name: 'web', uid: 'svc-0', controller: true }],
      },
      addressType: 'IPv4',
      endpoints: [],
      ports: [],
    },
  ],
});

const SLICES = ['samples/slices-before.yaml', 'samples/slices-after.yaml'];

/** @type {{name: string, args: string[], input?: string}[]} */
const CASES = [
  { name: 'help-plan', args: ['plan', '-h'] },
  { name: 'help-simulate', args: ['simulate', '--help'] },
  { name: 'help-proxy', args: ['proxy', '--help'] },
  { name: 'help-route', args: ['route', '--help'] },
  { name: 'help-traffic', args: ['traffic', '--help'] },
  { name: 'help-upgrade', args: ['upgrade', '--help'] },
  { name: 'help-diff', args: ['diff', '--help'] },
  { name: 'help-lint-config', args: ['lint-config', '--help'] },
  { name: 'lint-config', args: ['lint-config', 'samples/webhook-configurations.yaml', '--color', 'never'] },
  { name: 'lint-config-colors', args: ['lint-config', 'samples/webhook-configurations.yaml', '--color', 'always'] },
  { name: 'lint-config-json', args: ['lint-config', 'samples/webhook-configurations.yaml', '-o', 'json'] },
  { name: 'lint-config-errors', args: ['lint-config', '-o', 'yaml', '--fail-on', 'error'], input: HARMLESS },
  { name: 'lint-config-now', args: ['lint-config', '--now', 'today'], input: HARMLESS },
  { name: 'lint-config-old', args: ['lint-config'], input: HARMLESS.replace('/v1', '/v1beta1') },
  { name: 'lint-config-obeys-nothing', args: ['lint-config'], input: HARMLESS.replace('name: harmless', 'name: "\\e[31m"') },
  { name: 'lint-config-nothing', args: ['lint-config', 'samples/slices-before.yaml'] },
  { name: 'help-audit', args: ['audit', '--help'] },
  { name: 'audit', args: ['audit', 'samples/cluster-at-rest.json'] },
  ...['openreports', 'openreports-json'].map((output) => ({
    name: `audit-${output}`,
    args: ['audit', '-f', 'samples/one-change.yaml', '-o', output, '--now', '1795932330'],
  })),
  { name: 'audit-incomplete', args: ['audit', 'samples/endpoints.yaml', '--policy', 'endpoints-legacy'] },
  { name: 'audit-nothing', args: ['audit'], input: '{"kind":"List","items":[]}' },
  { name: 'audit-every-file', args: ['audit', 'samples/endpoints.yaml', '--every', '10m'] },
  { name: 'help-explain', args: ['explain', '--help'] },
  { name: 'explain', args: ['explain', 'samples/questions/0008-too-few-endpoints.json', '--color', 'never'] },
  { name: 'explain-colors', args: ['explain', 'samples/questions/0008-too-few-endpoints.json', '--color', 'always', '--about', 'hints'] },
  { name: 'explain-yaml', args: ['explain', 'samples/questions/0008-too-few-endpoints.json', '-o', 'yaml', '--about', 'hints'] },
  { name: 'explain-pod-unknown', args: ['explain', 'samples/questions/0008-too-few-endpoints.json', '--pod', 'nobody'] },
  { name: 'explain-patches', args: ['explain', 'samples/questions/0008-too-few-endpoints.json', '--patches', 'json'] },
  { name: 'proxy', args: ['proxy', '--node', 'node-1', '--ndjson', 'fuzz/seeds/proxy.ndjson'] },
  {
    name: 'proxy-settings',
    args: [
      'proxy',
      '--node',
      'node-2',
      '--node-labels',
      'a=b,topology.kubernetes.io/zone=b',
      '--started',
      '2026-01-02T03:04:05Z',
      '--prefer-same-traffic-distribution',
      'false',
      '--ndjson',
      'fuzz/seeds/proxy.ndjson',
    ],
  },
  { name: 'proxy-ipv6', args: ['proxy', '--node', 'node-1', '--address-type', 'IPv6', '--ndjson', 'fuzz/seeds/proxy.ndjson'] },
  {
    name: 'proxy-bad-lines',
    args: ['proxy', '--node', 'node-1', '--ndjson'],
    input: '{"sync": 1}\n\n{"type": "ADDED", "object": {"kind": "Pod"}}\nhello\n{"sync": true}\n',
  },
  { name: 'proxy-bad-flags', args: ['proxy', '--node', 'node-1', '--ndjson', '--started', 'soon'], input: '' },
  { name: 'proxy-without-node', args: ['proxy', '--ndjson'], input: '' },
  ...['diff', 'summary', 'json', 'yaml'].map((output) => ({ name: `diff-${output}`, args: ['diff', ...SLICES, '--color', 'never', '-o', output] })),
  { name: 'diff-colors', args: ['diff', ...SLICES, '--color', 'always'] },
  { name: 'diff-exit-code', args: ['diff', ...SLICES, '-o', 'summary', '--service', 'shop/cart', '--exit-code'] },
  { name: 'diff-nothing', args: ['diff', SLICES[0], SLICES[0], '-o', 'summary', '--exit-code'] },
  { name: 'diff-no-slices', args: ['diff', SLICES[0], '-', '--color', 'never'], input: '{"kind":"PodList","items":[]}' },
  { name: 'diff-no-slices-summary', args: ['diff', SLICES[0], '-', '-o', 'summary'], input: '{"kind":"PodList","items":[]}' },
  { name: 'diff-service-unknown', args: ['diff', ...SLICES, '--service', 'shop/card'] },
  { name: 'diff-mistake', args: ['diff', SLICES[0], '-'], input: 'kind: EndpointSlice\nmetadata:\n  name: 7\n' },
  { name: 'diff-empty', args: ['diff', '-', SLICES[1]], input: '' },
  { name: 'diff-one-input-twice', args: ['diff', '-', '-'], input: '' },
  { name: 'route-objects-other-node', args: ['route', 'samples/cluster-at-rest.json', '--node', 'node-a'] },
  ...['table', 'json', 'yaml'].map((output) => ({ name: `route-${output}`, args: ['route', 'fuzz/seeds/route.json', '-o', output] })),
  { name: 'route-other-node', args: ['route', 'fuzz/seeds/route.json', '--node', 'node-2', '--node-labels', 'topology.kubernetes.io/zone=c'] },
  { name: 'route-objects', args: ['route', 'samples/cluster-at-rest.json', '--node', 'gke-prod-pool-00'] },
  { name: 'route-objects-without-node', args: ['route', 'samples/cluster-at-rest.json'] },
  { name: 'route-service-unknown', args: ['route', 'fuzz/seeds/route.json', '--service', 'shop/card'] },
  { name: 'route-mistake', args: ['route'], input: 'service: {metadata: {name: a}}\nnodes: []\n' },
  ...['table', 'json', 'yaml'].map((output) => ({ name: `traffic-${output}`, args: ['traffic', 'fuzz/seeds/traffic.json', '-o', output] })),
  ...['cilium', 'istio', 'linkerd', 'envoy-gateway'].map((reader) => ({
    name: `traffic-${reader}`,
    args: ['traffic', 'fuzz/seeds/traffic.json', '--reader', reader],
  })),
  { name: 'traffic-objects', args: ['traffic', 'samples/cluster-at-rest.json'] },
  { name: 'traffic-service', args: ['traffic', 'samples/cluster-at-rest.json', '--service', 'shop/payments', '-o', 'json'] },
  { name: 'traffic-service-unknown', args: ['traffic', 'samples/cluster-at-rest.json', '--service', 'shop/card'] },
  { name: 'traffic-reader-unknown', args: ['traffic', 'fuzz/seeds/traffic.json', '--reader', 'iptables'] },
  { name: 'traffic-not-proxied', args: ['traffic'], input: NOT_PROXIED },
  { name: 'traffic-nothing', args: ['traffic'], input: '{"kind":"List","items":[]}' },
  {
    name: 'traffic-without-nodes',
    args: ['traffic', '-o', 'json'],
    input: 'service: {metadata: {name: a}, spec: {clusterIP: 10.96.0.1, ports: [{port: 80}]}}\n',
  },
  { name: 'traffic-twice', args: ['traffic'], input: `${NOT_PROXIED}---\n${NOT_PROXIED}` },
  {
    name: 'traffic-all-weigh-nothing',
    args: ['traffic'],
    input: 'service: {metadata: {name: a}}\nnodes: [{name: n1}]\nclients: [{node: n1, weight: 0}]\n',
  },
  { name: 'traffic-mistake', args: ['traffic'], input: 'service: {metadata: {name: a}}\nnode: {}\n' },
  { name: 'route-nothing', args: ['route', '--node', 'n', '--node-labels', 'topology.kubernetes.io/zone=a'], input: '{"kind":"List","items":[]}' },
  { name: 'simulate', args: ['simulate', '--ndjson', 'fuzz/seeds/controller.ndjson'] },
  { name: 'simulate-bad-lines', args: ['simulate', '--ndjson'], input: '{"config": {"watchLag": "soon"}}\n{"at": 5}\n\n{"at": 4}\nhello\n' },
  ...['table', 'json', 'yaml'].map((output) => ({ name: `simulate-${output}`, args: ['simulate', '-o', output], input: SCENARIO })),
  { name: 'simulate-timeline', args: ['simulate', '--timeline', '-'], input: SCENARIO },
  { name: 'simulate-file', args: ['simulate', 'crates/simulation/scenarios/hint-flips.yaml'] },
  { name: 'simulate-list', args: ['simulate', '--list'] },
  { name: 'simulate-bundled', args: ['simulate', '--bundled', 'zone-loss'] },
  { name: 'simulate-bundled-unknown', args: ['simulate', '--bundled', 'zone-lost'] },
  { name: 'simulate-cut-off', args: ['simulate'], input: `${SCENARIO}until: 61s\n` },
  { name: 'simulate-exit-code', args: ['simulate', '--exit-code'], input: SCENARIO },
  { name: 'simulate-exit-code-cut-off', args: ['simulate', '--exit-code'], input: `${SCENARIO}until: 61s\n` },
  { name: 'simulate-mistake', args: ['simulate'], input: SCENARIO.replace('refuseWrites', 'refuseWriting') },
  {
    name: 'simulate-mistake-of-meaning',
    args: ['simulate'],
    input: SCENARIO.replace('deletePods: {service: shop/cart', 'deletePods: {service: shop/card'),
  },
  { name: 'simulate-nothing', args: ['simulate'] },
  { name: 'simulate-max-input-bytes', args: ['simulate', '--max-input-bytes', '100'], input: SCENARIO },
  {
    name: 'simulate-ndjson',
    args: ['simulate', '--ndjson'],
    input: '{"at":0,"list":{"kind":"List","items":[]}}\n{"at":5,"resync":true}\n{"at":4}\n',
  },
  { name: 'simulate-ndjson-and-table', args: ['simulate', '--ndjson', '-o', 'table'], input: '' },
  ...['json', 'yaml', 'diff', 'summary'].flatMap((output) => [
    { name: `snapshot-${output}`, args: ['plan', sample('rolling-update'), '-o', output] },
    { name: `request-${output}`, args: ['plan', '-o', output], input: REQUEST },
    { name: `at-rest-${output}`, args: ['plan', 'samples/cluster-at-rest.json', '--service', 'shop/cart', '-o', output] },
    { name: `unknown-node-${output}`, args: ['plan', sample('unknown-node'), '-o', output] },
    { name: `no-nodes-${output}`, args: ['plan', '-o', output], input: DOCUMENTS },
  ]),
  ...['json', 'yaml', 'diff', 'summary'].flatMap((output) => [
    { name: `mirror-${output}`, args: ['mirror', 'samples/endpoints.yaml', '-o', output] },
    { name: `kubernetes-service-${output}`, args: ['kubernetes-service', 'samples/api-servers.yaml', '-o', output] },
  ]),
  { name: 'help-mirror', args: ['mirror', '-h'] },
  { name: 'help-kubernetes-service', args: ['kubernetes-service', '-h'] },
  { name: 'mirror-service', args: ['mirror', 'samples/endpoints.yaml', '--service', 'db', '-o', 'summary'] },
  { name: 'mirror-service-unknown', args: ['mirror', 'samples/endpoints.yaml', '--service', 'shop/bd'] },
  { name: 'mirror-exit-code', args: ['mirror', 'samples/endpoints.yaml', '--exit-code', '--max-endpoints-per-subset', '2', '-o', 'summary'] },
  { name: 'mirror-ndjson', args: ['mirror', '--ndjson'], input: '{"namespace":"shop","name":"db"}\n{"pods":[]}\n' },
  { name: 'mirror-ndjson-and-summary', args: ['mirror', '--ndjson', '-o', 'summary'], input: '' },
  { name: 'mirror-mistake', args: ['mirror'], input: 'endpoints:\n  metadata: {name: db}\n  subsets:\n  - addresses: 10.0.0.1\n' },
  { name: 'kubernetes-service-mistake', args: ['kubernetes-service'], input: 'address: 127.0.0.1\nports: []\nnow: 2026-01-02T03:04:05Z\n' },
  { name: 'at-rest', args: ['plan', 'samples/cluster-at-rest.json', '-o', 'summary', '--exit-code'] },
  { name: 'create-diff', args: ['plan', sample('dual-stack'), '-o', 'diff'] },
  { name: 'event-diff', args: ['plan', sample('eleven-endpoints'), '-o', 'diff'] },
  { name: 'event-summary', args: ['plan', sample('eleven-endpoints'), '-o', 'summary'] },
  { name: 'exit-code', args: ['plan', sample('selector-typo'), '--exit-code', '-o', 'summary'] },
  { name: 'exit-code-at-rest', args: ['plan', sample('selector-typo'), '--exit-code', '--service', 'shop/stock', '-o', 'summary'] },
  { name: 'service', args: ['plan', sample('selector-typo'), '--service', 'shop/orders', '-o', 'summary'] },
  { name: 'service-unknown', args: ['plan', sample('selector-typo'), '--service', 'orders'] },
  { name: 'service-of-a-request', args: ['plan', '--service', 'shop/other'], input: REQUEST },
  { name: 'color-always', args: ['plan', sample('scale-down'), '-o', 'diff', '--color', 'always'] },
  { name: 'color-auto', args: ['plan', sample('scale-down'), '-o', 'diff', '--color', 'auto'] },
  { name: 'color-never', args: ['plan', sample('scale-down'), '-o', 'diff', '--color', 'never'] },
  { name: 'managed-by', args: ['plan', sample('scale-up'), '-o', 'summary', '--managed-by', 'mine'] },
  { name: 'managed-by-no-label', args: ['plan', sample('scale-up'), '--managed-by', 'not a label'] },
  { name: 'max-endpoints', args: ['plan', sample('scale-up'), '-o', 'summary', '--max-endpoints-per-slice', '2'] },
  { name: 'max-endpoints-zero', args: ['plan', sample('scale-up'), '--max-endpoints-per-slice', '0'] },
  { name: 'max-endpoints-1001', args: ['plan', sample('scale-up'), '--max-endpoints-per-slice', '1001'] },
  { name: 'topology-hints-off', args: ['plan', sample('borrowed-endpoints'), '-o', 'summary', '--topology-hints', 'false'] },
  { name: 'topology-hints-on', args: ['plan', sample('borrowed-endpoints'), '-o', 'summary', '--topology-hints', 'true'] },
  { name: 'same-traffic-off', args: ['plan', sample('same-node'), '-o', 'summary', '--prefer-same-traffic-distribution', 'false'] },
  { name: 'same-traffic-on', args: ['plan', sample('same-node'), '-o', 'summary', '--prefer-same-traffic-distribution', 'true'] },
  { name: 'next-version', args: ['plan', sample('same-node'), '-o', 'summary', '--kubernetes', '1.38'] },
  {
    name: 'next-version-without-gate',
    args: ['plan', sample('same-node'), '--kubernetes', '1.38', '--prefer-same-traffic-distribution', 'false'],
  },
  ...['table', 'json', 'yaml'].map((output) => ({
    name: `upgrade-${output}`,
    args: ['upgrade', sample('same-node'), '--to', '1.38', '--prefer-same-traffic-distribution', 'false', '-o', output],
  })),
  { name: 'upgrade-nothing', args: ['upgrade', 'samples/cluster-at-rest.json', '--to', '1.38'] },
  { name: 'upgrade-back', args: ['upgrade', 'samples/cluster-at-rest.json', '--to', '1.37', '--kubernetes', '1.38', '--service', 'shop/nothing'] },
  { name: 'upgrade-placeholder', args: ['upgrade', '--to', '1.38'], input: OF_AN_OLDER_SERVICE },
  {
    name: 'route-next-version-without-gate',
    args: ['route', 'fuzz/seeds/route.json', '--kubernetes', '1.38', '--prefer-same-traffic-distribution', 'false'],
  },
  { name: 'unknown-version', args: ['plan', sample('same-node'), '--kubernetes', '1.36'] },
  { name: 'max-input-bytes', args: ['plan', sample('scale-up'), '--max-input-bytes', '100'] },
  { name: 'max-input-bytes-of-lines', args: ['plan', '--ndjson', '--max-input-bytes', '20'], input: `{}\n${' '.repeat(40)}\n{}\n` },
  { name: 'max-input-bytes-yaml', args: ['plan', '-o', 'summary', '--max-input-bytes', '100'], input: DOCUMENTS },
  { name: 'ndjson-and-summary', args: ['plan', '--ndjson', '-o', 'summary'], input: '{}' },
  { name: 'ndjson-and-service', args: ['plan', '--ndjson', '--service', 'a/b'], input: '{}' },
  { name: 'ndjson', args: ['plan', '--ndjson'], input: '{"service":{"metadata":{"namespace":"n","name":"s"}}}\n\nhello\n' },
  { name: 'yaml-mistake', args: ['plan'], input: DOCUMENTS.replace('name: cart-1', 'name: 1') },
  { name: 'yaml-mistake-in-a-request', args: ['plan'], input: REQUEST.replace('targetPort', 'targetport: {}, port') },
  { name: 'yaml-broken', args: ['plan'], input: 'kind: List\nitems:\n  - kind: Pod\n   bad: indent\n' },
  { name: 'json-documents', args: ['plan', '-o', 'summary'], input: '{"kind":"Service","metadata":{"name":"a"}}\n---\n{"kind":"Secret"}\n' },
  { name: 'nothing', args: ['plan'] },
  { name: 'no-objects', args: ['plan'], input: '<html>\n' },
  { name: 'a-status', args: ['plan', '-o', 'diff'], input: '{"kind":"Status","status":"Failure","message":"pods is forbidden"}' },
  { name: 'a-status-among-others', args: ['plan', '-o', 'summary'], input: '[{"kind":"Status","message":"pods is forbidden"}]' },
  { name: 'a-file-that-is-not-there', args: ['plan', 'no/such/file.json'] },
  { name: 'a-folder', args: ['plan', 'samples'] },
];

/** What only the native command can do; the others report that they cannot. @type {typeof CASES} */
const NATIVE_CASES = [{ name: 'help', args: ['--help'] }];
/** @type {typeof CASES} */
const OTHER_CASES = [
  { name: 'help-without-cluster', args: ['--help'] },
  { name: 'no-cluster', args: ['plan', '-A'] },
  { name: 'no-controller', args: ['controller', '--dry-run'] },
  { name: 'no-watch', args: ['watch', 'cart'] },
];

for (const { name: door, command } of COMMANDS) {
  describe(`the ${door} prints`, () => {
    for (const { name, args, input } of [...CASES, ...(command === NATIVE ? NATIVE_CASES : OTHER_CASES)]) {
      it(name, async () => {
        const { code, stdout, stderr } = await invoke(command, args, input);
        const found = shown(args, code, stdout.toString(), stderr);
        const file = join(FOLDER, `${name}.txt`);
        if (UPDATE && (command === NATIVE || OTHER_CASES.some((other) => other.name === name))) writeFileSync(file, found);
        assert.ok(existsSync(file), `${file} is missing; UPDATE=1 writes it`);
        assert.equal(found, readFileSync(file, 'utf8'));
      });
    }
  });
}

describe('the native command prints', () => {
  it('nothing that no case is for', () => {
    const names = [...CASES, ...NATIVE_CASES, ...OTHER_CASES].map(({ name }) => `${name}.txt`);
    assert.equal(new Set(names).size, names.length);
    assert.deepEqual(readdirSync(FOLDER).sort(), names.sort());
  });

  it('the same plans of YAML and JSON', async () => {
    const [json, yaml] = await Promise.all(['json', 'yaml'].map((output) => invoke(NATIVE, ['plan', sample('rolling-update'), '-o', output])));
    const { parse } = await import('yaml');
    assert.deepEqual(parse(yaml.stdout.toString()), JSON.parse(json.stdout.toString()));
    const { stringify } = await import('yaml');
    const text = stringify(JSON.parse(readFileSync(join(ROOT, sample('rolling-update')), 'utf8')));
    const again = await invoke(NATIVE, ['plan'], text);
    assert.equal(again.stdout.toString(), json.stdout.toString());
  });

  it('plans of YAML as large as a large cluster', async () => {
    const pod = (/** @type {number} */ number) => `- kind: Pod
  metadata: {namespace: shop, name: pod-${number}, labels: {app: a}}
  spec: {nodeName: a}
  status: {phase: Running, podIPs: [{ip: 10.${number >> 8}.${number & 255}.1}], conditions: [{type: Ready, status: "True"}]}\n`;
    const objects = `- kind: Service\n  metadata: {namespace: shop, name: a}\n  spec: {selector: {app: a}, ipFamilies: [IPv4]}\n- kind: Node\n  ` +
      `metadata: {name: a}\n`;
    const input = `kind: List\nitems:\n${objects}${Array.from({ length: 5_000 }, (_, number) => pod(number)).join('')}`;
    const { code, stdout, stderr } = await invoke(NATIVE, ['plan', '-o', 'summary'], input);
    assert.equal(code, 0, stderr);
    assert.match(stdout.toString(), /shop\/a: 5000 endpoints in/);
    // It is read in pieces: as documents, with the places of errors, and up to a limit if there is one.
    const documents = `---\n---\n${input}---\n- kind: Pod\n  metadata: {namespace: shop, näme: x}\n`;
    for (const [args, text, expected] of /** @type {[string[], string, object][]} */ ([
      [[], documents, { code: 'MissingField', path: '/1/0/metadata/name', line: documents.split('\n').length - 1, column: 3 }],
      [[], `${input}- kind: [\n`, { code: 'InvalidJson', line: input.split('\n').length, column: 9 }],
      [['--max-input-bytes', '300000'], input, { code: 'TooLarge' }],
    ])) {
      const failed = await invoke(NATIVE, ['plan', ...args], text);
      assert.equal(failed.code, 2);
      assert.equal(failed.stdout.length, 0);
      const { message, ...error } = JSON.parse(failed.stderr).error;
      assert.deepEqual(error, expected, message);
    }
  });

  it('completions that a shell takes', async () => {
    for (const shell of ['bash', 'zsh', 'fish', 'elvish', 'powershell']) {
      const { code, stdout } = await invoke(NATIVE, ['completions', shell]);
      assert.equal(code, 0);
      assert.match(stdout.toString(), /max-endpoints-per-slice/);
      if (shell === 'bash') assert.equal(spawnSync('bash', ['-n'], { input: stdout }).status, 0);
    }
    assert.equal((await invoke(NATIVE, ['completions', 'cmd'])).code, 2);
  });

  for (const [what, args] of Object.entries({
    plan: ['plan', 'www/samples/scale-up.json'],
    script: ['completions', 'bash'],
    page: ['man', 'plan'],
    version: ['version', '-o', 'json'],
    help: ['plan', '--help'],
  })) {
    it(`no ${what} to a full disk, and says so`, { skip: !existsSync('/dev/full') && 'needs /dev/full' }, () => {
      const { status, stderr } = spawnSync('sh', ['-c', '"$0" "$@" > /dev/full', NATIVE[0], ...args], { cwd: ROOT, encoding: 'utf8' });
      assert.equal(status, 1);
      assert.deepEqual(JSON.parse(stderr).error, { code: 'IoFailed', message: `cannot write the ${what}: No space left on device` });
    });
  }
});

/** @param {string[]} args @param {number | null} code @param {string} stdout @param {string} stderr */
function shown(args, code, stdout, stderr) {
  const visible = stdout.replaceAll('\u001b', '␛');
  return `$ slicewise ${args.join(' ')}\n${visible}${stderr && `--- standard error\n${stderr}`}--- exit code ${code}\n`;
}
