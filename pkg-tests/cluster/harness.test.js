/** The server of the other tests: its version, its commands, its shutdown. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Api } from './lib/api.js';
import { startCluster } from './lib/cluster.js';
import { addNode, addService } from './lib/workload.js';

test('a server, its commands and its end', { timeout: 1_200_000 }, async (t) => {
  const cluster = await startCluster(t);
  const { ready, api } = cluster;

  await t.test('it is the version that its module says', () => {
    const wanted = /k8s\.io\/kubernetes (v\S+)/.exec(readFileSync(new URL('go.mod', import.meta.url), 'utf8'))?.[1];
    assert.equal(ready.version, wanted);
    assert.match(readFileSync(ready.kubeconfig, 'utf8'), new RegExp(`server: ${ready.url}`));
  });

  await t.test('only who has the token gets in', async () => {
    const stranger = new Api(ready.url, 'no-such-token', readFileSync(ready.ca, 'utf8'));
    t.after(() => stranger.close());
    await assert.rejects(stranger.list('Pod'), /GET \/api\/v1\/pods: 401 Unauthorized/);
  });

  await t.test('what the server refuses is told', async () => {
    await assert.rejects(
      addService(api, 'Not-A-Name', { ports: [] }),
      /POST \/api\/v1\/namespaces\/shop\/services: 404 namespaces "shop" not found|422 /,
    );
    await assert.rejects(addNode(api, 'a_1', 'a'), /POST \/api\/v1\/nodes: 422 .*a lowercase RFC 1123 subdomain/);
  });

  await t.test('the controller starts and stops on command', async () => {
    await assert.rejects(cluster.settle(), /the controller does not run/);
    const slices = async () => (await api.list('EndpointSlice')).map(({ metadata }) => metadata.labels['kubernetes.io/service-name']);
    await addService(api, 'first', { selector: { app: 'first' }, ports: [{ port: 80 }] }, { namespace: 'default' });
    assert.deepEqual(await slices(), []);
    await cluster.startReference();
    await assert.rejects(cluster.startReference(), /it runs already/);
    await cluster.settle();
    assert.deepEqual(await slices(), ['first']);
    await cluster.stopReference();
    await addService(api, 'second', { selector: { app: 'second' }, ports: [{ port: 80 }] }, { namespace: 'default' });
    await cluster.startReference();
    const { syncs, failures } = await cluster.settle();
    assert.ok(syncs >= 3, `${syncs} syncs of two Services and the server's own`);
    assert.equal(failures, 0);
    assert.deepEqual((await slices()).sort(), ['first', 'second']);
    await assert.rejects(cluster.command('dance'), /unknown command "dance"; there are start, stop and settle/);
  });

  await t.test('it ends when nobody is left, and leaves nothing', async () => {
    assert.ok(existsSync(ready.folder));
    assert.equal(await cluster.end(), 0);
    assert.ok(!existsSync(ready.folder));
    await assert.rejects(api.list('Pod'), /ECONNREFUSED/);
  });
});

test('a signal ends it as well', { timeout: 1_200_000 }, async (t) => {
  const cluster = await startCluster(t, ['-reference-controller']);
  cluster.child.kill('SIGTERM');
  assert.equal(await cluster.ended, 0);
  assert.ok(!existsSync(cluster.ready.folder));
  await assert.rejects(cluster.settle(), /the program has ended/);
});

test('wrong flags are told', { timeout: 1_200_000 }, async (t) => {
  await assert.rejects(startCluster(t, ['-no-such-flag']), /the program has ended\nflag provided but not defined: -no-such-flag/);
  await assert.rejects(startCluster(t, ['argument']), /unexpected argument "argument"/);
});
