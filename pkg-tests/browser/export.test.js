/** What can be taken along, read again and compared. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { plan } from 'slicewise';
import * as tools from 'slicewise/tools';
import { parse } from 'yaml';
import { reportOf } from '../../www/export/words.js';
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

/** Endpoints that are drawn in an exported picture, by what they are called. @param {string} svg */
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
      assert.deepEqual([...svg.matchAll(/(?:xmlns(?::\w+)?)="([^"]+)"/g)].map(([, space]) => space).filter((space) => space !== 'http://www.w3.org/2000/svg'), []);
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

test('the plan as YAML is the plan, to readers of YAML 1.2 and 1.1', () =>
  withPage(world, { hash: exampleLink('scale-up') }, async (page) => {
    const { name, bytes } = await exported(page, 'Plan as YAML');
    assert.equal(name, 'web-plan.yaml');
    const expected = plan(exampleBytes('scale-up').toString());
    for (const version of /** @type {const} */ (['1.2', '1.1'])) {
      assert.equal(JSON.stringify(parse(bytes.toString(), { version })), expected, version);
    }
  }));

test('patches are the core’s, for each slice that is updated', () =>
  withPage(world, { hash: exampleLink('scale-up') }, async (page) => {
    const { bytes } = await exported(page, 'Patches');
    const request = JSON.parse(exampleBytes('scale-up').toString());
    const { patches, update } = JSON.parse(tools.plan(JSON.stringify({ ...request, options: { ...request.options, patches: ['json', 'merge', 'apply'] } })));
    assert.equal(update.length, 1);
    assert.deepEqual(JSON.parse(bytes.toString()), patches);
  }));

test('the report says what the core says, and what comes from the cluster is text in it', () => {
  const hostile = '<img src=x>](javascript:alert(1)) *x* `\n# y';
  const why = { code: 'A', kind: 'Pod', name: hostile, others: [], otherCount: 0, families: [], severity: 'note', what: 'It is `a*b` _that_', because: '', mend: '', details: '', fixes: [{ change: 'do `x`', effect: '| z |' }] };
  const model = /** @type {any} */ ({ key: hostile, sentence: 'One.', groups: [], foreign: [] });
  const report = reportOf(model, [{ topic: 'pods', entries: [/** @type {any} */ (why)], left: 2 }]);
  const safe = '\\<img src=x\\>\\](javascript:alert(1)) \\*x\\* \\` # y';
  assert.equal(report.split('\n')[0], `# ${safe}`);
  assert.match(report, /## Pods/);
  assert.ok(report.includes(`- **It is \`a*b\` \\_that\\_** Pod ${safe}, \`A\`\n  - do \`x\`: \\| z \\|`), report);
  assert.match(report, /and 2 more/);
});

test('the report of an example has its reasons, in the words of the page', () =>
  withPage(world, { hash: exampleLink('unlabelled-node') }, async (page) => {
    const { name, bytes } = await exported(page, 'Report as Markdown');
    assert.match(name, /-report\.md$/);
    const report = bytes.toString();
    const { services } = JSON.parse(tools.explain(exampleBytes('unlabelled-node').toString()));
    const codes = services.flatMap((/** @type {any} */ { explanations }) => explanations.map((/** @type {any} */ { code }) => code));
    for (const code of new Set(codes)) assert.ok(report.includes(`\`${code}\``), code);
    assert.doesNotMatch(report, /undefined|\[object/);
  }));
