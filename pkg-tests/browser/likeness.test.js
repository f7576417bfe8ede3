/** Scenarios about a Service like the loaded one: they run for every example, and have its pods, zones and hints. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { Timeline } from 'slicewise/simulation';
import { legend } from '../../www/core/node.js';
import { Engine } from '../../www/engine.js';
import { likenessOf, scenariosOf } from '../../www/model/likeness.js';
import { EXAMPLES } from '../../www/samples/index.js';
import { objectsOf } from '../../www/input/walk.js';
import { Runs } from '../../www/timeline.js';
import { likenessIn } from '../../www/tools.js';
import { exampleLink, start, told, withPage } from './harness.js';

/** @type {import('./harness.js').World} */
let world;
before(async () => {
  world = await start();
});
after(() => world.close());

/** The scenarios about each Service of an example. @param {URL} url */
async function scenariosIn(url) {
  const engine = new Engine();
  const opened = await engine.open(readFileSync(url, 'utf8'), {});
  assert.ok(opened.ok);
  return opened.overview.services.map(({ key }) => {
    const material = engine.whyMaterial(key);
    assert.ok(material);
    const input = JSON.parse(new TextDecoder().decode(material.input));
    const ready = input.pods?.length ?? 3;
    const nodes = objectsOf(input, input.service ? 'request' : 'snapshot').flatMap(({ kind, value }) => (kind === 'Node' ? value.metadata.name : []));
    return { key, pods: ready, nodes, scenarios: scenariosOf(key, ready, likenessIn(material, legend())) };
  });
}

/** @param {string} text */
async function played(text) {
  const runs = new Runs();
  const opened = await runs.open(text, '');
  assert.ok(opened.ok, JSON.stringify(opened));
  while (runs.next(opened.run).length > 0);
  const report = runs.report(opened.run);
  assert.ok(report);
  return report;
}

test('each scenario about a Service of an example can be played, and is about its pods', async () => {
  let count = 0;
  for (const { id, url } of EXAMPLES) {
    for (const { pods, nodes, scenarios } of await scenariosIn(url)) {
      // Two of each: the kinds differ, the zones do not.
      for (const { id: what, text } of scenarios.slice(0, 4)) {
        const { services, zones } = JSON.parse(text);
        assert.equal(services[0].replicas, pods, id);
        const named = zones.flatMap((/** @type {any} */ zone) => zone.nodeNames);
        assert.ok(named.length > 0 && named.every((/** @type {string} */ name) => nodes.includes(name)), `${id}: ${named}`);
        if (pods <= 30) assert.ok((await played(text)).phases.length >= 2, `${id} ${what}`);
        count += 1;
      }
    }
  }
  assert.ok(count > 80);
});

test('the update of eleven pods with hints flips them, and that of pods without does not', async () => {
  const rollOf = async (/** @type {string} */ id) => {
    const [first] = await scenariosIn(/** @type {URL} */ (EXAMPLES.find((each) => each.id === id)?.url));
    const { phases } = await played(first?.scenarios.find((each) => each.id === 'own:roll')?.text ?? '');
    return phases.reduce((sum, { sums }) => sum + sums.hintFlips, 0);
  };
  assert.ok((await rollOf('eleven-endpoints')) > 1);
  assert.equal(await rollOf('rolling-update'), 0);
});

test('a scenario is about the loaded nodes, zones, Deployment and ports, by name', () => {
  const node = (/** @type {string} */ name, /** @type {string} */ zone, /** @type {object} */ rest = {}) => ({
    metadata: { name, labels: { 'topology.kubernetes.io/zone': zone } },
    status: { allocatable: { cpu: '4' }, conditions: [{ type: 'Ready', status: 'True' }] },
    ...rest,
  });
  const pod = (/** @type {number} */ number, /** @type {string} */ nodeName) => ({
    metadata: {
      name: `cart-v2-6f9c-${number}`,
      labels: { app: 'cart', 'pod-template-hash': '6f9c' },
      ownerReferences: [{ kind: 'ReplicaSet', name: 'cart-v2-6f9c', controller: true }],
    },
    spec: { nodeName },
  });
  const likeness = likenessOf(
    {
      service: {
        metadata: { name: 'cart', namespace: 'shop' },
        spec: { selector: { app: 'cart' }, ports: [{ name: 'web', port: 80, targetPort: 'http' }] },
      },
      pods: [pod(1, 'ip-10-0-0-1.ec2.internal'), pod(2, 'ip-10-0-1-2.ec2.internal'), pod(3, 'ip-10-0-1-2.ec2.internal')],
      nodes: [
        node('ip-10-0-0-1.ec2.internal', 'eu-1a'),
        node('ip-10-0-1-1.ec2.internal', 'eu-1b'),
        node('ip-10-0-1-2.ec2.internal', 'eu-1b'),
        node('master-1', 'eu-1a', { metadata: { name: 'master-1', labels: { 'node-role.kubernetes.io/control-plane': '' } } }),
        node('dead', 'eu-1b', { status: { conditions: [{ type: 'Ready', status: 'Unknown' }] } }),
      ],
      slices: [{ ports: [{ name: 'web', port: 8080 }] }],
    },
    { zone: 'topology.kubernetes.io/zone', topologyMode: 'service.kubernetes.io/topology-mode' },
  );
  const scenarios = scenariosOf('shop/cart', 3, likeness);
  assert.deepEqual(scenarios.map(({ title }) => title.replace('shop/cart: ', '')), [
    'roll Deployment cart-v2',
    'scale Deployment cart-v2 3 → 12',
    'drain ip-10-0-0-1.ec2.internal (eu-1a)',
    'drain ip-10-0-1-2.ec2.internal (eu-1b)',
    'lose eu-1a',
    'lose eu-1b',
  ]);
  const { zones, services, lesson } = JSON.parse(scenarios[3]?.text ?? '');
  assert.deepEqual(zones.map((/** @type {any} */ { name, nodeNames }) => [name, ...nodeNames]), [
    ['eu-1a', 'ip-10-0-0-1.ec2.internal'],
    ['eu-1b', 'ip-10-0-1-1.ec2.internal', 'ip-10-0-1-2.ec2.internal'],
  ]);
  assert.deepEqual(services[0].ports, [{ name: 'web', protocol: 'TCP', targetPort: 8080 }]);
  assert.match(lesson, /placed evenly on 3 nodes; in the input there are 1 in eu-1a, 2 in eu-1b; 2 nodes that take no pods are left out/);
  // The simulation knows the nodes and pods by these names.
  const timeline = new Timeline(scenarios[3]?.text ?? '', { service: 'shop/cart' });
  const steps = [];
  for (let few = timeline.next(500); few.length > 0; few = timeline.next(500)) steps.push(...few);
  const seen = JSON.stringify(steps);
  assert.ok(seen.includes('ip-10-0-1-2.ec2.internal drained') && seen.includes('"cart-v2-'), seen.slice(0, 2000));
});

test('the timeline opens on the update of the loaded Service; what stays the same is a line; a zone is lost on request', () =>
  withPage(world, { hash: exampleLink('eleven-endpoints') }, async (page) => {
    await page.getByRole('tab', { name: 'Timeline' }).click();
    await page.getByRole('heading', { name: 'shop/checkout: roll its Deployment' }).waitFor();
    await told(page);
    await page.getByText(/^The nodes and zones of the input, and 11 ready pods of shop\/checkout, placed evenly on 6 nodes; in the input there are /).waitFor();
    const plots = page.locator('.plots .plot-title');
    assert.ok((await plots.allTextContents()).some((title) => title.startsWith('Hint flips')));
    await page.getByLabel('Scenario', { exact: true }).selectOption({ label: 'shop/checkout: lose europe-west4-c' });
    await page.getByRole('heading', { name: 'shop/checkout: lose europe-west4-c' }).waitFor();
    await told(page);
    await page.getByRole('tab', { name: 'Picture' }).click();
    await page.goto(`${world.base}${exampleLink('rolling-update')}`);
    await page.getByRole('tab', { name: 'Timeline' }).click();
    await page.getByRole('heading', { name: 'shop/cart: roll its Deployment' }).waitFor();
    await told(page);
    assert.match((await page.locator('.flat-plots').textContent()) ?? '', /^The same all the time: .*hint flips so far 0/);
    assert.ok(!(await plots.allTextContents()).some((title) => title.startsWith('Hint flips')));
  }));
