/** Bounded work: concurrency, the queue, deadlines, clients that disconnect. */
import assert from 'node:assert/strict';
import { Agent } from 'node:https';
import { test } from 'node:test';
import { makePair } from '../../webhook/pair.js';
import { receiveAll } from './lib/client.js';
import { inProcess } from './lib/in-process.js';
import { anyReview } from './lib/reviews.js';
import { LIMIT, fakeReviewer, pair, start, until } from './lib/start.js';

/** @param {import('./lib/client.js').Client} client @param {string} name */
async function gauge(client, name) {
  const { text } = await client.get('/metrics');
  return Number(new RegExp(`^slicewise_webhook_${name} (\\d+)$`, 'm').exec(text)?.[1]);
}

/** Judges each review but the probe's only when told so. @param {import('./lib/in-process.js').Judging} [reviewer] */
function holding(reviewer = fakeReviewer()) {
  /** @type {(() => void)[]} */
  const held = [];
  const real = inProcess(reviewer);
  /** @type {import('../../webhook/supervisor.js').Reviewing} */
  const reviewing = {
    ...real,
    async ask(door, bytes, policy, ending) {
      if (!Buffer.from(bytes).includes('readyz')) await new Promise((resolve) => held.push(() => resolve(null)));
      return await real.ask(door, bytes, policy, ending);
    },
  };
  return { reviewing, release: () => held.splice(0).forEach((go) => go()) };
}

test('so many at once, so many waiting, and an explicit refusal above', LIMIT, async (t) => {
  const reviewer = fakeReviewer();
  const { reviewing, release } = holding(reviewer);
  const { client } = await start(t, { reviewing, limits: { maxConcurrent: 2, maxQueue: 1 } });
  const held = [client.post(anyReview('held'), '/validate', { agent: false }), client.post(anyReview('held'), '/validate', { agent: false })];
  await until(async () => (await gauge(client, 'reviews_in_flight')) === 2);
  const waiting = client.post(anyReview('waiting'));
  await until(async () => (await gauge(client, 'reviews_waiting')) === 1);

  const refused = await client.post(anyReview('refused'), '/validate', { agent: false });
  assert.deepEqual([refused.status, refused.json.error.code, refused.headers['retry-after']], [429, 'Busy', '1']);
  assert.deepEqual(reviewer.asked, []);
  const explained = client.post(anyReview('explained'), '/explain', { agent: false });

  // Readiness does not depend on the queue.
  assert.equal((await client.get('/readyz')).status, 200);
  release();
  for (const each of held) assert.equal((await each).json.response.uid, 'held');
  await until(async () => (release(), (await gauge(client, 'reviews_in_flight')) === 0));
  assert.equal((await waiting).json.response.uid, 'waiting');
  // Explanations have places of their own.
  await until(() => (release(), reviewer.asked.some(({ uid }) => uid === 'explained')));
  await explained;
});

test('a review that waits past its deadline is told so', LIMIT, async (t) => {
  const { reviewing, release } = holding();
  const { client } = await start(t, { reviewing, limits: { maxConcurrent: 1 } });
  const holder = client.post(anyReview(), '/validate', { agent: false });
  await until(async () => (await gauge(client, 'reviews_in_flight')) === 1);
  const late = await client.post(anyReview('late'), '/validate?timeout=30ms');
  assert.deepEqual([late.status, late.json.error.code], [503, 'Busy']);
  assert.equal(await gauge(client, 'reviews_waiting'), 0);
  release();
  assert.equal((await holder).status, 200);
});

test('a body that does not come by the deadline is refused', LIMIT, async (t) => {
  const { client } = await start(t, { limits: { maxConcurrent: 1 } });
  const received = receiveAll(await client.begin(anyReview(), 10, '?timeout=30ms'));
  assert.match(await received, /^HTTP\/1\.1 408 [^]*connection: close[^]*"code":"Timeout"/i);
  assert.equal((await client.post(anyReview())).status, 200);
});

test('clients that go away in the middle are never reviewed, and free their memory and their place', LIMIT, async (t) => {
  const reviewer = fakeReviewer();
  const { reviewing, release } = holding(reviewer);
  const { client, lines } = await start(t, { reviewing, limits: { maxConcurrent: 1 } });
  const body = anyReview('gone');
  for (const sent of [0, 1, body.length - 1]) {
    const socket = await client.begin(body, sent);
    await until(async () => (await gauge(client, 'bodies_arriving')) === 1);
    assert.equal(await gauge(client, 'reviews_in_flight'), 0);
    socket.destroy();
    await until(async () => (await gauge(client, 'bodies_arriving')) === 0);
    assert.equal(await gauge(client, 'buffered_bytes'), 0);
  }
  // A half-close also ends the body, which is then incomplete.
  const socket = await client.begin(body, 20);
  const received = receiveAll(socket);
  socket.end();
  assert.doesNotMatch(await received, /200 OK/);
  const waiting = new AbortController();
  const holder = client.post(anyReview('holder'), '/validate', { agent: false });
  await until(async () => (await gauge(client, 'reviews_in_flight')) === 1);
  const impatient = client.post(anyReview('impatient'), '/validate', { signal: waiting.signal, agent: false });
  await until(async () => (await gauge(client, 'reviews_waiting')) === 1);
  waiting.abort();
  await assert.rejects(impatient, { name: 'AbortError' });
  await until(async () => (await gauge(client, 'reviews_waiting')) === 0);
  release();
  assert.equal((await holder).status, 200);
  const after = client.post(anyReview('after'));
  await until(async () => (await gauge(client, 'reviews_in_flight')) === 1);
  release();
  assert.equal((await after).status, 200);
  assert.deepEqual(reviewer.asked.map(({ uid }) => uid), ['holder', 'after']);
  assert.ok(lines.some((line) => line.message === 'client went away'));
});

test('whoever may ask finds a place, however many connections others hold', LIMIT, async (t) => {
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
