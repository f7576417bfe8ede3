/** The gallery draws the outcome of each example, from its plan. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { apply, detect, plan, planSnapshot } from 'slicewise/tools';
import { legend } from '#page';
import { EXAMPLES } from '../../www/samples/index.js';
import { picturesFile } from '../../www/gallery/pictures.mjs';
import { findings, widths } from './axe.js';
import { start, settled, withPage } from './harness.js';
import { ROOT } from './server.js';

/** @import {Picture} from '../../www/gallery/pictures.mjs' */

const FILE = readFileSync(join(ROOT, 'www/gallery/pictures.json'), 'utf8');
/** @type {Record<string, Picture>} */
const PICTURES = JSON.parse(FILE);

test('the committed pictures are those the script draws', async () => assert.equal(FILE, await picturesFile()));

/** @param {any[]} slices */
function endpointsOf(slices) {
  return slices.flatMap(({ endpoints }) => endpoints ?? []);
}

/** The request of an example, or what a snapshot has for the Service that is shown. @param {URL} url */
function situationOf(url) {
  const input = JSON.parse(readFileSync(url, 'utf8'));
  if (detect(input) === 'request') return { planned: plan(input), slices: input.slices };
  const [planned] = planSnapshot(input).plans;
  const of = `${planned?.service.namespace}/${planned?.service.name}`;
  const slices = input.items.filter((/** @type {any} */ { kind, metadata }) => {
    return kind === 'EndpointSlice' && `${metadata.namespace}/${metadata.labels['kubernetes.io/service-name']}` === of;
  });
  return { planned, slices };
}

for (const { id, url } of EXAMPLES) {
  test(`the picture of ${id} has the figures of its plan`, () => {
    const { planned, slices } = situationOf(url);
    const picture = PICTURES[id];
    assert.ok(picture && planned);
    const names = [...planned.unchanged, ...planned.update.map(({ metadata }) => metadata.name), ...planned.delete.map(({ name }) => name)];
    const own = slices.filter((/** @type {any} */ { metadata }) => names.includes(metadata.name));
    const then = /** @type {any[]} */ (apply(planned, own).slices);
    assert.deepEqual(picture.writes, { created: planned.create.length, updated: planned.update.length, deleted: planned.delete.length });
    assert.deepEqual([picture.before, picture.after], [endpointsOf(own).length, endpointsOf(then).length]);
    const asked = planned.hints.filter(({ mode }) => mode !== 'None');
    const state = asked.length === 0 ? 'none' : asked.every(({ applied }) => applied) ? 'on' : 'off';
    assert.equal(picture.hints, legend().hints[state]);
    const drawn = picture.rows.filter(({ change }) => change !== 'foreign');
    assert.equal(drawn.length, planned.create.length + own.length, 'every slice is drawn');
    const codes = drawn.filter(({ change }) => change !== 'deleted').flatMap(({ cells }) => cells.match(/.{4}/g) ?? []);
    const left = codes.filter((code) => code[2] !== 'r');
    assert.equal(left.length, picture.after);
    const hinted = endpointsOf(then).filter(({ hints }) => (hints?.forZones ?? hints?.forNodes ?? []).length > 0);
    assert.equal(left.filter((code) => code[3] !== '-').length, hinted.length);
  });
}

/** @type {import('./harness.js').World} */
let world;
before(async () => {
  world = await start();
});
after(() => world.close());

for (const options of /** @type {const} */ ([
  { colorScheme: 'light', forcedColors: 'none', viewport: { width: 1280, height: 900 } },
  { colorScheme: 'dark', forcedColors: 'none', viewport: { width: 320, height: 700 } },
  { colorScheme: 'light', forcedColors: 'active', viewport: { width: 320, height: 700 } },
])) {
  const { colorScheme, forcedColors, viewport: { width } } = options;
  test(`each card has a picture that readers skip, and its figures as text: ${width} pixels, ${colorScheme}, forced colours ${forcedColors}`, () =>
    withPage(world, options, async (page) => {
      const requested = /** @type {string[]} */ ([]);
      page.on('request', (request) => requested.push(request.url()));
      assert.equal(await page.locator('.outcome').count(), 0);
      await page.keyboard.press('x');
      const cards = page.locator('.examples .card');
      await cards.first().waitFor();
      assert.equal(await cards.count(), EXAMPLES.length);
      assert.equal(await page.locator('.outcome > svg[aria-hidden=true]').count(), EXAMPLES.length);
      assert.ok(requested.some((url) => /\.js$/.test(url)), 'the gallery comes when it is opened');
      const [first] = EXAMPLES;
      const picture = PICTURES[first?.id ?? ''];
      const card = cards.first();
      assert.equal(await card.locator('.figures').textContent(), `1 updated · ${picture?.before} → ${picture?.after} endpoints · ${picture?.hints}`);
      assert.equal(await card.locator('.endpoint').count(), (picture?.rows[0]?.cells.length ?? 0) / 4);
      assert.deepEqual(await findings(page), []);
      const { scrollWidth, clientWidth } = await widths(page);
      assert.ok(scrollWidth <= clientWidth);
      const wide = await page.locator('.outcome').evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth).length);
      assert.equal(wide, 0);
      await card.getByRole('button').click();
      await settled(page);
    }));
}
