/**
 * `npm run mutants [-- FOLDER|FILE…]`: does some unit test catch every change to a decision? cargo-mutants changes operators,
 * conditions and results, one at a time; `.cargo/mutants.toml` configures it. The tests of the folder run first, since they
 * catch most mutants and take little time; all tests run on the rest. Mutants that no test catches must be in the list of
 * survivors, each with a reason; an entry that is caught by now is an error, too. Each mutant is compiled: all of them take
 * most of a day, those of `src/tracker` half an hour. Install the tool with `cargo install cargo-mutants --locked`.
 *
 * With `--together`, all mutants are compiled into one test program and switched on one at a time. Mutants that do not compile,
 * or not with the others, are left out and counted. `--missed` then tries only what the last such run missed; `--longest SECONDS`
 * leaves out tests that take longer.
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

/** What the last run has found: a line for each change. */
const RESULTS = join(TARGET, 'mutants/results.json');

/** Exit codes of cargo-mutants after a complete run: all caught, some missed, some timed out. The list decides which may be missed. */
const DONE = new Set([0, 2, 3]);

/** @typedef {{noticed: string[], missed: string[], leftOut: string[]}} Findings changes as cargo-mutants names them */

await script(async () => {
  const options = /** @type {const} */ ({ together: { type: 'boolean' }, missed: { type: 'boolean' }, longest: { type: 'string' } });
  const { positionals, values } = parseArgs({ allowPositionals: true, options });
  if (ask(['cargo', 'mutants', '--version']) === null) throw new Problem('cargo-mutants is missing; install it with `cargo install cargo-mutants --locked`');
  const explained = survivors();
  const paths = positionals.length > 0 ? positionals : PLACES;
  const { noticed, missed, leftOut } = values.together ? await together(paths, values) : await alone(paths);
  if (noticed.length === 0 && !values.missed) throw new Problem('no change was noticed at all: the tests have not run');
  const examined = new Set([...noticed, ...missed].map(fileOf));
  const listed = explained.filter(({ file }) => examined.has(file)).map(({ mutant }) => mutant);
  const unexplained = without(missed, listed, withoutPlace);
  const stale = without(listed, [...missed, ...leftOut].map(withoutPlace));
  for (const path of paths) {
    const count = (/** @type {string[]} */ names) => names.filter((name) => placeOf([path], fileOf(name)) === 0).length;
    const counts = `${count(noticed)} noticed, ${count(missed)} not (${count(missed) - count(unexplained)} explained), ${count(leftOut)} left out`;
    console.log(`${path}: ${counts}`);
  }
  const faults = unexplained.map((mutant) => `not noticed: ${mutant}`);
  // What is noticed was not tried again.
  if (!values.missed) faults.push(...stale.map((mutant) => `noticed or gone, and yet in ${SURVIVORS}: ${mutant}`));
  if (faults.length > 0) throw new Problem(faults.join('\n'));
});

/**
 * All changes in one program.
 * @param {string[]} paths
 * @param {{missed?: boolean, longest?: string}} options
 * @returns {Promise<Findings>}
 */
async function together(paths, { missed: onlyMissed = false, longest = 'Infinity' }) {
  const files = paths.flatMap((path) => ['--file', filesOf(path)]);
  const listed = ask(['cargo', 'mutants', '--list', '--json', '--colors', 'never', ...files]);
  if (listed === null) throw new Problem('cargo-mutants cannot list the changes');
  const before = new Set(onlyMissed ? missedBefore() : []);
  const all = JSON.parse(listed).map((/** @type {any} */ { diff: _, ...mutant }, /** @type {number} */ id) => ({ id, ...mutant }));
  const wanted = onlyMissed ? all.filter((/** @type {any} */ { name }) => before.has(withoutPlace(name))) : all;
  wanted.sort((/** @type {any} */ a, /** @type {any} */ b) => placeOf(paths, a.file) - placeOf(paths, b.file));
  const { program, mutants: changes, leftOut } = compile(wanted);
  const tests = (await survey(program)).filter(({ seconds }) => seconds <= Number(longest));
  console.log(`${changes.length} changes, ${tests.length} tests that take ${tests.reduce((sum, { seconds }) => sum + seconds, 0).toFixed()} seconds`);
  const by = await trials(program, changes, tests);
  const results = changes.map((mutant) => ({ name: mutant.name, noticed: by.get(mutant) ?? null }));
  const left = leftOut.map(({ mutant, why }) => ({ name: mutant.name, left: why }));
  writeFileSync(RESULTS, JSON.stringify([...results, ...left], null, 1));
  const names = (/** @type {{name: string}[]} */ found) => found.map(({ name }) => name);
  return { noticed: names(results.filter(({ noticed }) => noticed)), missed: names(results.filter(({ noticed }) => !noticed)), leftOut: names(left) };
}

/** Which of the paths a file is below. @param {string[]} paths @param {string} file */
function placeOf(paths, file) {
  return paths.findIndex((path) => file === path || file.startsWith(`${path}/`));
}

/** What the last run has missed, without places. @returns {string[]} */
function missedBefore() {
  if (!existsSync(RESULTS)) throw new Problem('there has been no run before');
  const results = JSON.parse(readFileSync(RESULTS, 'utf8'));
  return results.filter((/** @type {any} */ { noticed }) => noticed === null).map((/** @type {any} */ { name }) => withoutPlace(name));
}

/**
 * Each change by itself: the tests of its folder run first, as they notice most and take no time; what they miss is left to all.
 * @param {string[]} paths
 * @returns {Promise<Findings>}
 */
async function alone(paths) {
  /** @type {Findings} */
  const all = { noticed: [], missed: [], leftOut: [] };
  for (const path of paths) {
    const first = await mutants(path, ownTests(path));
    const last = first.missed.length > 0 ? await mutants(path) : first;
    all.noticed.push(...new Set([first, last].flatMap(({ caught, timeout }) => [...caught, ...timeout])));
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
