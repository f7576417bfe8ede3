/** Several instances of `slicewise controller`: who writes, what each of them does, and what an instance reports about itself. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startCluster } from './lib/cluster.js';
import { Controller, accountConfig, eventually, manifests } from './lib/controller.js';
import { assertSame, pictureOf } from './lib/equal.js';
import { Wire } from './lib/wire.js';
import { NAMESPACE, NODES, addNode, addService, podIps, runPods, setPodStatus } from './lib/workload.js';

const COMMON = ['--listen=127.0.0.1:0', '--log-format=json', '--leader-elect-resource-namespace=slicewise'];
const SOON = ['--leader-elect-lease-duration=3s', '--leader-elect-renew-deadline=2s', '--leader-elect-retry-period=300ms'];
const ALONE = '--leader-elect=false';
const MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';
const SERVICES = 12;

test('instances of the controller', { timeout: 1_200_000 }, async (t) => {
  const cluster = await startCluster(t);
  const { api } = cluster;
  for (const object of manifests()) await api.create(object);
  await api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  for (const node of NODES) await addNode(api, node, node[0]);
  await runPods(api, 'near', 1, 12);
  for (let number = 1; number <= SERVICES; number++) {
    const ports = [{ name: 'http', port: 80, targetPort: 'http' }];
    await addService(api, `service-${number}`, { selector: { app: 'near' }, ports }, { labels: { parity: number % 2 ? 'odd' : 'even' } });
  }
  const direct = await accountConfig(t, cluster, cluster.ready.url);

  await t.test('ready is who has been told of everything; alive is who answers', async (part) => {
    const wire = await Wire.to(part, cluster.ready.url, true);
    const controller = Controller.start(part, await accountConfig(part, cluster, wire.url), [...COMMON, ALONE, '--managed-by=ready']);
    assert.deepEqual(await controller.page('/readyz'), { status: 503, text: 'not listed yet: Service, Pod, Node, EndpointSlice\n' });
    assert.deepEqual(await controller.page('/livez'), { status: 200, text: 'ok\n' });
    wire.mend();
    await eventually('ready', async () => assert.deepEqual(await controller.page('/readyz'), { status: 200, text: 'ok\n' }));
    assert.deepEqual(await controller.page('/healthz'), { status: 200, text: 'ok\n' });
    assert.equal((await controller.page('/other')).status, 404);
    assert.equal((await controller.page('/metrics', 'POST')).status, 405);
    await eventually('all synced', async () =>
      assert.ok(((await controller.metrics()).get('endpoint_slice_controller_syncs{result="success"}') ?? 0) >= SERVICES),
    );
    assert.equal(await controller.terminate(), 0);
  });

  await t.test('a dry run tells what it would write, and writes nothing', async (part) => {
    const before = await versions(api);
    const controller = Controller.start(part, direct, [...COMMON, '--dry-run', '--managed-by=dry']);
    await eventually('plans', () => assert.equal(controller.plans.length, SERVICES));
    for (const { service, create } of controller.plans) {
      assert.equal(create[0]?.metadata.labels?.[MANAGED_BY], 'dry');
      assert.equal(create[0]?.metadata.labels?.['kubernetes.io/service-name'], service.name);
    }
    assert.equal(await controller.terminate(), 0);
    assert.deepEqual(await versions(api), before);
    await assert.rejects(api.get('Lease', 'slicewise/slicewise-controller'), /404/);
  });

  await t.test('before it writes, it says that the cluster’s own controller writes too', async (part) => {
    const labels = { [MANAGED_BY]: 'endpointslice-controller.k8s.io' };
    const metadata = { name: 'own', namespace: NAMESPACE, labels };
    await api.create({ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', metadata, addressType: 'IPv4', endpoints: [] });
    part.after(() => api.delete('EndpointSlice', `${NAMESPACE}/own`));
    const controller = Controller.start(part, direct, [...COMMON, ALONE, '--managed-by=beside']);
    await controller.said('written');
    const [said] = controller.log.filter(({ level }) => level === 'WARN');
    assert.match(said?.message ?? '', /^the cluster's own controller writes slices here too; neither touches the other's/);
    assert.equal(said?.slice, `${NAMESPACE}/own`);
    assert.ok(controller.log.indexOf(/** @type {any} */ (said)) < controller.log.findIndex(({ message }) => message === 'written'));
    assert.equal(await controller.terminate(), 0);
    const same = Controller.start(part, direct, [...COMMON, ALONE, '--managed-by=endpointslice-controller.k8s.io', '--service-selector=parity=none']);
    await same.said('started');
    await eventually('warned', () => assert.ok(same.log.some(({ level, message }) => level === 'WARN' && message.includes('undo each other'))));
    assert.equal(await same.terminate(), 0);
  });

  await t.test('shards have each Service once, and together do what one does', async (part) => {
    const whole = Controller.start(part, direct, [...COMMON, ALONE, '--managed-by=whole']);
    const shards = ['0/2', '1/2'].map((shard) => Controller.start(part, direct, [...COMMON, `--shard=${shard}`, '--managed-by=shards']));
    await eventually('slices', () => assert.equal(whole.writes().length, SERVICES));
    await eventually('the same slices', () => assertSame(api, 'shards', 'whole', { perSlice: 100, areSizesSame: true }));
    await setPodStatus(api, 'near-3', podIps('near', 3), { ready: false });
    await eventually('the same slices', async () => {
      await assertSame(api, 'shards', 'whole', { perSlice: 100, areSizesSame: true });
      const picture = Object.values(pictureOf(await api.list('EndpointSlice'), 'whole'));
      assert.ok(
        picture.every(({ endpoints }) => endpoints.some((/** @type {string} */ endpoint) => endpoint.includes('"ready":false'))),
        'not told yet',
      );
    });
    const written = shards.map((shard) => new Set(shard.writes().map(({ service }) => service)));
    assert.ok(written.every((services) => services.size > 0), 'a shard without Services');
    assert.equal(written[0].size + written[1].size, SERVICES);
    assert.equal(new Set([...written[0], ...written[1]]).size, SERVICES);
    assert.equal(new Set(whole.writes().map(({ service }) => service)).size, SERVICES);
    const leases = (await api.list('Lease')).map(({ metadata }) => metadata.name).filter((name) => name.startsWith('slicewise'));
    assert.deepEqual(leases.sort(), ['slicewise-controller-0-of-2', 'slicewise-controller-1-of-2']);
    for (const controller of [whole, ...shards]) assert.equal(await controller.terminate(), 0);
  });

  await t.test('only the Services that are asked for', async (part) => {
    const controller = Controller.start(part, direct, [
      ...COMMON,
      ALONE,
      '--managed-by=odd',
      '--service-selector=parity=odd',
      `--namespace=${NAMESPACE}`,
    ]);
    await eventually('slices', () => assert.equal(controller.writes().length, SERVICES / 2));
    assert.ok(controller.writes().every(({ service }) => Number(service.split('-')[1]) % 2 === 1));
    // Changes by others to its slices are reverted.
    const [own, other] = (await api.list('EndpointSlice')).filter(({ metadata }) => metadata.labels[MANAGED_BY] === 'odd');
    await api.delete('EndpointSlice', `${NAMESPACE}/${own.metadata.name}`);
    await api.replace({ ...other, endpoints: other.endpoints.slice(1) });
    await eventually('mended', async () => {
      const picture = Object.values(pictureOf(await api.list('EndpointSlice'), 'odd'));
      assert.deepEqual(picture.map(({ endpoints }) => endpoints.length), Array(SERVICES / 2).fill(12));
    });
    assert.equal(await controller.terminate(), 0);
  });

  await t.test('one of several writes; when it is gone, another', async (part) => {
    const start = (/** @type {string} */ kubeconfig, /** @type {string} */ name) => {
      return Controller.start(part, kubeconfig, [...COMMON, ...SOON, '--managed-by=elected', `--identity=${name}`]);
    };
    const first = start(direct, 'first');
    await first.said('leading');
    await eventually('slices', () => assert.equal(first.writes().length, SERVICES));
    const wire = await Wire.to(part, cluster.ready.url);
    const second = start(await accountConfig(part, cluster, wire.url), 'second');
    await eventually('ready as it stands by', async () => assert.equal((await second.page('/readyz')).status, 200));
    assert.equal((await second.metrics()).get('slicewise_controller_leader'), 0);
    assert.equal((await first.metrics()).get('slicewise_controller_leader'), 1);

    await first.kill();
    await setPodStatus(api, 'near-4', podIps('near', 4), { ready: false });
    await second.said('leading');
    await eventually('slices', () => assert.equal(second.writes().length, SERVICES));
    const { spec } = await api.get('Lease', 'slicewise/slicewise-controller');
    assert.equal(spec.holderIdentity, 'second');
    assert.equal(spec.leaseTransitions, 1);

    // Its requests no longer arrive, and it gets no error.
    const third = start(direct, 'third');
    await eventually('ready as it stands by', async () => assert.equal((await third.page('/readyz')).status, 200));
    wire.hold();
    await setPodStatus(api, 'near-5', podIps('near', 5), { ready: false });
    assert.equal(await second.ended, 1, 'it ends when it cannot renew the Lease');
    const lost = await second.when('the Lease was lost: shutting down so as not to write next to another instance');
    const led = await third.when('leading');
    assert.ok(lost < led, `third was leading at ${led}, second only lost the Lease at ${lost}`);
    await eventually('slices', () => assert.equal(third.writes().length, SERVICES));
    // Delayed writes must not be sent now.
    const before = await versions(api);
    wire.mend();
    await sleep(500);
    assert.deepEqual(await versions(api), before);

    const stolen = await api.get('Lease', 'slicewise/slicewise-controller');
    await api.replace({
      ...stolen,
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      spec: { ...stolen.spec, holderIdentity: 'thief', renewTime: now() },
    }).catch(async () => {
      await api.patch('Lease', 'slicewise/slicewise-controller', { spec: { holderIdentity: 'thief', renewTime: now() } });
    });
    assert.equal(await third.ended, 1, 'it ends when another holds the Lease');
  });

  await t.test('bad usage is told', async (part) => {
    const usage = async (/** @type {string[]} */ args) => {
      const controller = Controller.start(part, direct, args);
      assert.equal(await controller.ended, 2, controller.tail());
      return controller.tail();
    };
    assert.match(await usage(['--shard=2/2']), /write it like `0\/2`/);
    assert.match(await usage(['--leader-elect-renew-deadline=15s']), /shorter than '--leader-elect-lease-duration'/);
    assert.match(await usage(['--managed-by=not a name']), /--managed-by/);
    const nowhere = Controller.start(part, '/no/such/file', []);
    assert.equal(await nowhere.ended, 2);
    assert.match(nowhere.tail(), /cannot read \/no\/such\/file/);
  });
});

function now() {
  return new Date().toISOString().replace('Z', '000Z');
}

/** @param {import('./lib/api.js').Api} api */
async function versions(api) {
  const slices = await api.list('EndpointSlice');
  return slices.map(({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`).sort();
}
