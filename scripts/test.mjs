/**
 * `npm test`: every proof of the repository, in order. `--only name,name` runs some of them, `--list` names them.
 * The table is in `lib/steps.mjs`.
 */
import { parseArgs } from 'node:util';
import { Problem, script } from './lib/run.mjs';
import { STEPS } from './lib/steps.mjs';

/**
 * @typedef {import('./lib/steps.mjs').Step} Step
 * @typedef {{step: Step, outcome: 'passed' | 'FAILED', note: string, seconds: number}} Result
 */

await script(async () => {
  const { values } = parseArgs({ options: { only: { type: 'string' }, list: { type: 'boolean' } } });
  if (values.list) {
    for (const { name, title } of STEPS) console.log(`${name.padEnd(14)} ${title}`);
    return;
  }
  const chosen = choose(values.only);
  /** @type {Result[]} */
  const results = [];
  for (const step of chosen) {
    console.log(`\n━━━ ${results.length + 1}/${chosen.length} ${step.name}: ${step.title}`);
    results.push(await attempt(step, results));
  }
  summarize(results, STEPS.length - chosen.length);
});

/** @param {string | undefined} only */
function choose(only) {
  if (only === undefined) return STEPS;
  const names = only.split(',');
  const unknown = names.filter((name) => !STEPS.some((step) => step.name === name));
  if (unknown.length > 0) throw new Problem(`there is no step named ${unknown.join(', ')}; \`npm test -- --list\` names them`);
  return STEPS.filter((step) => names.includes(step.name));
}

/** @param {Step} step @param {Result[]} earlier @returns {Promise<Result>} */
async function attempt(step, earlier) {
  const started = performance.now();
  const blocked = (step.needs ?? []).find((name) => earlier.some((result) => result.step.name === name && result.outcome === 'FAILED'));
  let note = blocked ? `not run: it needs ${blocked}, which failed` : '';
  if (!blocked) {
    try {
      await step.run();
    } catch (error) {
      note = error instanceof Problem ? error.message : String(error instanceof Error ? error.stack : error);
    }
  }
  if (note) console.error(note);
  return { step, outcome: note ? 'FAILED' : 'passed', note, seconds: (performance.now() - started) / 1000 };
}

/** @param {Result[]} results @param {number} left how many steps were not chosen */
function summarize(results, left) {
  console.log('\n━━━ summary');
  for (const { step, outcome, note, seconds } of results) {
    console.log(`${outcome} ${step.name.padEnd(14)} ${seconds.toFixed(1).padStart(7)} s  ${note.split('\n', 1)[0]}`);
  }
  const failed = results.filter(({ outcome }) => outcome === 'FAILED').length;
  if (left > 0) console.log(`${left} steps were not asked for`);
  console.log(`${results.length - failed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
}
