/** The parts of the page that need no browser: link, zones, geometry, positions, before and after. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { apply } from 'slicewise/tools';
import { legend, partners } from '#page';
import { Engine } from '../../www/engine.js';
import { excerptOf } from '../../www/input/excerpt.js';
import { readInput } from '../../www/input/read.js';
import { cellOf } from '../../www/model/cells.js';
import { cellsOf, countOf, groupsBy } from '../../www/model/grouping.js';
import { lanesOf } from '../../www/model/lanes.js';
import { transfersOf, unpackModel } from '../../www/model/packed.js';
import { serviceModel } from '../../www/model/service.js';
import { zonesOf } from '../../www/model/zones.js';
import { EXAMPLES } from '../../www/samples/index.js';
import { columnsFor, densityFor, layoutOf, nextCell } from '../../www/views/geometry.js';
import { exampleBytes } from './files.js';
import { ROOT } from './server.js';

const LEGEND = legend();

/** @param {string} text */
function bytes(text) {
  return new TextEncoder().encode(text);
}

test('text has five sizes', () => {
  const folder = join(ROOT, 'www/styles');
  const sizes = readdirSync(folder).flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(/(.*)\bfont(?:-size)?: ([^;]*)/g)]);
  // The signs at the corners of cells and the pictures of the gallery are drawn, and not read.
  const others = sizes.filter(([, before = '', value = '']) => !/inherit|var\(--t[1-5]\)/.test(value) && !/\.sign-text|\.outcome (text|\.write-sign)/.test(before));
  assert.deepEqual(others.map(([rule]) => rule), []);
  assert.ok(sizes.length > 100);
});

test('zones get the letter of their name where it is their own, else one in order', () => {
  const letters = (/** @type {string[]} */ ...names) => zonesOf(names).map(({ name, letter }) => `${name}=${letter}`);
  assert.deepEqual(letters('eu-1b', 'eu-1a', 'eu-1b', ''), ['eu-1a=A', 'eu-1b=B']);
  assert.deepEqual(letters('eu-1a', 'us-1a'), ['eu-1a=A', 'us-1a=B']);
  assert.equal(zonesOf(Array.from({ length: 30 }, (_, index) => `zone-x${index}`)).at(27)?.letter, 'AB');
});

test('conditions that are absent mean what the core says, and are called what it calls them', () => {
  /** @param {object} [conditions] */
  const told = (conditions) => {
    const { state, stateWords, conditions: words } = cellOf({ conditions }, LEGEND);
    return `${state}: ${stateWords}; ${words}`;
  };
  assert.equal(told(), 'ready: ready; ready, serving');
  assert.equal(told({ ready: null }), 'ready: ready; ready, serving');
  assert.equal(told({ ready: false }), 'notReady: not ready; not ready, not serving');
  assert.equal(told({ ready: false, serving: true, terminating: true }), 'draining: terminating, still serving; not ready, serving, terminating');
  assert.equal(
    told({ ready: false, serving: false, terminating: true }),
    'stopped: terminating, no longer serving; not ready, not serving, terminating',
  );
  assert.equal(told({ ready: true, serving: false }), 'published: published as ready; ready, not serving');
});

test('cells fill rows of fives, and free places only the last row', () => {
  const density = densityFor(false);
  assert.equal(columnsFor(400, density, 60), 15);
  assert.equal(columnsFor(230, density, 60), 9);
  assert.equal(columnsFor(20, density, 60), 1);
  assert.equal(columnsFor(400, density, 12), 10);
  const { rows, slots, columns } = layoutOf(12, 100, 10, density);
  assert.deepEqual({ rows, slots, columns }, { rows: 2, slots: 20, columns: 10 });
  assert.equal(layoutOf(0, 3, 10, density).slots, 3);
  assert.equal(layoutOf(12, 5, 10, density).slots, 12);
});

test('arrows stay inside the picture', () => {
  assert.equal(nextCell('ArrowRight', 11, 12, 5), 11);
  assert.equal(nextCell('ArrowDown', 3, 12, 5), 8);
  assert.equal(nextCell('ArrowUp', 3, 12, 5), 3);
  assert.equal(nextCell('End', 10, 12, 5), 11);
  assert.equal(nextCell('Home', 8, 12, 5), 5);
  assert.equal(nextCell('Tab', 8, 12, 5), null);
});

test('a path in the JSON leads to the place in the YAML', async () => {
  const text = 'kind: List\nitems:\n  - kind: Pod\n    metadata:\n      labels: {a/b: x}\n';
  const reading = await readInput(bytes(text));
  assert.equal(reading.format, 'yaml');
  assert.deepEqual(reading.locate('/items/0/metadata/labels/a~1b'), { line: 5, column: 16 });
  assert.deepEqual(reading.locate('/items/0/metadata/name'), { line: 4, column: 5 });
  assert.deepEqual(reading.locate(''), { line: 1, column: 1 });
});

test('many YAML documents are one array; empty ones are left out', async () => {
  const reading = await readInput(bytes('---\nkind: Pod\n---\n---\nkind: Node\nspec: {a: 1}\n'));
  assert.equal(new TextDecoder().decode(reading.bytes), '[{"kind":"Pod"},{"kind":"Node","spec":{"a":1}}]');
  assert.deepEqual(reading.locate('/1/spec/a'), { line: 6, column: 8 });
});

test('an excerpt of one endless line is a window around the column', () => {
  const [line] = excerptOf('x'.repeat(100_000), 1, 50_000);
  assert.ok(line && line.text.length < 200 && line.marked);
  assert.deepEqual(excerptOf('a\nb\nc', 2).map(({ text }) => text), ['a', 'b', 'c']);
  assert.deepEqual(excerptOf('a', undefined), []);
});

test('after is: what was, minus deletes, with updates by name, plus creates', () => {
  const end = (/** @type {string} */ ip, more = {}) => ({ addresses: [ip], zone: 'a', ...more });
  const of = (/** @type {string} */ name, /** @type {object[]} */ ...endpoints) => ({
    metadata: { name },
    addressType: 'IPv4',
    endpoints,
    ports: [],
  });
  const slices = [of('keep', end('1')), of('change', end('2'), end('3')), of('drop', end('4')), of('other', end('9'))];
  const pieces = (/** @type {object[]} */ ...given) => given.map((slice) => bytes(JSON.stringify(slice)));
  const { zoneNames, ...rest } = serviceModel(
    {
      service: { namespace: 'n', name: 's' },
      ...{ create: [], update: [], delete: [{ name: 'drop' }], unchanged: ['keep'] },
      ...{ events: [], errors: [], requeue: false, hints: [] },
      stats: { endpoints: 4, added: 1, removed: 1, slices: 3, desiredSlices: 1 },
    },
    {
      before: pieces(...slices),
      update: pieces(of('change', end('2', { nodeName: 'x' }), end('4'))),
      create: pieces({ ...of('', end('5')), metadata: { generateName: 's-' } }),
    },
    { max: 100, sentence: '', hints: 'none', legend: LEGEND, partners },
  );
  const packed = { ...rest, zones: zonesOf(zoneNames) };
  const model = unpackModel(structuredClone(packed, { transfer: transfersOf(packed) }));
  const rows = model.groups.flatMap((group) => group.rows);
  const drawn = rows.map((row) => [row.title, row.change, row.before?.cells.map((cell) => cell.change), row.after?.cells.map((cell) => cell.change)]);
  assert.deepEqual(drawn, [
    ['change', 'updated', ['changed', 'removed'], ['changed', 'moved']],
    ['drop', 'deleted', ['moved'], undefined],
    ['keep', 'unchanged', ['kept'], ['kept']],
    ['s-…', 'created', undefined, ['added']],
  ]);
  assert.deepEqual(model.foreign.map((row) => row.title), ['other']);
  assert.deepEqual([model.before, model.after], [{ slices: 3, endpoints: 4 }, { slices: 3, endpoints: 4 }]);
  assert.deepEqual(model.moves, { added: 1, removed: 1, moved: 1 });
  const [change, drop] = rows;
  assert.deepEqual(change?.after?.cells.map(({ fields, other }) => ({ fields, other })), [
    { fields: [{ field: 'node', before: 'none', after: 'x' }], other: '' },
    { fields: [], other: 'drop' },
  ]);
  assert.deepEqual(drop?.before?.cells.map(({ other }) => other), ['change']);
  assert.deepEqual([change?.before?.removed, drop?.before?.removed], [1, 0]);
});

/** The page's model of an example's first Service. @param {string} id */
async function modelOf(id) {
  const answer = await new Engine().open(exampleBytes(id), {});
  assert.ok(answer.ok && answer.model);
  return unpackModel(answer.model);
}

for (const { id } of EXAMPLES) {
  test(`what is drawn are the slices of the input, and those that the core makes of them: ${id}`, async () => {
    const model = await modelOf(id);
    const { plan, slices } = await materialOf(id);
    const after = JSON.parse(apply(JSON.stringify(plan), JSON.stringify(slices))).slices;
    const rows = [...model.groups.flatMap((group) => group.rows), ...model.foreign];
    assert.deepEqual(drawnOn('before', rows), endpointsOf(slices));
    assert.deepEqual(drawnOn('after', rows), endpointsOf(after));
  });
}

/** @param {string} id @returns {Promise<import('../../www/engine.js').TrafficMaterial>} */
async function materialOf(id) {
  const engine = new Engine();
  const answer = await engine.open(exampleBytes(id), {});
  assert.ok(answer.ok && answer.model);
  return JSON.parse(new TextDecoder().decode(engine.trafficMaterial(answer.model.key) ?? undefined));
}

/** @param {'before' | 'after'} side @param {import('../../www/types.js').SliceRow[]} rows */
function drawnOn(side, rows) {
  return rows.flatMap((row) => row[side]?.cells ?? []).map((cell) => JSON.stringify({ ...cell, change: '', fields: [], other: '' })).sort();
}

/** @param {import('../../www/model/service.js').Slice[]} slices */
function endpointsOf(slices) {
  return slices.flatMap(({ endpoints }) => endpoints ?? []).map((endpoint) => JSON.stringify({ ...cellOf(endpoint, LEGEND), change: '' })).sort();
}

test('grouped by zone or node, every endpoint is there once', async () => {
  const model = await modelOf('rolling-update');
  const all = model.groups.flatMap(({ rows }) => rows.flatMap(cellsOf)).map(({ id }) => id).sort();
  assert.equal(all.length, model.groups.flatMap(({ rows }) => rows).reduce((sum, row) => sum + countOf(row), 0));
  for (const by of /** @type {const} */ (['zone', 'node'])) {
    const rows = groupsBy(model, by).flatMap((group) => group.rows);
    assert.deepEqual(rows.flatMap(cellsOf).map(({ id }) => id).sort(), all, by);
    for (const { title, after } of rows) for (const cell of after?.cells ?? []) assert.equal(cell[by], title);
  }
});

/** @param {number[]} given to zones a, b, c @param {Partial<import('../../www/types.js').Glance>} [rest] */
function glanceOf(given, rest) {
  const zones = given.map((each, index) => ({ zone: `europe-west4-${'abc'[index]}`, given: each, minimum: 4, ready: 0, isMet: each >= 4 }));
  const ready = given.reduce((sum, each) => sum + each, 0);
  return /** @type {import('../../www/types.js').Glance} */ ({ addressType: 'IPv4', ready, zones, ...rest });
}

test('a lane holds as many endpoints as the core gives it: those that run there first, then what is left over', async () => {
  const model = await modelOf('eleven-endpoints');
  const lanes = lanesOf(glanceOf([4, 4, 3]), model);
  assert.deepEqual(lanes.map(({ cells }) => cells.map(({ zone }) => zone.at(-1)).join('')), ['aaaa', 'bbbb', 'ccc']);
  const moved = lanesOf(glanceOf([3, 4, 4]), model);
  assert.deepEqual(moved.map(({ cells }) => cells.map(({ zone }) => zone.at(-1)).join('')), ['aaa', 'bbbb', 'ccca']);
  assert.deepEqual(lanesOf(glanceOf([400, 400, 400]), model).map(({ cells }) => cells.length), [0, 0, 0]);
});

test('a lane holds the endpoints that are hinted to its zone, wherever they run', async () => {
  const model = await modelOf('borrowed-endpoints');
  const lanes = lanesOf(glanceOf([6, 3, 3]), model);
  for (const { zone, cells } of lanes) for (const cell of cells) assert.deepEqual(cell.hintZones, [zone]);
  assert.deepEqual(lanes.map(({ cells }) => cells.length), [6, 3, 3]);
});
