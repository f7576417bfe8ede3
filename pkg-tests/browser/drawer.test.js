/** The drawer: objects changed by clicking, generated inputs, the gallery; and messages about missing parts. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Engine } from '../../www/engine.js';
import { generated as generate } from '../../www/engine.js';
import { PLAIN } from '../../www/input/generator.js';
import { exampleBytes, openInput, replaceInput, settled, start, withPage } from './harness.js';

/** @import {Page} from 'playwright-core' */

const ELEVEN = exampleBytes('eleven-endpoints').toString();

/** @type {import('./harness.js').World} */
let world;
before(async () => {
  world = await start();
});
after(() => world.close());

/** @param {Page} page @param {string} kind @param {string} name */
async function choose(page, kind, name) {
  await page.getByRole('button', { name: new RegExp(`^${kind} \\d`) }).click();
  const option = page.getByRole('listbox', { name: kind }).getByRole('option', { name: new RegExp(name) });
  // The previous kind is shown until these have loaded.
  for (let turn = 0; turn < 6000 && (await option.count()) !== 1; turn += 1) await page.waitForTimeout(50);
  await option.click();
  await page.locator('#chosen-title', { hasText: name }).waitFor();
}

/** The current input. @param {Page} page */
async function inputText(page) {
  await openInput(page);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.locator('#input').focus();
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Control+C');
  return page.evaluate(() => navigator.clipboard.readText());
}

/** The name of the step to undo. @param {Page} page */
function undoButton(page) {
  return page.getByRole('button', { name: /^Undo/ }).first();
}

/** Undoes a step, and waits for its picture. @param {Page} page */
async function undo(page) {
  await undoButton(page).click();
  await settled(page);
}

test('every change by clicking is a step of the input, and undo gives the same bytes again', () =>
  withPage(world, {}, async (page) => {
    await openInput(page, 'Objects');
    await page.getByRole('button', { name: '+ Pod' }).click();
    await page.getByRole('button', { name: 'Pods 12' }).waitFor();
    await choose(page, 'Pods', 'checkout-v1-12');
    await page.getByRole('button', { name: 'Make it not ready' }).click();
    await page.getByRole('button', { name: 'Make it ready' }).waitFor();
    await page.getByRole('textbox', { name: 'Label to set' }).fill('tier=front');
    await page.getByRole('button', { name: 'Set the label' }).click();
    await page.getByText('tier=front').waitFor();
    await page.getByRole('button', { name: 'Remove the label tier' }).click();
    await page.getByText('tier=front').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Pods 11' }).waitFor();
    await choose(page, 'Services', 'checkout');
    const chosen = page.locator('.chosen');
    await chosen.getByRole('button', { name: 'One pod more' }).click();
    await chosen.getByText('12 endpoints', { exact: true }).waitFor();
    await chosen.getByRole('button', { name: 'One pod fewer' }).click();
    await chosen.getByText('11 endpoints', { exact: true }).waitFor();
    await choose(page, 'Nodes', 'node-a1');
    await page.getByRole('button', { name: 'Drain' }).click();
    await page.getByRole('option', { name: /node-a1.*cordoned/ }).waitFor();
    assert.match(await inputText(page), /"unschedulable": true/);
    // Steps of scaling in quick succession count as one, or as two if the machine is slow.
    while (await undoButton(page).isEnabled()) await undo(page);
    assert.equal(await inputText(page), ELEVEN);
  }));

test('the keyboard walks the objects, and one of them can be shown in the text', () =>
  withPage(world, {}, async (page) => {
    await openInput(page, 'Objects');
    const list = page.getByRole('listbox', { name: 'Pods' });
    await list.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await page.getByRole('heading', { name: 'Pod checkout-v1-02' }).waitFor();
    const active = await list.getAttribute('aria-activedescendant');
    assert.match((await page.locator(`[id="${active}"]`).textContent()) ?? '', /checkout-v1-02/);
    await page.getByRole('button', { name: 'Show in the text' }).click();
    await page.locator('.cm-activeLine').waitFor();
    const line = ELEVEN.slice(0, ELEVEN.indexOf('"name": "checkout-v1-02"')).split('\n').length - 4;
    await page.waitForFunction(() => document.activeElement?.className === 'code-editor');
    assert.equal(await page.locator('.cm-activeLineGutter').first().textContent(), String(line));
  }));

test('of twenty thousand pods only those in view are drawn, and each can be found', () =>
  withPage(world, {}, async (page) => {
    await openInput(page);
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'large.json', mimeType: 'application/json', buffer: Buffer.from(await generate({ ...PLAIN, pods: 20_000 })) });
    await settled(page);
    await openInput(page, 'Objects');
    await page.getByRole('button', { name: 'Pods 20000' }).waitFor();
    assert.ok((await page.locator('.object-row').count()) <= 60);
    const list = page.getByRole('listbox', { name: 'Pods' });
    await list.getByRole('option', { name: /web-00003/ }).click();
    await list.evaluate((element) => {
      element.scrollTop = 44 * 15_000;
    });
    await page.getByRole('option', { name: /web-15001/ }).waitFor();
    assert.equal(await page.getByRole('option', { name: /web-15001/ }).getAttribute('aria-posinset'), '15001');
    assert.equal(await page.locator('#chosen-title').textContent(), 'Pod web-00003');
    await page.getByRole('searchbox', { name: 'Search objects' }).fill('web-19999');
    await page.getByRole('option', { name: /web-19999/ }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Nothing matches.').waitFor();
  }));

test('an input is made up, the same each time, and undone', () =>
  withPage(world, {}, async (page) => {
    await openInput(page, 'Generate');
    await page.getByRole('spinbutton', { name: 'Zones' }).fill('4');
    await page.getByRole('spinbutton', { name: 'Pods', exact: true }).fill('40');
    await page.getByRole('combobox', { name: 'The Service asks for' }).selectOption('PreferSameZone');
    await page.getByRole('button', { name: 'Generate', exact: true }).last().click();
    await page.getByRole('heading', { name: 'Slices of shop/web' }).waitFor();
    assert.equal(await inputText(page), await generate({ ...PLAIN, zones: 4, pods: 40, hints: 'PreferSameZone' }));
    await undo(page);
    assert.equal(await inputText(page), ELEVEN);
  }));

test('the gallery is searched by what an example teaches, and opens it', () =>
  withPage(world, {}, async (page) => {
    await page.locator('.picked').click();
    await page.locator('.dialog .card').first().waitFor();
    assert.equal(await page.locator('.dialog .card').count(), 40);
    await page.getByRole('searchbox', { name: 'Search examples' }).fill('readiness gate');
    assert.equal(await page.locator('.dialog .card').count(), 1);
    await page.locator('.dialog .card button').click();
    await page.getByRole('heading', { name: 'Slices of shop/cart' }).waitFor();
  }));

test('an example that cannot be fetched leaves what is there, says so, and keeps nothing busy', () =>
  withPage(world, { expected: /Failed to load resource|failed:/ }, async (page) => {
    await page.route(/readiness-gate\.[0-9a-f]+\.json/, (route) => route.abort());
    await page.locator('.picked').click();
    await page.getByRole('searchbox', { name: 'Search examples' }).fill('readiness gate');
    await page.locator('.dialog .card button').click();
    const notice = page.locator('.banner .notice.error', { hasText: 'could not be loaded' });
    await notice.waitFor();
    await settled(page);
    assert.equal(await page.locator('main.stale').count(), 0);
    await page.getByRole('heading', { name: 'Slices of shop/checkout' }).waitFor();
    assert.equal(await inputText(page), ELEVEN);
    await page.unroute(/readiness-gate\.[0-9a-f]+\.json/);
    await notice.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('heading', { name: 'Slices of shop/cart' }).waitFor();
    assert.equal(await notice.count(), 0);
  }));

test('a part of the page that cannot be loaded says which, and can be tried again', () =>
  withPage(world, { expected: /Failed to load resource|ERR_FAILED|failed:/ }, async (page) => {
    const parts = /\/assets\/\d+\.[0-9a-f]+\.js/;
    await page.route(parts, (route) => route.abort());
    await page.getByRole('tab', { name: 'Timeline' }).click();
    const notice = page.getByRole('alert').filter({ hasText: 'The timeline could not be loaded.' });
    await notice.waitFor();
    await page.unroute(parts);
    await notice.getByRole('button', { name: 'Retry' }).click();
    await page.locator('#panel-timeline select').first().waitFor();
    assert.equal(await notice.count(), 0);
  }));

test('a mistake in the text is told beside the objects, which stay those that could be read', () =>
  withPage(world, {}, async (page) => {
    await openInput(page);
    await page.locator('#input').focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('}');
    await page.locator('.problem').waitFor();
    await openInput(page, 'Objects');
    await page.locator('.objects .problem').waitFor();
    await page.getByRole('button', { name: '+ Pod' }).click();
    await page.locator('.banner .notice', { hasText: /Fix line \d+ of the text first/ }).waitFor();
    assert.equal(await inputText(page), `${ELEVEN}}`);
  }));

test('a question of the tests is opened by its words', () =>
  withPage(world, {}, async (page) => {
    await page.keyboard.press('Control+k');
    const box = page.getByRole('combobox');
    await box.fill('on fire while the others idle');
    await page.getByRole('option', { name: /on fire while the others idle/ }).click();
    await page.getByRole('heading', { name: 'Slices of shop/' }).waitFor();
    await settled(page);
    assert.match(await inputText(page), /With PreferClose the only pod of zone a is on fire/);
  }));

test('what an input lacks is said above its picture, in every tab, in the words of the core', () =>
  withPage(world, {}, async (page) => {
    const { service, pods } = JSON.parse(exampleBytes('scale-up').toString());
    const typed = pods.map((/** @type {object} */ pod) => ({ kind: 'Pod', ...pod }));
    const text = JSON.stringify({ kind: 'List', items: [{ kind: 'Service', ...service }, ...typed] });
    await openInput(page);
    await replaceInput(page, text);
    await page.locator('.banner .notice.warning').waitFor();
    const answer = await new Engine().open(text, {});
    assert.ok(answer.ok);
    assert.deepEqual(answer.overview.warnings.map((warning) => /EndpointSlice|Node/.exec(warning)?.[0]), ['Node', 'EndpointSlice']);
    await page.getByRole('tab', { name: 'Compare' }).click();
    const said = (await page.locator('.banner .notice.warning').textContent()) ?? '';
    for (const warning of answer.overview.warnings) assert.ok(said.includes(warning.slice(1).replaceAll('`', '')), said);
  }));

test('a lone Deployment is no mistake: what is missing is said, in the words of the core', () =>
  withPage(world, {}, async (page) => {
    await openInput(page);
    await replaceInput(page, 'kind: Deployment\nmetadata:\n  name: web\n');
    await page.getByRole('heading', { name: 'There is no Service with a plan in this input' }).waitFor();
    const said = (await page.locator('#panel-picture').textContent()) ?? '';
    const answer = await new Engine().open('{"kind": "Deployment", "metadata": {"name": "web"}}', {});
    assert.ok(answer.ok && answer.overview.warnings.length > 0);
    for (const warning of answer.overview.warnings) assert.ok(said.includes(warning.slice(1).replaceAll('`', '')), said);
    assert.match(said, /1 × Deployment/);
    assert.equal(await page.locator('.problem').count(), 0);
  }));
