/** The page without a network, and updates to a new version. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { ROOT } from './server.js';
import { openTab, settled, start, told, withPage } from './harness.js';

/** @import {Page} from 'playwright-core' */

/** @type {import('./harness.js').World} */
let world;
before(async () => {
  world = await start();
});
after(() => world.close());
afterEach(() => world.instead.clear());

const WORKER = readFileSync(join(ROOT, 'dist/service-worker.js'), 'utf8');
/** @type {{version: string, first: string[], files: Record<string, string>}} */
const BUILT = JSON.parse(/const BUILT = (\{.*\});/.exec(WORKER)?.[1] ?? '{}');

/** Waits until the page is stored and controlled by its service worker. @param {Page} page */
async function kept(page) {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null, );
}

/** @param {Page} page @param {string} text */
function pasteText(page, text) {
  return page.evaluate((words) => {
    const data = new DataTransfer();
    data.setData('text/plain', words);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
  }, text);
}

test('every file of the build is in the list, with its check sum', () => {
  for (const [file, sum] of Object.entries(BUILT.files)) {
    assert.equal(`sha256-${createHash('sha256').update(readFileSync(join(ROOT, 'dist', file))).digest('base64')}`, sum, file);
  }
  const index = readFileSync(join(ROOT, 'dist/index.html'), 'utf8');
  for (const [, file] of index.matchAll(/(?:src|href)="([^"#:]+)"/g)) assert.ok(file && file in BUILT.files, file);
  assert.ok(Object.keys(BUILT.files).filter((file) => file.endsWith('.wasm')).length >= 2);
  const kinds = BUILT.first.map((file) => file.replace(/^assets\//, '').replace(/\.[0-9a-f]+\./, '.'));
  const first = ['eleven-endpoints.json', 'editing.js', 'engine.js', 'main.css', 'main.js', 'slicewise_bg.wasm', 'icon.svg', 'index.html'];
  assert.deepEqual(kinds.sort(), first.sort());
});

test('the first screen works without a network after one visit, and then what was used: examples, traffic, reasons, YAML', () =>
  withPage(world, { keeps: true, expected: /Failed to load|ERR_INTERNET_DISCONNECTED|ERR_FAILED|failed:/ }, async (page) => {
    await kept(page);
    const keptFiles = () => page.evaluate(async (name) => (await (await caches.open(name)).keys()).length, `slicewise ${BUILT.version}`);
    assert.equal(await keptFiles(), BUILT.first.length);
    await page.context().setOffline(true);
    await page.reload();
    await page.locator('.headline', { hasText: '11 endpoints cannot' }).waitFor();
    await page.getByRole('button', { name: 'One pod more' }).click();
    await page.locator('.headline', { hasText: '12 endpoints' }).waitFor();
    await page.context().setOffline(false);
    await page.goto(`${world.base}#v=1&example=borrowed-endpoints`);
    await page.reload();
    await told(page);
    for (const tab of ['Traffic', 'Admission']) await openTab(page, tab);
    await pasteText(page, 'kind: Service\napiVersion: v1\nmetadata: {name: first}\nspec: {selector: {app: web}}\n');
    await settled(page);
    await page.context().setOffline(true);
    await page.goto(`${world.base}#v=1&example=borrowed-endpoints`);
    await page.reload();
    await settled(page);
    await openTab(page, 'Traffic');
    await page.locator('#panel-traffic table').first().waitFor();
    await openTab(page, 'Admission');
    await pasteText(page, 'kind: Service\napiVersion: v1\nmetadata: {name: web, namespace: shop}\nspec: {selector: {app: web}}\n');
    await settled(page);
    await page.waitForFunction(() => location.hash.includes('own='));
    assert.equal(await page.locator('.notice.faulty').count(), 0);
    await page.reload();
    await settled(page);
    assert.equal(await page.locator('.picked-title').textContent(), 'Your input');
  }));

test('a new version waits, is told, and when it is asked for all is of it; the old one goes', () =>
  withPage(world, { keeps: true }, async (page) => {
    await kept(page);
    const caches = () => page.evaluate(() => globalThis.caches.keys());
    assert.deepEqual(await caches(), [`slicewise ${BUILT.version}`]);
    world.instead.set('/service-worker.js', WORKER.replace(BUILT.version, 'another'));
    await page.evaluate(async () => {
      await (await navigator.serviceWorker.getRegistration())?.update();
    });
    const notice = page.locator('.banner .notice', { hasText: 'A new version of this page is ready' });
    await notice.waitFor();
    assert.deepEqual((await caches()).sort(), [`slicewise ${BUILT.version}`, 'slicewise another'].sort());
    await Promise.all([page.waitForEvent('load'), notice.getByRole('button', { name: 'Load it' }).click()]);
    await settled(page);
    await page.waitForFunction(async () => (await globalThis.caches.keys()).join() === 'slicewise another');
  }));

test('a version of which a file is another one is not kept', () =>
  withPage(world, { keeps: true, expected: /integrity|digest|Failed to/ }, async (page) => {
    const broken = WORKER.replace(String(BUILT.files['index.html']), `sha256-${'A'.repeat(43)}=`);
    world.instead.set('/service-worker.js', broken);
    const state = await page.evaluate(async () => {
      const policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy('slicewise-offline', { createScriptURL: () => 'service-worker.js' });
      const registration = await navigator.serviceWorker.register(policy.createScriptURL('')).catch(() => null);
      const worker = registration?.installing;
      await new Promise((resolve) => worker?.addEventListener('statechange', resolve));
      return worker?.state;
    });
    assert.equal(state, 'redundant');
    assert.deepEqual(await page.evaluate(() => globalThis.caches.keys()), []);
  }));

test('the page asks nobody else, and could not: the policy stops it', () =>
  withPage(world, { expected: /Content Security Policy|violates|Refused|requires 'Trusted|elsewhere\.example/ }, async (page) => {
    const stopped = await page.evaluate(async () => {
      /** @type {string[]} */
      const directives = [];
      document.addEventListener('securitypolicyviolation', (event) => directives.push(event.effectiveDirective));
      await fetch('https://elsewhere.example/').catch(() => {});
      const image = new Image();
      image.src = 'https://elsewhere.example/a.png';
      await new Promise((resolve) => image.addEventListener('error', resolve));
      try {
        document.body.append(Object.assign(document.createElement('script'), { src: 'https://elsewhere.example/a.js' }));
      } catch {
        directives.push('trusted types');
      }
      try {
        new Worker('https://elsewhere.example/a.js');
      } catch {
        directives.push('trusted types');
      }
      await new Promise((resolve) => {
        setTimeout(resolve, 100);
      });
      return [...new Set(directives)].sort();
    });
    assert.deepEqual(stopped, ['connect-src', 'img-src', 'require-trusted-types-for', 'trusted types']);
  }));
