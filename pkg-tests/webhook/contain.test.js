/** Traps, reviews that do not end, threads that die: told, counted, replaced; never a hang, never an allow by accident. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { FakeApi } from './lib/api-server.js';
import { objectOf, reviewOf } from './lib/reviews.js';
import { snapshotFile, startReal, until } from './lib/start.js';
import { fill, pod, slice } from './lib/watching.js';

const cluster = JSON.parse(readFileSync(snapshotFile, 'utf8'));
const FAULTY = new URL('./lib/faulty.js', import.meta.url).href;

/** A slip in a selector, which only who knows the cluster denies. @param {string} uid */
function slip(uid) {
  const cart = objectOf(cluster, 'Service', 'shop/cart');
  const review = reviewOf('UPDATE', { ...cart, spec: { ...cart.spec, selector: { app: 'crat' } } }, cart);
  review.request.uid = uid;
  return JSON.stringify(review);
}

/**
 * @param {import('node:test').TestContext} t
 * @param {Parameters<typeof startReal>[2]} [options]
 * @param {Parameters<typeof startReal>[1]} [supervised]
 */
async function startFaulty(t, options, supervised) {
  const started = await startReal(t, { module: FAULTY, grace: 100, ...supervised }, options);
  /** @type {string[]} */
  const lost = [];
  started.supervisor.on('lost', (reason) => lost.push(reason));
  const post = (/** @type {string} */ uid, query = '') => started.client.post(slip(uid), `/validate${query}`, { agent: false });
  return { ...started, lost, post };
}

/** @param {import('./lib/client.js').Client} client @param {string} name */
async function metric(client, name) {
  const { text } = await client.get('/metrics');
  const line = text.split('\n').find((each) => each.startsWith(`slicewise_webhook_${name} `));
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
}

test('a trap is an error of its review alone; the next thread knows the cluster as well', { timeout: 30_000 }, async (t) => {
  const { client, post, lost } = await startFaulty(t);
  const trapped = await post('trap');
  assert.deepEqual([trapped.status, trapped.json.error.code, trapped.json.response], [500, 'Internal', undefined]);
  const after = await post('after');
  assert.deepEqual([after.status, after.json.response.allowed, after.json.response.uid], [200, false, 'after']);
  assert.deepEqual(lost, ['trap']);
  assert.equal(await metric(client, 'unjudged_reviews_total{reason="trap"}'), 1);
  assert.equal((await client.get('/readyz')).status, 200);
});

test('those behind a trap are judged by the next thread', { timeout: 30_000 }, async (t) => {
  const { post, supervisor, lost } = await startFaulty(t);
  let retried = 0;
  supervisor.on('retried', (tasks) => (retried += tasks));
  // The first keeps the thread busy, so that the others are behind the trap when it comes.
  const all = await Promise.all(['sleep 200', 'trap', 'one', 'two', 'three'].map((uid, index) => delayed(index, () => post(uid))));
  assert.deepEqual(all.map(({ status }) => status), [200, 500, 200, 200, 200]);
  assert.deepEqual(all.slice(2).map(({ json }) => [json.response.uid, json.response.allowed]), [['one', false], ['two', false], ['three', false]]);
  assert.deepEqual([lost, retried], [['trap'], 3]);
});

test('a review that does not end is told at its deadline, and its thread is replaced', { timeout: 30_000 }, async (t) => {
  const { client, post, lost } = await startFaulty(t);
  const began = performance.now();
  const endless = post('loop', '?timeout=100ms');
  const behind = post('behind', '?timeout=20s');
  const late = await endless;
  assert.deepEqual([late.status, late.json.error.code], [503, 'Timeout']);
  assert.ok(performance.now() - began < 3_000);
  assert.deepEqual([(await behind).status, (await behind).json.response.allowed], [200, false]);
  assert.deepEqual(lost, ['runaway']);
  assert.equal(await metric(client, 'unjudged_reviews_total{reason="deadline"}'), 1);
});

test('one that is slow, but ends, costs nobody the thread', { timeout: 30_000 }, async (t) => {
  const { post, lost } = await startFaulty(t);
  const slow = post('sleep 120', '?timeout=50ms');
  const waits = post('waits', '?timeout=60ms');
  assert.deepEqual([(await slow).status, (await waits).status], [503, 503]);
  assert.equal((await post('after')).status, 200);
  assert.deepEqual(lost, []);
});

test('a thread that dies is replaced; who kills two is not given a third', { timeout: 30_000 }, async (t) => {
  const { client, post, lost } = await startFaulty(t);
  const [killer, other] = await Promise.all([post('exit'), delayed(1, () => post('other'))]);
  assert.deepEqual([killer.status, killer.json.error.code], [503, 'Busy']);
  assert.deepEqual([other.status, other.json.response?.allowed], [200, false]);
  assert.deepEqual(lost, ['exit', 'exit']);
  await post('throw');
  await until(() => lost.length >= 3);
  assert.equal((await post('after')).json.response.allowed, false);
  assert.equal((await client.get('/readyz')).status, 200);
});

test('while it is replaced it is not ready, and reviews wait until their deadline', { timeout: 30_000 }, async (t) => {
  const { client, post, supervisor } = await startFaulty(t);
  const lost = new Promise((resolve) => supervisor.once('lost', resolve));
  const trapped = post('trap');
  await lost;
  const { status, text } = await client.get('/readyz');
  assert.deepEqual([status, text], [503, 'not ready: the reviewer is being replaced\n']);
  assert.equal(await metric(client, 'reviewer_up'), 0);
  assert.equal((await client.get('/livez')).status, 200);
  assert.equal((await trapped).status, 500);
  await until(async () => (await client.get('/readyz')).status === 200);
});

test('what is answered instead is configured', { timeout: 30_000 }, async (t) => {
  for (const [onFailure, allowed] of /** @type {const} */ ([['allow', true], ['deny', false]])) {
    const { post, client, lines } = await startFaulty(t, { onFailure });
    for (const [uid, query] of [['trap', ''], ['loop', '?timeout=50ms']]) {
      const { status, json } = await post(uid, query);
      assert.deepEqual([status, json.response.uid, json.response.allowed], [200, uid, allowed], uid);
      assert.match(allowed ? json.response.warnings[0] : json.response.status.message, /the change was not checked, because .*; onFailure says (allow|deny)/);
    }
    assert.ok(lines.some((line) => line.verdict === 'error' && line.code === 'Unjudged'));
    // What is no review is an error whatever the setting says.
    assert.equal((await client.post('{"uid":"trap"}')).status, 500);
    assert.equal((await post('after')).json.response.allowed, false);
  }
});

test('a configuration outlives the thread, and one that is refused changes nothing', { timeout: 30_000 }, async (t) => {
  const { post, supervisor } = await startFaulty(t);
  await supervisor.configure({ policies: { 'service-blast-radius': { mode: 'warn' } } });
  assert.equal((await post('before')).json.response.allowed, true);
  await assert.rejects(supervisor.configure({ policies: { nonsense: {} } }), { name: 'SlicewiseError', code: 'UnknownField', path: '/policies/nonsense' });
  await post('trap');
  assert.equal((await post('after')).json.response.allowed, true);
  // One that comes while there is no thread is taken by the next one.
  const lost = new Promise((resolve) => supervisor.once('lost', resolve));
  const trapped = post('trap');
  await lost;
  await supervisor.configure({ policies: { 'service-blast-radius': { mode: 'enforce' } } });
  await trapped;
  assert.equal((await post('last')).json.response.allowed, false);
});

/** In the order of their numbers, which is that of their arrival. @template T @param {number} index @param {() => Promise<T>} work */
async function delayed(index, work) {
  await new Promise((resolve) => setTimeout(resolve, index * 15));
  return work();
}

test('a thread that is replaced lists its cluster anew, and judges only then', { timeout: 60_000 }, async (t) => {
  const api = await FakeApi.start(t);
  fill(api);
  const times = { firstDelay: 4, mostDelay: 40 };
  const { client, lost } = await startFaulty(t, {}, { snapshot: null, cluster: { kubeconfig: api.kubeconfig() }, times });
  await until(async () => (await client.get('/readyz')).status === 200);
  const ofPod = (/** @type {string} */ uid, /** @type {string} */ address) => {
    const review = reviewOf('CREATE', slice('mine', [address]));
    review.request.uid = uid;
    return client.post(JSON.stringify(review), '/validate', { agent: false });
  };
  assert.equal((await ofPod('known', '10.0.0.2')).json.response.allowed, true);
  assert.equal((await ofPod('unknown', '10.0.0.9')).json.response.allowed, false);
  assert.equal(await metric(client, 'context_objects{kind="Pod"}'), 2);
  assert.ok(Number(await metric(client, 'context_age_seconds')) < 30);
  // What happens while there is no thread is known to the next one.
  api.set(pod('p9', '10.0.0.9'));
  const [trapped, after, never] = await Promise.all([ofPod('trap', '10.0.0.1'), delayed(1, () => ofPod('after', '10.0.0.9')), delayed(2, () => ofPod('never', '10.0.0.8'))]);
  assert.equal(trapped.status, 500);
  assert.deepEqual([after.json.response.allowed, after.json.response.warnings, never.json.response.allowed], [true, undefined, false]);
  assert.deepEqual(lost, ['trap']);
  assert.equal(await metric(client, 'cluster_lists_total{kind="Pod"}'), 1);
});
