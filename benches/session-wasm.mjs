/**
 * Times a session of the npm package in Node: events in, plans out; as `benches/session.rs` does natively.
 *
 * `node benches/session-wasm.mjs REQUEST EVENTS [MILLISECONDS]` prints one JSON line for each measurement.
 */
import { readFileSync } from 'node:fs';
import { Session } from 'slicewise/session';

const [request, events, milliseconds = '1000'] = process.argv.slice(2);
if (!request || !events) throw new Error('usage: session-wasm.mjs REQUEST EVENTS [MILLISECONDS]');

const MOST = 20_000;
const SERVICE = 'shop/cart';
const encoder = new TextEncoder();
const decoder = new TextDecoder();
const lines = readFileSync(events, 'utf8').trimEnd().split('\n');

const { service, nodes, pods, slices } = JSON.parse(readFileSync(request, 'utf8'));
/** @param {string} kind @param {unknown[]} items @param {string} [apiVersion] */
const list = (kind, items, apiVersion = 'v1') => encoder.encode(JSON.stringify({ kind, apiVersion, items }));
// No single input exceeds the module's limit.
const lists = [
  list('NodeList', nodes),
  list('ServiceList', [service]),
  list('PodList', pods),
  list('EndpointSliceList', slices, 'discovery.k8s.io/v1'),
];

const session = new Session(undefined, { maxInputBytes: 2 ** 30 });
const { time: start } = timed(() => {
  for (const bytes of lists) session.apply(bytes);
  const plan = JSON.parse(decoder.decode(session.syncBytes(SERVICE)));
  if (plan.update.length > 0) throw new Error('the slices are not as they should be');
});
report('start', [start]);
changes();
quiet();

/** One changed pod: its event in, the plan out. The event that returns the written slice is not timed. */
function changes() {
  const times = [];
  const echoes = [];
  let spent = 0;
  for (let turn = 0; turn < MOST && spent < Number(milliseconds); turn += 1) {
    const event = encoder.encode(withVersion(lines[turn % lines.length] ?? '', 9_000_000 + turn));
    const { answer, time } = timed(() => {
      session.apply(event);
      return session.syncBytes(SERVICE);
    });
    times.push(time);
    spent += time;
    const { kind, apiVersion, ...rest } = JSON.parse(decoder.decode(answer)).update[0];
    const echo = JSON.stringify({ type: 'MODIFIED', object: { kind, apiVersion, ...rest } });
    const bytes = encoder.encode(withVersion(echo, 9_000_000 + turn));
    echoes.push(timed(() => session.apply(bytes)).time);
  }
  report('change', times);
  report('slice event', echoes);
}

/** Events that change nothing plans depend on. */
function quiet() {
  const ready = lines.slice(lines.length / 2);
  const times = [];
  let spent = 0;
  for (let turn = 0; turn < MOST && spent < Number(milliseconds); turn += 1) {
    const event = encoder.encode(withVersion(ready[turn % ready.length] ?? '', 99_000_000 + turn));
    const { time } = timed(() => session.apply(event));
    times.push(time);
    spent += time;
  }
  report('quiet event', times);
}

/** @param {string} event @param {number} version */
function withVersion(event, version) {
  return event.replace(/"resourceVersion":"\d+"/, `"resourceVersion":"${version}"`);
}

/** @template T @param {() => T} call @returns {{answer: T, time: number}} */
function timed(call) {
  const begin = performance.now();
  const answer = call();
  return { answer, time: performance.now() - begin };
}

/** @param {string} what @param {number[]} times */
function report(what, times) {
  times.sort((a, b) => a - b);
  console.log(JSON.stringify({ what, median: times[times.length >> 1], best: times[0], runs: times.length, writes: '' }));
}
