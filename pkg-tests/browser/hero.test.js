/** The first screen: the core's words, the slider, the lanes, the fixes, and how they are undone. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { glance } from '#page';
import * as tools from 'slicewise/tools';
import { percent } from '../../www/model/traffic-text.js';
import { EXAMPLES } from '../../www/samples/index.js';
import { exampleBytes } from './files.js';
import { exampleLink, settled, start, told, withPage } from './harness.js';

/** @typedef {import('playwright-core').Page} Page */

/** @type {import('./harness.js').World} */
let world;
before(async () => {
  world = await start();
});
after(() => world.close());

/** The texts of the hero. @param {Page} page */
async function shown(page) {
  const hero = page.locator('.hero');
  const text = (/** @type {string} */ selector) => hero.locator(selector).allTextContents();
  return {
    question: (await text('h2')).join(),
    headline: (await text('.headline')).join(),
    rule: (await text('.rule')).join(),
    arithmetic: (await text('.arithmetic')).join(),
    fixes: await text('.fix:not(.steady)'),
    works: (await text('.tick.works .tick-count')).map(Number),
    fails: (await text('.tick.fails .tick-count')).map(Number),
    lanes: await hero
      .locator('.lane')
      .evaluateAll((lanes) =>
        lanes.map(
          (lane) =>
            `${lane.querySelector('.lane-name')?.textContent} ${lane.querySelectorAll('.lane-cell').length}${lane.matches('.unmet') ? ' ✗' : ''}`,
        ),
      ),
  };
}

/** The same from the core in Node. @param {Uint8Array} input @param {object} question */
function coreOf(input, question) {
  /** @type {import('slicewise').Glance} */
  const core = JSON.parse(new TextDecoder().decode(glance(input, question)));
  const plain = (/** @type {string} */ text) => text.replaceAll('`', '');
  return {
    question: core.question,
    headline: plain(core.headline),
    rule: plain(core.rule),
    arithmetic: core.arithmetic?.words ?? '',
    fixes: core.fixes.map(({ title }) => title),
    works: core.counts.filter(({ works }) => works).map(({ ready }) => ready),
    fails: core.counts.filter(({ works }) => !works).map(({ ready }) => ready),
    lanes: core.zones.map(({ zone, given, isMet }) => `${zone} ${core.ready > 240 ? 0 : given}${isMet ? '' : ' ✗'}`),
  };
}

for (const id of [
  'eleven-endpoints',
  'borrowed-endpoints',
  'lopsided-zones',
  'unlabelled-node',
  'scale-up',
  'rolling-update',
  'nothing-asks',
  'selector-typo',
]) {
  test(`the hero says what the core says: ${id}`, () =>
    withPage(world, { hash: exampleLink(id) }, async (page) => {
      const service = ((await page.locator('.strip h3').textContent()) ?? '').replace('Slices of ', '');
      const least = Number(await page.getByRole('slider').getAttribute('min'));
      const most = Number(await page.getByRole('slider').getAttribute('max'));
      assert.deepEqual(await shown(page), coreOf(exampleBytes(id), { service, from: least, to: most }));
      await told(page);
      const { traffic } = JSON.parse(new TextDecoder().decode(tools.glance(exampleBytes(id), { service })));
      const sides = [traffic?.now, traffic?.after].map((share) => (typeof share === 'number' ? percent(share) : '–'));
      const share = sides[0] === sides[1] ? sides[0] : sides.join(' → ');
      assert.equal(await page.locator('.crossing').textContent(), share === '–' ? '' : `${share} of traffic leaves its zone`);
    }));
}

test('every step of the slider is planned by the core; there and back again is the same input', () =>
  withPage(world, { hash: exampleLink('eleven-endpoints') }, async (page) => {
    const eleven = await shown(page);
    assert.match(eleven.arithmetic, /= 12 > 11$/);
    assert.equal(await page.locator('.hint-tag.lost').count(), 11);
    const slider = page.getByRole('slider');
    await slider.press('ArrowRight');
    await page.locator('.stepper-value', { hasText: '12 pods' }).waitFor();
    await settled(page);
    const twelve = await shown(page);
    assert.deepEqual(twelve.lanes, ['europe-west4-a 4', 'europe-west4-b 4', 'europe-west4-c 4']);
    assert.equal(await page.locator('.hint-tag.lost').count(), 0);
    assert.equal(await page.locator('.hint-tag').count(), 12);
    assert.match((await slider.getAttribute('aria-valuetext')) ?? '', /12 pods\. Hints are on/);
    await page.getByRole('button', { name: 'One pod fewer' }).click();
    await page.locator('.stepper-value', { hasText: '11 pods' }).waitFor();
    await settled(page);
    assert.deepEqual(await shown(page), eleven);
  }));

test('a fix and its undo keep the focus among the fixes, and no figure of another plan is shown', () =>
  withPage(world, { hash: exampleLink('eleven-endpoints') }, async (page) => {
    await told(page);
    assert.equal(await page.locator('.crossing').textContent(), '0 % → 66.7 % of traffic leaves its zone');
    const lanes = page.getByRole('list', { name: 'Endpoints for each zone' }).getByRole('listitem');
    assert.match((await lanes.first().textContent()) ?? '', /needs 4 ✓, met/);
    assert.match((await lanes.last().textContent()) ?? '', /needs 4 ✗, not met/);
    await page.evaluate(() => {
      const headline = /** @type {HTMLElement} */ (document.querySelector('.headline'));
      const seen = /** @type {any} */ (globalThis);
      seen.beside = [];
      new MutationObserver(() => seen.beside.push(document.querySelector('.crossing')?.textContent)).observe(headline, {
        characterData: true,
        childList: true,
        subtree: true,
      });
    });
    await page.getByRole('button', { name: 'Use 12', exact: true }).press('Enter');
    await page.locator('.fixes').getByRole('button', { name: 'Undo: Use 12' }).waitFor();
    await settled(page);
    assert.deepEqual(await page.evaluate(() => /** @type {any} */ (globalThis).beside), ['']);
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Undo: Use 12');
    await page.keyboard.press('Enter');
    await page.locator('.headline', { hasText: '11 endpoints cannot' }).waitFor();
    await settled(page);
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Use 12');
  }));

test('the inspector of an endpoint whose pod is gone says what it was', () =>
  withPage(world, { hash: exampleLink('eleven-endpoints') }, async (page) => {
    await page.locator('.strip [role=option].removed').click();
    await told(page);
    const said = (await page.getByRole('complementary', { name: 'Inspector' }).textContent()) ?? '';
    assert.match(said, /Pod checkout-v1-12.*removed.*10\.8\.0\.\d+.*The pod is no longer in the input/);
    assert.doesNotMatch(said, /did you mean/);
  }));

test('clicks in quick succession all count', () =>
  withPage(world, { hash: exampleLink('eleven-endpoints') }, async (page) => {
    await page.getByRole('button', { name: 'One pod more' }).evaluate((/** @type {HTMLElement} */ button) => {
      for (let click = 0; click < 3; click += 1) button.click();
    });
    await page.locator('.stepper-value', { hasText: '14 pods' }).waitFor();
  }));

test('many steps of the slider are one step of undo', () =>
  withPage(world, { hash: exampleLink('eleven-endpoints') }, async (page) => {
    const original = await shown(page);
    // At once: they are steps of their own if a slow browser pauses between them.
    await page.getByRole('slider').evaluate((slider) => {
      for (const pods of ['20', '6', '24']) {
        /** @type {HTMLInputElement} */ (slider).value = pods;
        slider.dispatchEvent(new Event('input', { bubbles: true }));
      }
    });
    await page.locator('.stepper-value', { hasText: '24 pods' }).waitFor();
    await settled(page);
    await page.locator('.fixes').getByRole('button', { name: /^Undo/ }).click();
    await page.locator('.stepper-value', { hasText: '11 pods' }).waitFor();
    await settled(page);
    assert.deepEqual(await shown(page), original);
    assert.equal(await page.locator('.fixes').getByRole('button', { name: /^Undo/ }).count(), 0);
  }));

for (const id of ['eleven-endpoints', 'unlabelled-node', 'nothing-asks']) {
  test(`every fix that is offered can be applied, helps, and can be undone: ${id}`, () =>
    withPage(world, { hash: exampleLink(id) }, async (page) => {
      const sick = await shown(page);
      assert.ok(sick.fixes.length > 0);
      for (const title of sick.fixes) {
        await page.getByRole('button', { name: title, exact: true }).click();
        await page.locator('.fixes').getByRole('button', { name: `Undo: ${title}` }).waitFor();
        await settled(page);
        assert.notEqual((await shown(page)).headline, sick.headline, title);
        assert.equal(await page.locator('.notice').count(), 0, title);
        await page.locator('.fixes').getByRole('button', { name: /^Undo/ }).click();
        await page.getByText(sick.headline).first().waitFor();
        await settled(page);
        assert.deepEqual(await shown(page), sick, title);
      }
    }));
}

test('cells slide to their places, unless motion is reduced', async () => {
  for (const reducedMotion of /** @type {const} */ (['no-preference', 'reduce'])) {
    await withPage(world, { hash: exampleLink('eleven-endpoints'), reducedMotion }, async (page) => {
      await page.evaluate(() => {
        const animate = Element.prototype.animate;
        Object.assign(globalThis, { slid: 0 });
        Element.prototype.animate = function count(...args) {
          /** @type {any} */ (globalThis).slid += 1;
          return animate.apply(this, args);
        };
      });
      await page.getByRole('button', { name: 'One pod more' }).click();
      await page.locator('.stepper-value', { hasText: '12 pods' }).waitFor();
      await settled(page);
      const slid = await page.evaluate(() => /** @type {any} */ (globalThis).slid);
      assert.equal(slid > 0, reducedMotion === 'no-preference', `${reducedMotion}: ${slid}`);
    });
  }
});

for (const width of [320, 390]) {
  test(`on a phone everything up to the fixes is within 640 pixels: ${width} wide`, () =>
    withPage(world, { hash: exampleLink('eleven-endpoints'), viewport: { width, height: 640 } }, async (page) => {
      await told(page);
      for (const selector of ['.hero h2', '.headline', '.lane', '.slider', '.fix']) {
        const bottoms = await page.locator(selector).evaluateAll((all) => all.map((each) => each.getBoundingClientRect().bottom));
        assert.ok(bottoms.length > 0 && Math.max(...bottoms) <= 640, `${selector}: ${bottoms.join(', ')}`);
      }
    }));
}

test('in a frame there is the hero alone, and a way out', () =>
  withPage(world, { path: '?embed=1', hash: exampleLink('eleven-endpoints') }, async (page) => {
    assert.match((await page.locator('.hero h2').textContent()) ?? '', /\?$/);
    for (const selector of ['.topbar', '[role=tab]', '.strip', '.drawer']) assert.equal(await page.locator(selector).count(), 0, selector);
    const [opened] = await Promise.all([page.waitForEvent('popup'), page.getByRole('link', { name: 'Open in slicewise' }).click()]);
    await opened.locator('.topbar').waitFor();
    assert.match(new URL(opened.url()).hash, /example=eleven-endpoints/);
  }));

test('an example opens with its question, for every example that has a Service', () =>
  withPage(world, { path: 'blank.html' }, async (page) => {
    for (const { id, title } of EXAMPLES) {
      await page.goto(`${world.base}${exampleLink(id)}`);
      await page.reload();
      await settled(page);
      const count = await page.locator('.hero h2').count();
      assert.equal(count, await page.locator('.strip').count(), title);
    }
  }));

test('without the part that edits, the page says what is missing, and edits as soon as it is there', () =>
  withPage(world, { path: 'blank.html', expected: /ERR_FAILED/ }, async (page) => {
    await page.route(/\/editing\.[0-9a-f]+\.js/, (route) => route.abort());
    await page.goto(`${world.base}${exampleLink('eleven-endpoints')}`);
    await settled(page);
    const more = page.getByRole('button', { name: 'One pod more' });
    await more.click();
    await page.getByText(/part of the page that edits the input could not be loaded/).waitFor();
    assert.match((await page.locator('.headline').textContent()) ?? '', /11 endpoints/);
    await page.unrouteAll();
    await more.click();
    await page.locator('.headline', { hasText: '12 endpoints' }).waitFor();
  }));
