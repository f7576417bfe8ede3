/** How the page presents the core's traffic and explanations; without a browser. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { apply, explain, traffic } from 'slicewise/tools';
import { legend } from '../../www/core/node.js';
import { Engine } from '../../www/engine.js';
import { unpackModel } from '../../www/model/packed.js';
import { portsOf } from '../../www/model/traffic.js';
import { percent, trafficSentence, usesWords } from '../../www/model/traffic-text.js';
import { topicsOf } from '../../www/model/why.js';
import { needed } from '../../www/respond.js';
import { EXAMPLES } from '../../www/samples/index.js';
import { trafficOf, whyOf } from '../../www/tools.js';

/**
 * @import {PortAnswer} from '../../www/model/traffic.js'
 * @import {Reader} from '../../www/types.js'
 */

/** @type {Reader[]} */
const READERS = ['kube-proxy', 'cilium', 'istio', 'linkerd', 'envoy-gateway'];
const LEGEND = legend();
const FAMILY = { addressType: 'IPv4', assumption: '', nodes: [], notProxied: [], warnings: [] };

/**
 * The page's models of a Service.
 * @typedef {object} Shown
 * @property {string} key
 * @property {(reader?: Reader) => import('../../www/types.js').TrafficModel} traffic
 * @property {() => import('../../www/types.js').WhyTopic[]} why
 * @property {() => Record<string, string>} ofSlices
 * @property {import('../../www/engine.js').TrafficMaterial} material
 */

/** All Services of an input. @param {Uint8Array} bytes @param {object} [options] @returns {Promise<Shown[]>} */
async function open(bytes, options = {}) {
  const engine = new Engine();
  const answer = await engine.open(bytes, options);
  assert.ok(answer.ok, JSON.stringify(answer));
  return answer.overview.services.map(({ key }) => {
    const [material, why] = [engine.trafficMaterial(key), engine.whyMaterial(key)];
    assert.ok(material && why);
    return {
      key,
      traffic: (reader = 'kube-proxy') => trafficOf(material, reader),
      why: () => whyOf(why, LEGEND).topics,
      ofSlices: () => whyOf(why, LEGEND).slices,
      material: JSON.parse(new TextDecoder().decode(material)),
    };
  });
}

/** @param {object} request @returns {Promise<Shown>} */
async function openRequest(request) {
  const [shown] = await open(new TextEncoder().encode(JSON.stringify(request)));
  assert.ok(shown);
  return shown;
}

/** A request with two pods in zones a and b, and two nodes in each. @param {object} spec of the Service */
function requestOf(spec) {
  const zones = ['a', 'b'];
  const nodes = zones.flatMap((zone) =>
    [1, 2].map((number) => ({ metadata: { name: `${zone}${number}`, labels: { 'topology.kubernetes.io/zone': zone } } })),
  );
  const pods = zones.map((zone, index) => ({
    metadata: { namespace: 'n', name: `p-${zone}`, uid: zone, labels: { app: 'x' } },
    spec: { nodeName: `${zone}1` },
    status: { podIPs: [{ ip: `10.0.0.${index}` }, { ip: `fd00::${index}` }], conditions: [{ type: 'Ready', status: 'True' }] },
  }));
  const ports = [{ name: 'http', port: 80, targetPort: 8080, protocol: 'TCP' }];
  return { service: { metadata: { namespace: 'n', name: 's', uid: 'u' }, spec: { selector: { app: 'x' }, ports, ...spec } }, pods, nodes };
}

for (const { id, url } of EXAMPLES) {
  test(`what is shown is what the core says: ${id}`, async () => {
    for (const shown of await open(new Uint8Array(readFileSync(url)))) {
      for (const reader of READERS) checkShares(shown, reader);
    }
  });
}

/** The same matrix with the same sums, and the same number of nodes for each rule. @param {Shown} opened @param {Reader} reader */
function checkShares(opened, reader) {
  const { service, nodes, slices, plan } = opened.material;
  const spec = { ...service.spec, clusterIPs: service.spec?.clusterIPs ?? [service.spec?.clusterIP ?? ''] };
  const after = apply(/** @type {import('slicewise/tools').Plan} */ (/** @type {unknown} */ (plan)), slices).slices;
  const model = opened.traffic(reader);
  for (const side of /** @type {const} */ (['now', 'after'])) {
    const { ports } = traffic({ service: { ...service, spec }, nodes, reader, slices: side === 'now' ? slices : after });
    assert.equal(model.ports.length, ports.length);
    ports.forEach((port, index) => {
      const shown = model.ports[index]?.[side] ?? model.ports[index]?.now;
      const told = port.zones.flatMap(({ from, to }) => to.map(({ zone, share }) => `${from} → ${zone}: ${share.toFixed(9)}`));
      const drawn = shown?.rows.flatMap(({ from, shares }) =>
        shares.map((share, at) => `${from} → ${model.ports[index]?.zones[at]}: ${share.toFixed(9)}`),
      );
      assert.deepEqual(drawn?.filter((words) => !words.endsWith(' 0.000000000')).sort(), told.sort());
      if (shown) checkSums(shown, model.ports[index]?.zones ?? [], port);
      assert.equal(shown?.overload.toFixed(9), port.overload.toFixed(9));
      assert.equal(shown?.crossZone?.toFixed(9), port.crossZone?.toFixed(9));
      const counts = Object.fromEntries(shown?.rules.map(({ rule, nodes: count }) => [rule, count]) ?? []);
      assert.deepEqual(counts, countBy(port.groups.flatMap(({ nodes: members, rule }) => members.map(() => rule))));
    });
  }
}

/**
 * The margins of the table are the core's.
 * @param {import('../../www/types.js').TrafficSide} shown
 * @param {string[]} zones
 * @param {import('slicewise/tools').PortTraffic} port
 */
function checkSums({ rows, totals }, zones, port) {
  /** @param {string} from @param {number[]} sums */
  const words = (from, ...sums) => [from, ...sums.map((sum) => sum.toFixed(9))].join(' ');
  const expected = port.zones.map(({ from, share, unserved }) => words(from, share, unserved));
  assert.deepEqual(rows.map(({ from, total, unserved }) => words(from, total, unserved)).sort(), expected.sort());
  const received = new Map(port.received.map(({ zone, share }) => [zone, share]));
  assert.deepEqual(totals.map((sum) => sum.toFixed(9)), zones.map((zone) => (received.get(zone) ?? 0).toFixed(9)));
}

/** @param {string[]} names */
function countBy(names) {
  /** @type {Record<string, number>} */
  const counts = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

test('traffic of each family, and a Service that is kept local', async () => {
  const dual = { clusterIP: '10.96.0.1', clusterIPs: ['10.96.0.1', 'fd96::1'], ipFamilies: ['IPv4', 'IPv6'] };
  const { ports } = (await openRequest(requestOf(dual))).traffic();
  assert.deepEqual(ports.map(({ id }) => id), ['IPv4 n/s:http/TCP', 'IPv6 n/s:http/TCP']);
  assert.deepEqual(ports.map(({ now, after }) => [now.unserved, after?.crossZone]), [[1, 0.5], [1, 0.5]]);
  const request = requestOf({ clusterIP: '10.96.0.1', ipFamilies: ['IPv4'], internalTrafficPolicy: 'Local' });
  const [local] = (await openRequest(request)).traffic().ports;
  assert.deepEqual(local?.after?.rows, [
    { from: 'a', shares: [0.25, 0], unserved: 0.25, total: 0.5 },
    { from: 'b', shares: [0, 0.25], unserved: 0.25, total: 0.5 },
  ]);
  assert.deepEqual(
    local?.after?.rules.map(({ rule, nodes }) => `${nodes} ${rule}`),
    ['2 internalTrafficPolicy Local', '2 internalTrafficPolicy Local, and none is here'],
  );
});

test('where no traffic can be told of, the reason is said', async () => {
  const noteOf = async (/** @type {object} */ spec, more = {}) => (await openRequest({ ...requestOf(spec), ...more })).traffic();
  const { ports, note } = await noteOf({ clusterIP: '10.96.0.1', ipFamilies: ['IPv4'] }, { nodes: [], pods: [] });
  assert.deepEqual(ports, []);
  assert.match(note, /^There are no Nodes, from which traffic originates/);
  assert.match((await noteOf({ clusterIP: 'None' })).note, /^It is headless/);
  assert.match((await noteOf({ type: 'ExternalName' })).note, /^It is an alias for another host/);
  assert.match((await noteOf({})).note, /^It is headless/);
  assert.match((await noteOf({ clusterIP: '10.96.0.1', ports: [] })).note, /^It has no ports/);
});

/** @param {Partial<PortAnswer>} answer @returns {PortAnswer} */
function portAnswer(answer) {
  return {
    servicePort: 'n/s:http/TCP',
    message: '',
    groups: [],
    endpoints: [],
    zones: [],
    received: [],
    crossZone: 0,
    unserved: 0,
    overload: 0,
    ...answer,
  };
}

/** @param {string} from @param {Record<string, number>} to */
function zoneAnswer(from, to) {
  return { from, share: 0, unserved: 0, to: Object.entries(to).map(([zone, share]) => ({ zone, share })) };
}

test('the sums of the table are those of the core, whatever the cells add up to', () => {
  const zones = [{ ...zoneAnswer('a', { a: 0.25 }), share: 0.75, unserved: 0.125 }];
  const [shown] = portsOf({ ...FAMILY, ports: [portAnswer({ zones, received: [{ zone: 'a', share: 0.625 }] })] }, null);
  assert.deepEqual(shown?.now.rows, [{ from: 'a', shares: [0.25], unserved: 0.125, total: 0.75 }]);
  assert.deepEqual(shown?.now.totals, [0.625]);
});

test('zones have one order on both sides, those without a name last', () => {
  const now = portAnswer({ zones: [zoneAnswer('', { b: 0.5 }), zoneAnswer('b', { b: 0.5 })] });
  const after = portAnswer({ zones: [zoneAnswer('', {}), zoneAnswer('b', { a: 1 })], received: [{ zone: 'a', share: 1 }], crossZone: 1 });
  const [shown] = portsOf({ ...FAMILY, ports: [now] }, { ...FAMILY, ports: [after] });
  assert.deepEqual(shown?.zones, ['a', 'b', '']);
  assert.deepEqual(shown?.now.rows.map(({ from, shares }) => [from, ...shares]), [['b', 0, 0.5, 0], ['', 0, 0.5, 0]]);
  assert.deepEqual(shown?.after?.totals, [1, 0, 0]);
  assert.equal(shown?.name, 'http/TCP');
});

test('a plan that changes nothing for the traffic shows it once', () => {
  const answer = { ...FAMILY, ports: [portAnswer({ zones: [zoneAnswer('a', { a: 1 })] })] };
  assert.equal(portsOf(answer, answer)[0]?.after, null);
});

/** @param {string} message */
function sideOf(message) {
  return { message, rows: [], totals: [], crossZone: 0, unserved: 0, overload: 0, busiest: null, rules: [] };
}

test('what to see at a glance', () => {
  /** @param {string} now @param {string | null} after */
  const words = (now, after) => {
    return trafficSentence({ id: '', name: '', addressType: 'IPv4', zones: [], now: sideOf(now), after: after === null ? null : sideOf(after) });
  };
  assert.equal(words('One.', null), 'One.');
  assert.equal(words('One.', 'One.'), 'One.');
  assert.equal(words('One.', 'Two.'), 'Now: One. After the plan: Two.');
  assert.equal(percent(0.0001), 'less than 0.1 %');
  assert.equal(usesWords({ rule: '', nodes: 2, zones: [], least: 1, most: 3 }), '1 to 3 endpoints each');
  assert.equal(usesWords({ rule: '', nodes: 1, zones: [], least: 1, most: 1 }), '1 endpoint');
});

test('explanations that say the same of several objects are one', () => {
  const pod = (/** @type {string} */ name, why = 'it is not ready') => ({
    code: 'PodNotReady',
    topic: /** @type {const} */ ('pods'),
    severity: /** @type {const} */ ('degraded'),
    subject: { kind: 'Pod', name },
    what: `Pod ${name} gets no traffic.`,
    because: why,
    fixes: [{ change: `describe ${name}`, effect: 'it tells' }],
  });
  const hint = (/** @type {string} */ addressType) => ({
    code: 'HintsNotAsked',
    topic: /** @type {const} */ ('hints'),
    severity: /** @type {const} */ ('note'),
    subject: { kind: 'Service', name: 's' },
    addressType,
    what: 'No hints.',
  });
  const [pods, hints] = topicsOf([pod('p-1'), pod('p-2'), hint('IPv4'), hint('IPv6'), pod('p-3', 'its probe fails')], () => null);
  assert.deepEqual(pods?.entries.map(({ name, others, otherCount }) => [name, others, otherCount]), [['p-1', ['p-2'], 1], ['p-3', [], 0]]);
  assert.deepEqual(hints?.entries.map(({ families }) => families), [['IPv4', 'IPv6']]);
});

test('of very many explanations a part is kept, and the rest counted', () => {
  const pods = Array.from({ length: 10_000 }, (_, index) => ({
    code: 'PodNotReady',
    topic: /** @type {const} */ ('pods'),
    severity: /** @type {const} */ ('degraded'),
    subject: { kind: 'Pod', name: `p-${index}` },
    what: `Pod p-${index} waits ${index} s.`,
  }));
  const [topic] = topicsOf(pods, () => null);
  assert.equal(topic?.entries.length, 200);
  assert.equal(topic?.left, 9800);
  const [same] = topicsOf(pods.map((each) => ({ ...each, what: `Pod ${each.subject.name} waits.` })), () => null);
  assert.deepEqual([same?.entries.length, same?.left, same?.entries[0]?.otherCount, same?.entries[0]?.others.length], [1, 0, 9999, 12]);
});

for (const { id, url } of EXAMPLES) {
  test(`nothing that the core says is lost: ${id}`, async () => {
    const bytes = new Uint8Array(readFileSync(url));
    const snapshot = /** @type {import('slicewise/tools').Snapshot} */ (JSON.parse(new TextDecoder().decode(bytes)));
    for (const { key, why } of await open(bytes)) {
      const { services, cluster } = explain(snapshot, { service: key });
      const own = services.flatMap(({ explanations }) => explanations);
      const count = why().flatMap(({ entries }) => entries).reduce((sum, { otherCount }) => sum + 1 + otherCount, 0);
      // Equal explanations of both families appear once.
      assert.equal(
        count,
        new Set([...own, ...cluster].map(({ code, subject, what, because, details }) => `${code} ${subject.name} ${what} ${because} ${details}`))
          .size,
      );
    }
  });
}

test('settings of the page count for reasons too', async () => {
  const url = EXAMPLES.find(({ id }) => id === 'eleven-endpoints')?.url ?? '';
  const codes = async (/** @type {object} */ options) => {
    const [shown] = await open(new Uint8Array(readFileSync(url)), options);
    return shown?.why().flatMap(({ topic, entries }) => (topic === 'hints' ? entries.map(({ code }) => code) : [])) ?? [];
  };
  assert.deepEqual(await codes({}), ['HintsOverload']);
  assert.ok((await codes({ topologyHints: false })).includes('HintsSwitchedOff'));
});

test('a request whose objects name no namespace is answered', async () => {
  const request = JSON.parse(JSON.stringify(requestOf({ clusterIP: '10.96.0.1' })).replaceAll('"namespace":"n",', ''));
  const shown = await openRequest(request);
  assert.equal(shown.traffic().ports[0]?.after?.crossZone, 0.5);
  assert.ok(shown.why().length > 0);
});

test('objects that name no namespace are those of the namespace "default", as for the core', async () => {
  const { service, pods, nodes } = requestOf({ clusterIP: '10.96.0.1' });
  const labels = { 'kubernetes.io/service-name': 's', 'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io' };
  const slice = { metadata: { namespace: 'n', name: 'old', labels }, addressType: 'IPv4', endpoints: [{ addresses: ['10.0.0.9'] }], ports: [] };
  const kinds = { Service: [service], Pod: pods, Node: nodes, EndpointSlice: [slice] };
  const items = Object.entries(kinds).flatMap(([kind, objects]) =>
    objects.map((object) => ({ apiVersion: kind === 'EndpointSlice' ? 'discovery.k8s.io/v1' : 'v1', kind, ...object })),
  );
  const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items }).replaceAll('"namespace":"n",', '');
  const answer = await new Engine().open(input, {});
  assert.ok(answer.ok && answer.model);
  assert.deepEqual([answer.model.key, answer.overview.skipped, unpackModel(answer.model).before.slices], ['default/s', [], 1]);
  const [shown] = await open(new TextEncoder().encode(input));
  assert.equal(shown?.traffic().ports[0]?.after?.crossZone, 0.5);
});

test('what a worker cannot load is told to whoever asks, and is no error before', async () => {
  const loading = needed(Promise.reject(new Error('no network')), (module) => module, 'It could not be loaded.');
  await new Promise((resolve) => {
    setTimeout(resolve);
  });
  await assert.rejects(loading, { message: 'It could not be loaded.' });
});
