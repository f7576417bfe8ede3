/**
 * The table of `npm test`. A step throws if it fails; a step that cannot run is a failure, never skipped. The seconds are
 * roughly those from nothing on two idle cores; `schedule.mjs` orders the steps by them, and `docs/testing.md` has what a
 * run took.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { crates } from './crates.mjs';
import { TESTED_CLI, YAML_LINES } from './paths.mjs';
import { buildCluster, buildDeploy } from './prepare.mjs';
import { Problem, ROOT, ask, mustRun } from './run.mjs';
import { checkModules } from './size.mjs';
import { checkTools, ensureChromium, ensurePackages, ensureWasmTargets } from './tools.mjs';

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string} title
 * @property {number} seconds
 * @property {string[]} [needs] steps that must succeed first
 * @property {string} [uses] a resource that only one step at a time can use
 * @property {boolean} [waits] it leaves the processor idle most of the time, and runs beside others
 * @property {boolean} [quick] part of `npm test -- quick`
 * @property {() => Promise<unknown>} run
 */

const DENY = { RUSTDOCFLAGS: '-D warnings' };
/** The oldest version that `docs/rust.md` supports; applications pick their own. */
const OLDEST_KUBERNETES = '1.33';
const ORACLE = join(ROOT, 'pkg-tests/oracle');
/**
 * What builds the same reference harness from the next version of Kubernetes. As in a released binary, metrics are hidden by the
 * version in which they were deprecated.
 */
const NEXT = ['-modfile=go-1.38.mod', '-tags=kubernetes1.38', '-ldflags=-X k8s.io/component-base/version.gitVersion=v1.38.0-beta.0'];
/** The part of the random cases that the next version gets. */
const NEXT_SHARE = 10;
/** How many random cases a run compares by default. */
const CASES = process.env.SLICEWISE_CASES ?? '5000';
const SEQUENCES = process.env.SLICEWISE_SEQUENCES ?? '5000';
const SCRIPTS = process.env.SLICEWISE_SCRIPTS ?? '100';
const SERVICES = process.env.SLICEWISE_SERVICES ?? '250000';
const SEED = process.env.SLICEWISE_SEED ?? '1';

/** For a file of tests, in milliseconds: only a wait in vain takes this long. */
const DEADLINE = 3_600_000;

/** @type {Step[]} */
export const STEPS = [
  { name: 'tools', title: 'the required tools', seconds: 15, quick: true, run: tools },
  { name: 'fmt', title: 'cargo fmt --check', seconds: 3, needs: ['tools'], quick: true, run: fmt },
  {
    name: 'start',
    title: '`npm start`: what JavaScript loads (modules, glue, schemas, types), and the page, served',
    seconds: 370,
    needs: ['cli'],
    run: start,
  },
  {
    name: 'others',
    title: 'the module for any host, the command for WASI, the policy for Kubewarden',
    seconds: 375,
    needs: ['cli', 'start'],
    run: () => node('scripts/build.mjs', 'others'),
  },
  { name: 'clippy', title: 'clippy, no warnings, native and wasm', seconds: 250, needs: ['tools'], uses: 'target/debug', quick: true, run: clippy },
  { name: 'doc', title: 'rustdoc, no warnings', seconds: 45, needs: ['tools', 'clippy'], uses: 'target/debug', run: doc },
  {
    name: 'cli',
    title: 'the native command, as the tests use it, and what builds the modules',
    seconds: 210,
    needs: ['tools'],
    uses: 'target/debug',
    run: cli,
  },
  {
    name: 'rust',
    title: 'unit, golden, property and documentation tests; every fuzz target, bounded',
    seconds: 390,
    needs: ['tools'],
    uses: 'target/debug',
    quick: true,
    run: rust,
  },
  {
    name: 'memory',
    title: `${SERVICES} Services come and go, and all memory is released`,
    seconds: 40,
    needs: ['rust'],
    uses: 'target/debug',
    run: memory,
  },
  { name: 'server', title: 'the API server of the tests and the renderer of charts, built', seconds: 45, needs: ['tools'], run: server },
  {
    name: 'cluster',
    title: 'a real API server with the reference controller and ours',
    seconds: 620,
    needs: ['start', 'cli', 'rust', 'server'],
    waits: true,
    run: cluster,
  },
  { name: 'browser', title: 'the page and the web build in Chromium', seconds: 600, needs: ['cli', 'start'], uses: 'Chromium', run: browser },
  {
    name: 'package',
    title: 'one suite on each build and on the command',
    seconds: 350,
    needs: ['cli', 'others'],
    run: () => nodeTests('package'),
  },
  { name: 'hosts', title: 'the package as published: bundlers, runtimes and servers', seconds: 45, needs: ['others'], uses: 'Chromium', run: hosts },
  { name: 'kubewarden', title: "the policy in the host stack of Kubewarden's policy server", seconds: 280, needs: ['others'], run: kubewarden },
  {
    name: 'features',
    title:
      'each crate without features, and each Cargo feature alone; the oldest version of `k8s-openapi`; no dependency wants a newer Rust; ' +
      'all crates can be published',
    seconds: 140,
    needs: ['tools'],
    uses: 'target/debug',
    run: features,
  },
  { name: 'size', title: 'the modules: their imports, and their sizes against the budgets', seconds: 5, needs: ['others'], run: checkModules },
  {
    name: 'eslint',
    title: 'eslint',
    seconds: 15,
    needs: ['tools'],
    quick: true,
    run: () => node('node_modules/eslint/bin/eslint.js', '--max-warnings=0', '.'),
  },
  { name: 'types', title: 'tsc over all JavaScript', seconds: 10, needs: ['start'], run: () => node('node_modules/typescript/bin/tsc', '-p', '.') },
  {
    name: 'oracle',
    title: 'gofmt, go vet and go test of the reference harness; the answers of the next version',
    seconds: 70,
    needs: ['server'],
    run: oracle,
  },
  {
    name: 'differential',
    title: `the golden and ${CASES} random cases against the reference, and a tenth against the next version; as many documents of YAML`,
    seconds: 80,
    needs: ['cli', 'oracle'],
    run: differential,
  },
  {
    name: 'controller',
    title: `the reference's controller in virtual time: its answers are those kept; ${SCRIPTS} random scripts, and a tenth of the next version`,
    seconds: 50,
    needs: ['cli', 'server'],
    run: controller,
  },
  {
    name: 'proxy',
    title:
      `the consumer side: the golden and ${SEQUENCES} random streams, a tenth for the next version, and the conformance kit, ` +
      "against the reference's kube-proxy",
    seconds: 140,
    needs: ['cli', 'server'],
    run: proxy,
  },
  {
    name: 'migration',
    title: "mirroring and the kubernetes Service against the reference's controllers",
    seconds: 25,
    needs: ['cli', 'server'],
    run: migration,
  },
  {
    name: 'bindings',
    title: 'the Go package on wazero and the Python example on wasmtime: the calls that all bindings answer alike; 2000 plans as the command',
    seconds: 70,
    needs: ['others', 'cli', 'oracle'],
    run: bindings,
  },
  { name: 'webhook', title: 'the webhook over HTTPS', seconds: 170, needs: ['start'], run: () => nodeTests('webhook') },
  {
    name: 'hostile',
    title: 'the webhook, the command and the controller against extremes that an API server accepts',
    seconds: 70,
    needs: ['cli', 'start'],
    run: () => nodeTests('hostile'),
  },
  {
    name: 'deploy',
    title: 'the chart and the kustomizations, rendered, linted, and on a real API server; the alerts over series',
    seconds: 45,
    needs: ['cli', 'start', 'server'],
    run: chart,
  },
];

/** The page first: what `npm start` does not build itself is missing in a fresh clone. */
async function start() {
  await node('scripts/start.mjs', '--page', '--once');
  await node('scripts/build.mjs', 'scripts');
}

async function tools() {
  checkTools(['node', 'cargo', 'go']);
  if (ask(['cargo', 'clippy', '--version']) === null || ask(['cargo', 'fmt', '--version']) === null) {
    await mustRun(['rustup', 'component', 'add', 'clippy', 'rustfmt']);
  }
  await ensureWasmTargets();
  await ensurePackages();
}

async function fmt() {
  await cargo('fmt', '--all', '--check');
}

/** Where nothing is linked: otherwise, `libfuzzer-sys` compiles libFuzzer. Any file will do. */
const UNLINKED = { CUSTOM_LIBFUZZER_PATH: join(ROOT, 'fuzz/Cargo.toml') };

async function clippy() {
  await mustRun(['cargo', 'clippy', '--workspace', '--all-targets', '--all-features', '--locked', '--', '-D', 'warnings'], { env: UNLINKED });
  const modules = ['slicewise', 'slicewise-full', 'slicewise-abi'].flatMap((name) => ['--package', name]);
  const alone = ['--lib', '--no-default-features', '--features', 'slicewise/wasm-small,slicewise-full/wasm'];
  await cargo('clippy', ...modules, ...alone, '--target', 'wasm32-unknown-unknown', '--locked', '--', '-D', 'warnings');
}

async function doc() {
  const flags = ['--workspace', '--no-deps', '--all-features', '--document-private-items', '--locked'];
  await mustRun(['cargo', 'doc', ...flags], { env: { ...DENY, ...UNLINKED } });
}

/** By name: `--all-features` would require a nightly compiler for the fuzz targets. */
function everything() {
  const named = crates().filter(({ name }) => name === 'slicewise' || name === 'slicewise-full');
  return ['--workspace', '--features', named.flatMap(({ name, features: all }) => all.map((feature) => `${name}/${feature}`)).join(',')];
}

/** With the features and the profile of the tests, which share what is compiled. */
async function cli() {
  await cargo('build', '--profile', 'test', ...everything(), '--locked', '--bin', 'slicewise', '--bin', 'xtask', '--example', 'yaml_lines');
}

async function rust() {
  await cargo('test', ...everything(), '--locked');
}

async function memory() {
  await mustRun(['cargo', 'test', ...everything(), '--locked', '--test', 'memory'], { env: { SLICEWISE_SERVICES: SERVICES } });
}

/** Features that other steps already build alone: those of the modules. */
const BUILT_ALONE = ['wasm', 'wasm-small', 'wasm-tools'];

/** The promised Rust version is useless if a dependency needs a newer one. Clippy checks our own calls. */
function checkOldestRust() {
  const { packages } = JSON.parse(ask(['cargo', 'metadata', '--format-version', '1', '--locked']) ?? '{"packages":[]}');
  const own = packages.find((/** @type {any} */ each) => each.name === 'slicewise')?.rust_version;
  if (!own) throw new Problem('cargo metadata does not know which Rust the package slicewise wants');
  const isNewer = (/** @type {any} */ { rust_version: wanted }) =>
    wanted && wanted.localeCompare(own, 'en', { numeric: true }) > 0 && !wanted.startsWith(`${own}.`);
  const newer = packages.filter(isNewer).map((/** @type {any} */ each) => `${each.name} ${each.version} (${each.rust_version})`);
  if (newer.length > 0) throw new Problem(`rust-version is ${own}, and dependencies want a newer one: ${newer.join(', ')}`);
  console.log(`Rust ${own} is enough for all ${packages.length} packages, as they say`);
}

async function features() {
  checkOldestRust();
  const check = (/** @type {string} */ name) => ['check', '--quiet', '--locked', '--package', name, '--no-default-features'];
  for (const { name, features: all } of crates().filter(({ isPublished, isLibrary }) => isPublished && isLibrary)) {
    console.log(`${name} without features`);
    await cargo(...check(name));
    for (const feature of all.filter((each) => !BUILT_ALONE.includes(each))) {
      console.log(`${name} with ${feature}`);
      await cargo(...check(name), '--features', feature);
    }
  }
  console.log(`k8s-openapi for Kubernetes ${OLDEST_KUBERNETES}`);
  // As a feature too, which makes it another package to Cargo, so that it does not cause everything else to be rebuilt.
  const env = { K8S_OPENAPI_ENABLED_VERSION: OLDEST_KUBERNETES };
  await mustRun(['cargo', ...check('slicewise-live'), '--features', `k8s-openapi,k8s-openapi/v${OLDEST_KUBERNETES.replace('.', '_')}`], { env });
  await cargo('publish', '--dry-run', '--workspace', '--no-verify', '--allow-dirty', '--locked', '--quiet');
}

async function oracle() {
  checkFormat('pkg-tests/oracle');
  await mustRun(['go', 'vet', './...'], { cwd: ORACLE });
  // Go's test cache does not notice changes to files outside the module, such as the golden cases. `go test` would vet
  // again what `go vet` has, with all dependencies.
  await mustRun(['go', 'test', '-vet=off', '-count=1', './...'], { cwd: ORACLE });
  const golden = ['corpus', 'membership', 'metrics', 'sequences'].map((name) => `./${name}`);
  await mustRun(['go', 'test', ...NEXT, '-vet=off', '-count=1', ...golden], { cwd: ORACLE });
}

/** @param {string} folder of Go files */
function checkFormat(folder) {
  const unformatted = ask(['gofmt', '-l', folder]);
  if (unformatted !== '') throw new Problem(`gofmt would change: ${unformatted ?? '(gofmt cannot be run)'}`);
}

async function differential() {
  await mustRun(['go', 'run', './cmd/differential', '-replay', '../differential/corpus', '-slicewise', TESTED_CLI], { cwd: ORACLE });
  await mustRun(['go', 'run', './cmd/differential', '-seed', SEED, '-cases', CASES, '-slicewise', TESTED_CLI], { cwd: ORACLE });
  await mustRun(['go', 'run', './cmd/yaml', '-seed', SEED, '-documents', CASES, '-program', YAML_LINES], { cwd: ORACLE });
  const next = ['go', 'run', ...NEXT, './cmd/differential', '-slicewise', TESTED_CLI];
  await mustRun([...next, '-replay', '../differential/corpus'], { cwd: ORACLE });
  await mustRun([...next, '-seed', SEED, '-cases', nextShare(CASES), '-histories', nextShare('500')], { cwd: ORACLE });
}

/** @param {string} count */
function nextShare(count) {
  return String(Math.ceil(Number(count) / NEXT_SHARE));
}

/** Without `go vet`, as for the cluster tests. */
async function controller() {
  checkFormat('pkg-tests/controller');
  const cwd = join(ROOT, 'pkg-tests/controller');
  await mustRun(['go', 'test', '-vet=off', '-count=1', '.'], { cwd });
  const compared = ['./cmd/controllerdiff', '-seed', String(Number(SEED) + 1), '-slicewise', TESTED_CLI, '-scripts'];
  await mustRun(['go', 'run', ...compared, SCRIPTS], { cwd });
  const own = ['-vet=off', '-count=1', '-run', 'TestFileIsTheReferences', '.'];
  await mustRun(['go', 'test', ...NEXT, ...own], { cwd });
  await mustRun(['go', 'run', ...NEXT, ...compared, nextShare(SCRIPTS)], { cwd });
}

/** Without `go vet`, as for the cluster tests. */
async function proxy() {
  const cwd = join(ROOT, 'pkg-tests/cluster');
  checkFormat('pkg-tests/cluster/proxy');
  await mustRun(['go', 'test', '-vet=off', '-count=1', './proxy/...'], { cwd });
  await mustRun(['go', 'run', './cmd/proxydiff', '-replay', '../differential/proxy', '-slicewise', TESTED_CLI], { cwd });
  await mustRun(['go', 'run', './cmd/proxydiff', '-seed', SEED, '-sequences', SEQUENCES, '-slicewise', TESTED_CLI], { cwd });
  await mustRun(['go', 'test', ...NEXT, '-vet=off', '-count=1', '-run', 'TestCases', './proxy/differential'], { cwd });
  const next = ['go', 'run', ...NEXT, './cmd/proxydiff', '-slicewise', TESTED_CLI];
  await mustRun([...next, '-replay', '../differential/proxy'], { cwd });
  await mustRun([...next, '-seed', SEED, '-sequences', nextShare(SEQUENCES)], { cwd });
  await conformance();
}

/** The readers that are here anyway: `npm run conformance` also compiles the others. */
async function conformance() {
  checkFormat('conformance');
  const cwd = join(ROOT, 'conformance/protocol');
  await mustRun(['go', 'vet', './...'], { cwd });
  await mustRun(['go', 'test', '-vet=off', '-count=1', './...'], { cwd });
  const tests = ['vectors', 'consumers'].map((name) => join(ROOT, `conformance/${name}.test.mjs`));
  await mustRun([process.execPath, '--test', ...tests], { env: { SLICEWISE: TESTED_CLI } });
  await node('conformance/run.mjs', 'slicewise', 'kube-proxy');
}

async function migration() {
  checkFormat('pkg-tests/cluster/migration');
  const flags = ['-slicewise', TESTED_CLI, '-seed', SEED, '-cases', CASES];
  await mustRun(['go', 'test', '-vet=off', '-count=1', './migration', '-args', ...flags], { cwd: join(ROOT, 'pkg-tests/cluster') });
}

/** The race detector looks at what uses the module that the tests before it compiled: under it, wazero takes minutes for that. */
async function bindings() {
  checkTools(['python']);
  checkFormat('bindings/go');
  const cwd = join(ROOT, 'bindings/go');
  await mustRun(['go', 'vet', './...'], { cwd });
  const env = { SLICEWISE_COMPILED: join(ROOT, 'target/wazero') };
  await mustRun(['go', 'test', '-vet=off', '-count=1', '-v', './...'], { cwd, env });
  await mustRun(['go', 'test', '-race', '-vet=off', '-count=1', '-run', '^Test', '-skip', 'TestInstances', '-v', '.'], { cwd, env });
  checkFormat('pkg-tests/bindings');
  const compared = ['-args', '-slicewise', TESTED_CLI, '-seed', SEED];
  await mustRun(['go', 'test', '-vet=off', '-count=1', '-v', '.', ...compared], { cwd: join(ROOT, 'pkg-tests/bindings') });
  const [folder, python] = [join(ROOT, 'bindings/python'), join(ROOT, 'target/python')];
  await mustRun(['python3', '-m', 'venv', python]);
  const installed = join(python, process.platform === 'win32' ? 'Scripts' : 'bin', 'python');
  await mustRun([installed, '-m', 'pip', 'install', '--quiet', '--require-hashes', '--requirement', join(folder, 'requirements.txt')]);
  const given = [join(ROOT, 'pkg/abi/slicewise.wasm'), join(ROOT, 'bindings/conformance.json')];
  await mustRun([installed, join(folder, 'conformance.py'), ...given]);
}

/** First of what is written in Go: the others use the packages that it compiles, and would otherwise compile them at the same time. */
async function server() {
  await buildCluster();
  await buildDeploy();
}

/** Without `go vet`, which would first analyse all of Kubernetes. */
async function cluster() {
  checkFormat('pkg-tests/cluster');
  await buildCluster();
  await mustRun(['go', 'test', '-vet=off', '-count=1', './cel'], { cwd: join(ROOT, 'pkg-tests/cluster') });
  // As `cargo test` has built it together with the others.
  await cargo('build', '--profile', 'test', ...everything(), '--locked', '--package', 'slicewise-controller', '--example', 'kube_controller');
  await nodeTests('cluster');
}

/** With Clippy as the compiler, as `cargo clippy -- -D warnings` sets it: what is built for the tests is linted as it is compiled. */
const LINTED = { RUSTC_WORKSPACE_WRAPPER: 'clippy-driver', CLIPPY_ARGS: '-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__' };

/** A separate workspace: the host takes minutes to compile, and nothing else needs it. */
async function kubewarden() {
  const cwd = join(ROOT, 'kubewarden/host');
  await mustRun(['cargo', 'fmt', '--check'], { cwd });
  await mustRun(['cargo', 'test', '--locked'], { cwd, env: LINTED });
}

async function chart() {
  checkFormat('pkg-tests/deploy');
  await mustRun(['go', 'test', '-vet=off', '-count=1', './alerts'], { cwd: join(ROOT, 'pkg-tests/deploy') });
  await buildDeploy();
  await buildCluster();
  await nodeTests('deploy');
}

async function browser() {
  await nodeTests('browser', { CHROMIUM: await ensureChromium() });
}

/** With packages of their own, which nothing else needs. */
async function hosts() {
  await ensurePackages(join(ROOT, 'pkg-tests/hosts/packages'));
  await nodeTests('hosts', { CHROMIUM: await ensureChromium() });
}

/** @param {string[]} args */
function cargo(...args) {
  return mustRun(['cargo', ...args]);
}

/** @param {string[]} args */
function node(...args) {
  return mustRun([process.execPath, ...args]);
}

/**
 * All `*.test.mjs` files of a suite; an empty suite is a failure.
 * @param {string} suite
 * @param {Record<string, string>} [env]
 */
async function nodeTests(suite, env) {
  const folder = join(ROOT, 'pkg-tests', suite);
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  const files = names.filter((name) => /\.test\.m?js$/.test(name) && !name.includes('node_modules')).sort();
  if (files.length === 0) throw new Problem(`there are no tests in pkg-tests/${suite}`);
  await mustRun([process.execPath, '--test', `--test-timeout=${DEADLINE}`, ...files.map((file) => join(folder, file))], { env });
}
