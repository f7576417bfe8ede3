/**
 * The first ten minutes of three people: what the page says at each of their steps, in its own words.
 * `UPDATE=1` writes the sentences to `people.json`, to be read before they are committed.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { dump, exampleBytes } from './files.js';
import { openTab, pasteInput, start, told, withPage } from './harness.js';

/** @import {Page} from 'playwright-core' */
/** @typedef {Record<string, string[]>} Told the sentences of each step */

const FILE = new URL('./people.json', import.meta.url);
/** @type {Record<string, Told>} */
const KNOWN = process.env.UPDATE ? {} : JSON.parse(readFileSync(FILE, 'utf8'));
/** What is read first, from above. */
const SENTENCES = ['.banner', '.guide h2', '.guide p', '#question', '.headline', '.sentence', '.why-what', '.why-entries .effect', '#timeline-title'];

/** @type {import('./harness.js').World} */
let world;
/** @type {Record<string, Told>} */
const people = {};
before(async () => {
  world = await start();
});
after(async () => {
  await world.close();
  if (process.env.UPDATE) writeFileSync(FILE, `${JSON.stringify(people, null, 2)}\n`);
});

/** @param {Page} page @returns {Promise<string[]>} */
async function sentences(page) {
  await told(page);
  return page.evaluate((kinds) => {
    const parts = [...document.querySelectorAll(kinds.join(','))].filter((part) => part.checkVisibility());
    return parts.map((part) => (part.textContent ?? '').replaceAll(/\s+/g, ' ').trim()).filter(Boolean);
  }, SENTENCES);
}

/**
 * What is said after a step, which takes its time: until it is what is expected, if anything is.
 * @param {Page} page @param {string[] | null} [expected]
 */
async function saidAfter(page, expected) {
  for (let tries = 0; expected && tries < 300; tries++) {
    if (isDeepStrictEqual(await sentences(page), expected)) break;
    await page.waitForTimeout(200);
  }
  if (!expected) await page.waitForTimeout(1000);
  return sentences(page);
}

/**
 * Takes the steps one after another, and compares what is said after each.
 * @param {string} who @param {Record<string, (page: Page) => Promise<unknown>>} steps
 */
function person(who, steps) {
  test(who, () =>
    withPage(world, { reducedMotion: 'reduce' }, async (page) => {
      /** @type {Told} */
      const heard = {};
      people[who] = heard;
      for (const [name, step] of Object.entries(steps)) {
        await step(page);
        heard[name] = await saidAfter(page, process.env.UPDATE ? null : KNOWN[who]?.[name]);
        assert.ok(heard[name].length > 0, `${name}: nothing is said`);
        if (!process.env.UPDATE) assert.deepEqual(heard[name], KNOWN[who]?.[name], name);
      }
    }));
}

/** @param {string} name */
const press = (name) => (/** @type {Page} */ page) => page.getByRole('button', { name, exact: true }).first().click();

person('an operator whose hints vanished', {
  'opens the page': async () => {},
  'pastes the Service': (page) => pasteInput(page, exampleBytes('eleven-endpoints').toString()),
  'tries the first fix': press('Use 12'),
  'takes it back': (page) => page.keyboard.press('Control+Z'),
  'tries the one that survives rollouts': press('Use 15'),
  'asks where requests go': (page) => openTab(page, 'Traffic'),
});

person('a student', {
  'starts the tour': press('60-second tour'),
  'goes on': press('Next'),
  'and on': press('Next'),
  'to hints': press('Next'),
  'ends it': press('Done'),
  'adds a pod': press('One pod more'),
  'takes the next example': (page) => page.keyboard.press(']'),
  'plays a run': (page) => openTab(page, 'Timeline'),
});

person('an engineer with a dump of fifty Services', {
  'pastes it': (page) => pasteInput(page, dump(50, [31])),
  'looks at the next Service': async (page) => {
    await page.locator('.services-fold > summary').click();
    await page.getByRole('listbox', { name: 'Services' }).getByRole('option').nth(1).click();
  },
  'goes back to the broken one': (page) => page.goBack(),
  'mends the selector': (page) => page.locator('.why-entries button.do').first().click(),
});
