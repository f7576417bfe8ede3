/** The documents' links lead somewhere, and their commands and programs run and print what is shown below them. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { SECTIONS, around } from '../../scripts/lib/sections.mjs';
import { MODULES } from '../../scripts/lib/size.mjs';
import { ROOT } from './lib/builds.mjs';
import { NATIVE } from './lib/commands.mjs';
import { compile } from './lib/compile.mjs';
import { anchorsOf, blocksOf, documents, linksOf, textOf, undefinedReferences } from './lib/markdown.mjs';

const TYPED = /<!-- compile -->\n```ts\n(?<code>.*?)```/gs;
const FILE = /<!-- file: (?<path>\S+) -->\n```\w+\n(?<code>.*?)```/gs;
const PROGRAM = /<!-- run -->\n```js\n(?<code>.*?)```\n\n```text\n(?<output>.*?)```/gs;

const ENTRIES = ['slicewise', 'slicewise/tools', 'slicewise/session', 'slicewise/simulation', 'slicewise/admission'];

/** The budget of the module that an entry loads. @param {string} entry */
function budgetOf(entry) {
  const loader = readFileSync(join(ROOT, `pkg/entries/modules/${entry === 'slicewise' ? 'main' : 'full'}.web.js`), 'utf8');
  const [, path] = /new URL\('[./]*(pkg\/\S+\.wasm)'/.exec(loader) ?? [];
  const module = MODULES.find(({ file }) => file === path);
  assert.ok(module, `${entry} loads ${path}`);
  return module.budget;
}

describe('the programs in docs/npm.md', () => {
  const text = textOf('docs/npm.md');
  const [programs, typed, files] = [PROGRAM, TYPED, FILE].map((pattern) => [...text.matchAll(pattern)]);

  it('has programs', () => assert.ok(programs.length >= 9 && typed.length >= 1 && files.length >= 1));

  it('says how large each module may be', () => {
    const rows = text.matchAll(/^\| `(?<entry>slicewise[/a-z]*)` \|.*\| (?<most>\d+) KB \|$/gm);
    const told = Object.fromEntries([...rows].map(({ groups }) => [groups?.entry, Number(groups?.most)]));
    assert.deepEqual(told, Object.fromEntries(ENTRIES.map((entry) => [entry, budgetOf(entry) / 1024])));
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

/** What a shell calls `slicewise`. */
const SHELL = { ...process.env, PATH: `${dirname(NATIVE[0])}${delimiter}${process.env.PATH}` };

for (const document of documents()) {
  const text = textOf(document);
  const blocks = blocksOf(text);

  describe(document, () => {
    it('has links that lead somewhere', () => assert.deepEqual(linksOf(text).filter((link) => !leads(document, link)), []));

    it('refers to nothing that only rustdoc finds', () => assert.deepEqual(undefinedReferences(text), []));

    it('has JSON that is JSON', () => {
      for (const { language, code, line } of blocks) {
        if (language === 'json' && !code.includes('…')) assert.doesNotThrow(() => parsed(code), `line ${line}:\n${code}`);
      }
    });

    it('has every command run whose output it shows', () => {
      const shown = blocks.filter(({ code, output, isRun }) => output !== null && !isRun && code.startsWith('slicewise '));
      assert.deepEqual(shown.map(({ line }) => line), []);
    });

    for (const { code, output, isRun, language } of blocks) {
      if (!isRun || language !== 'sh' || !code.startsWith('slicewise ')) continue;
      it(`prints what ${code.trim()} does`, () => {
        const { stdout, stderr } = spawnSync('sh', ['-c', code], { cwd: ROOT, env: SHELL, encoding: 'utf8' });
        assert.equal(stdout, output, stderr);
      });
    }

    for (const command of new Set(blocks.flatMap(commandsIn))) {
      it(`has a command that exists: ${command}`, () => assertExists(command));
    }
  });
}

/** Whether a link leads to a file that is there, and to a heading in it. @param {string} document @param {string} link */
function leads(document, link) {
  if (/^https?:/.test(link)) return URL.canParse(link);
  const [path, anchor] = link.split('#');
  const file = path ? join(dirname(document), path) : document;
  if (!existsSync(join(ROOT, file))) return false;
  return anchor === undefined || file.endsWith('.md') && anchorsOf(textOf(file)).has(anchor);
}

/** JSON, or lines of it. @param {string} code */
function parsed(code) {
  try {
    return JSON.parse(code);
  } catch {
    return code.trim().split('\n').map((line) => JSON.parse(line));
  }
}

/** The commands of ours in what people are to type, each of which ends at a pipe or a comment. @param {import('./lib/markdown.mjs').Block} block */
function commandsIn({ language, code, isRun }) {
  if (isRun || !['sh', 'console', ''].includes(language)) return [];
  const lines = code.replaceAll('\\\n', ' ').split('\n').filter((line) => language === 'sh' || line.startsWith('$ '));
  const commands = lines.flatMap((line) => line.replace(/^\$ /, '').replace(/\s+#.*/, '').split(' | '));
  const isOurs = (/** @type {string} */ command) => /^(slicewise|npm run|npm test --|node|go run) /.test(command) && !command.includes('…');
  return commands.map((command) => command.trim()).filter(isOurs);
}

/** @param {string} command */
function assertExists(command) {
  const [program, ...args] = command.split(' ');
  if (program === 'slicewise') assertUnderstood(command);
  else if (program === 'npm' && args[0] === 'run') assert.ok(args[1] && args[1] in SCRIPTS, command);
  else if (program === 'npm' && args[0] === 'test') for (const step of args[3]?.split(',') ?? []) assert.match(STEPS, new RegExp(`^${step} `, 'm'));
  else if (program === 'node') assert.ok(existsSync(join(ROOT, args[0] ?? '')), command);
  else if (program === 'go' && args[0] === 'run') assert.ok(GO.some((folder) => existsSync(join(ROOT, 'pkg-tests', folder, args[1] ?? ''))), command);
}

const { scripts: SCRIPTS } = JSON.parse(textOf('package.json'));
const STEPS = spawnSync(process.execPath, ['scripts/test.mjs', '--list'], { cwd: ROOT, encoding: 'utf8' }).stdout;
/** The folders with programs in Go. */
const GO = ['oracle', 'controller', 'cluster'];

/** The command accepts these arguments: what it lacks is a file, a cluster or input. @param {string} command */
function assertUnderstood(command) {
  const empty = mkdtempSync(join(tmpdir(), 'slicewise-docs-'));
  try {
    const env = { PATH: SHELL.PATH, HOME: empty, KUBECONFIG: join(empty, 'none') };
    const [words = command, file] = command.replace(/ > .*/, '').split(' < ');
    const { status, stderr, error } = spawnSync('sh', ['-c', words], { cwd: empty, env, input: file ? textOf(file) : '', encoding: 'utf8' });
    assert.ifError(error);
    assert.ok(status !== 127 && !stderr.includes('"code":"InvalidUsage"'), stderr);
  } finally {
    rmSync(empty, { recursive: true });
  }
}

describe('docs/README.md', () => {
  it('leads to every page', () => {
    const pages = documents().filter((document) => document.startsWith('docs/')).map((document) => document.slice('docs/'.length));
    const links = new Set(linksOf(textOf('docs/README.md')));
    assert.deepEqual(pages.filter((page) => page !== 'README.md' && !links.has(page)), []);
  });
});

describe('docs/performance.md', () => {
  it('has a section for each benchmark', () => {
    const page = textOf('docs/performance.md');
    for (const name of SECTIONS) assert.match(around(page, name)[1] ?? '', /^#{2,3} .*\n\n.*(Written|Measured) by `/s, name);
  });
});

describe('the answer of `slicewise proxy` in docs/traffic.md', () => {
  it('is what the command answers, but for its layout and what it leaves out', () => {
    const [, shown = ''] = /^The answer to the second question .*?```jsonc\n(.*?)```/ms.exec(textOf('docs/traffic.md')) ?? [];
    const compact = shown.replaceAll(/ +\/\/ .*$/gm, '').replaceAll(/\s/g, '');
    const pattern = compact.replaceAll(/[[\]{}().+?*^$|\\]/g, '\\$&').replaceAll(/,?…/g, '.*?');
    const input = textOf('fuzz/seeds/proxy.ndjson');
    const { stdout } = spawnSync(NATIVE[0], ['proxy', '--node', 'node-1', '--ndjson'], { cwd: ROOT, input, encoding: 'utf8' });
    assert.match(stdout.split('\n')[1] ?? '', new RegExp(`^${pattern}$`));
  });
});

describe('the table of packings in docs/plan.md', () => {
  it('has what its scenario gives', () => {
    const text = textOf('docs/plan.md');
    for (const line of packingTable()) assert.ok(text.includes(`${line}\n`), `this line is not in it:\n${line}`);
  });
});

function packingTable() {
  const scenario = readFileSync(join(ROOT, 'crates/simulation/scenarios/packing.yaml'), 'utf8');
  return ['upstream', 'compact', 'balanced'].flatMap((packing) => {
    const input = scenario.replace('packing: upstream', `packing: ${packing}`);
    const { stdout } = spawnSync(NATIVE[0], ['simulate', '-', '-o', 'json'], { cwd: ROOT, input, encoding: 'utf8' });
    return JSON.parse(stdout).phases.map((/** @type {any} */ { name, sums, gauges }) => {
      const { writes, bytesToWatchers } = sums;
      const { slices, fullSlices, fill } = gauges;
      const counts = [writes.create, writes.update, writes.delete].map((count) => count.toLocaleString('en'));
      const [gigabytes, percent] = [`${(bytesToWatchers / 1e9).toFixed(2)} GB`, `${Math.round(fill * 100)} %`];
      return `| ${[packing, name, ...counts, gigabytes, slices, fullSlices, percent].join(' | ')} |`;
    });
  });
}

describe('the table of KEP-752 in docs/simulation.md', () => {
  it('has what its scenario gives', () => {
    const { stdout } = spawnSync(NATIVE[0], ['simulate', '--bundled', 'kep-752', '-o', 'json'], { cwd: ROOT, encoding: 'utf8' });
    const lines = kepTable(JSON.parse(stdout));
    const text = textOf('docs/simulation.md');
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
  return Object.entries(published).flatMap(([name, { sums, slices, object }]) => {
    const { writes, bytesToWatchers } = sums.endpointsObject;
    return [
      [name, 'slices', slices[0], made(sums), slices[1], size(sums.endpointsToWatchers * 100), size(sums.bytesToWatchers)],
      ['', 'Endpoints', object[0], count(writes), object[1], size(writes * 20_000 * 100 * 5_000), size(bytesToWatchers)],
    ].map((cells) => `| ${cells.join(' | ')} |`.replace('|  |', '| |'));
  });
}
