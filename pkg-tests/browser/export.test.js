/** Exports, parsed and compared. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { plan } from 'slicewise';
import * as tools from 'slicewise/tools';
import { parse } from 'yaml';
import { exampleBytes, exampleLink, settled, start, withPage } from './harness.js';

/** @import {Page} from 'playwright-core' */

/** @type {import('./harness.js').World} */
let world;
before(async () => {
  world = await start();
});
after(() => world.close());

/** @param {Page} page @param {string} title @returns {Promise<{name: string, bytes: Buffer}>} */
async function exported(page, title) {
  if ((await page.getByRole('dialog').count()) === 0) await page.keyboard.press('e');
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('dialog').getByRole('button', { name: title }).click()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

/** The names of the endpoints in an exported picture. @param {string} svg */
function titles(svg) {
  return [...svg.matchAll(/<title>([^<]*)<\/title>/g)].map(([, title]) => title);
}

test('the plan as JSON is what the core answers in Node, byte for byte', () =>
  withPage(world, { hash: exampleLink('scale-up') }, async (page) => {
    const { name, bytes } = await exported(page, 'Plan as JSON');
    assert.equal(name, 'plan.json');
    assert.deepEqual(bytes, Buffer.from(plan(new Uint8Array(exampleBytes('scale-up')))));
  }));

for (const theme of ['light', 'dark']) {
  test(`the picture as SVG stands on its own, ${theme}: it draws alike where the page is not`, () =>
    withPage(world, { hash: exampleLink('rolling-update') }, async (page) => {
      await page.keyboard.press('e');
      await page.getByRole('dialog').getByLabel(theme).check();
      const { name, bytes } = await exported(page, 'Picture as SVG');
      assert.match(name, /^[\w-]+\.svg$/);
      const svg = bytes.toString();
      assert.doesNotMatch(svg, /var\(|light-dark|class=|style=|href=|<script|<foreignObject|url\((?!#hatch-)/);
      assert.deepEqual(
        [...svg.matchAll(/(?:xmlns(?::\w+)?)="([^"]+)"/g)].map(([, space]) => space).filter((space) => space !== 'http://www.w3.org/2000/svg'),
        [],
      );
      const cells = await page.evaluate(() => [...document.querySelectorAll('.strip [role=option]')].map((cell) => cell.getAttribute('aria-label')));
      assert.ok(cells.length > 10);
      assert.deepEqual(titles(svg).sort(), cells.sort());
      const there = await page.context().newPage();
      await there.setContent('<!doctype html><title>elsewhere</title>');
      const drawn = await there.evaluate(async (text) => {
        const image = new Image();
        image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
        await image.decode();
        const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
        const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
        context.drawImage(image, 0, 0);
        const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
        const colours = new Set();
        for (let at = 0; at < data.length; at += 4) colours.add(`${data[at]},${data[at + 1]},${data[at + 2]}`);
        return { colours: colours.size, ground: [...data.slice(0, 3)] };
      }, svg);
      assert.ok(drawn.colours > 20, `${drawn.colours} colours`);
      assert.equal(drawn.ground.every((part) => part > 200), theme === 'light');
      assert.equal(drawn.ground.every((part) => part < 60), theme === 'dark');
    }));
}

test('the picture as PNG is one, of twice the size', () =>
  withPage(world, { hash: exampleLink('scale-up') }, async (page) => {
    const { bytes: svg } = await exported(page, 'Picture as SVG');
    const { name, bytes } = await exported(page, 'Picture as PNG');
    assert.match(name, /\.png$/);
    assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
    const [, width, height] = /width="(\d+)" height="([\d.]+)"/.exec(svg.toString().slice(svg.indexOf('<svg'))) ?? [];
    assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [Number(width) * 2, Math.floor(Number(height) * 2)]);
  }));

test('names from a cluster stay text in a picture', () =>
  withPage(world, {}, async (page) => {
    const input = JSON.parse(exampleBytes('dual-stack').toString());
    for (const slice of input.slices) slice.metadata.name = '<script>alert(1)</script>&"';
    await page.evaluate((text) => {
      const data = new DataTransfer();
      data.setData('text/plain', text);
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
    }, JSON.stringify(input));
    await settled(page);
    const { bytes } = await exported(page, 'Picture as SVG');
    assert.match(bytes.toString(), /&lt;script&gt;alert\(1\)&lt;\/script&gt;&amp;/);
    assert.doesNotMatch(bytes.toString(), /<script/);
  }));

for (const [title, form, name] of /** @type {const} */ ([
  ['Plan as YAML', 'yaml', 'web-plan.yaml'],
  ['Patches', 'patches', 'web-patches.json'],
  ['Commands for kubectl', 'kubectl', 'web-kubectl.sh'],
  ['Report as Markdown', 'report', 'web-report.md'],
])) {
  test(`${title}: what the core says in Node, byte for byte`, () =>
    withPage(world, { hash: exampleLink('scale-up') }, async (page) => {
      const file = await exported(page, title);
      assert.equal(file.name, name);
      const text = tools.exported(exampleBytes('scale-up').toString(), { form, service: 'shop/web' });
      assert.equal(file.bytes.toString(), text);
      assert.ok(text.length > 100);
    }));
}

test('the plan as YAML, read again, is the plan', () =>
  withPage(world, { hash: exampleLink('scale-up') }, async (page) => {
    const { bytes } = await exported(page, 'Plan as YAML');
    assert.deepEqual(parse(bytes.toString()), JSON.parse(plan(exampleBytes('scale-up').toString())));
  }));
