/** Commands that read an API server which is slow, busy, or does not allow everything: they end in time, and say why. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { TESTED_CLI } from '../../scripts/lib/paths.mjs';
import { FakeApi, refuse } from '../webhook/lib/api-server.js';
import { run, toldError } from './lib/reader.js';

const metadata = (/** @type {string} */ name, labels = {}) => ({ namespace: 'shop', name, uid: `${name}-uid`, labels });

const SERVICE = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: metadata('cart'),
  spec: {
    clusterIP: '10.9.0.1', clusterIPs: ['10.9.0.1'], ipFamilies: ['IPv4'], selector: { app: 'cart' },
    ports: [{ port: 80, targetPort: 80, protocol: 'TCP' }],
  },
};
const SLICE = {
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: {
    ...metadata('cart-x1', {
      'kubernetes.io/service-name': 'cart', 'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
    }),
    ownerReferences: [{ apiVersion: 'v1', kind: 'Service', name: 'cart', uid: 'cart-uid', controller: true, blockOwnerDeletion: true }],
  },
  addressType: 'IPv4',
  ports: [{ name: '', port: 80, protocol: 'TCP' }],
  endpoints: [{
    addresses: ['10.0.0.1'], conditions: { ready: true, serving: true, terminating: false }, nodeName: 'n1', zone: 'a',
    targetRef: { kind: 'Pod', namespace: 'shop', name: 'cart-1', uid: 'cart-1-uid' },
  }],
};

/** A Service that is served by one pod, whose slice is written if wanted. @param {import('node:test').TestContext} t */
async function start(t, hasSlice = true) {
  const api = await FakeApi.start(t);
  api.set({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1', labels: { 'topology.kubernetes.io/zone': 'a' } } });
  api.set(SERVICE);
  api.set({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: metadata('cart-1', { app: 'cart' }),
    spec: { nodeName: 'n1' },
    status: { phase: 'Running', podIPs: [{ ip: '10.0.0.1' }], conditions: [{ type: 'Ready', status: 'True' }] },
  });
  if (hasSlice) api.set(SLICE);
  return { api, env: { KUBECONFIG: api.kubeconfig(api.url, false) } };
}

/** @param {string[]} args @param {Record<string, string>} env */
async function timed(args, env) {
  const began = Date.now();
  return { ...(await run(args, { env })), seconds: (Date.now() - began) / 1000 };
}

test('lists run side by side', async (t) => {
  const { api, env } = await start(t);
  const expected = await run(['explain', '-A', '-v'], { env });
  let open = 0;
  let most = 0;
  api.intercept = (_kind, _query, response) => {
    most = Math.max(most, ++open);
    const end = response.end.bind(response);
    response.end = /** @type {any} */ ((/** @type {any} */ body) => setTimeout(() => (open--, end(body)), 300));
    return false;
  };
  const { stdout, stderr } = await run(['explain', '-A', '-v'], { env });
  assert.equal(stdout, expected.stdout, stderr);
  assert.ok(most >= 4, `${most} at a time`);
});

test('what determines slices is read after them', async (t) => {
  const { api, env } = await start(t);
  await run(['plan', '-A'], { env });
  const kinds = api.asked.map(({ kind }) => kind);
  assert.deepEqual(kinds.slice(0, 2).sort(), ['EndpointSlice', 'Service']);
  assert.deepEqual(kinds.slice(2).sort(), ['Node', 'Pod']);
});

test('a cluster without slices serves nobody', async (t) => {
  const { env } = await start(t, false);
  for (const flags of [['-A'], ['-n', 'shop', 'cart']]) {
    const { stdout, stderr } = await run(['explain', ...flags], { env });
    assert.match(stdout, /shop\/cart: broken: Nobody is served on 80\/TCP: /, stderr);
    assert.doesNotMatch(stdout, /will be served/);
  }
});

test('a busy server, and one that does not answer, are given up in time', async (t) => {
  const { api, env } = await start(t);
  api.intercept = (_kind, _query, response) => (refuse(response, 503, 'ServiceUnavailable', 'apiserver is shutting down'), true);
  for (const command of ['plan', 'explain', 'traffic', 'mirror']) {
    const { status, stderr, seconds } = await timed([command, '-A', '--request-timeout', '1s'], env);
    assert.equal(status, 2);
    assert.match(
      toldError(stderr),
      /^slicewise: cannot list \w+ in all namespaces: the API server at https:\S+ \(context test\) keeps answering 503: apiserver is shutting down; try again later\n$/,
    );
    assert.ok(seconds < 5, `${command} took ${seconds} s`);
  }
  api.intercept = () => true;
  for (const command of ['explain', 'watch']) {
    const { status, stderr, seconds } = await timed([command, '-A', '--request-timeout=1500ms'], env);
    assert.equal(status, 2);
    assert.match(stderr, /cannot (list|watch) services in all namespaces: .* has not answered within 1500 ms; try again later, or give it more time with --request-timeout/);
    assert.ok(seconds < 5, `${command} took ${seconds} s`);
  }
  const wrong = await run(['plan', '-A', '--request-timeout', 'soon'], { env });
  assert.match(wrong.stderr, /write it like 500ms, 10s, 2m or 1h; 0 is no limit/);
});

test('a server that is busy for a moment is asked again', async (t) => {
  const { api, env } = await start(t);
  let busy = 5;
  api.intercept = (_kind, _query, response) => busy-- > 0 && (refuse(response, 429, 'TooManyRequests', 'too many'), true);
  const { status, stdout, stderr } = await run(['plan', '-A', '-o', 'summary'], { env });
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^shop\/cart: /m);
});

test('what may not be read is told once, and the rest is answered', async (t) => {
  const { api, env } = await start(t);
  const forbid = (/** @type {string[]} */ kinds) => {
    api.intercept = (kind, _query, response) =>
      kinds.includes(kind) && (refuse(response, 403, 'Forbidden', `${kind} is forbidden: User "eve" cannot list it`), true);
  };
  forbid(['Node', 'Event', 'Lease']);
  const args = ['explain', '-n', 'shop', 'cart'];
  const { status, stdout, stderr } = await run([...args, '-o', 'json'], { env });
  assert.equal(status, 0, stderr);
  const { services, warnings } = JSON.parse(stdout);
  assert.deepEqual(services[0].verdict, { severity: 'note', text: 'All clients are served by 10.0.0.1:80.' });
  const left = warnings.filter((/** @type {any} */ { code }) => code === 'LeftOut');
  assert.deepEqual(left.map((/** @type {any} */ { message }) => message), [
    'not allowed to list nodes of the cluster, events in namespace shop, leases in namespace kube-system: ' +
      'Node is forbidden: User "eve" cannot list it; ' +
      'grant it in a ClusterRole with the rules `{apiGroups: [""], resources: [nodes, events], verbs: [list]}` and ' +
      '`{apiGroups: ["coordination.k8s.io"], resources: [leases], verbs: [list]}`; the answers do without it',
  ]);
  forbid(['Pod', 'EndpointSlice', 'Lease']);
  const refused = await run(args, { env });
  assert.equal(refused.status, 2);
  assert.match(
    toldError(refused.stderr),
    /^slicewise: not allowed to list endpointslices, pods in namespace shop, leases in namespace kube-system: EndpointSlice is .*; grant it in a Role or /,
  );
});

test('traffic and routes need no permission to read nodes', async (t) => {
  const { api, env } = await start(t);
  const [known, pods] = [await run(['route', '-n', 'shop', 'cart', '--node', 'n1'], { env }), ['--clients', 'app=cart']];
  api.intercept = (kind, _query, response) =>
    kind === 'Node' && (refuse(response, 403, 'Forbidden', 'nodes is forbidden: User "eve" cannot list it'), true);
  const why =
    'not allowed to list nodes of the cluster: nodes is forbidden: User "eve" cannot list it; grant it in a ClusterRole with the rule ' +
    '`{apiGroups: [""], resources: [nodes], verbs: [list]}`; the answers do without it';
  const json = async (/** @type {string[]} */ args) => {
    const { status, stdout, stderr } = await run([...args, '-n', 'shop', 'cart', '-o', 'json'], { env });
    assert.equal(status, 0, stderr);
    return JSON.parse(stdout);
  };
  for (const args of [[], pods]) {
    const { ports, nodes, assumption, warnings } = await json(['traffic', ...args]);
    assert.deepEqual(nodes, [{ node: 'n1', zone: 'a', share: 1 }]);
    assert.deepEqual([ports[0].unserved, ports[0].endpoints[0].share, ports[0].crossZone], [0, 1, 0]);
    assert.match(assumption, args.length ? /^Assumes that all client pods / : /^Assumes that the nodes that slices name /);
    assert.deepEqual(warnings, [{ code: 'LeftOut', message: why }]);
  }
  const named = await run(['route', '-n', 'shop', 'cart', '--node', 'n1'], { env });
  assert.equal(named.stdout, `warning: ${why}\n\n${known.stdout}`);
  const other = await json(['route', '--node', 'n2']);
  assert.deepEqual(other.routes['shop/cart/TCP'].cluster, ['10.0.0.1:80']);
  const messages = other.warnings.map((/** @type {any} */ { message }) => message);
  assert.match(messages.shift(), /^the zone of node `n2` is unknown, so hints for zones count as for a node without a zone \([^)]+\)$/);
  assert.deepEqual(messages, [why]);
  // A node that another Service's slice names has clients, too, and explanations count them alike.
  api.set({ ...SERVICE, spec: { ...SERVICE.spec, internalTrafficPolicy: 'Local' } });
  const labels = { 'kubernetes.io/service-name': 'till' };
  const endpoints = [{ addresses: ['10.0.0.9'], conditions: { ready: true }, nodeName: 'n9', zone: 'b' }];
  api.set({ ...SLICE, metadata: metadata('till-x1', labels), endpoints });
  assert.equal((await json(['traffic'])).ports[0].unserved, 0.5);
  const { verdict } = (await json(['explain'])).services[0];
  assert.equal(verdict.severity, 'degraded');
  assert.match(verdict.text, /^50 % of the clients are not served on 80\/TCP: traffic from 1 of 2 nodes is dropped\. .* no endpoint on n9\.$/);
});

test('an optional list that is not answered is told in a sentence, and the rest is answered in time', async (t) => {
  const { api, env } = await start(t);
  const optional = ['Node', 'Event', 'Endpoints', 'Lease'];
  const told = async (/** @type {string[]} */ args = ['explain']) => {
    const { status, stdout, stderr, seconds } = await timed([...args, '-n', 'shop', 'cart', '-o', 'json', '--request-timeout', '2s'], env);
    assert.equal(status, 0, stderr);
    assert.ok(seconds < 8, `${args} took ${seconds} s`);
    const { services, ports, warnings } = JSON.parse(stdout);
    if (services) assert.equal(services[0].verdict.text, 'All clients are served by 10.0.0.1:80.');
    else assert.equal(ports[0].unserved, 0);
    return warnings.filter((/** @type {any} */ { code }) => code === 'LeftOut').map((/** @type {any} */ { message }) => message);
  };
  const lists = 'nodes of the cluster, endpoints, events in namespace shop, leases in namespace kube-system';
  const server = `the API server at ${api.url} (context test)`;
  const end = 'the answers do without it';
  api.intercept = (kind, _query, response) => optional.includes(kind) && (refuse(response, 503, 'ServiceUnavailable', 'no etcd'), true);
  assert.deepEqual(await told(), [`cannot list ${lists}: ${server} keeps answering 503: no etcd; try again later; ${end}`]);
  const busy = `${server} keeps answering 503: no etcd; try again later; ${end}`;
  assert.deepEqual(await told(['traffic']), [`cannot list nodes of the cluster: ${busy}`]);
  api.intercept = (kind, _query, response) => optional.includes(kind) && (refuse(response, 500, 'InternalError', 'boom'), true);
  assert.deepEqual(await told(), [`cannot list ${lists}: ${server} answers 500: boom; try again later; ${end}`]);
  api.intercept = (kind, _query, response) => kind === 'Lease' && (response.destroy(), true);
  assert.match((await told()).join('\n'), /^cannot list leases in namespace kube-system: the API server at \S+ \(context test\) cannot be reached: [^\n]*$/);
  api.intercept = (kind) => optional.includes(kind);
  assert.deepEqual(await told(), [
    `cannot list ${lists}: ${server} has not answered within 2 s; try again later, or give it more time with --request-timeout; ${end}`,
  ]);
  // Half of a list is none.
  api.set({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n2' } });
  api.intercept = (kind, query, response) =>
    kind === 'Node' && query.has('continue') && (refuse(response, 503, 'ServiceUnavailable', 'no etcd'), true);
  const half = ['traffic', '-n', 'shop', '-o', 'json', '--chunk-size', '1', '--request-timeout', '2s'];
  const { nodes, warnings } = JSON.parse((await run(half, { env })).stdout);
  assert.deepEqual(nodes.map((/** @type {any} */ { node }) => node), ['n1']);
  assert.deepEqual(warnings.map((/** @type {any} */ { code }) => code), ['LeftOut']);
  // Those that are required end it.
  api.intercept = (kind, _query, response) => kind === 'Pod' && (refuse(response, 500, 'InternalError', 'boom'), true);
  const { status, stderr } = await run(['explain', '-n', 'shop', 'cart'], { env });
  assert.equal(status, 2);
  assert.match(toldError(stderr), /^slicewise: cannot list pods in namespace shop: .* answers 500: boom; try again later\n$/);
});

test('on a terminal, what takes long is said', { skip: process.platform !== 'linux' }, async (t) => {
  const { api, env } = await start(t);
  api.intercept = (kind, _query, response) => {
    const end = response.end.bind(response);
    if (kind === 'Pod') response.end = /** @type {any} */ ((/** @type {any} */ body) => setTimeout(() => end(body), 2500));
    return false;
  };
  const command = [TESTED_CLI, 'plan', '-A', '-o', 'summary'].join(' ');
  const has = spawnSync('script', ['--version']);
  if (has.error) return t.skip('there is no script(1)');
  const { stdout } = await run(['-qec', command, '/dev/null'], { env, command: 'script' });
  assert.match(stdout, /^slicewise: waiting for the API server at https:\S+ \(context test\) to list pods in all namespaces\r?$/m);
  const quiet = await run(['plan', '-A', '-o', 'summary'], { env });
  assert.doesNotMatch(quiet.stderr, /waiting/);
});
