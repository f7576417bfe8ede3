/**
 * `slicewise controller` on a real API server, with the ServiceAccount from `deploy/controller.yaml`: side by side
 * with the reference controller through the history of the other tests, with and without incidents.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { startCluster } from './lib/cluster.js';
import { Controller, accountConfig, deployedArguments, eventually, manifests } from './lib/controller.js';
import { KUBE_EXAMPLE } from '../../scripts/lib/paths.mjs';
import { assertSame, assertSameEndpoints } from './lib/equal.js';
import { PER_SLICE, history } from './lib/history.js';
import { incidents } from './lib/incidents.js';
import { Wire } from './lib/wire.js';

const REFERENCE = 'endpointslice-controller.k8s.io';
const OURS = 'slicewise-controller';
/** The manager of `examples/kube_controller.rs`, and the Services whose slices do not depend on how changes were batched. */
const EXAMPLE = { manager: 'kube-example.example.com', services: ['shop/near', 'shop/peers', 'shop/dual'] };
/** Longer than any step of the history, so that both controllers batch the same changes. */
const BATCH = '1s';
/** The first step that removes endpoints from one of several slices. */
const GOING = 'a pod is taken out by its label, another one changes sides';
const PACE = [`--max-endpoints-per-slice=${PER_SLICE}`, `--endpointslice-updates-batch-period=${BATCH}`];

test('side by side with the reference', { timeout: 1_200_000 }, async (t) => {
  const cluster = await startCluster(t, [
    '-reference-controller',
    `-max-endpoints-per-slice=${PER_SLICE}`,
    `-endpoint-updates-batch-period=${BATCH}`,
  ]);
  const { api } = cluster;
  for (const object of manifests()) await api.create(object);
  const wire = await Wire.to(t, cluster.ready.url);
  const kubeconfig = await accountConfig(t, cluster, wire.url);
  const args = [...deployedArguments().slice(1).map((arg) => arg.replace(/^--listen=.*/, '--listen=127.0.0.1:0')), ...PACE];
  // A killed controller leaves its Lease behind; the next one should not have to wait long.
  args.push('--leader-elect-lease-duration=3s', '--leader-elect-renew-deadline=2s', '--leader-elect-retry-period=500ms');
  startExample(t, cluster.ready.kubeconfig);
  const world = { t, cluster, wire, controller: Controller.start(t, kubeconfig, args), restart: () => {} };
  world.restart = () => (world.controller = Controller.start(t, kubeconfig, args));
  await world.controller.said('leading');

  const planned = incidents(world);
  let goesOn = true;
  let areSizesSame = true;
  for (const { what, change } of history(api)) {
    // Each step builds on the previous one, so the first failure ends the run.
    if (!goesOn) return;
    const incident = planned.get(what);
    await t.test(incident ? `${what} (${incident.what})` : what, async () => {
      goesOn = false;
      await incident?.before();
      await change();
      await incident?.after();
      await cluster.settle();
      areSizesSame &&= what !== GOING;
      try {
        await eventually('the same slices', () => assertSame(api, OURS, REFERENCE, { perSlice: PER_SLICE, areSizesSame }));
        await eventually('the example has them, too', () => assertSameEndpoints(api, EXAMPLE.manager, REFERENCE, EXAMPLE.services));
      } catch (error) {
        throw new Error(`${world.controller.tail()}\n${error instanceof Error ? error.message : error}`, { cause: error });
      }
      planned.delete(what);
      goesOn = true;
    });
  }

  if (!goesOn) return;
  await t.test('each incident has had its step', () => {
    assert.deepEqual([...planned.keys()], []);
    assert.ok(!areSizesSame, GOING);
  });

  await t.test('it has been told of conflicts, and has told', async () => {
    const events = await api.list('Event');
    const own = events.filter(({ reportingController }) => reportingController === OURS);
    const reasons = new Set(own.map(({ reason }) => reason));
    assert.ok(reasons.has('FailedToUpdateEndpointSlices'), `events: ${[...reasons]}`);
    assert.ok(reasons.has('TopologyAwareHintsEnabled'), `events: ${[...reasons]}`);
    const told = events.filter(({ reportingController }) => reportingController === EXAMPLE.manager).map(({ reason }) => reason);
    assert.ok(told.includes('TopologyAwareHintsEnabled'), `the example's events: ${told}`);
    const isOurs = (/** @type {any} */ { metadata }) => metadata.labels['endpointslice.kubernetes.io/managed-by'] === EXAMPLE.manager;
    const managers = (await api.list('EndpointSlice'))
      .filter(isOurs)
      .flatMap(({ metadata }) => metadata.managedFields.map((/** @type {any} */ field) => `${field.manager} ${field.operation}`));
    assert.ok(managers.includes(`${EXAMPLE.manager} Apply`), `written by: ${managers}`);
  });

  await t.test('the gauges are those of the slices that are there', async () => {
    const slices = (await api.list('EndpointSlice')).filter(({ metadata }) => metadata.labels['endpointslice.kubernetes.io/managed-by'] === OURS);
    const metrics = await world.controller.metrics();
    const families = ['IPv4', 'IPv6'].map((family) => metrics.get(`slicewise_endpoint_slices{address_type="${family}"}`) ?? 0);
    assert.equal(families[0] + families[1], slices.length);
    assert.equal(metrics.get('slicewise_controller_leader'), 1);
    assert.equal(metrics.get('slicewise_controller_unreadable_objects_total{kind="Pod"}'), undefined);
    assert.ok((metrics.get('process_resident_memory_bytes') ?? 0) > 0);
  });

  await t.test('on shutdown it releases the Lease and ends with 0', async () => {
    assert.equal(await world.controller.terminate(), 0);
    const { spec } = await api.get('Lease', 'slicewise/slicewise-controller');
    assert.equal(spec.holderIdentity, '');
  });
});

/**
 * The example controller next to both, killed after the test.
 * @param {import('node:test').TestContext} t @param {string} kubeconfig
 */
function startExample(t, kubeconfig) {
  const child = spawn(KUBE_EXAMPLE, [EXAMPLE.manager, String(PER_SLICE)], {
    env: { ...process.env, KUBECONFIG: kubeconfig },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  t.after(kill);
}
