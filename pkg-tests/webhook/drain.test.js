/** Graceful shutdown: no review that has arrived, or is on its way, is lost. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent } from 'node:https';
import { test } from 'node:test';
import { receiveAll } from './lib/client.js';
import { anyReview } from './lib/reviews.js';
import { LIMIT, fakeReviewer, pair, start, until } from './lib/start.js';

test('what is in flight finishes, and nothing new is taken', LIMIT, async (t) => {
  const { client, service } = await start(t);
  const body = anyReview('in flight');
  const socket = await client.begin(body, 10);
  await until(async () => /bodies_arriving 1/.test((await client.get('/metrics')).text));
  const stopped = service.drain(Promise.resolve());
  const received = receiveAll(socket);
  socket.write(body.slice(10));
  assert.match(await received, /^HTTP\/1\.1 200 [^]*connection: close[^]*"uid":"in flight"/i);
  assert.equal(await stopped, true);
  await assert.rejects(client.post(anyReview(), '/validate', { agent: false }), { code: 'ECONNREFUSED' });
});

test('nobody waits for connections that were opened ahead of requests', LIMIT, async (t) => {
  const { client, service } = await start(t, { limits: { drainTimeout: 3_600_000 } });
  const received = receiveAll(await client.raw());
  assert.equal(await service.drain(Promise.resolve()), true);
  assert.equal(await received, '');
});

test('a request that has arrived on an idle connection is answered, not closed with it', LIMIT, async (t) => {
  const { client, service } = await start(t);
  const first = anyReview('first');
  const socket = await client.begin(first, first.length);
  await once(socket, 'data');
  const received = receiveAll(socket);
  const body = anyReview('just in time');
  // In one turn of the event loop, so that the server has not read it when it is told to end.
  socket.write(`POST /validate HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  assert.equal(await service.drain(Promise.resolve()), true);
  assert.match(await received, /HTTP\/1\.1 200 [^]*connection: close[^]*"uid":"just in time"/i);
});

test('what does not finish in time is cut off, and said so', LIMIT, async (t) => {
  const { client, service, lines } = await start(t, { limits: { drainTimeout: 30 } });
  const socket = await client.begin(anyReview(), 10);
  const received = receiveAll(socket);
  assert.equal(await service.drain(Promise.resolve()), false);
  assert.equal(await received, '');
  assert.equal(lines.at(-1).inTime, false);
});

test('a rolling restart under load: no review fails', LIMIT, async (t) => {
  // Replicas start and stop; callers connect to ready ones, as through a Service, over persistent connections.
  const PER_ROUND = 300;
  const ROUNDS = 4;
  const WORKERS = 8;
  let { replica, ready } = await addReplica(t);
  let answered = 0;
  let running = true;
  /** @type {unknown[]} */
  const failures = [];
  async function work() {
    const agent = new Agent({ ca: pair.cert, keepAlive: true, maxSockets: 1 });
    while (running) {
      const target = ready;
      target.calls += 1;
      const uid = `r-${answered}`;
      try {
        const { status, json } = await target.client.post(anyReview(uid), '/validate', { agent });
        if (status !== 200 || json.response.uid !== uid) failures.push({ status, json });
      } catch (error) {
        failures.push(error);
      }
      target.calls -= 1;
      answered += 1;
    }
    agent.destroy();
  }
  const workers = Array.from({ length: WORKERS }, work);
  for (let round = 1; round <= ROUNDS; round += 1) {
    await until(() => answered >= round * PER_ROUND);
    const old = { replica, ready };
    const next = await addReplica(t);
    /** @type {() => void} */
    let callersKnow = () => {};
    const stopped = old.replica.service.drain(new Promise((resolve) => (callersKnow = () => resolve(null))));
    assert.equal((await old.ready.client.get('/readyz')).status, 503);
    // More reviews reach the stopping replica until callers have noticed.
    const mark = answered;
    await until(() => answered >= mark + WORKERS * 2);
    ({ replica, ready } = next);
    await until(() => old.ready.calls === 0);
    callersKnow();
    assert.equal(await stopped, true);
  }
  await until(() => answered >= (ROUNDS + 1) * PER_ROUND);
  running = false;
  await Promise.all(workers);
  assert.deepEqual(failures, []);
  assert.ok(answered >= (ROUNDS + 1) * PER_ROUND);
});

/** @param {import('node:test').TestContext} t */
async function addReplica(t) {
  const replica = await start(t, { reviewer: fakeReviewer(), level: 'error' });
  assert.equal((await replica.client.get('/readyz')).status, 200);
  return { replica, ready: { client: replica.client, calls: 0 } };
}
