/** Admission reviews through the handle: alike in every build and through every door. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { BUILDS } from './lib/builds.mjs';
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

/** @type {string | undefined} the first build's answers; the others must give the same bytes */
let first;

for (const { name, load } of BUILDS) {
  describe(name, () => {
    /** @type {import('./lib/builds.mjs').Api} */
    let api;
    before(async () => {
      api = await load();
    });

    it('denies a selector that picks nothing, and allows one that picks the same', () => {
      const reviewer = new api.Reviewer(SNAPSHOT);
      const [denied, allowed] = ['nothing', 'cart'].map((app) => /** @type {any} */ (reviewer.review(review(app))).response);
      assert.equal(denied.uid, 'review-nothing');
      assert.equal(denied.allowed, false);
      assert.ok(denied.status.message.length > 20);
      assert.equal(allowed.uid, 'review-cart');
      assert.equal(allowed.allowed, true);
      reviewer.free();
    });

    it('answers alike through all doors', () => {
      const [bytes, text, object] = [bytesOf(SNAPSHOT), JSON.stringify(SNAPSHOT), SNAPSHOT].map((snapshot) => new api.Reviewer(snapshot));
      const value = review('nothing');
      const answer = decode(bytes.review(bytesOf(value)));
      assert.equal(text.review(JSON.stringify(value)), answer);
      assert.deepEqual(object.review(value), JSON.parse(answer));
      first ??= answer;
      assert.equal(answer, first);
      for (const reviewer of [bytes, text, object]) reviewer.free();
    });

    it('takes a configuration', () => {
      const reviewer = new api.Reviewer(SNAPSHOT, { policies: { 'service-blast-radius': { mode: 'off' } } });
      const answer = /** @type {any} */ (reviewer.review(review('nothing')));
      assert.equal(answer.response.allowed, true);
      reviewer.free();
    });

    it('refuses what it cannot read with typed errors', () => {
      const refused = { name: 'SlicewiseError' };
      assert.throws(() => new api.Reviewer('nonsense'), { ...refused, code: 'InvalidJson' });
      assert.throws(() => new api.Reviewer(SNAPSHOT, { nonsense: true }), { ...refused, code: 'UnknownField' });
      const reviewer = new api.Reviewer(SNAPSHOT);
      for (const input of ['', '{', '{}', '[]', '{"request": 1}']) assert.throws(() => reviewer.review(input), refused);
      assert.throws(() => reviewer.review(/** @type {any} */ (undefined)), { ...refused, code: 'InvalidType' });
      assert.equal(/** @type {any} */ (reviewer.review(review('cart'))).response.allowed, true);
      reviewer.free();
    });

    it('ends with a typed error once it is freed', () => {
      const reviewer = new api.Reviewer();
      reviewer.free();
      reviewer.free();
      assert.throws(() => reviewer.review('{}'), { name: 'SlicewiseError', code: 'Closed' });
      const disposable = /** @type {any} */ (new api.Reviewer());
      disposable[Symbol.dispose ?? Symbol.for('Symbol.dispose')]();
      assert.throws(() => disposable.review('{}'), { code: 'Closed' });
    });
  });
}
