/** The version of Kubernetes: all tabs decide as it does, and what an upgrade changes is said in the core's sentences. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { plan, traffic, upgrade } from 'slicewise/tools';
import { legend } from '#page';
import { compareOf } from '../../www/compare.js';
import { Engine } from '../../www/engine.js';
import { presetOfVersions } from '../../www/model/presets.js';
import { optionsUnder, upgradeFor } from '../../www/model/version.js';
import { Runs } from '../../www/timeline.js';
import { trafficOf, upgradeOf } from '../../www/tools.js';
import { findings } from './axe.js';
import { drawnSlices, exampleBytes, openInput, openTab, pasteInput, settled, start, told, withPage } from './harness.js';
import { ROOT } from './server.js';

/** @import {Page} from 'playwright-core' */
/** @import {Options} from '../../www/types.js' */

/** @type {import('../../www/types.js').Legend} */
const LEGEND = legend();
const [OLD, NEW] = /** @type {['1.37', '1.38']} */ (LEGEND.kubernetesVersions);
/** Both versions side by side. */
const BOTH = { other: '', columns: presetOfVersions(LEGEND.kubernetesVersions)[1], reader: /** @type {const} */ ('kube-proxy'), legend: LEGEND };

/** A placeholder that an older Service of the same name owns: only one version takes it for its own. */
const CASE = 'pkg-tests/differential/corpus/placeholder-of-an-older-service-is-kept.json';
const PLACEHOLDER = JSON.parse(readFileSync(join(ROOT, CASE), 'utf8')).request;

/** A setting that stops working, and an address that is refused. */
const GATED = JSON.parse(exampleBytes('same-node').toString());
GATED.options = { ...GATED.options, preferSameTrafficDistribution: false };
GATED.service.spec.externalIPs = ['192.0.02.1'];

/** @param {object} input @param {Options} options */
async function opened(input, options) {
  const engine = new Engine();
  const answer = await engine.open(JSON.stringify(input), options);
  assert.ok(answer.ok && answer.model, JSON.stringify(answer));
  const { key } = answer.model;
  const [why, flow] = [engine.whyMaterial(key), engine.trafficMaterial(key)];
  assert.ok(why && flow);
  return { ...answer, model: answer.model, why, flow };
}

test('the versions of the page are those that the core accepts, and its default one of them', async () => {
  assert.ok(LEGEND.kubernetesVersions.includes(LEGEND.options.kubernetes));
  for (const kubernetes of LEGEND.kubernetesVersions) await opened(PLACEHOLDER, { kubernetes });
  const refused = await new Engine().open(JSON.stringify(PLACEHOLDER), { kubernetes: /** @type {any} */ ('1.36') });
  const names = LEGEND.kubernetesVersions.map((name) => `\`${name}\``).join(' or ');
  assert.ok(!refused.ok && refused.problem.setting && refused.problem.message.includes(names));
});

test('plans and the columns of a comparison are those of each version', async () => {
  const expected = LEGEND.kubernetesVersions.map((kubernetes) => {
    const { create, update, delete: gone } = plan({ ...PLACEHOLDER, options: { kubernetes } });
    return { created: create.length, updated: update.length, deleted: gone.length };
  });
  assert.notDeepEqual(expected[0], expected[1]);
  for (const [index, kubernetes] of LEGEND.kubernetesVersions.entries()) {
    const { model, why, overview } = await opened(PLACEHOLDER, { kubernetes });
    const { created, updated, deleted } = model.counts;
    assert.deepEqual({ created, updated, deleted }, expected[index]);
    assert.equal(overview.options.kubernetes, kubernetes);
    const { columns } = await compareOf(why, BOTH);
    assert.deepEqual(columns.map(({ side, failure }) => failure || side?.writes), expected);
  }
});

test('a column of a version leaves out what that version no longer has', async () => {
  const { why } = await opened(GATED, {});
  const { columns } = await compareOf(why, BOTH);
  const whole = { ...GATED, options: { kubernetes: NEW } };
  assert.deepEqual(columns[1]?.side?.hints, JSON.parse(JSON.stringify(plan(whole).hints)), columns[1]?.failure);
  assert.notDeepEqual(columns[0]?.side?.hints, columns[1]?.side?.hints);
});

test('traffic is asked for with the version', async () => {
  for (const kubernetes of LEGEND.kubernetesVersions) {
    const { flow } = await opened(exampleOf('same-node'), { kubernetes });
    const asked = JSON.parse(new TextDecoder().decode(flow));
    assert.equal(asked.kubernetes, kubernetes);
    const { service, slices, nodes } = asked;
    const [port] = traffic({ service, slices, nodes, kubernetes, reader: 'kube-proxy', addressType: 'IPv4' }).ports;
    assert.equal(trafficOf(flow, 'kube-proxy').ports[0]?.now.crossZone, port?.crossZone);
  }
});

/** @param {string} id */
function exampleOf(id) {
  return JSON.parse(exampleBytes(id).toString());
}

test('what an upgrade changes is the core’s answer; a large input is only compared when it must be', async () => {
  const { why } = await opened(GATED, {});
  const versions = { from: OLD, to: NEW, must: false };
  const { upgrade: found } = upgradeOf(why, versions);
  const { namespace, name } = GATED.service.metadata;
  const expected = upgrade(GATED, { to: NEW, options: { kubernetes: OLD }, service: `${namespace}/${name}` });
  assert.deepEqual(found, JSON.parse(JSON.stringify(expected)));
  assert.ok(found?.settings.length === 1 && found.refused.length === 1 && found.services[0]?.traffic.length);
  const large = { ...why, input: new TextEncoder().encode(JSON.stringify(GATED) + ' '.repeat(1_000_000)) };
  assert.deepEqual(upgradeOf(large, versions), { upgrade: null });
  assert.deepEqual(upgradeOf(large, { ...versions, must: true }).upgrade, found);
});

test('settings that stop working go with their version, and come back with it', () => {
  const lost = ['preferSameTrafficDistribution'];
  const defaults = LEGEND.options;
  const to = { version: NEW, isNewer: true, lost };
  const off = { preferSameTrafficDistribution: false };
  assert.deepEqual(optionsUnder(to, { ...off, topologyHints: false }, {}, defaults), { topologyHints: false, kubernetes: NEW });
  const under = optionsUnder(to, {}, off, defaults);
  assert.deepEqual(under, { preferSameTrafficDistribution: true, kubernetes: NEW });
  assert.deepEqual(optionsUnder({ ...to, version: OLD, isNewer: false }, under, off, defaults), { kubernetes: OLD });
  assert.deepEqual([OLD, NEW].map((each) => upgradeFor([OLD, NEW], each)), [[OLD, NEW], [OLD, NEW]]);
  assert.equal(upgradeFor([OLD], OLD), null);
});

test('a scenario runs as the version in the settings decides, unless it names one, and mistakes stay where they are', async () => {
  const scenario = { services: [{ service: 'a/b', replicas: 1 }], zones: [{ name: 'z', nodes: 1 }] };
  const runs = new Runs();
  const own = { ...scenario, controller: { maxRetries: 1, options: { kubernetes: OLD } } };
  for (const [text, given, decides] of /** @type {const} */ ([[scenario, '', ''], [scenario, NEW, NEW], [own, NEW, OLD]])) {
    const answer = await runs.open(JSON.stringify(text), '', given);
    assert.ok(answer.ok, JSON.stringify(answer));
    assert.equal(answer.kubernetes, decides);
  }
  const wrong = '{"services": [{"service": "a/b", "replicas": 1}],\n\n "zones": 5}';
  const [plain, under] = [await runs.open(wrong, ''), await runs.open(wrong, '', NEW)];
  assert.ok(!plain.ok && !under.ok && plain.problem.line === 3);
  assert.deepEqual(under.problem, plain.problem);
  const refused = await runs.open(JSON.stringify(scenario), '', '1.36');
  assert.ok(!refused.ok && refused.problem.path === '/controller/options/kubernetes');
});

/** @type {import('./harness.js').World} */
let world;
before(async () => {
  world = await start();
});
after(() => world.close());

/** @param {Page} page */
function version(page) {
  return page.locator('select[name=kubernetes]');
}

/** The first figure of each column. @param {Page} page */
function writes(page) {
  return page.locator('.compare-table tbody tr', { hasText: 'Writes' }).locator('td').allTextContents();
}

test('the switch decides in every tab, is undone, and is in the link', () =>
  withPage(world, {}, async (page) => {
    await pasteInput(page, JSON.stringify(PLACEHOLDER));
    await openInput(page);
    await page.locator('.options > summary').click();
    assert.equal(await page.locator('#kubernetes-why').textContent(), `${OLD}, the default.`);
    assert.deepEqual(await version(page).locator('option').allTextContents(), LEGEND.kubernetesVersions);
    const first = await drawnSlices(page);
    await version(page).selectOption(NEW);
    await settled(page);
    assert.equal(await page.locator('#kubernetes-why').textContent(), `${NEW}, as set here.`);
    assert.notDeepEqual(await drawnSlices(page), first);
    await page.getByRole('heading', { name: `From Kubernetes ${OLD} to ${NEW}` }).waitFor();
    assert.deepEqual(await findings(page), []);
    await page.getByRole('button', { name: 'Compare both' }).click();
    await told(page);
    const [old, now] = await writes(page);
    assert.notEqual(old, now);
    await page.getByRole('button', { name: 'Now and after the plan' }).click();
    await told(page);
    assert.equal((await writes(page))[1], now, 'a column as in the settings');
    assert.deepEqual(await findings(page), []);
    await openTab(page, 'Timeline');
    await page.getByText(`The controller decides as in Kubernetes ${NEW}.`).waitFor();
    await openTab(page, 'Traffic');
    const address = page.url();
    assert.match(address, new RegExp(`[&#]kubernetes=${NEW}(&|$)`));
    await page.keyboard.press('s');
    const field = page.getByRole('textbox', { name: 'Link' });
    await field.waitFor();
    const link = await field.inputValue();
    await page.keyboard.press('Escape');
    const there = await (await world.browser.newContext()).newPage();
    await there.goto(link);
    await settled(there);
    await openTab(there, 'Picture');
    await there.getByText(`Shown is ${NEW}, as set here.`).waitFor();
    await there.context().close();
    await openTab(page, 'Picture');
    await page.getByRole('button', { name: `Plan as ${OLD}` }).click();
    await settled(page);
    assert.deepEqual(await drawnSlices(page), first);
    await page.getByRole('button', { name: /^Undo/ }).first().click();
    await settled(page);
    assert.equal(await version(page).inputValue(), NEW);
  }));

test('a setting that stops working and a refused address are said before the upgrade, and one press plans it', () =>
  withPage(world, {}, async (page) => {
    await pasteInput(page, JSON.stringify(GATED));
    const panel = page.getByRole('region', { name: `From Kubernetes ${OLD} to ${NEW}` });
    await panel.waitFor();
    const said = (await panel.textContent()) ?? '';
    const { settings, refused, services } = upgrade(GATED, { to: NEW });
    const [rule] = services[0]?.traffic[0]?.nodes ?? [];
    for (const message of [settings[0]?.message, refused[0]?.message, rule?.after.rule]) {
      assert.ok(said.toLowerCase().includes((message ?? 'none').replaceAll('`', '').toLowerCase()), `${message} in ${said}`);
    }
    assert.deepEqual(await findings(page), []);
    await page.getByRole('button', { name: `Plan as ${NEW}` }).click();
    await settled(page);
    assert.equal(await page.locator('.notice.faulty').count(), 0);
    await page.locator('.hint-state.on').first().waitFor();
    await page.getByRole('button', { name: `Plan as ${OLD}` }).click();
    await settled(page);
    assert.equal(await page.locator('.hint-state.on').count(), 0);
  }));
