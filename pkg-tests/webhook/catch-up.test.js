/** A refusal that rests on a pod that is not known yet waits for the watch, and asks the API server. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CatchUp } from '../../webhook/catch-up.js';
import { Ending } from '../../webhook/ending.js';
import { FakeApi, lineOf, refuse } from './lib/api-server.js';
import { startCommand } from './lib/command.js';
import { reviewOf } from './lib/reviews.js';
import { LIMIT, until } from './lib/start.js';
import { fill, pod, slice } from './lib/watching.js';

/**
 * @param {import('node:test').TestContext} t
 * @param {string} [context] settings
 */
async function watching(t, context = '') {
  const api = await FakeApi.start(t);
  fill(api);
  const config = join(api.folder, 'config.yaml');
  writeFileSync(config, `cluster: {kubeconfig: ${api.kubeconfig()}}\n${context}`);
  const command = await startCommand(t, ['--config', config]);
  await until(async () => (await command.client.get('/readyz')).status === 200);
  return { api, ...command };
}

/** A slice that names its pod. @param {string} name @param {string} address */
function named(name, address) {
  const made = slice(`of-${name}`, [address]);
  Object.assign(made.endpoints[0], { targetRef: { kind: 'Pod', namespace: 'shop', name } });
  return JSON.stringify(reviewOf('CREATE', made));
}

/** @param {FakeApi} api */
const pods = (api) => api.asked.filter(({ kind, query }) => kind === 'Pod' && query.size === 0).length;

test('a slice right after its pod passes once the watch shows the pod', LIMIT, async (t) => {
  const { api, client } = await watching(t, 'context: {catchUpMs: 5000}\n');
  for (let number = 0; number < 20; number += 1) {
    const address = `10.0.2.${1 + number}`;
    const verdict = client.post(JSON.stringify(reviewOf('CREATE', slice(`new-${number}`, [address]))));
    await new Promise((resolve) => setTimeout(resolve, 5));
    api.set(pod(`new-${number}`, address));
    assert.equal((await verdict).json.response.allowed, true, address);
  }
  assert.equal(pods(api), 0);
  assert.match((await client.get('/metrics')).text, /^slicewise_webhook_caught_up_reviews_total\{verdict="allow"\} [1-9]/m);
});

test('a named pod that the watch does not show is asked for', LIMIT, async (t) => {
  const { api, client } = await watching(t, 'context: {catchUpMs: 20}\n');
  api.intercept = (kind, query, response) => {
    if (kind !== 'Pod' || query.size > 0) return false;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ...pod('late', '10.0.3.1'), metadata: { ...pod('late', '').metadata, resourceVersion: '5000' } }));
    return true;
  };
  const { response } = (await client.post(named('late', '10.0.3.1'))).json;
  assert.equal(response.allowed, true, JSON.stringify(response));
  assert.equal(pods(api), 1);
});

test('the refusal says what was done', LIMIT, async (t) => {
  const { api, client, lines } = await watching(t, 'context: {catchUpMs: 20}\n');
  let status = 404;
  api.intercept = (kind, query, response) => kind === 'Pod' && query.size === 0 && (refuse(response, status, 'No', 'no such pod'), true);
  const message = async (/** @type {string} */ review) => {
    const { response } = (await client.post(review)).json;
    assert.equal(response.allowed, false);
    return response.status.message;
  };
  // It has a second to answer, which a busy machine may need for itself.
  await until(async () => /the API server was asked, and says the same/.test(await message(named('ghost', '10.0.3.2'))));
  assert.match(await message(JSON.stringify(reviewOf('CREATE', slice('unnamed', ['10.0.3.3'])))), /the watch showed no other state within 20 ms/);
  status = 403;
  for (let time = 0; time < 3; time += 1) assert.match(await message(named('ghost', '10.0.3.2')), /the watch showed no other state within 20 ms/);
  const said = (/** @type {string} */ text) => lines().filter((line) => line.message === text);
  await until(() => said('review').filter(({ name }) => name === 'of-ghost').length > 3);
  const reasons = said('the API server could not be asked for a pod').map(({ reason }) => String(reason));
  assert.ok(reasons.some((reason) => reason.includes('no such pod')), `${reasons}`);
  assert.ok(reasons.every((reason, index) => reason !== reasons[index - 1]), 'told once');
});

test('it can be switched off', LIMIT, async (t) => {
  const { api, client } = await watching(t, 'context: {catchUpMs: 0}\n');
  const { response } = (await client.post(named('ghost', '10.0.3.2'))).json;
  assert.equal(response.allowed, false);
  assert.equal(pods(api), 0);
});

const DENIED = /** @type {any} */ ({
  status: 200,
  body: '',
  record: { verdict: 'deny', policies: [], reason: '', awaits: [{ kind: 'Pod', namespace: 'shop', name: 'p' }] },
});

test('a deadline ends the waiting with the verdict that there is, and only a few reviews wait', LIMIT, async () => {
  const catchUp = new CatchUp();
  const ending = new Ending();
  const parts = { judge: () => Promise.resolve(DENIED), events: () => 0, lookUp: () => assert.fail('too late'), onEnd: () => {} };
  const waiting = Array.from({ length: 8 }, () => new Ending()).map((each) => ({ each, verdict: catchUp.judge(parts, 60_000, each) }));
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(await catchUp.judge(parts, 60_000, ending), DENIED, 'the ninth does not wait');
  for (const { each, verdict } of waiting) {
    each.come();
    assert.equal(await verdict, DENIED);
  }
});

test('an event that was missed by one review is seen by the next', LIMIT, async (t) => {
  const { api, client } = await watching(t);
  api.write('Pod', lineOf('ADDED', { ...pod('p7', '10.0.3.7'), metadata: { ...pod('p7', '').metadata, resourceVersion: '6000' } }));
  assert.equal((await client.post(named('p7', '10.0.3.7'))).json.response.allowed, true);
});
