/** What the page offers to do about a finding: made in the text, it makes the finding go, at the price that is stated. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { apply, explain, plan, traffic } from 'slicewise/tools';
import { legend } from '../../www/core/node.js';
import { Engine } from '../../www/engine.js';
import { applyChanges } from '../../www/input/changes.js';
import { collectRequest, collectSnapshot } from '../../www/model/objects.js';
import { outlookWords, standingWords } from '../../www/model/outlook.js';
import { EXAMPLES } from '../../www/samples/index.js';
import { attemptsOf, whyOf } from '../../www/tools.js';
import { exampleBytes, exampleLink, settled, start, told, withPage } from './harness.js';

/** @import {Outlook} from '../../www/types.js' */

const FOLDER = new URL('../../samples/questions/', import.meta.url);
const QUESTIONS = readdirSync(FOLDER).filter((name) => name.endsWith('.json')).map((name) => ({ name, url: new URL(name, FOLDER) }));
/** Every third question, and every example: the same code answers all. */
const INPUTS = [...QUESTIONS.filter((_, index) => index % 3 === 0), ...EXAMPLES.map(({ id, url }) => ({ name: id, url }))];
const LEGEND = legend();

/** @type {import('./harness.js').World} */
let world;
before(async () => {
  world = await start();
});
after(() => world.close());

/** @param {string} text */
async function opened(text) {
  const engine = new Engine();
  const answer = await engine.open(text, {});
  assert.ok(answer.ok, JSON.stringify(answer));
  return { engine, answer };
}

/** @param {string} text @param {string} key */
function requestIn(text, key) {
  const root = JSON.parse(text);
  const objects = root.service ? collectRequest(root) : collectSnapshot(root);
  const is = (/** @type {any} */ { metadata }) => [metadata.namespace, metadata.name].filter(Boolean).join('/') === key;
  const service = objects.Service.find(is);
  assert.ok(service);
  const { namespace } = service.metadata;
  const pods = objects.Pod.filter(({ metadata }) => metadata.namespace === namespace);
  const own = objects.EndpointSlice.filter(
    ({ metadata }) => metadata.namespace === namespace && metadata.labels?.['kubernetes.io/service-name'] === service.metadata.name,
  );
  return { service, pods, nodes: objects.Node, slices: own, options: root.options ?? {} };
}

/** The findings of a Service once its plan is written, each in one line. @param {string} text @param {string} key @returns {string[]} */
function findingsOf(text, key) {
  const request = requestIn(text, key);
  const { slices } = JSON.parse(apply(plan(JSON.stringify(request)), JSON.stringify(request.slices)));
  const { services, cluster } = JSON.parse(explain(JSON.stringify({ ...request, slices }), {}));
  return [...services[0].explanations, ...cluster].map(({ code, subject, what }) => `${code} ${subject.kind} ${subject.name}: ${what}`);
}

test('every step that is offered makes its finding go, in the text of every example and question', async () => {
  /** @type {Map<string, number>} */
  const offered = new Map();
  for (const { name, url } of INPUTS) {
    const text = readFileSync(url, 'utf8');
    const { engine, answer } = await opened(text);
    for (const { key } of answer.overview.services) {
      const material = engine.whyMaterial(key);
      assert.ok(material);
      for (const { code, kind, name: subject, what, mend, deed } of whyOf(material, LEGEND).topics.flatMap(({ entries }) => entries)) {
        if (!deed) continue;
        const edit = await engine.edit(text, {}, { changes: deed.changes });
        assert.ok(edit.ok, `${name}: ${mend}`);
        const changed = applyChanges(text, edit.changes);
        assert.notEqual(changed, text, `${name}: ${mend}`);
        assert.ok(!findingsOf(changed, key).includes(`${code} ${kind} ${subject}: ${what}`), `${name}: ${mend}`);
        offered.set(code, (offered.get(code) ?? 0) + 1);
      }
    }
  }
  const must = ['SelectsNothing', 'HintsOverload', 'HintsMayFlap', 'HintsNotAsked', 'NotWrittenEndpoint', 'SlicesFragmented', 'NodeWithoutCpu'];
  assert.deepEqual(must.filter((code) => !offered.has(code)), []);
});

test('the price of a proposal is that of the changed input', async () => {
  const text = exampleBytes('eleven-endpoints').toString();
  const { engine, answer } = await opened(text);
  const [material, fixes] = [engine.whyMaterial('shop/checkout'), answer.glance?.fixes];
  assert.ok(material && fixes);
  const { now, outlooks, steady } = attemptsOf(material, fixes, LEGEND);
  assert.ok(now && steady?.outlook);
  assert.deepEqual(outlooks.map((outlook) => outlook?.hints), ['on', 'on', 'on']);
  assert.deepEqual(outlooks.map((outlook) => outlook?.lasts), [false, false, null]);
  assert.deepEqual([steady.title, steady.outlook.lasts, now.hints], ['Use 15', true, 'off']);
  for (const [index, { changes }] of [...fixes, steady].entries()) {
    const edit = await engine.edit(text, {}, { changes });
    assert.ok(edit.ok);
    const request = /** @type {any} */ (requestIn(applyChanges(text, edit.changes), 'shop/checkout'));
    const { slices } = apply(plan(request), request.slices);
    const nodes = request.nodes.map((/** @type {any} */ { metadata: { name, labels } }) => ({ name, labels }));
    const [port] = traffic({ service: request.service, slices, nodes, addressType: 'IPv4' }).ports;
    const { crossZone, busiest } = outlooks[index] ?? steady.outlook;
    assert.ok(port && Math.abs(Number(port.crossZone) - Number(crossZone)) < 1e-9 && Math.abs(1 + port.overload - Number(busiest?.times)) < 1e-9);
  }
});

test('hints that were not asked for last with the number of pods that goes with them', async () => {
  const { engine, answer } = await opened(exampleBytes('rolling-update').toString());
  const [material, fixes] = [engine.whyMaterial('shop/cart'), answer.glance?.fixes];
  assert.ok(material && fixes);
  const { steady } = attemptsOf(material, fixes, LEGEND);
  assert.deepEqual([steady?.title, steady?.outlook?.hints, steady?.outlook?.lasts], ['Auto with 15', 'on', true]);
});

test('an outlook is told by what differs', () => {
  /** @type {Outlook} */
  const now = { severity: 'degraded', hints: 'off', crossZone: 0.667, busiest: { zone: 'c', times: 1 }, lasts: null, steady: 0 };
  /** @type {Outlook} */
  const then = { ...now, severity: 'note', hints: 'on', crossZone: 0, busiest: { zone: 'c', times: 1.222 } };
  assert.equal(outlookWords(now, then), 'hints on · 66.7 % → 0 % crosses zones · zone c 1.22 × its share');
  assert.equal(standingWords(now, then), 'degraded → well');
  assert.equal(outlookWords(then, { ...now, hints: 'none' }), 'no hints · 0 % → 66.7 % crosses zones · even load');
  assert.equal(standingWords(now, now), '');
});

test('a selector is set by the button of its finding, and undone there', () =>
  withPage(world, { hash: exampleLink('selector-typo') }, async (page) => {
    await told(page);
    const why = page.locator('section.panel', { has: page.locator('#why-title') });
    const button = why.getByRole('button', { name: /^Set the selector to/ });
    assert.match((await why.locator('.deed').filter({ hasText: 'Set the selector' }).textContent()) ?? '', /broken → well/);
    await button.press('Enter');
    await settled(page);
    await told(page);
    const undo = why.getByRole('button', { name: /^Undo: Set the selector/ });
    await undo.waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), await undo.textContent());
    await undo.press('Enter');
    await button.waitFor();
  }));

test('the fixes of the question have their price, and a command is copied', () =>
  withPage(world, { hash: exampleLink('eleven-endpoints') }, async (page) => {
    await told(page);
    await page.getByRole('button', { name: 'Use 15' }).waitFor();
    const prices = (await page.locator('.fix-prices > div').allInnerTexts()).map((words) => words.replace('\n', ': '));
    assert.match(prices[0] ?? '', /^Use 12: hints on, off and on again in a rollout · 66.7 % → 0 % crosses zones$/);
    assert.match(prices[2] ?? '', /^PreferSameZone: .*1.22 × its share$/);
    assert.match(prices[3] ?? '', /^Use 15: hints on, through rollouts too/);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const copy = page.getByRole('button', { name: /^Copy: kubectl annotate/ }).first();
    await copy.click();
    await page.getByRole('button', { name: /^Copied: kubectl annotate/ }).waitFor();
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^kubectl annotate --overwrite service checkout -n shop/);
  }));
