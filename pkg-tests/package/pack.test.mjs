/** The tarball to publish: its files, and that it works outside the repository. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ROOT } from './lib/builds.mjs';
import { SMALL } from './lib/inputs.mjs';
import { installPackage, run as runIn } from './lib/install.mjs';

/** Everything the tarball may contain. */
const ALLOWED = [
  /^(package\.json|README\.md|LICENSE|docs\/npm\.md)$/,
  /^npm\/((bin|admission)\/)?[a-z]+\.(js|d\.ts)$/,
  /^npm\/completions\/slicewise\.(bash|fish|zsh)$/,
  /^npm\/man\/slicewise(-[a-z-]+)?\.1$/,
  /^pkg\/cjs\/((admission\/)?[a-z]+\.js|package\.json)$/,
  /^pkg\/command\/slicewise\.wasm\.br$/,
  /^pkg\/entries\/((session|tools|admission|simulation)\/)?((node|web|bundler)\.js|node\.cjs|(index|web)\.d\.ts|index\.d\.cts)$/,
  /^pkg\/entries\/modules\/(main|full)\.(js|cjs|web\.js)$/,
  /^pkg\/glue\/(full\/)?(glue\.(js|cjs)|slicewise_bg\.wasm)$/,
  /^pkg\/schema\/[a-z-]+\.json$/,
  /^pkg\/types\/(envelopes|module)\.d\.cts$/,
];

const NEEDED = [
  ...['', 'session/', 'tools/', 'admission/', 'simulation/'].flatMap((entry) =>
    ['node.js', 'node.cjs', 'bundler.js', 'web.js', 'index.d.ts', 'index.d.cts'].map((file) => `pkg/entries/${entry}${file}`),
  ),
  'npm/bin/slicewise.js',
  'docs/npm.md',
];

/** What a registry sends: 0.2 MB of text, 1.6 MB of modules within their budgets, and the command. */
const MOST_BYTES = 3_000_000;

describe('the tarball', () => {
  /** @type {string} */
  let folder;
  /** @type {string[]} */
  let files;
  /** @type {number} */
  let bytes;

  const run = (/** @type {string[]} */ command, /** @type {string} */ input = '') => runIn(folder, command, input);

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'slicewise-pack-'));
    ({ files, bytes } = installPackage(folder));
  });

  after(() => rmSync(folder, { recursive: true }));

  it('holds what it should, and nothing else', () => {
    assert.deepEqual(files.filter((file) => !ALLOWED.some((pattern) => pattern.test(file))), []);
    assert.deepEqual(NEEDED.filter((file) => !files.includes(file)), []);
    assert.deepEqual(
      files.filter((file) => file.includes('.wasm')),
      ['pkg/command/slicewise.wasm.br', 'pkg/glue/full/slicewise_bg.wasm', 'pkg/glue/slicewise_bg.wasm'],
    );
  });

  it('is small to fetch', () => assert.ok(bytes <= MOST_BYTES, `${bytes} bytes, more than ${MOST_BYTES}`));

  it('brings no other package', () => {
    const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
    assert.deepEqual(Object.keys(lock.packages), ['', 'node_modules/slicewise']);
  });

  it('names only files that are there', () => {
    const manifest = JSON.parse(readFileSync(join(folder, 'node_modules/slicewise/package.json'), 'utf8'));
    const targets =
      JSON.stringify([manifest.exports, manifest.bin, manifest.main, manifest.types, manifest.man]).match(/"(\.\/)?(npm|pkg)\/[^"*]+"/g) ?? [];
    assert.ok(targets.length > 8);
    const missing = targets.map((target) => JSON.parse(target).replace(/^\.\//, '')).filter((target) => !files.includes(target));
    assert.deepEqual(missing, []);
  });

  it('links to what is there: a registry shows the links of README.md as those of the repository', () => {
    const pages = files.filter((file) => file.endsWith('.md'));
    assert.deepEqual(pages.sort(), ['README.md', 'docs/npm.md']);
    const broken = pages.flatMap((page) => {
      const text = readFileSync(join(folder, 'node_modules/slicewise', page), 'utf8');
      const links = [...text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)].map(([, link = '']) => link).filter((link) => !/^[a-z]+:/.test(link));
      const missing = links.filter((link) => !existsSync(join(ROOT, posix.dirname(page), link)));
      return missing.map((link) => `${page}: ${link}`);
    });
    assert.deepEqual(broken, []);
  });

  const program = `const answer = plan(${JSON.stringify(SMALL)}); console.log(answer.service.name, answer.create.length)`;

  it('works with import', () => {
    writeFileSync(join(folder, 'main.mjs'), `import { plan } from 'slicewise';\n${program}`);
    assert.equal(run([process.execPath, 'main.mjs']), 'cart 1');
  });

  it('works with require, with and without require(esm)', () => {
    writeFileSync(join(folder, 'main.cjs'), `const { plan } = require('slicewise');\n${program}`);
    assert.equal(run([process.execPath, 'main.cjs']), 'cart 1');
    const old = 'console.log(require.resolve("slicewise"))';
    assert.match(run([process.execPath, '--no-experimental-require-module', '-e', old]), /node\.cjs$/);
    assert.equal(run([process.execPath, '--no-experimental-require-module', 'main.cjs']), 'cart 1');
  });

  it('has sessions for import and require', () => {
    const use = 'const session = new Session(); session.apply([]); console.log(session.services().length, new SlicewiseError({}) instanceof Base)';
    writeFileSync(
      join(folder, 'session.mjs'),
      `import { SlicewiseError as Base } from 'slicewise';\nimport { Session, SlicewiseError } from 'slicewise/session';\n${use}`,
    );
    assert.equal(run([process.execPath, 'session.mjs']), '0 true');
    writeFileSync(
      join(folder, 'session.cjs'),
      `const { SlicewiseError: Base } = require('slicewise');\nconst { Session, SlicewiseError } = require('slicewise/session');\n${use}`,
    );
    assert.equal(run([process.execPath, 'session.cjs']), '0 true');
    assert.equal(run([process.execPath, '--no-experimental-require-module', 'session.cjs']), '0 true');
  });

  it('has tools for import and require', () => {
    const use = 'console.log(diff([], []).services.length, SlicewiseError === Base)';
    writeFileSync(
      join(folder, 'tools.mjs'),
      `import { SlicewiseError as Base } from 'slicewise';\nimport { SlicewiseError, diff } from 'slicewise/tools';\n${use}`,
    );
    assert.equal(run([process.execPath, 'tools.mjs']), '0 true');
    writeFileSync(
      join(folder, 'tools.cjs'),
      `const { SlicewiseError: Base } = require('slicewise');\nconst { SlicewiseError, diff } = require('slicewise/tools');\n${use}`,
    );
    assert.equal(run([process.execPath, '--no-experimental-require-module', 'tools.cjs']), '0 true');
  });

  it('is one instance for import and require', () => {
    writeFileSync(join(folder, 'both.mjs'), `
      import { createRequire } from 'node:module';
      import * as imported from 'slicewise';
      const required = createRequire(import.meta.url)('slicewise');
      console.log(imported.SlicewiseError === required.SlicewiseError && imported.plan === required.plan);`);
    assert.equal(run([process.execPath, 'both.mjs']), 'true');
  });

  it('works in a worker', () => {
    writeFileSync(join(folder, 'worker.mjs'), `
      import { Worker, isMainThread, parentPort } from 'node:worker_threads';
      import { plan } from 'slicewise';
      if (isMainThread) new Worker(new URL(import.meta.url)).on('message', (name) => console.log(name));
      else parentPort.postMessage(plan(${JSON.stringify(SMALL)}).service.name);`);
    assert.equal(run([process.execPath, 'worker.mjs']), 'cart');
  });

  it('gives the command', () => {
    const answer = run(['npx', '--no-install', 'slicewise', 'plan'], JSON.stringify(SMALL));
    assert.equal(JSON.parse(answer).service.name, 'cart');
  });

  it('hides what is not public', () => {
    writeFileSync(join(folder, 'inside.mjs'), `
      const inside = (name) => import(name).then(() => 'open', (error) => error.code);
      console.log(await inside('slicewise/pkg/glue/glue.js'), await inside('slicewise/npm/core.js'));`);
    assert.equal(run([process.execPath, 'inside.mjs']), 'ERR_PACKAGE_PATH_NOT_EXPORTED ERR_PACKAGE_PATH_NOT_EXPORTED');
  });

  it('has schemas and the module under public names', () => {
    const resolve =
      'console.log(require.resolve("slicewise/schema/plan.json"), require.resolve("slicewise/slicewise.wasm"), ' +
        'require.resolve("slicewise/full.wasm"))';
    assert.match(run([process.execPath, '-e', resolve]), /plan\.json .*\.wasm .*full\W.*\.wasm$/);
  });
});
