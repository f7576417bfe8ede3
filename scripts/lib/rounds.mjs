/** Runs benchmarks in rounds. */
import { spawnSync } from 'node:child_process';
import { Problem, ROOT } from './run.mjs';

/** @typedef {import('../bench.mjs').Sample} Sample */

/** The time budget of a measurement, in milliseconds; the first call may exceed it. */
export const BUDGET = 1000;
/** How often all sides are measured in turn, as `docs/performance.md` says. */
const ROUNDS = 3;

/**
 * Runs all commands in turn, several times, and keeps of each measurement the round with the lowest median: the one that
 * was disturbed least.
 * @param {Record<string, string[]>} commands by name
 * @param {number} budget if it is short, one round is enough
 * @returns {Record<string, Record<string, Sample>>}
 */
export function inRounds(commands, budget) {
  /** @type {Record<string, Record<string, Sample>>} */
  const kept = {};
  for (let round = 0; round < (budget < BUDGET ? 1 : ROUNDS); round += 1) {
    for (const [name, command] of Object.entries(commands)) {
      const found = Object.entries(samples(command));
      kept[name] ??= {};
      for (const [what, sample] of found) {
        if (!(kept[name][what]?.median <= sample.median)) kept[name][what] = sample;
      }
    }
  }
  return kept;
}

/** @param {string[]} command @returns {Record<string, Sample>} */
export function samples([program, ...args]) {
  // Go's glue for Node accepts only a few kilobytes of arguments and environment.
  const env = { PATH: process.env.PATH, HOME: process.env.HOME };
  const { status, signal, stdout, stderr } = spawnSync(program, args, { cwd: ROOT, env, encoding: 'utf8' });
  if (status !== 0) throw new Problem(`\`${[program, ...args].join(' ')}\` failed with ${signal ?? status}: ${stderr}`);
  const found = stdout.trim().split('\n').filter(Boolean).map((line) => /** @type {Sample} */ (JSON.parse(line)));
  return Object.fromEntries(found.map((sample) => [sample.what, sample]));
}
