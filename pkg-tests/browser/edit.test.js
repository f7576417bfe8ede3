/** Changes of objects in the text of an input: they have the intended effect, and leave every other byte unchanged. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stringify } from 'yaml';
import { applyChanges, changeBetween } from '../../www/input/changes.js';
import { Draft, listOf } from '../../www/input/edit.js';
import { patched } from '../../www/input/json-patch.js';
import { readInput } from '../../www/input/read.js';
import { objectsOf } from '../../www/input/walk.js';
import { exampleBytes } from './files.js';

/** @import {ObjectChange} from '../../www/input/edit.js' */

/** @param {string} text */
async function read(text) {
  const { bytes } = await readInput(text);
  return JSON.parse(new TextDecoder().decode(bytes));
}

/** @param {string} text @param {ObjectChange[]} changes @param {'request' | 'snapshot'} [form] */
async function edited(text, changes, form = 'snapshot') {
  return applyChanges(text, await (await Draft.of(await readInput(text), () => form)).edit(changes));
}

const LAYOUTS = {
  'indented JSON': (/** @type {object[]} */ items) => `${JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, null, 2)}\n`,
  'JSON with tabs': (/** @type {object[]} */ items) => JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, null, '\t'),
  'JSON on one line': (/** @type {object[]} */ items) => JSON.stringify(items),
  'JSON, an object a line': (/** @type {object[]} */ items) =>
    `{"kind": "List", "items": [\n  ${items.map((item) => JSON.stringify(item)).join(',\n  ')}\n]}\n`,
  'a YAML list': (/** @type {object[]} */ items) => stringify({ apiVersion: 'v1', kind: 'List', items }),
  'a YAML list that is not indented': (/** @type {object[]} */ items) => stringify({ apiVersion: 'v1', kind: 'List', items }, { indentSeq: false }),
  'YAML documents': (/** @type {object[]} */ items) => items.map((item) => `# ${Object.values(item)[1]}\n${stringify(item)}`).join('---\n'),
  'YAML in brackets': (/** @type {object[]} */ items) => `kind: List\nitems: ${stringify(items, { collectionStyle: 'flow' })}`,
};

const { items: ITEMS } = JSON.parse(exampleBytes('selector-typo').toString());

/** A reproducible random generator. @param {number} seed */
function dice(seed) {
  let state = seed;
  return (/** @type {number} */ sides) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % sides;
  };
}

/** @param {(sides: number) => number} roll @param {any[]} items @param {number} round @returns {ObjectChange} */
function randomChange(roll, items, round) {
  const { kind, metadata: { namespace, name, labels } } = items[roll(items.length)];
  const [label] = Object.keys(labels ?? {});
  const key = (label ?? '').replaceAll('~', '~0').replaceAll('/', '~1');
  const choices = [
    { delete: true },
    { copyOf: name, name: `${name}-copy-${round}`, patch: [{ op: 'add', path: '/metadata/uid', value: `uid-${round}` }] },
    { patch: [{ op: 'add', path: '/metadata/labels/tier', value: ['front', 'no', '12', 'a: b', "it's", 'two\nlines'][roll(6)] }] },
    {
      patch: [
        { op: 'add', path: '/metadata/annotations/example.com~1note', value: 'x' },
        { op: 'add', path: '/spec/extra', value: { list: [1, { deep: true }], none: null } },
      ],
    },
    ...(label
      ? [
          { patch: [{ op: 'remove', path: `/metadata/labels/${key}` }] },
          { patch: [{ op: 'replace', path: `/metadata/labels/${key}`, value: 'other' }] },
        ]
      : []),
    { patch: [{ op: 'add', path: '/status/conditions', value: [{ type: 'Ready', status: 'False' }, { type: 'Other', status: 'True' }] }] },
    { patch: [{ op: 'add', path: '/spec', value: { changed: 'whole' } }] },
    {
      object: { apiVersion: 'v1', kind, metadata: { ...(namespace && { namespace }), name: `new-${round}`, labels: { app: 'new' } } },
      name: `new-${round}`,
    },
  ];
  return { kind, namespace, name, ...choices[roll(choices.length)] };
}

/** The expected objects afterwards, in any order. @param {any[]} items @param {ObjectChange[]} changes */
function expected(items, changes) {
  let now = items;
  for (const change of changes) {
    const is = (/** @type {any} */ { kind, metadata }, name = change.name) =>
      kind === change.kind && metadata.name === name && metadata.namespace === change.namespace;
    const like = now.find((each) => is(each, change.copyOf));
    if (change.delete) now = now.filter((each) => !is(each));
    else if (change.object) now = [...now, change.object];
    else if (change.copyOf) now = [...now, patched(like, [{ op: 'replace', path: '/metadata/name', value: change.name }, ...(change.patch ?? [])])];
    else now = now.map((each) => (is(each) ? patched(each, change.patch ?? []) : each));
  }
  return sorted(now);
}

/** @param {any[]} objects */
function sorted(objects) {
  return objects.toSorted((a, b) => (`${a.kind}/${a.metadata.name}` < `${b.kind}/${b.metadata.name}` ? -1 : 1));
}

for (const [name, layout] of Object.entries(LAYOUTS)) {
  test(`100 random changes of ${name} say what was meant`, async () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const roll = dice(seed);
      let items = ITEMS;
      let text = layout(items);
      for (let round = 0; round < 5; round += 1) {
        const change = randomChange(roll, items, round);
        const before = text;
        text = await edited(text, [change]);
        items = expected(items, [change]);
        const found = objectsOf(await read(text), 'snapshot').map(({ value }) => value);
        assert.deepEqual(
          sorted(found),
          items,
          `seed ${seed}, round ${round}: ${JSON.stringify(change)} made ${JSON.stringify(changeBetween(before, text))}`,
        );
      }
    }
  });

  test(`several changes of ${name} at once, in one go`, async () => {
    const pods = ITEMS.filter((/** @type {any} */ each) => each.kind === 'Pod').map((/** @type {any} */ each) => each.metadata.name);
    const at = { kind: 'Pod', namespace: 'shop' };
    const changes = [
      { ...at, name: pods[0], delete: true },
      { ...at, name: pods[1], delete: true },
      { ...at, name: pods[3], delete: true },
      { ...at, name: 'first', copyOf: pods[4], patch: [{ op: 'replace', path: '/spec/nodeName', value: 'node-a1' }] },
      { ...at, name: 'second', copyOf: pods[4], patch: [{ op: 'remove', path: '/metadata/labels/app' }] },
      { ...at, name: pods[4], patch: [{ op: 'add', path: '/metadata/labels/a', value: 'b' }] },
      { ...at, name: pods[4], patch: [{ op: 'add', path: '/metadata/labels/c', value: 'd' }] },
      { ...at, name: 'third', copyOf: 'first', patch: [] },
    ];
    const found = objectsOf(await read(await edited(layout(ITEMS), changes)), 'snapshot').map(({ value }) => value);
    const copy = ({ ...each }) => each;
    const [beside] = [ITEMS.find((/** @type {any} */ each) => each.metadata.name === pods[4])].map(copy);
    assert.equal(found.filter(({ metadata }) => ['first', 'second', 'third'].includes(metadata.name)).length, 3);
    assert.deepEqual(found.find(({ metadata }) => metadata.name === 'first').metadata.labels, beside.metadata.labels);
    assert.deepEqual(found.find(({ metadata }) => metadata.name === pods[4]).metadata.labels, { ...beside.metadata.labels, a: 'b', c: 'd' });
    assert.equal(found.length, ITEMS.length);
  });

  test(`what a change of ${name} is not about keeps its bytes`, async () => {
    const text = layout(ITEMS);
    const changes = [
      { kind: 'Pod', namespace: 'shop', name: 'orders-v1-03', patch: [{ op: 'replace', path: '/status/conditions/0/status', value: 'False' }] },
    ];
    const [change, ...others] = await (await Draft.of(await readInput(text), () => 'snapshot')).edit(changes);
    assert.deepEqual(others, []);
    assert.match(text.slice(change.from, change.to), /^"?True"?$/);
    assert.ok(text.slice(0, change.from).includes('orders-v1-03'));
    assert.ok(!text.slice(0, change.from).includes('orders-v1-04'));
  });
}

/** @param {string} text @param {ObjectChange[]} changes @param {string} after @param {'request' | 'snapshot'} [form] */
async function check(text, changes, after, form) {
  assert.equal(await edited(text, changes, form), after);
}

test('comments, quotes and layout of YAML stay', async () => {
  const text = `# what is on the node
apiVersion: v1
kind: Pod
metadata:
  name: a # the first
  labels: {app: web}   # one label
status:
  conditions:
  - {type: Ready, status: 'True'}
  # nothing else
---
# the node
kind: Node
metadata:
  name: n1
`;
  const pod = { kind: 'Pod', name: 'a' };
  await check(text, [{ ...pod, patch: [{ op: 'replace', path: '/status/conditions/0/status', value: 'False' }] }], text.replace("'True'", "'False'"));
  await check(
    text,
    [{ ...pod, patch: [{ op: 'add', path: '/metadata/labels/tier', value: 'front' }] }],
    text.replace('{app: web}', '{app: web, "tier": "front"}'),
  );
  await check(
    text,
    [{ kind: 'Node', name: 'n1', patch: [{ op: 'add', path: '/spec/unschedulable', value: true }] }],
    `${text}spec:\n  unschedulable: true\n`,
  );
  await check(text, [{ ...pod, delete: true }], '# what is on the node\n  # nothing else\n---\n# the node\nkind: Node\nmetadata:\n  name: n1\n');
});

test('numbers that JavaScript cannot hold stay as they are', async () => {
  const text = '{"kind":"Pod","metadata":{"name":"a","generation":9007199254740993,"labels":{}},"extra":1e400}';
  const after = await edited(text, [{ kind: 'Pod', name: 'a', patch: [{ op: 'add', path: '/metadata/labels/x', value: 'y' }] }]);
  assert.equal(after, text.replace('"labels":{}', '"labels":{"x":"y"}'));
});

test('a request gets its objects where they belong, and keeps its Service', async () => {
  const text = '{\n  "service": {"metadata": {"name": "s"}},\n  "nodes": []\n}\n';
  const node = { kind: 'Node', name: 'n', object: { metadata: { name: 'n' } } };
  const pod = { kind: 'Pod', name: 'p', object: { metadata: { name: 'p' } } };
  const after = JSON.parse(await edited(text, [node, pod], 'request'));
  assert.deepEqual(after, { service: { metadata: { name: 's' } }, nodes: [{ metadata: { name: 'n' } }], pods: [{ metadata: { name: 'p' } }] });
  await assert.rejects(edited(text, [{ kind: 'Service', name: 's', delete: true }], 'request'), /cannot be taken out/);
  await assert.rejects(edited(text, [{ kind: 'Service', name: 't', object: {} }], 'request'), /one Service/);
});

test('the first objects make a list of an empty text; the last one leaves an empty text', async () => {
  assert.equal(JSON.parse(listOf([{ kind: 'Pod', name: 'a', object: { kind: 'Pod', metadata: { name: 'a' } } }])).items.length, 1);
  assert.equal(await edited('{"kind":"Pod","metadata":{"name":"a"}}', [{ kind: 'Pod', name: 'a', delete: true }]), '');
  assert.deepEqual(
    JSON.parse(await edited('{"kind":"Pod","metadata":{"name":"a"}}', [{ kind: 'Pod', name: 'b', copyOf: 'a', patch: [] }])).length,
    2,
  );
});

test('what is not there any more cannot be changed', async () => {
  await assert.rejects(edited('{"kind":"Pod","metadata":{"name":"a"}}', [{ kind: 'Pod', name: 'b', delete: true }]), /no Pod b in the input/);
});

test('the change between two texts is as small as their ends allow', () => {
  assert.equal(changeBetween('same', 'same'), null);
  assert.deepEqual(changeBetween('one two three', 'one 2 three'), { from: 4, to: 7, insert: '2' });
  assert.deepEqual(changeBetween('aa', 'aaa'), { from: 2, to: 2, insert: 'a' });
  const long = 'x'.repeat(100_000);
  assert.deepEqual(changeBetween(`${long}a${long}`, `${long}b${long}`), { from: 100_000, to: 100_001, insert: 'b' });
});

test('a change that was made is known, in both directions, and no other is taken for it', () => {
  const change = { from: 1, to: 2, insert: 'xy' };
  const after = applyChanges('aba', [change]);
  assert.deepEqual(changeBetween(after, 'aba'), { from: 1, to: 3, insert: 'b' });
  // Made where the common ends would say otherwise.
  const repeated = applyChanges('aa', [{ from: 0, to: 0, insert: 'a' }]);
  assert.deepEqual(changeBetween('aa', repeated), { from: 0, to: 0, insert: 'a' });
  assert.deepEqual(changeBetween('aa', repeated), { from: 2, to: 2, insert: 'a' }, 'it is not kept longer than it is needed');
  const twice = applyChanges('abcd', [{ from: 0, to: 1, insert: '' }, { from: 3, to: 4, insert: '' }]);
  assert.deepEqual(changeBetween('abcd', twice), { from: 0, to: 4, insert: 'bc' });
});

test('a value is copied, and the copy can be changed', () => {
  const slice = { endpoints: [{ addresses: ['10.0.0.1', '10.0.0.2'], zone: 'a' }] };
  const operations = [
    { op: 'copy', from: '/endpoints/0', path: '/endpoints/-' },
    { op: 'replace', path: '/endpoints/1/addresses', value: ['10.0.0.2'] },
    { op: 'replace', path: '/endpoints/0/addresses', value: ['10.0.0.1'] },
  ];
  assert.deepEqual(patched(slice, operations), { endpoints: [{ addresses: ['10.0.0.1'], zone: 'a' }, { addresses: ['10.0.0.2'], zone: 'a' }] });
});
