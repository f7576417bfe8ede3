/** The findings of axe, including best practices; and the width of the page. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** @import {Page} from 'playwright-core' */

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** @param {Page} page @param {string[]} [rules] instead of all of them */
export async function findings(page, rules) {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) };
  const { violations } = await page.evaluate((how) => /** @type {any} */ (globalThis).axe.run(how), options);
  return violations.map((/** @type {any} */ each) => `${each.id}: ${each.nodes.length} such as ${each.nodes[0].html.slice(0, 200)}`);
}

/** Those of a light page, and what is different in the dark: the contrast. @param {Page} page */
export async function findingsInBoth(page) {
  const found = await findings(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  found.push(...(await findings(page, ['color-contrast'])).map((/** @type {string} */ each) => `dark: ${each}`));
  await page.emulateMedia({ colorScheme: 'light' });
  return found;
}

/** @param {Page} page */
export function widths(page) {
  return page.evaluate(() => ({ scrollWidth: document.documentElement.scrollWidth, clientWidth: document.documentElement.clientWidth }));
}
