/** Objects get the same answers as their JSON, and odd values are errors only in fields that are read. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { ADMISSION_BUILDS, BUILDS, SESSION_BUILDS, TOOLS_BUILDS } from './lib/builds.mjs';
import { BAD, SMALL, bytesOf, requests, snapshots } from './lib/inputs.mjs';
import { ODD, PASSED_OVER, asList, mutations, oddPods } from './lib/odd.mjs';

/** @typedef {{[name: string]: any}} Values */

const decode = (/** @type {Uint8Array} */ bytes) => new TextDecoder().decode(bytes);
const valueOf = (/** @type {Uint8Array} */ bytes) => JSON.parse(decode(bytes));
const REQUESTS = requests().map(({ name, bytes }) => ({ name, value: valueOf(bytes) }));
const SNAPSHOTS = snapshots().map(({ name, bytes }) => ({ name, value: valueOf(bytes) }));

/** Bad input that can be expressed as an object. */
const BAD_VALUES = BAD.flatMap(({ name, text }) => {
  try {
    const value = JSON.parse(typeof text === 'string' ? text : decode(text));
    // A value cannot have duplicate keys or infinite numbers.
    const isSame = JSON.stringify(value) === text;
    return isSame && typeof value === 'object' && value !== null ? [{ name, value }] : [];
  } catch {
    return [];
  }
});

/** An answer, or an error; errors without their positions. @param {() => unknown} call */
function outcome(call) {
  try {
    return JSON.stringify(call(), (key, value) => (key === 'error' ? unplaced(value) : value));
  } catch (thrown) {
    assert.equal(/** @type {Values} */ (thrown).name, 'SlicewiseError', String(thrown));
    return JSON.stringify(unplaced(thrown));
  }
}

/** @param {any} error */
function unplaced({ code, message, path }) {
  return { code, message, path };
}

/**
 * All forms of input give the same answer, byte for byte.
 * @param {(input: any) => any} call
 * @param {unknown} value
 * @param {string} name
 */
function check(call, value, name) {
  const expected = outcome(() => valueOf(call(bytesOf(value))));
  assert.equal(outcome(() => JSON.parse(call(JSON.stringify(value)))), expected, `${name} as text`);
  assert.equal(outcome(() => call(value)), expected, `${name} as an object`);
}

/** Like {@link check}, for answers of several lines. @param {(input: any) => any} call @param {unknown} value @param {string} name */
function checkLines(call, value, name) {
  const expected = outcome(() => decode(call(bytesOf(value))).split('\n').filter(Boolean).map((line) => JSON.parse(line)));
  // A proxy answers a line with one line, or with none.
  assert.equal(outcome(() => [call(value)].flat().filter((line) => line !== null)), expected, `${name} as an object`);
}

/** @param {any} object */
function groupOf({ kind }) {
  return { group: kind === 'EndpointSlice' ? 'discovery.k8s.io' : '', version: 'v1', kind };
}

/** @param {Values} thrown @param {string} code @param {RegExp} message */
function isError(thrown, code, message) {
  assert.equal(thrown.name, 'SlicewiseError', String(thrown));
  assert.equal(thrown.code, code, thrown.message);
  assert.match(thrown.message, message);
  assert.deepEqual([thrown.line, thrown.column], [undefined, undefined], 'nobody has seen the text');
  return true;
}

for (const { name, load } of [...BUILDS, ...SESSION_BUILDS, ...TOOLS_BUILDS]) {
  describe(name, () => {
    /** @type {import('./lib/builds.mjs').Api} */
    let api;
    before(async () => {
      api = await load();
    });

    it('answers as the JSON is answered', () => {
      for (const { name: which, value } of REQUESTS) check(api.plan, value, which);
      for (const { name: which, value } of SNAPSHOTS) check(api.planSnapshot, value, which);
      for (const { name: which, value } of REQUESTS) check(api.planSnapshot, asList(value), `${which} as a list`);
    });

    it('refuses as the JSON is refused', () => {
      assert.ok(BAD_VALUES.length > 20);
      for (const { name: which, value } of BAD_VALUES) {
        check(api.plan, value, which);
        check(api.planSnapshot, value, which);
        check(api.planSnapshot, asList(value), `${which} as a list`);
      }
    });

    for (const [what, place, code, message] of ODD) {
      it(`refuses ${what}`, () => {
        const [request, list] = [structuredClone(SMALL), asList(structuredClone(SMALL))];
        const [service, ...pods] = list.items;
        place(request);
        place({ service, pods });
        for (const call of [() => api.plan(request), () => api.planSnapshot(list)]) {
          assert.throws(call, (error) => isError(/** @type {Values} */ (error), code, message));
        }
      });
    }

    it('passes over what it does not read', () => {
      const expected = api.plan(SMALL);
      for (const odd of PASSED_OVER) {
        assert.deepEqual(api.plan(oddPods(odd)), expected);
        assert.deepEqual(api.planSnapshot(asList(oddPods(odd))), api.planSnapshot(asList(SMALL)));
      }
    });

    it('takes objects as JSON.stringify does', () => {
      const [one, other] = SMALL.pods;
      const inherits = Object.create({ kind: 'Service', spec: { nodeName: 'elsewhere' } });
      const like = {
        'a class': Object.assign(new (class Pod {})(), one),
        'no prototype': Object.assign(Object.create(null), one),
        'inherited fields': Object.assign(inherits, { metadata: one.metadata, status: one.status }),
        'hidden fields': Object.defineProperty({ ...one }, 'kind', { value: 'Service', enumerable: false }),
        'a proxy': new Proxy(one, {}),
        'undefined and null': { ...one, kind: undefined, apiVersion: null, status: { ...one.status, phase: null, podIP: undefined } },
        'a Date': { ...one, metadata: { ...one.metadata, deletionTimestamp: new Date(0) } },
        'boxes': { ...one, metadata: { ...one.metadata, name: Object('boxed') } },
        'toJSON, which is told where': { toJSON: (/** @type {string} */ key) => ({ ...one, metadata: { ...one.metadata, uid: `at ${key}` } }) },
        'escapes': { ...one, metadata: { ...one.metadata, uid: '"\\\n\u2028é😀', labels: { ...one.metadata.labels, 'é"': '\u007f' } } },
        'a key like another': { ...one, metadata: JSON.parse(JSON.stringify(one.metadata).replace('"labels":{', '"labels":{"__proto__":"x",')) },
      };
      for (const [what, pod] of Object.entries(like)) {
        const request = { ...SMALL, pods: [pod, other] };
        assert.equal(outcome(() => api.plan(request)), outcome(() => JSON.parse(/** @type {any} */ (api.plan(JSON.stringify(request))))), what);
        const list = { kind: 'List', items: [{ ...SMALL.service, kind: 'Service' }, { kind: 'PodList', items: [pod, other] }] };
        const expected = outcome(() => JSON.parse(/** @type {any} */ (api.planSnapshot(JSON.stringify(list)))));
        assert.equal(outcome(() => api.planSnapshot(list)), expected, what);
      }
    });

    it('may be called by what it reads', () => {
      const within = { ...SMALL.service, get metadata() { return { ...SMALL.service.metadata, uid: api.plan(SMALL).service.name }; } };
      assert.deepEqual(api.plan({ ...SMALL, service: within }).service, { namespace: 'shop', name: 'cart' });
      // The snapshot is written by then, and must not be overwritten.
      const options = { get explain() { return api.plan({ ...SMALL, pods: [] }) && undefined; } };
      assert.deepEqual(api.planSnapshot(asList(SMALL), options), api.planSnapshot(asList(SMALL)));
    });

    it('tells requests from snapshots by their first key', () => {
      const inputs = [
        {},
        [],
        { kind: 'Pod' },
        { extra: 1, kind: 'Pod' },
        { kind: undefined, extra: 1 },
        { metadata: {} },
        { spec: 1, service: 1 },
        [{}],
        { toJSON: () => [] },
      ];
      for (const input of inputs) assert.equal(api.detect(/** @type {any} */ (input)), api.detect(JSON.stringify(input)), JSON.stringify(input));
    });
  });
}

describe('values changed at random', () => {
  it('are answered and refused as their JSON is', async () => {
    const { plan, planSnapshot } = await BUILDS[0].load();
    const { createReviewer } = await ADMISSION_BUILDS[0].load();
    const { Session, Controller, Proxier } = await SESSION_BUILDS[0].load();
    const tools = await TOOLS_BUILDS[0].load();
    const explained = (/** @type {any} */ request) => tools.explain(request);
    /** @template {{free(): void}} Handle @param {() => Handle} make @param {(handle: Handle, input: any) => any} use */
    const once = (make, use) => (/** @type {any} */ input) => {
      const handle = make();
      try {
        return use(handle, input);
      } finally {
        handle.free();
      }
    };
    const applied = once(() => new Session(), (session, events) => session.apply(events));
    const proxied = once(() => new Proxier({ node: 'node-a' }), (proxier, line) => proxier.feed(line));
    const fed = once(() => new Controller(), (controller, line) => controller.feed(line));
    const reviewed = once(() => createReviewer({ snapshot: asList(SMALL) }), (reviewer, review) => reviewer.review(review));
    let refused = 0;
    const small = REQUESTS.filter(({ value }) => JSON.stringify(value).length < 20_000).slice(0, 12);
    for (const { name, value } of small) {
      for (const changed of mutations(value, 60)) {
        check(plan, changed, name);
        check(explained, changed, name);
        refused += Number(outcome(() => plan(changed)).includes('"code":"Invalid'));
      }
      const list = asList(value);
      for (const changed of mutations(list, 40)) {
        for (const call of [planSnapshot, explained, tools.mirrorSnapshot, tools.traffic, applied]) check(call, changed, `${name} as a list`);
      }
      const events = list.items.map((object) => ({ type: 'ADDED', object }));
      for (const changed of mutations(events, 40)) check(applied, changed, `${name} as events`);
      for (const object of list.items.slice(0, 4)) {
        const request = { uid: '1', kind: groupOf(object), operation: 'CREATE', namespace: object.metadata?.namespace ?? 'shop', object };
        const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request };
        for (const changed of mutations(review, 15)) check(reviewed, changed, `${name} in a review`);
        for (const changed of mutations({ type: 'ADDED', object }, 15)) checkLines(proxied, changed, `${name} for a proxy`);
        for (const changed of mutations({ at: 1, event: { type: 'ADDED', object } }, 15)) checkLines(fed, changed, `${name} for a controller`);
      }
    }
    assert.ok(refused > 50, `${refused} of the changes are errors`);
  });
});
