/**
 * Runs a WebAssembly command (WASI preview 1) in Node: the native benchmark, compiled for WebAssembly, so that the
 * typed call is timed there without anything of JavaScript.
 *
 * `node --no-warnings benches/wasi.mjs MODULE [ARGUMENT...]`
 */
import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';

const [module = '', ...args] = process.argv.slice(2);
const wasi = new WASI({ version: 'preview1', args: [module, ...args], preopens: { '/': '/' } });
const { instance } = await WebAssembly.instantiate(await readFile(module), /** @type {any} */ (wasi.getImportObject()));
process.exitCode = wasi.start(instance);
