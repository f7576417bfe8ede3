/** How fast an edit of a large input is drawn, what many of them leave behind, and how long a comparison takes, in a real Chromium. */
import { newService } from './files.js';
import { openInput, pasteInput, told } from './harness.js';

/** @import {Page} from 'playwright-core' */

/** How large a pod of a cluster is without its managed fields. */
const POD_BYTES = 900;

/**
 * Opens a Service with this many pods as text, with the cursor behind its last number: the most endpoints of a slice.
 * @param {Page} page that shows something @param {number} pods
 */
export async function openForTyping(page, pods) {
  await pasteInput(page, newService(pods, 100, 0, POD_BYTES));
  await told(page);
  await openInput(page);
  // A long text is inserted in pieces, and cannot be edited before the last one.
  await page.locator('#input:not([aria-readonly])').focus();
  for (const key of ['Control+End', 'ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
  await page.evaluate(watchKeys);
}

/**
 * Types a digit and deletes it again: each key changes how the endpoints are distributed.
 * @param {Page} page after `openForTyping` @param {number} keys @returns {Promise<number[]>} milliseconds from each key to its picture
 */
export async function typeDigits(page, keys) {
  for (let key = 0; key < keys; key += 1) {
    await page.evaluate(() => (/** @type {any} */ (globalThis).typed.drawn = false));
    await page.keyboard.press(key % 2 === 0 ? '0' : 'Backspace');
    await page.waitForFunction(() => /** @type {any} */ (globalThis).typed.drawn);
    await page.waitForTimeout(50);
  }
  return page.evaluate(() => /** @type {any} */ (globalThis).typed.times.splice(0));
}

/** The page's heap without what can be collected, in megabytes. @param {Page} page */
export async function heapOf(page) {
  const session = await page.context().newCDPSession(page);
  for (let round = 0; round < 3; round += 1) await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize / 1e6;
}

/** From one comparison to the columns of another, of all ways to ask for hints. @param {Page} page that shows a Service */
export async function timeCompare(page) {
  await page.getByRole('tab', { name: 'Compare', exact: true }).click();
  await told(page);
  await page.getByRole('button', { name: 'Now and after the plan', exact: true }).click();
  await told(page);
  const started = performance.now();
  await page.getByRole('button', { name: 'Ways to ask for hints', exact: true }).click();
  await told(page);
  return performance.now() - started;
}

/** Runs in the page: times each key until the frame that shows the plan of the new text. */
function watchKeys() {
  const typed = { times: /** @type {number[]} */ ([]), drawn: false };
  Object.assign(globalThis, { typed });
  const result = /** @type {Element} */ (document.querySelector('.result'));
  let started = 0;
  addEventListener('keydown', ({ timeStamp }) => (started = timeStamp), { capture: true });
  let busy = false;
  new MutationObserver(() => {
    const now = result.getAttribute('aria-busy') === 'true';
    if (busy && !now) {
      requestAnimationFrame(() =>
        setTimeout(() => {
          typed.times.push(performance.now() - started);
          typed.drawn = true;
        }),
      );
    }
    busy = now;
  }).observe(result, { attributes: true });
}
