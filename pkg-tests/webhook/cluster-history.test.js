/** Whatever happens to a cluster and the connection: verdicts equal those with a fresh snapshot. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createReviewer } from 'slicewise/admission';
import { FakeApi } from './lib/api-server.js';
import { reviewOf } from './lib/reviews.js';
import { LIMIT } from './lib/start.js';
import { fill, node, pod, service, slice, watch } from './lib/watching.js';

/** @typedef {Record<string, any>} Json */

test('verdicts after any history are those over a snapshot', LIMIT, async (t) => {
  const seed = Number(process.env.SEED ?? 1);
  t.diagnostic(`seed ${seed}`);
  const random = randomOf(seed);
  const api = await FakeApi.start(t);
  fill(api);
  const { reviewer, synced, settled, stateOf } = await watch(t, api);
  await synced();
  const addresses = Array.from({ length: 12 }, (_, number) => `10.0.0.${number + 1}`);
  const names = ['a', 'b', 'c', 'd', 'e'];
  const any = (/** @type {readonly any[]} */ from) => from[Math.floor(random() * from.length)];
  const some = () => addresses.filter(() => random() < 0.3);
  /** @type {(() => void)[]} */
  const changes = [
    () => api.set(pod(any(names), any(addresses), { app: any(['cart', 'till']) })),
    () => api.set(pod(any(names), any(addresses), { app: any(['cart', 'till']) })),
    () => api.set(slice(any(names), some(), any(['cart', 'till']))),
    () => api.set(service(any(['till', 'bank']), any(['cart', 'till', 'crat']))),
    () => api.set(node(any(names), any(['a', 'b']))),
    () => api.remove('Pod', `shop/${any(names)}`),
    () => api.remove('EndpointSlice', `shop/${any(names)}`),
    () => api.remove('Service', `shop/${any(['till', 'bank'])}`),
    () => api.remove('Node', any(names)),
  ];
  /** @type {(() => void)[]} */
  const troubles = [
    () => api.cut(),
    () => api.endWatches(),
    () => (api.cut(), api.compact()),
    () => (api.streams = !api.streams),
    () => api.write('Pod', 'nonsense\n'),
    () => api.bookmark(),
  ];
  for (let round = 0; round < 12; round += 1) {
    for (let step = 0; step < 25; step += 1) {
      any(changes)();
      if (random() < 0.06) any(troubles)();
      if (random() < 0.3) await new Promise((resolve) => setImmediate(resolve));
    }
    await settled();
    const fresh = createReviewer({ snapshot: api.snapshot() });
    for (const review of reviews(api, addresses)) assert.deepEqual(reviewer.review(review), fresh.review(review));
    fresh.free();
  }
  assert.ok(stateOf('Pod').lists > 1, 'something went wrong at least once');
});

/** @param {FakeApi} api @param {string[]} addresses */
function reviews(api, addresses) {
  const items = /** @type {Json[]} */ (JSON.parse(api.snapshot()).items);
  const services = items.filter(({ kind }) => kind === 'Service').flatMap((object) => [
    reviewOf('UPDATE', { ...object, spec: { ...object.spec, selector: { app: 'none' } } }, object),
    reviewOf('DELETE', null, object),
  ]);
  const nodes = items
    .filter(({ kind }) => kind === 'Node')
    .map((object) => reviewOf('UPDATE', { ...object, metadata: { ...object.metadata, labels: {} } }, object));
  const slices = addresses
    .flatMap((address) => [slice('mine', [address]), slice('mine', [address], 'till')])
    .map((object) => reviewOf('CREATE', object));
  return [...services, ...nodes, ...slices];
}

/** A small random generator, so that failures can be reproduced. @param {number} seed */
function randomOf(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
