/**
 * Bundles the page of `www/` into `dist/`: the script, the worker with the WebAssembly module, the YAML reader
 * that loads on demand, the style, and the examples, all with content hashes in their names; and the service worker
 * that caches these files for offline use.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import webpack from 'webpack';

const PAGE = join(import.meta.dirname, 'www');
/** Keeps webpack from minimizing these files: their checksums have been taken. */
const FINAL = { minimized: true };

/** The example that the page opens with. */
const WELCOME = 'eleven-endpoints';

/** Writes `index.html` with the names of the bundled files, the icon beside it, and the service worker that caches them all. */
class HtmlPage {
  /** @param {import('webpack').Compiler} compiler */
  apply(compiler) {
    compiler.hooks.thisCompilation.tap('HtmlPage', (compilation) => {
      const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_REPORT;
      compilation.hooks.processAssets.tap({ name: 'HtmlPage', stage }, () => emitPage(compilation));
    });
  }
}

/** @param {import('webpack').Compilation} compilation */
function emitPage(compilation) {
  const files = compilation.entrypoints.get('main')?.getFiles() ?? [];
  const styles = files.filter((file) => file.endsWith('.css')).map((file) => `<link rel="stylesheet" href="${file}" />`);
  const scripts = files.filter((file) => file.endsWith('.js')).map((file) => `<script src="${file}" defer></script>`);
  const html = readSource(compilation, 'index.html').replace('  </head>', `    ${[...styles, ...scripts].join('\n    ')}\n  </head>`);
  /** @param {string} name @param {string} text */
  const emit = (name, text) => compilation.emitAsset(name, new webpack.sources.RawSource(text), FINAL);
  emit('index.html', html);
  emit('icon.svg', readSource(compilation, 'icon.svg'));
  emit('service-worker.js', serviceWorker(compilation));
}

/**
 * The service worker with the list of all files, those of the first screen and of its slider, and a version that changes with
 * any of them.
 * @param {import('webpack').Compilation} compilation
 */
function serviceWorker(compilation) {
  const sums = compilation.getAssets().map(({ name, source }) => [name, `sha256-${createHash('sha256').update(source.buffer()).digest('base64')}`]);
  const files = Object.fromEntries(sums.sort());
  const version = createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 16);
  const parts = [...compilation.chunks].filter(({ name }) => name === 'engine' || name === 'editing');
  const engine = parts.flatMap((chunk) => [...chunk.files, ...chunk.auxiliaryFiles]);
  const welcome = Object.keys(files).filter((file) => file.startsWith(`assets/${WELCOME}.`));
  const entry = compilation.entrypoints.get('main')?.getFiles() ?? [];
  const first = ['index.html', 'icon.svg', ...entry, ...engine, ...welcome].filter((file) => file in files);
  const [before, after, ...more] = readSource(compilation, 'service-worker.js').split("{ version: '', first: [], files: {} }");
  if (after === undefined || more.length > 0) throw new Error('service-worker.js has no place for the list of files');
  return `${before}${JSON.stringify({ version, first: [...new Set(first)].sort(), files })}${after}`;
}

/** @param {import('webpack').Compilation} compilation @param {string} name */
function readSource(compilation, name) {
  const file = join(PAGE, name);
  compilation.fileDependencies.add(file);
  return readFileSync(file, 'utf8');
}

/** @type {import('webpack').Configuration} */
export default {
  mode: 'production',
  context: PAGE,
  entry: { main: './main.js' },
  output: {
    path: join(import.meta.dirname, 'dist'),
    publicPath: 'auto',
    clean: true,
    filename: 'assets/[name].[contenthash:10].js',
    chunkFilename: 'assets/[name].[contenthash:10].js',
    cssFilename: 'assets/[name].[contenthash:10].css',
    assetModuleFilename: 'assets/[name].[contenthash:10][ext]',
    // The page runs no code but its own files: every script address passes this single policy.
    trustedTypes: { policyName: 'slicewise' },
  },
  module: { rules: [{ test: /\.css$/, type: 'css', sideEffects: true }] },
  // The YAML reader and its dependencies stay in one file.
  optimization: { splitChunks: false },
  experiments: { css: true },
  plugins: [new HtmlPage()],
  devtool: false,
  performance: { hints: false },
};
