/** A page and a program that use every entry of the package as published: built by each bundler as documented, and run. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { build, createServer, preview } from 'vite';
import webpack from 'webpack';
import { PATIENCE, start, watch } from '../browser/harness.js';
import { ANSWERS, binary, makeConsumer, mustRun, recipe, shell } from './lib/consumer.js';

const WITH_WORKER = { ...ANSWERS, worker: 1 };

/** @type {import('../browser/harness.js').World} */
let world;
/** @type {ReturnType<typeof makeConsumer>} */
let consumer;
before(async () => {
  consumer = makeConsumer();
  mkdirSync(join(consumer.folder, 'dist'));
  world = await start(join(consumer.folder, 'dist'));
});
after(async () => {
  await world?.close();
  consumer?.remove();
});

/** Opens a page, which must say what is expected, and nothing else. @param {string | undefined} address @param {object} expected */
async function checkPage(address = '', expected = ANSWERS) {
  const page = await world.browser.newPage();
  page.setDefaultTimeout(PATIENCE);
  const complaints = watch(page, new URL('/', address).href);
  try {
    await page.goto(address);
    // Vite reloads the page once it has discovered its imports.
    await page.waitForFunction((text) => document.querySelector('output')?.textContent === text, JSON.stringify(expected));
    assert.deepEqual(complaints, []);
  } catch (error) {
    throw new Error(`the page says: ${complaints.join('\n')}`, { cause: error });
  }
  // It closes with the browser: alone, a page that was loaded again while its worker started may never do so.
}

/** Runs a program. @param {string} file @param {string} [host] */
function checkProgram(file, host = process.execPath) {
  assert.deepEqual(JSON.parse(mustRun(consumer.folder, `${host} ${file}`)), ANSWERS);
}

/** The page of a bundle. @param {string} folder @param {string} script */
function writePage(folder, script) {
  const page = readFileSync(join(consumer.folder, 'index.html'), 'utf8');
  writeFileSync(join(consumer.folder, 'dist', folder, 'index.html'), page.replace('/main-worker.js', script));
}

/** Runs the commands of the documentation for a bundler. @param {string} heading @param {string} [of] what they contain */
function follow(heading, of = '') {
  const commands = recipe(heading).filter((command) => command.includes(of));
  assert.ok(commands.length > 0, of);
  for (const command of commands) mustRun(consumer.folder, command.replace(/^bun /, `${binary('@oven', 'bin/bun')} `));
}

describe('Vite', () => {
  /** The defaults of a project without configuration, except for the address. @returns {import('vite').InlineConfig} */
  function options() {
    const address = { host: '127.0.0.1', port: 0 };
    return { root: consumer.folder, configFile: false, logLevel: 'error', server: address, preview: address };
  }

  it('serves a page under development', async () => {
    const server = await createServer(options());
    await server.listen();
    try {
      await checkPage(server.resolvedUrls?.local[0], WITH_WORKER);
    } finally {
      await server.close();
    }
  });

  it('builds a page', async () => {
    const built = { ...options(), build: { outDir: 'dist/vite' } };
    await build(built);
    const server = await preview(built);
    try {
      await checkPage(server.resolvedUrls?.local[0], WITH_WORKER);
    } finally {
      await server.close();
    }
  });

  it('builds a program for servers', async () => {
    await build({ ...options(), build: { ssr: 'main.js', outDir: 'dist/vite-node' } });
    checkProgram('dist/vite-node/main.mjs');
  });
});

describe('webpack', () => {
  /** @param {import('webpack').Configuration} options */
  function bundle(options) {
    const compiler = webpack({ mode: 'production', context: consumer.folder, performance: { hints: false }, ...options });
    return /** @type {Promise<void>} */ (
      new Promise((resolve, reject) => {
        compiler?.run((error, stats) => {
          if (error || stats?.hasErrors() || stats?.hasWarnings()) reject(error ?? new Error(stats?.toString('errors-warnings')));
          else compiler.close(() => resolve());
        });
      })
    );
  }

  it('builds a page', async () => {
    await bundle({ entry: './main-worker.js', output: { path: join(consumer.folder, 'dist/webpack') } });
    writePage('webpack', './main.js');
    await checkPage(`${world.base}webpack/index.html`, WITH_WORKER);
  });

  for (const entry of ['main.js', 'main.cjs']) {
    it(`builds a program for Node, of ${entry}`, async () => {
      const output = { path: join(consumer.folder, 'dist/webpack-node', entry), filename: 'main.cjs' };
      await bundle({ entry: `./${entry}`, target: 'node20', output });
      checkProgram(`dist/webpack-node/${entry}/main.cjs`);
    });
  }
});

describe('Rollup', () => {
  before(() => follow('Rollup'));

  it('builds a page', async () => {
    writePage('rollup', './main.js');
    await checkPage(`${world.base}rollup/index.html`);
  });

  it('builds a program for Node', () => checkProgram('dist/rollup-node/main.js'));
});

describe('Parcel', () => {
  it('builds a page', async () => {
    const file = join(consumer.folder, 'package.json');
    const setting = /```json\n(?<setting>.*@parcel.*)\n```/.exec(readFileSync(join(consumer.folder, 'node_modules/slicewise/docs/npm.md'), 'utf8'));
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...JSON.parse(setting?.groups?.setting ?? '') }));
    follow('Parcel');
    await checkPage(`${world.base}parcel/index.html`, WITH_WORKER);
  });
});

describe('esbuild', () => {
  it('builds a page', async () => {
    follow('esbuild', 'loader:.wasm=file');
    writePage('esbuild', './main-loaded.js');
    await checkPage(`${world.base}esbuild/index.html`);
  });

  it('builds a program for Node, of one file', () => {
    follow('esbuild', 'loader:.wasm=binary');
    checkProgram('dist/esbuild-node/main.cjs');
  });

  it('builds a program for Node that leaves the package outside', () => {
    follow('esbuild', '--external');
    checkProgram('dist/esbuild-external/main.js');
  });

  for (const [entry, format, file] of [['main.js', 'esm', 'main.mjs'], ['main.js', 'cjs', 'main.cjs'], ['main.cjs', 'cjs', 'required.cjs']]) {
    it(`makes programs that say what is missing, of ${entry} to ${file}`, () => {
      mustRun(consumer.folder, `npx esbuild ${entry} --bundle --platform=node --format=${format} --outfile=dist/esbuild-wrong/${file}`);
      const { status, stderr } = shell(consumer.folder, `${process.execPath} dist/esbuild-wrong/${file}`);
      assert.equal(status, 1);
      assert.match(stderr, /SlicewiseError: the module cannot be loaded: .*; if a bundler made this file, it has left the module behind: .*docs\/npm\.md/);
      assert.match(stderr, /code: 'LoadFailed'/);
    });
  }
});

describe('Bun', () => {
  it('builds a program that leaves the package outside', () => {
    follow('Bun and Deno', 'bun build');
    checkProgram('dist/bun/main.js', binary('@oven', 'bin/bun'));
  });
});
