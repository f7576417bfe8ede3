/**
 * `npm run mutants [-- FOLDER|FILE…]`: does some unit test catch every change to a decision? cargo-mutants changes operators,
 * conditions and results, one at a time; `.cargo/mutants.toml` configures it. The tests of the folder run first, since they
 * catch most mutants and take little time; all tests run on the rest. Mutants that no test catches must be in the list of
 * survivors, each with a reason; an entry that is caught by now is an error, too. Each mutant is compiled: all of them take
 * most of a day, those of `src/tracker` half an hour. Install the tool with `cargo install cargo-mutants --locked`.
 *
 * With `--together`, all mutants are compiled into one test program and switched on one at a time. Mutants that do not compile,
 * or not with the others, are left out and counted, and so are those that no test ends with in time: `--left-out` prints them
 * with the reason. `--missed` then tries only what the last such run missed; `--longest SECONDS` leaves out tests that take longer.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { survey, trials } from './lib/mutant-trials.mjs';
import { SURVIVORS, fileOf, lines, ownTests, survivors } from './lib/mutants.mjs';
import { TARGET } from './lib/paths.mjs';
import { Problem, ROOT, ask, run, script } from './lib/run.mjs';
import { compile } from './lib/schemata.mjs';

/** The folders with decisions. */
const PLACES = ['reconcile', 'topology', 'tracker', 'traffic_distribution.rs', 'proxy', 'session', 'admission'].map((name) => `src/${name}`);

/** What the last runs have found out about each change. */
const RESULTS = join(TARGET, 'mutants/results.json');

/** Exit codes of cargo-mutants after a complete run: all caught, some missed, some timed out. The list decides which may be missed. */
const DONE = new Set([0, 2, 3]);

/** @typedef {{noticed: string[], slow: string[], missed: string[], leftOut: string[]}} Findings changes as cargo-mutants names them */
/** @typedef {import('./lib/mutant-trials.mjs').Verdict} Verdict */
/** @typedef {{name: string, outcome: 'failed' | 'slow' | 'passed' | 'left out', by: string}} Result `by` tests, or for a reason */

await script(async () => {
  const options = /** @type {const} */ ({ together: { type: 'boolean' }, missed: { type: 'boolean' }, 'left-out': { type: 'boolean' }, longest: { type: 'string' } });
  const { positionals, values } = parseArgs({ allowPositionals: true, options });
  if (ask(['cargo', 'mutants', '--version']) === null) throw new Problem('cargo-mutants is missing; install it with `cargo install cargo-mutants --locked`');
  const explained = survivors();
  const paths = positionals.length > 0 ? positionals : PLACES;
  const { noticed, slow, missed, leftOut } = values.together ? await together(paths, values) : await alone(paths);
  if (noticed.length === 0 && !values.missed) throw new Problem('no change was noticed at all: the tests have not run');
  const examined = new Set([...noticed, ...slow, ...missed].map(fileOf));
  const listed = explained.filter(({ file }) => examined.has(file)).map(({ mutant }) => mutant);
  const unexplained = without(missed, listed, withoutPlace);
  const stale = without(listed, [...missed, ...leftOut].map(withoutPlace));
  for (const path of paths) {
    const count = (/** @type {string[]} */ names) => names.filter((name) => placeOf([path], fileOf(name)) === 0).length;
    const not = `${count(missed)} not (${count(missed) - count(unexplained)} explained)`;
    console.log(`${path}: ${count(noticed)} noticed, ${count(slow)} out of time, ${not}, ${count(leftOut)} left out`);
  }
  const faults = unexplained.map((mutant) => `not noticed: ${mutant}`);
  // What is noticed was not tried again.
  if (!values.missed) faults.push(...stale.map((mutant) => `noticed or gone, and yet in ${SURVIVORS}: ${mutant}`));
  if (faults.length > 0) throw new Problem(faults.join('\n'));
});

/**
 * All changes in one program.
 * @param {string[]} paths
 * @param {{missed?: boolean, 'left-out'?: boolean, longest?: string}} options
 * @returns {Promise<Findings>}
 */
async function together(paths, { missed: onlyMissed = false, 'left-out': showsLeftOut = false, longest = 'Infinity' }) {
  const files = paths.flatMap((path) => ['--file', filesOf(path)]);
  const listed = ask(['cargo', 'mutants', '--list', '--json', '--colors', 'never', ...files]);
  if (listed === null) throw new Problem('cargo-mutants cannot list the changes');
  const before = onlyMissed ? missedBefore() : new Set();
  const all = JSON.parse(listed).map((/** @type {any} */ { diff: _, ...mutant }, /** @type {number} */ id) => ({ id, ...mutant }));
  const wanted = onlyMissed ? all.filter((/** @type {any} */ { name }) => before.has(withoutPlace(name))) : all;
  wanted.sort((/** @type {any} */ a, /** @type {any} */ b) => placeOf(paths, a.file) - placeOf(paths, b.file));
  const { program, mutants: changes, leftOut } = compile(wanted);
  const tests = (await survey(program)).filter(({ seconds }) => seconds <= Number(longest));
  console.log(`${changes.length} changes, ${tests.length} tests that take ${tests.reduce((sum, { seconds }) => sum + seconds, 0).toFixed()} seconds`);
  /** @type {Result[]} */
  const tried = leftOut.map(({ mutant, why }) => ({ name: mutant.name, outcome: 'left out', by: why }));
  const others = resultsBefore().filter(({ name }) => (onlyMissed ? !before.has(withoutPlace(name)) : placeOf(paths, fileOf(name)) < 0));
  // One folder after the other: what has been found out is kept if the rest is not tried.
  for (const place of paths.keys()) {
    const own = changes.filter(({ file }) => placeOf(paths, file) === place);
    const verdicts = await trials(program, own, tests);
    tried.push(...own.map((mutant) => ({ name: mutant.name, .../** @type {Verdict} */ (verdicts.get(mutant)) })));
    writeFileSync(RESULTS, JSON.stringify([...others, ...tried], null, 1));
  }
  const of = (/** @type {Result['outcome']} */ which) => tried.filter(({ outcome }) => outcome === which).map(({ name }) => name);
  if (showsLeftOut) for (const { name, outcome, by } of tried) if (outcome === 'left out') console.log(`left out: ${name} (${by})`);
  return { noticed: of('failed'), slow: of('slow'), missed: of('passed'), leftOut: of('left out') };
}

/** Which of the paths a file is below. @param {string[]} paths @param {string} file */
function placeOf(paths, file) {
  return paths.findIndex((path) => file === path || file.startsWith(`${path}/`));
}

/** @returns {Result[]} */
function resultsBefore() {
  return existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')) : [];
}

/** What the last runs have missed, without places. */
function missedBefore() {
  const missed = resultsBefore().filter(({ outcome }) => outcome === 'passed');
  if (missed.length === 0) throw new Problem('no run before has missed anything');
  return new Set(missed.map(({ name }) => withoutPlace(name)));
}

/**
 * Each change by itself: the tests of its folder run first, as they notice most and take no time; what they miss is left to all.
 * @param {string[]} paths
 * @returns {Promise<Findings>}
 */
async function alone(paths) {
  /** @type {Findings} */
  const all = { noticed: [], slow: [], missed: [], leftOut: [] };
  for (const path of paths) {
    const first = await mutants(path, ownTests(path));
    const last = first.missed.length > 0 ? await mutants(path) : first;
    all.noticed.push(...new Set([first, last].flatMap(({ caught }) => caught)));
    all.slow.push(...new Set([first, last].flatMap(({ timeout }) => timeout)));
    all.missed.push(...last.missed);
    all.leftOut.push(...first.unviable);
  }
  return all;
}

/**
 * Runs cargo-mutants with the tests whose names contain `filter`; without a filter, with all tests on the remaining mutants.
 * @param {string} path
 * @param {string} [filter]
 */
async function mutants(path, filter) {
  const output = join(TARGET, 'mutants', path);
  if (filter !== undefined) rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  const tests = filter === undefined ? ['--iterate'] : ['--', filter];
  const code = await run(['cargo', 'mutants', '--colors', 'never', '--output', output, '--file', filesOf(path), ...tests]);
  if (!DONE.has(code)) throw new Problem(`cargo-mutants has not tested ${path} (exit code ${code})`);
  const of = (/** @type {string} */ name) => lines(join(output, 'mutants.out', `${name}.txt`));
  return { caught: of('caught'), missed: of('missed'), unviable: of('unviable'), timeout: of('timeout') };
}

/** @param {string} path */
function filesOf(path) {
  return statSync(join(ROOT, path)).isDirectory() ? `${path}/**/*.rs` : path;
}

/** `src/a.rs:7:9: replace a with b` reduced to its file and change, because lines move. @param {string} mutant */
function withoutPlace(mutant) {
  return mutant.replace(/^([^:]+):\d+:\d+:/, '$1:');
}

/**
 * Each entry of `others` cancels one equal entry: a function may have two mutants with the same name.
 * @param {string[]} all
 * @param {string[]} others
 * @param {(entry: string) => string} [name] of an entry of `all`
 */
function without(all, others, name = (entry) => entry) {
  const left = [...all];
  for (const other of others) {
    const place = left.findIndex((entry) => name(entry) === other);
    if (place >= 0) left.splice(place, 1);
  }
  return left;
}
