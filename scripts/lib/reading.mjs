/** What it takes to read objects, in each form they come in; and a page of it. */
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from '../../benches/generate.mjs';
import { CLI } from './paths.mjs';
import { Problem } from './run.mjs';

/**
 * @typedef {import('../bench.mjs').Sample} Sample
 * @typedef {{form: string, megabytes: number, native: Sample, wasm: Sample}} Reading
 * @typedef {{megabytes: number, seconds: number, megabytesOfMemory: number}} Dump
 * @typedef {{cpu: string, cores: number, versions: string[], date: string, command: string, notes: string}} Machine
 */

const PODS = 1000;
const OF = /** @type {const} */ ({ scenario: 'creation', hints: false, slim: false });
const NOTHING = { slices: [], state: {} };
/** Some 386 MB. */
const MANY = 73_500;
/** Ticks of the clock by which Linux counts a process's time. */
const TICKS = 100;

/** The same objects in each form. @returns {Record<string, string>} */
function inEachForm() {
  const { service, pods, nodes } = JSON.parse([...request({ ...OF, size: PODS }, NOTHING)].join(''));
  const items = [service, ...pods, ...nodes];
  const list = { apiVersion: 'v1', items, kind: 'List', metadata: { resourceVersion: '' } };
  return {
    'a request': JSON.stringify({ service, pods, nodes }),
    'a `List`': JSON.stringify(list),
    'an array': JSON.stringify(items),
    'one object after another': items.map((item) => JSON.stringify(item)).join('\n'),
    'a `List`, laid out': JSON.stringify(list, null, 4),
    'a `List` of 40 apps, mixed': JSON.stringify({ ...list, items: [service, ...pods.map(mixed), ...nodes] }),
  };
}

/** Pods of many apps, in no order: what one has in common with the next is little more than its keys. @param {any} pod @param {number} index */
function mixed(pod, index) {
  const app = (index * 7_368_787) % 40;
  const container = pod.spec.containers[0];
  container.name = container.image = `app-${app}`;
  container.env = container.env.slice(0, 1 + (app % 4));
  pod.metadata.labels = { ...pod.metadata.labels, [`example.com/part-${app % 5}`]: `app-${app}` };
  if (app % 3 === 0) delete pod.spec.affinity;
  if (app % 4 === 0) delete pod.metadata.ownerReferences;
  return pod;
}

/**
 * @param {string} folder
 * @param {(file: string) => Record<string, Sample>} native times a file natively
 * @param {(file: string) => Record<string, Sample>} wasm times it in WebAssembly
 * @returns {Reading[]}
 */
export function measureForms(folder, native, wasm) {
  return Object.entries(inEachForm()).map(([form, text]) => {
    const file = join(folder, 'reading.json');
    writeFileSync(file, text);
    const reading = { form, megabytes: Buffer.byteLength(text) / 1e6, native: native(file).json, wasm: wasm(file).json };
    rmSync(file);
    console.log(`${form}: ${reading.native.median.toFixed(2)} ms native, ${reading.wasm.median.toFixed(2)} ms wasm`);
    return reading;
  });
}

/**
 * A dump on standard input: the command's own time, and the most memory it took.
 * @param {string} folder
 * @param {(file: string, pieces: Iterable<string>) => number} write
 * @param {number} pods
 * @returns {Promise<Dump>}
 */
export async function measureDump(folder, write, pods = MANY) {
  const file = join(folder, 'dump.json');
  const megabytes = write(file, listOf(pods)) / 1e6;
  const input = openSync(file, 'r');
  const child = spawn(CLI, ['plan', '-o', 'summary'], { stdio: [input, 'ignore', 'inherit'] });
  let [seconds, memory] = [NaN, NaN];
  const look = () => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      const [, user, system] = /\) (?:\S+ ){11}(\d+) (\d+)/.exec(readFileSync(`/proc/${child.pid}/stat`, 'utf8')) ?? [];
      const peak = /VmHWM:\s+(\d+)/.exec(status)?.[1];
      if (peak) [seconds, memory] = [(Number(user) + Number(system)) / TICKS, Number(peak) / 1024];
    } catch {
      // It has ended.
    }
  };
  const timer = setInterval(look, 2);
  const code = await new Promise((resolve) => child.on('exit', resolve));
  clearInterval(timer);
  closeSync(input);
  rmSync(file);
  if (code !== 0) throw new Problem(`\`slicewise plan\` failed with ${code} on ${megabytes.toFixed(0)} MB`);
  console.log(`${megabytes.toFixed(0)} MB from standard input: ${seconds.toFixed(2)} s, ${memory.toFixed(0)} MB`);
  return { megabytes, seconds, megabytesOfMemory: memory };
}

/** A `List` of a Service and its pods, as `kubectl` prints it. @param {number} pods */
function* listOf(pods) {
  const tail = '],"nodes":[';
  let isFirst = true;
  for (const piece of request({ ...OF, size: pods }, NOTHING)) {
    if (isFirst) yield `{"apiVersion":"v1","items":[${piece.slice('{"service":'.length, piece.lastIndexOf(',"pods":['))},`;
    else if (piece.startsWith(tail.slice(0, 10))) yield `,${piece.slice(tail.length, piece.lastIndexOf('],"slices":['))}],"kind":"List"}`;
    else if (!piece.startsWith(']')) yield piece;
    else return;
    isFirst = false;
  }
}

/** @param {{forms: Reading[], dump: Dump} & Machine} results */
export function readingReport({ forms, dump, cpu, cores, versions, date, command, notes }) {
  const [base] = forms;
  const row = (/** @type {Reading} */ { form, megabytes, native, wasm }) => {
    const speed = (/** @type {Sample} */ sample) => `${sample.median.toFixed(2)} | ${(megabytes / (sample.median / 1000) / 1000).toFixed(2)} | ${(sample.median / (base?.[sample === native ? 'native' : 'wasm'].median ?? NaN)).toFixed(2)}`;
    return `| ${form} | ${megabytes.toFixed(1)} | ${speed(native)} | ${speed(wasm)} |`;
  };
  const met = (/** @type {boolean} */ is) => (is ? 'met' : '**missed**');
  const list = forms.find(({ form }) => form === 'a `List`');
  const worst = list && base ? Math.max(list.native.median / base.native.median, list.wasm.median / base.wasm.median) : NaN;
  return `# Reading

What it takes to read ${PODS.toLocaleString('en')} pods of 5 KB with their Service and nodes, and to plan the Service, in each form
objects come in. Times, ids and annotations differ from pod to pod. Medians.

Written by \`${command}\` on ${date}; ${cpu}, ${cores} cores; ${versions.join(', ')}.

| Target | Wanted | Measured |  |
| --- | --- | --: | --: |
| a \`List\` to a request of the same objects, native and wasm | ≤ 1.2× | ${worst.toFixed(2)}× | ${met(worst <= 1.2)} |
| ${dump.megabytes.toFixed(0)} MB of pods from standard input, time of the process | < 1.0 s | ${dump.seconds.toFixed(2)} s | ${met(dump.seconds < 1)} |
| the same, memory | < 200 MB | ${dump.megabytesOfMemory.toFixed(0)} MB | ${met(dump.megabytesOfMemory < 200)} |

| | MB | native, ms | GB/s | to a request | wasm, ms | GB/s | to a request |
| --- | --: | --: | --: | --: | --: | --: | --: |
${forms.map(row).join('\n')}

<!-- notes -->
${notes}<!-- /notes -->
`;
}
