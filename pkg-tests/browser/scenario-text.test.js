/** The text of a scenario: fields, steps and values are proposed, and what is unknown is marked with what was meant. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { yaml } from '@codemirror/lang-yaml';
import { EditorState } from '@codemirror/state';
import { explainedAt } from '../../www/editor/explain.js';
import { OneSchema } from '../../www/editor/schema.js';
import { treeUpTo } from '../../www/editor/structure.js';
import { scenariosOf } from '../../www/model/likeness.js';
import { assisting } from './assisting.js';
import { findings } from './axe.js';
import { openTab, scenarioText, start, withPage, writeScenario } from './harness.js';
import { ROOT } from './server.js';

const SCHEMA = JSON.parse(readFileSync(join(ROOT, 'pkg/schema/scenario.json'), 'utf8'));
const SCHEMAS = new OneSchema(SCHEMA);
const { stateOf, offered, remarks } = assisting(SCHEMAS);
const SCENARIOS = join(ROOT, 'crates/simulation/scenarios');

/** @param {string} name */
function fieldsOf(name) {
  return Object.keys(SCHEMA.$defs[name].properties);
}

test('all fields of a scenario, of its actions and of their settings are offered, as in the schema', () => {
  assert.deepEqual(offered('|')?.toSorted(), Object.keys(SCHEMA.properties).toSorted());
  assert.deepEqual(offered('actions:\n- |')?.toSorted(), fieldsOf('Action').toSorted());
  assert.deepEqual(offered('actions:\n- at: 30s\n  roll|\n')?.toSorted(), fieldsOf('Action').filter((name) => name !== 'at').toSorted());
  assert.deepEqual(offered('actions:\n- {at: 1m, scale: {|}}')?.toSorted(), fieldsOf('Scale').toSorted());
  assert.deepEqual(offered('{"zones": [{"name": "a", |}]}')?.toSorted(), fieldsOf('Zone').filter((name) => name !== 'name').toSorted());
  assert.deepEqual(offered('controller:\n  options:\n    |\n')?.toSorted(), fieldsOf('Options').toSorted());
});

test('values are offered: those of the schema, and the names of Services, zones and nodes in the scenario', () => {
  const versions = SCHEMA.$defs.Options.properties.kubernetes.enum.filter(Boolean);
  assert.deepEqual(offered('controller:\n  options:\n    kubernetes: |\n'), versions);
  assert.deepEqual(offered('actions:\n- at: 1s\n  resync: |\n'), ['true', 'false']);
  const head = 'zones:\n- {name: east, nodes: 1, nodeNames: [n1]}\nservices:\n- {service: shop/cart, replicas: 2}\nactions:\n';
  assert.deepEqual(offered(`${head}- at: 1s\n  scale:\n    service: |\n`), ['shop/cart']);
  assert.deepEqual(offered(`${head}- at: 1s\n  failNodes: {zone: |}\n`), ['east']);
  assert.deepEqual(offered(`${head}- at: 1s\n  drainNodes: {node: |}\n`), ['n1']);
});

test('as much is offered where everything takes long', ({ mock }) => {
  let now = 0;
  mock.method(Date, 'now', () => (now += 20));
  assert.deepEqual(offered('actions:\n- at: 1s\n  resync: |\n'), ['true', 'false']);
});

test('a long text that would take half a minute is read for a moment', ({ mock }) => {
  const doc = '- '.repeat(50_000);
  const state = EditorState.create({ doc, extensions: [yaml()] });
  let now = 0;
  mock.method(Date, 'now', () => (now += 20));
  treeUpTo(state, doc.length);
  assert.ok(now < 1000, `${now / 20} looks at the clock`);
});

test('what is unknown is named with what was meant', () => {
  assert.deepEqual(remarks('acitons: []\n'), [['acitons', 'unknown field `acitons`; did you mean `actions`?']]);
  assert.deepEqual(remarks('actions:\n- {at: 1s, rollingUpdte: {service: a/b}}\n'), [
    ['rollingUpdte', 'unknown field `rollingUpdte`; did you mean `rollingUpdate`?'],
  ]);
  assert.deepEqual(remarks('{"controller": {"options": {"kubernetes": "1.39"}}}').map(([word]) => word), ['1.39']);
});

test('nothing is remarked in a scenario that comes with the page, or is made for a Service', () => {
  const files = readdirSync(SCENARIOS).filter((name) => name.endsWith('.yaml'));
  assert.ok(files.length >= 13);
  for (const file of files) assert.deepEqual(remarks(readFileSync(join(SCENARIOS, file), 'utf8')), [], file);
  const zones = [{ zone: { name: 'a', nodes: 1, nodeNames: ['n1'], cpu: '4000m' }, pods: 3, busiest: 'n1' }];
  const service = { families: ['IPv4'], ports: [{ name: 'http', protocol: 'TCP', targetPort: 80 }], topologyMode: 'Auto' };
  const like = { zones, leftOut: 0, workload: { kind: '', name: '' }, kubernetes: /** @type {const} */ ('1.38'), service };
  for (const { id, text } of scenariosOf('shop/cart', 3, like)) assert.deepEqual(remarks(text), [], id);
});

test('a field is explained in the words of the schema', () => {
  const { state, pos } = stateOf('actions:\n- {at: 1s, drainNo|des: {zone: a}}\n');
  const explained = explainedAt(state, pos, SCHEMAS);
  assert.equal(explained?.name, 'drainNodes');
  assert.equal(explained?.description, SCHEMA.$defs.Action.properties.drainNodes.description);
});

/** @type {import('./harness.js').World} */
let world;
before(async () => {
  world = await start();
});
after(() => world.close());

test('a step is proposed as one types, a slip is mended by a press, and the scenario runs and is undone', () =>
  withPage(world, {}, async (page) => {
    await openTab(page, 'Timeline');
    await page.getByLabel('Scenario', { exact: true }).selectOption('relabel');
    await page.getByText('Edit the scenario as text').click();
    await page.locator('.scenario-text .cm-content[aria-autocomplete]').waitFor();
    const bundled = readFileSync(join(SCENARIOS, 'relabel.yaml'), 'utf8');
    assert.equal(await scenarioText(page), bundled);
    const head = 'titel: Mine\nzones:\n- {name: a, nodes: 2}\nservices:\n- {service: shop/cart, replicas: 2}\nactions:\n- at: 30s\n  phase: more';
    await writeScenario(page, head);
    await page.locator('.mistake').waitFor();
    assert.match((await page.locator('.mistake').textContent()) ?? '', /titel/);
    await page.keyboard.press('Control+End');
    await page.keyboard.type('\nsca');
    const chosen = page.locator('.scenario-text .cm-tooltip-autocomplete [aria-selected]', { hasText: 'scale' });
    await chosen.waitFor();
    assert.deepEqual(await findings(page), []);
    await page.waitForTimeout(150);
    await page.keyboard.press('Enter');
    await page.keyboard.type('service: shop/cart\nreplicas: 5');
    const mend = page.locator('.scenario-text .cm-diagnosticAction', { hasText: 'title' });
    // A remark closes when the text is reported, which waits for a pause in typing.
    for (let tries = 0; tries < 100 && !(await mend.isVisible()); tries++) {
      await page.mouse.move(0, 0);
      await page.locator('.scenario-text .cm-lintRange').first().hover();
      await page.waitForTimeout(500);
    }
    await mend.click();
    await page.getByRole('heading', { name: 'Mine', exact: true }).waitFor();
    assert.equal(await page.locator('.mistake').count(), 0);
    assert.match(await scenarioText(page), /\n {2}scale:\n {4}service: shop\/cart\n {4}replicas: 5$/);
    await page.getByRole('button', { name: 'Undo' }).first().click();
    await page.locator('.mistake').waitFor();
    assert.deepEqual(await findings(page), []);
  }));
