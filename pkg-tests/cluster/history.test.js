/**
 * A history on a real API server with the reference controller. After each step, once the controller is idle, our
 * plan of every Service must be empty: we would have written exactly the same slices.
 * At the end the roles change: while the reference is stopped, our plans are written, and it has nothing to fix.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { startCluster } from './lib/cluster.js';
import { describe } from './lib/describe.js';
import { PER_SLICE, history } from './lib/history.js';
import { apply, diffOf, plansOf, snapshotOf } from './lib/plan.js';
import { NAMESPACE, podIps, runPods, setPodStatus } from './lib/workload.js';

/** Bursts of changes are batched: otherwise the reference outruns its own cache, and backs off longer and longer. */
const REFERENCE = ['-reference-controller', `-max-endpoints-per-slice=${PER_SLICE}`, '-endpoint-updates-batch-period=500ms'];
/** The slices after each step; `UPDATE=1` writes it; review the diff before committing. */
const TEXT = new URL('history.txt', import.meta.url);
const UPDATE = Boolean(process.env.UPDATE);
const PLAN = ['--max-endpoints-per-slice', String(PER_SLICE)];

test('a history with the reference', { timeout: 1_200_000 }, async (t) => {
  const cluster = await startCluster(t, REFERENCE);
  const { api } = cluster;
  const expected = readSections();
  /** @type {string[]} */
  const sections = [];
  let goesOn = true;
  /** Each step builds on the previous one, so the first failure ends the run. @param {string} what @param {() => unknown} work */
  const step = async (what, work) => {
    if (!goesOn) return;
    goesOn = false;
    await t.test(what, async () => {
      await work();
      goesOn = true;
    });
  };

  for (const { what, change, rewrites } of history(api)) {
    await step(what, async () => {
      await change();
      await cluster.settle();
      const snapshot = await snapshotOf(api);
      assertAtRest(snapshot, rewrites);
      const found = describe(snapshot, NAMESPACE);
      sections.push(`# ${what}\n${found}\n`);
      if (!UPDATE) assert.equal(found, expected.get(what));
    });
  }

  if (UPDATE) writeFileSync(TEXT, sections.join('\n'));
  else await step('no step is missing', () => assert.equal(sections.length, expected.size));

  await step('our plans, written while the reference is away, leave it nothing to do', async () => {
    await cluster.stopReference();
    // A starting reference may remove hints of `Auto`, because it may sync a Service before it knows the nodes.
    await api.patch('Service', `${NAMESPACE}/dual`, {
      metadata: { annotations: { 'service.kubernetes.io/topology-mode': null } },
      spec: { trafficDistribution: 'PreferClose' },
    });
    await runPods(api, 'auto', 60, 75);
    await setPodStatus(api, 'auto-2', podIps('auto', 2), { ready: false });
    await api.patch('Service', `${NAMESPACE}/peers`, { spec: { ports: [{ name: 'sql', port: 5432 }, { name: 'metrics', port: 9100 }] } });
    const before = await snapshotOf(api);
    const { plans } = plansOf(before, PLAN);
    const names = plans.filter(({ create, update }) => create.length + update.length > 0).map(({ service }) => service.name);
    assert.deepEqual(names, ['auto', 'near', 'peers']);
    for (const plan of plans) await apply(api, plan);
    const written = await snapshotOf(api);
    assertAtRest(written);
    await cluster.startReference();
    const { syncs, failures } = await cluster.settle();
    assert.ok(syncs >= plans.length, `only ${syncs} syncs of ${plans.length} Services`);
    assert.equal(failures, 0);
    assert.deepEqual(versions(await snapshotOf(api)), versions(written));
  });
});

/** The slices after each step. @returns {Map<string, string>} */
function readSections() {
  const sections = UPDATE ? [] : readFileSync(TEXT, 'utf8').split(/^# /m).slice(1);
  return new Map(sections.map((section) => [section.slice(0, section.indexOf('\n')), section.slice(section.indexOf('\n') + 1).trim()]));
}

/**
 * No changes, no errors, and a plan for each Service with slices from the controller.
 * @param {{items: any[]}} snapshot
 * @param {string[]} [rewrites] whose slices the reference, too, would rewrite unchanged
 */
function assertAtRest(snapshot, rewrites = []) {
  const { plans, warnings, ignored } = plansOf(snapshot, PLAN);
  const changing = plans.filter((plan) => plan.create.length > 0 || plan.delete.length > 0 || !plan.update.every(isIn(snapshot)));
  assert.ok(changing.length === 0, `there is something to change:\n${changing.length > 0 && diffOf(snapshot, PLAN)}`);
  assert.deepEqual(plans.filter(({ update }) => update.length > 0).map(({ service }) => service.name), rewrites);
  for (const { service, errors, requeue } of plans) assert.deepEqual({ errors, requeue }, { errors: [], requeue: false }, service.name);
  const planned = snapshot.items.filter(({ kind, spec }) => kind === 'Service' && spec.selector && spec.type !== 'ExternalName');
  assert.deepEqual(plans.map(({ service }) => service.name), planned.map(({ metadata }) => metadata.name).sort());
  assert.deepEqual({ warnings, ignored }, { warnings: [], ignored: {} });
}

/** Whether a slice with all its fields is already in the snapshot. @param {{items: any[]}} snapshot */
function isIn({ items }) {
  return (/** @type {any} */ slice) => isDeepStrictEqual(slice, items.find(({ metadata }) => metadata.uid === slice.metadata.uid));
}

/** @param {{items: any[]}} snapshot */
function versions({ items }) {
  return items.filter(({ kind }) => kind === 'EndpointSlice').map(({ metadata }) => [metadata.name, metadata.resourceVersion]);
}
