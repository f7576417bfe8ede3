/** Error positions: line and column in texts; only the path in objects, whose text nobody has seen. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { plan, planSnapshot } from 'slicewise';
import { createReviewer } from 'slicewise/admission';
import { Controller, Proxier, Session } from 'slicewise/session';
import { Timeline } from 'slicewise/simulation';
import { apply, diff, explain, exported, glance, kubernetesService, mirror, mirrorSnapshot, route, traffic, upgrade } from 'slicewise/tools';
import { SMALL } from './lib/inputs.mjs';

/** @typedef {(...inputs: any[]) => unknown} Door */

const BAD_LIST = [{ kind: 'EndpointSlice', metadata: { namespace: 'shop', name: 3 } }];
const ODD_OPTIONS = { maxEndpointsPerSlice: 0 };
const NOTHING = { service: { namespace: 'shop', name: 'cart' }, create: [], update: [], delete: [] };
const reviewer = createReviewer();

/** Functions with one input, and an input that each refuses. @type {Record<string, [Door, unknown]>} */
const SINGLE = {
  plan: [plan, { ...SMALL, options: ODD_OPTIONS }],
  planSnapshot: [planSnapshot, BAD_LIST],
  explain: [explain, BAD_LIST],
  glance: [glance, BAD_LIST],
  route: [route, { service: {}, node: { name: 7 } }],
  traffic: [traffic, { service: {}, reader: 'nobody' }],
  mirror: [mirror, { endpoints: { metadata: 7 } }],
  mirrorSnapshot: [mirrorSnapshot, BAD_LIST],
  kubernetesService: [kubernetesService, { address: 7 }],
  'new Session': [(options) => new Session(options), ODD_OPTIONS],
  'Session.restore': [(dump) => Session.restore(dump), { version: 'none' }],
  'Session.apply': [(events) => new Session().apply(events), { type: 'ADDED', object: { kind: 'Pod', metadata: 7 } }],
  'new Controller': [(config) => new Controller(config), { maxRetries: '3' }],
  'Controller.apply': [(events) => new Controller().apply(events, 0), { type: 'ADDED', object: { kind: 'Pod', metadata: 7 } }],
  'Controller.list': [(list) => new Controller().list(list, 0), { kind: 'PodList', items: [{ metadata: 7 }] }],
  'new Proxier': [(settings) => new Proxier(settings), { node: 7 }],
  'new Timeline': [(scenario) => new Timeline(scenario), { zones: [{ name: 7, nodes: 1 }] }],
  createReviewer: [(config) => createReviewer({ config }), { policies: 7 }],
  'createReviewer, snapshot': [(snapshot) => createReviewer({ snapshot }), BAD_LIST],
  'Reviewer.configure': [(config) => reviewer.configure(config), { policies: 7 }],
  'Reviewer.load': [(snapshot) => reviewer.load(snapshot), BAD_LIST],
  'Reviewer.apply': [(events) => reviewer.apply(events), { type: 'ADDED', object: { kind: 'Pod', metadata: 7 } }],
  'Reviewer.review': [(review) => reviewer.review(review), { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request: { uid: 7 } }],
  'Reviewer.explain': [(review) => reviewer.explain(review), { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request: { uid: 7 } }],
};

/**
 * Functions with two inputs: valid ones, and invalid ones in place of each.
 * @type {Record<string, {door: Door, good: unknown[], bad: unknown[]}>}
 */
const DOUBLE = {
  planSnapshot: { door: planSnapshot, good: [[], {}], bad: [BAD_LIST, ODD_OPTIONS] },
  explain: { door: explain, good: [[], {}], bad: [BAD_LIST, { about: 'nothing' }] },
  glance: { door: glance, good: [SMALL, {}], bad: [{ ...SMALL, options: ODD_OPTIONS }, { from: 'all' }] },
  exported: { door: exported, good: [[], { form: 'yaml' }], bad: [BAD_LIST, { form: 'xml' }] },
  upgrade: { door: upgrade, good: [[], { to: '1.38' }], bad: [BAD_LIST, { to: '1.36' }] },
  diff: { door: diff, good: [[], []], bad: [BAD_LIST, BAD_LIST] },
  apply: { door: apply, good: [NOTHING, []], bad: [{}, BAD_LIST] },
  'new Timeline': { door: (...inputs) => new Timeline(inputs[0], inputs[1]), good: [{ zones: [] }, {}], bad: [{ zones: 7 }, { service: 7 }] },
};

/** @param {() => unknown} call @returns {any} */
function refused(call) {
  try {
    call();
  } catch (error) {
    return error;
  }
  return assert.fail('it was taken');
}

/** @param {any} error */
const placeOf = ({ line, column }) => ({ line, column });
const UNSEEN = { line: undefined, column: undefined };

/** As text with empty lines in front. @param {unknown} value */
const textOf = (value) => `\n\n${JSON.stringify(value)}`;

describe('the place of an error', () => {
  for (const [name, [door, bad]] of Object.entries(SINGLE)) {
    it(`is known in a text, and in an object as a path: ${name}`, () => {
      const [byText, byObject] = [refused(() => door(textOf(bad))), refused(() => door(bad))];
      assert.deepEqual([byObject.code, byObject.path, byObject.message], [byText.code, byText.path, byText.message]);
      assert.ok(byText.path, 'a path');
      assert.deepEqual([byText.line, byText.column > 0], [3, true]);
      assert.deepEqual(placeOf(byObject), UNSEEN);
    });
  }

  for (const [name, { door, good, bad }] of Object.entries(DOUBLE)) {
    for (const at of [0, 1]) {
      it(`is that of the input it is in, whatever the other one is: ${name}, ${at + 1}`, () => {
        const given = good.with(at, bad[at]);
        const expected = placeOf(refused(() => door(...given.map(textOf))));
        assert.equal(expected.line, 3);
        const texts = /** @type {unknown[]} */ (given.map(textOf));
        const [mine, others] = [given.with(at, textOf(bad[at])), texts.with(at, bad[at])];
        assert.deepEqual(placeOf(refused(() => door(...mine))), expected, 'a text beside an object');
        assert.deepEqual(placeOf(refused(() => door(...others))), UNSEEN, 'an object beside a text');
        assert.deepEqual(placeOf(refused(() => door(...given))), UNSEEN, 'an object beside an object');
      });
    }
  }

  it('is told of lines that could not be read, and never of events that came as objects', () => {
    const session = new Session();
    const { errors } = JSON.parse(session.apply('{"kind": "PodList", "items": []}\n{"type": "ADDED"}'));
    assert.deepEqual([errors[0].line, errors[0].error.line], [2, 1]);
    assert.deepEqual(placeOf(refused(() => session.apply([{ type: 'ADDED', object: { kind: 'Pod', metadata: 7 } }]))), UNSEEN);
    const controller = new Controller();
    assert.deepEqual(placeOf(refused(() => controller.due(-1))), UNSEEN);
    assert.deepEqual(placeOf(refused(() => controller.complete('shop/cart', null, 0))), UNSEEN);
    assert.deepEqual(placeOf(refused(() => new Proxier({ node: 'a' }).feed(/** @type {any} */ ({ sync: 7 })))), UNSEEN);
  });
});
