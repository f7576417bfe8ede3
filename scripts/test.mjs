/**
 * `npm test`: all checks of the repository; `npm test -- quick` runs those for the inner loop. `--only name,name` runs some of
 * them, `--list` lists them, `--jobs N` sets how many run at once (two by default, given two cores), `--write` writes the
 * results of a complete run to `docs/testing.md`. The table of steps is in `lib/steps.mjs`.
 */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { XTASK } from './lib/paths.mjs';
import { casesOf, page, processorSeconds, table } from './lib/results.mjs';
import { Problem, ROOT, script } from './lib/run.mjs';
import { chains, nextOf } from './lib/schedule.mjs';
import { STEPS } from './lib/steps.mjs';

/**
 * @typedef {import('./lib/steps.mjs').Step} Step
 * @typedef {import('./lib/results.mjs').Result} Result
 */

/** More would not be faster: compilers use every core. Steps that mostly wait run besides. */
const USUAL_JOBS = Math.min(2, availableParallelism());

/** What the tools of the steps write where something fails: Node and Go, Cargo's tests, compilers. */
const FAILURE = /^\s*not ok |^\s+(error|location): |^\s*--- FAIL|^test .* FAILED$|^error\b|panicked at/;
const MOST_REASONS = 12;

/**
 * The next version of Kubernetes wants it, and two versions of Go would compile the standard library twice. Go fetches it as a
 * module.
 */
process.env.GOTOOLCHAIN = 'go1.27.0';

/**
 * Half of what Go's compiler does is for programs that run long, or are debugged. The tests' programs are slower
 * only if nothing is inlined in the standard library; and packages are compiled side by side anyway.
 */
process.env.GOFLAGS ??= '"-gcflags=all=-dwarf=false -l -c=1" "-gcflags=std=-dwarf=false -c=1"';

await script(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { only: { type: 'string' }, list: { type: 'boolean' }, jobs: { type: 'string' }, write: { type: 'boolean' } },
  });
  if (values.list) {
    for (const { name, title, quick } of STEPS) console.log(`${name.padEnd(14)} ${title}${quick ? ' (quick)' : ''}`);
    return;
  }
  const chosen = choose(values.only, positionals);
  if (values.write && chosen.length < STEPS.length) throw new Problem('--write needs a run of all steps');
  const jobs = chosen.length === 1 ? 1 : jobsOf(values.jobs);
  const started = performance.now();
  const results = await runAll(chosen, jobs);
  if (chosen.length === 1) {
    process.exitCode = results[0].outcome === 'passed' ? 0 : 1;
    return;
  }
  const took = (performance.now() - started) / 1000;
  summarize(results, STEPS.length - chosen.length, took);
  if (values.write && !process.exitCode) writeFileSync(join(ROOT, 'docs/testing.md'), page(results, took, jobs, new Date()));
});

/** @param {string | undefined} text */
function jobsOf(text) {
  const jobs = Number(text ?? USUAL_JOBS);
  if (!Number.isInteger(jobs) || jobs < 1) throw new Problem(`--jobs must be a whole number from 1, not ${text}`);
  return jobs;
}

/** @param {string | undefined} only @param {string[]} sets */
function choose(only, sets) {
  const other = sets.find((set) => set !== 'quick');
  if (other !== undefined) throw new Problem(`there is no \`npm test -- ${other}\`; there is \`npm test -- quick\``);
  if (only === undefined) return sets.length > 0 ? STEPS.filter(({ quick }) => quick) : STEPS;
  const names = only.split(',');
  const unknown = names.filter((name) => !STEPS.some((step) => step.name === name));
  if (unknown.length > 0) throw new Problem(`there is no step named ${unknown.join(', ')}; \`npm test -- --list\` names them`);
  return STEPS.filter((step) => names.includes(step.name));
}

/**
 * Runs each step as soon as those it needs have finished, the longest chain first, and never two that use the same folder.
 * @param {Step[]} steps
 * @param {number} jobs
 * @returns {Promise<Result[]>} in the order of the table
 */
async function runAll(steps, jobs) {
  const waiting = [...steps];
  const chain = chains(steps);
  /** @type {Map<Step, Promise<Result>>} */
  const running = new Map();
  /** @type {Result[]} */
  const results = [];
  while (waiting.length + running.size > 0) {
    const next = nextOf(waiting, [...running.keys()], chain, jobs);
    if (next) {
      waiting.splice(waiting.indexOf(next), 1);
      running.set(next, attempt(next, results, jobs > 1));
      continue;
    }
    const result = await Promise.race(running.values());
    running.delete(result.step);
    results.push(result);
    // It is not compiled again for the modules, and is surely not that of an earlier state.
    if (result.step.name === 'cli' && result.outcome === 'passed') process.env.SLICEWISE_XTASK = XTASK;
    if (steps.length > 1) {
      console.log(`━━━ ${result.outcome} ${result.step.name}, ${result.seconds.toFixed(0)} s; ${waiting.length + running.size} to go`);
    }
  }
  return results.sort((a, b) => steps.indexOf(a.step) - steps.indexOf(b.step));
}

/**
 * @param {Step} step
 * @param {Result[]} earlier
 * @param {boolean} isApart in a separate process, whose output is shown when it ends
 * @returns {Promise<Result>}
 */
async function attempt(step, earlier, isApart) {
  const started = performance.now();
  const blocked = (step.needs ?? []).find((name) => earlier.some((result) => result.step.name === name && result.outcome === 'FAILED'));
  const blockedFor = { note: `not run: it needs ${blocked}, which failed`, cases: 0 };
  const { note, cases } = blocked ? blockedFor : await (isApart ? runApart(step) : runHere(step));
  return { step, outcome: note ? 'FAILED' : 'passed', note, seconds: (performance.now() - started) / 1000, processor: processorSeconds(), cases };
}

/** @typedef {{note: string, cases: number}} End why a step failed, if it did, and how many cases it ran */

/** @param {Step} step @returns {Promise<End>} */
async function runHere(step) {
  console.log(`\n━━━ ${step.name}: ${step.title}`);
  try {
    await step.run();
    return { note: '', cases: 0 };
  } catch (error) {
    const note = error instanceof Problem ? error.message : String(error instanceof Error ? error.stack : error);
    console.error(note);
    return { note, cases: 0 };
  }
}

/** @param {Step} step @returns {Promise<End>} */
function runApart(step) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [fileURLToPath(import.meta.url), '--only', step.name], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
    /** @type {Buffer[]} */
    const output = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
    child.on('error', (error) => resolve({ note: error.message, cases: 0 }));
    child.on('close', (code) => {
      const all = Buffer.concat(output);
      process.stdout.write(all);
      const text = all.toString();
      resolve({ note: code === 0 ? '' : reasons(text), cases: casesOf(text) });
    });
  });
}

/** The lines that say what failed, for those who see the end of a log only. @param {string} output */
function reasons(output) {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const found = lines.filter((line, index) => FAILURE.test(line) || /^\s+error: \|-$/.test(lines[index - 1] ?? ''));
  const chosen = found.length > 0 ? found.slice(0, MOST_REASONS) : lines.slice(-MOST_REASONS);
  return chosen.map((line) => line.slice(0, 300)).join('\n');
}

/** @param {Result[]} results @param {number} left how many steps were not chosen @param {number} took in seconds */
function summarize(results, left, took) {
  console.log('\n━━━ summary');
  for (const line of table(results)) console.log(line);
  const failed = results.filter(({ outcome }) => outcome === 'FAILED');
  for (const { step, note } of failed) {
    console.log(`\n━━━ ${step.name} failed; all of its output is under "━━━ ${step.name}: ${step.title}"\n${note}`);
  }
  if (left > 0) console.log(`${left} steps were not selected`);
  console.log(`${results.length - failed.length} passed, ${failed.length} failed, in ${(took / 60).toFixed(1)} min`);
  if (failed.length > 0) process.exitCode = 1;
}
