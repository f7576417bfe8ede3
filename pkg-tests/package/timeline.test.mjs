/** `slicewise/simulation` in every build: the run of the native command, step by step; and what the bundled scenarios teach. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { parse } from 'yaml';
import { ROOT, SIMULATION_BUILDS } from './lib/builds.mjs';
import { NATIVE } from './lib/commands.mjs';

/** @typedef {import('slicewise/simulation').TimelineStep} Step */

const FOLDER = join(ROOT, 'crates/simulation/scenarios');
/** @type {[string, any][]} those with a lesson */
const LESSONS = readdirSync(FOLDER)
  .map((file) => /** @type {[string, any]} */ ([file.replace('.yaml', ''), parse(readFileSync(join(FOLDER, file), 'utf8'))]))
  .filter(([, { lesson }]) => lesson);
const SMALL = {
  zones: [{ name: 'a', nodes: 2 }],
  services: [{ service: 'shop/cart', replicas: 3 }],
  actions: [{ at: '10s', rollingUpdate: { service: 'shop/cart' } }],
};

/** @param {string} scenario @param {string[]} more */
const native = (scenario, ...more) => spawnSync(NATIVE[0], ['simulate', '-o', 'json', ...more, '-'], { input: scenario, maxBuffer: 2 ** 30 }).stdout;

for (const { name, load } of SIMULATION_BUILDS) {
  describe(name, () => {
    /** @type {import('./lib/builds.mjs').SimulationApi} */
    let api;
    before(async () => {
      api = await load();
    });

    it('plays a scenario as the command runs it', () => {
      const scenario = JSON.stringify(SMALL);
      for (const given of [scenario, new TextEncoder().encode(scenario), SMALL]) {
        const timeline = new api.Timeline(given);
        const steps = all(timeline, 7);
        assert.deepEqual(Buffer.from(timeline.reportBytes()), native(scenario).subarray(0, -1));
        const { timeline: entries } = JSON.parse(native(scenario, '--timeline').toString());
        assert.deepEqual(steps.flatMap(({ at, happened = [] }) => happened.map(({ entry }) => ({ at, ...entry }))), entries);
        timeline.free();
      }
    });

    it('gives equal steps for equal scenarios, however they are asked for', () => {
      const scenario = { ...SMALL, services: [{ service: 'shop/cart', replicas: 9, jitter: '2s' }], watches: [{ jitter: '1s', lost: '5%' }] };
      const [one, other] = [1, 100].map((count) => all(new api.Timeline(scenario), count));
      assert.ok(one.length > 20);
      assert.deepEqual(one, other);
      assert.deepEqual([...new api.Timeline(scenario)], one);
    });

    it('says what is wrong, and where', () => {
      const wrong = { name: 'SlicewiseError' };
      assert.throws(() => new api.Timeline('{"zones": [{"name": "a"}]}'), { ...wrong, code: 'MissingField', path: '/zones/0/nodes', line: 1 });
      assert.throws(() => new api.Timeline(SMALL, { service: 'shop/till' }), { ...wrong, code: 'InvalidValue', path: '/service' });
      assert.throws(() => new api.Timeline(SMALL, '{"services": 1}'), { ...wrong, code: 'UnknownField', path: '/services' });
      assert.throws(() => new api.Timeline(SMALL, undefined, { maxInputBytes: 10 }), { ...wrong, code: 'TooLarge' });
      const timeline = new api.Timeline(SMALL);
      for (const count of [0, -1, 1.5, Number.NaN, '3', 1e9]) {
        assert.throws(() => timeline.next(/** @type {any} */ (count)), { ...wrong, code: 'InvalidValue' });
      }
      timeline.free();
      assert.throws(() => timeline.next(), { ...wrong, code: 'Closed' });
    });
  });
}

describe('the scenarios that teach', () => {
  it('are twelve at least, each with a title and a lesson in one sentence', () => {
    assert.ok(LESSONS.length >= 12, String(LESSONS.length));
    for (const [id, { title, lesson, description }] of LESSONS) {
      assert.ok(title && description, id);
      assert.match(lesson, /^[A-Z][^.]*\.$/, id);
    }
  });

  for (const [id, scenario] of LESSONS) {
    it(`${id} comes to what it is there for`, async () => {
      const { Timeline } = await SIMULATION_BUILDS[0].load();
      const timeline = new Timeline(scenario);
      const { title, lesson } = timeline.about();
      assert.deepEqual({ title, lesson }, { title: scenario.title, lesson: scenario.lesson });
      const report = timeline.report();
      assert.ok(report.end.isConverged && !report.wasCutOff);
      assert.deepEqual(report.phases.map(shown), OUTCOMES[id]);
    });
  }
});

/** @param {InstanceType<import('./lib/builds.mjs').SimulationApi['Timeline']>} timeline @param {number} count */
function all(timeline, count) {
  /** @type {Step[]} */
  const steps = [];
  for (let next = timeline.next(count); next.length > 0; next = timeline.next(count)) steps.push(...next);
  return steps;
}

/** @param {import('slicewise/simulation').Report['phases'][number]} phase */
function shown({ name, sums, gauges }) {
  const { create, update, delete: removed, refused } = sums.writes;
  const more = [
    refused && `${refused} refused`,
    sums.hintFlips && `${sums.hintFlips} flips`,
    sums.misdirectedSeconds && `${Math.round(sums.misdirectedSeconds)} s misdirected`,
  ].filter(Boolean);
  return [`${name}: ${create}/${update}/${removed}, ${gauges.endpoints} in ${gauges.slices}`, ...more].join(', ');
}

/** By phase: writes (create/update/delete), endpoints in slices, and other observations. @type {Record<string, string[]>} */
const OUTCOMES = {
  'api-trouble': [
    'start: 10/864/0, 750 in 10',
    'conflicts: 0/293/0, 750 in 10, 139 refused, 23 s misdirected',
    'lost answers: 0/385/0, 750 in 10, 132 refused, 10 s misdirected',
    'edits: 5/2/0, 750 in 10',
  ],
  batching: ['start: 3/5/0, 200 in 3', 'by a quarter: 1/54/0, 200 in 4, 130 s misdirected', 'one by one: 0/633/0, 200 in 4, 191 s misdirected'],
  drain: ['start: 10/240/0, 120 in 10', 'drain: 0/294/0, 120 in 10', 'back again: 0/0/0, 120 in 10'],
  'dual-stack': ['start: 1/48/0, 24 in 1', 'both: 1/0/0, 48 in 2', 'updated meanwhile: 0/136/0, 48 in 2', 'IPv6 alone: 0/0/1, 24 in 1'],
  'node-cpu': [
    'start: 2/4/0, 12 in 2, 1 flips',
    'larger nodes: 0/0/0, 12 in 2',
    'a pod is replaced: 0/4/0, 12 in 2, 1 flips',
    'as before: 0/0/0, 12 in 2',
    'another pod: 0/4/0, 12 in 2, 1 flips',
  ],
  packing: [
    'start: 10/1347/0, 1000 in 10',
    'rolling update: 8/2878/0, 1000 in 18, 30 s misdirected',
    'down to 300: 0/23/13, 300 in 5, 63 s misdirected',
    'up to 500: 0/387/0, 500 in 5',
    'updated again: 4/1658/0, 500 in 9, 8 s misdirected',
  ],
  'port-rename': ['start: 2/3/0, 150 in 2', 'renamed: 0/2/0, 150 in 2', 'a port more: 0/2/0, 150 in 2'],
  'readiness-flapping': ['start: 1/2/0, 100 in 1', 'a few: 0/20/0, 100 in 1', 'half of them: 0/6/0, 100 in 1'],
  relabel: ['start: 1/2/0, 12 in 1', 'taken out: 0/3/0, 12 in 1'],
  'rolling-update': ['start: 2/385/0, 200 in 2', 'by a quarter: 2/691/1, 200 in 3', 'one by one: 0/625/0, 200 in 3'],
  'scale-down': ['start: 3/438/0, 230 in 3', 'down to 60: 0/6/0, 60 in 3', 'up to 90: 0/59/0, 90 in 3'],
  'scale-up': ['start: 1/158/0, 80 in 1', 'up to 150: 1/139/0, 150 in 2', 'up to 230: 1/155/0, 230 in 3'],
  'zone-loss': [
    'start: 3/142/0, 72 in 3, 7 flips',
    'unnoticed: 0/0/0, 72 in 3, 1200 s misdirected',
    'noticed: 0/3/0, 72 in 3',
    'evicted: 0/51/0, 96 in 3',
    'back again: 0/3/0, 72 in 3',
  ],
};
