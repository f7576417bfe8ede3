/**
 * `slicewise watch`, and `slicewise serve` next to it: on a real API server, with the documented permissions, through a
 * rolling update, a broken connection, and events that are no longer kept. What a real one does too rarely comes from a
 * fake one.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { FakeApi } from '../webhook/lib/api-server.js';
import { startCluster } from './lib/cluster.js';
import { eventually } from './lib/controller.js';
import { pageOf, startServe, stream } from './lib/events.js';
import { Following } from './lib/following.js';
import { documented } from './lib/reader.js';
import { Wire } from './lib/wire.js';
import { NAMESPACE, NODES, addNode, addPod, addService, deletePods, podIps, runPods, setPodStatus } from './lib/workload.js';

/** How long an API server keeps events (`DefaultEventFreshDuration`), in milliseconds; it keeps at least so many of a resource. */
const KEPT = { time: 75_000, events: 100 };

/**
 * @param {import('node:test').TestContext} t @param {import('./lib/cluster.js').Cluster} cluster @param {string} server
 * @param {string} token
 */
function kubeconfig(t, cluster, server, token) {
  const folder = mkdtempSync(join(tmpdir(), 'slicewise-watch-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'kubeconfig');
  const config = {
    apiVersion: 'v1', kind: 'Config', 'current-context': 'test',
    clusters: [{ name: 'test', cluster: { server, 'certificate-authority': cluster.ready.ca } }],
    users: [{ name: 'reader', user: { token } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'reader', namespace: NAMESPACE } }],
  };
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
  return file;
}

test('a Service on a real API server', { timeout: 1_200_000 }, async (t) => {
  const cluster = await startCluster(t, ['-reference-controller']);
  const { api } = cluster;
  await api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  for (const node of NODES) await addNode(api, node, node[0] ?? '');
  const [account, ...grants] = documented('Permissions to watch');
  await api.create(account);
  const name = `${account.metadata.namespace}/${account.metadata.name}`;
  const wire = await Wire.to(t, cluster.ready.url);
  const file = kubeconfig(t, cluster, wire.url, await api.tokenOf(name));

  await t.test('without rights it says which are missing', async () => {
    const watch = Following.start(t, ['watch', '--kubeconfig', file]);
    assert.equal(await watch.ended, 2);
    assert.deepEqual(watch.lines, []);
    assert.match(watch.stderr, /not allowed to list \w+ .*verbs: \[list\]/);
    assert.equal(watch.stderr.trim().split('\n').length, 1);
  });

  for (const grant of grants) await api.create(grant);
  const ports = [{ name: 'http', port: 80, targetPort: 'http' }];
  await addService(api, 'near', { selector: { app: 'near' }, ports, trafficDistribution: 'PreferSameZone' });
  await addService(api, 'auto', { selector: { app: 'auto' }, ports });
  await runPods(api, 'near', 1, 3);
  await cluster.settle();
  const watch = Following.start(t, ['watch', 'near', '--kubeconfig', file, '-o', 'json', '--unwritten-after', '2']);
  const served = await startServe(t, ['--kubeconfig', file, '--page', pageOf(t)]);
  const live = stream(served.port, `/live?service=${NAMESPACE}/near`, served.auth);
  t.after(() => live.end());
  /** The page is given exactly these pods' endpoints. @param {...number} pods */
  const shown = (...pods) => live.until('objects', ({ items }) => {
    const slices = items.filter((/** @type {any} */ { kind }) => kind === 'EndpointSlice');
    const endpoints = slices.flatMap((/** @type {any} */ slice) => slice.endpoints ?? []);
    const addresses = endpoints.flatMap((/** @type {any} */ { addresses: each }) => each);
    return addresses.sort().join() === pods.map((pod) => podIps('near', pod)[0]).sort().join();
  });

  await t.test('what is there is no change', async () => {
    const { services, ready } = await watch.status('following');
    assert.deepEqual({ services, ready }, { services: 1, ready: 3 });
    await shown(1, 2, 3);
  });

  await t.test('a rolling update', async () => {
    const [oldest] = podIps('near', 1);
    const [newest] = podIps('near', 4);
    await addPod(api, 'near', 4);
    await setPodStatus(api, 'near-4', podIps('near', 4), { ready: false });
    const gained = await watch.change('endpointGained', newest);
    assert.equal(gained.endpoint.state, 'notReady');
    await setPodStatus(api, 'near-4', podIps('near', 4));
    const flipped = await watch.change('endpointChanged', newest);
    assert.deepEqual(flipped.fields.slice(0, 2), ['ready', 'serving']);
    assert.deepEqual(flipped.ready, { before: 3, after: 4 });
    assert.deepEqual(flipped.endpoint.forZones, ['a']);
    await deletePods(api, 'near', 1, 1, { graceful: true });
    const draining = await watch.change('endpointChanged', oldest);
    assert.ok(draining.fields.includes('terminating'), watch.tail());
    await deletePods(api, 'near', 1, 1);
    const lost = await watch.change('endpointLost', oldest);
    assert.deepEqual(lost.ready, { before: 3, after: 3 });
    assert.match(lost.message, /^lost 10\.1\.2\.1:8080, Pod near-1 on node a1 in zone a, which was terminating/);
    await shown(2, 3, 4);
  });

  await t.test('a connection that is cut, and what was missed', async () => {
    wire.cut();
    const lost = await watch.status('lost');
    assert.match(lost.message, /will be retried/);
    await live.until('all', ({ connection }) => !connection.connected);
    await runPods(api, 'near', 5, 5);
    await deletePods(api, 'near', 2, 2);
    await runPods(api, 'auto', 1, 1);
    await cluster.settle();
    wire.mend();
    // Each kind has its own watch: missed events arrive before or after the last watch is back.
    const [resumed] = await watch.inAnyOrder({
      resumed: (line) => line.status === 'resumed',
      'the lost endpoint': (line) => line.change === 'endpointLost' && line.endpoint.address === podIps('near', 2)[0],
      'the gained endpoint': (line) => line.change === 'endpointGained' && line.endpoint.address === podIps('near', 5)[0],
    });
    assert.match(resumed.message, /^connected again, after \d+ s$/);
    await shown(3, 4, 5);
  });

  await t.test('events that the API server no longer has', async () => {
    wire.hold();
    await runPods(api, 'near', 6, 6);
    await deletePods(api, 'near', 3, 3);
    await cluster.settle();
    // Once older events fill its memory, each new one takes the place of the oldest.
    await sleep(KEPT.time + 1000);
    const other = { namespace: NAMESPACE, name: 'other', labels: { 'kubernetes.io/service-name': 'other' } };
    await api.create({ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', metadata: other, addressType: 'IPv4', endpoints: [], ports: [] });
    for (let count = 1; count < KEPT.events; count++) {
      await api.patch('EndpointSlice', `${NAMESPACE}/other`, { metadata: { annotations: { count: String(count) } } });
    }
    wire.cut();
    wire.mend();
    await watch.inAnyOrder({
      resumed: (line) => line.status === 'resumed',
      'the slices are listed again': (line) => line.status === 'expired' && line.kind === 'EndpointSlice',
      'the lost endpoint': (line) => line.change === 'endpointLost' && line.endpoint.address === podIps('near', 3)[0],
      'the gained endpoint': (line) => line.change === 'endpointGained' && line.endpoint.address === podIps('near', 6)[0],
    });
    await shown(4, 5, 6);
  });

  await t.test('slices that nobody writes', async () => {
    await cluster.stopReference();
    await setPodStatus(api, 'near-5', podIps('near', 5), { ready: false });
    const { update, seconds, message } = await watch.change('unwritten');
    assert.deepEqual({ update, seconds }, { update: 1, seconds: 2 });
    assert.match(message, /1 to update/);
    await cluster.startReference();
    await watch.change('endpointChanged', podIps('near', 5)[0]);
    await watch.change('written');
  });

  await t.test('on shutdown it ends with 0, and reports no other Service', async () => {
    assert.equal(await watch.end(), 0);
    const others = watch.lines.filter((line) => typeof line === 'object' && line.type === 'change' && line.service.name !== 'near');
    assert.deepEqual(others, []);
    assert.equal(watch.stderr, '');
    assert.equal(await served.serve.end(), 0);
  });
});

/** @param {number} number @param {boolean} [ready] */
function endpoint(number, ready = true) {
  return {
    addresses: [`10.0.0.${number}`],
    conditions: { ready, serving: ready, terminating: false },
    targetRef: { kind: 'Pod', namespace: 'shop', name: `cart-${number}` },
  };
}

/** @param {FakeApi} api @param {object[]} endpoints @param {string} [service] */
function write(api, endpoints, service = 'cart') {
  const labels = { 'kubernetes.io/service-name': service, 'endpointslice.kubernetes.io/managed-by': 'somebody' };
  const metadata = { namespace: 'shop', name: `${service}-a`, labels };
  api.set({
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata,
    addressType: 'IPv4',
    ports: [{ name: '', port: 8080, protocol: 'TCP' }],
    endpoints,
  });
}

/** @param {FakeApi} api @param {string} name */
function addFakeService(api, name) {
  api.set({ apiVersion: 'v1', kind: 'Service', metadata: { namespace: 'shop', name }, spec: { clusterIP: '10.9.0.1', ports: [{ port: 80 }] } });
}

/** @param {import('node:test').TestContext} t */
async function fake(t) {
  const api = await FakeApi.start(t);
  addFakeService(api, 'cart');
  write(api, [endpoint(1), endpoint(2)]);
  return { api, args: ['watch', '-A', '--kubeconfig', api.kubeconfig(api.url, false)] };
}

for (const goneInStream of [true, false]) {
  test(`changes that the API server has forgotten (told ${goneInStream ? 'in the stream' : 'as the status'})`, async (t) => {
    const { api, args } = await fake(t);
    api.goneInStream = goneInStream;
    const watch = Following.start(t, [...args, '-o', 'json']);
    await watch.status('following');
    api.intercept = (_, __, response) => Boolean(response.destroy());
    api.cut();
    await watch.status('lost');
    write(api, [endpoint(2, false), endpoint(3)]);
    write(api, [endpoint(9)], 'no-service');
    api.compact();
    api.intercept = null;
    await watch.status('expired');
    await watch.change('endpointLost', '10.0.0.1');
    await watch.change('endpointChanged', '10.0.0.2');
    await watch.change('endpointGained', '10.0.0.3');
    write(api, [endpoint(3)]);
    await watch.change('endpointLost', '10.0.0.2');
    const told = watch.lines.filter((line) => typeof line === 'object' && line.type === 'change');
    assert.equal(told.length, 4, watch.tail());
    assert.equal(await watch.end(), 0);
  });
}

test('lists have as many pages as are asked for', async (t) => {
  const { api, args } = await fake(t);
  for (const [size, limit] of [['7', '7'], ['0', null]]) {
    api.asked.splice(0);
    const watch = Following.start(t, [...args, '-o', 'json', '--chunk-size', String(size)]);
    await watch.status('following');
    const limits = api.asked.filter(({ query }) => query.get('watch') !== 'true').map(({ query }) => query.get('limit'));
    assert.deepEqual(limits, [limit, limit, limit, limit]);
    assert.equal(await watch.end(), 0);
  }
});

test('the text is shown and not obeyed, and a closed output ends it quietly', async (t) => {
  const { api, args } = await fake(t);
  const watch = Following.start(t, args);
  await eventually('it follows', () => assert.match(watch.stderr, /following 1 Service with 2 endpoints, 2 ready/));
  write(api, [endpoint(1), { ...endpoint(2), nodeName: '\u001b[31mred\u202e\nslicewise: gone' }]);
  const line = await watch.next('a change', (text) => typeof text === 'string');
  assert.match(
    line,
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ shop\/cart: 10\.0\.0\.2:8080, Pod cart-2 on node \\u\{1b\}\[31mred\\u\{202e\}\\nslicewise: gone: node none → /,
  );
  watch.child.stdout.destroy();
  write(api, [endpoint(1)]);
  write(api, [endpoint(2)]);
  assert.equal(await watch.ended, 0);
});

test('what cannot be had is told once, with what to do', async (t) => {
  const { api, args } = await fake(t);
  api.token = 'another';
  const refused = Following.start(t, [...args, '-o', 'json']);
  assert.equal(await refused.ended, 2);
  assert.deepEqual(refused.lines, []);
  assert.match(refused.stderr, /does not accept the credentials/);
  const nowhere = Following.start(t, ['watch', '-A', '--kubeconfig', api.kubeconfig('https://127.0.0.1:1', false)]);
  assert.equal(await nowhere.ended, 2);
  assert.match(nowhere.stderr, /127\.0\.0\.1:1 .*cannot be reached/);
  const conflict = Following.start(t, ['watch', 'shop/cart', '-n', 'other']);
  assert.equal(await conflict.ended, 2);
  assert.match(conflict.stderr, /another namespace/);
});
