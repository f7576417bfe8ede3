/** A watched cluster: what is read, and everything that can go wrong. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { connect } from '../../webhook/cluster/connection.js';
import { ageOf, whyNotSynced } from '../../webhook/cluster/states.js';
import { Backoff, TIMES } from '../../webhook/cluster/times.js';
import { wholeLines } from '../../webhook/cluster/lines.js';
import { FakeApi, lineOf, refuse } from './lib/api-server.js';
import { LIMIT, until } from './lib/start.js';
import { HERE, fill, pod, verdictOf, watch } from './lib/watching.js';

for (const streams of [true, false]) {
  const how = streams ? 'a stream' : 'pages';
  test(`a cluster is listed by ${how}, and kept up to date`, LIMIT, async (t) => {
    const api = await FakeApi.start(t);
    api.streams = streams;
    fill(api);
    for (let number = 0; number < 1_234; number += 1) api.set(pod(`many-${number}`, `10.9.${number >> 8}.${number & 255}`));
    const { reviewer, synced, settled, counts, stateOf } = await watch(t, api);
    await synced();
    assert.deepEqual(counts(), { ...HERE, Pod: 1_236 });
    const lists = api.asked.filter(({ kind, query }) => kind === 'Pod' && query.get('watch') !== 'true');
    assert.equal(lists.length, streams ? 0 : 3, 'pages of 500');
    assert.match(verdictOf(reviewer, '10.0.0.9'), /not-a-pod/);
    api.set(pod('p9', '10.0.0.9'));
    api.remove('Pod', 'shop/p1');
    await settled();
    assert.equal(verdictOf(reviewer, '10.0.0.9'), 'allowed');
    assert.match(verdictOf(reviewer, '10.0.0.1'), /not-a-pod/);
    // The regular end of a watch is not a failure.
    api.endWatches();
    api.set(pod('p10', '10.0.0.10'));
    await settled();
    assert.equal(verdictOf(reviewer, '10.0.0.10'), 'allowed');
    assert.deepEqual([stateOf('Pod').lists, stateOf('Pod').failures], [1, 0]);
  });
}

test('a connection that is cut goes on where it was', LIMIT, async (t) => {
  const api = await FakeApi.start(t);
  fill(api);
  const { reviewer, synced, settled, stateOf, counts } = await watch(t, api);
  await synced();
  api.cut();
  api.remove('Pod', 'shop/p1');
  api.set(pod('p3', '10.0.0.3'));
  await settled();
  assert.deepEqual(counts(), HERE);
  assert.equal(verdictOf(reviewer, '10.0.0.3'), 'allowed');
  assert.equal(stateOf('Pod').lists, 1);
  assert.ok(stateOf('Pod').failures >= 1);
});

for (const goneInStream of [true, false]) {
  test(`what is gone is listed anew: 410 ${goneInStream ? 'in the stream' : 'as the status'}`, LIMIT, async (t) => {
    const api = await FakeApi.start(t);
    api.goneInStream = goneInStream;
    fill(api);
    const { reviewer, synced, settled, stateOf, counts } = await watch(t, api);
    await synced();
    api.cut();
    api.remove('Pod', 'shop/p1');
    api.set(pod('p3', '10.0.0.3'));
    api.compact();
    await settled();
    assert.deepEqual(counts(), HERE);
    assert.match(verdictOf(reviewer, '10.0.0.1'), /not-a-pod/);
    assert.equal(stateOf('Pod').lists, 2);
  });
}

test('characters are not taken apart, whatever the pieces', LIMIT, async (t) => {
  const api = await FakeApi.start(t);
  fill(api);
  const { reviewer, synced, settled, stateOf } = await watch(t, api);
  await synced();
  const bytes = Buffer.from(lineOf('ADDED', { ...pod('p4', '10.0.0.4'), metadata: { ...pod('p4', '').metadata, resourceVersion: '900' } }));
  for (const byte of bytes) {
    api.write('Pod', Uint8Array.of(byte));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await until(() => verdictOf(reviewer, '10.0.0.4') === 'allowed');
  api.version = 901;
  await settled();
  assert.deepEqual([stateOf('Pod').lists, stateOf('Pod').failures], [1, 0]);
});

test('lines are cut where they end, in any pieces', async () => {
  const text = Buffer.from('ключ\nü\n\n🗝 🗝\nrest');
  for (let size = 1; size <= text.length; size += 1) {
    const pieces = (async function* () {
      for (let at = 0; at < text.length; at += size) yield await Promise.resolve(text.subarray(at, at + size));
    })();
    const lines = [];
    const reading = wholeLines(pieces);
    for (;;) {
      const { value, done } = await reading.next();
      if (done) {
        assert.equal(value, false, 'the last line is not whole');
        break;
      }
      assert.equal(value.at(-1), 10);
      lines.push(Buffer.from(value));
    }
    assert.equal(Buffer.concat(lines).toString(), 'ключ\nü\n\n🗝 🗝\n', `pieces of ${size}`);
  }
  const endless = (async function* () {
    for (;;) yield await Promise.resolve(Buffer.alloc(1000));
  })();
  await assert.rejects(wholeLines(endless, 10_000).next(), /longer than 10000 bytes/);
});

test('a line that cannot be read is listed over, and nothing is known wrongly meanwhile', LIMIT, async (t) => {
  const api = await FakeApi.start(t);
  fill(api);
  const { reviewer, synced, settled, stateOf, lines } = await watch(t, api);
  await synced();
  api.write('Pod', '{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":\n');
  await until(() => stateOf('Pod').lists === 2);
  await settled();
  assert.equal(verdictOf(reviewer, '10.0.0.2'), 'allowed');
  assert.match(lines.find(({ message }) => message === 'cluster watch failed').reason, /cannot be read/);

  // In a list, the kind does not count as listed.
  let isBroken = true;
  api.intercept = (kind, query, response) => {
    if (kind !== 'Pod' || query.get('sendInitialEvents') !== 'true' || !isBroken) return false;
    response.writeHead(200);
    response.write(`${lineOf('ADDED', pod('p2', '10.0.0.2'))}{"type":\n`);
    response.end(lineOf('BOOKMARK', { kind: 'Pod', metadata: { resourceVersion: '9', annotations: { 'k8s.io/initial-events-end': 'true' } } }));
    return true;
  };
  api.streams = true;
  api.cut();
  api.compact();
  api.set(pod('p5', '10.0.0.5'));
  api.compact();
  await until(() => api.asked.filter(({ kind, query }) => kind === 'Pod' && query.has('sendInitialEvents')).length >= 3);
  assert.equal(verdictOf(reviewer, '10.0.0.2'), 'allowed', 'what was known is known still');
  isBroken = false;
  await until(() => verdictOf(reviewer, '10.0.0.5') === 'allowed');
});

test('a list that is cut off is begun again', LIMIT, async (t) => {
  const api = await FakeApi.start(t);
  fill(api);
  let cuts = 0;
  api.intercept = (kind, query, response) => {
    if (kind !== 'Pod' || cuts > 0 || query.get('sendInitialEvents') !== 'true') return false;
    cuts += 1;
    response.writeHead(200);
    response.write(lineOf('ADDED', pod('ghost', '10.0.0.66')), () => response.destroy());
    return true;
  };
  const { reviewer, synced, counts, stateOf } = await watch(t, api);
  await synced();
  assert.deepEqual(counts(), HERE);
  assert.match(verdictOf(reviewer, '10.0.0.66'), /not-a-pod/);
  assert.equal(stateOf('Pod').failures, 1);
});

test('pages that expire half-way are asked for from the beginning', LIMIT, async (t) => {
  const api = await FakeApi.start(t);
  api.streams = false;
  fill(api);
  for (let number = 0; number < 700; number += 1) api.set(pod(`many-${number}`, `10.9.${number >> 8}.${number & 255}`));
  let gone = 0;
  api.intercept = (kind, query, response) => {
    if (kind !== 'Pod' || !query.has('continue') || gone > 0) return false;
    gone += 1;
    api.remove('Pod', 'shop/many-3');
    return refuse(response, 410, 'Expired', 'The provided continue parameter is too old'), true;
  };
  const { synced, counts } = await watch(t, api);
  await synced();
  assert.equal(gone, 1);
  assert.equal(counts().Pod, 701);
});

for (const how of /** @type {const} */ (['refused', 'cut off'])) {
  test(`a page that is too much is asked for with fewer objects: it is ${how}`, LIMIT, async (t) => {
    const api = await FakeApi.start(t);
    api.streams = false;
    fill(api);
    for (let number = 0; number < 300; number += 1) api.set(pod(`many-${number}`, `10.9.${number >> 8}.${number & 255}`));
    /** @type {number[]} */
    const limits = [];
    api.intercept = (kind, query, response) => {
      if (kind !== 'Pod' || query.get('watch') === 'true') return false;
      limits.push(Number(query.get('limit')));
      if (Number(query.get('limit')) < 100) return false;
      if (how === 'refused') return refuse(response, 500, 'InternalError', 'etcdserver: request is too large'), true;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"kind": "PodList", "apiVersion": "v1", "metadata": {"resourceVersion": "1"}, "items": [', () => response.destroy());
      return true;
    };
    const { synced, counts, stateOf } = await watch(t, api);
    await synced();
    assert.equal(counts().Pod, 302);
    assert.deepEqual(limits.slice(0, 6), [500, 250, 125, 62, 124, 62], 'half, until it fits; then more again');
    assert.equal(stateOf('Pod').failures, 0, 'nothing is listed anew');
  });
}

test('a server that never ends the stream of a list is asked for pages', LIMIT, async (t) => {
  const api = await FakeApi.start(t);
  fill(api);
  api.intercept = (_kind, query, response) => {
    if (query.get('sendInitialEvents') !== 'true') return false;
    response.writeHead(200);
    return response.end(), true;
  };
  const { synced, counts } = await watch(t, api);
  await synced();
  assert.deepEqual(counts(), HERE);
});

test('a server that says nothing is left, and its age is told', LIMIT, async (t) => {
  const api = await FakeApi.start(t);
  fill(api);
  const { synced, stateOf, watched, lines } = await watch(t, api, { silence: 150, watchSeconds: [0, 0] });
  await until(() => whyNotSynced(watched.states()) === null);
  // Each watch is silent until its timeout, and then a new one begins.
  await until(() => stateOf('Node').failures >= 2);
  assert.ok(lines.some(({ reason }) => /cannot be reached: nothing was heard for 0\.15 s/.test(reason ?? '')));
  api.intercept = (_kind, _query, response) => response.socket?.destroy() === undefined || true;
  // A watch that is refused over and over has no news.
  await until(() => ageOf(watched.states()) > 0.5);
  api.intercept = null;
  await synced();
});

test('who may not is told once which rule is missing', LIMIT, async (t) => {
  const api = await FakeApi.start(t);
  fill(api);
  let isAllowed = false;
  api.intercept = (kind, _query, response) => {
    if (kind !== 'EndpointSlice' || isAllowed) return false;
    return refuse(response, 403, 'Forbidden', 'endpointslices.discovery.k8s.io is forbidden: User "w" cannot list resource'), true;
  };
  const { reviewer, watched, lines, stateOf, synced, counts } = await watch(t, api);
  await until(() => stateOf('EndpointSlice').failures >= 4);
  await until(() => stateOf('Pod').isSynced);
  const told = lines.filter(({ level, kind }) => level === 'warn' && kind === 'EndpointSlice');
  assert.equal(told.length, 1);
  assert.match(
    told[0].reason,
    /\{apiGroups: \["discovery\.k8s\.io"\], resources: \[endpointslices\], verbs: \[get, list, watch\]\}.*\(403: .*User "w"/,
  );
  assert.match(whyNotSynced(watched.states()) ?? '', /waiting for EndpointSlices: EndpointSlices cannot be listed/);
  assert.equal(counts().EndpointSlice, '? 0');
  assert.equal(verdictOf(reviewer, '10.0.0.1').includes('EndpointSlice'), true, 'what needs them says so');
  isAllowed = true;
  await synced();
  assert.ok(lines.some(({ message, kind }) => message === 'cluster watch resumed' && kind === 'EndpointSlice'));
});

test('a token that is exchanged is read anew', LIMIT, async (t) => {
  const api = await FakeApi.start(t);
  fill(api);
  const { reviewer, synced, settled, stateOf, lines } = await watch(t, api);
  await synced();
  api.token = 'second';
  api.cut();
  await until(() => stateOf('Pod').failures >= 2);
  assert.ok(lines.some(({ reason }) => /does not accept the credentials.*\(401/.test(reason ?? '')));
  api.writeToken();
  api.set(pod('p3', '10.0.0.3'));
  await settled();
  assert.equal(verdictOf(reviewer, '10.0.0.3'), 'allowed');
  assert.equal(stateOf('Pod').lists, 1, 'it went on where it was');
});

test('objects of other kinds change nothing', LIMIT, async (t) => {
  const api = await FakeApi.start(t);
  fill(api);
  const { synced, settled, counts, stateOf } = await watch(t, api);
  await synced();
  api.write('Pod', lineOf('ADDED', { kind: 'Gateway', apiVersion: 'gateway.networking.k8s.io/v1', metadata: { name: 'g', resourceVersion: '1' } }));
  await settled();
  assert.deepEqual(counts(), HERE);
  assert.equal(stateOf('Pod').failures, 0);
});

test('a reviewer that has lost what it knew is told everything', LIMIT, async (t) => {
  const api = await FakeApi.start(t);
  fill(api);
  const { watched, synced, stateOf } = await watch(t, api);
  await synced();
  watched.relist();
  assert.match(whyNotSynced(watched.states()) ?? '', /waiting for Services; EndpointSlices; Pods; Nodes/);
  await synced();
  assert.equal(stateOf('Pod').lists, 2);
});

test('nobody waits out a delay once all is to be listed anew', LIMIT, async (t) => {
  const api = await FakeApi.start(t);
  fill(api);
  let isBroken = true;
  api.intercept = (_kind, _query, response) => isBroken && (refuse(response, 500, 'InternalError', 'not now'), true);
  const { watched, synced, stateOf } = await watch(t, api, { firstDelay: 600_000, mostDelay: 600_000 });
  await until(() => ['Service', 'EndpointSlice', 'Pod', 'Node'].every((kind) => stateOf(kind).failures === 1));
  isBroken = false;
  watched.relist();
  await synced();
  assert.equal(stateOf('Pod').lists, 1);
});

test('a proxy that answers something else is told from an API server', LIMIT, async (t) => {
  const api = await FakeApi.start(t);
  fill(api);
  api.intercept = (kind, _query, response) => {
    if (kind !== 'Node') return false;
    response.writeHead(302, { location: 'https://login.example/', 'content-type': 'text/html' });
    return response.end('<html>'), true;
  };
  const { stateOf } = await watch(t, api);
  await until(() => stateOf('Node').failures >= 1);
  assert.match(stateOf('Node').reason, /redirects, and redirects are not followed.*\(302\)$/);
});

test('delays grow, have jitter and an end, and begin anew when it was calm', () => {
  const delays = (/** @type {number} */ random) => {
    const backoff = new Backoff(TIMES, () => random);
    return Array.from({ length: 9 }, (_, index) => backoff.next(index));
  };
  assert.deepEqual(delays(0.5), [800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000, 30_000]);
  assert.deepEqual([delays(0)[8], delays(1)[8]], [15_000, 45_000]);
  const backoff = new Backoff(TIMES, () => 0.5);
  backoff.next(0);
  assert.equal(backoff.next(1), 1600);
  assert.equal(backoff.next(1_000_000), 800);
  assert.equal(backoff.next(1_000_001, 60_000), 60_000, 'what the server asks for');
});

test('kubeconfigs that cannot be used are told at once', async (t) => {
  const api = await FakeApi.start(t);
  const kubeconfig = api.kubeconfig();
  await assert.rejects(connect({ kubeconfig, context: 'other' }), /kubeconfig has no context other; there are test/);
  await assert.rejects(connect({ kubeconfig: join(api.folder, 'none') }), /cannot use .*none: ENOENT/);
  await assert.rejects(connect({ inCluster: true }), /this is no pod with a service account/);
  const file = (/** @type {string} */ text) => {
    writeFileSync(join(api.folder, 'broken'), text);
    return { kubeconfig: join(api.folder, 'broken') };
  };
  const said = await connect(file('users:\n- name: u\n  user: {token: "s3cret\nclusters: [{')).catch(String);
  assert.match(String(said), /cannot use .*broken: /);
  assert.doesNotMatch(String(said), /s3cret/);
  await assert.rejects(connect(file('{}')), /broken.*(has no current-context|cannot use)|cannot use/);
  await assert.rejects(
    connect(
      file(
        'clusters: [{name: c, cluster: {server: "::"}}]\nusers: [{name: u, user: {}}]\ncontexts: [{name: x, context: {cluster: c, user: ' +
          'u}}]\ncurrent-context: x\n',
      ),
    ),
    /the cluster c has no server that is a URL/,
  );
});

test('a URL is shown without what may be secret', async (t) => {
  const api = await FakeApi.start(t);
  const { server } = await connect({ kubeconfig: api.kubeconfig('https://jane:secret@127.0.0.1:6443/clusters/a?token=secret') });
  assert.equal(server, 'https://127.0.0.1:6443/clusters/a');
});
