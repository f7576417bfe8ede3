/** Style sheets that load later style only their own view, so that no view depends on what was visited before. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { exampleLink, openTab, start, withPage } from './harness.js';

/** @import {Page} from 'playwright-core' */

/** @type {import('./harness.js').World} */
let world;
before(async () => {
  world = await start();
});
after(() => world.close());

const STYLES = join(import.meta.dirname, '../../www/styles');
const LATER = ['Traffic', 'Timeline', 'Compare', 'Admission'];
const PLAIN = { colorScheme: /** @type {const} */ ('light'), forcedColors: /** @type {const} */ ('none') };
/**
 * How a tab is looked at: the widths of windows, among them half of 1440 for a zoom of 200 %, and the colours.
 * @type {{width: number, colorScheme: 'light' | 'dark', forcedColors: 'active' | 'none'}[]}
 */
const WAYS = [
  ...[1440, 1100, 720, 700, 390, 320].map((width) => ({ width, ...PLAIN })),
  { ...PLAIN, width: 1100, colorScheme: 'dark' },
  { ...PLAIN, width: 1100, forcedColors: 'active' },
];

/** Sheets that are not part of the page's own. */
function laterSheets() {
  const first = readFileSync(join(STYLES, 'page.css'), 'utf8');
  return readdirSync(STYLES).filter((name) => name !== 'page.css' && !first.includes(`'./${name}'`));
}

test('every sheet that loads later has one scope, which no other has', () =>
  withPage(world, { path: 'blank.html' }, async (page) => {
    const sheets = laterSheets();
    assert.ok(sheets.length > 5, sheets.join());
    /** @type {Map<string, string>} */
    const owners = new Map();
    for (const name of sheets) {
      const selectors = await page.evaluate(async (text) => {
        const sheet = await new CSSStyleSheet().replace(text);
        /** @param {CSSRuleList} rules @returns {string[]} */
        const top = (rules) =>
          [...rules].flatMap((rule) => {
            if (rule instanceof CSSStyleRule) return [rule.selectorText];
            return rule instanceof CSSGroupingRule ? top(rule.cssRules) : [rule.cssText];
          });
        return top(sheet.cssRules);
      }, readFileSync(join(STYLES, name), 'utf8'));
      const scopes = selectors.flatMap((selector) => selector.match(/^:where\((.+)\)$/)?.[1] ?? []);
      assert.equal(new Set(scopes).size, 1, `${name} has no :where(…) around its rules, or several`);
      const [scope = ''] = scopes;
      for (const part of scope.split(', ')) {
        assert.match(part, /^[#.][\w-]+$/, name);
        assert.equal(owners.get(part), undefined, `${part} is the scope of ${name} and of ${owners.get(part)}`);
        owners.set(part, name);
      }
      const beside = selectors.filter((selector) => selector !== `:where(${scope})` && selector !== scope && !selector.includes(`:has(${scope}:`));
      assert.deepEqual(beside, [], `${name} styles what is outside ${scope}`);
      // The bundler moves a nested one before the rules that it should override.
      assert.doesNotMatch(readFileSync(join(STYLES, name), 'utf8'), /^ +@/m, `${name} has a condition within ${scope} rather than around it`);
    }
  }));

/** The elements of the tab that is shown: places, sizes and some styles. @param {Page} page */
function look(page) {
  return page.evaluate(() => {
    const panel = /** @type {Element} */ (document.querySelector('[role=tabpanel]:not([hidden])'));
    const from = panel.getBoundingClientRect();
    return [...panel.querySelectorAll('*')].map((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const { display, color, fontSize, fontWeight, flex, padding, margin, borderWidth, fill, overflow } = getComputedStyle(element);
      const place = [left - from.left, top - from.top, width, height].map((each) => Math.round(each * 10) / 10);
      return [
        element.tagName,
        element.getAttribute('class'),
        ...place,
        display,
        color,
        fontSize,
        fontWeight,
        flex,
        padding,
        margin,
        borderWidth,
        fill,
        overflow,
      ].join(' ');
    });
  });
}

/** A tab in each way. @param {Page} page @param {string} name */
async function looks(page, name) {
  const found = [];
  await openTab(page, name);
  for (const { width, ...media } of WAYS) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia(media);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    found.push(await look(page));
  }
  return found;
}

const OPTIONS = { hash: exampleLink('eleven-endpoints'), reducedMotion: /** @type {const} */ ('reduce') };

test('a tab looks the same whatever was visited before', { timeout: 300_000 }, async () => {
  /** @type {Map<string, string[][]>} */
  const fresh = new Map();
  for (const name of ['Picture', ...LATER]) await withPage(world, OPTIONS, async (page) => void fresh.set(name, await looks(page, name)));
  /** @param {Page} page @param {string} name @param {string} visited */
  const check = async (page, name, visited) => {
    const found = await looks(page, name);
    for (const [index, way] of WAYS.entries()) {
      const expected = fresh.get(name)?.[index] ?? [];
      const at = expected.findIndex((line, place) => line !== found[index]?.[place]);
      assert.deepEqual(at < 0 ? [] : [expected[at], found[index]?.[at]], [], `${name} after ${visited}: ${JSON.stringify(way)}`);
      assert.equal(found[index]?.length, expected.length, `${name} after ${visited}`);
    }
  };
  // Both orders of any two: of rules with the same weight, the last to load wins.
  for (const order of [LATER, LATER.toReversed()]) {
    await withPage(world, OPTIONS, async (page) => {
      for (const name of order) await openTab(page, name);
      for (const name of ['Picture', ...order]) await check(page, name, order.join(', '));
    });
  }
});
