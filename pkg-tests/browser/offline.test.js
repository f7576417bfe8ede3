/** The page without a network, and updates to a new version. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { ROOT } from './server.js';
import { openTab, settled, start, withPage } from './harness.js';

/** @import {Page} from 'playwright-core' */

/** @type {import('./harness.js').World} */
let world;
before(async () => {
  world = await start();
});
after(() => world.close());
afterEach(() => world.instead.clear());

const WORKER = readFileSync(join(ROOT, 'dist/service-worker.js'), 'utf8');
/** @type {{version: string, files: Record<string, string>}} */
const BUILT = JSON.parse(/const BUILT = (\{.*\});/.exec(WORKER)?.[1] ?? '{}');

/** Waits until the page is stored and controlled by its service worker. @param {Page} page */
async function kept(page) {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null, );
}

test('every file of the build is in the list, with its check sum', () => {
  for (const [file, sum] of Object.entries(BUILT.files)) {
    assert.equal(`sha256-${createHash('sha256').update(readFileSync(join(ROOT, 'dist', file))).digest('base64')}`, sum, file);
  }
  const index = readFileSync(join(ROOT, 'dist/index.html'), 'utf8');
  for (const [, file] of index.matchAll(/(?:src|href)="([^"#:]+)"/g)) assert.ok(file && file in BUILT.files, file);
  assert.ok(Object.keys(BUILT.files).filter((file) => file.endsWith('.wasm')).length >= 2);
});

test('after the first visit everything works without a network: examples, traffic, reasons, YAML, reload', () =>
  withPage(world, { keeps: true }, async (page) => {
    await kept(page);
    await page.context().setOffline(true);
    await page.goto(`${world.base}#v=1&example=borrowed-endpoints`);
    await page.reload();
    await settled(page);
    await openTab(page, 'Traffic');
    await page.locator('#panel-traffic table').first().waitFor();
    await openTab(page, 'Admission');
    await page.evaluate((text) => {
      const data = new DataTransfer();
      data.setData('text/plain', text);
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
    }, 'kind: Service\napiVersion: v1\nmetadata: {name: web, namespace: shop}\nspec: {selector: {app: web}}\n');
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
    const [, first] = Object.values(BUILT.files);
    const broken = WORKER.replace(String(first), `sha256-${'A'.repeat(43)}=`);
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
