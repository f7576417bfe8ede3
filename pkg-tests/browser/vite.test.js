/** The package as published, in Vite's development server and in its build, without any configuration. */
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { build, createServer, preview } from 'vite';
import { installPackage } from '../package/lib/install.mjs';
import { PATIENCE, start, watch } from './harness.js';

const ANSWERS = { plan: 1, refused: 'MissingField', session: ['shop/cart'], explain: 1, admission: false, simulation: true, worker: 1 };

/** @type {import('./harness.js').World} */
let world;
/** @type {string} */
let folder;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'slicewise-vite-'));
  cpSync(join(import.meta.dirname, 'vite'), folder, { recursive: true });
  installPackage(folder);
  world = await start();
});
after(async () => {
  await world?.close();
  rmSync(folder, { recursive: true });
});

test('a page under development', async () => {
  const server = await createServer(options());
  await server.listen();
  try {
    await checkPage(server.resolvedUrls?.local[0]);
  } finally {
    await server.close();
  }
});

test('a page that was built', async () => {
  await build(options());
  const server = await preview(options());
  try {
    await checkPage(server.resolvedUrls?.local[0]);
  } finally {
    await server.close();
  }
});

/** The defaults of a project without configuration, except for the address. @returns {import('vite').InlineConfig} */
function options() {
  const address = { host: '127.0.0.1', port: 0 };
  return { root: folder, configFile: false, logLevel: 'error', server: address, preview: address };
}

/** @param {string | undefined} base */
async function checkPage(base = '') {
  const page = await world.browser.newPage();
  page.setDefaultTimeout(PATIENCE);
  const complaints = watch(page, base);
  try {
    await page.goto(base);
    // Vite reloads the page once it has discovered its imports.
    await page.waitForFunction((text) => document.querySelector('output')?.textContent === text, JSON.stringify(ANSWERS));
    assert.deepEqual(complaints, []);
  } catch (error) {
    throw new Error(`the page says: ${complaints.join('\n')}`, { cause: error });
  }
  // It closes with the browser: alone, a page that was loaded again while its worker started may never do so.
}
