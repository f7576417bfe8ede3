/**
 * `npm run mutants [-- FOLDER|FILE…]`: does some unit test catch every change to a decision? cargo-mutants changes operators,
 * conditions and results, one at a time; `.cargo/mutants.toml` configures it. The tests of the folder run first, since they
 * catch most mutants and take little time; all tests run on the rest. Mutants that no test catches must be in the list of
 * survivors, each with a reason; an entry that is caught by now is an error, too. Each mutant is compiled: all of them take
 * most of a day, those of `src/tracker` half an hour. Install the tool with `cargo install cargo-mutants --locked`.
 */
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SURVIVORS, fileOf, lines, survivors } from './lib/mutants.mjs';
import { TARGET } from './lib/paths.mjs';
import { Problem, ROOT, ask, run, script } from './lib/run.mjs';

/** The folders with decisions. */
const PLACES = ['reconcile', 'topology', 'tracker', 'traffic_distribution.rs', 'proxy', 'session', 'admission'].map((name) => `src/${name}`);

/** Exit codes of cargo-mutants after a complete run: all caught, some missed, some timed out. The list decides which may be missed. */
const DONE = new Set([0, 2, 3]);

await script(async () => {
  const { positionals } = parseArgs({ allowPositionals: true });
  if (ask(['cargo', 'mutants', '--version']) === null) throw new Problem('cargo-mutants is missing; install it with `cargo install cargo-mutants --locked`');
  const explained = survivors();
  const paths = positionals.length > 0 ? positionals : PLACES;
  const noticed = [];
  const missed = [];
  let unviable = 0;
  for (const path of paths) {
    const first = await mutants(path, `${/^src\/(\w+)/.exec(path)?.[1]}::`);
    const last = first.missed.length > 0 ? await mutants(path) : first;
    noticed.push(...new Set([first, last].flatMap(({ caught, timeout }) => [...caught, ...timeout])));
    missed.push(...last.missed.map(withoutPlace));
    unviable += first.unviable.length;
  }
  if (noticed.length === 0) throw new Problem('no change was noticed at all: the tests have not run');
  const examined = new Set([...noticed, ...missed].map(fileOf));
  const listed = explained.filter(({ file }) => examined.has(file)).map(({ mutant }) => mutant);
  const unexplained = without(missed, listed);
  const stale = without(listed, missed);
  console.log(`${noticed.length} noticed, ${missed.length} not (${missed.length - unexplained.length} explained), ${unviable} do not compile`);
  const faults = [...unexplained.map((mutant) => `not noticed: ${mutant}`), ...stale.map((mutant) => `noticed or gone, and yet in ${SURVIVORS}: ${mutant}`)];
  if (faults.length > 0) throw new Problem(faults.join('\n'));
});

/**
 * Runs cargo-mutants with the tests whose names contain `filter`; without a filter, with all tests on the remaining mutants.
 * @param {string} path
 * @param {string} [filter]
 */
async function mutants(path, filter) {
  const output = join(TARGET, 'mutants', path);
  if (filter !== undefined) rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  const files = statSync(join(ROOT, path)).isDirectory() ? `${path}/**/*.rs` : path;
  const tests = filter === undefined ? ['--iterate'] : ['--', filter];
  const code = await run(['cargo', 'mutants', '--colors', 'never', '--output', output, '--file', files, ...tests]);
  if (!DONE.has(code)) throw new Problem(`cargo-mutants has not tested ${path} (exit code ${code})`);
  const of = (/** @type {string} */ name) => lines(join(output, 'mutants.out', `${name}.txt`));
  return { caught: of('caught'), missed: of('missed'), unviable: of('unviable'), timeout: of('timeout') };
}

/** `src/a.rs:7:9: replace a with b` reduced to its file and change, because lines move. @param {string} mutant */
function withoutPlace(mutant) {
  return mutant.replace(/^([^:]+):\d+:\d+:/, '$1:');
}

/**
 * Each entry of `others` cancels one equal entry: a function may have two mutants with the same name.
 * @param {string[]} all
 * @param {string[]} others
 */
function without(all, others) {
  const left = [...all];
  for (const other of others) {
    const place = left.indexOf(other);
    if (place >= 0) left.splice(place, 1);
  }
  return left;
}
