/** The view of one node shows the core's answer for that node alone; without a browser. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apply, route, traffic } from 'slicewise/tools';
import { Engine } from '../../www/engine.js';
import { nodeTrafficOf, trafficOf } from '../../www/tools.js';
import { exampleBytes } from './files.js';

/** @import {Reader} from '../../www/types.js' */

/** @type {Reader[]} */
const READERS = ['kube-proxy', 'cilium', 'istio', 'linkerd', 'envoy-gateway'];

for (const id of ['borrowed-endpoints', 'same-node', 'cluster-at-rest']) {
  test(`whom each node uses, through the eyes of each reader: ${id}`, async () => {
    const engine = new Engine();
    const answer = await engine.open(exampleBytes(id), {});
    assert.ok(answer.ok);
    for (const { key } of answer.overview.services) {
      const material = engine.trafficMaterial(key);
      assert.ok(material);
      const { service, slices, nodes, plan } = JSON.parse(new TextDecoder().decode(material));
      const after = apply(/** @type {import('slicewise').Plan} */ (plan), slices).slices;
      for (const reader of READERS) {
        assert.deepEqual(trafficOf(material, reader).nodes.map(({ name }) => name), nodes.map((/** @type {any} */ { name }) => name));
        for (const node of nodes.slice(0, 3)) check(nodeTrafficOf(material, reader, node.name), { service, nodes: [node], reader }, [slices, after]);
      }
    }
  });
}

/**
 * @param {ReturnType<typeof nodeTrafficOf>} shown
 * @param {{service: any, nodes: [any], reader: Reader}} request
 * @param {object[][]} sides the slices now and after the plan
 */
function check(shown, { service, nodes, reader }, sides) {
  assert.ok(shown);
  const [node] = nodes;
  sides.forEach((slices, index) => {
    const { ports } = traffic({ service, nodes, reader, slices });
    assert.equal(shown.ports.length, ports.length);
    ports.forEach((port, place) => {
      const { now, after } = shown.ports[place] ?? {};
      const side = index === 0 ? now : (after ?? now);
      const [group] = port.groups;
      assert.equal(side?.rule, group?.message);
      const used = side?.endpoints.filter((each) => each.used).map(({ endpoint }) => endpoint);
      assert.deepEqual(used, group?.uses.map((use) => port.endpoints[use]?.endpoint));
      assert.deepEqual(side?.zones, port.zones[0]?.to ?? []);
      assert.equal(side?.unserved, port.unserved);
      const steps = reader === 'kube-proxy' ? route({ service, node, slices }).routes[port.servicePort]?.rules : [];
      assert.deepEqual(side?.rules, steps);
    });
  });
}

test('a node that is not there has no view', async () => {
  const engine = new Engine();
  const answer = await engine.open(exampleBytes('borrowed-endpoints'), {});
  const material = engine.trafficMaterial((answer.ok && answer.overview.services[0]?.key) || '');
  assert.ok(material);
  assert.equal(nodeTrafficOf(material, 'kube-proxy', 'nobody'), null);
});
