/** How long the page is blocked by a large paste, in a real Chromium. */
import { settled } from './harness.js';

/** @import {Page} from 'playwright-core' */

/**
 * Pastes a Service and ConfigMaps of this many megabytes from the clipboard, and waits until they are planned and saved.
 * @param {Page} page that shows something
 * @param {number} megabytes
 * @returns {Promise<{block: number, read: number}>} milliseconds: the longest task of at least 50, and the time that the
 *   browser took to hand the text over
 */
export async function blocksWhilePasting(page, megabytes) {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(copyMegabytes, megabytes);
  await page.waitForTimeout(1000);
  await page.evaluate(watchBlocks);
  await page.keyboard.press('Control+V');
  await page.locator('.picked', { hasText: 'Your input' }).waitFor();
  await settled(page);
  await page.getByRole('heading', { name: 'Slices of n/big' }).waitFor();
  await page.waitForTimeout(3000);
  return page.evaluate(() => /** @type {any} */ (globalThis).pasting);
}

/** Runs in the page. @param {number} count */
function copyMegabytes(count) {
  const fill = `{"kind":"ConfigMap","apiVersion":"v1","data":{"a":"${'x'.repeat(1_000_000)}"}}`;
  const service =
    '{"kind":"Service","apiVersion":"v1","metadata":{"name":"big","namespace":"n"},' +
    '"spec":{"selector":{"a":"b"},"clusterIP":"10.0.0.1","ipFamilies":["IPv4"]}}';
  return navigator.clipboard.writeText(`[${[service, ...Array.from({ length: count }, () => fill)].join(',\n')}]`);
}

/** Runs in the page: records long tasks, and the time of reading the clipboard. */
function watchBlocks() {
  const pasting = { block: 0, read: 0 };
  Object.assign(globalThis, { pasting });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) pasting.block = Math.max(pasting.block, duration);
  }).observe({ type: 'longtask' });
  const { getData } = DataTransfer.prototype;
  DataTransfer.prototype.getData = function timed(format) {
    const started = performance.now();
    try {
      return getData.call(this, format);
    } finally {
      pasting.read += performance.now() - started;
    }
  };
}
