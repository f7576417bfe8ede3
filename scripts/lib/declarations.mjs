/**
 * The declarations of the package, in CommonJS, from where ESM can import them: those of the modules' functions, which
 * wasm-bindgen writes from their signatures in Rust, and those in `npm/types.d.ts`.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ENTRIES, folderOf } from './entries.mjs';
import { ROOT } from './run.mjs';

const DECLARED = /(?:\/\*\*(?:(?!\*\/)[^])*\*\/\n)?export (?:declare )?(?:function|class|interface|type|const) (\w+)[^]*?(?:;\n(?=\n|\/\*\*|export|$)|\n\}\n)/g;
const FORM = 'Form<';

/** @typedef {{name: string, text: string}} Declaration a name may have several */

/** Writes `pkg/types/module.d.cts`, and the declarations of the entries. */
export async function writeDeclarations() {
  const [raw, own, envelopes] = await Promise.all(['pkg/glue/full/raw.d.ts', 'npm/types.d.ts', 'pkg/types/envelopes.d.cts'].map(read));
  const all = [...declarations(own), ...declarations(ofModule(raw))];
  const wanted = reached(all, [...ENTRIES.flatMap(({ exports }) => exports), 'SlicewiseError']);
  const text = all.filter(({ name }) => wanted.has(name)).map((each) => each.text.replace(/^(?=\/\*\*|export (?:interface|type|class))/, '\n')).join('');
  const known = [...envelopes.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name).filter((name) => mentions(text, name));
  const head = `/// <reference lib="esnext.disposable" />\nimport type { ${known.join(', ')} } from './envelopes.cjs';\n`;
  await writeFile(join(ROOT, 'pkg/types/module.d.cts'), head + text);
  for (const entry of ENTRIES) {
    await mkdir(join(ROOT, folderOf(entry)), { recursive: true });
    await writeFile(join(ROOT, folderOf(entry), 'index.d.cts'), ofEntry(entry, reached(all, [...entry.exports, 'SlicewiseError'])));
  }
}

/** @param {string} path */
const read = (path) => readFile(join(ROOT, path), 'utf8');

/** @param {string} text @returns {Declaration[]} */
function declarations(text) {
  return [...text.matchAll(DECLARED)].map(([declared, name]) => ({ name, text: declared }));
}

/** The names, and all types that their declarations mention. @param {Declaration[]} all @param {string[]} names @returns {Set<string>} */
function reached(all, names) {
  const found = new Set(names);
  for (const name of found) {
    const text = all.filter((each) => each.name === name).map((each) => each.text).join('');
    for (const other of all) if (/^[A-Z]/.test(other.name) && mentions(text, other.name)) found.add(other.name);
  }
  return found;
}

/** Whether the name is used outside comments. @param {string} text @param {string} name */
function mentions(text, name) {
  return new RegExp(`\\b${name}\\b`).test(text.replace(/\/\*\*[^]*?\*\//g, ''));
}

/** What an entry exports, and the types of that. @param {import('./entries.mjs').Entry} entry @param {Set<string>} reachable */
function ofEntry({ name, exports, about }, reachable) {
  const values = [...exports, 'SlicewiseError'];
  const types = [...reachable].filter((each) => !values.includes(each));
  const up = name.includes('/') ? '../../' : '../';
  return `/**
${about.split('\n').map((line) => ` * ${line}`.trimEnd()).join('\n')}
 */
import { ${values.join(', ')} } from '${up}types/module.cjs';

export { ${values.join(', ')} };
export type { ${types.join(', ')} } from '${up}types/module.cjs';
export type * from '${up}types/envelopes.cjs';

/** What {@link createInstance} makes. */
export interface Instance {
${values.map((value) => `  ${value}: typeof ${value};`).join('\n')}
}

/** This entry over an instance of the module that shares no memory with any other: losing one does not affect others. */
export function createInstance(): Instance;
`;
}

/** What wasm-bindgen declares, for readers of TypeScript. @param {string} raw */
function ofModule(raw) {
  const text = raw
    .slice(0, raw.indexOf('export type InitInput'))
    .replace(/(?:\s*\* ?\n)?\s*\* # Errors\n(?:\s*\*(?!\/).*\n)*/g, '\n')
    .replace(/^( *\* )r" /gm, '$1')
    .replace(/\[`([\w:]+)`\](?:\([^)]*\))?/g, (_, path) => `{@link ${path.replaceAll('::', '.')}}`)
    .replace(/^( *)free\(\): void;$/gm, '$1/** Releases the memory at once; otherwise this happens when the object is garbage-collected. */\n$&')
    .replaceAll('    ', '  ');
  return text.replace(/^.*Form<.*;$/gm, overloads);
}

/**
 * The answer has the form of the input. The overload for objects is first, for results of `JSON.parse`, whose type is unknown;
 * and last, for `ReturnType` and the like, which only use the last one.
 * @param {string} line
 */
function overloads(line) {
  const value = replaceForms(line, (inner) => inner);
  return [value, replaceForms(line, () => 'Uint8Array'), replaceForms(line, () => 'string'), value].join('\n');
}

/** @param {string} line @param {(inner: string) => string} as @returns {string} */
function replaceForms(line, as) {
  const start = line.indexOf(FORM);
  if (start < 0) return line;
  const open = start + FORM.length;
  let depth = 1;
  let end = open;
  for (; depth > 0; end += 1) depth += Number(line[end] === '<') - Number(line[end] === '>');
  return line.slice(0, start) + as(line.slice(open, end - 1)) + replaceForms(line.slice(end), as);
}
