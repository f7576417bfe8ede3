/** The published JSON Schemas accept what the core accepts and what it answers. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { plan, planSnapshot } from 'slicewise';
import { createReviewer } from 'slicewise/admission';
import { Controller, Session } from 'slicewise/session';
import { apply, diff, explain, kubernetesService, mirror, mirrorSnapshot, plan as explainedPlan } from 'slicewise/tools';
import { parse } from 'yaml';
import { ROOT } from './lib/builds.mjs';
import { NATIVE } from './lib/commands.mjs';
import { BAD, SMALL, bytesOf, requests, snapshots } from './lib/inputs.mjs';

const FOLDER = join(ROOT, 'pkg/schema');
const NAMES = readdirSync(FOLDER).map((file) => file.replace(/\.json$/, ''));
const decode = (/** @type {Uint8Array} */ bytes) => JSON.parse(new TextDecoder().decode(bytes));

/** @param {string} name */
function validator(name) {
  // Formats such as `uint32` only name the Rust type of the number.
  const ajv = new Ajv2020({ strict: true, allErrors: true, validateFormats: false, allowUnionTypes: true, strictTypes: false });
  return ajv.compile(JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')));
}

/** @param {import('ajv').ValidateFunction} validate @param {unknown} value @param {string} what */
function accepts(validate, value, what) {
  assert.ok(validate(value), `${what}: ${JSON.stringify(validate.errors?.slice(0, 5))}`);
}

describe('schemas', () => {
  for (const name of NAMES) {
    it(`${name} compiles and is described`, () => {
      validator(name);
      assert.ok(JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')).description);
    });
  }

  it('are named in the documentation', () => {
    const text = readFileSync(join(ROOT, 'docs/npm.md'), 'utf8');
    assert.deepEqual(NAMES.filter((name) => !text.includes(`\`${name}.json\``)), []);
  });

  it('accept every request and every plan', () => {
    const [request, answer] = ['plan-request', 'plan'].map(validator);
    for (const { name, bytes } of requests()) {
      accepts(request, decode(bytes), name);
      accepts(answer, decode(plan(bytes)), name);
    }
  });

  it('accept every snapshot and its plans', () => {
    const [snapshot, answer] = ['snapshot', 'snapshot-plans'].map(validator);
    for (const { name, bytes } of snapshots()) {
      accepts(snapshot, decode(bytes), name);
      accepts(answer, decode(planSnapshot(bytes)), name);
    }
  });

  it('accept every bundled scenario and what comes of it', () => {
    const [scenario, report] = ['scenario', 'report'].map(validator);
    const folder = join(ROOT, 'crates/simulation/scenarios');
    for (const file of readdirSync(folder)) {
      accepts(scenario, parse(readFileSync(join(folder, file), 'utf8')), file);
    }
    const { stdout } = spawnSync(NATIVE[0], ['simulate', '--bundled', 'watch-lag', '--timeline', '-o', 'json'], { encoding: 'utf8' });
    accepts(report, JSON.parse(stdout), 'watch-lag');
  });

  it('refuse what no scenario may say', () => {
    const scenario = validator('scenario');
    const zones = [{ name: 'a', nodes: 1 }];
    accepts(scenario, { zones }, 'the least');
    for (const bad of [
      {},
      { zones, zone: [] },
      { zones, actions: [{}] },
      { zones, watches: [{ lost: '5' }] },
      { zones, watches: [{ kind: 'Secret' }] },
    ]) {
      assert.ok(!scenario(bad), JSON.stringify(bad));
    }
  });

  it('accept what a session answers to events', () => {
    const applied = validator('applied');
    const session = new Session();
    const lines = [...SMALL.pods.map((pod) => ({ type: 'DELETED', object: { kind: 'Pod', ...pod } })), { kind: 'SecretList', items: [{}] }, {}];
    const answer = JSON.parse(session.apply(lines.map((line) => JSON.stringify(line)).join('\n')));
    assert.equal(answer.errors.length, 1);
    accepts(applied, answer, 'events');
    session.free();
  });

  it('accept what a reviewer answers, records, explains and knows', () => {
    const [answer, record, explanation, status] = ['review-answer', 'review-record', 'review-explanation', 'reviewer-status'].map(validator);
    const operations = join(ROOT, 'pkg-tests/operations');
    const { cluster, requests: asked } = JSON.parse(readFileSync(join(operations, 'requests.json'), 'utf8'));
    const { config } = parse(readFileSync(join(operations, 'operations.yaml'), 'utf8'), { merge: true });
    const reviewer = createReviewer({ config, snapshot: { apiVersion: 'v1', kind: 'List', items: cluster } });
    accepts(status, reviewer.status(), 'status');
    let denied = 0;
    for (const [name, request] of Object.entries(asked).filter(([, each]) => each !== null)) {
      const review = bytesOf({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request });
      const judged = reviewer.judge(review);
      accepts(answer, decode(judged.answer), name);
      accepts(record, judged.record, name);
      accepts(explanation, decode(reviewer.explain(review)), name);
      denied += Number(judged.record.verdict === 'deny');
    }
    assert.ok(denied > 20, `${denied} are denied`);
  });

  it('accept the lines of `slicewise watch` that docs/cluster.md shows', () => {
    const line = validator('watch-line');
    const [, shown] = /^### Watching by machines\n.*?```json\n(.*?)```/ms.exec(readFileSync(join(ROOT, 'docs/cluster.md'), 'utf8')) ?? [];
    const lines = (shown ?? '').trim().split('\n').map((text) => JSON.parse(text));
    assert.deepEqual(lines.map(({ type }) => type), ['status', 'change', 'change']);
    for (const each of lines) accepts(line, each, each.message);
    assert.ok(!line({ ...lines[1], change: 'other' }));
  });

  it("accept the controller's lines and what it answers", () => {
    const [config, line, answer] = ['controller-config', 'controller-line', 'controller-answer'].map(validator);
    const lines = readFileSync(join(ROOT, 'fuzz/seeds/controller.ndjson'), 'utf8').trimEnd().split('\n').map((text) => JSON.parse(text));
    const more = [
      { at: 900_000, metrics: true },
      { at: 900_000, metrics: 'text' },
      { at: 900_000, event: { type: 'DELETED', object: { kind: 'Secret' } } },
    ];
    const controller = new Controller();
    const kinds = new Set();
    for (const value of [...lines, ...more]) {
      accepts(line, value, JSON.stringify(value));
      if (value.config) accepts(config, value.config, 'a configuration');
      for (const answered of controller.feed(value)) {
        accepts(answer, answered, JSON.stringify(answered));
        for (const key of Object.keys(answered)) kinds.add(key);
      }
    }
    for (const key of ['sync', 'retry', 'event', 'ignored', 'metrics', 'metricsText']) assert.ok(kinds.has(key), key);
    controller.free();
    for (const bad of [{}, { at: -1 }, { at: 0, metrics: 'json' }, { at: 0, resync: true, metrics: true }, { config: { watchLags: '1s' } }]) {
      assert.ok(!line(bad), JSON.stringify(bad));
    }
    accepts(config, {}, 'the least');
    assert.ok(!config({ apply: 'perhaps' }));
  });

  it('accept what has no pods', () => {
    const seed = (/** @type {string} */ name) => JSON.parse(readFileSync(join(ROOT, `fuzz/seeds/migration-${name}.json`), 'utf8'));
    const [request, answer, answers] = ['mirror-request', 'mirror-plan', 'mirror-plans'].map(validator);
    accepts(request, seed('request'), 'a request');
    accepts(answer, mirror(seed('request')), 'a plan');
    accepts(answers, mirrorSnapshot(seed('cluster')), 'plans');
    assert.ok(!request({ ...seed('request'), pods: [] }), 'an unknown field');
    const [server, writes] = ['kubernetes-service-request', 'kubernetes-service-plan'].map(validator);
    accepts(server, seed('server'), 'an API server');
    accepts(writes, kubernetesService(seed('server')), 'its writes');
    assert.ok(!server({ ...seed('server'), reconciler: 'etcd' }), 'an unknown reconciler');
  });

  it('accept what comes of plans, and what differs by them', () => {
    const [applied, differing] = ['applied-plan', 'diff'].map(validator);
    for (const { name, bytes } of requests()) {
      const slices = bytesOf(JSON.stringify(decode(bytes).slices ?? []));
      const answer = decode(apply(plan(bytes), slices));
      accepts(applied, answer, name);
      accepts(differing, decode(diff(slices, answer.slices)), name);
    }
  });

  it('accept every question and its answer', () => {
    const [question, explained, answer] = ['question', 'explained', 'plan'].map(validator);
    const folder = join(ROOT, 'samples/questions');
    for (const file of readdirSync(folder).filter((each) => each.endsWith('.json'))) {
      const { ask, ...list } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
      accepts(question, ask, file);
      accepts(explained, explain(list, ask), file);
      const of = (/** @type {string} */ kind) => list.items.filter((/** @type {any} */ item) => item.kind === kind);
      accepts(answer, explainedPlan({ service: of('Service')[0], pods: of('Pod'), nodes: of('Node'), options: { explain: true } }), file);
    }
  });

  it('accept every error', () => {
    const answer = validator('error');
    for (const { name, text } of BAD) {
      assert.throws(() => plan(/** @type {any} */ (text)), (error) => {
        accepts(answer, JSON.parse(JSON.stringify(error)), name);
        return true;
      });
    }
  });

  it('refuse unknown fields and missing ones', () => {
    const request = validator('plan-request');
    for (const { name, text } of BAD.filter(({ code }) => code === 'UnknownField' || code === 'MissingField')) {
      assert.ok(!request(JSON.parse(String(text))), name);
    }
  });

  it('refuse every option that the core refuses', () => {
    const [request, options] = ['plan-request', 'options'].map(validator);
    const about = BAD.filter(({ name, path }) => path?.startsWith('/options') || name === 'unknown option' || name === 'option huge');
    assert.ok(about.length >= 11, `only ${about.length} cases are about options`);
    for (const { name, text } of about) {
      const value = JSON.parse(String(text));
      assert.ok(!request(value), name);
      assert.ok(!options(value.options), name);
    }
  });

  it('accept the options at their ends', () => {
    const options = validator('options');
    for (const value of [
      { maxEndpointsPerSlice: 1 },
      { maxEndpointsPerSlice: 1000 },
      { packing: 'upstream' },
      { packing: null, managedBy: 'a' },
      { managedBy: 'a'.repeat(63) },
    ]) {
      accepts(options, value, JSON.stringify(value));
      plan(JSON.stringify({ ...SMALL, options: value }));
    }
  });
});
