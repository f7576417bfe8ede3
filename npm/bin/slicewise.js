#!/usr/bin/env node
/** The native command, compiled for WebAssembly: the same program, with the same bytes, messages and exit codes. */
import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';

const { emitWarning } = process;
// `node:wasi` warns at each start that it is experimental, which does not concern users of the command.
process.emitWarning = () => {};
const { WASI } = await import('node:wasi');
process.emitWarning = emitWarning;

const wasi = new WASI({
  version: 'preview1',
  args: ['slicewise', ...process.argv.slice(2)],
  // WASI has neither a working directory nor drives.
  env: { ...process.env, PWD: process.cwd().replace(/^[A-Za-z]:/, '').replaceAll('\\', '/') },
  preopens: { '/': '/' },
});
const module = brotliDecompressSync(readFileSync(new URL('../../pkg/command/slicewise.wasm.br', import.meta.url)));
const { instance } = await WebAssembly.instantiate(module, /** @type {any} */ (wasi.getImportObject()));
process.exitCode = wasi.start(instance);
