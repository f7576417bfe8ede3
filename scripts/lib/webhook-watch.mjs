/** Measures how the webhook reads a large cluster, beside the informers of Kubernetes' client library: a part of its section. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Problem, ROOT, ask } from './run.mjs';

/**
 * @typedef {{seconds: number, cpuSeconds: number, megabytes: number, peak: number, before?: number, last?: number, megabytesRead?: number}} Learnt
 * @typedef {{name: string, learnt: Learnt}} Row
 */

const PODS = 100_000;
const ROUNDS = 3;
const BENCH = 'benches/webhook-watch.mjs';

/** The measurements, and the kind of server for each. */
const CASES = /** @type {const} */ ([
  ['the webhook, listing by streams', 'stream', 'watch'],
  ['the webhook, listing in pages', 'pages', 'watch'],
  ['the same bytes, thrown away', 'stream', 'read'],
  ['informers of `@kubernetes/client-node`', 'pages', 'informer'],
]);

/** @param {boolean} quick a smoke run @returns {Promise<{pods: number, rows: Row[]}>} */
export async function measureWatch(quick) {
  const [pods, rounds] = quick ? [1_000, 1] : [PODS, ROUNDS];
  /** @type {Row[]} */
  const rows = [];
  for (const [name, mode, what] of CASES) {
    const server = spawn(process.execPath, [BENCH, 'serve', String(pods), mode], { cwd: ROOT, stdio: ['pipe', 'pipe', 'inherit'] });
    try {
      const { kubeconfig } = JSON.parse(await new Promise((resolve) => createInterface({ input: server.stdout }).once('line', resolve)));
      const all = Array.from({ length: rounds }, () => {
        const answer = ask([process.execPath, '--max-old-space-size=8192', BENCH, what, kubeconfig]);
        if (answer === null) throw new Problem(`\`${what}\` did not learn the cluster`);
        return /** @type {Learnt} */ (JSON.parse(answer));
      });
      rows.push({ name, learnt: all.toSorted((a, b) => a.seconds - b.seconds)[all.length >> 1] });
    } finally {
      server.kill();
    }
  }
  return { pods, rows };
}

/** @param {Awaited<ReturnType<typeof measureWatch>>} measured */
export function watchReport({ pods, rows }) {
  const lines = rows.map(({ name, learnt: { seconds, cpuSeconds, megabytes, peak } }) => {
    return `| ${name} | ${seconds.toFixed(1)} | ${cpuSeconds.toFixed(1)} | ${Math.round(megabytes)} | ${Math.round(peak)} |`;
  });
  const [{ learnt: watched }] = rows;
  return `
### Reading a cluster

${pods.toLocaleString('en')} pods and ${(pods / 10).toLocaleString('en')} slices, ${Math.round(watched.megabytesRead ?? 0)} MB of JSON over
TLS from a server on the same cores; the median of ${ROUNDS} runs.
Of the webhook's memory, ${Math.round(watched.before ?? 0)} MB are in use before any data arrives:
Node, the module, and the client library that reads kubeconfigs.

| | s until all is known | CPU, s | memory, MB | at most, MB |
|---|--:|--:|--:|--:|
${lines.join('\n')}

Bytes are processed as they arrive: the webhook is ready ${(watched.last ?? 0).toFixed(2)} ms after the last of them.
Informers decode each object and keep all of it.
`;
}
