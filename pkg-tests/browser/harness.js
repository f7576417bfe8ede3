/**
 * A real Chromium with the built page, watched for what must not happen: console errors, failed requests,
 * and requests to other hosts.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { findChromium } from '../../scripts/lib/tools.mjs';
import { serve } from './server.js';

export { exampleBytes, exampleFile } from './files.js';

/** @import {Browser, BrowserContextOptions, Frame, Page} from 'playwright-core' */

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking'];
/** No test runs for so long that a module compiled once more would pay for that. */
const COMPILE_ONCE = ['--js-flags=--no-wasm-tier-up'];

/** How long to wait for what the page should come to: only a wait in vain takes this long. */
export const PATIENCE = 120_000;

/** @typedef {{browser: Browser, base: string, instead: Map<string, string>, close: () => Promise<void>}} World */

/**
 * @param {string} [folder] with what is served in place of the page
 * @param {string[]} [flags] further flags of the browser
 * @returns {Promise<World>}
 */
export async function start(folder, flags = COMPILE_ONCE) {
  const { base, instead, close } = await serve(folder);
  const browser = await chromium.launch({ executablePath: findChromium(), args: [...FLAGS, ...flags] });
  return {
    browser,
    base,
    instead,
    close: async () => {
      await browser.close();
      close();
    },
  };
}

/**
 * Opens the page, runs a test on it, and fails if any unexpected error occurred meanwhile.
 * @param {World} world
 * @param {{hash?: string, path?: string, expected?: RegExp, keeps?: boolean} & BrowserContextOptions} options
 * @param {(page: Page) => Promise<void>} test
 */
export async function withPage(world, { hash = '', path = '', expected, keeps = false, ...options }, test) {
  const context = await world.browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  // Only the offline tests may store the page: others would load everything.
  if (!keeps) await context.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'serviceWorker'));
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const complaints = watch(page, world.base);
  try {
    await page.goto(`${world.base}${path}${hash}`);
    if (path !== 'blank.html') await settled(page);
    await test(page);
    assert.deepEqual(complaints.filter((complaint) => !expected?.test(complaint)), []);
  } finally {
    await context.close();
  }
}

/** @param {Page} page @param {string} base */
export function watch(page, base) {
  /** @type {string[]} */
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(`exception: ${error.message}`));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`console: ${message.text()}`);
  });
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText;
    // The browser itself cancels pending requests when a page is left or reloaded, such as for the icon.
    if (reason !== 'net::ERR_ABORTED') complaints.push(`failed: ${request.url()}: ${reason}`);
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(base) && !request.url().startsWith('blob:')) complaints.push(`elsewhere: ${request.url()}`);
  });
  return complaints;
}

/** Waits until the page has planned its latest input. @param {Page | Frame} page */
export function settled(page) {
  return idle(page, '.result[aria-busy=true]');
}

/** Waits until the panels that load later have their answers. @param {Page | Frame} page */
export async function told(page) {
  await settled(page);
  await idle(page, '[role=tabpanel] [aria-busy=true], .inspector [aria-busy=true], .loading');
}

/**
 * Waits until nothing visible of this kind is left in the page; if it waits in vain, the error names it.
 * @param {Page | Frame} page @param {string} busy
 */
async function idle(page, busy) {
  await page.locator('.result').waitFor();
  try {
    await page.waitForFunction((kind) => ![...document.querySelectorAll(kind)].some((part) => part.checkVisibility()), busy);
  } catch (cause) {
    const left = page.locator(`:is(${busy}):visible`);
    const words = await left.evaluateAll((parts) => parts.map((part) => `${part.className}: ${part.textContent?.slice(0, 200)}`)).catch(() => []);
    throw new Error(`still busy: ${words.join('; ')}`, { cause });
  }
}

/** Opens a tab, and waits for its content. @param {Page} page @param {string} name */
export async function openTab(page, name) {
  await page.getByRole('tab', { name, exact: true }).click();
  await told(page);
}

/** @param {string} id */
export function exampleLink(id) {
  return `#v=1&example=${id}`;
}

/**
 * Puts text into the clipboard and pastes it into the focused element, as a user would.
 * @param {Page} page
 * @param {string} text
 */
export async function paste(page, text) {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate((content) => navigator.clipboard.writeText(content), text);
  await page.keyboard.press('Control+V');
  await settled(page);
}

/**
 * Opens one of the drawer's parts; the text is ready once the editor is.
 * @param {Page} page
 * @param {'Objects' | 'YAML/JSON' | 'Generate'} [side]
 */
export async function openInput(page, side = 'YAML/JSON') {
  const toggle = page.getByRole('button', { name: 'Input', exact: true });
  if ((await toggle.getAttribute('aria-expanded')) === 'false') await toggle.click();
  await page.getByRole('button', { name: side, exact: true }).click();
  if (side === 'YAML/JSON') await page.locator('.code-editor .cm-content').waitFor();
}

/** Replaces the input by a paste into the editor. @param {Page} page @param {string} text */
export async function replaceInput(page, text) {
  await openInput(page);
  await page.locator('#input').focus();
  await page.keyboard.press('Control+A');
  await paste(page, text);
}

/** The text of the scenario in its editor, which draws only what is in view. @param {Page} page */
export async function scenarioText(page) {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.locator('.scenario-text .cm-content').focus();
  for (const key of ['Control+A', 'Control+C', 'Control+End']) await page.keyboard.press(key);
  return page.evaluate(() => navigator.clipboard.readText());
}

/** Replaces it. @param {Page} page @param {string} text */
export async function writeScenario(page, text) {
  await page.locator('.scenario-text .cm-content').focus();
  await page.keyboard.press('Control+A');
  await paste(page, text);
}

/** Pastes an input as a user would without focusing a field. @param {Page} page @param {string} text */
export async function pasteInput(page, text) {
  await page.locator('body').press('Escape');
  await page.evaluate(() => /** @type {HTMLElement | null} */ (document.activeElement)?.blur());
  await paste(page, text);
}

/**
 * The slices as drawn: name, change, and the endpoints on both sides.
 * @param {Page} page
 */
export function drawnSlices(page) {
  return page.locator('.slice').evaluateAll((slices) =>
    slices.map((slice) => ({
      label: slice.getAttribute('aria-label'),
      tag: slice.querySelector('.tag')?.textContent?.replace(/^\W+/, '') ?? '',
      fill: slice.querySelector('.fill > :last-child')?.textContent,
      before: slice.querySelectorAll('.side.before [role=option]').length,
      after: slice.querySelectorAll('.side.after [role=option]').length,
      added: slice.querySelectorAll('[role=option].added').length,
      removed: slice.querySelectorAll('[role=option].removed').length,
    })),
  );
}

/** The file that "save" writes, byte for byte. @param {Page} page */
export async function savedPlan(page) {
  await page.locator('summary', { hasText: 'The plan as JSON' }).click();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: /^Save/ }).click()]);
  return readFileSync(await download.path());
}
