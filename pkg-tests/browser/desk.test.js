/** Editing the objects of an input, and generating inputs; without a browser. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stringify } from 'yaml';
import { Engine, generated as generate } from '../../www/engine.js';
import { applyChanges } from '../../www/input/changes.js';
import { LIMITS, PLAIN } from '../../www/input/generator.js';
import { unpackModel } from '../../www/model/packed.js';
import { exampleBytes } from './files.js';

/** @import {Operation} from '../../www/input/operations.js' */

const TEXT = exampleBytes('eleven-endpoints').toString();

/** @param {string} text @param {Operation} operation */
async function edited(text, operation) {
  const answer = await new Engine().edit(text, {}, operation);
  assert.ok(answer.ok, JSON.stringify(answer));
  return applyChanges(text, answer.changes);
}

/** @param {string} text @param {Operation} operation */
async function refused(text, operation) {
  const answer = await new Engine().edit(text, {}, operation);
  assert.ok(!answer.ok, JSON.stringify(answer));
  return answer.message;
}

/** The plan of a text. @param {string} text @param {import('../../www/types.js').Options} [options] */
async function opened(text, options = {}) {
  const answer = await new Engine().open(text, options);
  assert.ok(answer.ok && answer.model, JSON.stringify(answer));
  return answer;
}

const POD = { kind: 'Pod', namespace: 'shop' };

test('a pod that is added is another one: its name, uid and address are its own', async () => {
  const { pods } = JSON.parse(await edited(TEXT, { do: 'add', kind: 'Pod' }));
  assert.equal(pods.length, 12);
  const { metadata, status } = pods.at(-1);
  assert.deepEqual([metadata.name, status.podIP, status.podIPs], ['checkout-v1-12', '10.8.0.22', [{ ip: '10.8.0.22' }]]);
  for (const path of ['uid', 'name']) assert.equal(new Set(pods.map((/** @type {any} */ pod) => pod.metadata[path])).size, 12);
  const { model } = await opened(await edited(TEXT, { do: 'add', kind: 'Pod' }));
  assert.deepEqual([model?.after.endpoints, model?.hints], [12, 'on']);
});

test('nodes and Services can be added, and the first objects of all', async () => {
  const { nodes } = JSON.parse(await edited(TEXT, { do: 'add', kind: 'Node' }));
  assert.deepEqual([nodes.length, nodes.at(-1).metadata.name, nodes.at(-1).metadata.labels['kubernetes.io/hostname']], [7, 'node-c3', 'node-c3']);
  assert.match(await refused(TEXT, { do: 'add', kind: 'Service' }), /one Service/);
  let text = '';
  for (const kind of ['Service', 'Node', 'Pod']) text = await edited(text, { do: 'add', kind });
  const { model } = await opened(text);
  assert.equal(model?.after.endpoints, 1);
});

test('draining a node cordons it and has its pods end, but for those of a DaemonSet', async () => {
  const input = JSON.parse(TEXT);
  input.pods[0].metadata.ownerReferences = [{ kind: 'DaemonSet', name: 'agent' }];
  const { nodes, pods } = JSON.parse(await edited(JSON.stringify(input), { do: 'drain', name: 'node-a1' }));
  assert.equal(nodes[0].spec.unschedulable, true);
  const ending = pods.filter((/** @type {any} */ pod) => pod.metadata.deletionTimestamp);
  assert.ok(ending.length > 0);
  for (const pod of ending) assert.deepEqual([pod.spec.nodeName, pod.metadata.ownerReferences], ['node-a1', undefined]);
});

test('readiness and labels change where they are written, or are written where they are missing', async () => {
  const off = await edited(TEXT, { ...POD, do: 'ready', name: 'checkout-v1-03', ready: false });
  assert.equal(off.length, TEXT.length + 1);
  assert.equal(await edited(off, { ...POD, do: 'ready', name: 'checkout-v1-03', ready: true }), TEXT);
  const bare = stringify({ kind: 'Pod', metadata: { name: 'a' } });
  assert.match(
    await edited(bare, { kind: 'Pod', name: 'a', do: 'ready', ready: true }),
    /status:\n {2}conditions:\n {4}- type: Ready\n {6}status: "True"/,
  );
  const labelled = await edited(TEXT, { kind: 'Node', do: 'label', name: 'node-a1', key: 'a/b~c', value: 'd' });
  assert.equal(JSON.parse(labelled).nodes[0].metadata.labels['a/b~c'], 'd');
  const without = await edited(TEXT, { kind: 'Node', do: 'label', name: 'node-a1', key: 'topology.kubernetes.io/zone', value: null });
  assert.equal(JSON.parse(without).nodes[0].metadata.labels['topology.kubernetes.io/zone'], undefined);
});

test('a Service is scaled as the core says, in the text; there and back again gives the same bytes', async () => {
  const more = await edited(TEXT, { do: 'scale', service: 'shop/checkout', by: 1 });
  const { model } = await opened(more);
  assert.deepEqual([model?.after.endpoints, model?.hints], [12, 'on']);
  assert.ok(more.includes(TEXT.slice(0, TEXT.indexOf('"nodes": [') - 10)));
  assert.equal(await edited(more, { do: 'scale', service: 'shop/checkout', pods: 11 }), TEXT);
  const yaml = `# kept\n${stringify(JSON.parse(TEXT))}`;
  const fewer = await edited(yaml, { do: 'scale', service: 'shop/checkout', pods: 3 });
  assert.ok(fewer.startsWith('# kept\nservice:\n'));
  const { model: three } = await opened(fewer);
  assert.deepEqual([three?.after.endpoints, three?.hints], [3, 'on']);
});

test('an edit of a text with a mistake says where the mistake is, and changes nothing', async () => {
  assert.match(await refused('kind: Pod\n  bad: indent\n', { do: 'add', kind: 'Pod' }), /Fix line \d+ of the text first: .*YAML/);
  assert.match(await refused(TEXT, { ...POD, do: 'delete', name: 'nobody' }), /no Pod nobody/);
});

test('objects are listed in pages, found by what they say, and found in the text', async () => {
  const engine = new Engine();
  await engine.open(exampleBytes('cluster-at-rest').toString(), {});
  const page = await engine.objects({ kind: 'Pod', find: '', from: 100, count: 10 });
  assert.deepEqual(page?.kinds, [
    { kind: 'Service', total: 8 },
    { kind: 'Pod', total: 168 },
    { kind: 'Node', total: 13 },
    { kind: 'EndpointSlice', total: 8 },
  ]);
  assert.deepEqual([page?.total, page?.from, page?.rows.length], [168, 100, 10]);
  const name = page?.rows[0]?.name ?? '';
  const found = await engine.objects({ kind: 'Pod', find: name.toUpperCase(), from: 0, count: 10 });
  assert.equal(found?.rows[0]?.name, name);
});

test('what is meant by an object is what the core says of it', async () => {
  const input = JSON.parse(TEXT);
  delete input.nodes[0].metadata.labels['topology.kubernetes.io/zone'];
  input.nodes[0].spec = { unschedulable: true };
  input.pods[0].metadata.deletionTimestamp = '2026-01-02T03:04:05Z';
  input.pods[0].status.conditions[0].status = 'False';
  const engine = new Engine();
  await engine.open(JSON.stringify(input), {});
  /** @param {string} kind @param {string} chosen */
  const firstOf = async (kind, chosen) => (await engine.objects({ kind, find: '', from: 0, count: 1, chosen }))?.rows[0];
  const { id = '', facts, ready } = (await firstOf('Node', '')) ?? {};
  assert.deepEqual([facts, ready], [['4 CPU', 'no zone label', 'cordoned'], true]);
  const pod = await firstOf('Pod', id);
  assert.deepEqual([pod?.facts.at(-1), pod?.ready, (await firstOf('Service', id))?.ready], ['terminating', false, null]);
  const { chosen } = (await engine.objects({ kind: 'Pod', find: '', from: 0, count: 1, chosen: id })) ?? {};
  assert.deepEqual([chosen?.id, chosen?.facts.at(-1)], [id, 'cordoned']);
});

test('a Service without a namespace is called as it is written, planned and scaled', async () => {
  const text = TEXT.replaceAll(/"namespace": "shop",?\s*/g, '');
  const { model, overview } = await opened(text);
  assert.deepEqual([model?.key, overview.services[0]?.key, model?.after.endpoints], ['checkout', 'checkout', 11]);
  const scaled = await edited(text, { do: 'scale', service: 'checkout', by: 1 });
  assert.equal((await opened(scaled)).model?.after.endpoints, 12);
});

test('an object is found where it is written', async () => {
  const engine = new Engine();
  const text = exampleBytes('cluster-at-rest').toString();
  await engine.open(text, {});
  const place = await engine.place({ kind: 'Node', name: 'gke-prod-pool-01' });
  assert.ok(place);
  const written = text.split('\n').slice(place.line - 1, place.lastLine).join('\n').replace(/,\s*$/, '');
  assert.equal(JSON.parse(written).metadata.name, 'gke-prod-pool-01');
  assert.equal(await engine.place({ kind: 'Pod', name: 'nobody' }), null);
});

test('what is generated depends on its figures alone, and plans as the figures say', async () => {
  assert.equal(await generate(PLAIN), await generate({ ...PLAIN }));
  assert.notEqual(await generate({ ...PLAIN, ready: 50 }), await generate({ ...PLAIN, ready: 50, seed: 2 }));
  const { model } = await opened(await generate({ ...PLAIN, pods: 11 }));
  assert.deepEqual([model?.after.endpoints, model?.hints, model?.zones.length], [11, 'off', 3]);
  const skewed = await opened(await generate({ ...PLAIN, pods: 20, skew: 100, hints: 'PreferSameZone' }));
  assert.deepEqual(skewed.model?.zoneCounts.map(({ after }) => after), [20]);
  const dual = await opened(await generate({ ...PLAIN, dualStack: true, ports: 3, ready: 25 }));
  assert.deepEqual(dual.model?.groups.map(({ addressType }) => addressType), ['IPv4', 'IPv6']);
  const cells = dual.model && unpackModel(dual.model).groups[0]?.rows.flatMap(({ after }) => after?.cells ?? []);
  assert.equal(cells?.filter(({ state }) => state === 'ready').length, 3);
});

test('figures out of bounds are taken as the nearest that are not', async () => {
  const wild = await generate({ ...PLAIN, zones: 99, nodes: 0, pods: -5, cpu: 'none; drop', ports: NaN, seed: Infinity });
  const { overview } = await opened(wild);
  assert.deepEqual([overview.objects.Node, overview.objects.Pod], [LIMITS.zones[1], 0]);
  const most = await generate({ ...PLAIN, pods: 20_000, dualStack: true });
  const { items } = JSON.parse(most);
  const addresses = items.flatMap((/** @type {any} */ item) => item.status?.podIPs?.map((/** @type {any} */ each) => each.ip) ?? []);
  assert.equal(new Set(addresses).size, 40_000);
});

test('a setting made on the page leaves the rest of a request as it is, numbers beyond 2^53 included', async () => {
  const text = TEXT.replace('"generation": 3', '"generation": 9007199254740993').replace(
    '"resourceVersion"',
    '"large": 12345678901234567890, "resourceVersion"',
  );
  const engine = new Engine();
  const answer = await engine.open(text, { maxEndpointsPerSlice: 200 });
  assert.ok(answer.ok && answer.overview.options.maxEndpointsPerSlice === 200);
  const plan = new TextDecoder().decode(engine.answer());
  assert.match(plan, /9007199254740993/);
  assert.doesNotMatch(plan, /9007199254740992/);
});

test('objects of JSON that stand one after another are a snapshot', async () => {
  const { items } = JSON.parse(exampleBytes('selector-typo').toString());
  const { overview } = await opened(items.map((/** @type {object} */ item) => JSON.stringify(item)).join('\n'));
  assert.deepEqual([overview.objects.Pod, overview.services.length], [11, 2]);
});
