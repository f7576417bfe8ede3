/**
 * `npm run house`: the measures of the workspace in `CONTRIBUTING.md`, as a table: crates, files, lines, public items, features,
 * names of types that mean more than one thing, and the JavaScript around the modules. Lines are those with code, outside tests.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { crates as members } from './lib/crates.mjs';
import { script } from './lib/run.mjs';

const IS_TEST = /(^|\/)(tests?|benches|examples|fuzz_targets)(\/|\.rs$)|_tests?\.rs$/;
/** What programs can name; the compiler warns of a `pub` that they cannot reach. */
const PUBLIC = /^\s*pub (?:(?:const|async|unsafe) )*(?:fn|struct|enum|union|trait|type|const|static|mod) /;
/** Types of a trait's implementation are no names of their own. */
const TYPE = /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:struct|enum|union|trait)\s+([A-Z]\w*)|^(?:pub(?:\([^)]*\))?\s+)?type\s+([A-Z]\w*)/;

await script(() => {
  const crates = members().filter(({ folder }) => existsSync(join(folder, 'src')));
  const files = crates.flatMap((crate) => sources(crate).map((path) => ({ crate, path, lines: code(path) })));
  const count = (/** @type {(line: string) => boolean} */ is) => files.flatMap(({ lines }) => lines.filter(is)).length;
  const core = crates.find(({ name }) => name === 'slicewise');
  const inCore = files.filter((file) => file.crate === core);
  const repeated = Object.entries(typesIn(files.flatMap(({ lines }) => lines))).filter(([, times]) => times > 1);
  const rows = [
    ['crates', crates.length],
    ['lines of Rust outside tests', count(() => true)],
    ['of these in the core', inCore.flatMap(({ lines }) => lines).length],
    ['files of the core', inCore.length],
    ['public items of the core', publicItems(inCore)],
    ['features of the core', core?.features.length ?? 0],
    ['lines that depend on a feature', count((line) => /cfg(_attr)?\(.*feature\s*=/.test(line))],
    ['names of types with more than one meaning', repeated.length],
    ['lines of JavaScript and declarations in `npm/`', scripted('npm')],
  ];
  console.log(`| | |\n|---|--:|\n${rows.map(([what, many]) => `| ${what} | ${many.toLocaleString('en')} |`).join('\n')}`);
  if (process.argv.includes('--names')) console.log(repeated.sort(([, a], [, b]) => b - a).map(([name, times]) => `${name} ${times}`).join('\n'));
});

/** The crate's own files, without tests. @param {import('./lib/crates.mjs').Crate} crate */
function sources({ folder }) {
  const all = readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' });
  return all.filter((path) => path.endsWith('.rs') && !IS_TEST.test(path)).map((path) => join(folder, 'src', path));
}

/** The lines with code, up to the tests at the end of a file. @param {string} path */
function code(path) {
  const lines = readFileSync(path, 'utf8').split('\n');
  const tests = lines.findIndex((line, index) => line.startsWith('#[cfg(test)]') && /^mod \w+ \{/.test(lines[index + 1] ?? ''));
  return lines.slice(0, tests < 0 ? undefined : tests).filter((line) => !/^\s*(\/\/|$)/.test(line));
}

/** The lines of scripts and declarations in a folder. @param {string} folder */
function scripted(folder) {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => /\.(c?js|d\.ts)$/.test(path));
  const lines = paths.flatMap((path) => readFileSync(join(folder, path), 'utf8').split('\n'));
  return lines.filter((line) => !/^\s*(\/\/|\/?\*|$)/.test(line)).length;
}

/** How often each name is given to a type. @param {string[]} lines */
function typesIn(lines) {
  /** @type {Record<string, number>} */
  const times = {};
  for (const line of lines) {
    const [, declared, alias] = TYPE.exec(line) ?? [];
    const name = declared ?? alias;
    if (name) times[name] = (times[name] ?? 0) + 1;
  }
  return times;
}

/** Those that the documentation does not hide, by themselves or with their module. @param {{path: string, lines: string[]}[]} files */
function publicItems(files) {
  const hidden = files.flatMap(({ path, lines }) => hiddenModules(lines).map((name) => join(childrenOf(path), name)));
  const isShown = (/** @type {string} */ path) => !hidden.some((module) => path === `${module}.rs` || path.startsWith(join(module, '/')));
  const shown = files.filter(({ path }) => isShown(path));
  return shown.flatMap(({ lines }) => lines.filter((line, index) => PUBLIC.test(line) && !isHidden(lines, index))).length;
}

/** The folder of a module's own modules. @param {string} path */
function childrenOf(path) {
  return /^(lib|mod)\.rs$/.test(basename(path)) ? dirname(path) : path.replace(/\.rs$/, '');
}

/** @param {string[]} lines @returns {string[]} */
function hiddenModules(lines) {
  return lines.flatMap((line, index) => (isHidden(lines, index) ? (/^pub mod (\w+);/.exec(line)?.[1] ?? []) : []));
}

/** Whether attributes above the line hide it. @param {string[]} lines @param {number} index @returns {boolean} */
function isHidden(lines, index) {
  let above = index - 1;
  if (/^\s*\)\]$/.test(lines[above] ?? '')) while (above > 0 && !/^\s*#\[/.test(lines[above])) above -= 1;
  return /^\s*#\[/.test(lines[above] ?? '') && (lines[above].includes('doc(hidden)') || isHidden(lines, above));
}
