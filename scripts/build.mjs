/**
 * `npm run build`: all of `pkg/`. `-- scripts` builds what JavaScript loads: the modules, their glue, the schemas, the types;
 * `-- others` the module for any host, the command for WASI and the policy for Kubewarden. Quick if nothing changed.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { ENTRIES, entryFiles, folderOf, writeEntries } from './lib/entries.mjs';
import { unlessFresh } from './lib/fresh.mjs';
import { Problem, ROOT, ask, mustRun, script } from './lib/run.mjs';
import { MODULES, describeModule } from './lib/size.mjs';
import { writeDerived } from './lib/types.mjs';

/** The program that builds, if it is compiled already. */
const COMPILED = process.env.SLICEWISE_XTASK;
const XTASK = COMPILED ? [COMPILED] : ['cargo', 'run', '--quiet', '--locked', '-p', 'xtask', '--'];

/** What the build of a module writes, by its name. @param {string} folder */
const withGlue = (folder) => ['slicewise_bg.wasm', 'glue.js', 'glue.cjs', 'glue.d.ts', 'raw.d.ts'].map((file) => `${folder}/${file}`);
const WRITTEN = {
  'wasm:main': withGlue('pkg/glue'),
  'wasm:full': withGlue('pkg/glue/full'),
  abi: ['pkg/abi/slicewise.wasm', 'bindings/go/slicewise.wasm'],
};

/** Builds the modules that JavaScript loads, or some of them, and their glue. @param {('main' | 'full')[]} names */
export async function buildModules(names = ['main', 'full']) {
  for (const name of names) await buildModule(`wasm:${name}`);
}

/**
 * Cargo keeps the crates of one module only, and would compile those of each again after another.
 * @param {keyof typeof WRITTEN} command of xtask
 */
async function buildModule(command) {
  const inputs = ['Cargo.toml', 'Cargo.lock', 'src', 'crates', 'xtask'];
  const files = { inputs, outputs: WRITTEN[command], tool: ask(['rustc', '--version']) ?? '' };
  await unlessFresh(`module-${command.replace('wasm:', '')}`, files, () => mustRun([...XTASK, command]));
}

const COMMAND = 'pkg/command/slicewise.wasm';

/** Node can decompress it, and a registry's own compression makes it half as large again. */
async function compressCommand() {
  const bytes = await readFile(join(ROOT, COMMAND));
  // The window holds all of it.
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length, [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS };
  const compressed = brotliCompressSync(bytes, { params });
  await writeFile(join(ROOT, `${COMMAND}.br`), compressed);
  console.log(`command: ${COMMAND}.br written, ${compressed.length} of ${bytes.length} bytes`);
}

/** What is no JavaScript. */
async function buildOthers() {
  await buildModule('abi');
  await mustRun([...XTASK, 'programs']);
  await unlessFresh('command', { inputs: [COMMAND], outputs: [`${COMMAND}.br`] }, compressCommand);
}

/** What JavaScript imports at run time: the page needs no more. */
export async function buildForPage() {
  await mustRun([...XTASK, 'schema']);
  await buildModules();
  await buildEntries();
}

/** The entries of the package. */
export async function buildEntries() {
  await unlessFresh('entries', { inputs: ['scripts/lib/entries.mjs'], outputs: Object.keys(entryFiles()) }, writeEntries);
}

/** What JavaScript loads, with its types. */
async function buildScripts() {
  await buildForPage();
  const scripts = ['types', 'declarations', 'entries', 'merge-schemas'].map((name) => `scripts/lib/${name}.mjs`);
  const inputs = ['pkg/schema', 'pkg/glue/full/raw.d.ts', 'npm', ...scripts, 'tsconfig.json', 'package-lock.json'];
  const types = ['envelopes', 'module'].map((name) => `pkg/types/${name}.d.cts`);
  const entries = ENTRIES.map((entry) => `${folderOf(entry)}/index.d.cts`);
  const outputs = [...types, ...entries, 'pkg/cjs/admission/core.js', 'pkg/cjs/package.json'];
  await unlessFresh('types', { inputs, outputs }, writeDerived);
}

/** Builds `pkg/`. */
export async function build() {
  await buildScripts();
  await buildOthers();
  for (const module of MODULES) console.log(await describeModule(module));
}

/** @type {Record<string, () => Promise<void>>} */
const PARTS = { all: build, scripts: buildScripts, others: buildOthers };

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await script(() => {
    const name = process.argv[2] ?? 'all';
    if (!Object.hasOwn(PARTS, name)) throw new Problem(`there is no part \`${name}\` to build; there are ${Object.keys(PARTS).join(', ')}`);
    return PARTS[name]();
  });
}
