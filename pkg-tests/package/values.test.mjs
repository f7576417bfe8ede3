/** Random values of JavaScript at every function: typed errors, no change of the value, and handles that go on working. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { runInNewContext } from 'node:vm';
import { SlicewiseError, detect, plan, planSnapshot } from 'slicewise';
import { createReviewer } from 'slicewise/admission';
import { Controller, Proxier, Session } from 'slicewise/session';
import { Timeline } from 'slicewise/simulation';
import { diff, explain, glance } from 'slicewise/tools';
import { ROOT } from './lib/builds.mjs';
import { SMALL } from './lib/inputs.mjs';

const CASES = Number(process.env.SLICEWISE_VALUES ?? 3000);

/** Numbers below a limit, the same in each run. @param {number} seed */
function random(seed) {
  let state = seed;
  return (/** @type {number} */ below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return (state >>> 0) % below;
  };
}

const boom = () => {
  throw new Error('boom');
};
const detached = () => {
  const bytes = new Uint8Array(8);
  structuredClone(bytes, { transfer: [bytes.buffer] });
  return bytes;
};
const cyclic = () => {
  /** @type {any} */
  const value = { service: { metadata: { name: 'cart' } } };
  value.service.spec = value;
  return value;
};

/** @typedef {(inner: any) => any} Make */

/** @type {Make[]} */
const ODD = [
  () => undefined,
  () => null,
  () => 0,
  () => -1.5,
  () => NaN,
  () => 7n,
  () => Symbol('x'),
  () => '',
  () => '\ud800',
  () => '{"service":{}}',
  () => boom,
  () => new Date(0),
  () => /x/,
  () => new Map([['app', 'cart']]),
  () => new Set(['cart']),
  () => new Error('no'),
  () => Promise.resolve(1),
  () => new Uint8Array([0x7b, 0x7d]),
  () => new Uint8Array(new SharedArrayBuffer(2)),
  () => new Float64Array(2),
  () => new String('cart'),
  detached,
  cyclic,
  (inner) => [inner],
  (inner) => [undefined, inner],
  (inner) => ({ inner }),
  (inner) => Object.freeze({ maxEndpointsPerSlice: inner, managedBy: 'x' }),
  (inner) => Object.create({ inherited: inner }),
  (inner) => Object.assign(Object.create(null), { service: inner }),
  (inner) => ({ toJSON: () => inner }),
  () => ({ toJSON: boom }),
  () => Object.defineProperty({}, 'service', { get: boom, enumerable: true }),
  () => new Proxy({}, { ownKeys: boom }),
  () => new Proxy({}, { get: boom, getPrototypeOf: boom }),
  (inner) => new Proxy({ service: inner, options: inner }, {}),
  () => runInNewContext('({ service: { metadata: { name: "cart", namespace: "shop" } }, options: {} })'),
  () => runInNewContext('[new Uint8Array(2), new Map()]'),
  (inner) => ({ ...SMALL, options: inner }),
  (inner) => ({ ...SMALL, pods: inner }),
  (inner) => ({ kind: 'List', items: [inner, SMALL.service] }),
  (inner) => ({ type: 'ADDED', object: inner }),
  (inner) => ({ at: 1, event: inner }),
  (inner) => ({ policy: inner, contextAgeSeconds: inner }),
];

/** @param {(below: number) => number} next @param {number} [depth] @returns {any} */
function oddValue(next, depth = 0) {
  const make = /** @type {Make} */ (ODD[next(ODD.length)]);
  return make(depth < 3 ? oddValue(next, depth + 1) : 'cart');
}

/** What can be seen of a value without calling any code of it. @param {any} value @param {any[]} [open] @returns {unknown} */
function seen(value, open = []) {
  if (typeof value !== 'object' || value === null || open.includes(value)) return typeof value === 'symbol' ? 'symbol' : value;
  try {
    const fields = Object.entries(Object.getOwnPropertyDescriptors(value));
    return fields.map(([name, field]) => [name, 'value' in field ? seen(field.value, [...open, value]) : 'accessor', field.writable]);
  } catch {
    return 'closed';
  }
}

describe('random values', () => {
  const session = new Session();
  const controller = new Controller();
  const proxier = new Proxier({ node: 'n-1' });
  const reviewer = createReviewer();
  const timeline = new Timeline({ zones: [{ name: 'a', nodes: 1 }], services: [{ service: 'shop/cart', replicas: 1 }] });

  /** @type {Record<string, (one: any, other: any) => unknown>} */
  const doors = {
    plan,
    planSnapshot,
    detect,
    explain,
    glance,
    diff,
    'new Session': (one, other) => new Session(one, other).free(),
    'Session.restore': (one, other) => Session.restore(one, other).free(),
    'Session.apply': (one) => session.apply(one),
    'Session.sync': (one) => session.sync(one),
    'new Controller': (one, other) => new Controller(one, other).free(),
    'Controller.feed': (one) => controller.feed(one),
    'Controller.due': (one) => controller.due(one),
    'Controller.complete': (one, other) => controller.complete(one, other, 0, other),
    'new Proxier': (one, other) => new Proxier(one, other).free(),
    'Proxier.feed': (one) => proxier.feed(one),
    'new Timeline': (one, other) => new Timeline(one, other).free(),
    'Timeline.next': (one) => timeline.next(one),
    createReviewer: (one) => createReviewer(one).free(),
    'Reviewer.configure': (one) => reviewer.configure(one),
    'Reviewer.review': (one, other) => reviewer.review(one, other),
    'Reviewer.judge': (one, other) => reviewer.judge(one, other),
  };

  for (const [name, door] of Object.entries(doors)) {
    it(`end in an answer or a typed error: ${name}`, () => {
      const next = random(name.length * 7919 + 1);
      let refused = 0;
      for (let number = 0; number < CASES / Object.keys(doors).length; number += 1) {
        const [one, other] = [oddValue(next), oddValue(next)];
        const before = seen([one, other]);
        try {
          door(one, other);
        } catch (error) {
          refused += 1;
          assert.ok(error instanceof SlicewiseError, `${name}: ${error}`);
          assert.notEqual(error.code, 'Internal', `${name}: ${error.message}`);
          assert.match(error.message, /\S/);
        }
        assert.deepEqual(seen([one, other]), before, name);
      }
      assert.ok(refused > 0);
    });
  }

  it('may not call a handle that reads them, which goes on working', () => {
    const own = new Session();
    const event = (/** @type {() => unknown} */ toJSON) => /** @type {any} */ ({ type: 'ADDED', object: { kind: 'Service', metadata: { toJSON } } });
    assert.throws(() => own.apply(event(() => own.services())), { name: 'SlicewiseError', code: 'InvalidValue', message: /session is at work/ });
    assert.throws(() => own.apply(event(() => own.free())), SlicewiseError);
    assert.deepEqual(own.services(), []);
    own.free();
  });

  it('leave all handles as they were', () => {
    const namespaced = { namespace: 'shop', name: 'cart' };
    assert.equal(session.sync('shop/none'), null);
    session.apply({ type: 'ADDED', object: { kind: 'Service', metadata: namespaced } });
    assert.ok(session.services().includes('shop/cart'));
    assert.equal(controller.nextDue(), null);
    assert.equal(proxier.feed({ type: 'ADDED', object: { kind: 'Service', metadata: namespaced } }), null);
    assert.ok(reviewer.status());
    assert.ok(timeline.report());
  });
});

describe('errors', () => {
  it('are of the class of each copy of the package', () => {
    const require = createRequire(import.meta.url);
    const copy = require(join(ROOT, 'npm/node.cjs'));
    assert.notEqual(copy.SlicewiseError, SlicewiseError);
    assert.throws(() => copy.plan({}), SlicewiseError);
    assert.throws(() => plan(/** @type {any} */ ({})), copy.SlicewiseError);
    assert.ok(!(new Error('no') instanceof SlicewiseError));
  });
});
