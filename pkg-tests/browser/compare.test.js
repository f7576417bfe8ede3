/** The columns side by side show the core's answer for each; without a browser. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apply, diff, plan, traffic } from 'slicewise/tools';
import { legend } from '#page';
import { compareOf, withHints } from '../../www/compare.js';
import { Engine } from '../../www/engine.js';
import { exampleBytes, newService } from './files.js';

/** @import {CompareColumn} from '../../www/types.js' */

const LEGEND = legend();

/** @type {CompareColumn} */
const PLAIN = { input: 'loaded', when: 'after', hints: 'asIs', max: null, packing: '', kubernetes: '' };
/** @type {CompareColumn['hints'][]} */
const WAYS = ['none', 'Auto', 'PreferSameZone', 'PreferSameNode'];

/** @param {string} id @param {object} [options] */
async function materialOf(id, options = {}) {
  const engine = new Engine();
  const answer = await engine.open(exampleBytes(id), options);
  assert.ok(answer.ok);
  const material = engine.whyMaterial(answer.overview.services[0]?.key ?? '');
  assert.ok(material);
  return { material, model: answer.model };
}

/** @param {string} id @param {CompareColumn[]} columns @param {string} [other] */
async function compared(id, columns, other = '') {
  const { material } = await materialOf(id);
  const { columns: answers } = await compareOf(material, { other, columns, reader: 'kube-proxy', legend: LEGEND });
  return answers.map(({ side, differences, failure }) => {
    assert.equal(failure, '');
    assert.ok(side);
    return { side, differences };
  });
}

/** The core's answer to an example's request after a change. @param {string} id @param {(request: any) => void} change */
function coreOf(id, change) {
  /** @type {any} */
  const request = JSON.parse(exampleBytes(id).toString());
  change(request);
  const planned = plan(/** @type {import('slicewise').PlanRequest} */ (request));
  const { slices } = apply(planned, request.slices);
  return { planned, slices, traffic: traffic({ service: request.service, slices, nodes: request.nodes }).ports[0] };
}

for (const id of ['eleven-endpoints', 'borrowed-endpoints', 'scale-up']) {
  test(`each way to ask for hints is planned anew: ${id}`, async () => {
    const columns = WAYS.map((hints) => ({ ...PLAIN, hints }));
    const sides = await compared(id, columns);
    const cores = WAYS.map((hints) => coreOf(id, (request) => (request.service = withHints(request.service, hints))));
    sides.forEach(({ side, differences }, place) => {
      const core = cores[place];
      assert.ok(core);
      const { planned, slices } = core;
      assert.deepEqual(side.writes, { created: planned.create.length, updated: planned.update.length, deleted: planned.delete.length });
      assert.deepEqual(side.hints, JSON.parse(JSON.stringify(planned.hints)));
      const sizes = /** @type {any[]} */ (slices).map(({ metadata, endpoints }) => [metadata.name, endpoints.length]);
      assert.deepEqual(side.slices.map(({ name, count }) => [name, count]), sizes);
      assert.equal(side.ports[0]?.crossZone?.toFixed(9), core.traffic?.crossZone?.toFixed(9));
      if (place === 0) return assert.equal(differences, null);
      const told = diff(cores[0]?.slices ?? [], slices);
      const changes = told.services.flatMap((service) => service.changes);
      assert.equal(differences?.changed, changes.filter(({ change }) => change === 'changed').length);
      return assert.equal(differences?.list.length, Math.min(200, changes.length));
    });
    assert.equal(new Set(sides.map(({ side }) => JSON.stringify(side.hints))).size > 2, true);
  });
}

test('slice sizes and packing are settings of the core', async () => {
  const sides = await compared('scale-up', [{ ...PLAIN, max: 2 }, { ...PLAIN, max: 100 }, { ...PLAIN, packing: 'compact' }]);
  const [small, large, compact] = sides.map(({ side }) => side.slices.length);
  const sizes = [{ maxEndpointsPerSlice: 2 }, { maxEndpointsPerSlice: 100 }, { packing: 'compact' }];
  const cores = sizes.map((options) => coreOf('scale-up', (request) => (request.options = { ...request.options, ...options })).slices.length);
  assert.deepEqual([small, large, compact], cores);
  assert.ok((small ?? 0) > (large ?? 0));
});

test('now and after the plan: what differs is what the plan writes', async () => {
  const [now, after] = await compared('scale-up', [{ ...PLAIN, when: 'now' }, PLAIN]);
  assert.equal(now?.side.writes, null);
  assert.deepEqual(now?.side.hints, []);
  assert.equal(after?.differences?.added, 12);
  assert.equal(after?.differences?.removed, 0);
});

test('of a cluster the column of the input as it is has the very plan of the page', async () => {
  const { material, model } = await materialOf('cluster-at-rest');
  const { columns: [column] } = await compareOf(material, { other: '', columns: [PLAIN], reader: 'kube-proxy', legend: LEGEND });
  const rows = model?.groups.flatMap((group) => group.rows.flatMap(({ after }) => after ?? [])) ?? [];
  assert.deepEqual(column?.side?.slices.map(({ name }) => name), rows.map(({ name }) => name));
  assert.deepEqual(column?.side?.writes, { created: 0, updated: 0, deleted: 0 });
});

test('two inputs: the other one may be YAML; a Service of another name is found where it is the only one', async () => {
  const other = exampleBytes('eleven-endpoints').toString();
  const columns = /** @type {CompareColumn[]} */ ([{ ...PLAIN, when: 'now' }, { ...PLAIN, when: 'now', input: 'other' }]);
  const [, second] = await compared('scale-up', columns, other);
  assert.equal(second?.side.service, 'shop/checkout');
  const yaml = 'apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: shop}\nspec: {selector: {app: x}}\n';
  const [, empty] = await compared('scale-up', columns, yaml);
  assert.deepEqual(empty?.side.slices, []);
  assert.ok((empty?.differences?.removed ?? 0) > 0);
});

test('what is wrong with a column is said in that column', async () => {
  const { material } = await materialOf('scale-up');
  const columns = /** @type {CompareColumn[]} */ ([PLAIN, { ...PLAIN, max: 5000 }, { ...PLAIN, input: 'other' }]);
  const { columns: [fine, refused, missing] } = await compareOf(material, { other: '[]', columns, reader: 'kube-proxy', legend: LEGEND });
  assert.equal(fine?.failure, '');
  assert.equal(refused?.failure, 'invalid value for `maxEndpointsPerSlice`: number `5000`, expected a whole number between 1 and 1000');
  assert.equal(missing?.failure, 'There is no Service shop/web in this input.');
  await assert.rejects(compareOf(material, { other: '{"a": [', columns, reader: 'kube-proxy', legend: LEGEND }));
});

test('of a large Service, the answer has what is drawn, and the progress of its columns', async () => {
  const engine = new Engine();
  const opened = await engine.open(newService(2000, 100), {});
  const material = engine.whyMaterial('n/s');
  assert.ok(opened.ok && material);
  const columns = WAYS.map((hints) => ({ ...PLAIN, hints }));
  /** @type {number[]} */
  const progress = [];
  const answer = await compareOf(material, { other: '', columns, reader: 'kube-proxy', legend: LEGEND }, (done) => progress.push(done));
  assert.deepEqual(progress, [1, 2, 3, 4]);
  for (const { side, failure } of answer.columns) {
    assert.equal(failure, '');
    assert.equal(side?.slices.reduce((sum, { count }) => sum + count, 0), 2000);
    assert.deepEqual(side?.slices.filter(({ cells }) => cells.length > 0), []);
  }
  assert.deepEqual(answer.columns.map(({ side }) => side?.slices.reduce((sum, { hinted }) => sum + hinted, 0)), [0, 0, 2000, 2000]);
  const own = { ...answer, columns: answer.columns.map((column) => ({ ...column, differences: null })) };
  assert.ok(JSON.stringify(own).length < 20_000, `${JSON.stringify(own).length} characters for 8,000 endpoints`);
});

test('slices that are written otherwise are the same: an input with spaces, now and after the plan', async () => {
  const request = JSON.parse(exampleBytes('scale-up').toString());
  const { slices } = apply(plan(request), request.slices);
  const engine = new Engine();
  const opened = await engine.open(JSON.stringify({ ...request, slices }, null, 2), {});
  const material = engine.whyMaterial('shop/web');
  assert.ok(opened.ok && material);
  const columns = /** @type {CompareColumn[]} */ ([{ ...PLAIN, when: 'now' }, PLAIN]);
  const { columns: [, after] } = await compareOf(material, { other: '', columns, reader: 'kube-proxy', legend: LEGEND });
  assert.ok(after?.side && after.side.slices.every(({ isKnown }) => isKnown));
});
