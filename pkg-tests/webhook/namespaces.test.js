/** Rules that read `namespaceObject`: Namespaces are watched as long as there is one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeApi, refuse } from './lib/api-server.js';
import { reviewOf } from './lib/reviews.js';
import { LIMIT, startReal, until } from './lib/start.js';
import { fill, service } from './lib/watching.js';

const RULE = { name: 'team', expression: "namespaceObject.metadata.labels.team == 'web'", message: 'not of web', on: { kinds: ['Service'] } };
const settings = { policies: { expression: { validations: [RULE] } } };
const REVIEW = JSON.stringify(reviewOf('CREATE', service('new')));
const shop = (/** @type {string} */ team) => ({ kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'shop', labels: { team } } });

for (const streams of [true, false]) {
  test(`a rule sees the namespace as it is, listed ${streams ? 'in a stream' : 'in pages'}`, LIMIT, async (t) => {
    const api = await FakeApi.start(t);
    api.streams = streams;
    fill(api);
    for (let index = 0; index < 600; index++) api.set({ ...shop('web'), metadata: { name: `n${index}` } });
    api.set(shop('web'));
    const { supervisor, client } = await startReal(t, /** @type {any} */ ({ settings, snapshot: null, cluster: { kubeconfig: api.kubeconfig() } }));
    await until(() => supervisor.whyNotReady() === null);
    const answer = async () => (await client.post(REVIEW)).json.response;
    assert.deepEqual([(await answer()).allowed, (await answer()).warnings], [true, undefined]);
    assert.match((await client.get('/metrics')).text, /^slicewise_webhook_context_objects\{kind="Namespace"\} 601$/m);
    assert.match((await client.get('/metrics')).text, /^slicewise_webhook_cluster_synced\{kind="Namespace"\} 1$/m);
    api.set(shop('db'));
    await until(async () => !(await answer()).allowed);
    assert.match((await answer()).status.message, /expression\/team: not of web/);
    // A version that the server has forgotten: everything is listed again.
    api.compact();
    api.remove('Namespace', 'shop');
    api.endWatches();
    await until(async () => (await answer()).allowed);
    assert.match((await answer()).warnings.join('\n'), /expression\/not-checked: .*Namespace shop is unknown/);
  });
}

test('Namespaces are watched as long as a rule reads them', LIMIT, async (t) => {
  const api = await FakeApi.start(t);
  fill(api);
  api.set(shop('db'));
  const watching = () => api.watching('Namespace');
  const lists = () => api.asked.filter(({ kind, query }) => kind === 'Namespace' && query.has('sendInitialEvents')).length;
  const { supervisor, client } = await startReal(t, /** @type {any} */ ({ settings: {}, snapshot: null, cluster: { kubeconfig: api.kubeconfig() } }));
  await until(() => supervisor.whyNotReady() === null);
  assert.ok(!api.asked.some(({ kind }) => kind === 'Namespace'));
  const answer = async () => (await client.post(REVIEW)).json.response;
  assert.equal((await answer()).allowed, true);

  supervisor.configure(settings);
  await until(() => watching() === 1 && supervisor.whyNotReady() === null);
  assert.equal((await answer()).allowed, false);
  supervisor.configure(settings);
  assert.equal((await answer()).allowed, false);
  assert.equal(lists(), 1);
  // A new reviewer learns them, too.
  supervisor.relist();
  await until(() => lists() === 2);
  await until(() => supervisor.whyNotReady() === null);
  assert.equal((await answer()).allowed, false);

  supervisor.configure({});
  await until(() => watching() === 0);
  assert.equal((await answer()).allowed, true);
  assert.equal(supervisor.whyNotReady(), null);
  assert.doesNotMatch((await client.get('/metrics')).text, /Namespace/);
});

test('without the permission it is not ready, and says what to allow', LIMIT, async (t) => {
  const api = await FakeApi.start(t);
  fill(api);
  api.intercept = (kind, _query, response) => kind === 'Namespace' && (refuse(response, 403, 'Forbidden', 'namespaces is forbidden'), true);
  const { supervisor } = await startReal(t, /** @type {any} */ ({ settings, snapshot: null, cluster: { kubeconfig: api.kubeconfig() } }));
  await until(() => /Namespaces cannot be listed and watched; a ClusterRole with the rule/.test(supervisor.whyNotReady() ?? ''));
});
