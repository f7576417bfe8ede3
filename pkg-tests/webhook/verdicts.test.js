/** Real reviews over real HTTPS: the built package judges changes of the bundled cluster. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createReviewer, maxReviewBytes } from 'slicewise/admission';
import { POLICIES } from '../../webhook/policies.js';
import { brokenReviews, refusedReviews } from './lib/hostile.js';
import { handSlice, objectOf, reviewOf } from './lib/reviews.js';
import { LIMIT, snapshot, startReal } from './lib/start.js';

const cluster = JSON.parse(new TextDecoder().decode(snapshot()));

/** @param {Record<string, object>} policies */
const withPolicies = (policies) => ({ settings: { policies } });

/** An update of `Service shop/cart`. @param {(service: Record<string, any>) => void} change */
function cartUpdate(change) {
  const [old, object] = [objectOf(cluster, 'Service', 'shop/cart'), objectOf(cluster, 'Service', 'shop/cart')];
  change(object);
  return reviewOf('UPDATE', object, old);
}

const slip = () => cartUpdate(({ spec }) => (spec.selector.app = 'crat'));
const label = () => cartUpdate(({ metadata }) => (metadata.labels.reviewed = 'yes'));

test('allowed, warned, denied', async (t) => {
  const { client, lines } = await startReal(t);
  const allowed = (await client.post(JSON.stringify(label()))).json;
  assert.deepEqual(allowed, {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response: {
      uid: 'uid-of-cart',
      allowed: true,
      status: { code: 200, message: 'Service shop/cart: allowed', details: { name: 'cart', kind: 'Service' } },
      auditAnnotations: { uid: 'uid-of-cart' },
    },
  });

  const denied = (await client.post(JSON.stringify(slip()))).json.response;
  assert.deepEqual([denied.uid, denied.allowed, denied.status.code, denied.status.reason], ['uid-of-cart', false, 403, 'Forbidden']);
  const found =
    /^Service shop\/cart: service-blast-radius\/emptied: all (\d+) ready endpoints would be removed; no pod in namespace shop has app=crat; did you mean app=cart, which \d+ pods have\? \(spec\.selector\)$/
      .exec(
      denied.status.message,
    );
  assert.ok(found, denied.status.message);
  assert.ok(Number(found[1]) > 1);
  assert.deepEqual(denied.status.details.causes.map((/** @type {any} */ cause) => cause.field), ['spec.selector']);
  assert.deepEqual(denied.auditAnnotations, { 'service-blast-radius': 'deny: emptied', 'uid': 'uid-of-cart' });

  const cart = objectOf(cluster, 'Service', 'shop/cart');
  const unselected = { ...cart, spec: { ...cart.spec, selector: undefined } };
  const warned = (await client.post(JSON.stringify(reviewOf('UPDATE', unselected, cart)))).json.response;
  assert.equal(warned.allowed, true);
  assert.deepEqual(warned.warnings, [
    `service-blast-radius/abandoned: Service shop/cart: its ${found[1]} ready endpoints go stale once the Service has no selector, ` +
      'because nothing keeps them up to date; check that this is intended (spec.selector)',
  ]);

  assert.deepEqual(lines.map(({ verdict, policies, kind, name }) => [verdict, ...policies, kind, name]), [
    ['allow', 'Service', 'cart'],
    ['deny', 'service-blast-radius', 'Service', 'cart'],
    ['warn', 'service-blast-radius', 'Service', 'cart'],
  ]);
});

test('a slice by hand', async (t) => {
  const { client } = await startReal(t, withPolicies({ 'slice-addresses': { mode: 'off' } }));
  const existing = cluster.items.find((/** @type {any} */ item) => item.kind === 'EndpointSlice' && item.metadata.namespace === 'shop');
  const service = existing.metadata.labels['kubernetes.io/service-name'];
  const slice = {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 'by-hand', namespace: 'shop', labels: { 'kubernetes.io/service-name': service } },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['203.0.113.7'] }],
    ports: existing.ports,
  };
  const answer = async (/** @type {object} */ changes) =>
    (await client.post(JSON.stringify(reviewOf('CREATE', { ...slice, ...changes })))).json.response;
  assert.equal((await answer({})).allowed, true);
  const causes = async (/** @type {object} */ changes) =>
    (await answer(changes)).status.details.causes.map((/** @type {any} */ cause) => `${cause.message.split(':')[0]} ${cause.field}`);
  assert.deepEqual(await causes({ endpoints: existing.endpoints.slice(0, 1) }), ['slice-shape/duplicate-in-sibling endpoints[0].addresses[0]']);
  assert.deepEqual(await causes({ endpoints: [slice.endpoints[0], slice.endpoints[0]] }), [
    'slice-shape/duplicate-endpoint endpoints[1].addresses[0]',
  ]);
  assert.deepEqual(await causes({ addressType: 'IPv6', endpoints: [{ addresses: ['fd00::1'] }] }), ['slice-shape/service-family addressType']);
  assert.deepEqual(await causes({ ports: [{ name: 'nope', port: 1 }] }), ['slice-shape/service-port ports[0].name']);
  assert.deepEqual(await causes({ metadata: { ...slice.metadata, labels: { 'kubernetes.io/service-name': 'nobody' } } }), [
    'slice-shape/orphan metadata.labels[kubernetes.io/service-name]',
  ]);
  const many = Array.from({ length: 1001 }, (_, index) => ({ addresses: [`203.0.${index >> 8}.${index & 255}`] }));
  assert.deepEqual(await causes({ endpoints: many }), ['slice-shape/too-many-endpoints endpoints']);
});

test('who may write what, and where traffic may go', async (t) => {
  const { client } = await startReal(t);
  const service = objectOf(cluster, 'Service', 'shop/cart');
  const existing = cluster.items.find(
    (/** @type {any} */ item) => item.kind === 'EndpointSlice' && item.metadata.labels['kubernetes.io/service-name'] === 'cart',
  );
  const rules = async (/** @type {object} */ review) => {
    const { allowed, status, warnings = [] } = (await client.post(JSON.stringify(review))).json.response;
    const said = [...(status.details.causes ?? []).map((/** @type {any} */ cause) => cause.message), ...warnings];
    return [allowed, ...said.map((/** @type {string} */ text) => text.split(':')[0])];
  };
  const slice = {
    ...existing,
    metadata: { ...existing.metadata, name: 'by-hand' },
    endpoints: [{ addresses: ['203.0.113.7'] }, { addresses: ['169.254.169.254'] }],
  };
  assert.deepEqual(await rules(reviewOf('CREATE', slice)), [
    false,
    'slice-ownership/forged-manager',
    'slice-addresses/reserved-address',
    'slice-addresses/not-a-pod',
  ]);
  const exposed = { ...service, spec: { ...service.spec, externalIPs: ['203.0.113.7'] } };
  assert.deepEqual(await rules(reviewOf('UPDATE', exposed, service)), [false, 'service-traffic/external-ip']);
  const endpoints = {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { name: 'cart', namespace: 'shop' },
    subsets: [{ addresses: [{ ip: '127.0.0.1' }] }],
  };
  assert.deepEqual(await rules(reviewOf('CREATE', endpoints)), [false, 'endpoints-legacy/reserved-address']);
  const node = cluster.items.find((/** @type {any} */ item) => item.kind === 'Node' && item.metadata.labels['topology.kubernetes.io/zone']);
  const { 'topology.kubernetes.io/zone': _, ...labels } = node.metadata.labels;
  const bare = { ...node, metadata: { ...node.metadata, labels } };
  const [allowed, ...said] = await rules(reviewOf('UPDATE', bare, node));
  assert.equal(allowed, true);
  assert.ok(said.includes('node-topology/hints-lost'), String(said));
});

test('one policy alone, and the modes', async (t) => {
  const { client } = await startReal(t, withPolicies({ 'service-blast-radius': { mode: 'warn' } }));
  const ask = async (/** @type {string} */ path) => (await client.post(JSON.stringify(slip()), path)).json.response;
  for (const path of ['/validate', '/validate/service-blast-radius']) {
    const { allowed, warnings, auditAnnotations } = await ask(path);
    assert.deepEqual([allowed, warnings.length], [true, 1], path);
    assert.deepEqual(auditAnnotations, { 'service-blast-radius': 'would deny: emptied', 'uid': 'uid-of-cart' }, path);
  }
  const { allowed, warnings, auditAnnotations } = await ask('/validate/slice-shape');
  assert.deepEqual([allowed, warnings, auditAnnotations], [true, undefined, { uid: 'uid-of-cart' }]);
});

test('without a snapshot the setting decides, and says so', async (t) => {
  const whenStale = async (/** @type {string} */ value) => {
    const { client } = await startReal(t, {
      ...withPolicies({ 'service-blast-radius': { whenStale: value }, 'service-traffic': { whenStale: value } }),
      snapshot: null,
    });
    return (await client.post(JSON.stringify(slip()))).json.response;
  };
  const warned = await whenStale('warn');
  assert.equal(warned.allowed, true);
  assert.match(warned.warnings[0], /nothing is known about the cluster/);
  assert.equal((await whenStale('deny')).allowed, false);
  assert.equal((await whenStale('allow')).warnings, undefined);
});

test('every policy has its path, and the core knows no other name', () => {
  for (const policy of POLICIES) createReviewer({ config: { policies: { [policy]: { mode: 'audit' } } } }).free();
  assert.throws(() => createReviewer({ config: '{"policies": {"no-such-policy": {}}}' }), { code: 'UnknownField', path: '/policies/no-such-policy' });
});

test('broken reviews: the same strict answer for all, with the place', async (t) => {
  const { client, lines } = await startReal(t);
  const cases = brokenReviews(slip());
  for (const { name, body, code, path } of cases) {
    const { status, json } = await client.post(body);
    assert.deepEqual([status, json.error?.code], [400, code], `${name}: ${JSON.stringify(json)}`);
    assert.ok(json.error.message.length > 5 && json.error.line >= 1 && json.error.column >= 1, name);
    if (path) assert.equal(json.error.path, path, name);
    assert.equal(json.response, undefined, name);
  }
  assert.equal(lines.length, cases.length);
  assert.ok(lines.every(({ verdict, level }) => verdict === 'error' && level === 'warn'));
  assert.equal((await client.post(JSON.stringify(slip()))).json.response.allowed, false, 'the next review is judged as ever');
});

test('names that mean something to JavaScript mean nothing here, and addresses mean what the strictest reads', async (t) => {
  const { client } = await startReal(t);
  const allowed = handSlice(cluster);
  assert.equal((await client.post(JSON.stringify(allowed))).json.response.allowed, true);
  for (const { name, body, rule } of refusedReviews(slip(), allowed)) {
    const { status, json } = await client.post(body);
    assert.deepEqual([status, json.response?.allowed], [200, false], name);
    assert.ok(json.response.status.message.includes(rule), `${name}: ${json.response.status.message}`);
  }
  assert.equal(/** @type {any} */ ({}).allowed, undefined);
});

test('the largest legal objects are judged, and nothing larger is read', LIMIT, async (t) => {
  const { client } = await startReal(t);
  const limit = maxReviewBytes();
  const { request, ...envelope } = handSlice(cluster);
  const object = { ...request.object, metadata: { ...request.object.metadata, annotations: { padding: 'x'.repeat(1 << 20) } } };
  object.endpoints = Array.from({ length: 1000 }, (_, index) => ({ addresses: [`198.51.${100 + (index >> 8)}.${index & 255}`] }));
  const update = { ...envelope, request: { ...request, operation: 'UPDATE', object, oldObject: { ...object, endpoints: [] }, padding: '' } };
  const padded = (/** @type {number} */ size) => {
    update.request.padding = '';
    update.request.padding = 'x'.repeat(size - JSON.stringify(update).length);
    return JSON.stringify(update);
  };
  const { status, json } = await client.post(padded(limit));
  assert.deepEqual([status, json.response?.allowed, json.response?.status.details.causes.length], [200, false, 20]);
  const larger = await client.post(padded(limit + 1));
  assert.deepEqual([larger.status, larger.json.error.code], [413, 'TooLarge']);
});

test('messages name nothing of other namespaces', async (t) => {
  const { client } = await startReal(t);
  // The label value is right in another namespace, and a typo away from one there.
  for (const app of ['postgres', 'postgrse', 'ingres']) {
    const { text, json } = await client.post(JSON.stringify(cartUpdate(({ spec }) => (spec.selector.app = app))));
    assert.equal(json.response.allowed, false);
    assert.doesNotMatch(text.replaceAll(`app=${app}`, ''), /postgres|ingress|edge|data/);
  }
});
