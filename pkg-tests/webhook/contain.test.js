/** Traps and endless reviews: reported, counted, contained; never a hang, never an accidental allow. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { SlicewiseError } from 'slicewise/admission';
import { createReviewer } from '../../webhook/module.js';
import { FakeApi } from './lib/api-server.js';
import { createFaulty } from './lib/faulty.js';
import { objectOf, reviewOf } from './lib/reviews.js';
import { LIMIT, snapshotFile, startReal, until } from './lib/start.js';
import { fill, pod, slice } from './lib/watching.js';

const LOOPING = fileURLToPath(new URL('./lib/looping.js', import.meta.url));
const cluster = JSON.parse(readFileSync(snapshotFile, 'utf8'));

/** A typo in a selector, which is only denied if the cluster is known. @param {string} uid */
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
  const started = await startReal(t, { make: createFaulty, ...supervised }, options);
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

test('a trap is an error of its review alone; the next reviewer knows the cluster as well', LIMIT, async (t) => {
  const { client, post, lost } = await startFaulty(t);
  const trapped = await post('trap');
  assert.deepEqual([trapped.status, trapped.json.error.code, trapped.json.response], [500, 'Internal', undefined]);
  const after = await post('after');
  assert.deepEqual([after.status, after.json.response.allowed, after.json.response.uid], [200, false, 'after']);
  assert.deepEqual(lost, ['trap']);
  assert.equal(await metric(client, 'unjudged_reviews_total{reason="trap"}'), 1);
  assert.equal((await client.get('/readyz')).status, 200);
});

test('those behind a trap are judged by the next reviewer', LIMIT, async (t) => {
  const { post, lost } = await startFaulty(t);
  // The first takes a while, so that the others are queued behind the trap.
  const all = await Promise.all(['sleep 200', 'trap', 'one', 'two', 'three'].map((uid, index) => delayed(index, () => post(uid))));
  assert.deepEqual(all.map(({ status }) => status), [200, 500, 200, 200, 200]);
  assert.deepEqual(all.slice(2).map(({ json }) => [json.response.uid, json.response.allowed]), [['one', false], ['two', false], ['three', false]]);
  assert.deepEqual(lost, ['trap']);
});

test('a review that cannot be stopped ends the process, which says so', LIMIT, async (t) => {
  const child = spawn(process.execPath, [LOOPING], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const output = textOf(child.stdout);
  const [code, signal] = await once(child, 'exit');
  assert.deepEqual([code, signal], [null, 'SIGKILL']);
  const [first, last] = (await output).trimEnd().split('\n').map((line) => JSON.parse(line));
  // The same work, repeatedly completed, is no reason to exit.
  assert.ok(first.judged > 1);
  assert.deepEqual(
    [last.level, last.reason, last.message],
    ['error', 'runaway', 'a review ran for more than 200 ms and cannot be stopped; the process exits'],
  );
});

test('a review that does not end fails alone; the process lives, and the next reviewer judges the others', LIMIT, async (t) => {
  for (const uid of ['loop', 'spin']) {
    const { client, supervisor, post, lost, lines } = await startFaulty(t, { onFailure: 'error' }, { grace: 100 });
    /** @type {string[]} */
    const details = [];
    supervisor.on('lost', (_, detail) => details.push(detail));
    assert.equal((await post('before')).status, 200);
    // The first takes a while, so that the others are in one turn with the endless one.
    const all = ['sleep 60', 'one', uid, 'two', 'three'].map((each, index) => delayed(index / 4, () => post(each)));
    const probes = [delayed(6, () => client.get('/livez')), delayed(6, () => client.post(slip('late'), '/validate?timeout=50ms', { agent: false }))];
    const answers = await Promise.all(all);
    assert.deepEqual(answers.map(({ status }) => status), [200, 200, 500, 200, 200], uid);
    assert.equal(answers[2].json.error.message, 'the review did not finish in time; see the log of the webhook');
    assert.deepEqual(answers.slice(3).map(({ json }) => [json.response.uid, json.response.allowed]), [['two', false], ['three', false]]);
    assert.equal((await probes[0]).status, 200);
    assert.ok([200, 503].includes((await probes[1]).status), 'and nobody is forgotten');
    assert.deepEqual([lost, details], [['runaway'], ['a review ran for more than 100 ms and was stopped']]);
    assert.equal(await metric(client, 'unjudged_reviews_total{reason="runaway"}'), 1);
    assert.equal((await post('after')).json.response.allowed, false);
    assert.equal((await client.get('/readyz')).status, 200);
    // Timers, immediates and ticks go on: a turn that was stopped has taken nothing with it.
    await new Promise((resolve) => setTimeout(() => setImmediate(() => process.nextTick(resolve)), 5));
    assert.ok(lines.some((line) => line.status === 500));
  }
});

test('again and again, and in an audit', LIMIT, async (t) => {
  const { client, post, lost } = await startFaulty(t, { onFailure: 'deny' }, { grace: 30 });
  for (const uid of ['spin', 'loop']) {
    const { status, json } = await post(uid);
    assert.deepEqual([status, json.response.allowed], [200, false]);
    assert.match(json.response.status.message, /the review did not finish in time/);
  }
  const objects = ['fine', 'loop', 'fine'].map((uid) =>
    JSON.stringify({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'x', namespace: 'y', uid } }),
  );
  const { text } = await client.post(objects.join('\n'), '/audit', { headers: { 'content-type': 'application/x-ndjson' }, agent: false });
  assert.deepEqual(text.trimEnd().split('\n').map((line) => JSON.parse(line).verdict), ['allow', 'error', 'allow', undefined]);
  assert.deepEqual(lost, ['runaway', 'runaway', 'runaway']);
});

test('a stopped turn leaves the process as idle as before', LIMIT, async (t) => {
  const { post } = await startFaulty(t, {}, { grace: 30 });
  await post('spin');
  await post('after');
  const before = process.cpuUsage();
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const { user, system } = process.cpuUsage(before);
  assert.ok(user + system < 500_000, `${user + system} µs of work in an idle second`);
});

test('several slow reviews at once, and what comes from the cluster, are no runaways', LIMIT, async (t) => {
  const api = await FakeApi.start(t);
  fill(api);
  let applied = 0;
  /** @param {import('slicewise/admission').ReviewerOptions} options */
  const make = (options) => {
    const reviewer = createFaulty(options);
    const apply = reviewer.apply.bind(reviewer);
    reviewer.apply = /** @type {any} */ ((/** @type {Uint8Array} */ events) => {
      applied += 1;
      if (applied === 1) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700);
      return apply(events);
    });
    return reviewer;
  };
  const times = { firstDelay: 4, mostDelay: 40 };
  const { client, post, lost } = await startFaulty(t, {}, { make, grace: 100, snapshot: null, cluster: { kubeconfig: api.kubeconfig() }, times });
  await until(async () => (await client.get('/readyz')).status === 200);
  const all = await Promise.all(Array.from({ length: 6 }, () => post('sleep 80')));
  assert.deepEqual(all.map(({ status }) => status), Array(6).fill(200));
  assert.deepEqual(lost, []);
});

test('one that is slow, but ends, costs nobody the reviewer', LIMIT, async (t) => {
  const { post, lost } = await startFaulty(t);
  assert.equal((await post('sleep 120')).status, 200);
  assert.equal((await post('after')).status, 200);
  assert.deepEqual(lost, []);
});

test('a lost reviewer leaves no module behind', LIMIT, async (t) => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const { post, supervisor } = await startFaulty(t);
  // Modules are the largest part of a lost reviewer; each has a memory of a few megabytes.
  const megabytes = async () => {
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve, collect()));
    return process.memoryUsage().external / 1e6;
  };
  const lose = async () => {
    const up = new Promise((resolve) => supervisor.once('up', () => resolve(undefined)));
    await Promise.all([post('trap'), up]);
  };
  await lose();
  const before = await megabytes();
  for (let turn = 0; turn < 3; turn += 1) await lose();
  const grown = (await megabytes()) - before;
  assert.ok(grown < 1.5, `grew by ${grown} MB`);
});

test('what waits while there is no reviewer is told at its deadline', LIMIT, async (t) => {
  const { client, post, supervisor } = await startFaulty(t);
  // On a busy machine, the next reviewer may be there before the request is.
  await until(async () => {
    const lost = new Promise((resolve) => supervisor.once('lost', resolve));
    const trapped = post('trap');
    await lost;
    const late = await post('late', '?timeout=20ms');
    assert.equal((await trapped).status, 500);
    return late.status === 503 && late.json.error.code === 'Timeout';
  });
  assert.ok(Number(await metric(client, 'unjudged_reviews_total{reason="deadline"}')) >= 1);
  assert.equal((await post('after')).json.response.allowed, false);
});

test('while it is replaced it is not ready, and reviews wait until their deadline', LIMIT, async (t) => {
  const { client, post, supervisor } = await startFaulty(t);
  // Asked at once: it may be replaced before a request arrives.
  const lost = new Promise((resolve) => supervisor.once('lost', () => resolve([supervisor.whyNotReady(), supervisor.state().isUp])));
  const trapped = post('trap');
  assert.deepEqual(await lost, ['the reviewer is being replaced', false]);
  assert.equal((await client.get('/livez')).status, 200);
  assert.equal((await trapped).status, 500);
  await until(async () => (await client.get('/readyz')).status === 200);
});

test('a reviewer that cannot be made is tried again', LIMIT, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'slicewise-contain-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'cluster.json');
  copyFileSync(snapshotFile, file);
  const { post, lost, client } = await startFaulty(t, {}, { snapshot: file });
  writeFileSync(file, '{');
  await post('trap');
  await until(() => lost.length >= 3);
  assert.deepEqual(lost.slice(0, 3), ['trap', 'start', 'start']);
  assert.equal((await client.get('/readyz')).status, 503);
  copyFileSync(snapshotFile, file);
  assert.equal((await post('after')).json.response.allowed, false);
});

test('what is answered instead is configured', LIMIT, async (t) => {
  for (const [onFailure, allowed] of /** @type {const} */ ([['allow', true], ['deny', false]])) {
    const { post, client, lines } = await startFaulty(t, { onFailure });
    const { status, json } = await post('trap');
    assert.deepEqual([status, json.response.uid, json.response.allowed], [200, 'trap', allowed]);
    assert.match(
      allowed ? json.response.warnings[0] : json.response.status.message,
      /the change was not checked, because .*; onFailure says (allow|deny)/,
    );
    assert.ok(lines.some((line) => line.verdict === 'error' && line.code === 'Unjudged'));
    // Input that is not a review is an error, whatever the setting.
    assert.equal((await client.post('{"uid":"trap"}')).status, 500);
    assert.equal((await post('after')).json.response.allowed, false);
  }
});

test('a configuration outlives the reviewer, and one that is refused changes nothing', LIMIT, async (t) => {
  const { post, supervisor } = await startFaulty(t);
  supervisor.configure({ policies: { 'service-blast-radius': { mode: 'warn' } } });
  assert.equal((await post('before')).json.response.allowed, true);
  assert.throws(() => supervisor.configure(/** @type {any} */ ({ policies: { nonsense: {} } })), {
    name: 'SlicewiseError',
    code: 'UnknownField',
    path: '/policies/nonsense',
  });
  await post('trap');
  assert.equal((await post('after')).json.response.allowed, true);
  // A review that arrives while there is no reviewer is judged by the next one.
  const lost = new Promise((resolve) => supervisor.once('lost', resolve));
  const trapped = post('trap');
  await lost;
  supervisor.configure({ policies: { 'service-blast-radius': { mode: 'enforce' } } });
  await trapped;
  assert.equal((await post('last')).json.response.allowed, false);
});

/** Runs them in the order of their numbers, so that they arrive in that order. @template T @param {number} index @param {() => Promise<T>} work */
async function delayed(index, work) {
  await new Promise((resolve) => setTimeout(resolve, index * 15));
  return work();
}

test('a reviewer that is replaced learns its cluster anew, and judges only then', LIMIT, async (t) => {
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
  // The next reviewer knows what happened meanwhile.
  api.set(pod('p9', '10.0.0.9'));
  const [trapped, after, never] = await Promise.all([
    ofPod('trap', '10.0.0.1'),
    delayed(1, () => ofPod('after', '10.0.0.9')),
    delayed(2, () => ofPod('never', '10.0.0.8')),
  ]);
  assert.equal(trapped.status, 500);
  assert.deepEqual([after.json.response.allowed, after.json.response.warnings, never.json.response.allowed], [true, undefined, false]);
  assert.deepEqual(lost, ['trap']);
  assert.equal(await metric(client, 'cluster_lists_total{kind="Pod"}'), 2);
});

test('what a module refuses to take of its cluster costs nobody the reviewer', LIMIT, async (t) => {
  const api = await FakeApi.start(t);
  fill(api);
  let refused = 0;
  /** @param {import('slicewise/admission').ReviewerOptions} options */
  const make = (options) => {
    const real = createReviewer(options);
    const apply = real.apply.bind(real);
    real.apply = /** @type {any} */ ((/** @type {Uint8Array} */ events) => {
      refused += 1;
      if (refused === 1) throw new SlicewiseError({ code: 'TooLarge', message: 'the events are too long' });
      return apply(events);
    });
    return real;
  };
  const times = { firstDelay: 4, mostDelay: 40 };
  const { client, lost } = await startFaulty(t, {}, { make, snapshot: null, cluster: { kubeconfig: api.kubeconfig() }, times });
  await until(async () => (await client.get('/readyz')).status === 200);
  assert.deepEqual(lost, []);
});
