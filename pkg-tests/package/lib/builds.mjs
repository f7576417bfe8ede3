/** Every way to load the package, behind one interface, so that one suite runs on each. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);

/** The root of the repository. */
export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The module that all builds share. */
export const WASM = join(ROOT, 'pkg/glue/slicewise_bg.wasm');
/** The one that all builds of the other entries share. */
export const FULL_WASM = join(ROOT, 'pkg/glue/full/slicewise_bg.wasm');

/**
 * @typedef {Pick<typeof import('slicewise'), 'plan' | 'planSnapshot' | 'detect' | 'version' | 'SlicewiseError'>} Api
 * @typedef {{name: string, load: () => Promise<Api>}} Build
 * @typedef {Api & Pick<typeof import('slicewise/session'), 'Session' | 'Controller' | 'Proxier'>} SessionApi
 * @typedef {{name: string, load: () => Promise<SessionApi>}} SessionBuild
 * @typedef {'glance' | 'explain' | 'exported' | 'upgrade' | 'diff' | 'apply' | 'route' | 'traffic' |
 *   'mirror' | 'mirrorSnapshot' | 'kubernetesService'} Tool
 * @typedef {Api & Pick<typeof import('slicewise/tools'), Tool>} ToolsApi
 * @typedef {{name: string, load: () => Promise<ToolsApi>}} ToolsBuild
 * @typedef {'createReviewer' | 'createHandler' | 'maxReviewBytes' | 'policies' | 'version' | 'SlicewiseError'} AdmissionName
 * @typedef {Pick<typeof import('slicewise/admission'), AdmissionName>} AdmissionApi
 * @typedef {{name: string, load: () => Promise<AdmissionApi>}} AdmissionBuild
 * @typedef {Pick<typeof import('slicewise/simulation'), 'Timeline' | 'version' | 'SlicewiseError'>} SimulationApi
 * @typedef {{name: string, load: () => Promise<SimulationApi>}} SimulationBuild
 */

/** @type {Build[]} */
export const BUILDS = [
  { name: 'Node ESM', load: () => import('slicewise') },
  // The file itself: where Node can `require` ESM, the package name resolves to the ESM build.
  { name: 'Node CommonJS', load: () => Promise.resolve(require(join(ROOT, 'pkg/entries/node.cjs'))) },
  { name: 'bundler', load: () => loadBundled('bundled.mjs') },
  { name: 'web', load: async () => initialized(await import('slicewise/web'), WASM) },
];

/** The same for `slicewise/session`. @type {SessionBuild[]} */
export const SESSION_BUILDS = [
  { name: 'Node ESM', load: () => import('slicewise/session') },
  { name: 'Node CommonJS', load: () => Promise.resolve(require(join(ROOT, 'pkg/entries/session/node.cjs'))) },
  { name: 'bundler', load: () => loadBundled('bundled-session.mjs') },
  { name: 'web', load: async () => initialized(await import('slicewise/session/web'), FULL_WASM) },
];

/** The same for `slicewise/tools`. @type {ToolsBuild[]} */
export const TOOLS_BUILDS = [
  { name: 'Node ESM', load: () => import('slicewise/tools') },
  { name: 'Node CommonJS', load: () => Promise.resolve(require(join(ROOT, 'pkg/entries/tools/node.cjs'))) },
  { name: 'bundler', load: () => loadBundled('bundled-tools.mjs') },
  { name: 'web', load: async () => initialized(await import('slicewise/tools/web'), FULL_WASM) },
];

/** The same for `slicewise/admission`. @type {AdmissionBuild[]} */
export const ADMISSION_BUILDS = [
  { name: 'Node ESM', load: () => import('slicewise/admission') },
  { name: 'Node CommonJS', load: () => Promise.resolve(require(join(ROOT, 'pkg/entries/admission/node.cjs'))) },
  { name: 'bundler', load: () => loadBundled('bundled-admission.mjs') },
  { name: 'web', load: async () => initialized(await import('slicewise/admission/web'), FULL_WASM) },
];

/** The same for `slicewise/simulation`. @type {SimulationBuild[]} */
export const SIMULATION_BUILDS = [
  { name: 'Node ESM', load: () => import('slicewise/simulation') },
  { name: 'Node CommonJS', load: () => Promise.resolve(require(join(ROOT, 'pkg/entries/simulation/node.cjs'))) },
  { name: 'bundler', load: () => loadBundled('bundled-simulation.mjs') },
  { name: 'web', load: async () => initialized(await import('slicewise/simulation/web'), FULL_WASM) },
];

/**
 * A web build, initialized with its bytes: Node's fetch cannot read files.
 * @template {{init(source: Uint8Array): Promise<void>}} Web
 * @param {Web} web
 * @param {string} file
 */
async function initialized(web, file) {
  await web.init(await readFile(file));
  return web;
}

/** A program that re-exports the package, bundled by webpack as for a browser, and run here. @param {string} program */
async function loadBundled(program) {
  const { default: webpack } = await import('webpack');
  const { fetch } = globalThis;
  const folder = await mkdtemp(join(tmpdir(), 'slicewise-bundle-'));
  const compiler = webpack({
    mode: 'production',
    // The module is read as in Node, the package is resolved as for a browser.
    target: 'node20',
    resolve: { conditionNames: ['webpack', 'browser', 'import', 'module', 'default'] },
    context: ROOT,
    entry: join(ROOT, 'pkg-tests/package/lib', program),
    experiments: { outputModule: true },
    output: { path: folder, filename: 'bundle.mjs', library: { type: 'module' }, publicPath: `${pathToFileURL(folder)}/` },
  });
  try {
    await /** @type {Promise<void>} */ (
      new Promise((resolve, reject) => {
        compiler?.run((error, stats) => {
          if (error || stats?.hasErrors()) reject(error ?? new Error(stats?.toString('errors-only')));
          else compiler.close(() => resolve());
        });
      })
    );
    globalThis.fetch = fetchFile;
    return await import(pathToFileURL(join(folder, 'bundle.mjs')).href);
  } finally {
    globalThis.fetch = fetch;
    await rm(folder, { recursive: true });
  }
}

/** Fetches what a browser would, from the bundle's folder. @param {any} url */
async function fetchFile(url) {
  return new Response(await readFile(fileURLToPath(url)), { headers: { 'content-type': 'application/wasm' } });
}
