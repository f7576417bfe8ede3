/** The module's memory, which never shrinks, does not grow with the number of calls. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { BAD, SMALL, bytesOf, requests, snapshots } from './lib/inputs.mjs';

const CALLS = 10_000;

describe('memory', () => {
  /** @type {WebAssembly.Memory} */
  let memory;
  /** @type {typeof import('slicewise')} */
  let api;

  before(async () => {
    // The glue keeps the instance to itself, so it is caught when it is made.
    const Instance = WebAssembly.Instance;
    WebAssembly.Instance = /** @type {any} */ (
      function catching(/** @type {WebAssembly.Module} */ module, /** @type {WebAssembly.Imports} */ imports) {
        const instance = new Instance(module, imports);
        memory = /** @type {WebAssembly.Memory} */ (instance.exports.memory);
        return instance;
      }
    );
    api = await import('slicewise');
    WebAssembly.Instance = Instance;
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

  /** @param {(round: number) => void} round */
  function growth(round) {
    for (let index = 0; index < 200; index += 1) round(index);
    const before10k = memory.buffer.byteLength;
    for (let index = 0; index < CALLS; index += 1) round(index);
    return memory.buffer.byteLength - before10k;
  }

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

  it(`is the same after ${CALLS} reviewers`, () => {
    const snapshot = bytesOf({ kind: 'List', apiVersion: 'v1', items: SMALL.nodes.map((each) => ({ apiVersion: 'v1', kind: 'Node', ...each })) });
    assert.equal(growth(() => new api.Reviewer(snapshot).free()), 0);
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
