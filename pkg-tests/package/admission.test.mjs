/** Admission reviews: the same in every build and entry point, with snapshots and events, and in other servers. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { createServer, request as call } from 'node:http';
import { ADMISSION_BUILDS } from './lib/builds.mjs';
import { SMALL, bytesOf } from './lib/inputs.mjs';

const SERVICE = { apiVersion: 'v1', kind: 'Service', ...SMALL.service };
const SNAPSHOT = {
  apiVersion: 'v1',
  kind: 'List',
  items: [
    SERVICE,
    ...SMALL.pods.map((pod) => ({ apiVersion: 'v1', kind: 'Pod', ...pod })),
    ...SMALL.nodes.map((node) => ({ apiVersion: 'v1', kind: 'Node', ...node })),
  ],
};

/** A change of the Service's selector. @param {string} app */
function review(app) {
  const object = { ...SERVICE, spec: { ...SERVICE.spec, selector: { app } } };
  return {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid: `review-${app}`,
      kind: { group: '', version: 'v1', kind: 'Service' },
      resource: { group: '', version: 'v1', resource: 'services' },
      name: 'cart',
      namespace: 'shop',
      operation: 'UPDATE',
      userInfo: { username: 'someone' },
      object,
      oldObject: SERVICE,
      dryRun: false,
    },
  };
}

const decode = (/** @type {Uint8Array} */ bytes) => new TextDecoder().decode(bytes);

const TYPED = { 'content-type': 'application/json' };

/** @type {string | undefined} the first build's answers; the others must give the same bytes */
let first;

for (const { name, load } of ADMISSION_BUILDS) {
  describe(name, () => {
    /** @type {import('./lib/builds.mjs').AdmissionApi} */
    let api;
    before(async () => {
      api = await load();
    });

    it('denies a selector that picks nothing, and allows one that picks the same', () => {
      const reviewer = api.createReviewer({ snapshot: SNAPSHOT });
      const [denied, allowed] = ['nothing', 'cart'].map((app) => /** @type {any} */ (reviewer.reviewObject(review(app))).response);
      assert.equal(denied.uid, 'review-nothing');
      assert.equal(denied.allowed, false);
      assert.ok(denied.status.message.length > 20);
      assert.equal(allowed.uid, 'review-cart');
      assert.equal(allowed.allowed, true);
      reviewer.free();
    });

    it('judges whole objects by expressions, and keeps its configuration where another cannot work', () => {
      const rule = (/** @type {string} */ expression) => ({
        policies: { expression: { validations: [{ name: 'rule', expression, message: 'as the rule says', on: { kinds: ['Service'] } }] } },
      });
      const reviewer = api.createReviewer({ config: rule("!has(object.spec.unheardOf) || object.spec.unheardOf.depth == 2.5"), snapshot: SNAPSHOT });
      const value = review('cart');
      assert.equal(/** @type {any} */ (reviewer.review(value)).response.allowed, true);
      const spec = { ...value.request.object.spec, unheardOf: { depth: 3 } };
      const changed = { ...value, request: { ...value.request, object: { ...value.request.object, spec } } };
      const { response } = /** @type {any} */ (reviewer.review(changed));
      assert.equal(response.status.message, 'Service shop/cart: expression/rule: as the rule says (metadata)');
      assert.deepEqual(/** @type {any} */ (reviewer.review(JSON.parse(JSON.stringify(changed)))).response, response);
      assert.throws(() => reviewer.configure(rule('objekt.spec')), { code: 'InvalidValue', path: '/policies/expression/validations/0/expression' });
      assert.equal(/** @type {any} */ (reviewer.review(changed)).response.allowed, false);
      reviewer.configure({});
      assert.equal(/** @type {any} */ (reviewer.review(changed)).response.allowed, true);
      reviewer.free();
    });

    it('survives expressions and objects that were made to cost', () => {
      const config = (/** @type {string} */ expression) => ({
        policies: { expression: { validations: [{ name: 'rule', expression, on: { kinds: ['Service'] } }] } },
      });
      const value = review('cart');
      const spec = { ...value.request.object.spec, list: Array(100_000).fill('aaaaaaaaaa') };
      const hostile = { ...value, request: { ...value.request, object: { ...value.request.object, spec } } };
      const nested = (/** @type {number} */ depth) => `${'('.repeat(depth)}1${')'.repeat(depth)} == 1`;
      for (const expression of [
        nested(47),
        `1${' + 1'.repeat(90)} > 0`,
        'object.spec.list.all(a, a in object.spec.list)',
        "object.spec.list.all(a, object.spec.list.join(a).matches('(a|b|ab)+c') == false)",
      ]) {
        const reviewer = api.createReviewer({ config: config(expression), snapshot: SNAPSHOT });
        assert.equal(typeof /** @type {any} */ (reviewer.review(hostile)).response.allowed, 'boolean', expression);
        reviewer.free();
      }
      for (const expression of [
        nested(2000),
        '['.repeat(4000),
        '!'.repeat(4000),
        'a?b:'.repeat(1000),
        `object${'.a'.repeat(2000)}`,
        `1${' + 1'.repeat(900)}`,
        'é',
        "'",
        '\u0000',
      ]) {
        assert.throws(() => api.createReviewer({ config: config(expression) }), { code: 'InvalidValue' }, expression.slice(0, 40));
      }
    });

    it('answers alike through all doors', () => {
      const [bytes, text, object] = [bytesOf(SNAPSHOT), JSON.stringify(SNAPSHOT), SNAPSHOT].map((snapshot) => api.createReviewer({ snapshot }));
      const value = review('nothing');
      const answer = decode(bytes.review(bytesOf(value)));
      assert.equal(text.review(JSON.stringify(value)), answer);
      assert.deepEqual(object.review(value), JSON.parse(answer));
      const judged = bytes.judge(bytesOf(value));
      assert.equal(decode(judged.answer), answer);
      const { reason, ...record } = judged.record;
      assert.deepEqual(record, {
        verdict: 'deny',
        uid: 'review-nothing',
        kind: 'Service',
        namespace: 'shop',
        name: 'cart',
        user: 'someone',
        groups: 0,
        operation: 'UPDATE',
        dryRun: false,
        policies: ['service-blast-radius'],
      });
      assert.equal(reason, JSON.parse(answer).response.status.message);
      const audited = bytes.audit(bytesOf(value));
      assert.deepEqual([decode(audited.answer), audited.record], [answer, judged.record], 'of a review, it is the review');
      const explained = object.explain(value);
      assert.deepEqual([explained.response, explained.contextAgeSeconds], [JSON.parse(answer).response, null]);
      assert.deepEqual(JSON.parse(text.explain(JSON.stringify(value))), explained);
      const service = { ...value.request.object, metadata: { ...value.request.object.metadata, uid: 'u' } };
      assert.match(object.explain(service).text, /^Creation of Service \S+: /);
      first ??= answer;
      assert.equal(answer, first);
      for (const reviewer of [bytes, text, object]) reviewer.free();
    });

    it('knows what lists and events have told, and says what it does not know', () => {
      const reviewer = api.createReviewer();
      const warnings = () => /** @type {any} */ (reviewer.review(review('nothing'))).response.warnings;
      assert.match(warnings()[0], /nothing is known about the cluster/);
      const of = (/** @type {string} */ kind) => SNAPSHOT.items.filter((item) => item.kind === kind);
      const list = (/** @type {string} */ kind) => ({ kind: `${kind}List`, apiVersion: 'v1', items: of(kind) });
      reviewer.apply(JSON.stringify(list('Pod')));
      assert.match(warnings()[0], /the cluster's Nodes are unknown/);
      for (const node of of('Node')) reviewer.apply({ type: 'ADDED', object: node });
      assert.match(warnings()[0], /the cluster's Nodes are unknown/);
      const end = { kind: 'Node', apiVersion: 'v1', metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } };
      assert.equal(reviewer.apply([{ type: 'BOOKMARK', object: end }]).bookmarks, 1);
      const over = /** @type {any} */ (api.createReviewer({ snapshot: SNAPSHOT }).review(review('nothing')));
      assert.deepEqual(reviewer.review(review('nothing')), over);
      assert.deepEqual(reviewer.status().kinds.Pod, { known: true, objects: SMALL.pods.length, leftOut: 0 });
      assert.equal(reviewer.status().kinds.Service.known, false);
      const old = /** @type {any} */ (reviewer.review(review('nothing'), { contextAgeSeconds: 61.5 })).response;
      assert.match(old.warnings[0], /61 s old, more than the limit of 60 s/);
      reviewer.free();
    });

    it('takes a list in pieces, and forgets what is gone with the last one', () => {
      for (const form of [bytesOf, JSON.stringify, (/** @type {any} */ value) => value]) {
        const reviewer = api.createReviewer({ snapshot: SNAPSHOT });
        const told = (/** @type {any} */ value) => {
          const applied = reviewer.apply(form(value));
          return /** @type {any} */ (
            typeof applied === 'string' ? JSON.parse(applied) : applied instanceof Uint8Array ? JSON.parse(decode(applied)) : applied
          );
        };
        const pods = () => reviewer.status().kinds.Pod;
        const page = (/** @type {any[]} */ items, /** @type {string} */ rest) => ({
          kind: 'PodList',
          apiVersion: 'v1',
          metadata: { resourceVersion: '80', continue: rest },
          items,
        });
        const named = (/** @type {string} */ of) => ({
          ...SMALL.pods[0],
          kind: 'Pod',
          metadata: { name: of, namespace: 'shop', resourceVersion: '7' },
        });
        assert.throws(() => told(page([named('a')], 'more')), { code: 'InvalidValue', path: '/metadata/continue', message: /"LISTING"/ });
        const begin = { type: 'LISTING', object: { kind: 'Pod', apiVersion: 'v1' } };
        told(begin);
        told(page([named('ghost')], 'more'));
        told(begin);
        assert.equal(told(page([named('a'), named('b')], 'more')).continue, 'more');
        assert.deepEqual(pods(), { known: true, objects: SMALL.pods.length + 3, leftOut: 0 }, 'what was known is known still');
        const { listed, resourceVersions, ...rest } = told(page([named('c')], ''));
        assert.deepEqual([listed, resourceVersions, rest.continue], [['Pod'], { Pod: '80' }, undefined]);
        assert.equal(pods().objects, 3);
        told(begin);
        assert.equal(told({ type: 'ADDED', object: named('d') }).resourceVersions, undefined);
        const end = { kind: 'Pod', metadata: { resourceVersion: '90', annotations: { 'k8s.io/initial-events-end': 'true' } } };
        assert.deepEqual(told({ type: 'BOOKMARK', object: end }).resourceVersions, { Pod: '90' });
        assert.equal(pods().objects, 1);
        const gone = { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'too old', reason: 'Expired', code: 410 };
        assert.deepEqual(told({ type: 'ERROR', object: gone }).ended, { code: 410, reason: 'Expired', message: 'too old' });
        reviewer.free();
      }
    });

    it('asks one policy, or as it is configured', () => {
      const reviewer = api.createReviewer({ snapshot: SNAPSHOT });
      const allowed = (/** @type {any} */ asking = undefined) => /** @type {any} */ (reviewer.review(review('nothing'), asking)).response.allowed;
      const names = () => api.policies().map((policy) => policy.name);
      assert.ok(names().includes('service-blast-radius'));
      for (const policy of names()) assert.equal(allowed({ policy }), policy !== 'service-blast-radius');
      reviewer.configure({ policies: { 'service-blast-radius': { mode: 'off' } } });
      assert.equal(allowed(), true);
      assert.throws(() => reviewer.configure('{"policies": {"service-blast-radius": {"mode": "on"}}}'), {
        code: 'InvalidValue',
        path: '/policies/service-blast-radius/mode',
      });
      assert.equal(allowed(), true, 'the configuration before counts');
      reviewer.configure();
      assert.equal(allowed(), false);
      reviewer.free();
    });

    it('refuses what it cannot read with typed errors', () => {
      const refused = { name: 'SlicewiseError' };
      assert.throws(() => api.createReviewer({ snapshot: 'nonsense' }), { ...refused, code: 'InvalidJson' });
      assert.throws(() => api.createReviewer({ config: '{"nonsense": true}' }), { ...refused, code: 'UnknownField' });
      assert.throws(() => api.createReviewer(/** @type {any} */ ({ cluster: [] })), { ...refused, code: 'UnknownField', path: '/cluster' });
      const reviewer = api.createReviewer({ snapshot: SNAPSHOT });
      for (const input of ['', '{', '{}', '[]', '{"request": 1}']) assert.throws(() => reviewer.review(input), refused);
      assert.throws(() => reviewer.review(/** @type {any} */ (undefined)), { ...refused, code: 'InvalidType' });
      const unknown = { ...refused, code: 'InvalidValue', message: /there is no policy `no-such`; the policies are slice-ownership, / };
      assert.throws(() => reviewer.review('{}', { policy: 'no-such' }), unknown);
      for (const asking of [{ age: 3 }, { contextAgeSeconds: -1 }, { policy: 7 }]) {
        assert.throws(() => reviewer.review('{}', /** @type {any} */ (asking)), refused);
      }
      assert.equal(/** @type {any} */ (reviewer.review(review('cart'))).response.allowed, true);
      reviewer.free();
    });

    it('ends with a typed error once it is freed', () => {
      const reviewer = api.createReviewer();
      reviewer.free();
      reviewer.free();
      assert.throws(() => reviewer.review('{}'), { name: 'SlicewiseError', code: 'Closed' });
      const disposable = /** @type {any} */ (api.createReviewer());
      disposable[Symbol.dispose ?? Symbol.for('Symbol.dispose')]();
      assert.throws(() => disposable.review('{}'), { code: 'Closed' });
    });
  });
}

describe('a handler for others', () => {
  /** @type {import('./lib/builds.mjs').AdmissionApi} */
  let api;
  before(async () => {
    api = await ADMISSION_BUILDS[0].load();
  });

  it('is a Request to a Response', async () => {
    const told = /** @type {unknown[]} */ ([]);
    const onReview = (/** @type {any} */ { verdict }, /** @type {number} */ status) => told.push([verdict, status]);
    const handler = api.createHandler(api.createReviewer({ snapshot: SNAPSHOT }), { onReview });
    const post = async (/** @type {RequestInit} */ more) => {
      const response = /** @type {Response} */ (
        await handler(new Request('https://localhost/validate', { method: 'POST', headers: TYPED, ...more }))
      );
      return { status: response.status, json: await response.json(), headers: response.headers };
    };
    const denied = await post({ body: JSON.stringify(review('nothing')) });
    assert.deepEqual([denied.status, denied.json.response.allowed], [200, false]);
    const codeOf = async (/** @type {RequestInit} */ more) => {
      const { status, json } = await post(more);
      return [status, json.error.code];
    };
    assert.deepEqual(await codeOf({ body: '{' }), [400, 'InvalidJson']);
    assert.deepEqual(await codeOf({ body: '{}', headers: { 'content-type': 'text/plain' } }), [415, 'UnsupportedMediaType']);
    assert.deepEqual(await codeOf({ body: '{}', headers: { ...TYPED, 'content-encoding': 'gzip' } }), [415, 'UnsupportedMediaType']);
    assert.deepEqual(await codeOf({ method: 'PUT', body: '{}' }), [405, 'MethodNotAllowed']);
    assert.deepEqual(await codeOf({ body: 'x'.repeat(api.maxReviewBytes() + 1) }), [413, 'TooLarge']);
    assert.deepEqual(told, [['deny', 200], ['error', 400]]);
  });

  it('answers the same whatever becomes of the log, and refuses options that mean nothing', async () => {
    const reviewer = api.createReviewer({ snapshot: SNAPSHOT });
    const statusOf = async (/** @type {any} */ options) => {
      const request = new Request('https://localhost/', { method: 'POST', headers: TYPED, body: JSON.stringify(review('nothing')) });
      return /** @type {Response} */ (await api.createHandler(reviewer, options)(request)).status;
    };
    const { error } = console;
    const logged = /** @type {unknown[]} */ ([]);
    console.error = (...args) => logged.push(args);
    const onReview = () => {
      throw new Error('the disk is full');
    };
    assert.equal(await statusOf({ onReview }), 200);
    assert.equal(await statusOf({ contextAgeSeconds: () => -1 }), 500);
    console.error = error;
    assert.equal(logged.length, 1);
    for (const options of [{ polcy: 'x' }, { maxBytes: '9MiB' }, { onReview: 1 }]) {
      assert.throws(() => api.createHandler(reviewer, /** @type {any} */ (options)), { name: 'SlicewiseError' });
    }
    assert.throws(() => api.createHandler(/** @type {any} */ ({})), { code: 'InvalidValue' });
    reviewer.free();
  });

  it('is a listener of Node, behind every parser as well', async (t) => {
    const handler = api.createHandler(api.createReviewer({ snapshot: SNAPSHOT }), { maxBytes: 100_000 });
    const parsers = {
      none: null,
      bytes: (/** @type {Buffer} */ bytes) => bytes,
      text: String,
      json: (/** @type {Buffer} */ bytes) => JSON.parse(String(bytes)),
      discarding: () => undefined,
    };
    /** @type {keyof typeof parsers} */
    let parser = 'none';
    const server = createServer(async (request, response) => {
      const parse = parsers[parser];
      if (parse === null) return handler(request, response);
      const chunks = [];
      for await (const chunk of request) chunks.push(chunk);
      return handler(Object.assign(request, { body: parse(Buffer.concat(chunks)) }), response);
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)));
    t.after(() => server.close());
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
    const post = async (/** @type {string} */ body) => {
      const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers: TYPED, body });
      return { status: response.status, json: await response.json() };
    };
    for (parser of /** @type {const} */ (['none', 'bytes', 'text', 'json'])) {
      const { status, json } = await post(JSON.stringify(review('nothing')));
      assert.deepEqual([status, json.response?.allowed], [200, false], parser);
      assert.equal((await post('{}')).status, 400, parser);
    }
    const { error } = console;
    console.error = () => {};
    parser = 'discarding';
    const lost = await post(JSON.stringify(review('nothing')));
    console.error = error;
    assert.deepEqual([lost.status, lost.json.error.code], [500, 'Internal']);
    assert.match(lost.json.error.message, /read the review before/);
    parser = 'none';
    assert.equal((await post(`{"a":"${'x'.repeat(100_000)}"}`)).status, 413);
    // A client that disconnects gets no verdict, and the server keeps running.
    const broken = call({ port, host: '127.0.0.1', method: 'POST', headers: { ...TYPED, 'content-length': 50 } });
    broken.on('error', () => {});
    broken.write('{"apiVersion":');
    await new Promise((resolve) => setTimeout(resolve, 20));
    broken.destroy();
    assert.equal((await post(JSON.stringify(review('cart')))).json.response.allowed, true);
  });
});
