/** `POST /audit` and `POST /explain`: existing objects, and reasons. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Agent } from 'node:https';
import { makePair } from '../../webhook/pair.js';
import { receiveAll } from './lib/client.js';
import { createFaulty } from './lib/faulty.js';
import { anyReview, objectOf, reviewOf } from './lib/reviews.js';
import { LIMIT, fakeReviewer, snapshotFile, start, startReal, until } from './lib/start.js';

const cluster = JSON.parse(readFileSync(snapshotFile, 'utf8'));
const NDJSON = { 'content-type': 'application/x-ndjson' };

/** @param {string} text */
const linesOf = (text) => text.trimEnd().split('\n').map((line) => JSON.parse(line));

/** A slice with an address that no pod has. */
const hijack = {
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { name: 'by-hand', namespace: 'shop', uid: 'u-7', labels: { 'kubernetes.io/service-name': 'cart' } },
  addressType: 'IPv4',
  endpoints: [{ addresses: ['169.254.169.254'] }],
  ports: [],
};

test('reviews and objects, each on its line, each with its verdict', async (t) => {
  const { client, lines } = await startReal(t);
  const cart = objectOf(cluster, 'Service', 'shop/cart');
  const slip = reviewOf('UPDATE', { ...cart, spec: { ...cart.spec, selector: { app: 'crat' } } }, cart);
  const body = [slip, hijack, cart].map((each) => JSON.stringify(each));
  const { status, text, headers } = await client.post(`${body[0]}\n\n  \n${body[1]}\r\n${body[2]}\n{"kind":"Pod"}\nno json\n`, '/audit', {
    headers: NDJSON,
  });
  assert.deepEqual([status, headers['content-type']], [200, 'application/x-ndjson']);
  const [review, slice, service, pod, broken, end] = linesOf(text);
  assert.deepEqual([review.line, review.verdict, review.namespace, review.name], [1, 'deny', 'shop', 'cart']);
  assert.equal(review.review.response.allowed, false);
  assert.deepEqual([slice.line, slice.verdict, slice.review.response.uid], [4, 'deny', 'u-7']);
  assert.match(slice.reason, /slice-addresses\/reserved-address/);
  assert.deepEqual([service.line, service.verdict, service.kind], [5, 'allow', 'Service']);
  assert.deepEqual([pod.line, pod.verdict, pod.error.code, pod.error.path], [6, 'error', 'MissingField', '/apiVersion']);
  assert.deepEqual([broken.line, broken.error.code], [7, 'InvalidJson']);
  assert.deepEqual(end, { summary: { lines: 7, allow: 1, warn: 0, deny: 2, error: 2, complete: true } });
  assert.deepEqual(lines.map(({ message, deny, complete }) => [message, deny, complete]), [['audit', 2, true]]);
  const { text: metrics } = await client.get('/metrics');
  assert.match(metrics, /audited_objects_total\{verdict="deny"\} 2/);
  assert.doesNotMatch(metrics, /\nslicewise_webhook_reviews_total\{.*\} [1-9]/, 'audits are no reviews');
});

test('the whole bundled cluster, of which only what is wrong is told', async (t) => {
  const { client } = await startReal(t);
  const { text } = await client.post(cluster.items.map((/** @type {any} */ item) => JSON.stringify(item)).join('\n'), '/audit', { headers: NDJSON });
  const all = linesOf(text);
  assert.equal(all.at(-1).summary.lines, cluster.items.length);
  assert.equal(all.at(-1).summary.error, 0, 'every object of a cluster can be read');
  const alone = await client.post(JSON.stringify(hijack), '/audit/slice-shape', { headers: NDJSON });
  assert.doesNotMatch(alone.text, /slice-addresses/, 'one policy alone');
});

test('verdicts come while objects are sent', LIMIT, async (t) => {
  const { client } = await startReal(t);
  const socket = await client.raw();
  const received = receiveAll(socket);
  let text = '';
  socket.on('data', (chunk) => (text += chunk));
  const line = `${JSON.stringify(hijack)}\n`;
  socket.write(`POST /audit HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-ndjson\r\ncontent-length: ${2 * line.length}\r\n\r\n${line}`);
  await until(() => text.includes('"line":1'));
  assert.ok(!text.includes('"summary"'));
  socket.write(line);
  assert.match(await received, /"line":2[^]*"complete":true/);
});

test('bounded in size, in time, and in number', LIMIT, async (t) => {
  const { client } = await start(t, { limits: { maxAuditBytes: 4096, maxBodyBytes: 1024, auditTimeout: 60_000 } });
  const post = (/** @type {string} */ body, path = '/audit') => client.post(body, path, { headers: NDJSON, agent: false });
  assert.equal((await post('x'.repeat(4097))).status, 413);
  const [long, good, end] = linesOf((await post(`${' '.repeat(2000)}x\n${anyReview('b')}\n`)).text);
  assert.deepEqual([long.verdict, long.error.code, good.verdict, end.summary.complete], ['error', 'TooLarge', 'allow', true]);

  // Without announcing the size.
  const socket = await client.raw();
  const received = receiveAll(socket);
  const chunk = `800\r\n${'\n'.repeat(0x800)}\r\n`;
  socket.write(`POST /audit HTTP/1.1\r\ncontent-type: application/x-ndjson\r\ntransfer-encoding: chunked\r\n\r\n${chunk.repeat(3)}0\r\n\r\n`);
  assert.match(await received, /"complete":false\},"error":\{"code":"TooLarge"/);

  const slow = await client.raw();
  const cut = receiveAll(slow);
  slow.write('POST /audit?timeout=50ms HTTP/1.1\r\ncontent-type: application/x-ndjson\r\ncontent-length: 100\r\n\r\n\n');
  assert.match(await cut, /"complete":false\},"error":\{"code":"Timeout"/);

  const holders = [];
  for (let held = 0; held < 2; held += 1) {
    const holder = await client.raw();
    holder.write('POST /audit HTTP/1.1\r\ncontent-type: application/x-ndjson\r\ncontent-length: 100\r\n\r\n\n');
    holders.push(holder);
  }
  await until(async () => (await post('{}', '/audit?timeout=20ms')).status === 429);
  for (const holder of holders) holder.destroy();
  await until(async () => (await post(anyReview())).status === 200);
});

test('one that is cut off says so to the log, and frees its place', LIMIT, async (t) => {
  const { client, lines } = await start(t);
  const socket = await client.raw();
  socket.write('POST /audit HTTP/1.1\r\ncontent-type: application/x-ndjson\r\ncontent-length: 100\r\n\r\n\n');
  await new Promise((resolve) => setTimeout(resolve, 50));
  socket.destroy();
  await until(() => lines.some((line) => line.message === 'audit' && line.complete === false));
  assert.equal((await client.post(anyReview(), '/audit', { headers: NDJSON })).status, 200);
});

test('reviews go first', LIMIT, async (t) => {
  const { client } = await startReal(t, { make: createFaulty });
  const slow = JSON.stringify({ ...hijack, metadata: { ...hijack.metadata, uid: 'sleep 30' } });
  const audit = client.post(`${slow}\n`.repeat(40), '/audit', { headers: NDJSON, agent: false });
  let isOver = false;
  void audit.then(() => (isOver = true));
  for (let count = 0; count < 10; count += 1) assert.equal((await client.post(anyReview(`r${count}`))).status, 200);
  // Each waits for the one object being judged, not for the whole audit.
  assert.equal(isOver, false, 'the reviews were answered within the audit');
  assert.equal(linesOf((await audit).text).at(-1).summary.deny, 40);
});

test('an audit goes on although a line takes its reviewer down', LIMIT, async (t) => {
  const { client } = await startReal(t, { make: createFaulty }, { limits: { maxTimeout: 3_000 } });
  const named = (/** @type {string} */ uid) => JSON.stringify({ ...hijack, metadata: { ...hijack.metadata, uid } });
  const body = ['a', 'trap', 'b', 'trap', 'c'].map(named).join('\n');
  const all = linesOf((await client.post(body, '/audit?timeout=20s', { headers: NDJSON })).text);
  assert.deepEqual(all.slice(0, 5).map(({ verdict }) => verdict), ['deny', 'error', 'deny', 'error', 'deny']);
  assert.match(all[1].error.message, /no verdict \(trap\)/);
  assert.equal(all.at(-1).summary.complete, true);
});

test('an explanation in words, and whole', async (t) => {
  const { client } = await startReal(t, { settings: { policies: { 'service-traffic': { mode: 'off' } } } });
  const cart = objectOf(cluster, 'Service', 'shop/cart');
  const slip = JSON.stringify(reviewOf('UPDATE', { ...cart, spec: { ...cart.spec, selector: { app: 'crat' } } }, cart));
  const words = await client.post(slip, '/explain');
  assert.equal(words.headers['content-type'], 'text/plain; charset=utf-8');
  const said = words.text.split('\n');
  assert.equal(said[0], 'Update of Service shop/cart by jane: denied.');
  assert.match(said[1], /^Known objects of the cluster: \d+ Services, \d+ Pods, \d+ Nodes and \d+ EndpointSlices\.$/);
  assert.ok(said.includes('slice-shape: not asked, because it checks EndpointSlice, not Service.'), words.text);
  assert.ok(said.includes('service-traffic: not asked, because its mode here is `off`.'), words.text);
  assert.ok(said.includes('service-blast-radius: found one thing; it looked at the Pods and Nodes of the cluster:'), words.text);
  assert.match(words.text, /\n {2}emptied \(denies\), spec\.selector: all \d+ ready endpoints would be removed/);

  const { json } = await client.post(JSON.stringify(hijack), '/explain', { headers: { accept: 'application/json' } });
  const steps = Object.fromEntries(json.steps.map((/** @type {any} */ step) => [step.policy, step]));
  assert.equal(json.response.allowed, false);
  assert.equal(steps['slice-ownership'].standing, 'nobodyWrites');
  assert.deepEqual(steps['slice-addresses'].findings.map((/** @type {any} */ { rule, effect }) => [rule, effect]), [['reserved-address', 'deny']]);
  assert.equal(steps['service-blast-radius'].standing, 'otherKind');
  const broken = await client.post('{"kind":"Service","apiVersion":"v1","metadata":{"name":"x"}}', '/explain');
  assert.deepEqual([broken.status, broken.json.error.code, broken.json.error.path], [400, 'MissingField', '/metadata/namespace']);
});

test('only callers with the certificate may audit and explain', async (t) => {
  const [known, stranger] = [makePair(['localhost']), makePair(['localhost'])];
  const { client } = await start(t, { reviewer: fakeReviewer(), callersOf: known });
  for (const path of ['/audit', '/explain']) {
    const agent = new Agent({ ca: client.ca, cert: stranger.cert, key: stranger.key });
    const refused = await client.post(anyReview(), path, { agent });
    assert.deepEqual([refused.status, refused.json.error.code], [401, 'Unauthorized']);
    agent.destroy();
  }
});
