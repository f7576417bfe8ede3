/** `npm start` with tools that only pretend: what it says, in which order it works, and what it says when a tool fails. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Log } from '../../scripts/lib/log.mjs';
import { Progress } from '../../scripts/lib/progress.mjs';
import { ROOT } from './lib/builds.mjs';

const LIMIT = { timeout: 600_000 };

/** Cargo and rustc. `build`, which builds the command, waits for a file; what `FAKE_FAILURE` says ends `run`. */
const TOOL = `#!${process.execPath}
import { appendFileSync, existsSync, mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
const given = process.argv.slice(2);
const here = new URL('../', import.meta.url);
if (given.includes('--version')) console.log('cargo 1.95.0');
else if (given.includes('--print')) console.log(here.pathname);
else {
  appendFileSync(new URL('asked', here), given.join(' ') + '\\n');
  console.error('   Compiling slicewise v0.1.0');
  if (given[0] === 'run' && process.env.FAKE_FAILURE) {
    console.error(process.env.FAKE_FAILURE);
    process.exit(101);
  }
  for (; given[0] === 'build' && !existsSync(new URL('go', here)); ) await sleep(10);
}
`;

const WEBPACK = `
import { mkdirSync, writeFileSync } from 'node:fs';
export default () => ({
  run(done) {
    mkdirSync('dist', { recursive: true });
    writeFileSync('dist/index.html', '<script>');
    done(null, { hasErrors: () => false });
  },
  close: (done) => done(),
});
`;

/** A clone with the scripts alone. @param {import('node:test').TestContext} t */
function clone(t) {
  const folder = mkdtempSync(join(tmpdir(), 'slicewise-start-'));
  t.after(() => rmSync(folder, { recursive: true }));
  cpSync(join(ROOT, 'scripts'), join(folder, 'scripts'), { recursive: true });
  for (const name of ['bin', 'node_modules/webpack']) mkdirSync(join(folder, name), { recursive: true });
  const write = (/** @type {string} */ name, /** @type {string} */ text) => writeFileSync(join(folder, name), text, { mode: 0o755 });
  write('package.json', '{"type": "module"}');
  write('package-lock.json', '{}');
  write('webpack.config.js', 'export default {};');
  write('node_modules/.package-lock.json', '{}');
  write('node_modules/webpack/package.json', '{"type": "module", "exports": "./index.js"}');
  write('node_modules/webpack/index.js', WEBPACK);
  write('bin/cargo', TOOL);
  symlinkSync('cargo', join(folder, 'bin/rustc'));
  return folder;
}

/**
 * Runs `npm start` there.
 * @param {import('node:test').TestContext} t
 * @param {string} folder
 * @param {Record<string, string>} [env]
 * @param {string[]} [args]
 */
function start(t, folder, env = {}, args = []) {
  const child = spawn(process.execPath, ['scripts/start.mjs', ...args], { cwd: folder, env: { PATH: join(folder, 'bin'), PORT: '0', ...env } });
  t.after(() => child.kill());
  const said = { out: '', err: '' };
  child.stdout.on('data', (text) => (said.out += text));
  child.stderr.on('data', (text) => (said.err += text));
  const ended = new Promise((resolve) => child.on('close', resolve));
  return { said, ended, until: async (/** @type {() => boolean} */ holds) => {
    while (!holds()) await new Promise((resolve) => child.stdout.once('data', resolve));
  } };
}

test('the page is open before the command is built, and a few lines say so', LIMIT, async (t) => {
  const folder = clone(t);
  const { said, until } = start(t, folder);
  await until(() => /The page: +http/.test(said.out) && /the command …\n$/.test(said.out));
  const [url = ''] = /http:\S+/.exec(said.out) ?? [];
  assert.equal(await (await fetch(url)).text(), '<script>');
  assert.doesNotMatch(said.out, /The command: /);
  writeFileSync(join(folder, 'go'), '');
  await until(() => said.out.endsWith('Ctrl+C ends it.\n'));
  assert.match(said.out, /The command: +target\/release\/slicewise plan/);
  const times = said.out.replace(/\d+ s/g, 'N s').replace(/http:\S+/, 'URL');
  const parts = ['the npm packages', 'the modules of the page', 'the page'].map((part) => `${part} …\n${part}: N s\n`).join('');
  assert.ok(times.startsWith(`${parts}\nThe page:     URL\n\nthe command …\nthe command: N s\n`), said.out);
  assert.equal(said.err, '');
  const asked = readFileSync(join(folder, 'asked'), 'utf8').trimEnd().split('\n');
  assert.deepEqual(asked.map((line) => line.replace(/^run .*--/, 'xtask')), [
    'xtask schema',
    'xtask wasm:main',
    'xtask wasm:full',
    'build --release --locked --package slicewise-cli --bin slicewise',
  ]);
  for (const entry of ['tools', 'admission', 'simulation']) assert.ok(existsSync(join(folder, `pkg/entries/${entry}/web.js`)), entry);
  assert.match(readFileSync(join(folder, 'target/start.log'), 'utf8'), /Compiling slicewise/);
});

test('with --once, it ends when all is built', LIMIT, async (t) => {
  const folder = clone(t);
  writeFileSync(join(folder, 'go'), '');
  const { said, ended } = start(t, folder, {}, ['--once']);
  assert.equal(await ended, 0, said.err);
  assert.doesNotMatch(said.out, /Ctrl/);
});

const FAILURES = {
  'a full disk': ['error: failed to write: No space left on device (os error 28)', /^The disk is full\. .*$/],
  'no registry': ['warning: spurious network error\nerror: [6] Could not resolve host: index.crates.io', /^A registry cannot be reached\. .*$/],
  'anything else': [
    [...Array(50).keys()].map((line) => `error ${line}`).join('\n'),
    /^( {2}error \d+\n){20}\n`cargo run .*` failed; .*target\/start\.log has all of its output\.$/,
  ],
};

for (const [what, [failure = '', sentence = '']] of Object.entries(FAILURES)) {
  test(`what to do about ${what}`, LIMIT, async (t) => {
    const { said, ended } = start(t, clone(t), { FAKE_FAILURE: String(failure) });
    assert.equal(await ended, 1);
    assert.match(said.err.replace(/^\n|\n$/g, ''), /** @type {RegExp} */ (sentence));
    assert.doesNotMatch(said.out, /http/);
  });
}

test('a missing tool is named, with where to get it', LIMIT, async (t) => {
  const folder = clone(t);
  rmSync(join(folder, 'bin'), { recursive: true });
  const { said, ended } = start(t, folder);
  assert.equal(await ended, 1);
  assert.match(said.err, /^\nSome tools are missing:\n {2}- Rust \(cargo\) [\d.]+ or later\. Get it from https:\/\/rustup\.rs\/.*\n$/);
  assert.equal(said.out, '');
  assert.ok(!existsSync(join(folder, 'target')));
});

test('on a terminal, one line moves: what, since when, what is left', LIMIT, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'slicewise-progress-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const log = new Log(join(folder, 'log'));
  t.after(() => log.close());
  writeFileSync(log.descriptor, '   Compiling serde v1.0.0\n');
  /** @type {string[]} */
  const written = [];
  let again = () => {};
  const out = { isTTY: true, columns: 60, write: (/** @type {string} */ text) => (again(), written.push(text)) };
  const progress = new Progress(['the page', 'the command', 'all that is long enough to leave the line'], log, /** @type {any} */ (out));
  await progress.next(() => new Promise((resolve) => (again = () => resolve(undefined))));
  assert.equal(written[0], '\r\x1b[K⠋ the page 0 s (serde); then the command, all that is long ');
  assert.ok(written[1]?.startsWith('\r\x1b[K⠙ the page '), written[1]);
  assert.deepEqual(written.slice(-2).map((text) => text.replace(/\d+/, 'N')), ['\r\x1b[K', 'the page: N s\n']);
  assert.ok(written.every((text) => text.length <= 60 + 4));
});
