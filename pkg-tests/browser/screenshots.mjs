/**
 * `node pkg-tests/browser/screenshots.mjs`: takes the pictures of `docs/images/` from the built page, or those that are
 * named. Those that are committed were reduced to 256 colours afterwards, which makes them a third of the size.
 */
import { join } from 'node:path';
import { exampleBytes, exampleLink, replaceInput, start, told } from './harness.js';
import { ROOT } from './server.js';

/** @import {Page} from 'playwright-core' */

/**
 * @typedef {object} Shot
 * @property {string} name
 * @property {string} example
 * @property {'light' | 'dark'} [scheme]
 * @property {{width: number, height: number}} [size]
 * @property {(page: Page) => Promise<unknown>} [act]
 * @property {string} [region] the part of the page to take, by its name; the window when left out
 */

/** @type {Shot[]} */
const SHOTS = [
  { name: 'page', example: 'scale-up', size: { width: 1440, height: 900 } },
  { name: 'details', example: 'rolling-update', scheme: 'dark', act: hoverDraining },
  { name: 'hints', example: 'borrowed-endpoints', size: { width: 1280, height: 900 } },
  { name: 'cluster', example: 'cluster-at-rest', act: (page) => page.getByRole('option', { name: 'edge/ingress' }).click() },
  { name: 'error', example: 'scale-up', size: { width: 1280, height: 640 }, act: breakInput },
  { name: 'traffic', example: 'borrowed-endpoints', size: { width: 1440, height: 900 }, region: 'Traffic' },
  { name: 'why', example: 'eleven-endpoints', scheme: 'dark', region: 'Why' },
  { name: 'narrow', example: 'borrowed-endpoints', size: { width: 320, height: 900 } },
];

const names = process.argv.slice(2);
const world = await start();
for (const shot of SHOTS.filter(({ name }) => names.length === 0 || names.includes(name))) await take(shot);
await world.close();

/** @param {Shot} shot */
async function take({ name, example, scheme = 'light', size = { width: 1280, height: 860 }, act, region }) {
  const context = await world.browser.newContext({ viewport: size, colorScheme: scheme, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(`${world.base}${exampleLink(example)}`);
  await told(page);
  await act?.(page);
  const part = region ? page.getByRole('region', { name: region, exact: true }) : page;
  await part.screenshot({ path: join(ROOT, 'docs/images', `${name}.png`) });
  await context.close();
}

/** @param {Page} page */
async function hoverDraining(page) {
  await page.getByRole('option', { name: /cart-v1-05.*changed/ }).last().hover();
  await page.getByRole('group', { name: 'Endpoint' }).waitFor();
}

/** @param {Page} page */
async function breakInput(page) {
  await replaceInput(page, exampleBytes('scale-up').toString().replace('"kind": "Service",', '"kind": "Service"'));
  await page.locator('.problem').waitFor();
}
