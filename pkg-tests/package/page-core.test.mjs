/** What the page asks the main module: the overview and the plans from one read equal those from two. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { edit, glance, look, partners } from '#page';
import { plan, planSnapshot } from 'slicewise';
import { ROOT } from './lib/builds.mjs';

const read = (/** @type {string} */ name) => readFileSync(join(ROOT, name));
const text = (/** @type {Uint8Array} */ bytes) => new TextDecoder().decode(bytes);
const REQUEST = read('www/samples/eleven-endpoints.json');
const SNAPSHOT = read('samples/cluster-at-rest.json');

it('a request: what `glance` and `plan` say', () => {
  const looked = look(REQUEST, { from: 3, to: 24, endpoints: 10 });
  assert.equal(text(looked.line), `{"glance":${text(glance(REQUEST, { from: 3, to: 24, endpoints: 10 }))},"hints":["off"]}`);
  assert.equal(text(looked.plans), text(plan(REQUEST)));
});

it('a snapshot: the Service that is named, or one in which something is written', () => {
  const plans = planSnapshot(SNAPSHOT);
  const services = JSON.parse(text(plans)).plans.map((/** @type {any} */ each) => each.service);
  const named = services.at(-1);
  const service = `${named.namespace}/${named.name}`;
  const looked = look(SNAPSHOT, { service });
  assert.equal(text(looked.line).slice(0, text(looked.line).lastIndexOf(',"hints":[')), `{"glance":${text(glance(SNAPSHOT, { service }))}`);
  assert.equal(JSON.parse(text(looked.line)).hints.length, services.length);
  assert.equal(text(looked.plans), text(plans));
  const { line } = look(SNAPSHOT, { service: 'nowhere/none' });
  assert.ok(services.some((/** @type {any} */ { name }) => name === JSON.parse(text(line)).glance.service.name));
  const nothing = look(new TextEncoder().encode('{"kind":"List","items":[]}'), {});
  assert.equal(text(nothing.line), '{"glance":null,"hints":[]}');
  assert.deepEqual(JSON.parse(text(nothing.plans)).plans, []);
});

it('counts come in blocks, of which one holds the count there is', () => {
  const { range, counts, ready } = JSON.parse(text(look(REQUEST, { width: 22 }).line)).glance;
  assert.deepEqual([range, counts.length, ready], [[3, 24], 22, 11]);
  const wide = JSON.parse(text(look(REQUEST, { width: 5 }).line)).glance;
  assert.deepEqual(wide.range, [8, 12]);
});

it('options of the question are those of the plans; what is wrong is said as `plan` says it', () => {
  const off = JSON.parse(text(look(REQUEST, { options: { topologyHints: false } }).plans));
  assert.ok(off.hints.every((/** @type {any} */ { applied }) => !applied));
  const bad = new TextEncoder().encode('{"service": {"metadata": {"name": "cart"}},\n "pods": 7}');
  const errorOf = (/** @type {() => unknown} */ call) => {
    try {
      call();
    } catch (error) {
      return JSON.stringify(error);
    }
    return assert.fail('nothing was thrown');
  };
  assert.equal(errorOf(() => look(bad, {})), errorOf(() => plan(bad)));
  assert.throws(() => look(REQUEST, { options: { maxEndpointsPerSlice: 0 } }), { code: 'InvalidValue', path: '/options/maxEndpointsPerSlice' });
  assert.throws(() => look(REQUEST, { width: 0 }), { code: 'InvalidValue', path: '/width' });
});

it('edits are changes of the input, and endpoints are paired', () => {
  const object = { kind: 'Pod', metadata: { name: 'cart-1', namespace: 'shop' }, status: {} };
  const [change] = edit({ do: 'ready', ready: true, objects: [object] });
  assert.deepEqual(change.patch, [{ op: 'add', path: '/status/conditions', value: [{ type: 'Ready', status: 'True' }] }]);
  assert.throws(() => edit({ do: 'melt', objects: [] }), { code: 'InvalidValue', path: '/do' });
  const slice = { metadata: { name: 'cart-a' }, addressType: 'IPv4', ports: [], endpoints: [{ addresses: ['10.0.0.1'] }] };
  assert.deepEqual(partners({ before: [slice], after: [slice] }), [1]);
});
