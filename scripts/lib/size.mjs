/** Limits for the modules: their imports, and their compressed size. */
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Problem, ROOT } from './run.mjs';

/** @typedef {{name: string, file: string, budget: number, imports?: RegExp}} Module */

/** @type {Module[]} */
export const MODULES = [
  // Plans, and all that the page starts with: the Service overview, the list of objects, manual edits and pairs of endpoints.
  { name: 'module', file: 'pkg/glue/slicewise_bg.wasm', budget: 168 * 1024 },
  // Everything: sessions, controllers and reviewers, optimized for speed, and single questions and scenarios, for size.
  { name: 'full module', file: 'pkg/glue/full/slicewise_bg.wasm', budget: 1424 * 1024 },
  // Everything for hosts without JavaScript, which need to provide nothing.
  { name: 'module for any host', file: 'pkg/abi/slicewise.wasm', budget: 1232 * 1024, imports: /^$/ },
  // Reviews for a policy server, which provides waPC and the minimal WASI of a program without I/O.
  {
    name: 'Kubewarden policy',
    file: 'pkg/kubewarden/policy.wasm',
    budget: 448 * 1024,
    imports: /^wapc\.|^wasi_snapshot_preview1\.(random_get|environ_get|environ_sizes_get|fd_write|proc_exit)$/,
  },
];

/** The imports that a module's glue provides. */
const GLUE = /^\.\/slicewise_bg\.js\./;

/** The size of a module, as a line to print. @param {Module} module */
export async function describeModule({ name, file, budget }) {
  const { raw, gzip } = await measure(file);
  return `${name}: ${kb(raw)} raw, ${kb(gzip)} gzip (limit ${kb(budget)})`;
}

/** Checks all modules, then throws if any exceeds its limit. */
export async function checkModules() {
  /** @type {string[]} */
  const over = [];
  for (const module of MODULES) over.push(...(await checkModule(module)));
  if (over.length > 0) throw new Problem(over.join('\n'));
}

/** @param {Module} module @returns {Promise<string[]>} what exceeds its limit */
async function checkModule(module) {
  const { name, file, budget, imports = GLUE } = module;
  const bytes = await readFile(join(ROOT, file));
  const imported = WebAssembly.Module.imports(new WebAssembly.Module(bytes)).map((each) => `${each.module}.${each.name}`);
  const foreign = imported.filter((each) => !imports.test(each));
  if (foreign.length > 0) throw new Problem(`the ${name} imports what its host does not have: ${foreign.join(', ')}`);
  for (const folder of [homedir(), ROOT]) {
    if (bytes.includes(folder)) throw new Problem(`the ${name} names a folder of this machine, ${folder}: it would differ from machine to machine`);
  }
  const { gzip } = await measure(file);
  console.log(await describeModule(module));
  return gzip > budget ? [`the ${name} is over its budget by ${kb(gzip - budget)}`] : [];
}

/** @param {string} file */
async function measure(file) {
  const bytes = await readFile(join(ROOT, file));
  return { raw: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length };
}

/** @param {number} bytes */
function kb(bytes) {
  return `${(bytes / 1024).toFixed(1)} KB`;
}
