/** Bounded work: concurrency, the queue, deadlines, clients that disconnect. */
import assert from 'node:assert/strict';
import { Agent } from 'node:https';
import { test } from 'node:test';
import { makePair } from '../../webhook/pair.js';
import { receiveAll } from './lib/client.js';
import { anyReview } from './lib/reviews.js';
import { fakeReviewer, pair, start, until } from './lib/start.js';

/** @param {import('./lib/client.js').Client} client @param {string} name */
async function gauge(client, name) {
  const { text } = await client.get('/metrics');
  return Number(new RegExp(`^slicewise_webhook_${name} (\\d+)$`, 'm').exec(text)?.[1]);
}

test('so many at once, so many waiting, and an explicit refusal above', { timeout: 20_000 }, async (t) => {
  const reviewer = fakeReviewer();
  const { client } = await start(t, { reviewer, limits: { maxConcurrent: 2, maxQueue: 1 } });
  const body = anyReview('held');
  const held = await Promise.all([client.begin(body, 10), client.begin(body, 10)]);
  await until(async () => (await gauge(client, 'reviews_in_flight')) === 2);
  const waiting = client.post(anyReview('waiting'));
  await until(async () => (await gauge(client, 'reviews_waiting')) === 1);

  const refused = await client.post(anyReview('refused'), '/validate', { agent: false });
  assert.deepEqual([refused.status, refused.json.error.code, refused.headers['retry-after']], [429, 'Busy', '1']);
  assert.deepEqual(reviewer.asked, []);

  // Readiness does not depend on the queue.
  assert.equal((await client.get('/readyz')).status, 200);
  const received = receiveAll(held[0]);
  held[0].end(body.slice(10));
  assert.match(await received, /"uid":"held"/);
  assert.equal((await waiting).json.response.uid, 'waiting');
  held[1].destroy();
  await until(async () => (await gauge(client, 'reviews_in_flight')) === 0);
});

test('a review that waits past its deadline is told so', { timeout: 20_000 }, async (t) => {
  const { client } = await start(t, { limits: { maxConcurrent: 1 } });
  const holder = await client.begin(anyReview(), 10);
  await until(async () => (await gauge(client, 'reviews_in_flight')) === 1);
  const late = await client.post(anyReview('late'), '/validate?timeout=30ms');
  assert.deepEqual([late.status, late.json.error.code], [503, 'Busy']);
  assert.equal(await gauge(client, 'reviews_waiting'), 0);
  holder.destroy();
});

test('a body that does not come in time frees its place', { timeout: 20_000 }, async (t) => {
  const { client } = await start(t, { limits: { maxConcurrent: 1 } });
  const received = receiveAll(await client.begin(anyReview(), 10, '?timeout=30ms'));
  assert.match(await received, /^HTTP\/1\.1 408 [^]*connection: close[^]*"code":"Timeout"/i);
  assert.equal((await client.post(anyReview())).status, 200);
});

test('clients that go away in the middle are never reviewed, and free their place', { timeout: 20_000 }, async (t) => {
  const reviewer = fakeReviewer();
  const { client, lines } = await start(t, { reviewer, limits: { maxConcurrent: 1 } });
  const body = anyReview('gone');
  for (const sent of [0, 1, body.length - 1]) {
    const socket = await client.begin(body, sent);
    await until(async () => (await gauge(client, 'reviews_in_flight')) === 1);
    socket.destroy();
    await until(async () => (await gauge(client, 'reviews_in_flight')) === 0);
  }
  // A half-close also ends the body, which is then incomplete.
  const socket = await client.begin(body, 20);
  const received = receiveAll(socket);
  socket.end();
  assert.doesNotMatch(await received, /200 OK/);
  const waiting = new AbortController();
  const holder = await client.begin(body, 10);
  await until(async () => (await gauge(client, 'reviews_in_flight')) === 1);
  const impatient = client.post(anyReview('impatient'), '/validate', { signal: waiting.signal, agent: false });
  await until(async () => (await gauge(client, 'reviews_waiting')) === 1);
  waiting.abort();
  await assert.rejects(impatient, { name: 'AbortError' });
  await until(async () => (await gauge(client, 'reviews_waiting')) === 0);
  holder.destroy();
  assert.equal((await client.post(anyReview('after'))).status, 200);
  assert.deepEqual(reviewer.asked.map(({ uid }) => uid), ['after']);
  assert.ok(lines.some((line) => line.message === 'client went away'));
});

test('whoever may ask finds a place, however many connections others hold', { timeout: 20_000 }, async (t) => {
  const known = makePair(['caller']);
  const { client } = await start(t, { callersOf: known, limits: { maxConnections: 4 } });
  const agent = new Agent({ ca: pair.cert, cert: known.cert, key: known.key, keepAlive: true, maxSockets: 1 });
  t.after(() => agent.destroy());
  /** @type {import('node:tls').TLSSocket[]} */
  const strangers = [];
  const crowd = async () => {
    for (let each = 0; each < 6; each += 1) {
      const stranger = await client.raw();
      stranger.on('error', () => {}).resume();
      strangers.push(stranger);
    }
  };
  t.after(() => strangers.forEach((stranger) => stranger.destroy()));
  const ask = async () => {
    assert.equal((await client.post(anyReview(), '/validate', { agent })).status, 200);
    return Object.values(agent.freeSockets)[0]?.[0]?.localPort;
  };
  await crowd();
  const port = await ask();
  await crowd();
  assert.equal(await ask(), port, 'its connection is kept');
  // A request that is refused earns nobody a place.
  const answered = receiveAll(strangers[strangers.length - 1]);
  strangers[strangers.length - 1].write('GET / HTTP/1.1\r\n\r\n');
  assert.match(await answered, /^HTTP\/1\.1 401 /);
  await crowd();
  assert.equal(await ask(), port);
  await until(() => strangers.filter(({ destroyed, readableEnded }) => !destroyed && !readableEnded).length <= 3);
});
