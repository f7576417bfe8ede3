/** The documents of the repository: their links, headings and blocks of code. */
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from './builds.mjs';

/** Folders without documents of ours. */
const NOT_OURS = /^(\..*|node_modules|target|pkg|dist)$/;

/** @typedef {{language: string, code: string, isRun: boolean, output: string | null, line: number}} Block */

/** The documents, relative to the root. @param {string} folder @returns {string[]} */
export function documents(folder = ROOT) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return NOT_OURS.test(entry.name) ? [] : documents(path);
    return entry.name.endsWith('.md') ? [relative(ROOT, path)] : [];
  });
}

/** @param {string} document */
export const textOf = (document) => readFileSync(join(ROOT, document), 'utf8');

/**
 * The blocks of code: in which language, whether `<!-- run -->` is above, and the text shown right below.
 * @param {string} text
 * @returns {Block[]}
 */
export function blocksOf(text) {
  const found = text.matchAll(/^(?<run><!-- run -->\n)?```(?<language>\w*)\n(?<code>.*?)^```$(?=(\n\n```text\n(?<output>.*?)^```$)?)/gms);
  return [...found].map(({ groups, index }) => ({
    language: groups?.language ?? '', code: groups?.code ?? '', isRun: groups?.run !== undefined, output: groups?.output ?? null,
    line: text.slice(0, index).split('\n').length,
  }));
}

/** The text without code. @param {string} text */
const prose = (text) => text.replaceAll(/^```\w*\n.*?^```$/gms, '').replaceAll(/(`+)[^`].*?\1/gs, '`code`');

/** Where the links lead. @param {string} text */
export function linksOf(text) {
  const plain = prose(text);
  return [/\]\(([^)\s]+)[^)]*\)/g, /^\[[^\]]+\]: (\S+)$/gm].flatMap((pattern) => [...plain.matchAll(pattern)].map(([, link = '']) => link));
}

/** References like `[text]` or `[text][name]` that no line defines. @param {string} text */
export function undefinedReferences(text) {
  const plain = prose(text);
  const defined = new Set([...plain.matchAll(/^\[([^\]]+)\]: /gm)].map(([, name]) => name));
  const used = [...plain.matchAll(/\[([^\][]*)\](?:\[([^\]]+)\])?(?![(:[])/g)].map(([, words, name]) => name ?? words);
  return used.filter((name) => !defined.has(name));
}

/** The names by which a page's headings are linked to. @param {string} text @returns {Set<string>} */
export function anchorsOf(text) {
  const titles = text.replaceAll(/^```\w*\n.*?^```$/gms, '').matchAll(/^#+ (.*)$/gm);
  /** @type {Map<string, number>} */
  const counts = new Map();
  return new Set([...titles].map(([, title = '']) => {
    const words = title.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}_ -]/gu, '');
    const anchor = words.replaceAll(' ', '-');
    const count = counts.get(anchor) ?? 0;
    counts.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  }));
}
