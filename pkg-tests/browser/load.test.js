/** What the first visit loads, as `npm start` serves it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { servePage } from '../../scripts/lib/page.mjs';
import { findChromium } from '../../scripts/lib/tools.mjs';
import { told } from './harness.js';
import { ROOT } from './server.js';

const MOST = 350 * 1024;
/** The first part of the page that is not needed for the first screen. */
const LATER = /^\/assets\/tools\b/;
/** Stored with the first screen, and loaded a second after it: what its slider needs. */
const EDITING = /^assets\/editing\b/;

/** @type {Awaited<ReturnType<typeof servePage>>} */
let served;
before(async () => {
  served = await servePage(0);
});
after(() => served.close());

/** @param {string} path @param {string} accepted */
async function answered(path, accepted) {
  /** @type {import('node:http').IncomingMessage} */
  const response = await new Promise((resolve, reject) => {
    get(new URL(path, served.url), { headers: { 'accept-encoding': accepted } }, resolve).on('error', reject);
  });
  const { headers } = response;
  response.resume();
  return { encoding: headers['content-encoding'], caching: headers['cache-control'], size: Number(headers['content-length']) };
}

test('the first screen loads what it needs and nothing else, within 350 KB', async () => {
  /** @type {{path: string, accepted: string}[]} */
  const loaded = [];
  const note = (/** @type {import('node:http').IncomingMessage} */ { url = '', headers }) =>
    void loaded.push({ path: url, accepted: String(headers['accept-encoding']) });
  served.server.on('request', note);
  const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage();
    await page.goto(served.url);
    await told(page);
  } finally {
    await browser.close();
    served.server.off('request', note);
  }
  const rest = loaded.findIndex(({ path }) => LATER.test(path));
  assert.ok(rest > 0, loaded.map(({ path }) => path).join(' '));
  const first = loaded.slice(0, rest);
  const [, needed = '[]'] = /"first":(\[.*?\])/.exec(readFileSync(join(ROOT, 'dist/service-worker.js'), 'utf8')) ?? [];
  const names = first.map(({ path }) => (path === '/' ? 'index.html' : path.slice(1)));
  // A browser without a window asks for no icon.
  const kept = JSON.parse(needed).filter((/** @type {string} */ file) => !EDITING.test(file));
  assert.deepEqual(new Set([...names.filter((file) => !EDITING.test(file)), 'icon.svg']), new Set(kept));
  const sizes = await Promise.all(first.map(async ({ path, accepted }) => (await answered(path, accepted)).size));
  const sum = sizes.reduce((all, size) => all + size);
  assert.ok(sum <= MOST, `${sum} bytes: ${first.map(({ path }, at) => `${path} ${sizes[at]}`).join(', ')}`);
});

test('assets are compressed as asked for and kept for ever, the page itself is asked for again', async () => {
  const [script = ''] = /assets\/main\.\w+\.js/.exec(readFileSync(join(ROOT, 'dist/index.html'), 'utf8')) ?? [];
  const whole = readFileSync(join(ROOT, 'dist', script)).length;
  const [best, other, plain] = await Promise.all(['gzip, br', 'gzip, br;q=0', 'identity'].map((accepted) => answered(script, accepted)));
  assert.ok(best && other && plain);
  assert.deepEqual([best.encoding, other.encoding, plain.encoding], ['br', 'gzip', undefined]);
  assert.deepEqual([best.caching, plain.size], ['public, max-age=31536000, immutable', whole]);
  assert.ok(best.size < other.size && other.size < whole / 2);
  const home = await answered('', 'br');
  assert.deepEqual([home.encoding, home.caching], ['br', 'no-cache']);
});
