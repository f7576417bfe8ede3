/** The programs in the documentation run, and print the output shown below them. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { MODULES } from '../../scripts/lib/size.mjs';
import { ROOT } from './lib/builds.mjs';
import { NATIVE } from './lib/commands.mjs';
import { compile } from './lib/compile.mjs';

const COMMAND = /<!-- run -->\n```sh\nslicewise (?<args>.*?)\n```\n\n```text\n(?<output>.*?)```/gs;
const TYPED = /<!-- compile -->\n```ts\n(?<code>.*?)```/gs;
const FILE = /<!-- file: (?<path>\S+) -->\n```\w+\n(?<code>.*?)```/gs;
const PROGRAM = /<!-- run -->\n```js\n(?<code>.*?)```\n\n```text\n(?<output>.*?)```/gs;

describe('docs/npm.md', () => {
  const text = readFileSync(join(ROOT, 'docs/npm.md'), 'utf8');
  const [programs, typed, files] = [PROGRAM, TYPED, FILE].map((pattern) => [...text.matchAll(pattern)]);

  it('has programs', () => assert.ok(programs.length >= 9 && typed.length >= 1 && files.length >= 1));

  it('says how large each module may be', () => {
    const rows = text.matchAll(/^\| `(?<entry>slicewise[/a-z]*)` \|.*\| (?<most>\d+) KB \|$/gm);
    const told = Object.fromEntries([...rows].map(({ groups }) => [groups?.entry, Number(groups?.most)]));
    const entryOf = (/** @type {string} */ file) => file.replace(/^pkg\/glue(.*)\/slicewise_bg\.wasm$/, 'slicewise$1');
    const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const published = (/** @type {[string, number]} */ [entry]) => entry.replace('slicewise', '.') in exports;
    const limits = MODULES.map(({ file, budget }) => /** @type {[string, number]} */ ([entryOf(file), budget / 1024])).filter(published);
    assert.deepEqual(told, Object.fromEntries(limits));
  });

  for (const { groups } of typed) {
    it('compiles what has types', () => assert.deepEqual(compile(groups?.code ?? ''), []));
  }

  for (const { groups } of files) {
    const { path = '', code } = groups ?? {};
    it(`shows ${path} as it is`, () => assert.equal(code, readFileSync(join(ROOT, path), 'utf8')));
  }

  for (const { groups } of programs) {
    const { code = '', output = '' } = groups ?? {};
    it(`prints ${output.split('\n', 1)[0]}`, () => {
      const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module'], { cwd: ROOT, input: code, encoding: 'utf8' });
      assert.equal(stdout, output, stderr);
    });
  }
});

for (const file of [
  'README.md',
  'docs/diff.md',
  'docs/lint-config.md',
  'docs/migration.md',
  'docs/patches.md',
  'docs/traffic.md',
  'docs/simulation.md',
  'docs/webhook.md',
]) {
  describe(file, () => {
    const commands = [...readFileSync(join(ROOT, file), 'utf8').matchAll(COMMAND)];

    it('has commands', () => assert.ok(commands.length >= 1));

    for (const { groups } of commands) {
      const { args = '', output = '' } = groups ?? {};
      it(`prints what ${args} does`, () => {
        const { stdout, stderr } = spawnSync(NATIVE[0], args.split(' '), { cwd: ROOT, encoding: 'utf8' });
        assert.equal(stdout, output, stderr);
      });
    }
  });
}

describe('the table in docs/packing.md', () => {
  it('has what its scenario gives', () => {
    const text = readFileSync(join(ROOT, 'docs/packing.md'), 'utf8');
    for (const line of packingTable()) assert.ok(text.includes(`${line}\n`), `this line is not in it:\n${line}`);
  });
});

function packingTable() {
  const scenario = readFileSync(join(ROOT, 'samples/scenarios/packing.yaml'), 'utf8');
  return ['upstream', 'compact', 'balanced'].flatMap((packing) => {
    const input = scenario.replace('packing: upstream', `packing: ${packing}`);
    const { stdout } = spawnSync(NATIVE[0], ['simulate', '-', '-o', 'json'], { cwd: ROOT, input, encoding: 'utf8' });
    return JSON.parse(stdout).phases.map((/** @type {any} */ { name, sums, gauges }) => {
      const { writes, bytesToWatchers } = sums;
      const { slices, fullSlices, fill } = gauges;
      const counts = [writes.create, writes.update, writes.delete].map((count) => count.toLocaleString('en'));
      return `| ${[
        packing,
        name,
        ...counts,
        `${(bytesToWatchers / 1e9).toFixed(2)} GB`,
        slices,
        fullSlices,
        `${Math.round(fill * 100)} %`,
      ].join(' | ')} |`;
    });
  });
}

describe('the table of KEP-752 in docs/simulation.md', () => {
  it('has what its scenario gives', () => {
    const { stdout } = spawnSync(NATIVE[0], ['simulate', '--bundled', 'kep-752', '-o', 'json'], { cwd: ROOT, encoding: 'utf8' });
    const lines = kepTable(JSON.parse(stdout));
    const text = readFileSync(join(ROOT, 'docs/simulation.md'), 'utf8');
    for (const line of lines) assert.ok(text.includes(`${line}\n`), `this line is not in it:\n${line}`);
  });
});

/** @param {any} report */
function kepTable({ phases }) {
  const [start, one, all] = phases.map((/** @type {any} */ phase) => phase.sums);
  const count = (/** @type {number} */ number) => number.toLocaleString('en');
  const made = (/** @type {any} */ { writes }) => count(writes.create + writes.update + writes.delete);
  /** Three digits, in decimal units. @param {number} bytes */
  const size = (bytes) => {
    const unit = Math.max(0, Math.floor(Math.log10(bytes) / 3));
    return `${Number((bytes / 1000 ** unit).toPrecision(3))} ${['B', 'kB', 'MB', 'GB', 'TB'][unit]}`;
  };
  const published = {
    creation: { sums: start, slices: ['200', '10 GB'], object: ['1', '10 GB'] },
    'one endpoint': { sums: one, slices: ['1', '50 MB'], object: ['1', '10 GB'] },
    'rolling update': { sums: all, slices: ['20,000', '1 TB'], object: ['20,000', '200 TB'] },
  };
  return Object.entries(published).flatMap(([name, { sums, slices, object }]) => [
    `| ${name} | slices | ${slices[0]} | ${made(sums)} | ${slices[1]} | ${size(sums.endpointsToWatchers * 100)} | ${size(sums.bytesToWatchers)} |`,
    `| | Endpoints | ${object[0]} | ${count(sums.endpointsObject.writes)} | ${object[1]} | ` +
      `${size(sums.endpointsObject.writes * 20_000 * 100 * 5_000)} | ${size(sums.endpointsObject.bytesToWatchers)} |`,
  ]);
}
