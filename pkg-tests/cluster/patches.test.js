/** A real API server accepts the patches of a plan, and then has the planned slices; it refuses outdated ones. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startCluster } from './lib/cluster.js';
import { apply, plansOf, snapshotOf } from './lib/plan.js';
import { NAMESPACE, NODES, addNode, addService, deletePods, podIps, runPods, setPodStatus } from './lib/workload.js';

/** @typedef {import('./lib/api.js').Api} Api */

const FLAGS = ['--max-endpoints-per-slice', '10', '--patches', 'json,merge,apply'];

/** How to send each kind of patch. @type {Record<string, (api: Api, name: string, patches: any) => Promise<any>>} */
const SEND = {
  json: (api, name, { json }) => api.jsonPatch('EndpointSlice', name, json),
  merge: (api, name, { merge }) => api.patch('EndpointSlice', name, merge),
  apply: async (api, name, { apply: { body, remove, ...options } }) => {
    await api.serverSideApply(body, options);
    if (remove) await api.patch('EndpointSlice', name, remove);
  },
};

test('patches on a real API server', { timeout: 1_200_000 }, async (t) => {
  const { api } = await startCluster(t);
  await api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  for (const node of NODES) await addNode(api, node, node.slice(0, 1));
  await addService(api, 'near', { selector: { app: 'near' }, ports: [{ port: 80, targetPort: 'http' }], trafficDistribution: 'PreferSameZone' });
  await runPods(api, 'near', 1, 25);
  const created = await planOf(api);
  assert.equal(created.create.length, 3);
  await apply(api, created);

  let [next, last] = [26, ''];
  for (const kind of Object.keys(SEND)) {
    await t.test(`${kind} gives the slices of the plan`, async () => {
      await deletePods(api, 'near', next - 25, next - 23);
      await setPodStatus(api, `near-${next - 1}`, podIps('near', next - 1), { ready: false });
      // A label changes, one is added, and an earlier one is removed.
      await api.patch('Service', `${NAMESPACE}/near`, {
        metadata: { labels: { release: kind, [`by-${kind}`]: 'yes', ...(last && { [`by-${last}`]: null }) } },
      });
      last = kind;
      await runPods(api, 'near', next, next + 2);
      next += 3;
      const plan = await planOf(api);
      assert.ok(plan.update.length >= 2, `only ${plan.update.length} updates`);
      for (const slice of plan.update) {
        const name = `${NAMESPACE}/${slice.metadata.name}`;
        const patches = plan.patches[slice.metadata.name];
        await SEND[kind]?.(api, name, patches);
        assert.deepEqual(decided(await api.get('EndpointSlice', name)), decided(slice));
        await assert.rejects(SEND[kind]?.(api, name, patches) ?? Promise.resolve(), /: (409|422) /, 'what was made from an older slice is refused');
      }
      const after = await planOf(api);
      assert.deepEqual([after.create, after.update, after.delete], [[], [], []]);
    });
  }
});

/** @param {Api} api @returns {Promise<any>} */
async function planOf(api) {
  const { plans } = plansOf(await snapshotOf(api), FLAGS);
  return plans.find(({ service }) => service.name === 'near');
}

/** The fields of a slice that a plan determines. @param {any} slice */
function decided({ metadata, addressType, endpoints, ports }) {
  const { labels, annotations = {}, ownerReferences } = metadata;
  return { labels, annotations, ownerReferences, addressType, endpoints, ports };
}
