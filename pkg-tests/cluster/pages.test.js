/** Lists in pages: what is requested, what happens when an API server forgets them, and how much memory a large cluster takes. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { FakeApi, refuse } from '../webhook/lib/api-server.js';
import { run, toldError } from './lib/reader.js';

/** The number of pods in a large cluster. */
const PODS = 100_000;
/** The number of pods per Service. */
const PER_SERVICE = 100;
/** How many a slice has. */
const PER_SLICE = 100;
/** The memory limit of every command, in MB. */
const MEMORY = 200;
/** Nor for one Service that has them all: an explanation looks at its slices before and after, and tries changes out. */
const MEMORY_OF_ONE = 250;
/** Nor where each slice is out of date, and all are planned anew. */
const MEMORY_OF_CHANGES = 310;

test('pages', async (t) => {
  const api = await FakeApi.start(t);
  const env = { KUBECONFIG: kubeconfigOf(api) };
  for (let index = 1; index <= 25; index++) api.set(pod(index));
  for (const object of [service(), node(), slice()]) api.set(object);
  const whole = await run(['plan', '-A', '--chunk-size', '0'], { env });
  assert.equal(whole.status, 0, whole.stderr);
  assert.equal(JSON.parse(whole.stdout).plans[0].update[0].endpoints.length, 25);

  // First pages are requested side by side.
  const sorted = (/** @type {string[]} */ lists) => [...lists].sort();
  const asked = () =>
    api.asked
      .splice(0)
      .map(({ kind, namespace, query }) => `${namespace ?? ''} ${kind} ${query.get('limit') ?? ''}${query.has('continue') ? '+' : ''}`.trim());
  await t.test('the lists that are needed, and no others', async () => {
    asked();
    assert.deepEqual(await ran(['plan', '-A', '--chunk-size', '10']), whole.stdout);
    assert.deepEqual(sorted(asked()), sorted(['Service 10', 'EndpointSlice 10', 'Pod 10', 'Pod 10+', 'Pod 10+', 'Node 10']));
    await ran(['traffic', '-n', 'shop', '-l', 'tier=front,app in (a, b)']);
    const selected = api.asked.map(({ kind, query }) => [kind, query.get('labelSelector')]);
    assert.deepEqual(selected.filter(([, selector]) => selector !== null), [['Service', 'tier=front,app in (a, b)']]);
    assert.deepEqual(sorted(asked()), sorted(['shop Service 500', 'shop EndpointSlice 500', 'Node 500']));
    await ran(['diff', '-', '-n', 'shop'], '[]');
    assert.deepEqual(asked(), ['shop EndpointSlice 500']);
    await ran(['explain', '-n', 'shop', 'cart']);
    const selectors = ['Event', 'Lease'].map((kind) => api.asked.find((one) => one.kind === kind)?.query.get('fieldSelector'));
    assert.deepEqual(selectors, ['type=Warning', 'metadata.name=kube-controller-manager']);
    assert.deepEqual(
      sorted(asked()),
      sorted([
        'shop Service 500',
        'shop EndpointSlice 500',
        'shop Pod 500',
        'Node 500',
        'shop Endpoints 500',
        'shop Event 500',
        'kube-system Lease 500',
      ]),
    );
  });

  await t.test('explanations do without what is refused or fails, and without nothing else', async () => {
    api.intercept = (kind, _query, response) =>
      ['Event', 'Lease'].includes(kind) && (refuse(response, kind === 'Event' ? 403 : 404, 'No', `no ${kind}\u001b[31m`), true);
    const { warnings } = JSON.parse(await ran(['explain', '-A', '-o', 'json']));
    assert.deepEqual(warnings.map((/** @type {any} */ { code }) => code), ['LeftOut', 'LeftOut']);
    assert.match(
      warnings[0].message,
      /^not allowed to list events in all namespaces: no Event.*; grant it in a ClusterRole with the rule `\{apiGroups: \[""\], resources: \[events\], verbs: \[list\]\}`; the answers do without it$/,
    );
    assert.match(warnings[1].message, /does not know `leases`/);
    assert.ok(!(await ran(['explain', '-A'])).includes('\u001b'), 'a terminal obeys none of it');
    const failing = (/** @type {number} */ status) => {
      api.intercept = (kind, _query, response) => kind === 'Event' && (refuse(response, status, 'No', 'no'), true);
    };
    failing(401);
    await fails(['explain', '-A'], /does not accept the credentials/);
    failing(500);
    const without = JSON.parse(await ran(['explain', '-A', '-o', 'json']));
    assert.deepEqual(without.warnings.map((/** @type {any} */ { code }) => code), ['LeftOut']);
    assert.match(without.warnings[0].message, /^cannot list events in all namespaces: .* answers 500: no; try again later; the answers do without it$/);
    api.intercept = (kind, _query, response) => kind === 'Pod' && (refuse(response, 403, 'Forbidden', 'no'), true);
    await fails(['explain', '-A'], /not allowed to list pods in all namespaces/);
    api.intercept = null;
    asked();
  });

  await t.test('a list that is forgotten is read anew, with all others', async () => {
    let isForgotten = false;
    api.intercept = (kind, query, response) => {
      if (isForgotten || kind !== 'Pod' || !query.has('continue')) return false;
      isForgotten = true;
      refuse(response, 410, 'Expired', 'The provided continue parameter is too old');
      return true;
    };
    assert.deepEqual(await ran(['plan', '-A', '--chunk-size', '10']), whole.stdout);
    const first = ['Service 10', 'EndpointSlice 10', 'Pod 10', 'Node 10'];
    assert.deepEqual(sorted(asked()), sorted([...first, 'Pod 10+', ...first, 'Pod 10+', 'Pod 10+']));
  });

  await t.test('one that is forgotten time and again is told', async () => {
    api.intercept = (kind, query, response) => kind === 'Pod' && query.has('continue') && (refuse(response, 410, 'Expired', 'too old'), true);
    await fails(
      ['plan', '-A', '--chunk-size', '10'],
      /^slicewise: cannot list pods in all namespaces: the list expired before its last page was read, 3 times in a row; raise --chunk-size \(0 lists all at once\), or read one namespace\n$/,
    );
    assert.equal(asked().filter((list) => list === 'Pod 10').length, 3);
  });

  await t.test('a server that breaks off, or answers something else', async () => {
    api.intercept = (kind, query, response) => kind === 'Pod' && query.has('continue') && (response.destroy(), true);
    await fails(
      ['plan', '-A', '--chunk-size', '10'],
      /cannot list pods in all namespaces: the API server at https:\S+ \(context test\) cannot be reached: /,
    );
    api.intercept = (kind, _query, response) => kind === 'Pod' && (response.end('<html>\nLog in: \u001b[31m'), true);
    const told = await fails(
      ['explain', '-A'],
      /cannot list pods .* does not answer with a list: `<html> Log in: .*`; is the server of the kubeconfig a Kubernetes API server\?/,
    );
    assert.ok(!told.includes('\u001b'), 'a terminal obeys none of it');
    api.intercept = (kind, _query, response) =>
      kind === 'Pod' && (response.end('{"kind":"PodList","apiVersion":"v1","metadata":{},"items":[{"metadata":{"name":7}}]}'), true);
    await fails(['explain', '-A'], /returned a list that cannot be read: /);
    api.intercept = (kind, _query, response) =>
      kind === 'EndpointSlice' && (refuse(response, 404, 'NotFound', 'the server could not find the requested resource'), true);
    await fails(
      ['explain', '-A'],
      /^slicewise: the API server at https:\S+ \(context test\) has no EndpointSlices of discovery.k8s.io\/v1; Kubernetes 1.21 or newer is required\n$/,
    );
    api.intercept = null;
    await fails(['plan', '-A', '--max-input-bytes', '1000'], /the input has more than 1000 bytes; split it, or raise --max-input-bytes/);
  });

  await t.test('a Status is told and not obeyed', async () => {
    api.intercept = (_kind, _query, response) => (refuse(response, 403, 'Forbidden', 'no \u001b]0;owned\u0007'), true);
    const told = await fails(['plan', '-A'], /not allowed to list services, endpointslices, pods in all namespaces, nodes of the cluster: no /);
    assert.ok(!told.includes('\u001b') && !told.includes('\u0007'), told);
    api.intercept = null;
  });

  /** @param {string[]} args @param {string} [input] */
  async function ran(args, input) {
    const { status, stdout, stderr } = await run(args, { env, input });
    assert.equal(status, 0, stderr);
    return stdout;
  }

  /** @param {string[]} args @param {RegExp} message @returns {Promise<string>} */
  async function fails(args, message) {
    asked();
    const { status, stdout, stderr } = await run(args, { env });
    assert.match(toldError(stderr), message);
    assert.deepEqual([status, stdout], [2, '']);
    return stderr;
  }
});

/**
 * Serves lists of so many texts, page by page.
 * @param {FakeApi} api @param {Record<string, [number, (index: number) => string]>} lists the texts of each kind
 */
function serve(api, lists) {
  const sent = { bytes: 0 };
  api.intercept = (kind, query, response) => {
    const [count, textOf] = lists[kind] ?? [];
    if (count === undefined || textOf === undefined) return false;
    const from = Number(query.get('continue') ?? 0);
    const end = Math.min(count, from + Number(query.get('limit')));
    const items = Array.from({ length: end - from }, (_, index) => textOf(from + index));
    const metadata = { resourceVersion: '7', ...(end < count && { continue: String(end), remainingItemCount: count - end }) };
    const apiVersion = kind === 'EndpointSlice' ? 'discovery.k8s.io/v1' : 'v1';
    const page = `{"kind":"${kind}List","apiVersion":"${apiVersion}","metadata":${JSON.stringify(metadata)},"items":[${items.join(',')}]}`;
    sent.bytes += page.length;
    response.end(page);
    return true;
  };
  return sent;
}

/**
 * Runs a command within the limit.
 * @param {import('node:test').TestContext} t @param {FakeApi} api @param {string[]} args @param {RegExp} expected @param {number} [most]
 */
async function small(t, api, args, expected, most = MEMORY) {
  const { status, stdout, stderr, megabytes } = await run(args, { env: { KUBECONFIG: kubeconfigOf(api) } });
  assert.equal(status, 0, stderr);
  assert.match(stdout, expected);
  t.diagnostic(`slicewise ${args.join(' ')}: ${Math.round(megabytes)} MB of memory at the peak`);
  if (process.platform === 'linux') assert.ok(megabytes > 5 && megabytes < most, `${args.join(' ')}: ${megabytes} MB`);
}

test(`${PODS} pods stay below ${MEMORY} MB`, { timeout: 1_200_000 }, async (t) => {
  const api = await FakeApi.start(t);
  for (const object of [service(), node(), slice()]) api.set(object);
  for (let index = 0; index < PODS / PER_SERVICE; index++) {
    api.set({
      ...service(),
      metadata: { namespace: namespaceOf(index), name: `app-${index}`, uid: `app-${index}` },
      spec: { ...service().spec, selector: { app: `app-${index}` } },
    });
  }
  const template = JSON.stringify(pod(0)).replaceAll('"app":"cart"', '"app":"APP"').replaceAll('"namespace":"shop"', '"namespace":"PLACE"');
  const sent = serve(api, { Pod: [PODS, (index) => podText(index, template)], Endpoints: [PODS / PER_SERVICE, endpointsText] });
  for (const args of [['plan', '-A', '-o', 'summary'], ['explain', '-A', 'team-7/app-7'], ['explain', '-A'], ['traffic', '-A', '-o', 'json']]) {
    sent.bytes = 0;
    await small(t, api, args, /app-7/);
    if (args[0] !== 'traffic') assert.ok(sent.bytes > 1.5 * MEMORY * 1e6, `only ${sent.bytes} bytes`);
  }
});

test(`${PODS} pods of one Service stay below ${MEMORY_OF_ONE} MB`, { timeout: 1_200_000 }, async (t) => {
  const api = await FakeApi.start(t);
  for (const object of [service(), node()]) api.set(object);
  const template = JSON.stringify(pod(0));
  /** @type {[number, (index: number) => string]} */
  const pods = [PODS, (index) => template.replaceAll('pod-0', `pod-${index}`).replaceAll('10.0.0.0', address(index))];
  await t.test('without slices', async (sub) => {
    serve(api, { Pod: pods, EndpointSlice: [0, () => ''] });
    await small(sub, api, ['plan', '-A', '-o', 'summary'], /shop\/cart/);
    await small(sub, api, ['explain', '-A'], /Nobody is served on http\/TCP/, MEMORY_OF_ONE);
  });
  await t.test('with slices that are up to date', async (sub) => {
    serve(api, { Pod: pods, EndpointSlice: [PODS / PER_SLICE, (index) => JSON.stringify(filled(index))] });
    await small(sub, api, ['explain', '-A'], /All clients are served by 100000 endpoints/, MEMORY_OF_ONE);
  });
  await t.test('with slices of which each is out of date', async (sub) => {
    serve(api, { Pod: pods, EndpointSlice: [PODS / PER_SLICE, (index) => JSON.stringify(filled(index, index * PER_SLICE))] });
    await small(sub, api, ['explain', '-A'], /wrong conditions for 1000 endpoints/, MEMORY_OF_CHANGES);
  });
});

/** A slice of the Service with its pods. @param {number} number @param {number} [unready] the pod that it has as not ready */
function filled(number, unready = -1) {
  const name = `cart-${String(number).padStart(4, '0')}`;
  const endpoints = Array.from({ length: PER_SLICE }, (_, place) => {
    const index = number * PER_SLICE + place;
    const ready = index !== unready;
    return {
      addresses: [address(index)], conditions: { ready, serving: ready, terminating: false }, nodeName: 'node-1', zone: 'a',
      targetRef: { kind: 'Pod', namespace: 'shop', name: `pod-${index}`, uid: `uid-of-pod-${index}` },
    };
  });
  const { metadata, ...rest } = slice();
  return { ...rest, metadata: { ...metadata, name, uid: name, generateName: 'cart-', labels: { ...metadata.labels, tier: 'front' } }, endpoints };
}

/** The fake's certificate is a CA certificate, which Rust clients do not accept from a server. @param {FakeApi} api */
function kubeconfigOf(api) {
  const file = api.kubeconfig();
  const config = JSON.parse(readFileSync(file, 'utf8'));
  config.clusters[0].cluster = { server: api.url, 'insecure-skip-tls-verify': true };
  writeFileSync(file, JSON.stringify(config));
  return file;
}

/** @param {number} index */
const address = (index) => `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;

/** The namespace of a Service, which it shares with a few others. @param {number} index */
const namespaceOf = (index) => `team-${index % 100}`;

/** The Endpoints of a Service, which repeat the addresses of its pods. @param {number} app */
function endpointsText(app) {
  const addresses = Array.from({ length: PER_SERVICE }, (_, place) => {
    const index = app + place * (PODS / PER_SERVICE);
    return {
      ip: address(index),
      nodeName: 'node-1',
      targetRef: { kind: 'Pod', namespace: namespaceOf(app), name: `pod-${index}`, uid: `uid-of-pod-${index}` },
    };
  });
  return JSON.stringify({
    metadata: { namespace: namespaceOf(app), name: `app-${app}` },
    subsets: [{ addresses, ports: [{ name: 'http', port: 8080, protocol: 'TCP' }] }],
  });
}

/** @param {number} index @param {string} template */
function podText(index, template) {
  const app = index % (PODS / PER_SERVICE);
  const text = template.replaceAll('pod-0', `pod-${index}`).replaceAll('10.0.0.0', address(index));
  return text.replace('APP', `app-${app}`).replace('PLACE', namespaceOf(app));
}

/** A pod as an API server returns it, with many unused fields. @param {number} index */
function pod(index) {
  const name = `pod-${index}`;
  const labels = { app: 'cart', 'pod-template-hash': '6f7d9c8b5d' };
  const fields = Object.fromEntries(Array.from({ length: 40 }, (_, number) => [`f:field-${number}`, { '.': {}, 'f:value': {} }]));
  return {
    kind: 'Pod', apiVersion: 'v1',
    metadata: {
      name, namespace: 'shop', uid: `uid-of-${name}`, labels, creationTimestamp: '2026-01-01T00:00:00Z',
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'cart-6f7d9c8b5d', uid: 'uid-of-cart', controller: true }],
      managedFields: [
        {
          manager: 'kube-controller-manager',
          operation: 'Update',
          apiVersion: 'v1',
          time: '2026-01-01T00:00:00Z',
          fieldsType: 'FieldsV1',
          fieldsV1: fields,
        },
      ],
    },
    spec: {
      nodeName: 'node-1',
      containers: [
        {
          name: 'cart',
          image: 'registry.example/cart:1',
          ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
          env: [{ name: 'TEXT', value: 'lorem ipsum '.repeat(100) }],
        },
      ],
    },
    status: {
      phase: 'Running', podIP: address(index), podIPs: [{ ip: address(index) }],
      conditions: ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'].map((type) => ({
        type,
        status: 'True',
        lastTransitionTime: '2026-01-01T00:00:00Z',
      })),
      containerStatuses: [{
        name: 'cart', ready: true, started: true, restartCount: 0, state: { running: { startedAt: '2026-01-01T00:00:00Z' } }, lastState: {},
        image: 'registry.example/cart:1', imageID: `registry.example/cart@sha256:${'0'.repeat(64)}`, containerID: `containerd://${'1'.repeat(64)}`,
      }],
    },
  };
}

function service() {
  return {
    kind: 'Service', apiVersion: 'v1', metadata: { namespace: 'shop', name: 'cart', uid: 'cart', labels: { tier: 'front' } },
    spec: {
      selector: { app: 'cart' },
      clusterIP: '10.96.0.1',
      clusterIPs: ['10.96.0.1'],
      ipFamilies: ['IPv4'],
      ports: [{ name: 'http', protocol: 'TCP', port: 80, targetPort: 'http' }],
    },
  };
}

function node() {
  return { kind: 'Node', apiVersion: 'v1', metadata: { name: 'node-1', labels: { 'topology.kubernetes.io/zone': 'a' } } };
}

function slice() {
  return {
    kind: 'EndpointSlice', apiVersion: 'discovery.k8s.io/v1', addressType: 'IPv4', endpoints: [],
    ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
    metadata: {
      namespace: 'shop', name: 'cart-x', uid: 'x',
      labels: { 'kubernetes.io/service-name': 'cart', 'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io' },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Service', name: 'cart', uid: 'cart', controller: true, blockOwnerDeletion: true }],
    },
  };
}
