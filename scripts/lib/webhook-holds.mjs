/** Measures the webhook at the limits of what an API server accepts, and writes a section about it. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Problem, ROOT, ask } from './run.mjs';

/**
 * @typedef {{name: string, megabytes: number, cpu: number, median: number, worst: number}} Extreme
 * @typedef {{reviews: number, megabytes: number}} Memory
 * @typedef {{name: string, seconds: number, megabytes: number}} Ready
 */

const PODS = 10_000;
const REVIEWS = 100_000;
const [LIMITS, WATCH] = ['benches/webhook-holds.mjs', 'benches/webhook-watch.mjs'];

/** @param {boolean} quick a smoke run @returns {Promise<{extremes: Extreme[], memory: Memory[], ready: Ready[]}>} */
export async function measureHolds(quick) {
  const measured = (/** @type {string[]} */ ...args) => {
    const answer = ask([process.execPath, '--expose-gc', LIMITS, ...args]);
    if (answer === null) throw new Problem(`\`${args.join(' ')}\` did not finish`);
    return JSON.parse(answer);
  };
  const extremes = measured('worst');
  const memory = measured('memory', String(quick ? 5_000 : REVIEWS));
  const ready = [];
  for (const [name, mode] of [['by streams', 'stream'], ['in pages', 'pages']]) ready.push({ name, ...(await timeToReady(mode)) });
  return { extremes, memory, ready };
}

/** @param {string} mode @returns {Promise<{seconds: number, megabytes: number}>} the median of three runs */
async function timeToReady(mode) {
  const server = spawn(process.execPath, [WATCH, 'serve', String(PODS), mode], { cwd: ROOT, stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    const { kubeconfig } = JSON.parse(await new Promise((resolve) => createInterface({ input: server.stdout }).once('line', resolve)));
    const runs = Array.from({ length: 3 }, () => {
      const answer = ask([process.execPath, WATCH, 'watch', kubeconfig]);
      if (answer === null) throw new Problem('the webhook did not learn the cluster');
      return JSON.parse(answer);
    });
    return runs.toSorted((a, b) => a.seconds - b.seconds)[1];
  } finally {
    server.kill();
  }
}

/**
 * @param {Awaited<ReturnType<typeof measureHolds>>} measured
 * @param {{cpu: string, cores: number, versions: string[], date: string, command: string}} machine
 */
export function holdsReport({ extremes, memory, ready }, { cpu, cores, versions, date, command }) {
  const slowest = extremes.toSorted((a, b) => b.cpu - a.cpu)[0];
  return `### At the limits of an API server

Measured by \`${command}\` on ${date}: ${cpu}, ${cores} cores; ${versions.join(', ')}.

The most expensive reviews that an API server can send, judged by every policy in a process that knows 10,000 pods and a
sibling slice with 30,000 of the same addresses; 15 times each. The time of the processor says what a review costs, the
other times also what else the machine did.

| Review | MB | processor, ms | median, ms | slowest, ms |
|---|--:|--:|--:|--:|
${extremes
  .map((each) => `| ${each.name} | ${each.megabytes.toFixed(1)} | ${each.cpu.toFixed(0)} | ${each.median.toFixed(0)} | ${each.worst.toFixed(0)} |`)
  .join('\n')}

The most expensive is "${slowest.name}". Reviews above 1 MB are read while they arrive, in
pieces between which others are judged: theirs is the sum of many short turns.

Memory of that process after so many reviews, of which each thousandth was one of the table: ${memory
  .map((each) => `${each.reviews.toLocaleString('en')}: ${Math.round(each.megabytes)} MB`)
  .join('; ')}.

Ready, with ${PODS.toLocaleString('en')} pods and ${(PODS / 10).toLocaleString('en')} slices, listing ${ready
  .map((each) => `${each.name} after ${each.seconds.toFixed(2)} s (${Math.round(each.megabytes)} MB)`)
  .join(', ')}; the median of 3 runs.
`;
}
