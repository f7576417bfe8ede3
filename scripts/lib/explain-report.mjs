/** Measures explanations and an audit of a whole cluster next to its plans, and writes a section about it. */
import { statSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { writeCluster } from '../../benches/cluster.mjs';
import { CLI } from './paths.mjs';
import { Problem } from './run.mjs';

const GOAL = 1.5;
/** In seconds. */
const AUDIT_GOAL = 10;
const COMMANDS = /** @type {const} */ ({ plan: ['-o', 'summary'], explain: ['--no-pager'], audit: ['-o', 'openreports-json'] });

/** @param {string} folder @param {boolean} quick a smoke run */
export function measureExplain(folder, quick) {
  const file = join(folder, 'cluster.json');
  const size = writeCluster(file, quick ? 50 : 5000, CLI);
  /** @type {Record<keyof typeof COMMANDS, number[]>} */
  const seconds = { plan: [], explain: [], audit: [] };
  /** @param {keyof typeof COMMANDS} name */
  const run = (name) => {
    const begin = performance.now();
    const { status } = spawnSync(CLI, [name, file, ...COMMANDS[name]], { stdio: ['ignore', 'ignore', 'inherit'] });
    if (status !== 0) throw new Problem(`\`slicewise ${name}\` failed`);
    seconds[name].push((performance.now() - begin) / 1000);
  };
  // In turn, so that a neighbour disturbs both. Audits are apart: after their memory, the system takes longer to give out more.
  for (let round = 0; round < (quick ? 1 : 15); round += 1) for (const name of /** @type {const} */ (['plan', 'explain'])) run(name);
  for (let round = 0; round < (quick ? 1 : 5); round += 1) run('audit');
  const median = (/** @type {number[]} */ all) => all.toSorted((a, b) => a - b)[all.length >> 1] ?? 0;
  const { plan, explain, audit } = seconds;
  return {
    ...size, megabytes: statSync(file).size / 1e6,
    plan: median(plan), explain: median(explain), audit: median(audit), rounds: plan.length, audits: audit.length,
  };
}

/**
 * @param {ReturnType<typeof measureExplain>} measured
 * @param {{cpu: string, cores: number, versions: string[], date: string, command: string}} machine
 */
export function explainReport({ services, pods, megabytes, plan, explain, audit, rounds, audits }, { cpu, cores, versions, date, command }) {
  const ratio = explain / plan;
  const count = (/** @type {number} */ number) => number.toLocaleString('en');
  return `## Explanations

What it costs to explain and to audit a settled cluster of ${count(services)} Services and ${count(pods)} pods, ${megabytes.toFixed(0)} MB of JSON
(\`benches/cluster.mjs\`), as whole processes, the median of ${rounds} of each in turn, and of
${audits} audits.

Written by \`${command}\` on ${date}; ${cpu}, ${cores} cores; ${versions.join(', ')}.

| | seconds |
|---|--:|
| \`slicewise plan\` | ${plan.toFixed(2)} |
| \`slicewise explain\` | ${explain.toFixed(2)} |
| goal: at most ${GOAL} × a plan | ${ratio.toFixed(2)} ×, ${ratio > GOAL ? '**missed**' : 'met'} |
| \`slicewise audit\` | ${audit.toFixed(2)} |
| goal: at most ${AUDIT_GOAL} s | ${audit > AUDIT_GOAL ? '**missed**' : 'met'} |

An explanation reads each pod a second time, for what plans do not read (containers, conditions with their reasons), and
computes who is served from the live slices of each Service. An audit judges each Service, slice and node by the policies of the webhook.
`;
}
