/**
 * Times how long it takes to hand over 1,000 pods that are already objects: directly, and as JSON from
 * `JSON.stringify`, encoded, with the answer parsed. The two alternate in one process, some runs at a time: the first run after
 * a change is not counted, because it collects the garbage of the other way.
 *
 * `node benches/object-door.mjs [MILLISECONDS]` prints one JSON line for each measurement.
 */
import { applied, creation, request } from './generate.mjs';
import { plan, planSnapshot } from 'slicewise';
import { Session } from 'slicewise/session';

const [milliseconds = '1000'] = process.argv.slice(2);
const OF = /** @type {const} */ ({ size: 1000, scenario: 'one-replaced', hints: false, slim: false });
/** How many runs of one way follow each other. */
const AT_ONCE = 8;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

const created = /** @type {any} */ (plan(JSON.parse([...creation(OF)].join(''))));
const whole = JSON.parse([...request(OF, applied(created))].join(''));
const { service, nodes, pods, slices } = whole;
const session = new Session();
const all = { kind: 'List', apiVersion: 'v1', items: [service, ...nodes, ...slices, ...pods] };
const podList = { kind: 'PodList', apiVersion: 'v1', metadata: { resourceVersion: '1' }, items: pods };
const events = pods.map((/** @type {any} */ object) => ({ type: 'MODIFIED', object }));

/**
 * @param {string} what
 * @param {unknown[]} inputs one call each
 * @param {(input: any) => any} call
 */
function measure(what, inputs, call) {
  const ways = {
    door: () => inputs.map((input) => call(input)),
    plain: () => inputs.map((input) => JSON.parse(decoder.decode(call(encoder.encode(JSON.stringify(input)))))),
  };
  if (JSON.stringify(ways.door()) !== JSON.stringify(ways.plain())) throw new Error(`${what}: the answers differ`);
  /** @type {Record<keyof typeof ways, number[]>} */
  const times = { door: [], plain: [] };
  const end = performance.now() + Number(milliseconds);
  while (times.door.length < 5 || performance.now() < end) {
    for (const way of /** @type {const} */ (['door', 'plain'])) {
      ways[way]();
      for (let run = 0; run < AT_ONCE; run += 1) {
        const start = performance.now();
        ways[way]();
        times[way].push(performance.now() - start);
      }
    }
  }
  for (const way of /** @type {const} */ (['door', 'plain'])) {
    const [best, runs] = [Math.min(...times[way]), times[way].length];
    const median = times[way].sort((a, b) => a - b)[runs >> 1];
    console.log(JSON.stringify({ what: `${what}, ${way}`, median, best, runs, writes: '' }));
  }
}

measure('plan: a request', [whole], plan);
measure('planSnapshot: a `List`', [all], planSnapshot);
session.apply(all);
measure('session: events, one by one', events, (event) => session.apply(event));
measure('session: events, in one list', [events], (list) => session.apply(list));
measure('session: a `PodList`', [podList], (list) => session.apply(list));
measure('session: a `List`', [all], (list) => session.apply(list));
