/**
 * `npm run bench`: ours and the reference, native and in WebAssembly, one after another on each input, in one run.
 * Writes its section of docs/performance.md. `--quick` is a smoke run on one size that prints the section and leaves out
 * Go in WebAssembly, which takes minutes to build; `--out FILE` writes the page elsewhere; `--minutes N` limits the time.
 * Other measurements, each with a section of its own: `--sessions`; `--proxy`, the consumer side; `--objects`, JavaScript
 * objects; `--reading`, each input format of objects; `--webhook`, the webhook under load; `--holds`, the webhook at the
 * limits of an API server; `--explain`, explanations of a large cluster.
 */
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { SCENARIOS, applied, controllerLines, creation, podEvents, request } from '../benches/generate.mjs';
import { report, sessionReport } from './lib/bench-report.mjs';
import { explainReport, measureExplain } from './lib/explain-report.mjs';
import { objectReport } from './lib/object-report.mjs';
import { CLI, TARGET } from './lib/paths.mjs';
import { buildCli, buildCluster, preparePackage, step } from './lib/prepare.mjs';
import { proxyReport } from './lib/proxy-report.mjs';
import { measureDumps, measureForms, readingReport } from './lib/reading.mjs';
import { BUDGET, inRounds, samples } from './lib/rounds.mjs';
import { Problem, ROOT, ask, mustRun, script } from './lib/run.mjs';
import { PAGE, notesOf, writeSection } from './lib/sections.mjs';
import { checkTools } from './lib/tools.mjs';
import { holdsReport, measureHolds } from './lib/webhook-holds.mjs';
import { measureWebhook, webhookReport } from './lib/webhook-load.mjs';
import { measureWatch, watchReport } from './lib/webhook-watch.mjs';

/**
 * @typedef {import('../benches/generate.mjs').Case} Case
 * @typedef {import('../benches/generate.mjs').Before} Before
 * @typedef {import('./lib/sections.mjs').Section} Section
 * @typedef {{what: string, median: number, best: number, runs: number, writes: string}} Sample
 * @typedef {'rust' | 'go' | 'wasm' | 'goWasm'} Side
 * @typedef {{of: Case, megabytes: number, samples: Partial<Record<Side, Record<string, Sample>>>}} Row
 * @typedef {{rust: string[], go: string[], wasm: string[], wasmTyped: string[] | null, goWasm: string[] | null}} Contenders
 * @typedef {Contenders & {session: string[], sessionWasm: string[], memory: string[]}} Runners
 * @typedef {{of: Case, micros: number}} StreamRow
 * @typedef {{of: Case, native: Record<string, Sample>, wasm: Record<string, Sample>, memory: Record<string, Sample>}} SessionRow
 */

const FOLDER = join(TARGET, 'bench');
const ORACLE = join(ROOT, 'pkg-tests/oracle');
const WASM = { GOOS: 'js', GOARCH: 'wasm' };
/** The largest input is not planned from JSON: 100,000 pods of 5 KB are half a gigabyte. */
const TYPED_SIZE = 100_000;
/** The number of endpoints of the Service when measuring the controller as a command. */
const STREAM_SIZE = 50_000;
/** @type {Map<string, Before>} the results of creations, for later cases */
const known = new Map();

/** @param {boolean} quick @returns {Promise<Runners>} */
async function buildRunners(quick) {
  step('the native command and benchmark');
  await buildCli();
  const bench = benchmarks('--benches');
  const runners = {
    rust: bench('compare'), go: await buildGo(), wasm: [process.execPath, 'benches/wasm.mjs'],
    session: bench('session'), sessionWasm: [process.execPath, 'benches/session-wasm.mjs'], memory: bench('memory'),
  };
  if (quick) return { ...runners, wasmTyped: null, goWasm: null };
  step('the benchmark for WebAssembly');
  const typed = [process.execPath, '--no-warnings', 'benches/wasi.mjs', wasmBenchmark()];
  return { ...runners, wasmTyped: typed, goWasm: await buildGoWasm() };
}

async function buildGo() {
  step('the reference');
  mkdirSync(FOLDER, { recursive: true });
  const program = join(FOLDER, 'reference');
  await mustRun(['go', 'build', '-o', program, './cmd/bench'], { cwd: ORACLE });
  return [program];
}

async function buildGoWasm() {
  step('the reference for WebAssembly (the first time takes some minutes)');
  const module = join(FOLDER, 'reference.wasm');
  await mustRun(['go', 'build', '-ldflags=-s -w', '-o', module, './cmd/bench'], { cwd: ORACLE, env: WASM });
  return [process.execPath, '--stack-size=8192', join(ask(['go', 'env', 'GOROOT']) ?? '', 'lib/wasm/wasm_exec_node.js'), module];
}

/** Builds native benchmarks, and returns their paths by name. @param {string[]} which */
function benchmarks(...which) {
  const command = ['cargo', 'build', '--release', '--locked', ...which];
  const built = ask([...command, '--message-format=json', '--quiet']) ?? '';
  return (/** @type {string} */ name) => {
    const file = new RegExp(`"name":"${name}".*"executable":"([^"]+)"`).exec(built)?.[1];
    if (!file) throw new Problem(`the benchmarks cannot be built: see the output of \`${command.join(' ')}\``);
    return [JSON.parse(`"${file}"`)];
  };
}

/** Compiles the native benchmark in the same way as the module. @returns {string} */
function wasmBenchmark() {
  const flags = ['--locked', '--no-default-features', '--profile', 'wasm', '--target', 'wasm32-wasip1', '--bench', 'compare'];
  // Node aborts if such a program's memory grows often.
  const rustflags = ['-Ctarget-feature=+simd128', '-Cllvm-args=-inline-threshold=5', '-Clink-arg=--initial-memory=1073741824'].join('\x1f');
  const built = ask(['cargo', 'build', ...flags, '--message-format=json', '--quiet'], { CARGO_ENCODED_RUSTFLAGS: rustflags }) ?? '';
  const file = /"name":"compare".*"executable":"([^"]+)"/.exec(built)?.[1];
  if (!file) throw new Problem(`the benchmark cannot be built: \`cargo build ${flags.join(' ')}\` says why`);
  return JSON.parse(`"${file}"`);
}

/** @param {number[]} sizes @returns {Case[]} */
function cases(sizes) {
  /** @param {number} size @param {Case['scenario']} scenario @param {boolean} hints */
  const of = (size, scenario, hints) => ({ size, scenario, hints, slim: size === TYPED_SIZE });
  const both = SCENARIOS.filter((scenario) => scenario !== 'hints-removed');
  return sizes.flatMap((size) => [
    ...[false, true].flatMap((hints) => both.map((scenario) => of(size, scenario, hints))),
    of(size, 'hints-removed', false),
  ]);
}

/** @param {Case} of @param {Runners} runners @param {number} budget @param {number} end @returns {Row | null} */
function measureCase(of, runners, budget, end) {
  if (performance.now() > end) return null;
  const file = join(FOLDER, 'input.json');
  const bytes = write(file, request(of, before(of)));
  const commands = Object.fromEntries(/** @type {const} */ (['rust', 'go', 'wasm', 'goWasm', 'wasmTyped']).flatMap((side) => {
    const command = runners[side];
    if (!command || (of.slim && (side === 'wasm' || side === 'goWasm'))) return [];
    const which = of.slim || side === 'wasmTyped' ? 'typed' : 'all';
    return [[side, [...command, file, String(budget), which]]];
  }));
  const { wasm, wasmTyped, ...others } = inRounds(commands, budget);
  rmSync(file);
  /** @type {Row} */
  const row = { of, megabytes: bytes / 1e6, samples: { ...others, ...((wasm ?? wasmTyped) && { wasm: { ...wasm, ...wasmTyped } }) } };
  checkWrites(row);
  const timesOf = (/** @type {Record<string, Sample>} */ found) => Object.values(found).map((each) => `${each.what} ${each.median.toFixed(3)}`);
  const times = Object.entries(row.samples).map(([side, found]) => `${side} ${timesOf(found).join(', ')}`);
  console.log(`${of.size} ${of.scenario}${of.hints ? ' with hints' : ''}: ${times.join('; ')} ms`);
  return row;
}

/**
 * A session that has received the whole Service, and then one change after another.
 * @param {Case} of @param {Runners} runners @param {number} budget
 * @returns {SessionRow}
 */
function measureSession(of, runners, budget) {
  const [file, events] = [join(FOLDER, 'session.json'), join(FOLDER, 'events.ndjson')];
  write(file, request(of, before(of)));
  write(events, podEvents(of, 50));
  const { native, wasm } = inRounds({
    native: [...runners.session, file, events, String(budget)], wasm: [...runners.sessionWasm, file, events, String(budget)],
  }, budget);
  const memory = samples([...runners.memory, file]);
  rmSync(file);
  rmSync(events);
  const changes = [native, wasm].map((found) => `${((found.change?.median ?? NaN) * 1000).toFixed(1)} µs`);
  console.log(
    `session of ${of.size}${of.hints ? ' with hints' : ''}: one change ${changes.join(' native, ')} wasm, ${memory['bytes per pod']?.median} bytes ` +
      'per pod',
  );
  return { of, native, wasm, memory };
}

/**
 * One change through the whole command: the time difference between streams with few and more changes, per change.
 * @param {Case} of @param {number} few @param {number} more @param {number} times
 * @returns {StreamRow}
 */
function measureStream(of, few, more, times) {
  const took = [few, few + more].map((changes) => {
    const file = join(FOLDER, 'stream.ndjson');
    write(file, controllerLines(of, before(of), changes));
    const runs = Array.from({ length: times }, () => {
      const begin = performance.now();
      const { status } = spawnSync(CLI, ['simulate', '--ndjson', '--max-input-bytes', String(2 ** 31), file], {
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      if (status !== 0) throw new Problem(`\`slicewise simulate --ndjson\` failed with ${status}`);
      return performance.now() - begin;
    });
    rmSync(file);
    return Math.min(...runs);
  });
  const micros = ((took[1] - took[0]) / more) * 1000;
  console.log(`stream of ${of.size}${of.hints ? ' with hints' : ''}: one change ${micros.toFixed(0)} µs`);
  return { of, micros };
}

/** @param {Case} of @returns {Before} */
function before(of) {
  const hinted = of.hints || of.scenario === 'hints-removed';
  const key = `${of.size} ${hinted}`;
  let found = known.get(key);
  if (!found) {
    const file = join(FOLDER, 'creation.json');
    write(file, creation(of));
    const { status, stdout, stderr } = spawnSync(CLI, ['plan', file, '--max-input-bytes', String(2 ** 31)], { maxBuffer: 2 ** 29 });
    if (status !== 0) throw new Problem(`the slices of ${key} cannot be planned: ${stderr}`);
    rmSync(file);
    found = applied(JSON.parse(stdout.toString()));
    known.set(key, found);
  }
  return found;
}

/** @param {string} file @param {Iterable<string>} pieces */
function write(file, pieces) {
  const handle = openSync(file, 'w');
  let [bytes, text] = [0, ''];
  for (const piece of pieces) {
    text += piece;
    if (text.length < 1 << 22) continue;
    bytes += writeSync(handle, text);
    text = '';
  }
  bytes += writeSync(handle, text);
  closeSync(handle);
  return bytes;
}

/**
 * Both must have done the same work. With hints, the reference chooses at random which slices give up endpoints.
 * @param {Row} row
 */
function checkWrites({ of, samples: sides }) {
  const said = new Set(Object.values(sides).flatMap((found) => Object.values(found)).map(({ writes }) => writes).filter(Boolean));
  if (said.size > 1 && !of.hints) throw new Problem(`${of.size} ${of.scenario}: the plans differ: ${[...said].join(', ')} (create+update+delete)`);
}

/** How both sides track changing slices as kube-proxy does. @param {number} budget */
async function measureProxy(budget) {
  checkTools(['node', 'cargo', 'go']);
  step('the native benchmark');
  const [rust] = benchmarks('--bench', 'proxy')('proxy');
  step('the reference');
  mkdirSync(FOLDER, { recursive: true });
  const go = join(FOLDER, 'proxybench');
  await mustRun(['go', 'build', '-o', go, './cmd/proxybench'], { cwd: join(ROOT, 'pkg-tests/cluster') });
  step('measuring');
  const found = inRounds({ rust: [rust, String(budget)], go: [go, String(budget)] }, budget);
  return proxyReport({ rust: found.rust, go: found.go, ...machine() });
}

/** The cost of reading objects, in each format. @param {number} budget @param {boolean} quick */
async function measureReading(budget, quick) {
  await preparePackage(['go']);
  step('the native command and benchmark');
  await buildCli();
  const rust = benchmarks('--bench', 'compare')('compare');
  const go = await buildGo();
  const goWasm = quick ? null : await buildGoWasm();
  step('measuring');
  const sides = { native: rust, wasm: [process.execPath, 'benches/wasm.mjs'], go, ...(goWasm && { goWasm }) };
  /** @param {string} file @param {string[]} chosen */
  const measure = (file, chosen) => inRounds(Object.fromEntries(Object.entries(sides)
    .filter(([side]) => chosen.includes(side))
    .map(([side, command]) => [side, [...command, file, String(budget), 'json']])), budget);
  const forms = measureForms(FOLDER, { measure, sides: Object.keys(sides), sizes: quick ? [100] : [1000, 10_000] });
  const dumps = await measureDumps(FOLDER, { write, go, isQuick: quick });
  return readingReport({ forms, dumps, ...machine(), notes: notesOf('reading') });
}

/** The cost of existing JavaScript objects. @param {number} budget */
async function measureObjects(budget) {
  await preparePackage();
  step('measuring');
  const command = [process.execPath, 'benches/object-door.mjs', String(budget)];
  return objectReport({ samples: inRounds({ door: command }, budget).door, ...machine(), notes: notesOf('objects') });
}

/** The size of the modules, and the time they take to start. @param {Runners} runners @param {number} times */
function start({ wasm, goWasm }, times) {
  const median = (/** @type {() => number} */ once) => Array.from({ length: times }, once).sort((a, b) => a - b)[times >> 1];
  const clocked = (/** @type {string[]} */ command) => {
    const begin = performance.now();
    samples(command);
    return performance.now() - begin;
  };
  const node = goWasm ? median(() => clocked([process.execPath, '-e', '0'])) : 0;
  return {
    ready: { ours: median(() => samples(wasm).ready.median), go: goWasm ? median(() => clocked(goWasm)) - node : null },
    gzip: { ours: gzip(join(ROOT, 'pkg/glue/slicewise_bg.wasm')), go: goWasm ? gzip(join(FOLDER, 'reference.wasm')) : null },
  };
}

/** @param {string} file */
const gzip = (file) => gzipSync(readFileSync(file), { level: 9 }).length;

function machine() {
  const cpu = process.platform === 'linux' ? readFileSync('/proc/cpuinfo', 'utf8') : '';
  return {
    cpu: /^model name\s*: (.*)$/m.exec(cpu)?.[1] ?? process.arch,
    cores: (cpu.match(/^processor/gm) ?? []).length,
    versions: [ask(['rustc', '--version']), `node ${process.version}`, ask(['go', 'version'])].map((text) => text?.replace(/ \([^)]*\)$/, '') ?? '?'),
    date: new Date().toISOString().slice(0, 10),
    command: ['npm run bench', ...(process.argv.length > 2 ? ['--', ...process.argv.slice(2)] : [])].join(' '),
  };
}

await script(async () => {
  const flag = /** @type {const} */ ({ type: 'boolean', default: false });
  const options = /** @type {const} */ ({
    quick: flag,
    sessions: flag,
    proxy: flag,
    objects: flag,
    reading: flag,
    webhook: flag,
    holds: flag,
    explain: flag,
    out: { type: 'string' },
    minutes: { type: 'string', default: '60' },
  });
  const { values } = parseArgs({ options });
  const single = await measureSingle(values);
  if (single) {
    publish(single.text, single.section, values);
    return;
  }
  await preparePackage(['go']);
  const runners = await buildRunners(values.quick || values.sessions);
  step('measuring');
  const end = performance.now() + Number(values.minutes) * 60_000;
  const sizes = values.quick ? [100] : [100, 1000, 10_000, TYPED_SIZE];
  const wanted = cases(sizes).filter(({ scenario }) => !values.sessions || scenario === 'one-replaced');
  const chosen = wanted.map((of) => (values.sessions ? { ...of, slim: true } : of));
  const measured = chosen.map((of) => measureCase(of, runners, values.quick ? 20 : BUDGET, end));
  const rows = measured.filter((row) => row !== null);
  const scenario = /** @type {const} */ ('no-change');
  const sessionCases = sizes.flatMap((size) => [false, true].map((hints) => ({ size, scenario, hints, slim: true })));
  const sessions = !values.sessions ? [] : sessionCases.map((of) => measureSession(of, runners, values.quick ? 20 : BUDGET));
  const [few, more] = values.quick ? [10, 100] : [1000, 4000];
  const streamed = !values.sessions ? [] : values.quick ? [100] : [100, STREAM_SIZE];
  const streams = streamed.map((size) => measureStream({ size, scenario, hints: false, slim: true }, few, more, values.quick ? 1 : 5));
  const [written, section] = values.sessions ? /** @type {const} */ ([sessionReport, 'sessions']) : /** @type {const} */ ([report, 'plans']);
  const left = measured.length - rows.length;
  const text = written({ rows, sessions, streams, left, ...start(runners, values.quick ? 1 : 7), ...machine(), notes: notesOf(section) });
  publish(text, section, values);
});

/**
 * The measurements of a single thing.
 * @param {{quick: boolean, proxy: boolean, reading: boolean, webhook: boolean, holds: boolean, objects: boolean, explain: boolean}} values
 * @returns {Promise<{text: string, section: Section} | null>}
 */
async function measureSingle({ quick, proxy, reading, webhook, holds, objects, explain }) {
  const budget = quick ? 20 : BUDGET;
  if (proxy) return { text: await measureProxy(budget), section: 'proxy' };
  if (reading) return { text: await measureReading(quick ? 20 : BUDGET * 2, quick), section: 'reading' };
  if (objects) return { text: await measureObjects(quick ? 20 : BUDGET * 3), section: 'objects' };
  if (explain) {
    await buildCli();
    mkdirSync(FOLDER, { recursive: true });
    step('measuring');
    return { text: explainReport(measureExplain(FOLDER, quick), machine()), section: 'explain' };
  }
  if (holds) {
    await preparePackage();
    step('measuring');
    return { text: holdsReport(await measureHolds(quick), machine()), section: 'holds' };
  }
  if (!webhook) return null;
  await preparePackage(['go']);
  step('the API server of the tests (the first time takes some minutes)');
  await buildCluster();
  step('measuring');
  return { text: webhookReport(await measureWebhook(quick), machine()) + watchReport(await measureWatch(quick)), section: 'webhook' };
}

/** @param {string} text @param {Section} section @param {{quick: boolean, out?: string}} values */
function publish(text, section, values) {
  if (values.quick && !values.out) {
    console.log(`\n${text}`);
    return;
  }
  const file = values.out ? resolve(values.out) : PAGE;
  writeSection(section, text, file);
  console.log(`\nwritten: ${file}`);
}
