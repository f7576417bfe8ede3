/** Arming, without a cluster: which replicas remain when one exits. `pkg-tests/deploy` has the rest, on a real API server. */
import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import { Arming } from '../../webhook/arm.js';

const SETTINGS = {
  configuration: 'guard',
  webhook: 'a.b.c',
  failurePolicy: /** @type {const} */ ('Fail'),
  namespace: 'checks',
  interval: 1_000,
  fallback: true,
};
const OWN = Object.values(networkInterfaces()).flatMap((each) => each ?? [])[0].address;

/**
 * A cluster with these ready addresses.
 * @param {string[]} ready @param {string} [policy]
 */
function clusterWith(ready, policy = 'Fail') {
  const set = /** @type {string[]} */ ([]);
  const cluster = {
    read: () => Promise.resolve({ metadata: { resourceVersion: '7' }, webhooks: [{ name: 'a.b.c', failurePolicy: policy }] }),
    tryWrite: () => Promise.resolve(),
    setPolicy: (/** @type {string} */ version, /** @type {string} */ next) => Promise.resolve(void set.push(`${version} ${next}`)),
    ready: () => Promise.resolve(ready),
  };
  return { cluster, set };
}

/** @param {ReturnType<typeof clusterWith>} given @param {object} [change] */
async function ended({ cluster, set }, change = {}) {
  await new Arming({ ...SETTINGS, ...change }, cluster, () => {}).end('slicewise/webhook');
  return set;
}

test('the last replica sets Ignore, and no other', async () => {
  assert.deepEqual(await ended(clusterWith([])), ['7 Ignore']);
  assert.deepEqual(await ended(clusterWith([OWN])), ['7 Ignore']);
  assert.deepEqual(await ended(clusterWith([OWN, '192.0.2.7'])), []);
  assert.deepEqual(await ended(clusterWith([]), { fallback: false }), []);
  assert.deepEqual(await ended(clusterWith([], 'Ignore')), []);
});

test('an end without an API server is an end', async () => {
  const told = /** @type {any[]} */ ([]);
  const { cluster } = clusterWith([]);
  const gone = () => Promise.reject(Object.assign(new Error('ECONNREFUSED'), { code: 0 }));
  await new Arming(SETTINGS, { ...cluster, ready: gone }, (level, message, fields) => told.push({ level, message, ...fields })).end(
    'slicewise/webhook',
  );
  assert.deepEqual(told.map(({ level, state, why }) => [level, state, why]), [['warn', 'cannot check', 'ECONNREFUSED']]);
});

test('what is told once is not told again', async () => {
  const told = /** @type {string[]} */ ([]);
  const { cluster } = clusterWith([], 'Ignore');
  const arming = new Arming(SETTINGS, cluster, (level, message, { state }) => told.push(`${level} ${message} ${state}`));
  assert.deepEqual([await arming.check(), await arming.check(), await arming.check()], ['not refused', 'not refused', 'not refused']);
  assert.deepEqual(told, ['warn not armed not refused']);
});
