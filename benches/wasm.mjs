/**
 * Times a plan request or a snapshot through the npm package in Node: JSON in → plan out, and `JSON.parse` of the same bytes.
 *
 * `node benches/wasm.mjs FILE [MILLISECONDS]` prints one JSON line for each measurement; without FILE, only the time
 * from `import` to the package's first answer.
 */
import { readFileSync } from 'node:fs';

const [file, milliseconds = '1000'] = process.argv.slice(2);
const NOTHING = new TextEncoder().encode('{"service":{"metadata":{"name":"none","namespace":"none"},"spec":{}}}');

const begin = performance.now();
const { detect, plan: planRequest, planSnapshot } = await import('slicewise');
planRequest(NOTHING);
const ready = performance.now() - begin;
console.log(JSON.stringify({ what: 'ready', median: ready, best: ready, runs: 1, writes: '' }));

if (file) {
  const bytes = new Uint8Array(readFileSync(file));
  const plan = detect(bytes) === 'snapshot' ? planSnapshot : planRequest;
  const made = JSON.parse(new TextDecoder().decode(plan(bytes)));
  const [{ create, update, delete: gone }] = made.plans ?? [made];
  const writes = [create, update, gone].map((list) => list.length).join('+');
  measure('json', writes, () => plan(bytes));
  const text = new TextDecoder().decode(bytes);
  // Consecutive objects are not one JSON text.
  if (!text.includes('}\n{')) measure('parse', writes, () => JSON.parse(text));
}

/**
 * Calls until the budget is spent, at least once, and prints the median.
 * @param {string} what
 * @param {string} writes
 * @param {() => unknown} call
 */
function measure(what, writes, call) {
  const times = [];
  const end = performance.now() + Number(milliseconds);
  while (times.length === 0 || (performance.now() < end && times.length < 10_000)) {
    const start = performance.now();
    call();
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  console.log(JSON.stringify({ what, median: times[times.length >> 1], best: times[0], runs: times.length, writes }));
}
