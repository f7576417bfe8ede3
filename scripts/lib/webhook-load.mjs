/** Measures the webhook under load beside a bare server, in one run, and writes a section about it. */
import { spawn } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { cluster, reviews } from '../../benches/webhook-cluster.mjs';
import { NODE_FLAGS } from '../../webhook/node-flags.js';
import { makePair } from '../../webhook/pair.js';
import { Problem, ROOT, ask } from './run.mjs';
import { measureWrites } from '../../benches/webhook-writes.mjs';
import { verdict } from './bench-report.mjs';

/**
 * @typedef {{perSecond: number, p50: number, p99: number}} Load
 * @typedef {{ready: number, megabytes: number, times: Record<string, {median: number, p99: number, parse: number}>}} Judged
 * @typedef {{review: string, kilobytes: number, bare: Load, ours: Load}} Row
 * @typedef {{review: string, bare: number, ours: number}} Pair reviews per second of two processes of each side
 */

const SIZES = [1_000, 100_000];
const ROUNDS = 5;
/** What the webhook may add to a write, in milliseconds. */
const MOST_PER_WRITE = 1;
/** Writes spend most of their time in the API server and in etcd, which varies more. */
const ROUNDS_OF_WRITES = 15;
const SECONDS = 2;
const BENCH = ['benches/webhook.mjs'];
/** Where possible, servers and load generators run on different cores, so that they do not compete. */
const [SERVER, CALLER] = ask(['taskset', '-c', '0,1', 'true']) === null ? [[], []] : [0, 1].map((core) => ['taskset', '-c', String(core)]);

/**
 * @param {boolean} quick a smoke run
 * @returns {Promise<{rows: Row[], pair: Pair, judged: Record<number, Judged>, writes: import('../../benches/webhook-writes.mjs').Writes}>}
 */
export async function measureWebhook(quick) {
  const [rounds, seconds] = quick ? [1, 0.2] : [ROUNDS, SECONDS];
  const folder = mkdtempSync(join(tmpdir(), 'slicewise-load-'));
  /** @type {import('node:child_process').ChildProcess[]} */
  const servers = [];
  try {
    const [cert, key] = ['tls.crt', 'tls.key'].map((name) => join(folder, name));
    const pair = makePair(['localhost', '127.0.0.1']);
    writeFileSync(cert, pair.cert);
    writeFileSync(key, pair.key);
    /** @type {Record<number, Judged>} */
    const judged = {};
    for (const size of SIZES) {
      writeFileSync(join(folder, `${size}.json`), JSON.stringify(cluster(size)));
      judged[size] = JSON.parse(ask([process.execPath, ...BENCH, 'judge', join(folder, `${size}.json`)]) ?? '{}');
    }
    const start = (/** @type {string[]} */ args, core = SERVER) => {
      // Into a file: nothing reads the output under load, and a full pipe would block the writer.
      const output = join(folder, `${servers.length}.log`);
      const [program, ...rest] = [...core, process.execPath, ...args];
      const child = spawn(program, rest, { cwd: ROOT, stdio: ['ignore', openSync(output, 'w'), 'inherit'] });
      servers.push(child);
      return firstLine(child, output);
    };
    const bare = await start([...BENCH, 'bare', cert, key]);
    const free = ['--listen', '127.0.0.1:0', '--health-listen', '127.0.0.1:0'];
    const webhook = [...NODE_FLAGS, 'webhook/main.js', ...free, '--tls-cert', cert, '--tls-key', key, '--snapshot', join(folder, `${SIZES[1]}.json`)];
    const service = await start(webhook);
    const urls = { bare: `https://127.0.0.1:${bare.port}/validate`, ours: service.reviews };
    const rows = Object.entries(reviews()).map(([name, { review, policy }]) => {
      const text = JSON.stringify(review);
      const file = join(folder, 'review.json');
      writeFileSync(file, text);
      /** @type {Record<'bare' | 'ours', Load[]>} */
      const loads = { bare: [], ours: [] };
      const perSecond = (/** @type {Load} */ load) => load.perSecond;
      for (let round = 0; round < rounds; round += 1) {
        for (const side of /** @type {const} */ (['bare', 'ours'])) {
          const answer = ask([
            ...CALLER,
            process.execPath,
            ...BENCH,
            'load',
            policy ? `${urls[side]}/${policy}` : urls[side],
            cert,
            file,
            String(seconds),
          ]);
          if (answer === null) throw new Problem(`the ${side} server failed under load`);
          loads[side].push(JSON.parse(answer));
        }
      }
      return { review: name, kilobytes: text.length / 1000, bare: median(loads.bare, perSecond), ours: median(loads.ours, perSecond) };
    });
    const second = { bare: await start([...BENCH, 'bare', cert, key], CALLER), ours: await start(webhook, CALLER) };
    const pairs = { bare: [urls.bare, `https://127.0.0.1:${second.bare.port}/validate`], ours: [urls.ours, second.ours.reviews] };
    const [[name, { review }]] = Object.entries(reviews());
    writeFileSync(join(folder, 'review.json'), JSON.stringify(review));
    const together = { review: name, ...(await measurePairs(pairs, ['load', cert, join(folder, 'review.json'), String(seconds)], rounds)) };
    return { rows, pair: together, judged, writes: await measureWrites(urls, cert, quick ? 1 : ROUNDS_OF_WRITES) };
  } finally {
    for (const server of servers) server.kill();
    rmSync(folder, { recursive: true });
  }
}

/**
 * Two processes of a side at a time, each with a core, and with callers of its own, who have to share the cores.
 * @param {Record<'bare' | 'ours', string[]>} urls
 * @param {string[]} load what a caller is told
 * @param {number} rounds
 * @returns {Promise<{bare: number, ours: number}>} the median of what both together answer in a second
 */
async function measurePairs(urls, [what, ...more], rounds) {
  const called = (/** @type {string} */ url) =>
    /** @type {Promise<Load>} */ (new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [...BENCH, what, url, ...more], { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
      let text = '';
      child.stdout.on('data', (chunk) => (text += chunk));
      child.on('close', (code) => (code === 0 ? resolve(JSON.parse(text)) : reject(new Problem(`${url} failed under load`))));
    }));
  /** @type {Record<'bare' | 'ours', number[]>} */
  const sums = { bare: [], ours: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const side of /** @type {const} */ (['bare', 'ours'])) {
      const loads = await Promise.all(urls[side].map(called));
      sums[side].push(loads.reduce((sum, { perSecond }) => sum + perSecond, 0));
    }
  }
  return { bare: median(sums.bare, Number), ours: median(sums.ours, Number) };
}

/**
 * The median by a figure.
 * @template T
 * @param {T[]} all
 * @param {(each: T) => number} figure
 */
function median(all, figure) {
  return all.toSorted((a, b) => figure(a) - figure(b))[all.length >> 1];
}

/** @param {import('node:child_process').ChildProcess} child @param {string} output @returns {Promise<any>} */
async function firstLine(child, output) {
  for (;;) {
    const [line, rest] = readFileSync(output, 'utf8').split('\n', 2);
    if (rest !== undefined) return JSON.parse(line);
    if (child.exitCode !== null) throw new Problem('a server did not start');
    await delay(20);
  }
}

/**
 * @param {Awaited<ReturnType<typeof measureWebhook>>} measured
 * @param {{cpu: string, cores: number, versions: string[], date: string, command: string}} machine
 */
export function webhookReport({ rows, pair, judged, writes }, { cpu, cores, versions, date, command }) {
  const ms = (/** @type {number} */ value) => value.toFixed(2);
  const [small, large] = SIZES.map((size) => judged[size]);
  const load = rows.map(({ review, kilobytes, bare, ours }) => {
    const side = (/** @type {Load} */ { perSecond, p50, p99 }) => `${Math.round(perSecond)} | ${ms(p50)} / ${ms(p99)}`;
    return `| ${review} | ${kilobytes.toFixed(1)} | ${side(bare)} | ${side(ours)} | ${(ours.perSecond / bare.perSecond).toFixed(2)}× |`;
  });
  const process = Object.keys(small.times).map((name) => {
    const cell = (/** @type {Judged} */ { times }) => `${ms(times[name].median)} / ${ms(times[name].p99)}`;
    return `| ${name} | ${cell(small)} | ${cell(large)} | ${ms(large.times[name].parse)} |`;
  });
  // What the bare server does besides parsing, the webhook has to do as well.
  const bound = (/** @type {Row} */ { review, bare }) => 1 / (1 - (large.times[review].parse * bare.perSecond) / 1000);
  const bounds = rows.map((row) => `${bound(row).toFixed(1)}× (${row.review})`).join(', ');
  return `## The webhook

Measured by \`${command}\` on ${date}: ${cpu}, ${cores} cores; ${versions.join(', ')}. ${
    SERVER.length > 0 ? 'Servers have one core, and their callers another.' : 'Servers and callers share the cores.'
  }

Reviews of an EndpointSlice with 100 endpoints, over TLS 1.3 on 16 persistent connections, compared with a server that
only does \`JSON.parse\`, one after the other in each of ${ROUNDS} rounds of ${SECONDS} s; the median round counts.
The webhook knows ${SIZES[1].toLocaleString('en')} pods.

| Review | KB | bare, reviews/s | p50 / p99 ms | webhook, reviews/s | p50 / p99 ms | |
|---|--:|--:|--:|--:|--:|--:|
${load.join('\n')}

Two processes of each, with a core for each process, share the cores with their callers:
${Math.round(pair.bare)} reviews/s by the bare servers, ${Math.round(pair.ours)} by the webhooks
(${pair.review}; ${(pair.ours / pair.bare).toFixed(2)}×).

In the process, by the number of known pods (median / p99, ms):

| Review | ${SIZES[0].toLocaleString('en')} pods | ${SIZES[1].toLocaleString('en')} pods | \`JSON.parse\` alone, median |
|---|--:|--:|--:|
${process.join('\n')}

Both servers spend the rest of their time on TLS and HTTP in Node. A server that took no time at all to judge would
therefore be at most this much faster than the bare one: ${bounds}.

An update of that slice in a real API server with an embedded etcd, one after the other, alternating between no hook and each hook;
the median of ${ROUNDS_OF_WRITES} times 100: ${ms(writes.none)} ms without, ${ms(writes.bare)} ms with the bare server
(${ms(writes.bare - writes.none)} ms more), ${ms(writes.ours)} ms with the webhook
(${ms(writes.ours - writes.none)} ms more). Wanted are at most ${ms(MOST_PER_WRITE)} ms more:
${verdict(writes.ours - writes.none <= MOST_PER_WRITE)}. Of them, ${ms(writes.ours - writes.bare)} ms are the judgement; the call of a
webhook that judges nothing takes the rest.

Ready ${ms(large.ready)} ms after a snapshot of ${SIZES[1].toLocaleString('en')} pods and 10,000 slices has been read;
${Math.round(large.megabytes)} MB of memory, the
snapshot's own text included.
`;
}
