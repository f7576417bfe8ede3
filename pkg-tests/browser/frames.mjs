/** How smoothly a run plays, in a real Chromium. */
import { settled } from './harness.js';

/** @import {Page} from 'playwright-core' */

const FRAMES = 300;

/**
 * Plays the rolling update of 1,000 pods, once its steps are loaded, and counts the frames.
 * @param {Page} page without anything open yet
 * @param {string} base
 * @returns {Promise<{fps: number, median: number, p95: number, longest: number, steps: number}>} frames a second, milliseconds a frame, steps played
 */
export async function framesWhilePlaying(page, base) {
  await page.goto(base);
  await settled(page);
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await page.getByLabel('Scenario').selectOption('packing');
  await page.locator('.timeline-head', { hasText: 'Packing' }).waitFor();
  await page.locator('.timeline[aria-busy=false]').waitFor({ timeout: 240_000 });
  await page.getByLabel('Phase').selectOption({ label: 'rolling update' });
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  const before = await stepOf(page);
  const times = (await page.evaluate(frameTimes, FRAMES)).sort((a, b) => a - b);
  const steps = (await stepOf(page)) - before;
  const total = times.reduce((sum, time) => sum + time, 0);
  const at = (/** @type {number} */ part) => times[Math.floor((times.length - 1) * part)] ?? 0;
  return { fps: (1000 * times.length) / total, median: at(0.5), p95: at(0.95), longest: at(1), steps };
}

/** @param {Page} page */
async function stepOf(page) {
  return Number(/step (\d+)/.exec((await page.locator('.moment-time').textContent()) ?? '')?.[1]);
}

/** Runs in the page. @param {number} count @returns {Promise<number[]>} */
function frameTimes(count) {
  return new Promise((resolve) => {
    /** @type {number[]} */
    const times = [];
    /** @param {number} now */
    const frame = (now) => {
      times.push(now);
      if (times.length <= count) requestAnimationFrame(frame);
      else resolve(times.slice(1).map((time, index) => time - (times[index] ?? 0)));
    };
    requestAnimationFrame(frame);
  });
}
