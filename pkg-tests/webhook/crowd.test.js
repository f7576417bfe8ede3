/** Many connections that send nothing, or too little: probes and callers are answered all the same. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent } from 'node:https';
import { connect } from 'node:net';
import { test } from 'node:test';
import { makePair } from '../../webhook/pair.js';
import { receiveAll } from './lib/client.js';
import { anyReview } from './lib/reviews.js';
import { LIMIT, pair, start, until } from './lib/start.js';

/** What a connection sends, and nothing more. */
const BEGINNINGS = ['', 'GET /liv', 'GET /livez HTTP/1.1\r\nhost: x\r\nx: y\r\n', 'POST /livez HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nx'];

/**
 * Opens connections without waiting for them.
 * @param {import('node:test').TestContext} t
 * @param {string} url
 */
function crowdOf(t, url) {
  /** @type {import('node:net').Socket[]} */
  const sockets = [];
  t.after(() => sockets.forEach((socket) => socket.destroy()));
  const { hostname, port } = new URL(url);
  return {
    sockets,
    /** @param {number} count @param {string | Uint8Array} sent */
    open(count, sent) {
      for (let each = 0; each < count; each += 1) {
        const socket = connect(Number(port), hostname);
        socket.on('error', () => {}).resume();
        if (sent.length > 0) socket.write(sent);
        sockets.push(socket);
      }
    },
    close() {
      for (const socket of sockets.splice(0)) socket.destroy();
    },
  };
}

test('half-open connections do not keep probes from the plain port', LIMIT, async (t) => {
  const { client } = await start(t);
  const crowd = crowdOf(t, client.healthUrl);
  for (const [index, beginning] of BEGINNINGS.entries()) {
    for (const count of index === 0 ? [64, 200, 2_000] : [64, 500]) {
      crowd.open(count, beginning);
      let beside = 0;
      // While they are accepted, and after that.
      for (let round = 0; round < 2; round += 1) {
        for (const path of ['/livez', '/readyz', '/metrics']) {
          const { status } = await client.get(path);
          beside = Math.max(beside, crowd.sockets.filter(({ destroyed }) => !destroyed).length);
          assert.equal(status, 200, `${path} beside ${count} × ${JSON.stringify(beginning)}`);
        }
        await until(() => crowd.sockets.filter(({ connecting, destroyed }) => connecting && !destroyed).length === 0);
      }
      assert.ok(beside > 0, `no page came before all ${count} × ${JSON.stringify(beginning)} were closed`);
      crowd.close();
    }
  }
});

test('the plain port lets go of half-open connections on its own', LIMIT, async (t) => {
  const { client } = await start(t);
  const crowd = crowdOf(t, client.healthUrl);
  for (const beginning of BEGINNINGS) crowd.open(1, beginning);
  await Promise.all(crowd.sockets.map((socket) => once(socket, 'close')));
});

test('half-open connections keep neither callers nor the readiness probe from the review port', LIMIT, async (t) => {
  const known = makePair(['caller']);
  const { client } = await start(t, { callersOf: known, limits: { maxConnections: 64, headersTimeout: 3_600_000 } });
  const crowd = crowdOf(t, client.url);
  const agent = new Agent({ ca: pair.cert, cert: known.cert, key: known.key, keepAlive: true, maxSockets: 1 });
  t.after(() => agent.destroy());
  const ask = async () => {
    assert.equal((await client.post(anyReview(), '/validate', { agent })).status, 200);
    return Object.values(agent.freeSockets)[0]?.[0]?.localPort;
  };
  const port = await ask();
  // No handshake, and half of one.
  for (const beginning of ['', new Uint8Array([22, 3, 1, 2, 0, 1, 0])]) {
    crowd.open(500, beginning);
    assert.equal(await ask(), port, 'its connection is kept');
    assert.equal((await client.get('/readyz')).status, 200);
  }
  const fresh = await client.post(anyReview(), '/validate', { agent: new Agent({ ca: pair.cert, cert: known.cert, key: known.key }) });
  assert.equal(fresh.status, 200);
});

test('callers that hold connections and send nothing more do not keep others out', LIMIT, async (t) => {
  const { client } = await start(t, { limits: { maxConnections: 16 } });
  const review = anyReview();
  /** @type {import('node:net').Socket[]} */
  const idle = [];
  for (let each = 0; each < 16; each += 1) {
    const socket = await client.begin(review, review.length);
    await once(socket, 'data');
    idle.push(socket);
  }
  t.after(() => idle.forEach((socket) => socket.destroy()));
  for (let each = 0; each < 4; each += 1) assert.equal((await client.post(review, '/validate', { agent: false })).status, 200);
  assert.equal((await client.get('/readyz')).status, 200);
});

test('a shutdown waits for no connection that is half open', LIMIT, async (t) => {
  const { client, service } = await start(t, { limits: { drainTimeout: 3_600_000, headersTimeout: 3_600_000 } });
  const raw = crowdOf(t, client.url);
  raw.open(3, '');
  const plain = crowdOf(t, client.healthUrl);
  for (const beginning of BEGINNINGS) plain.open(1, beginning);
  const halves = [];
  for (const beginning of ['POST /val', 'POST /validate HTTP/1.1\r\nx: y\r\n']) {
    const socket = await client.raw();
    socket.write(beginning);
    halves.push(receiveAll(socket));
  }
  // One that was used before.
  const review = anyReview();
  const used = await client.begin(review, review.length);
  await once(used, 'data');
  used.write('POST /validate HTTP/1.1\r\nx: y\r\n');
  assert.equal(await service.drain(Promise.resolve()), true);
  await Promise.all(halves);
});
