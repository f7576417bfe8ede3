/** `<slicewise-picture>` of the package in a page of another origin: an example, a file, a text; as high as its content. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import manifest from '../../package.json' with { type: 'json' };
import { exampleBytes, start, told, withPage } from './harness.js';
import { serve } from './server.js';

/** @import {Frame, Page} from 'playwright-core' */

/** @type {import('./harness.js').World} */
let world;
/** The page that embeds: another origin, which has the package. @type {Awaited<ReturnType<typeof serve>>} */
let host;
before(async () => {
  [world, host] = await Promise.all([start(), serve()]);
});
after(() => {
  host.close();
  return world.close();
});

/** @param {string} body @param {(page: Page, frame: () => Promise<Frame>) => Promise<void>} run */
function embedding(body, run) {
  const file = manifest.exports['./element'].default.replace(/^\./, '/package');
  const head = '<!doctype html><html lang="en"><title>host</title><link rel="icon" href="data:,">';
  const html = `${head}<body>${body}<script type="module" src="${file}"></script>`;
  host.instead.set('/host.html', html.replaceAll('PAGE', world.base));
  host.instead.set('/cluster.json', exampleBytes('rolling-update').toString());
  // Requests to the page come from its own frame.
  return withPage(world, { path: 'blank.html', expected: /^elsewhere/ }, async (page) => {
    await page.goto(`${host.base}host.html`);
    await run(page, async () => {
      const element = await page.locator('slicewise-picture iframe').elementHandle();
      const frame = await element?.contentFrame();
      assert.ok(frame);
      await frame.locator('main.embedded[aria-busy=false]').waitFor();
      return frame;
    });
  });
}

/** @param {Page} page @param {number} least waits until the frame is higher */
async function heightAbove(page, least) {
  const frame = page.locator('slicewise-picture iframe');
  for (let turn = 0; turn < 600 && !(Number(await frame.getAttribute('height')) > least); turn += 1) await page.waitForTimeout(50);
  const height = Number(await frame.getAttribute('height'));
  assert.ok(height > least);
  return height;
}

/** The frame's height, once answers that come late no longer change it. @param {Page} page */
async function settledHeight(page) {
  let height = await heightAbove(page, 200);
  for (let same = 0; same < 10; same += 1) {
    await page.waitForTimeout(50);
    const next = await heightAbove(page, 200);
    if (next !== height) [height, same] = [next, 0];
  }
  return height;
}

/** The frame has no scroll bar, and not much room below. @param {Page} page @param {Frame} frame */
async function assertFits(page, frame) {
  await heightAbove(page, 200);
  await frame.waitForFunction(() => {
    const { scrollHeight, clientHeight } = document.documentElement;
    return scrollHeight <= clientHeight && clientHeight - (document.getElementById('app')?.getBoundingClientRect().bottom ?? 0) < 40;
  });
}

test('an example is shown in the tab that is named, and as high as it is, also when that changes', () =>
  embedding('<slicewise-picture page="PAGE" example="rolling-update" tab="traffic" title="Traffic"></slicewise-picture>', async (page, frame) => {
    const traffic = await frame();
    await traffic.locator('h2', { hasText: 'Traffic' }).first().waitFor();
    assert.equal(await page.locator('slicewise-picture iframe').getAttribute('title'), 'Traffic');
    await assertFits(page, traffic);
    await page.locator('slicewise-picture').evaluate((element) => element.setAttribute('tab', 'picture'));
    const picture = await frame();
    await picture.getByRole('heading', { name: 'What does the plan change?' }).waitFor();
    await told(picture);
    await assertFits(page, picture);
    const folded = await settledHeight(page);
    await picture.getByText('What this example teaches').click();
    await heightAbove(page, folded);
    await picture.getByText('What this example teaches').click();
    await page.locator(`slicewise-picture iframe[height="${folded}"]`).waitFor();
  }));

for (const [how, body] of [
  ['a file', '<slicewise-picture page="PAGE" src="cluster.json"></slicewise-picture>'],
  ['its text', `<slicewise-picture page="PAGE"><script type="application/json">${exampleBytes('rolling-update')}</script></slicewise-picture>`],
]) {
  test(`an input comes from ${how}, and from nobody but the page around it`, () =>
    embedding(body, async (page, frame) => {
      const shown = await frame();
      await shown.getByText('In the middle of a rollout').waitFor();
      await assertFits(page, shown);
      await shown.evaluate(() => postMessage({ slicewise: 'input', text: '{}' }, '*'));
      await page.evaluate(() => postMessage({ slicewise: 'height', height: 9000 }, '*'));
      await page.waitForTimeout(200);
      assert.ok(await shown.getByText('In the middle of a rollout').isVisible());
      assert.notEqual(await page.locator('slicewise-picture iframe').getAttribute('height'), '9000');
    }));
}
