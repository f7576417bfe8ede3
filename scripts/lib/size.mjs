/** Limits on the module: what it may import, and how large it may be on the wire. */
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { Problem, ROOT } from './run.mjs';

/** What everything the page and the webhook need fits into. */
const BUDGET_GZIP = 130 * 1024;

const MODULE = join(ROOT, 'pkg/glue/slicewise_bg.wasm');

/** What the module weighs, as a line to print. */
export async function describeModule() {
  const { raw, gzip, brotli } = await measure();
  return `module: ${kb(raw)} raw, ${kb(gzip)} gzip (limit ${kb(BUDGET_GZIP)}), ${kb(brotli)} brotli`;
}

/** Throws when a limit is broken. */
export async function checkModule() {
  const bytes = await readFile(MODULE);
  const foreign = WebAssembly.Module.imports(new WebAssembly.Module(bytes)).filter(({ module }) => module !== './slicewise_bg.js');
  if (foreign.length > 0) {
    const names = foreign.map(({ module, name }) => `${module}.${name}`).join(', ');
    throw new Problem(`the module imports what no JavaScript host has: ${names}`);
  }
  for (const folder of [homedir(), ROOT]) {
    if (bytes.includes(folder)) throw new Problem(`the module names a folder of this machine, ${folder}: it would differ from machine to machine`);
  }
  const { gzip } = await measure();
  if (gzip > BUDGET_GZIP) throw new Problem(`${await describeModule()}: over its budget by ${kb(gzip - BUDGET_GZIP)}`);
  console.log(await describeModule());
}

async function measure() {
  const bytes = await readFile(MODULE);
  const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } });
  return { raw: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length, brotli: brotli.length };
}

/** @param {number} bytes */
function kb(bytes) {
  return `${(bytes / 1024).toFixed(1)} KB`;
}
