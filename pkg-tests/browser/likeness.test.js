/** Scenarios about a Service like the loaded one: they run for every example, and have its pods, zones and hints. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { legend } from '../../www/core/node.js';
import { Engine } from '../../www/engine.js';
import { scenariosOf } from '../../www/model/likeness.js';
import { EXAMPLES } from '../../www/samples/index.js';
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
    const ready = JSON.parse(new TextDecoder().decode(material.input)).pods?.length ?? 3;
    return { key, pods: ready, scenarios: scenariosOf(key, ready, likenessIn(material, legend())) };
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
    for (const { pods, scenarios } of await scenariosIn(url)) {
      // Two of each: the kinds differ, the zones do not.
      for (const { id: what, text } of scenarios.slice(0, 4)) {
        const { services, zones } = JSON.parse(text);
        assert.equal(services[0].replicas, pods, id);
        assert.ok(zones.length > 0);
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

test('the timeline opens on the update of the loaded Service; what stays the same is a line; a zone is lost on request', () =>
  withPage(world, { hash: exampleLink('eleven-endpoints') }, async (page) => {
    await page.getByRole('tab', { name: 'Timeline' }).click();
    await page.getByRole('heading', { name: 'shop/checkout: roll its Deployment' }).waitFor();
    await told(page);
    await page.getByText('A Service like shop/checkout: 11 pods, placed evenly on 6 nodes in 3 zones.').waitFor();
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
