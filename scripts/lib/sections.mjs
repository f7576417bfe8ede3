/** The page of measurements. Each benchmark writes its own section of it, between marks, and keeps the notes in it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Problem, ROOT } from './run.mjs';

/** @typedef {(typeof SECTIONS)[number]} Section */

export const PAGE = join(ROOT, 'docs/performance.md');
/** In their order on the page. */
export const SECTIONS = /** @type {const} */ (['plans', 'reading', 'sessions', 'explain', 'objects', 'proxy', 'page', 'webhook', 'holds']);

/**
 * The page in three parts: before the section, the section, after it.
 * @param {string} page
 * @param {Section} name
 */
export function around(page, name) {
  const [begin, end] = [`<!-- bench:${name} -->\n`, `<!-- /bench:${name} -->\n`];
  const [before, rest, ...again] = page.split(begin);
  const [section, after, ...more] = rest?.split(end) ?? [];
  if (after === undefined || again.length + more.length > 0) {
    throw new Problem(`${PAGE} must have one section between ${begin.trim()} and ${end.trim()}`);
  }
  return [before + begin, section, end + after];
}

/** The hand-written notes of a section, which a new report keeps. @param {Section} name */
export function notesOf(name) {
  const [, section] = around(readFileSync(PAGE, 'utf8'), name);
  return /<!-- notes -->\n([\s\S]*?)<!-- \/notes -->/.exec(section)?.[1] ?? '';
}

/** Writes the page with a new section. @param {Section} name @param {string} text @param {string} file */
export function writeSection(name, text, file = PAGE) {
  const [before, , after] = around(readFileSync(PAGE, 'utf8'), name);
  writeFileSync(file, before + text + after);
}
