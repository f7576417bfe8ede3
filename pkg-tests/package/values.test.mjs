/** Random values of JavaScript at every function: typed errors, no change of the value, and handles that go on working. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { runInNewContext } from 'node:vm';
import * as main from 'slicewise';
import * as admission from 'slicewise/admission';
import * as sessions from 'slicewise/session';
import * as simulation from 'slicewise/simulation';
import * as tools from 'slicewise/tools';
import { ROOT } from './lib/builds.mjs';
import { SMALL } from './lib/inputs.mjs';

const { SlicewiseError, plan } = main;
const { createReviewer } = admission;
const { Controller, Proxier, Session } = sessions;
const { Timeline } = simulation;

const CASES = Number(process.env.SLICEWISE_VALUES ?? 6000);

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

const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
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
  () => new SharedArrayBuffer(2),
  () => new ArrayBuffer(2),
  () => new Uint8Array(Reflect.construct(ArrayBuffer, [2, { maxByteLength: 8 }])),
  () => new DataView(new ArrayBuffer(2)),
  () => Object(7n),
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
  (inner) => Proxy.revocable({ inner }, {}).proxy,
  revoked,
  () => new Proxy({ service: {} }, { get: (target, name) => (name === 'service' ? target : boom()) }),
  () => new Proxy({ service: {} }, { getOwnPropertyDescriptor: boom }),
  () => runInNewContext('({ service: { metadata: { name: "cart", namespace: "shop" } }, options: {} })'),
  () => runInNewContext('[new Uint8Array(2), new Map()]'),
  () => runInNewContext('new Uint8Array([0x7b, 0x7d])'),
  () => runInNewContext('new Map([["service", {}]])'),
  () => runInNewContext('new Date(0)'),
  () => runInNewContext('({ get service() { throw new TypeError("boom") } })'),
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

/** Every function of the entries, every class and what it makes of values. @param {Record<string, Record<string, any>>} entries */
function doorsOf(entries) {
  const all = Object.entries(entries).flatMap(([entry, exported]) =>
    Object.entries(exported).map(([name, value]) => ({ name: `${entry}.${name}`, value })),
  );
  const isClass = (/** @type {any} */ value) => value.prototype?.free !== undefined;
  const called = all.filter(({ value }) => typeof value === 'function' && value !== SlicewiseError);
  return Object.fromEntries(
    called.flatMap(({ name, value }) => {
      if (!isClass(value)) return [[name, name.endsWith('.createInstance') ? () => value() : freed(value)]];
      const makers = Object.getOwnPropertyNames(value).filter((each) => typeof value[each] === 'function');
      const made = makers.map((each) => [`${name}.${each}`, freed((...odd) => value[each](...odd))]);
      return [[`new ${name}`, freed((...odd) => new value(...odd))], ...made];
    }),
  );
}

/** Every method of a handle. @param {string} name @param {any} handle */
function methodsOf(name, handle) {
  const methods = new Set();
  for (let holder = handle; holder !== Object.prototype; holder = Object.getPrototypeOf(holder)) {
    for (const each of Object.getOwnPropertyNames(holder)) methods.add(each);
  }
  const called = [...methods].filter((each) => !['constructor', 'free'].includes(each));
  return Object.fromEntries(called.map((each) => [`${name}.${each}`, freed((...odd) => handle[each](...odd))]));
}

/** The call, which takes what there is of an iterator and keeps no handle that it makes. @param {(...odd: any[]) => any} call */
function freed(call) {
  return (/** @type {any[]} */ ...odd) => {
    const made = call(...odd);
    if (typeof made?.free === 'function') made.free();
    else if (typeof made?.next === 'function') made.next();
  };
}

describe('random values', () => {
  const session = new Session();
  const controller = new Controller();
  const proxier = new Proxier({ node: 'n-1' });
  const reviewer = createReviewer();
  const timeline = new Timeline({ zones: [{ name: 'a', nodes: 1 }], services: [{ service: 'shop/cart', replicas: 1 }] });

  const handles = { session, controller, proxier, reviewer, timeline };
  /** @type {Record<string, (...odd: any[]) => any>} */
  const doors = {
    ...doorsOf({ main, tools, sessions, simulation, admission }),
    ...Object.assign({}, ...Object.entries(handles).map(([name, handle]) => methodsOf(name, handle))),
    'list.push': (one) => reviewer.startList().push(one),
    'review.push': (one) => reviewer.startReview()?.push(one),
  };

  it('are given to every function', () => {
    const names = Object.keys(doors);
    const some = ['main.plan', 'tools.exported', 'sessions.Session.restore', 'new simulation.Timeline', 'admission.createHandler', 'reviewer.audit'];
    assert.deepEqual(some.filter((name) => !names.includes(name)), []);
    assert.deepEqual(names.filter((name) => name.includes('._')), []);
  });

  for (const [name, door] of Object.entries(doors)) {
    it(`end in an answer or a typed error: ${name}`, () => {
      const next = random(name.length * 7919 + 1);
      for (let number = 0; number < CASES / Object.keys(doors).length; number += 1) {
        const odd = [oddValue(next), oddValue(next), oddValue(next), oddValue(next)];
        const before = seen(odd);
        try {
          door(...odd);
        } catch (error) {
          assert.ok(error instanceof SlicewiseError, `${name}: ${error}`);
          assert.notEqual(error.code, 'Internal', `${name}: ${error.message}`);
          assert.match(error.message, /\S/);
        }
        assert.deepEqual(seen(odd), before, name);
      }
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
    const copy = require(join(ROOT, 'pkg/entries/node.cjs'));
    assert.notEqual(copy.SlicewiseError, SlicewiseError);
    assert.throws(() => copy.plan({}), SlicewiseError);
    assert.throws(() => plan(/** @type {any} */ ({})), copy.SlicewiseError);
    assert.ok(!(new Error('no') instanceof SlicewiseError));
  });
});
