/** Bodies while they arrive: slow ones hold no places, many and large ones no memory, and large reviews are sieved. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SlicewiseError } from 'slicewise/admission';
import { Body, Memory } from '../../webhook/memory.js';
import { createReviewer } from '../../webhook/module.js';
import { receiveAll } from './lib/client.js';
import { inProcess } from './lib/in-process.js';
import { anyReview } from './lib/reviews.js';
import { LIMIT, fakeReviewer, start, startReal, until } from './lib/start.js';

const MIB = 1024 * 1024;

/** @param {import('./lib/client.js').Client} client @param {string} name */
async function gauge(client, name) {
  const { text } = await client.get('/metrics');
  return Number(new RegExp(`^slicewise_webhook_${name} (\\d+)$`, 'm').exec(text)?.[1]);
}

/** A review of at least this size. @param {number} size @param {string} [uid] */
function largeReview(size, uid = 'large') {
  const review = JSON.parse(anyReview(uid));
  review.request.object.metadata.annotations = { x: 'y'.repeat(size) };
  return JSON.stringify(review);
}

/**
 * Starts a request and sends only the beginning of its body.
 * @param {import('./lib/client.js').Client} client
 * @param {number} announced
 * @param {string | Uint8Array} sent
 */
async function stalled(client, announced, sent, path = '/validate') {
  const socket = await client.raw();
  socket.on('error', () => {});
  socket.write(`POST ${path} HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: ${announced}\r\n\r\n`);
  socket.write(sent);
  return socket;
}

test('slow senders delay no honest review', LIMIT, async (t) => {
  // No body is given up meanwhile.
  const { client } = await start(t, { limits: { maxConcurrent: 2, maxQueue: 0, bodyTimeout: 3_600_000 } });
  const slow = await Promise.all(Array.from({ length: 24 }, (_, index) => stalled(client, 1_000, '{', index % 3 === 0 ? '/explain' : '/validate')));
  const drip = setInterval(() => slow.forEach((socket) => socket.writable && socket.write(' ')), 1_000);
  t.after(() => (clearInterval(drip), slow.forEach((socket) => socket.destroy())));
  await until(async () => (await gauge(client, 'bodies_arriving')) === 24);
  for (let each = 0; each < 10; each += 1) {
    assert.equal((await client.post(anyReview())).status, 200);
    assert.equal(await gauge(client, 'bodies_arriving'), 24);
  }
});

test('a body has a time of its own', LIMIT, async (t) => {
  const { client } = await start(t, { limits: { bodyTimeout: 60 } });
  for (const path of ['/validate', '/explain', '/validate?timeout=10s']) {
    const answer = await receiveAll(await stalled(client, 1_000, '{', path));
    assert.match(answer, /^HTTP\/1\.1 408 [^]*connection: close[^]*"the complete review had not arrived within 60 ms"/i);
  }
  assert.equal((await client.post(anyReview())).status, 200);
});

test('an audit that makes no progress gives its place back', LIMIT, async (t) => {
  const { client } = await start(t, { limits: { bodyTimeout: 60 } });
  const socket = await client.raw();
  const answer = receiveAll(socket);
  socket.write(`POST /audit HTTP/1.1\r\ncontent-type: application/x-ndjson\r\ncontent-length: 5000\r\n\r\n${anyReview()}\n`);
  const drip = setInterval(() => socket.writable && socket.write(' '), 20);
  t.after(() => clearInterval(drip));
  assert.match(await answer, /"line":1,[^]*"complete":false\},"error":\{"code":"Timeout","message":"the next line did not arrive in time"/);
});

test('many large bodies at once keep to the budget, and honest reviews pass', LIMIT, async (t) => {
  const BUDGET = 16 * MIB;
  const { client } = await start(t, { limits: { maxBodyBytes: 8 * MIB, maxBufferedBytes: BUDGET, bodyTimeout: 20_000 } });
  const memory = () => process.memoryUsage().arrayBuffers + process.memoryUsage().external;
  const before = memory();
  /** @type {import('node:net').Socket[]} */
  const senders = [];
  const part = Buffer.alloc(MIB, ' ');
  let most = 0;
  /** @type {string[]} */
  const answers = [];
  for (let each = 0; each < 200; each += 1) {
    const socket = await stalled(client, 8 * MIB, part);
    socket.once('data', (data) => answers.push(String(data)));
    senders.push(socket);
    if (each % 20 !== 0) continue;
    assert.equal((await client.post(anyReview())).status, 200);
    assert.equal((await client.post(largeReview(300_000))).status, 200);
    assert.ok((await gauge(client, 'buffered_bytes')) <= BUDGET + 1024);
    most = Math.max(most, memory() - before);
  }
  t.after(() => senders.forEach((socket) => socket.destroy()));
  await until(() => answers.length >= 150);
  assert.match(answers[0], /^HTTP\/1\.1 429 [^]*"too many large reviews arrive at once; try again"/);
  // 200 MiB were sent; what the client and TLS hold is in here as well.
  assert.ok(most < 110 * MIB, `${most / MIB} MiB`);
  for (const socket of senders) socket.destroy();
  await until(async () => (await gauge(client, 'buffered_bytes')) === 0);
});

test('what a sender announces takes no memory, and a byte at a time takes little', () => {
  const memory = new Memory({ buffers: 4, budget: 4 * MIB });
  const bodies = Array.from({ length: 1_000 }, () => new Body(memory));
  assert.equal(memory.held, 0);
  for (const body of bodies) body.add(Buffer.from('x'));
  assert.ok(memory.held < 5 * MIB);
  const long = new Body(memory);
  for (let byte = 0; byte < 300_000; byte += 1) long.add(Buffer.from([byte % 251]));
  assert.ok(long.held < 700_000, String(long.held));
  assert.ok(long.bytes.every((byte, index) => byte === index % 251));
  assert.equal(long.bytes.length, 300_000);
  for (const body of [...bodies, long]) body.release();
  assert.deepEqual([memory.held, memory.arriving], [0, 0]);
});

test('of those that arrive, the oldest large one is given up; small ones never are', () => {
  const memory = new Memory({ buffers: 4, budget: MIB });
  /** @type {string[]} */
  const given = [];
  const bodyOf = (/** @type {string} */ name) => new Body(memory, () => given.push(name));
  const [small, first, second] = ['small', 'first', 'second'].map(bodyOf);
  small.add(Buffer.alloc(60_000));
  first.add(Buffer.alloc(500_000));
  second.add(Buffer.alloc(500_000));
  assert.deepEqual(given, ['first']);
  assert.equal(memory.held, 560_000);
  second.finish();
  const third = bodyOf('third');
  third.add(Buffer.alloc(900_000));
  assert.deepEqual(given, ['first', 'third'], 'one that has arrived is judged');
  const late = bodyOf('late');
  late.add(Buffer.alloc(64 * 1024));
  assert.deepEqual([given.length, late.isGivenUp, late.length], [2, false, 64 * 1024]);
});

/** A sieve that drops runs of `y`, as a stand-in for unread fields. */
function sieveOf() {
  const seen = { pushes: 0, freed: 0 };
  let text = '';
  const sieve = {
    push: (/** @type {Uint8Array} */ bytes) => {
      seen.pushes += 1;
      text += Buffer.from(bytes).toString().replaceAll('y', '');
    },
    finish: () => Buffer.from(text),
    free: () => void (seen.freed += 1),
  };
  return { sieve, seen };
}

test('a large review is sieved while it arrives; a small one is not', LIMIT, async (t) => {
  const { sieve, seen } = sieveOf();
  /** @type {number[]} */
  const sizes = [];
  const fake = fakeReviewer();
  const reviewing = { ...inProcess({ judge: (bytes) => (sizes.push(bytes.length), fake.judge(bytes, undefined)) }), startReview: () => sieve };
  const { client } = await start(t, { reviewing });
  assert.equal((await client.post(largeReview(MIB - 2_000))).status, 200);
  assert.equal(seen.pushes, 0);
  const large = largeReview(5 * MIB);
  assert.equal((await client.post(large)).json.response.uid, 'large');
  assert.ok(seen.pushes > 10);
  assert.ok(sizes[0] > MIB - 2_000 && sizes[1] < 2_000, String(sizes));
  assert.equal(seen.freed, 1);
  const socket = await stalled(client, large.length, large.slice(0, 2 * MIB));
  await until(async () => (await gauge(client, 'buffered_bytes')) >= 2 * MIB);
  socket.destroy();
  await until(() => seen.freed === 2);
  // Explanations take the whole object.
  const before = seen.pushes;
  await client.post(large, '/explain');
  assert.equal(seen.pushes, before);
});

test('a sieve that fails costs its review, or the reviewer; other settings do not judge what it kept', LIMIT, async (t) => {
  let fault = '';
  /** @param {import('slicewise/admission').ReviewerOptions} options */
  const make = (options) => {
    const startReview = () => {
      const { sieve } = sieveOf();
      return {
        ...sieve,
        push(/** @type {Uint8Array} */ bytes) {
          if (fault === 'refused') throw new SlicewiseError({ code: 'InvalidJson', message: 'no JSON' });
          if (fault === 'trap') throw new Error('unreachable');
          sieve.push(bytes);
        },
        finish() {
          if (fault === 'configured') supervisor.configure({});
          return sieve.finish();
        },
      };
    };
    return Object.assign(createReviewer(options), { startReview });
  };
  const { client, supervisor } = await startReal(t, { make });
  /** @type {string[]} */
  const lost = [];
  supervisor.on('lost', (reason) => lost.push(reason));
  const post = async () => {
    const { status, json } = await client.post(largeReview(2 * MIB), '/validate', { agent: false });
    return [status, json.error?.code ?? json.response.allowed];
  };
  assert.deepEqual(await post(), [200, true]);
  fault = 'refused';
  assert.deepEqual([await post(), lost], [[400, 'InvalidJson'], []]);
  fault = 'trap';
  assert.deepEqual([await post(), lost], [[500, 'Internal'], ['trap']]);
  fault = 'configured';
  await until(async () => (await client.get('/readyz')).status === 200);
  assert.deepEqual(await post(), [503, 'Busy']);
  fault = '';
  assert.deepEqual(await post(), [200, true]);
});
