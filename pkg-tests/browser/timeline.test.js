/** Playing scenarios: each has the expected outcome, and any moment equals that of a run from the start. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Recording } from '../../www/model/recording.js';
import { bytes, clock } from '../../www/model/timeline-text.js';
import { SCENARIOS } from '../../www/samples/scenarios.js';
import { Runs } from '../../www/timeline.js';
import { stepPath } from '../../www/views/timeline-plots.js';

/** @import {Step} from '../../www/model/recording.js' */

/** @param {string} text @param {string} [service] */
async function run(text, service = '') {
  const runs = new Runs();
  const opened = await runs.open(text, service);
  assert.ok(opened.ok, JSON.stringify(opened));
  /** @type {Step[]} */
  const steps = [];
  for (let more = runs.next(1); more.length > 0; more = runs.next(1)) steps.push(...more);
  const recording = new Recording(opened.about.states);
  recording.append(steps);
  return { about: opened.about, steps, recording, report: /** @type {any} */ (runs.report(1)) };
}

/**
 * The result of each scenario: slices created, updated, deleted; bytes; flips of hints; and the Service that is shown.
 * @type {Record<string, string>}
 */
const OUTCOMES = {
  'rolling-update': '4+1701−1 1 GB 0 flips; 200 in 3',
  'scale-up': '3+452−0 203 MB 0 flips; 230 in 3',
  'scale-down': '3+503−0 254 MB 0 flips; 90 in 3',
  packing: '22+6293−13 12.4 GB 0 flips; 500 in 9',
  batching: '4+692−0 326 MB 0 flips; 200 in 4',
  drain: '10+534−0 11.1 MB 0 flips; 12 in 1',
  'zone-loss': '3+199−0 14.7 MB 7 flips; 24 in 1',
  relabel: '1+5−0 107 kB 0 flips; 12 in 1',
  'readiness-flapping': '1+28−0 13.9 MB 0 flips; 100 in 1',
  'node-cpu': '2+12−0 173 kB 3 flips; 6 in 1',
  'dual-stack': '2+184−1 11.9 MB 0 flips; 24 in 1',
  'port-rename': '2+7−0 3.02 MB 0 flips; 150 in 2',
  'api-trouble': '15+1544−0 281 MB 0 flips; 150 in 2',
};

for (const { id, title, url } of SCENARIOS) {
  test(`the scenario has its lesson and its outcome: ${id}`, async () => {
    const { about, recording, report } = await run(readFileSync(url, 'utf8'));
    assert.equal(about.title, title);
    assert.match(about.lesson ?? '', /^[A-Z][^.]*(\d\.\d[^.]*)*\.?$/);
    const { series } = recording;
    const { writes, bytesToWatchers, hintFlips } = report.total;
    assert.equal(series.writes.at(-1), writes.create + writes.update + writes.delete);
    assert.equal(series.bytes.at(-1), bytesToWatchers);
    assert.equal(series.flips.at(-1), hintFlips);
    const last = [...recording.slicesAt(recording.length - 1).values()];
    const figures = report.services.find((/** @type {any} */ each) => each.service === about.service);
    assert.deepEqual([last.length, last.reduce((sum, { count }) => sum + count, 0)], [figures.slices, figures.endpoints]);
    assert.deepEqual(recording.phaseStarts.length, about.phases.length);
    const made = `${writes.create}+${writes.update}−${writes.delete} ${bytes(bytesToWatchers)} ${hintFlips} flips`;
    assert.equal(`${made}; ${figures.endpoints} in ${figures.slices}`, OUTCOMES[id]);
    assert.equal(report.end.isConverged, true);
  });
}

test('any moment is what a run from the start makes of it, whichever way one comes', async () => {
  const text = readFileSync(SCENARIOS.find(({ id }) => id === 'scale-down')?.url ?? '', 'utf8');
  const { steps, recording } = await run(text);
  /** @type {Map<number, Map<number, string>>} */
  const slices = new Map();
  const moments = steps.map(({ slices: deltas = [] }) => {
    for (const { slice, is, put = [], drop = [] } of deltas) {
      const held = slices.get(slice) ?? new Map();
      for (const pod of drop) held.delete(pod);
      for (const [pod, state, [hint = -1]] of put) held.set(pod, `${state} ${hint}`);
      if (is === 'deleted') slices.delete(slice);
      else slices.set(slice, held);
    }
    return JSON.stringify([...slices].sort(([a], [b]) => a - b).map(([slice, held]) => [slice, [...held.keys()].sort((a, b) => a - b)]));
  });
  assert.ok(moments.length > 100);
  for (let place = moments.length - 1; place >= 0; place -= 1) {
    const shown = [...recording.slicesAt(place).values()].sort((a, b) => a.slice - b.slice);
    const held = shown.map(({ slice, pods }) => [slice, [...pods].filter((pod) => pod >= 0).sort((a, b) => a - b)]);
    assert.equal(JSON.stringify(held), moments[place]);
    for (const { pods, count } of shown) assert.equal(pods.filter((pod) => pod >= 0).length, count);
  }
});

test('going back costs no run from the start', async (t) => {
  const { recording } = await run(readFileSync(SCENARIOS[0]?.url ?? '', 'utf8'));
  const end = recording.length - 1;
  const { set } = Map.prototype;
  // Each slice that is put into a moment.
  const put = t.mock.method(Map.prototype, 'set', set);
  for (let place = end; place > end - 500; place -= 1) recording.slicesAt(place);
  const perMoment = put.mock.callCount() / 500;
  put.mock.restore();
  assert.ok(perMoment > 1 && perMoment < end / 10, `${perMoment} slices for each of ${end} moments`);
});

test('an endpoint keeps its place; what leaves makes room for what comes', () => {
  const recording = new Recording([
    { state: 'ready', words: 'ready' },
    { state: 'notReady', words: 'not ready' },
    { state: 'draining', words: 'terminating, still serving' },
  ]);
  const pods = ['a', 'b', 'c', 'd'].map((name) => ({ name, node: 0 }));
  /** @param {number} at @param {object} delta @returns {Step} */
  const step = (at, delta) => ({ at, phase: 0, slices: [{ slice: 0, is: 'updated', ...delta }] });
  const names = { zones: ['z'], nodes: [{ name: 'n', zone: 0 }], pods, newSlices: [{ name: 's', addressType: 'IPv4', ports: '' }] };
  const first = { ...step(0, { put: [[0, 'ready', [0], []], [1, 'notReady', [], []]] }), ...names };
  const last = step(9, { drop: [1, 2], put: [[1, 'ready', [], []], [3, 'ready', [], []]] });
  recording.append([first, step(5, { drop: [0] }), step(9, { put: [[2, 'draining', [], []]] }), last]);
  const places = [0, 1, 2, 3].map((place) => [...(recording.slicesAt(place).get(0)?.pods ?? [])]);
  assert.deepEqual(places, [[0, 1], [-1, 1], [2, 1], [1, 3]]);
  assert.deepEqual([recording.placeAt(-1), recording.placeAt(4), recording.placeAt(5), recording.placeAt(100)], [0, 0, 1, 3]);
});

test('a mistake in a scenario is at its line', async () => {
  const opened = await new Runs().open('zones:\n- {name: a, nodes: 1}\nservices:\n- {service: n/s, replicas: many}\n', '');
  assert.ok(!opened.ok);
  assert.deepEqual([opened.problem.line, opened.problem.path], [4, '/services/0/replicas']);
  const unread = await new Runs().open('zones: [', '');
  assert.ok(!unread.ok && unread.problem.line);
});

test('whoever still asks for a run that is over gets nothing of the next one', async () => {
  const runs = new Runs();
  const text = readFileSync(SCENARIOS[0]?.url ?? '', 'utf8');
  const opened = [await runs.open(text, ''), await runs.open(text, '')];
  assert.deepEqual(opened.map((each) => each.ok && each.run), [1, 2]);
  assert.deepEqual(runs.next(1), []);
  assert.equal(runs.report(1), null);
  assert.equal(runs.next(2)[0]?.at, 0);
});

test('times and sizes in words; lines that are no longer than the picture', () => {
  assert.deepEqual([0, 1500, 65_200, 3_600_000, 754_000].map(clock), ['0 s', '1.5 s', '1 m 5.2 s', '1 h 0 m 0 s', '12 m 34 s']);
  assert.deepEqual([0, 999, 1000, 12_345, 9_060_000, 123_456_789].map(bytes), ['0 B', '999 B', '1 kB', '12.3 kB', '9.06 MB', '123 MB']);
  const times = Array.from({ length: 10_000 }, (_, at) => at);
  const path = stepPath(times, times.map((at) => at % 7), (at) => at / 100, (value) => value);
  assert.ok(path.length < 4000, `${path.length}`);
});
