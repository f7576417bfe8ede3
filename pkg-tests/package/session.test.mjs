/** `slicewise/session` in every build: the same plans as fresh requests, with the same bytes everywhere. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import * as main from 'slicewise';
import { SESSION_BUILDS } from './lib/builds.mjs';
import { NATIVE, stream } from './lib/commands.mjs';
import { SMALL, bytesOf, requests, snapshots } from './lib/inputs.mjs';

const decode = (/** @type {Uint8Array} */ bytes) => new TextDecoder().decode(bytes);
const json = (/** @type {Uint8Array} */ bytes) => JSON.parse(decode(bytes));
const REFUSED = { name: 'SlicewiseError' };
const CART = 'shop/cart';

/** @typedef {{type: 'ADDED' | 'MODIFIED' | 'DELETED', object: object}} Event */

/** @param {string} kind @param {any} object @param {Event['type']} [type] @returns {Event} */
function event(kind, object, type = 'ADDED') {
  return { type, object: { kind, apiVersion: kind === 'EndpointSlice' ? 'discovery.k8s.io/v1' : 'v1', ...object } };
}

/** The objects of a request as watch events. @param {any} request */
function eventsOf({ service, pods = [], nodes = [], slices = [] }) {
  return [
    ...nodes.map((/** @type {any} */ each) => event('Node', each)),
    event('Service', service),
    ...pods.map((/** @type {any} */ each) => event('Pod', each)),
    ...slices.map((/** @type {any} */ each) => event('EndpointSlice', each)),
  ];
}

/** @param {unknown[]} values */
const ndjson = (values) => bytesOf(`${values.map((value) => JSON.stringify(value)).join('\n')}\n`);

/** Requests that contain only objects: sessions derive everything else from their history. */
const COMPARABLE = requests()
  .map(({ name, bytes }) => ({ name, request: json(bytes) }))
  .filter(({ request }) => !request.endpoints && !request.state && !request.triggerTime && request.service.spec?.selector)
  // Services and pods belong to one namespace, which a request may leave out.
  .filter(({ request }) => request.service.metadata.namespace);

/** @param {any} request @returns {string} */
const keyOf = ({ service }) => `${service.metadata.namespace}/${service.metadata.name}`;

/** @type {string[]} the native command's answers to the comparable requests */
let expected;
before(async () => {
  expected = await stream(NATIVE, COMPARABLE.map(({ request }) => bytesOf(request)));
});

it('there is something to compare with', () => assert.ok(COMPARABLE.length > 20, String(COMPARABLE.length)));

for (const { name, load } of SESSION_BUILDS) {
  describe(name, () => {
    /** @type {import('./lib/builds.mjs').SessionApi} */
    let api;
    before(async () => {
      api = await load();
    });

    /** A session that knows the small cluster. */
    function small() {
      const session = new api.Session();
      session.apply(eventsOf(SMALL));
      return session;
    }

    it('plans what the native command plans, to the byte', () => {
      for (const [index, { name: which, request }] of COMPARABLE.entries()) {
        const session = new api.Session(request.options ?? undefined);
        session.apply(ndjson(eventsOf(request)));
        assert.equal(decode(session.syncBytes(keyOf(request))), expected[index], which);
        session.free();
      }
    });

    it('plans snapshots as they are planned at once', () => {
      for (const { name: which, bytes } of snapshots()) {
        const session = new api.Session();
        /** @type {{kind: string, items: any[]}} */
        const list = json(bytes);
        // A session records when a Service was added; a snapshot does not show what is new.
        for (const { metadata } of list.items) delete metadata.creationTimestamp;
        session.apply(list);
        const { plans } = main.planSnapshot(list);
        assert.ok(plans.length > 0, which);
        for (const plan of plans) {
          const { namespace, name: service } = plan.service;
          assert.deepEqual(session.sync({ namespace, name: service }), plan, which);
        }
        session.free();
      }
    });

    it('has everything of the main entry', () => {
      const missing = Object.keys(main).filter((each) => each !== 'default' && !(each in api));
      assert.deepEqual(missing, []);
      assert.equal(api.version(), main.version());
      for (const { bytes } of requests()) assert.deepEqual(api.plan(bytes), main.plan(bytes));
      for (const { bytes } of snapshots()) assert.deepEqual(api.planSnapshot(bytes), main.planSnapshot(bytes));
    });

    it('takes events through all doors, and answers in kind', () => {
      const events = eventsOf(SMALL);
      const [bytes, text, value] = [0, 1, 2].map(() => new api.Session());
      const answer = decode(bytes.apply(bytesOf(events)));
      assert.equal(text.apply(JSON.stringify(events)), answer);
      assert.deepEqual(value.apply(events), JSON.parse(answer));
      assert.deepEqual(JSON.parse(answer), { taken: 5, late: 0, unknown: 0, bookmarks: 0, ignored: {}, errors: [] });
      assert.deepEqual(bytes.dump(), text.dump());
      assert.deepEqual(bytes.dump(), value.dump());
      for (const session of [bytes, text, value]) session.free();
    });

    it('answers objects with the fields of the JSON, in its order', () => {
      const [text, value] = [0, 1].map(() => new api.Session());
      const versioned = (/** @type {Event['type'] | 'BOOKMARK'} */ type, /** @type {string} */ resourceVersion, kind = 'Pod') => ({
        type,
        object: { kind, apiVersion: 'v1', metadata: { namespace: 'shop', name: 'one', resourceVersion } },
      });
      const inputs = [
        versioned('ADDED', '9'),
        versioned('MODIFIED', '8'),
        versioned('DELETED', '10', 'Service'),
        versioned('BOOKMARK', '11'),
        versioned('ADDED', '12', 'Secret'),
        versioned('ADDED', ''),
        [versioned('MODIFIED', '13'), versioned('ADDED', '14', 'Node')],
        { kind: 'NodeList', apiVersion: 'v1', metadata: { resourceVersion: '15', continue: 'more' }, items: [] },
      ];
      const answers = (/** @type {(input: any) => unknown} */ apply) =>
        inputs.map((input) => {
          try {
            return apply(input);
          } catch (error) {
            return /** @type {Error} */ (error).message;
          }
        });
      const texts = answers((input) => text.apply(JSON.stringify(input)));
      assert.deepEqual(answers((input) => JSON.stringify(value.apply(input))), texts);
      assert.equal(texts[0], '{"taken":1,"late":0,"unknown":0,"bookmarks":0,"ignored":{},"resourceVersions":{"Pod":"9"},"errors":[]}');
      for (const session of [text, value]) session.free();
    });

    it('takes lines, of which a bad one does not hold up the others', () => {
      const session = new api.Session();
      const [first, ...others] = eventsOf(SMALL).map((each) => JSON.stringify(each));
      const applied = json(session.apply(bytesOf([first, '{"type": "ADDED"}', ...others].join('\n'))));
      assert.equal(applied.taken, 5);
      assert.deepEqual(applied.errors.map((/** @type {any} */ each) => [each.line, each.error.code]), [[2, 'MissingField']]);
      assert.deepEqual(session.services(), [CART]);
      session.free();
    });

    it('follows what happens, and is taken up elsewhere', () => {
      const session = small();
      assert.equal(session.sync(CART)?.stats.endpoints, 2);
      session.apply(event('Pod', SMALL.pods[1], 'DELETED'));
      const dump = session.dump();
      const next = decode(session.syncBytes(CART));
      assert.equal(JSON.parse(next).stats.endpoints, 1);
      for (const input of [dump, decode(dump), json(dump)]) {
        const other = api.Session.restore(input);
        assert.deepEqual(other.dump(), dump);
        assert.equal(decode(other.syncBytes({ namespace: 'shop', name: 'cart' })), next);
        other.free();
      }
      session.apply(event('Service', SMALL.service, 'DELETED'));
      assert.equal(session.sync(CART), null);
      assert.equal(decode(session.syncBytes(CART)), 'null');
      assert.deepEqual(session.services(), []);
      session.free();
    });

    it('leaves out an object that it cannot read, and names it', () => {
      const session = small();
      const unread = event('Pod', { ...SMALL.pods[0], status: { podIPs: [{ ip: 'ten' }] } });
      const { taken, leftOut } = /** @type {any} */ (session.apply([unread, event('Pod', SMALL.pods[1])]));
      assert.equal(taken, 1);
      assert.deepEqual(leftOut.map((/** @type {any} */ each) => [each.name, each.error.code]), [[SMALL.pods[0].metadata.name, 'InvalidValue']]);
      session.free();
    });

    it('refuses what it cannot read, and stays as it was', () => {
      const session = small();
      const kept = session.dump();
      /** @type {[any, string][]} */
      const bad = [
        ['nonsense', 'InvalidJson'],
        [Uint8Array.of(0x7b, 0xff), 'InvalidJson'],
        [[event('Pod', SMALL.pods[0], 'DELETED'), event('Pod', { metadata: {} })], 'MissingField'],
        [{ ...event('Service', SMALL.service), type: 'REMOVED' }, 'InvalidValue'],
        // The output of `kubectl get pods -o json` has no Services, which does not mean that none exist.
        [{ kind: 'List', apiVersion: 'v1', items: SMALL.pods.map((pod) => ({ kind: 'Pod', ...pod })) }, 'InvalidValue'],
        [{ kind: 'PodList', metadata: { continue: 'x' }, items: [] }, 'InvalidValue'],
        [JSON.stringify(event('Pod', SMALL.pods[0]), null, 2).slice(0, -1), 'InvalidJson'],
        [undefined, 'InvalidType'],
        [new Map(), 'InvalidType'],
      ];
      for (const [input, code] of bad) {
        assert.throws(() => session.apply(input), { ...refused(code) }, String(input));
        assert.deepEqual(session.dump(), kept, String(input));
      }
      for (const service of ['cart', 'a/b/c', '', '/', 7, null, undefined, {}, { name: 'cart' }, 'shop/\ud800']) {
        assert.throws(() => session.sync(/** @type {any} */ (service)), REFUSED, String(service));
      }
      assert.throws(() => new api.Session(/** @type {any} */ ({ maxEndpoints: 3 })), refused('UnknownField'));
      for (const dump of ['', '[]', '{"pods": 7}', '{"pods": [{"metadata": {}}]}', '{"nonsense": []}', '{"version": 9}']) {
        assert.throws(() => api.Session.restore(dump), REFUSED, dump);
      }
      assert.throws(() => api.Session.restore(/** @type {any} */ (undefined)), refused('InvalidType'));
      session.free();
    });

    it('takes inputs up to a limit that can be set', () => {
      const events = bytesOf(eventsOf(SMALL));
      const tight = new api.Session(undefined, { maxInputBytes: events.length });
      assert.equal(json(tight.apply(events)).taken, 5);
      assert.throws(() => tight.apply(`${decode(events)} `), refused('TooLarge'));
      assert.throws(() => api.Session.restore(tight.dump(), { maxInputBytes: 10 }), refused('TooLarge'));
      for (const maxInputBytes of [0, -1, 1.5, NaN, 2 ** 32, '7']) {
        assert.throws(() => new api.Session(undefined, /** @type {any} */ ({ maxInputBytes })), refused('InvalidValue'));
      }
      tight.free();
    });

    it('ends with a typed error once it is freed', () => {
      const session = small();
      session.free();
      session.free();
      for (const call of [() => session.apply([]), () => session.sync(CART), () => session.services(), () => session.dump()]) {
        assert.throws(call, { ...refused('Closed'), message: 'this session was freed' });
      }
      const disposable = /** @type {any} */ (small());
      disposable[Symbol.dispose ?? Symbol.for('Symbol.dispose')]();
      assert.throws(() => disposable.dump(), refused('Closed'));
    });
  });
}

/** @param {string} code */
function refused(code) {
  return { ...REFUSED, code };
}
