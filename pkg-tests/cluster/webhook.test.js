/** The webhook beside a real API server: it reads the cluster, keeps up, and continues when the server ends its watches. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { parse } from 'yaml';
import { createReviewer } from 'slicewise/admission';
import { connect } from '../../webhook/cluster/connection.js';
import { whyNotSynced } from '../../webhook/cluster/states.js';
import { watchCluster } from '../../webhook/cluster/watch.js';
import { startCommand } from '../webhook/lib/command.js';
import { reviewOf } from '../webhook/lib/reviews.js';
import { startCluster } from './lib/cluster.js';
import { NAMESPACE, NODES, addNode, addService, podIps, runPods } from './lib/workload.js';

const decoder = new TextDecoder();

/** A hand-written slice with one endpoint. @param {string} address */
function reviewOfSlice(address) {
  return reviewOf('CREATE', {
    apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', addressType: 'IPv4',
    metadata: { name: 'mine', namespace: NAMESPACE, labels: { 'kubernetes.io/service-name': 'auto' } },
    endpoints: [{ addresses: [address], conditions: { ready: true } }], ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
  });
}

/** @param {() => unknown} condition */
async function until(condition) {
  while (!(await condition())) await delay(20);
}

/** The documented rule. */
function documentedRole() {
  const page = readFileSync(new URL('../../docs/webhook.md', import.meta.url), 'utf8');
  const found = /```yaml\n(apiVersion: rbac[\s\S]*?)```/.exec(page)?.[1];
  assert.ok(found, 'docs/webhook.md shows a ClusterRole');
  return parse(found);
}

test('the webhook and a real API server', { timeout: 1_200_000 }, async (t) => {
  const cluster = await startCluster(t, ['-reference-controller']);
  const { api, ready } = cluster;
  await api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  for (const name of NODES) await addNode(api, name, name[0]);
  await addService(api, 'auto', { selector: { app: 'auto' }, ports: [{ name: 'http', port: 80, targetPort: 'http' }] });
  await runPods(api, 'auto', 1, 3);

  await t.test('it says which rule is missing, and watches with the one that is documented', async (st) => {
    const folder = mkdtempSync(join(tmpdir(), 'slicewise-rbac-'));
    st.after(() => rmSync(folder, { recursive: true }));
    await api.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace: NAMESPACE, name: 'webhook' } });
    writeFileSync(join(folder, 'token'), `${await api.tokenOf(`${NAMESPACE}/webhook`)}\n`);
    const config = {
      clusters: [{ name: 'c', cluster: { server: ready.url, 'certificate-authority': ready.ca } }],
      users: [{ name: 'u', user: { tokenFile: 'token' } }], contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }], 'current-context': 'x',
    };
    writeFileSync(join(folder, 'kubeconfig'), JSON.stringify(config));
    const { client, lines } = await startCommand(st, ['--kubeconfig', join(folder, 'kubeconfig')]);
    await until(() => lines().filter(({ message }) => message === 'cluster watch failed').length === 4);
    const reason = lines().find(({ kind }) => kind === 'EndpointSlice').reason;
    assert.match(reason, /resources: \[endpointslices\], verbs: \[get, list, watch\].*\(403: .*User "system:serviceaccount:shop:webhook" cannot/);
    assert.equal((await client.get('/readyz')).status, 503);

    const role = documentedRole();
    await api.create(role);
    const subjects = [{ kind: 'ServiceAccount', namespace: NAMESPACE, name: 'webhook' }];
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role.metadata.name };
    await api.create({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding', metadata: { name: 'webhook' }, roleRef, subjects });
    await until(async () => (await client.get('/readyz')).status === 200);
    const response = async (/** @type {string} */ address) => (await client.post(JSON.stringify(reviewOfSlice(address)))).json.response;
    const [known, , coming] = [1, 2, 4].map((index) => podIps('auto', index)[0]);
    assert.match((await response(coming)).status.message, /not-a-pod/);
    await runPods(api, 'auto', 4, 4);
    await until(async () => !JSON.stringify(await response(coming)).includes('not-a-pod'));
    await api.delete('Pod', `${NAMESPACE}/auto-1`, { gracePeriodSeconds: 0 });
    await until(async () => JSON.stringify(await response(known)).includes('not-a-pod'));
  });

  for (const streams of [true, false]) {
    await t.test(`it goes on when the server ends its watches; listed by ${streams ? 'streams' : 'pages'}`, async (st) => {
      // A server refuses a resourceVersionMatch without a resourceVersion, as one without streaming lists refuses those.
      const connection = altered(await connect({ kubeconfig: ready.kubeconfig }), (path) =>
        streams ? path : path.replace('sendInitialEvents=true&', ''),
      );
      const { watched, known } = await watch(st, connection);
      const counts = async () => {
        const all = await Promise.all(
          ['Service', 'Pod', 'Node', 'EndpointSlice'].map(async (kind) => [kind, (await api.list(/** @type {any} */ (kind))).length]),
        );
        return Object.fromEntries(all);
      };
      const first = streams ? 5 : 9;
      for (let round = 0; round < 3; round += 1) {
        await delay(1_200);
        await runPods(api, 'auto', first + round, first + round);
        await cluster.settle();
        const wanted = await counts();
        await until(() => JSON.stringify(known().Pod) === JSON.stringify(wanted.Pod));
        assert.deepEqual(known(), wanted);
      }
      const states = watched.states();
      assert.deepEqual(states.map(({ lists, failures }) => [lists, failures]), [[1, 0], [1, 0], [1, 0], [1, 0]], JSON.stringify(states));
      const hits = connection.asked.filter((path) => path.includes('resourceVersion=') && path.startsWith('/api/v1/pods'));
      assert.ok(hits.length >= 3, `${hits.length} watches of pods`);
      assert.equal(connection.asked.some((path) => path.includes('limit=')), !streams);
    });
  }

  await t.test('it lists anew what the server says is gone', async (st) => {
    // Older than anything the server still has, as after an outage.
    let isLate = false;
    const connection = altered(await connect({ kubeconfig: ready.kubeconfig }), (path) => {
      const isWatch = isLate && path.startsWith('/api/v1/pods') && /[?&]resourceVersion=\d/.test(path);
      if (isWatch) isLate = false;
      return isWatch ? path.replace(/([?&]resourceVersion=)\d+/, '$11') : path;
    });
    const { watched, known, failures } = await watch(st, connection);
    const before = known().Pod;
    isLate = true;
    await until(() => watched.states().some(({ kind, lists }) => kind === 'Pod' && lists === 2));
    assert.equal(failures.length, 1, JSON.stringify(failures));
    assert.match(JSON.stringify(failures), /Expired: too old resource version: 1 /);
    await runPods(api, 'auto', 20, 20);
    await until(() => known().Pod === before + 1);
    const lists = watched.states().map((state) => [state.kind, state.lists]);
    assert.deepEqual(Object.fromEntries(lists), { Service: 1, EndpointSlice: 1, Pod: 2, Node: 1 });
  });
});

/**
 * A reviewer that watches and has synced.
 * @param {import('node:test').TestContext} t
 * @param {import('../../webhook/cluster/connection.js').Connection} connection
 */
async function watch(t, connection) {
  const reviewer = createReviewer();
  const end = new AbortController();
  /** @type {object[]} */
  const failures = [];
  const ignore = () => {};
  const log = { debug: ignore, info: ignore, warn: (/** @type {object} */ fields) => failures.push(fields) };
  const apply = (/** @type {Uint8Array} */ bytes) => JSON.parse(decoder.decode(reviewer.apply(bytes)));
  const startList = () => reviewer.startList();
  const watched = watchCluster({ connection, apply, startList, log, signal: end.signal, times: { watchSeconds: [1, 1], firstDelay: 100 } });
  t.after(async () => {
    end.abort();
    await watched.ended;
    reviewer.free();
  });
  await until(() => whyNotSynced(watched.states()) === null);
  const known = () => Object.fromEntries(Object.entries(reviewer.status().kinds).map(([kind, { objects }]) => [kind, objects]));
  return { watched, known, failures };
}

/**
 * A connection that records requests, and modifies them.
 * @param {import('../../webhook/cluster/connection.js').Connection} connection
 * @param {(path: string) => string} alter
 */
function altered(connection, alter) {
  const asked = /** @type {string[]} */ ([]);
  return {
    ...connection,
    asked,
    async open() {
      const conversation = await connection.open();
      /** @type {typeof conversation.get} */
      const get = (path, limits) => {
        asked.push(path);
        return conversation.get(alter(path), limits);
      };
      return { ...conversation, get };
    },
  };
}
