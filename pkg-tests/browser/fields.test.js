/** What the editor knows of Kubernetes objects and plan requests, without a browser: places, fields, values, remarks. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { CompletionContext } from '@codemirror/autocomplete';
import { completionSource } from '../../www/editor/completion.js';
import { explainedAt } from '../../www/editor/explain.js';
import { findingsIn } from '../../www/editor/findings.js';
import { visits } from '../../www/editor/places.js';
import { ObjectSchemas } from '../../www/editor/schema.js';
import { nearest } from '../../www/model/nearest.js';
import { EXAMPLES } from '../../www/samples/index.js';
import { assisting } from './assisting.js';
import { exampleBytes } from './files.js';
import { ROOT } from './server.js';

const KUBERNETES = readFileSync(join(ROOT, 'www/editor/kubernetes.json'), 'utf8');
const SCHEMAS = new ObjectSchemas(JSON.parse(KUBERNETES), JSON.parse(readFileSync(join(ROOT, 'pkg/schema/plan-request.json'), 'utf8')));

const { stateOf, offered, remarks } = assisting(SCHEMAS);

test('what is typed in a line of any length is looked for near the cursor', (t) => {
  const { exec } = RegExp.prototype;
  const note = `"note": "${'x'.repeat(600_000)}"`;
  const { state, pos } = stateOf(`{"kind": "Service", ${note}, "spec": {"ty|": 1}, ${note}}`);
  let searched = 0;
  /** @this {RegExp} @param {string} text */
  function watched(text) {
    searched += 1;
    assert.ok(text.length < 10_000, `${text.length} characters are searched for ${this}`);
    return Reflect.apply(exec, this, [text]);
  }
  t.mock.method(RegExp.prototype, 'exec', watched);
  completionSource(SCHEMAS)(new CompletionContext(state, pos, true));
  assert.ok(searched > 0);
});

const PORTS = ['appProtocol', 'name', 'nodePort', 'protocol', 'targetPort'];

test('fields are offered where they belong, without those that are there, in YAML', () => {
  assert.deepEqual(offered('kind: Service\n|'), ['apiVersion', 'metadata', 'spec', 'status']);
  assert.deepEqual(offered('kind: Service\nspec:\n  ports:\n  - port: 80\n    pro|\n  type: ClusterIP\n'), PORTS);
  assert.deepEqual(offered('kind: Service\nspec:\n  ports:\n  - |\n'), ['appProtocol', 'name', 'nodePort', 'port', 'protocol', 'targetPort']);
  assert.deepEqual(offered('---\nkind: Pod\n---\nkind: EndpointSlice\nports:\n- po|'), ['appProtocol', 'name', 'port', 'protocol']);
  assert.deepEqual(offered('kind: List\nitems:\n- kind: Node\n  |'), ['apiVersion', 'metadata', 'spec', 'status']);
  assert.deepEqual(offered('kind: Deployment\nspec:\n  template:\n    spec:\n      containers:\n      - ports:\n        - |'),
    ['containerPort', 'hostIP', 'hostPort', 'name', 'protocol']);
  assert.ok(offered('pods:\n- spec:\n    nodeN|')?.includes('nodeName'));
  assert.ok(offered('service:\n  kind: Service\noptions:\n  |')?.includes('maxEndpointsPerSlice'));
  assert.ok(offered('|')?.includes('kind'));
});

test('fields are offered where they belong, without those that are there, in JSON', () => {
  assert.deepEqual(offered('{"kind": "Service", |}'), ['apiVersion', 'metadata', 'spec', 'status']);
  assert.deepEqual(offered('{"kind": "Service",\n "me|\n "spec": {"ports": []}}'), ['apiVersion', 'metadata', 'status']);
  assert.deepEqual(offered('{"kind": "Service", "spec": {"ports": [{"port": 80, "pro|}]}}'), PORTS);
  assert.deepEqual(offered('{"kind": "Service", "spec": {"ports": [{"port": 80, "|": "TCP"}]}}'), PORTS);
  assert.deepEqual(offered('{"kind": "Service", |"spec": {}}'), ['apiVersion', 'metadata', 'status']);
  assert.deepEqual(offered('{"kind": "PodList", "items": [{"status": {}, |}]}'), ['apiVersion', 'kind', 'metadata', 'spec']);
  assert.deepEqual(offered('[{"kind": "Pod"}, {"kind": "Service", "|"}]'), ['apiVersion', 'metadata', 'spec', 'status']);
  assert.deepEqual(offered('---\n{"kind": "Node", "status": {}, "|"}'), ['apiVersion', 'metadata', 'spec']);
  assert.ok(offered('{"service": {"spec": {"|"}}}')?.includes('trafficDistribution'));
});

test('values are offered for the fields that have few', () => {
  for (const [field, values] of Object.entries({
    'ports:\n  - protocol': ['TCP', 'UDP', 'SCTP'],
    type: ['ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName'],
    trafficDistribution: ['PreferSameZone', 'PreferSameNode', 'PreferClose'],
    internalTrafficPolicy: ['Cluster', 'Local'],
    externalTrafficPolicy: ['Cluster', 'Local'],
    publishNotReadyAddresses: ['true', 'false'],
  })) {
    assert.deepEqual(offered(`kind: Service\nspec:\n  ${field}: |\n`), values, field);
  }
  assert.deepEqual(offered('kind: Service\nspec:\n  ipFamilies:\n  - |'), ['IPv4', 'IPv6']);
  assert.deepEqual(offered('{"kind": "Service", "spec": {"ipFamilies": ["IPv4", "|"]}}'), ['IPv4', 'IPv6']);
  assert.deepEqual(offered('{"kind": "EndpointSlice", "addressType": |}'), ['IPv4', 'IPv6', 'FQDN']);
  assert.equal(offered('kind: Pod\nstatus:\n  conditions:\n  - type: |')?.[0], 'Ready');
  const slice = 'kind: EndpointSlice\nmetadata:\n  labels:\n    endpointslice.kubernetes.io/managed-by: |';
  assert.equal(offered(slice)?.[0], 'endpointslice-controller.k8s.io');
  assert.ok(offered('kind: Node\nmetadata:\n  labels:\n    topology|')?.includes('topology.kubernetes.io/zone'));
});

test('labels that occur are offered, with their values', () => {
  const pod = { kind: 'Pod', metadata: { labels: { app: 'web', tier: 'front' } }, spec: { nodeName: 'node-1' } };
  const node = { kind: 'Node', metadata: { labels: { 'topology.kubernetes.io/zone': 'eu-1a' } } };
  const items = [pod, node, { kind: 'Service', spec: { selector: {} } }];
  const text = JSON.stringify({ kind: 'List', items });
  assert.deepEqual(offered('pods:\n- metadata:\n    labels:\n      app: web\nservice:\n  spec:\n    selector:\n      app: w|'), ['web']);
  assert.deepEqual(offered(text.replace('"selector":{', '"selector":{|')), ['app', 'tier', 'topology.kubernetes.io/zone']);
  assert.deepEqual(offered(text.replace('"selector":{', '"selector":{"tier":"|"')), ['front']);
  assert.deepEqual(offered('pods:\n- metadata:\n    labels:\n      app: web\nservice:\n  spec:\n    selector:\n      app: |'), ['web']);
  assert.deepEqual(offered(`kind: EndpointSlice\nendpoints:\n- zone: |\n---\n${JSON.stringify(node)}`), ['eu-1a']);
});

test('nothing is offered unasked without a beginning, in comments, in block scalars, or where anything goes', () => {
  assert.equal(offered('kind: Service\n|', false), null);
  assert.equal(offered('kind: Service\nspec:\n  type: |', false), null);
  assert.equal(offered('kind: Service # ty|'), null);
  assert.equal(offered('kind: Service\nmetadata:\n  annotations:\n    note: >\n      na|'), null);
  assert.equal(offered('kind: ConfigMap\ndata:\n  ke|'), null);
  assert.equal(offered('{"kind": "Service", "metadata": {"name": "na|"}}'), null);
});

test('unknown fields and values are named with what was meant', () => {
  const dropped = 'unknown field `metdata`, which Kubernetes drops; did you mean `metadata`?';
  assert.deepEqual(remarks('apiVersion: v1\nkind: Service\nmetdata:\n  name: x\n'), [['metdata', dropped]]);
  assert.deepEqual(remarks('{"kind": "Service", "metdata": {}}'), [['metdata', dropped]]);
  assert.deepEqual(remarks('kind: Service\nspec:\n  ports:\n  - protocol: TPC\n  - protocol: "http"\n'), [
    ['TPC', 'unknown value `TPC`; did you mean `TCP`?'],
    ['http', 'unknown value `http`; known are `TCP`, `UDP`, `SCTP`'],
  ]);
  assert.deepEqual(remarks('{"service": {}, "optoins": {}, "pods": [{"spec": {"nodename": "a"}}]}'), [
    ['optoins', 'unknown field `optoins`; did you mean `options`?'],
    ['nodename', 'unknown field `nodename`, which Kubernetes drops; did you mean `nodeName`?'],
  ]);
  assert.deepEqual(remarks('kind: Servcie\n'), [['Servcie', 'unknown value `Servcie`; did you mean `Service`?']]);
  assert.deepEqual(remarks('kind: Service\nspec:\n  extra: 1\n'), [['extra', 'unknown field `extra`, which Kubernetes drops']]);
});

test('there are no remarks on kinds, labels and annotations of others, nor on any example', () => {
  assert.deepEqual(remarks('kind: CronJob\nspec:\n  schdule: x\n'), []);
  assert.deepEqual(remarks('kind: Pod\nmetadata:\n  labels:\n    metdata: x\n  annotations: {nmae: y}\n'), []);
  for (const { id } of EXAMPLES) assert.deepEqual(remarks(exampleBytes(id).toString()), [], id);
});

test('a field is explained at its name and at its value', () => {
  for (const marked of ['kind: Service\nspec:\n  ports:\n  - prot|ocol: TCP\n', '{"kind": "Service", "spec": {"ports": [{"protocol": "T|CP"}]}}']) {
    const { state, pos } = stateOf(marked);
    const { name, type, description, values } = explainedAt(state, pos, SCHEMAS) ?? {};
    assert.deepEqual([name, type, values], ['protocol', 'string', 'One of TCP, UDP, SCTP.']);
    assert.equal(description, 'The IP protocol for this port.');
  }
  const { state, pos } = stateOf('kind: Service\nspec:\n  po|rts: []\n');
  assert.equal(explainedAt(state, pos, SCHEMAS)?.type, 'list of objects');
});

test('what was meant is what the core would propose', () => {
  /** @type {[string, string[], string | null][]} */
  const cases = [
    ['crat', ['catalog', 'cart', 'payments'], 'cart'],
    ['cart-v3', ['cart-v1', 'cart-v2'], 'cart-v1'],
    ['https', ['htp', 'http', 'xttps'], 'http'],
    ['zone', ['name', 'node'], null],
    ['tpye', ['type'], 'type'],
  ];
  for (const [wanted, candidates, expected] of cases) assert.equal(nearest(wanted, candidates), expected, wanted);
});

test('the fields are those of the locked version of Kubernetes’ types, and small', () => {
  const [, version] = /name = "k8s-openapi"\nversion = "([^"]+)"/.exec(readFileSync(join(ROOT, 'Cargo.lock'), 'utf8')) ?? [];
  const { $comment } = JSON.parse(KUBERNETES);
  assert.ok($comment.endsWith(` k8s-openapi ${version}.`), `${$comment} is not of ${version}: run that command`);
  const size = brotliCompressSync(KUBERNETES).length;
  assert.ok(size < 30_000, `${size}`);
});

test('of a long list, only what is shown is visited, with the same remarks', () => {
  const items = Array.from({ length: 3000 }, (_, index) => `{"kind": "Pod", "metadata": {"nme": "p-${index}"}}`);
  const text = `{"kind": "List", "items": [${items.join(',\n')}]}`;
  const { state, top } = stateOf(text);
  const from = text.indexOf('{"kind": "Pod", "metadata": {"nme": "p-1500"}}');
  const range = { from, to: text.indexOf('\n', from) };
  const visited = [...visits(top, state.doc, SCHEMAS, range)];
  assert.equal(visited.filter(({ node }) => text.slice(node.from, node.to).startsWith('{"kind": "Pod"')).length, 1);
  assert.ok(visited.every(({ entries }) => entries.length < 5), visited.map(({ entries }) => entries.length).join());
  const found = findingsIn(top, state.doc, SCHEMAS, range);
  assert.deepEqual(found.map((each) => text.slice(each.from, each.to)), ['nme']);
});
