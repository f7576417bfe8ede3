/**
 * The webhook against API-legal extremes, as objects of the cluster and as reviews: whatever comes, it stays up and ready, its
 * memory stays bounded, and a hijack is denied before, during and after.
 *
 * `SLICEWISE_SEED` picks other objects, and `SLICEWISE_ROUNDS` more of them.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { FakeApi } from '../webhook/lib/api-server.js';
import { startCommand } from '../webhook/lib/command.js';
import { reviewOf } from '../webhook/lib/reviews.js';
import { until } from '../webhook/lib/start.js';
import { fill, pod, slice } from '../webhook/lib/watching.js';
import { USERS, extremes, goJson } from './lib/extremes.js';
import { Random } from './lib/random.js';

const SEED = Number(process.env.SLICEWISE_SEED ?? 1);
const ROUNDS = Number(process.env.SLICEWISE_ROUNDS ?? 1);
const LIMIT = { timeout: 600_000 * ROUNDS };
/** Resident memory of the whole process, in bytes: Node alone has a tenth of it. */
const MOST_MEMORY = 768 << 20;

const HIJACK = goJson(reviewOf('CREATE', slice('hijack', ['203.0.113.66'])));
const HONEST = goJson(reviewOf('CREATE', slice('honest', ['10.0.0.2'])));

/** @typedef {Awaited<ReturnType<typeof startCommand>>} Command */

/** @param {Command} command @param {string} when */
async function checkGuard({ client, child, lines }, when) {
  assert.equal(child.exitCode ?? child.signalCode, null, `${when}: the process ended: ${JSON.stringify(lines().at(-1))}`);
  const { response } = (await client.post(HIJACK)).json;
  assert.equal(response?.allowed, false, `${when}: a hijack was let through: ${JSON.stringify(response)}`);
  assert.match(response.status.message, /does not belong to a pod/, when);
  const honest = (await client.post(HONEST)).json.response;
  assert.equal(honest?.allowed, true, `${when}: an honest slice was denied: ${JSON.stringify(honest)}`);
  assert.equal((await client.get('/livez')).status, 200, when);
  const ready = await client.get('/readyz');
  assert.equal(ready.status, 200, `${when}: ${ready.text}`);
}

/** @param {Command} command */
function memoryOf({ child }) {
  return 1024 * Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]);
}

/** Waits until an event that comes after all others of its kind has been seen. @param {FakeApi} api @param {Command} command @param {number} round */
async function settled(api, { client }, round) {
  const address = `10.0.1.${1 + (round % 250)}`;
  api.set(pod('witness', address));
  const review = goJson(reviewOf('CREATE', slice('seen', [address])));
  await until(async () => (await client.post(review)).json.response?.allowed);
}

for (const streams of [true, false]) {
  const mode = streams ? 'streaming lists' : 'pages';
  test(`extremes that are there already, listed in ${mode}`, LIMIT, async (t) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const api = await FakeApi.start(t);
      api.streams = streams;
      const random = new Random(SEED + round);
      fill(api);
      for (const { object } of random.shuffled(extremes(random))) api.set(object);
      const command = await startCommand(t, ['--kubeconfig', api.kubeconfig()]);
      await until(async () => (await command.client.get('/readyz')).status === 200);
      await checkGuard(command, mode);
      assert.ok(memoryOf(command) < MOST_MEMORY, `${memoryOf(command) >> 20} MiB`);
      command.child.kill('SIGINT');
      assert.equal(await command.ended, 0);
    }
  });

  test(`extremes that come, change and go, with ${mode}`, LIMIT, async (t) => {
    const api = await FakeApi.start(t);
    api.streams = streams;
    fill(api);
    const command = await startCommand(t, ['--kubeconfig', api.kubeconfig()]);
    await until(async () => (await command.client.get('/readyz')).status === 200);
    await checkGuard(command, 'before');
    for (let round = 0; round < ROUNDS; round += 1) {
      const random = new Random(SEED + 1000 + round);
      for (const { title, object } of random.shuffled(extremes(random))) {
        api.set(object);
        await checkGuard(command, `${title}, added`);
        if (random.next() < 0.3) api.set(object);
        if (random.next() < 0.2) api.bookmark();
        if (random.next() < 0.1) api.endWatches();
        if (random.next() < 0.1) (api.compact(), api.cut());
        if (random.next() < 0.5) {
          api.remove(object.kind, object.metadata.namespace ? `${object.metadata.namespace}/${object.metadata.name}` : object.metadata.name);
        }
      }
      await settled(api, command, round);
      await checkGuard(command, 'after');
    }
    assert.ok(memoryOf(command) < MOST_MEMORY, `${memoryOf(command) >> 20} MiB`);
  });
}

test('extremes as reviews, by every kind of user', LIMIT, async (t) => {
  const api = await FakeApi.start(t);
  fill(api);
  const command = await startCommand(t, ['--kubeconfig', api.kubeconfig()]);
  const { client } = command;
  await until(async () => (await client.get('/readyz')).status === 200);
  for (let round = 0; round < ROUNDS; round += 1) {
    const random = new Random(SEED + 2000 + round);
    for (const { title, object, isLegal } of random.shuffled(extremes(random))) {
      const operation = random.pick(['CREATE', 'UPDATE', 'DELETE']);
      const review = reviewOf(operation, operation === 'DELETE' ? null : object, operation === 'CREATE' ? null : object);
      review.request.userInfo = random.pick(USERS);
      const { status, json } = await client.post(goJson(review));
      const what = `${operation} of ${title}: ${status} ${JSON.stringify(json).slice(0, 500)}`;
      if (isLegal) assert.equal(json.response?.uid, review.request.uid, what);
      else assert.ok(status === 400 || status === 200, what);
      if (isLegal && operation === 'UPDATE') assert.equal(json.response.allowed, true, `what changes nothing passes: ${what}`);
      await checkGuard(command, what);
    }
  }
  assert.ok(memoryOf(command) < MOST_MEMORY, `${memoryOf(command) >> 20} MiB`);
});

test('two objects of the largest size, every character of them escaped', LIMIT, async (t) => {
  const api = await FakeApi.start(t);
  fill(api);
  const command = await startCommand(t, ['--kubeconfig', api.kubeconfig()]);
  await until(async () => (await command.client.get('/readyz')).status === 200);
  const [before] = extremes(new Random(SEED));
  const old = { ...before.object, metadata: { ...before.object.metadata, annotations: { note: '<'.repeat(1_500_000) } } };
  const object = { ...old, metadata: { ...old.metadata, annotations: { note: '>'.repeat(3_000_000) } } };
  const body = goJson(reviewOf('UPDATE', object, old));
  assert.ok(body.length > 20 << 20, 'more than twenty mebibytes');
  const answers = await Promise.all(Array.from({ length: 12 }, () => command.client.post(body)));
  // On a busy machine, some do not arrive in time.
  const isTurnedAway = (/** @type {number} */ status) => [408, 429, 503].includes(status);
  for (const { status, json } of answers) {
    assert.ok(json.response?.allowed === true || isTurnedAway(status), `${status} ${JSON.stringify(json)}`);
  }
  assert.ok(answers.some(({ json }) => json.response?.allowed === true), 'none was judged');
  await checkGuard(command, 'after');
  assert.ok(memoryOf(command) < MOST_MEMORY, `${memoryOf(command) >> 20} MiB`);
});
