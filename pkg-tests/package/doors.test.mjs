/** The answer has the form of the input, for each kind of input; anything else is refused with a typed error. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { BUILDS, ROOT } from './lib/builds.mjs';
import { SMALL, bytesOf, requests, snapshots } from './lib/inputs.mjs';

const decode = (/** @type {Uint8Array} */ bytes) => new TextDecoder().decode(bytes);

/** Inputs that are neither bytes, nor text, nor JSON values. @type {[string, any, string, RegExp][]} */
const REFUSED = [
  ['undefined', undefined, 'InvalidType', /got undefined/],
  ['null', null, 'InvalidType', /got null/],
  ['a number', 7, 'InvalidType', /got a number/],
  ['a boolean', true, 'InvalidType', /got a boolean/],
  ['a symbol', Symbol('x'), 'InvalidType', /got a symbol/],
  ['a function', () => {}, 'InvalidType', /got a function/],
  ['a BigInt', 7n, 'InvalidType', /got a bigint/],
  ['an ArrayBuffer', new ArrayBuffer(8), 'InvalidType', /ArrayBuffer/],
  ['another view', new Float64Array(1), 'InvalidType', /Float64Array/],
  ['a Map', new Map(), 'InvalidType', /Map/],
  ['a promise', Promise.resolve(SMALL), 'InvalidType', /Promise/],
  ['an object that is no JSON', { toJSON: () => undefined }, 'InvalidType', /toJSON/],
  ['a lone surrogate', '{"\ud800": 1}', 'InvalidJson', /surrogate/],
];

for (const { name, load } of BUILDS) {
  describe(name, () => {
    /** @type {import('./lib/builds.mjs').Api} */
    let api;
    before(async () => {
      api = await load();
    });

    it('answers requests alike through all doors', () => {
      for (const input of requests()) {
        const text = decode(input.bytes);
        const answer = decode(api.plan(input.bytes));
        assert.equal(api.plan(text), answer, input.name);
        assert.deepEqual(api.plan(JSON.parse(text)), JSON.parse(answer), input.name);
        assert.equal(api.detect(input.bytes), 'request');
        assert.equal(api.detect(text), 'request');
        assert.equal(api.detect(JSON.parse(text)), 'request');
      }
    });

    it('answers snapshots alike through all doors', () => {
      const options = { maxEndpointsPerSlice: 3 };
      let differing = 0;
      for (const input of snapshots()) {
        const text = decode(input.bytes);
        const answer = decode(api.planSnapshot(input.bytes, options));
        assert.equal(api.planSnapshot(text, JSON.stringify(options)), answer, input.name);
        assert.deepEqual(api.planSnapshot(JSON.parse(text), bytesOf(options)), JSON.parse(answer), input.name);
        differing += Number(answer !== decode(api.planSnapshot(input.bytes)));
      }
      assert.ok(differing > 0, 'options matter');
    });

    it('says where a value cannot be written', () => {
      const pods = [{}, { metadata: { name: 'a', labels: new Map() } }];
      assert.throws(() => api.plan(/** @type {any} */ ({ ...SMALL, pods })), { code: 'InvalidType', path: '/pods/1/metadata/labels' });
      assert.throws(() => api.plan(/** @type {any} */ ({ ...SMALL, pods: [undefined] })), { code: 'InvalidValue', path: '/pods/0' });
      const options = { maxEndpointsPerSlice: 7n };
      assert.throws(() => api.planSnapshot([], /** @type {any} */ (options)), { code: 'InvalidJson', path: '/maxEndpointsPerSlice' });
    });

    it('plans the lists of a cache, whose objects omit their kinds', () => {
      const { items } = JSON.parse(readFileSync(join(ROOT, 'samples/cluster-at-rest.json'), 'utf8'));
      const of = (/** @type {string} */ wanted) => {
        const those = items.filter((/** @type {any} */ { kind }) => kind === wanted);
        return those.map((/** @type {any} */ { apiVersion: _, kind: _kind, ...rest }) => rest);
      };
      const cache = { pods: of('Pod'), nodes: { items: of('Node') }, services: of('Service'), slices: of('EndpointSlice') };
      const { plans } = api.planSnapshot({ kind: 'List', apiVersion: 'v1', items });
      assert.ok(plans.length > 1);
      assert.deepEqual(api.planSnapshot(cache).plans, plans);
      assert.deepEqual(JSON.parse(api.planSnapshot(JSON.stringify(cache))).plans, plans);
      assert.throws(() => api.planSnapshot(/** @type {any} */ ({ pods: [], service: items[0] })), { code: 'UnknownField', path: '/service' });
    });

    it('takes a view into a larger buffer, and a Buffer', () => {
      const bytes = bytesOf(SMALL);
      const padded = new Uint8Array(bytes.length + 20).fill(0x5b);
      padded.set(bytes, 10);
      assert.deepEqual(api.plan(padded.subarray(10, 10 + bytes.length)), api.plan(bytes));
      assert.deepEqual(api.plan(Buffer.from(bytes)), api.plan(bytes));
    });

    it('gives answers that no later call changes', () => {
      const first = api.plan(bytesOf(SMALL));
      const kept = decode(first);
      for (let round = 0; round < 20; round += 1) api.plan(bytesOf({ ...SMALL, pods: [] }));
      assert.equal(decode(first), kept);
    });

    it('leaves its input alone', () => {
      const value = structuredClone(SMALL);
      const bytes = bytesOf(SMALL);
      api.plan(value);
      api.plan(bytes);
      assert.deepEqual(value, SMALL);
      assert.deepEqual(bytes, bytesOf(SMALL));
    });

    for (const [what, input, code, message] of REFUSED) {
      it(`refuses ${what}`, () => {
        for (const call of [api.plan, api.planSnapshot, api.detect]) {
          assert.throws(() => call(input), (/** @type {any} */ error) => {
            assert.ok(error instanceof api.SlicewiseError && error instanceof Error);
            assert.equal(error.name, 'SlicewiseError');
            assert.equal(error.code, code);
            assert.match(error.message, message);
            return true;
          });
        }
      });
    }

    it('gives errors their place', () => {
      const text = '{\n  "service": {},\n  "extra": 1\n}';
      assert.throws(() => api.plan(text), (/** @type {any} */ error) => {
        assert.equal(typeof error.path, 'string');
        assert.ok(error.line >= 1 && error.column >= 1);
        assert.deepEqual(Object.keys(JSON.parse(JSON.stringify(error)).error), ['code', 'message', 'path', 'line', 'column']);
        assert.match(error.stack, /SlicewiseError/);
        return true;
      });
    });

    it('knows its version', async () => {
      const { default: manifest } = await import('slicewise/package.json', { with: { type: 'json' } });
      assert.equal(api.version(), manifest.version);
    });
  });
}
