/** Traffic, through `slicewise/tools`: the bytes of the native command, and the sums that must hold. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { ROOT } from './lib/builds.mjs';
import { NATIVE } from './lib/commands.mjs';
import { route, traffic } from 'slicewise/tools';

const ZONES = ['a', 'b', 'b', 'c'];
const REQUEST = {
  service: {
    metadata: { namespace: 'shop', name: 'cart' },
    spec: { clusterIP: '10.96.0.1', clusterIPs: ['10.96.0.1'], ipFamilies: ['IPv4'], ports: [{ name: 'http', port: 80, protocol: 'TCP' }] },
  },
  slices: [
    {
      metadata: { namespace: 'shop', name: 'cart-a', labels: { 'kubernetes.io/service-name': 'cart' } },
      addressType: 'IPv4',
      ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
      endpoints: ZONES.map((zone, index) => ({ addresses: [`10.0.0.${index}`], zone, nodeName: `${zone}1`, hints: { forZones: [{ name: zone }] } })),
    },
  ],
  nodes: ['a1', 'b1', 'c1'].map((name) => ({ name, labels: { 'topology.kubernetes.io/zone': name.slice(0, 1) } })),
};

describe('route', () => {
  it('of objects says what to give instead', () => {
    const list = /** @type {any} */ ({ kind: 'List', items: [{ kind: 'Service', ...REQUEST.service }] });
    assert.throws(() => route(list), { code: 'MissingField', message: /give a request, `\{"service": …/ });
  });
});

describe('traffic', () => {
  it('is what the command prints', () => {
    const text = JSON.stringify(REQUEST);
    const { stdout, stderr } = spawnSync(NATIVE[0], ['traffic', '-', '-o', 'json'], { cwd: ROOT, input: text, encoding: 'utf8' });
    assert.equal(`${traffic(text)}\n`, stdout, stderr);
  });

  it('adds up', () => {
    const { nodes, ports, notProxied, warnings } = traffic(REQUEST);
    assert.deepEqual(nodes.map(({ node, zone }) => `${node} in ${zone}`), ['a1 in a', 'b1 in b', 'c1 in c']);
    assert.deepEqual([notProxied, warnings], [[], []]);
    const [port] = ports;
    assert.ok(port);
    const sum = (/** @type {{share: number}[]} */ parts) => parts.reduce((whole, { share }) => whole + share, 0);
    assert.ok(Math.abs(sum(port.endpoints) + port.unserved - 1) < 1e-9);
    assert.ok(Math.abs(sum(port.zones.flatMap(({ to }) => to)) + port.unserved - 1) < 1e-9);
    assert.ok(Math.abs(sum(port.zones) - 1) < 1e-9);
    assert.ok(Math.abs(sum(port.received) + port.unserved - 1) < 1e-9);
    for (const { share, unserved, to } of port.zones) assert.ok(Math.abs(sum(to) + unserved - share) < 1e-9);
    assert.equal(port.crossZone, 0);
    assert.ok(Math.abs(sum(nodes) - 1) < 1e-9);
    assert.deepEqual(port.groups.map((group) => [group.nodes, group.rule, group.uses]), [
      [[0], 'hinted to this zone', [0]],
      [[1], 'hinted to this zone', [1, 2]],
      [[2], 'hinted to this zone', [3]],
    ]);
  });

  it('heeds weights and readers', () => {
    const { nodes, ports } = traffic({ ...REQUEST, reader: 'istio', clients: [{ node: 'a1', weight: 2 }] });
    const [port] = ports;
    assert.deepEqual(port?.endpoints.map(({ share }) => share), [0.25, 0.25, 0.25, 0.25]);
    assert.deepEqual(port?.groups.map((group) => group.nodes), [[0, 1, 2]]);
    assert.equal(nodes[0]?.share, 0.5);
  });

  it('says what is wrong with a request', () => {
    assert.throws(() => traffic({ ...REQUEST, clients: [{ node: 'd1' }] }), { code: 'InvalidValue', path: '/clients/0/node' });
    assert.throws(() => traffic({ ...REQUEST, reader: /** @type {any} */ ('nginx') }), { code: 'InvalidValue', path: '/reader' });
  });
});
