/** The modules' memory, which never shrinks, does not grow with the number of calls. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { BAD, SMALL, bytesOf, requests, snapshots } from './lib/inputs.mjs';

const CALLS = 10_000;

/**
 * Loads an entry of the package, and captures its memory, because the glue does not export the instance.
 * @template Api
 * @param {() => Promise<Api>} load
 */
async function loadWithMemory(load) {
  /** @type {WebAssembly.Memory | undefined} */
  let memory;
  const Instance = WebAssembly.Instance;
  WebAssembly.Instance = /** @type {any} */ (
    function catching(/** @type {WebAssembly.Module} */ module, /** @type {WebAssembly.Imports} */ imports) {
      const instance = new Instance(module, imports);
      memory = /** @type {WebAssembly.Memory} */ (instance.exports.memory);
      return instance;
    }
  );
  const api = await load();
  WebAssembly.Instance = Instance;
  assert.ok(memory);
  return { api, memory };
}

/** @param {WebAssembly.Memory} memory @param {(round: number) => void} round */
function growthOf(memory, round) {
  for (let index = 0; index < 200; index += 1) round(index);
  const before10k = memory.buffer.byteLength;
  for (let index = 0; index < CALLS; index += 1) round(index);
  return memory.buffer.byteLength - before10k;
}

describe('memory', () => {
  /** @type {WebAssembly.Memory} */
  let memory;
  /** @type {typeof import('slicewise')} */
  let api;

  before(async () => {
    ({ api, memory } = await loadWithMemory(() => import('slicewise')));
  });

  /** @param {() => unknown} call */
  function tolerant(call) {
    try {
      call();
    } catch (error) {
      assert.ok(error instanceof api.SlicewiseError, String(error));
      assert.notEqual(error.code, 'Internal', error.message);
    }
  }

  const growth = (/** @type {(round: number) => void} */ round) => growthOf(memory, round);

  it(`is the same after ${CALLS} plans of all sizes`, () => {
    const inputs = requests().filter(({ bytes }) => bytes.length < 60_000);
    assert.equal(growth((round) => api.plan(inputs[round % inputs.length].bytes)), 0);
  });

  it(`is the same after ${CALLS} errors`, () => {
    const inputs = BAD.map(({ text }) => text).filter((text) => text.length < 10_000);
    assert.equal(growth((round) => tolerant(() => api.plan(/** @type {any} */ (inputs[round % inputs.length])))), 0);
  });

  it('is the same after 200 snapshots', () => {
    const [{ bytes }] = snapshots();
    for (let round = 0; round < 5; round += 1) api.planSnapshot(bytes);
    const start = memory.buffer.byteLength;
    for (let round = 0; round < 200; round += 1) api.planSnapshot(bytes);
    assert.equal(memory.buffer.byteLength, start);
  });

  it('survives 100 MB of input', () => {
    const huge = Buffer.alloc(100 * 1024 * 1024, 0x20);
    tolerant(() => api.plan(huge));
    huge.fill(0x5b);
    tolerant(() => api.plan(huge));
    huge.fill(0x61);
    huge.write('{"service": "');
    tolerant(() => api.plan(huge));
    assert.equal(api.plan(SMALL).service.name, 'cart');
  });
});

describe('memory of sessions', () => {
  /** @type {WebAssembly.Memory} */
  let memory;
  /** @type {typeof import('slicewise/session')} */
  let api;

  before(async () => {
    ({ api, memory } = await loadWithMemory(() => import('slicewise/session')));
  });

  /** @param {string} type @param {string} kind @param {object} object */
  const event = (type, kind, object) => ({ type, object: { kind, apiVersion: 'v1', ...object } });
  const events = bytesOf([
    ...SMALL.nodes.map((each) => event('ADDED', 'Node', each)),
    event('ADDED', 'Service', SMALL.service),
    ...SMALL.pods.map((each) => event('ADDED', 'Pod', each)),
  ]);

  it(`is the same after ${CALLS} sessions`, () => {
    const round = () => {
      const session = new api.Session();
      session.apply(events);
      session.syncBytes('shop/cart');
      const other = api.Session.restore(session.dump());
      assert.throws(() => other.apply('{'), { code: 'InvalidJson' });
      session.free();
      other.free();
    };
    assert.equal(growthOf(memory, round), 0);
  });

  it(`is the same after ${CALLS} controllers`, () => {
    const round = () => {
      const controller = new api.Controller();
      controller.apply(events, 10);
      controller.due(10_000);
      controller.free();
    };
    assert.equal(growthOf(memory, round), 0);
  });

  it(`is the same after ${CALLS} pods that came and went`, () => {
    const session = new api.Session();
    session.apply(events);
    const round = (/** @type {number} */ index) => {
      const pod = { ...SMALL.pods[0], metadata: { ...SMALL.pods[0].metadata, name: `cart-${index}`, uid: `uid-${index}` } };
      session.apply(bytesOf(event('ADDED', 'Pod', pod)));
      session.syncBytes('shop/cart');
      session.apply(bytesOf(event('DELETED', 'Pod', pod)));
      session.syncBytes('shop/cart');
    };
    assert.equal(growthOf(memory, round), 0);
    session.free();
  });
});
