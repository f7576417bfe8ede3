/**
 * `node pkg-tests/browser/screenshots.mjs`: takes the pictures of `docs/images/` from the built page, or those that are
 * named.
 */
import { join } from 'node:path';
import { exampleBytes } from './files.js';
import { exampleLink, openInput, openTab, replaceInput, start, told } from './harness.js';
import { ROOT } from './server.js';

/** @import {Page} from 'playwright-core' */

/**
 * @typedef {object} Shot
 * @property {string} name
 * @property {string} example
 * @property {'light' | 'dark'} [scheme]
 * @property {{width: number, height: number}} [size]
 * @property {(page: Page) => Promise<unknown>} [act]
 */

/** @type {Shot[]} */
const SHOTS = [
  { name: 'page', example: 'eleven-endpoints', size: { width: 1440, height: 900 } },
  { name: 'details', example: 'rolling-update', scheme: 'dark', size: { width: 1440, height: 860 }, act: inspectDraining },
  { name: 'hints', example: 'borrowed-endpoints', size: { width: 1024, height: 720 } },
  { name: 'error', example: 'scale-up', size: { width: 1280, height: 640 }, act: breakInput },
  { name: 'editor', example: 'eleven-endpoints', size: { width: 1280, height: 640 }, act: propose },
  { name: 'traffic', example: 'borrowed-endpoints', size: { width: 1440, height: 900 }, act: (page) => openTab(page, 'Traffic') },
  { name: 'narrow', example: 'eleven-endpoints', size: { width: 390, height: 844 } },
];

const names = process.argv.slice(2);
const world = await start();
for (const shot of SHOTS.filter(({ name }) => names.length === 0 || names.includes(name))) await take(shot);
await world.close();

/** @param {Shot} shot */
async function take({ name, example, scheme = 'light', size = { width: 1280, height: 860 }, act }) {
  const context = await world.browser.newContext({ viewport: size, colorScheme: scheme, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(`${world.base}${exampleLink(example)}`);
  await told(page);
  await act?.(page);
  await page.screenshot({ path: join(ROOT, 'docs/images', `${name}.png`) });
  await context.close();
}

/** @param {Page} page */
async function inspectDraining(page) {
  await page.getByRole('option', { name: /cart-v1-05.*changed/ }).last().click();
  await told(page);
}

/** @param {Page} page */
async function propose(page) {
  await openInput(page);
  await page.locator('.code-editor .cm-content[aria-autocomplete]').waitFor();
  await page.locator('.cm-line', { hasText: '"type": "ClusterIP"' }).click({ position: { x: 60, y: 8 } });
  await page.keyboard.press('Home');
  await page.keyboard.type('"traf');
  await page.locator('.cm-completionInfo').waitFor();
}

/** @param {Page} page */
async function breakInput(page) {
  await replaceInput(page, exampleBytes('scale-up').toString().replace('"kind": "Service",', '"kind": "Service"'));
  await page.locator('.notice.faulty').waitFor();
}
