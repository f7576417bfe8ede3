/** Measures reading objects in each input format, and writes a section about it. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { request } from '../../benches/generate.mjs';
import { table, times, verdict } from './bench-report.mjs';
import { CLI } from './paths.mjs';
import { Problem } from './run.mjs';

/**
 * @typedef {import('../bench.mjs').Sample} Sample
 * @typedef {'native' | 'wasm' | 'go' | 'goWasm'} Side
 * @typedef {{pods: number, form: string, megabytes: number} & Partial<Record<Side, Sample>>} Reading
 * @typedef {(file: string, sides: string[]) => Record<string, Record<string, Sample>>} Measure
 * @typedef {{measure: Measure, sides: string[], sizes: readonly number[]}} Sides
 * @typedef {{format: string, megabytes: number, seconds: number, memory: number, least: number, ratio: number | null}} Dump
 * @typedef {{cpu: string, cores: number, versions: string[], date: string, command: string, notes: string}} Machine
 */

const OF = /** @type {const} */ ({ scenario: 'creation', hints: false, slim: false });
const NOTHING = { slices: [], state: {} };
/** About 53 MB of JSON. */
const SEVERAL = 10_000;
/** About 390 MB of JSON. */
const MANY = 73_500;
/** The number of pods that a dump in YAML repeats, under other names. */
const WRITTEN = 500;
/** How often a process is timed; the median counts. */
const RUNS = 7;
/** In MB/s. */
const [LEAST, LEAST_OF_KUBECTL, LEAST_OF_YAML] = [800, 300, 80];

const REQUEST = 'a request';
const LIST = 'a `List`';
/** The formats that the reference reads as well. */
const REQUESTS = [REQUEST, 'a request, laid out', 'a request of 40 apps, mixed'];

/** The same objects in each format. @param {number} size @returns {Record<string, () => string>} */
function inEachForm(size) {
  const { service, pods, nodes } = JSON.parse([...request({ ...OF, size }, NOTHING)].join(''));
  const items = [service, ...pods, ...nodes];
  const whole = { service, pods, nodes };
  const list = { apiVersion: 'v1', items, kind: 'List', metadata: { resourceVersion: '' } };
  const [plain, laidOut, mixedUp] = REQUESTS;
  return {
    [plain]: () => JSON.stringify(whole),
    [LIST]: () => JSON.stringify(list),
    'an array': () => JSON.stringify(items),
    'one object after another': () => items.map((item) => JSON.stringify(item)).join('\n'),
    [laidOut]: () => JSON.stringify(whole, null, 4),
    'a `List`, laid out': () => JSON.stringify(list, null, 4),
    // Last, because they modify the pods.
    [mixedUp]: () => JSON.stringify({ ...whole, pods: pods.map(mixed) }),
    'a `List` of 40 apps, mixed': () => JSON.stringify({ ...list, items: [service, ...pods, ...nodes] }),
  };
}

/** Pods of many apps in random order: neighbours share little more than their keys. @param {any} pod @param {number} index */
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
 * Each format at the smallest size; at other sizes, only a request and a `List`.
 * @param {string} folder
 * @param {Sides} sides
 * @returns {Reading[]}
 */
export function measureForms(folder, { measure, sides, sizes }) {
  const file = join(folder, 'reading.json');
  const wanted = sizes.flatMap((pods, index) => {
    const forms = Object.entries(inEachForm(pods));
    const chosen = forms.filter(([form]) => index === 0 || form === REQUEST || form === LIST);
    return chosen.map(([form, text]) => ({ pods, form, text }));
  });
  return wanted.map(({ pods, form, text }) => {
    writeFileSync(file, text());
    /** @type {Reading} */
    const reading = { pods, form, megabytes: statSync(file).size / 1e6 };
    const chosen = sides.filter((side) => !side.startsWith('go') || REQUESTS.includes(form));
    for (const [side, { json }] of Object.entries(measure(file, chosen))) reading[/** @type {Side} */ (side)] = json;
    rmSync(file);
    const shown = sides.map((side) => `${ms(reading[/** @type {Side} */ (side)])} ms ${side}`);
    console.log(`${pods} pods, ${form}: ${shown.join(', ')}`);
    return reading;
  });
}

/** @param {Sample | undefined} sample */
const ms = (sample) => (sample ? sample.median.toFixed(2) : '–');

/**
 * Dumps on standard input: the time and memory of `slicewise plan` as a process, and of the reference for a request.
 * @param {string} folder
 * @param {{write: (file: string, pieces: Iterable<string>) => number, go: string[], isQuick: boolean}} sides
 * @returns {Promise<Dump[]>}
 */
export async function measureDumps(folder, { write, go, isQuick }) {
  const [several, many] = isQuick ? [100, 1000] : [SEVERAL, MANY];
  /** @type {[string, Iterable<string>, number][]} */
  const formats = [
    [`a request of ${several.toLocaleString('en')} pods`, request({ ...OF, size: several }, NOTHING), LEAST],
    [`a \`List\` of ${several.toLocaleString('en')} pods`, listOf(several), LEAST],
    [`a \`List\` of ${many.toLocaleString('en')} pods`, listOf(many), LEAST],
    ['the same in YAML, as `kubectl` prints it', listInYaml(many, inBlocks), LEAST_OF_KUBECTL],
    [`YAML of ${several.toLocaleString('en')} pods, in flow style`, listInYaml(several, inFlow), LEAST_OF_YAML],
  ];
  const dumps = [];
  for (const [format, pieces, least] of formats) {
    const file = join(folder, 'dump.json');
    const megabytes = write(file, pieces) / 1e6;
    const ours = [CLI, 'plan', '--max-input-bytes', String(2 ** 31), '-o'];
    const seconds = secondsOf([...ours, 'summary'], file);
    const isRequest = format.startsWith('a request');
    const ratio = isRequest ? secondsOf([...go, file, '0', 'json'], file) / secondsOf([...ours, 'json'], file) : null;
    const memory = await megabytesOfMemory([...ours, 'summary'], file);
    rmSync(file);
    console.log(`${format}, ${megabytes.toFixed(0)} MB: ${seconds.toFixed(3)} s, ${memory.toFixed(0)} MB of memory`);
    dumps.push({ format, megabytes, seconds, memory, least, ratio });
  }
  return dumps;
}

/** The time of a process, of several runs. @param {string[]} command @param {string} file its standard input */
function secondsOf([program, ...args], file) {
  const runs = Array.from({ length: RUNS }, () => {
    const input = openSync(file, 'r');
    const begin = performance.now();
    const { status } = spawnSync(program, args, { stdio: [input, 'ignore', 'inherit'] });
    const seconds = (performance.now() - begin) / 1000;
    closeSync(input);
    if (status !== 0) throw new Problem(`\`${program}\` failed with ${status} on a dump`);
    return seconds;
  });
  return runs.sort((a, b) => a - b)[RUNS >> 1];
}

/** The most memory that a process takes, in one more run, which it disturbs to look. @param {string[]} command @param {string} file */
async function megabytesOfMemory([program, ...args], file) {
  const input = openSync(file, 'r');
  const child = spawn(program, args, { stdio: [input, 'ignore', 'inherit'] });
  const exited = once(child, 'exit');
  let megabytes = NaN;
  // A process that has ended has no memory, but a status until it is waited for.
  for (;;) {
    const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1];
    if (!peak) break;
    megabytes = Number(peak) / 1024;
  }
  await exited;
  closeSync(input);
  return megabytes;
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

/** As `kubectl` writes it: in blocks, with sorted keys. @param {unknown} object */
const inBlocks = (object) =>
  stringify([object], { lineWidth: 0, aliasDuplicateObjects: false, indentSeq: false, sortMapEntries: true, version: '1.1' });

/** @param {unknown} object */
const inFlow = (object) => `- ${stringify(object, { lineWidth: 0, aliasDuplicateObjects: false, collectionStyle: 'flow' })}`;

/** The same in YAML. @param {number} pods @param {(object: unknown) => string} item */
function* listInYaml(pods, item) {
  const { service, pods: written, nodes } = JSON.parse([...request({ ...OF, size: Math.min(pods, WRITTEN) }, NOTHING)].join(''));
  yield `apiVersion: v1\nitems:\n${[service, ...nodes].map(item).join('')}`;
  for (let copy = 0; copy * WRITTEN < pods; copy += 1) {
    for (const pod of written) yield item({ ...pod, metadata: { ...pod.metadata, name: `${pod.metadata.name}-${copy}` } });
  }
  yield 'kind: List\nmetadata:\n  resourceVersion: ""\n';
}

/** How many times as long one takes as the other. @param {Sample | undefined} one @param {Sample | undefined} other */
const ratio = (one, other) => (one && other ? one.median / other.median : null);

/** @param {(number | null)[]} found @param {(...values: number[]) => number} worst */
function worstOf(found, worst) {
  const known = found.filter((value) => value !== null);
  return known.length > 0 ? worst(...known) : null;
}

/** @param {Reading[]} forms @param {Dump[]} dumps */
function targets(forms, dumps) {
  const requestOf = (/** @type {Reading} */ { pods }) => forms.find((other) => other.pods === pods && other.form === REQUEST);
  const lists = forms.filter(({ form }) => form === LIST);
  const toRequests = lists.flatMap((list) => [ratio(list.native, requestOf(list)?.native), ratio(list.wasm, requestOf(list)?.wasm)]);
  const toRequest = worstOf(toRequests, Math.max);
  const atLeast = (/** @type {string} */ what, /** @type {number} */ least, /** @type {(form: Reading) => number | null} */ rate) => {
    const worst = worstOf(forms.map(rate), Math.min);
    return [what, `≥ ${least}×`, times(worst), verdict(worst === null ? null : worst >= least)];
  };
  return [
    [
      'a `List` to a request of the same objects, native and wasm',
      '≤ 1.2×',
      toRequest === null ? '–' : `${toRequest.toFixed(2)}×`,
      verdict(toRequest === null ? null : toRequest <= 1.2),
    ],
    atLeast('JSON request in, plan out, native, to Go', 25, ({ native, go }) => ratio(go, native)),
    atLeast('the same in wasm, to native Go', 12, ({ wasm, go }) => ratio(go, wasm)),
    atLeast('a request of 10,000 pods in wasm, to native Go', 18, ({ pods, wasm, go }) => (pods === SEVERAL ? ratio(go, wasm) : null)),
    atLeast('JSON request in, plan out, in wasm, to Go in wasm', 80, ({ wasm, goWasm }) => ratio(goWasm, wasm)),
    ...dumps.flatMap(({ format, megabytes, seconds, memory, least, ratio: faster }) => {
      const rate = megabytes / seconds;
      const rows = [[`${format}, the whole process`, `≥ ${least} MB/s`, `${rate.toFixed(0)} MB/s`, verdict(rate >= least)]];
      if (faster !== null) rows.push(['the same, JSON in, plan out, to the process of the reference', '≥ 25×', times(faster), verdict(faster >= 25)]);
      if (format.startsWith('a `List`')) {
        rows.push(['the same, memory', '< 200 MB', `${memory.toFixed(0)} MB`, verdict(memory < 200)]);
      }
      return rows;
    }),
  ];
}

/** @param {{forms: Reading[], dumps: Dump[]} & Machine} results */
export function readingReport({ forms, dumps, cpu, cores, versions, date, command, notes }) {
  const row = (/** @type {Reading} */ { pods, form, megabytes, native, wasm, go, goWasm }) => {
    const rate = (/** @type {Sample | undefined} */ sample) => (sample ? (megabytes / sample.median).toFixed(2) : '–');
    return [
      pods.toLocaleString('en'), form, megabytes.toFixed(1), ms(native), rate(native), ms(go), times(ratio(go, native)),
      ms(wasm), rate(wasm), times(ratio(go, wasm)), ms(goWasm), times(ratio(goWasm, wasm)),
    ];
  };
  const dumped = (/** @type {Dump} */ { format, megabytes, seconds, memory }) =>
    [format, megabytes.toFixed(0), seconds.toFixed(3), (megabytes / seconds).toFixed(0), memory.toFixed(0)];
  return `## Reading

The cost of reading pods of 5 KB with their Service and nodes, and of planning the Service, for each supported form of
input: JSON in, plan out. Times, ids and annotations differ from pod to pod. Go is the reference, which only reads
requests.

Written by \`${command}\` on ${date}; ${cpu}, ${cores} cores; ${versions.join(', ')}.

${table(['Target', 'Wanted', 'Worst case measured', ''], targets(forms, dumps))}

${table(['Pods', 'Form', 'MB', 'native, ms', 'GB/s', 'Go, ms', '×', 'wasm, ms', 'GB/s', 'to native Go ×', 'Go in wasm, ms', '×'], forms.map(row))}

From standard input through \`slicewise plan\`, as a process; the median of ${RUNS}:

${table(['Input', 'MB', 'seconds', 'MB/s', 'memory, MB'], dumps.map(dumped))}

<!-- notes -->
${notes}<!-- /notes -->
`;
}
