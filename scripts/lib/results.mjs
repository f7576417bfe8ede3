/** The table of results of `npm test`: on the terminal, and in `docs/testing.md`. */
import { existsSync, readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';

/**
 * @typedef {import('./steps.mjs').Step} Step
 * @typedef {{step: Step, outcome: 'passed' | 'FAILED', note: string, seconds: number, processor: number, cases: number}} Result
 */

/** How each runner says how many cases it ran, and what it calls one that failed. */
const COUNTS = [
  // Node's test runner, in both of its usual forms.
  /^(?:#|ℹ) tests (\d+)$/gm,
  // Cargo's tests.
  /^test result: \w+\. (\d+) passed/gm,
  // Go's tests, with `-v`.
  /^--- (?:PASS|FAIL): /gm,
  // The programs that compare with the reference.
  /^(\d+) passed, \d+ failed$/gm,
  /^(\d+) (?:scripts|sequences) with \d+ syncs passed/gm,
];

/** How many cases a step ran, as its tools say. @param {string} output */
export function casesOf(output) {
  const counts = COUNTS.flatMap((pattern) => [...output.matchAll(pattern)].map(([, count]) => Number(count ?? 1)));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Clock ticks per second of `/proc`, the same on all of Linux's usual platforms. */
const TICKS = 100;
/** Of the fields after the name in parentheses: the user and system time of the children that have ended, and of theirs. */
const TIMES_OF_CHILDREN = [13, 14];

/** What was told before. */
let told = 0;

/** Seconds of processor time of the child processes that have ended since the last call; 0 where the system does not tell. */
export function processorSeconds() {
  const file = '/proc/self/stat';
  if (!existsSync(file)) return 0;
  const fields = readFileSync(file, 'utf8').replace(/^.*\) /, '').split(' ');
  const all = TIMES_OF_CHILDREN.reduce((sum, index) => sum + Number(fields[index]), 0) / TICKS;
  const seconds = all - told;
  told = all;
  return seconds;
}

/** Nothing where there are none. @param {number} cases */
function counted(cases) {
  return cases > 0 ? cases.toLocaleString('en') : '';
}

/** @param {Result[]} results @returns {string[]} the lines for a terminal */
export function table(results) {
  return results.map(({ step, outcome, seconds, processor, cases }) => {
    const name = step.name.padEnd(14);
    const [took, used] = [seconds, processor].map((each) => `${each.toFixed(1).padStart(7)} s`);
    return `${outcome} ${name} ${took} ${used} ${counted(cases).padStart(9)}`;
  });
}

/**
 * `docs/testing.md`.
 * @param {Result[]} results of all steps
 * @param {number} took in seconds
 * @param {number} jobs
 * @param {Date} now
 */
export function page(results, took, jobs, now) {
  const rows = results.map(
    ({ step, seconds, processor, cases }) =>
      `| \`${step.name}\` | ${step.title} | ${seconds.toFixed(0)} | ${processor.toFixed(0)} | ${counted(cases)} |`,
  );
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'an unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GB`;
  const total = results.reduce((sum, { cases }) => sum + cases, 0);
  return `# Testing

Every step of \`npm test\`, what it proves and how long it took. \`npm test -- --write\` runs all of them and writes this page;
\`npm test -- quick\` runs those that fail most often, and \`npm test -- --only NAME,NAME\` the named ones. A step starts when
those it needs have passed, the longest chain of steps first, ${jobs} at a time: they share the machine, so the seconds add up
to more than the run took, and the processor time tells what a step costs. Sizes of random suites are set by
\`SLICEWISE_CASES\`, \`SLICEWISE_SEQUENCES\`, \`SLICEWISE_SERVICES\`, \`SLICEWISE_SCRIPTS\` and \`SLICEWISE_SEED\`.

${now.toISOString().slice(0, 10)}, ${machine}: ${(took / 60).toFixed(1)} minutes, ${total.toLocaleString('en')} cases.

| Step | What it proves | Seconds | Of processor time | Cases |
|---|---|--:|--:|--:|
${rows.join('\n')}
`;
}
