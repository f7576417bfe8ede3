/** The timeline in a real browser: played, paused, stepped, scrubbed, edited. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { SCENARIOS } from '../../www/samples/scenarios.js';
import { Runs } from '../../www/timeline.js';
import { findings, widths } from './axe.js';
import { scenarioText, start, withPage, writeScenario } from './harness.js';

/** @import {Page} from 'playwright-core' */

/** @type {import('./harness.js').World} */
let world;
before(async () => {
  world = await start();
});
after(() => world.close());

/** @param {string} id */
function textOf(id) {
  return readFileSync(SCENARIOS.find((each) => each.id === id)?.url ?? '', 'utf8');
}

/** Opens a scenario, and waits for its complete run. @param {Page} page @param {string} id */
async function open(page, id) {
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await page.getByLabel('Scenario').selectOption(id);
  await page.getByRole('heading', { name: SCENARIOS.find((each) => each.id === id)?.title, exact: true }).waitFor();
  await page.locator('.timeline[aria-busy=false]').waitFor();
}

/** @param {Page} page */
function slider(page) {
  return page.getByRole('slider', { name: 'Time of the run' });
}

/** The current step. @param {Page} page */
async function step(page) {
  const text = (await page.locator('.moment-time').textContent()) ?? '';
  return Number(/step ([\d]+) of/.exec(text)?.[1]);
}

/** Waits for that step. @param {Page} page @param {number} place */
async function shows(page, place) {
  await page.locator('.moment-time', { hasText: new RegExp(`step ${place} of`) }).waitFor();
}

/** The steps of a scenario, from the core in Node. @param {string} id */
async function stepsInNode(id) {
  const runs = new Runs();
  await runs.open(textOf(id), '');
  const steps = [];
  for (let more = runs.next(1); more.length > 0; more = runs.next(1)) steps.push(...more);
  return steps;
}

test('the keyboard steps and scrubs; what is said of a step is the core’s', () =>
  withPage(world, {}, async (page) => {
    await open(page, 'relabel');
    const steps = await stepsInNode('relabel');
    await slider(page).press('Home');
    for (const [index, each] of steps.entries()) {
      await shows(page, index + 1);
      const now = await page.locator('.happened .now').allTextContents();
      const said = [...(each.happened ?? [])].reverse().map(({ message }) => message);
      assert.deepEqual(now.map((text) => text.replace(/^.*? s /, '')), said.slice(0, 8));
      assert.equal(await page.locator('[data-value=fill]').textContent(), `${Number(((each.gauges?.fill ?? 0) * 100).toFixed(1))} %`);
      await page.keyboard.press('ArrowRight');
    }
    await shows(page, steps.length);
    await page.waitForFunction(() => {
      const range = document.querySelector('[role=slider]');
      return range?.getAttribute('aria-valuenow') === range?.getAttribute('aria-valuemax');
    });
    await page.keyboard.press('Home');
    await shows(page, 1);
    await page.keyboard.press('PageUp');
    await shows(page, Math.min(21, steps.length));
    await page.waitForFunction(() => /^\d.* s, /.test(document.querySelector('[role=slider]')?.getAttribute('aria-valuetext') ?? ''));
  }));

test('a run opens with everything up, just before its first phase', () =>
  withPage(world, {}, async (page) => {
    await open(page, 'drain');
    const steps = await stepsInNode('drain');
    const first = steps.findIndex(({ phase }) => phase === 1);
    assert.ok(first > 1);
    await shows(page, first);
    await page.locator('.moment-figures', { hasText: /[1-9]\d* ready/ }).waitFor();
    await page.getByRole('button', { name: 'Step forward' }).click();
    await shows(page, first + 1);
  }));

test('a run goes on while another tab is shown', () =>
  withPage(world, {}, async (page) => {
    await page.getByRole('tab', { name: 'Timeline' }).click();
    await page.locator('.moment-time').waitFor();
    await page.getByRole('tab', { name: 'Picture' }).click();
    await page.getByRole('tab', { name: 'Timeline' }).click();
    await page.locator('.timeline[aria-busy=false]').waitFor();
    assert.doesNotMatch((await page.locator('.moment-time').textContent()) ?? '', /so far/);
  }));

test('a scenario that cannot be loaded is said, and another one can be chosen', () =>
  withPage(world, { expected: /failed|ERR_FAILED/ }, async (page) => {
    await page.route('**/*.yaml', (route) => route.abort());
    await page.getByRole('tab', { name: 'Timeline' }).click();
    await page.getByLabel('Scenario', { exact: true }).selectOption('relabel');
    await page.getByRole('alert').getByText('The scenario could not be loaded.').waitFor();
    await page.unroute('**/*.yaml');
    await page.getByLabel('Scenario', { exact: true }).selectOption('drain');
    await page.getByRole('heading', { name: 'Drain', exact: true }).waitFor();
    assert.equal(await page.getByRole('alert').count(), 0);
  }));

test('a part that stops is no mistake in the scenario', () =>
  withPage(world, { expected: /gone/ }, async (page) => {
    await open(page, 'relabel');
    await page.workers().find((worker) => worker.url().includes('timeline'))?.evaluate(() => {
      addEventListener('message', () => {
        throw new Error('gone');
      });
    });
    await page.getByLabel('Scenario', { exact: true }).selectOption('drain');
    const said = page.locator('.timeline .mistake');
    await said.waitFor();
    assert.match((await said.textContent()) ?? '', /gone/);
    assert.doesNotMatch((await said.textContent()) ?? '', /mistake in the scenario|Internal/);
    await page.getByLabel('Scenario', { exact: true }).selectOption('relabel');
    await page.locator('.timeline[aria-busy=false] .moment-time').waitFor();
    await said.waitFor({ state: 'detached' });
  }));

test('it plays to the end and pauses; scrubbing with the pointer goes back', () =>
  withPage(world, {}, async (page) => {
    await open(page, 'dual-stack');
    await page.getByLabel('Speed').selectOption('100');
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await page.waitForFunction(() => /step ([2-9]|\d\d)/.test(document.querySelector('.moment-time')?.textContent ?? ''));
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    await page.waitForTimeout(300);
    const paused = await step(page);
    assert.ok(paused > 1);
    await page.waitForTimeout(300);
    assert.equal(await step(page), paused);
    await slider(page).press(' ');
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    const last = await step(page);
    const box = await slider(page).boundingBox();
    assert.ok(box);
    await page.mouse.click(box.x + box.width / 2, box.y + 40);
    await page.waitForFunction((end) => !document.querySelector('.moment-time')?.textContent?.includes(`step ${end} of`), last);
    assert.ok((await step(page)) < last);
  }));

test('the run is played, stepped and sped up from the palette and by single keys', () =>
  withPage(world, {}, async (page) => {
    /** @param {string} search */
    const command = async (search) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('combobox').fill(search);
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('play or pause');
    await page.getByText('No matches').waitFor();
    await page.keyboard.press('Escape');
    await command(`scenario: ${SCENARIOS.find(({ id }) => id === 'relabel')?.title}`);
    await page.locator('.timeline[aria-busy=false]').waitFor();
    const steps = await stepsInNode('relabel');
    await command('to the end of the run');
    await shows(page, steps.length);
    await command('step back');
    await shows(page, steps.length - 1);
    await command('step forward');
    await shows(page, steps.length);
    await command('to the start of the run');
    await shows(page, 1);
    const second = steps.findIndex(({ phase }) => phase === 1);
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('to the phase');
    await page.getByRole('dialog').getByRole('option').nth(1).click();
    await shows(page, second + 1);
    await page.keyboard.press(',');
    await shows(page, second);
    await page.keyboard.press('.');
    await shows(page, second + 1);
    const speed = page.getByLabel('Speed');
    assert.equal(await speed.inputValue(), '10');
    await command('play slower');
    await page.keyboard.press('<');
    await page.waitForFunction(() => [...document.querySelectorAll('select')].some(({ value }) => value === '1'));
    for (let more = 0; more < 5; more += 1) await page.keyboard.press('>');
    assert.equal(await speed.inputValue(), '100');
    await command('to the start of the run');
    await command('play or pause');
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.keyboard.press('p');
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    await page.getByRole('tab', { name: 'Picture' }).click();
    await page.keyboard.press('p');
    assert.equal(await page.getByRole('tab', { name: 'Picture' }).getAttribute('aria-selected'), 'true');
  }));

test('the table says what the slices of a moment hold; the report is the command’s', () =>
  withPage(world, {}, async (page) => {
    await open(page, 'port-rename');
    await page.getByRole('button', { name: 'To the end' }).click();
    await page.getByText('The slices of this moment as a table').click();
    const rows = page.getByRole('region', { name: 'Slices of this moment' }).locator('tbody tr');
    const runs = new Runs();
    await runs.open(textOf('port-rename'), '');
    const report = /** @type {any} */ (runs.report(1));
    await rows.nth(report.services[0].slices - 1).waitFor();
    assert.equal(await rows.count(), report.services[0].slices);
    await page.getByText('The run in figures').click();
    const phases = page.getByRole('region', { name: 'The run in figures' }).locator('tbody tr');
    await phases.first().waitFor();
    const [{ name, sums }] = report.phases;
    const cells = await phases.first().locator('th, td').allTextContents();
    assert.deepEqual([cells[0], Number(cells[2]), Number(cells[3])], [name, sums.writes.create, sums.writes.update]);
  }));

test('a scenario of one’s own: a mistake is at its line, the last run stays, and undo brings the text back', () =>
  withPage(world, {}, async (page) => {
    await open(page, 'relabel');
    await page.getByText('Edit the scenario as text').click();
    const bundled = await scenarioText(page);
    assert.equal(bundled, textOf('relabel'));
    await writeScenario(page, bundled.replace('replicas: ', 'replicas: many'));
    await page.locator('.mistake', { hasText: /mistake in the scenario, line \d+/ }).waitFor();
    assert.equal(await slider(page).count(), 1);
    await writeScenario(page, bundled.replace(/replicas: \d+/, 'replicas: 7').replace(/^title: .*$/m, 'title: Mine'));
    await page.getByRole('heading', { name: 'Mine', exact: true }).waitFor();
    await page.getByRole('button', { name: 'To the end' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.locator('.mistake').waitFor();
  }));

for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
  for (const width of [320, 1440]) {
    test(`axe has nothing to say of the timeline: ${colorScheme}, ${width} pixels`, () =>
      withPage(world, { colorScheme, viewport: { width, height: 800 } }, async (page) => {
        await open(page, 'zone-loss');
        for (const summary of await page.locator('[role=tabpanel]:not([hidden]) summary').all()) await summary.click();
        await page.getByRole('region', { name: 'The run in figures' }).waitFor();
        assert.deepEqual(await findings(page), []);
        const { scrollWidth, clientWidth } = await widths(page);
        assert.ok(scrollWidth <= clientWidth, `${scrollWidth} > ${clientWidth}`);
      }));
  }
}
