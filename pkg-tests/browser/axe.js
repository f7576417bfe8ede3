/** The findings of axe, including best practices; and the width of the page. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** @import {Page} from 'playwright-core' */

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** @param {Page} page */
export async function findings(page) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => /** @type {any} */ (globalThis).axe.run({ resultTypes: ['violations'] }));
  return violations.map((/** @type {any} */ each) => `${each.id}: ${each.nodes.length} such as ${each.nodes[0].html.slice(0, 200)}`);
}

/** @param {Page} page */
export function widths(page) {
  return page.evaluate(() => ({ scrollWidth: document.documentElement.scrollWidth, clientWidth: document.documentElement.clientWidth }));
}
