/**
 * Runs a WebAssembly command (WASI preview 1) in Node: the native benchmark compiled for WebAssembly, which times the
 * typed call without any JavaScript involved.
 * `node --no-warnings benches/wasi.mjs MODULE [ARGUMENT...]`
 */
import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';

const [module = '', ...args] = process.argv.slice(2);
const wasi = new WASI({ version: 'preview1', args: [module, ...args], preopens: { '/': '/' } });
const { instance } = await WebAssembly.instantiate(await readFile(module), /** @type {any} */ (wasi.getImportObject()));
process.exitCode = wasi.start(instance);
