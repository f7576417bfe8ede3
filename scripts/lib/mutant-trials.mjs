/** Which tests notice a change: they run with it switched on, in the order of what they cost, until one fails. */
import { spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { lines, ownTests } from './mutants.mjs';
import { TARGET } from './paths.mjs';
import { Problem, ask } from './run.mjs';
import { TREE } from './schemata.mjs';

/** @typedef {import('./schemata.mjs').Mutant} Mutant */
/** @typedef {{name: string, seconds: number, reaches: Set<number>}} Test */
/** @typedef {'passed' | 'failed' | 'slow'} Outcome what tests make of a change: `slow` if they do not end within their limit */
/** @typedef {{outcome: Outcome, by: string}} Verdict on a change, with the tests that notice it, or how many reach it */

/** What the first tests of a change may cost together, in seconds; those after them may cost some times as much, and so on. */
const FIRST = 0.2;
const GROWTH = 4;

/** How much earlier the tests of the changed folder run than others of their length: it is they that notice most. */
const OWN = 10;

/** What a test may cost on the sources as they are, in seconds. */
const LONGEST = 3600;

/** Exit codes of a shell whose command has used up the processor's time: it gets SIGXCPU, and SIGKILL if that does not end it. */
const OUT_OF_TIME = new Set([128 + 24, 128 + 9]);

/** How many seconds may pass for each that the processor works: a change may also make a test wait for what never comes. */
const PATIENCE = 10;

/**
 * Runs each test by itself: how long it takes, and which changes it reaches. Those that fail on the rewritten sources are named and left out.
 * @param {string} program
 * @returns {Promise<Test[]>}
 */
export async function survey(program) {
  const listed = ask([program, '--list', '--format', 'terse']);
  if (listed === null) throw new Problem('the test program does not run');
  const names = listed.split('\n').filter((line) => line.endsWith(': test')).map((line) => line.slice(0, -': test'.length));
  /** @type {Test[]} */
  const tests = [];
  /** @type {string[]} */
  const failing = [];
  await inParallel(names, async (name, worker) => {
    const file = join(TARGET, 'mutants', `reached-${worker}`);
    rmSync(file, { force: true });
    const { outcome, seconds } = await attempt(program, [name], { MUTANTS_REACHED: file }, LONGEST);
    if (outcome !== 'passed') failing.push(name);
    else if (existsSync(file)) tests.push({ name, seconds, reaches: new Set(lines(file).map(Number)) });
  });
  console.log(`${names.length} tests, ${tests.length} of which reach changes; ${failing.length} fail on the rewritten sources: ${failing.join(', ')}`);
  if (tests.length === 0) throw new Problem('no test reaches a change');
  return tests;
}

/**
 * What the tests make of each change.
 * @param {string} program
 * @param {Mutant[]} mutants
 * @param {Test[]} tests
 * @returns {Promise<Map<Mutant, Verdict>>}
 */
export async function trials(program, mutants, tests) {
  const verdicts = new Map();
  await inParallel(mutants, async (mutant) => {
    const verdict = await trial(program, mutant, tests);
    verdicts.set(mutant, verdict);
    if (verdict.outcome !== 'failed') console.log(`${verdict.outcome === 'slow' ? 'too slow' : 'not noticed'}: ${mutant.name} (${verdict.by})`);
    if (verdicts.size % 100 === 0) console.log(`${verdicts.size} of ${mutants.length} changes tried`);
  });
  return verdicts;
}

/**
 * @param {string} program
 * @param {Mutant} mutant
 * @param {Test[]} tests
 * @returns {Promise<Verdict>}
 */
async function trial(program, { id, file }, tests) {
  const own = ownTests(file);
  const cost = (/** @type {Test} */ { name, seconds }) => (name.includes(own) ? seconds / OWN : seconds);
  const left = tests.filter(({ reaches }) => reaches.has(id)).sort((a, b) => cost(a) - cost(b));
  const by = `${left.length} reach it`;
  for (let limit = FIRST; left.length > 0; limit *= GROWTH) {
    const batch = [];
    let seconds = 0;
    do {
      const [next] = left.splice(0, 1);
      batch.push(next.name);
      seconds += next.seconds;
    } while (left.length > 0 && seconds + left[0].seconds <= limit);
    const { outcome } = await attempt(program, batch, { MUTANT: String(id) }, 3 + 5 * seconds);
    if (outcome !== 'passed') return { outcome, by: `one of ${batch.length}: ${batch.slice(0, 3).join(', ')}` };
  }
  return { outcome: 'passed', by };
}

/**
 * Do these tests pass, and how long does the processor need? Those that need more memory than there is fail.
 * @param {string} program
 * @param {string[]} tests
 * @param {Record<string, string>} env
 * @param {number} limit in seconds
 * @returns {Promise<{outcome: Outcome, seconds: number}>}
 */
function attempt(program, tests, env, limit) {
  const limits = `ulimit -c 0; ulimit -v 8000000; ulimit -t ${Math.ceil(limit)}`;
  return new Promise((resolve) => {
    const options = { cwd: TREE, env: { ...process.env, RUST_BACKTRACE: '0', ...env }, detached: true };
    const command = ['-c', `${limits}; "$0" "$@"; code=$?; times; exit $code`, program, '--exact', '--test-threads=1', ...tests];
    const child = spawn('sh', command, { ...options, stdio: ['ignore', 'pipe', 'ignore'] });
    let output = '';
    let isLate = false;
    // The shell and what it runs are a group of processes.
    const stop = () => child.pid !== undefined && end(child.pid);
    const timer = setTimeout(() => {
      isLate = true;
      stop();
    }, 1000 * PATIENCE * limit);
    child.stdout.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
      output += text;
      if (output.includes('FAILED')) stop();
    });
    const done = (/** @type {Outcome} */ outcome) => {
      clearTimeout(timer);
      const [minutes, seconds] = /(\d+)m([\d.]+)s \S+\n$/.exec(output)?.slice(1).map(Number) ?? [0, 0];
      resolve({ outcome, seconds: 60 * minutes + seconds });
    };
    child.on('error', () => done('failed'));
    child.on('close', (code) => {
      if (code === 0) return done('passed');
      return done(isLate || (code !== null && OUT_OF_TIME.has(code)) ? 'slow' : 'failed');
    });
  });
}

/** Ends a group of processes, which may have ended by itself. @param {number} group */
function end(group) {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // It has.
  }
}

/**
 * As many at a time as there are processors.
 * @template T
 * @param {T[]} items
 * @param {(item: T, worker: number) => Promise<void>} work
 */
async function inParallel(items, work) {
  const rest = items.values();
  await Promise.all(Array.from({ length: availableParallelism() }, async (_, worker) => {
    for (const item of rest) await work(item, worker);
  }));
}
