/**
 * The types match what the functions accept and return: the inputs and answers of every function, for many samples, are
 * written into a TypeScript program as literals, in which an extra, missing or mistyped field is an error.
 */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import * as main from 'slicewise';
import * as admission from 'slicewise/admission';
import * as session from 'slicewise/session';
import * as simulation from 'slicewise/simulation';
import * as tools from 'slicewise/tools';
import { parse } from 'yaml';
import { ROOT } from './lib/builds.mjs';
import { compile } from './lib/compile.mjs';
import { BAD, SMALL, requests, snapshots } from './lib/inputs.mjs';

const HEAD = `import type * as main from 'slicewise';
import type * as admission from 'slicewise/admission';
import type * as session from 'slicewise/session';
import type * as simulation from 'slicewise/simulation';
import type * as tools from 'slicewise/tools';
`;
const ENTRIES = { main, session, tools, admission, simulation };
const decode = (/** @type {Uint8Array} */ bytes) => JSON.parse(new TextDecoder().decode(bytes));
const read = (/** @type {string} */ path) => readFileSync(join(ROOT, path), 'utf8');
const linesOf = (/** @type {string} */ path) => read(path).trimEnd().split('\n').map((line) => JSON.parse(line));

/** A program of literals. */
class Program {
  /** @type {string[]} */
  #lines = [];
  /** @type {Set<string>} what was called */
  called = new Set();

  /**
   * @param {string} type
   * @param {unknown} value
   * @param {string} about
   */
  literal(type, value, about) {
    const name = about.replaceAll(/[^\w./-]/g, ' ');
    this.#lines.push(`export const v${this.#lines.length}: ${type} = ${JSON.stringify(value)}; // ${name}`);
  }

  /**
   * Calls a function, and records its inputs and its answer.
   * @param {string} path as in `tools.explain`
   * @param {unknown[]} inputs
   * @param {string} about
   */
  call(path, inputs, about) {
    const [entry, name] = path.split('.');
    const answer = /** @type {any} */ (ENTRIES)[entry][name](...inputs);
    this.#note(`typeof ${path}`, path, inputs, answer, about);
    return answer;
  }

  /**
   * Constructs an object, and records the arguments.
   * @param {string} path as in `session.Session`
   * @param {unknown[]} inputs
   */
  make(path, ...inputs) {
    const [entry, name] = path.split('.');
    const Class = /** @type {any} */ (ENTRIES)[entry][name];
    this.literal(`ConstructorParameters<typeof ${path}>`, inputs, `new ${path}`);
    return new Class(...inputs);
  }

  /**
   * The same for a method.
   * @param {any} object
   * @param {string} type as in `session.Session`
   * @param {string} name
   * @param {unknown[]} inputs
   */
  ask(object, type, name, ...inputs) {
    const answer = object[name](...inputs);
    this.#note(`${type}['${name}']`, `${type}.${name}`, inputs, answer, '');
    return answer;
  }

  /** @param {string} type @param {string} path @param {unknown[]} inputs @param {unknown} answer @param {string} about */
  #note(type, path, inputs, answer, about) {
    this.called.add(path);
    this.literal(`Parameters<${type}>`, inputs, `into ${path} ${about}`);
    if (answer !== undefined) this.literal(`ReturnType<${type}>`, answer, `out of ${path} ${about}`);
  }

  /** @param {string} line */
  raw(line) {
    this.#lines.push(line);
  }

  text() {
    return `${HEAD}${this.#lines.join('\n')}\n`;
  }
}

/** @param {Program} program */
function plans(program) {
  for (const { name, bytes } of requests()) {
    const request = decode(bytes);
    const { slices = [] } = request;
    const plan = program.call('main.plan', [request], name);
    const { slices: after } = program.call('tools.apply', [plan, slices], name);
    program.call('tools.diff', [slices, after], name);
    program.call('main.detect', [request], name);
    const options = { ...request.options, explain: true, patches: ['json', 'merge', 'apply'] };
    program.call('tools.plan', [{ ...request, options }], name);
  }
  for (const { name, bytes } of snapshots()) program.call('main.planSnapshot', [decode(bytes), { maxEndpointsPerSlice: 50 }], name);
}

/** @param {Program} program */
function questions(program) {
  const folder = join(ROOT, 'samples/questions');
  for (const file of readdirSync(folder).filter((each) => each.endsWith('.json'))) {
    const { ask, apiVersion, kind, items } = decode(readFileSync(join(folder, file)));
    const list = { apiVersion, kind, items };
    const { services } = program.call('tools.explain', [list, ask], file);
    const [first] = services.map((/** @type {any} */ { service: { namespace, name } }) => `${namespace}/${name}`);
    if (first) program.call('tools.glance', [list, { service: first }], file);
  }
  const seed = (/** @type {string} */ name) => JSON.parse(read(`fuzz/seeds/${name}.json`));
  program.call('tools.route', [seed('route')], '');
  program.call('tools.traffic', [seed('traffic')], '');
  program.call('tools.mirror', [seed('migration-request')], '');
  program.call('tools.mirrorSnapshot', [seed('migration-cluster')], '');
  program.call('tools.kubernetesService', [seed('migration-server')], '');
  for (const form of ['json', 'yaml', 'patches', 'kubectl', 'report']) program.call('tools.exported', [SMALL, { form }], form);
  program.call('tools.upgrade', [SMALL, { to: '1.38', options: { preferSameTrafficDistribution: false } }], '');
}

/** @param {Program} program */
function sessions(program) {
  const type = 'session.Session';
  const one = program.make(type, { packing: 'compact' }, { maxInputBytes: 1 << 24 });
  program.ask(one, type, 'apply', JSON.parse(read('samples/cluster-at-rest.json')));
  for (const line of linesOf('fuzz/seeds/session.ndjson').filter(({ type: kind }) => kind)) program.ask(one, type, 'apply', line);
  program.ask(one, type, 'apply', [{ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' } }]);
  for (const service of program.ask(one, type, 'services')) program.ask(one, type, 'sync', service);
  program.ask(one, type, 'sync', { namespace: 'shop', name: 'nothing' });

  const controller = program.make('session.Controller', { apply: 'auto', endpointUpdatesBatchPeriod: '500ms' });
  const lines = linesOf('fuzz/seeds/controller.ndjson').filter(({ config }) => !config);
  for (const line of [...lines, { at: 900_000, metrics: true }, { at: 900_000, metrics: 'text' }]) {
    program.ask(controller, 'session.Controller', 'feed', line);
  }
  program.ask(controller, 'session.Controller', 'apply', { type: 'DELETED', object: { kind: 'Secret' } }, 900_000);
  program.ask(controller, 'session.Controller', 'list', { kind: 'NodeList', items: [] }, 900_001);
  program.ask(controller, 'session.Controller', 'due', 910_000);
  program.ask(controller, 'session.Controller', 'nextDue');
  program.ask(controller, 'session.Controller', 'metrics');
  program.ask(controller, 'session.Controller', 'metricsText');
  const manual = program.make('session.Controller', { apply: 'manual' });
  manual.apply({ type: 'ADDED', object: { kind: 'Service', ...SMALL.service } }, 0);
  program.ask(manual, 'session.Controller', 'complete', 'shop/cart', 'ServerError', 40);

  const proxier = program.make('session.Proxier', { node: 'node-1', nodeLabels: { 'topology.kubernetes.io/zone': 'a' } });
  const flow = { protocol: 'UDP', origin: { src: '10.0.0.9', dst: '10.96.0.7', dstPort: 80 }, reply: { src: '10.0.0.1', dst: '10.0.0.9' } };
  const asked = [{ sync: true }, { sync: 'endpoints' }, { sync: { conntrack: [flow] } }];
  for (const line of [...linesOf('fuzz/seeds/proxy.ndjson'), ...asked]) program.ask(proxier, 'session.Proxier', 'feed', line);
}

/** @param {Program} program */
function reviews(program) {
  const type = 'admission.Reviewer';
  const config = { policies: { 'slice-hints': { mode: 'warn' } } };
  const reviewer = admission.createReviewer();
  program.literal('Parameters<typeof admission.createReviewer>', [{ config }], 'into admission.createReviewer');
  program.called.add('admission.createReviewer');
  program.call('admission.policies', [], '');
  program.call('admission.maxReviewBytes', [], '');
  program.ask(reviewer, type, 'load', JSON.parse(read('samples/cluster-at-rest.json')));
  program.ask(reviewer, type, 'apply', { type: 'ADDED', object: { kind: 'Pod', ...SMALL.pods[0] } });
  program.ask(reviewer, type, 'configure', config);
  program.ask(reviewer, type, 'status');
  const asking = { contextAgeSeconds: 90 };
  for (const name of ['review-service', 'review-slice']) {
    const review = JSON.parse(read(`fuzz/seeds/${name}.json`));
    program.ask(reviewer, type, 'review', review, asking);
    program.ask(reviewer, type, 'reviewObject', review, {});
    program.ask(reviewer, type, 'explain', review, asking);
    const { record } = reviewer.judge(new TextEncoder().encode(JSON.stringify(review)));
    program.literal(`ReturnType<${type}['judge']>['record']`, record, name);
  }
}

/** @param {Program} program */
function scenarios(program) {
  const type = 'simulation.Timeline';
  const folder = join(ROOT, 'crates/simulation/scenarios');
  for (const file of readdirSync(folder)) {
    const scenario = parse(readFileSync(join(folder, file), 'utf8'));
    // The others are large.
    if (!scenario.lesson) continue;
    const timeline = program.make(type, scenario);
    program.ask(timeline, type, 'about');
    program.ask(timeline, type, 'next', 60);
    timeline.free();
  }
  const small = program.make(type, { zones: [{ name: 'a', nodes: 2 }], services: [{ service: 'shop/cart', replicas: 3 }] }, { service: 'shop/cart' });
  while (program.ask(small, type, 'next', 50).length > 0);
  program.ask(small, type, 'report');
}

/** @param {Program} program */
function errors(program) {
  for (const { name, text } of BAD) {
    assert.throws(() => main.plan(/** @type {any} */ (text)), (error) => {
      program.literal("ReturnType<main.SlicewiseError['toJSON']>", error, name);
      return true;
    });
  }
}

describe('the types', () => {
  it('are those of what goes in and comes out, in all entries', () => {
    const program = new Program();
    for (const write of [plans, questions, sessions, reviews, scenarios, errors]) write(program);
    assert.deepEqual(compile(program.text()).slice(0, 20), []);
    for (const [entry, names] of Object.entries(ENTRIES)) {
      const functions = Object.entries(names).filter(
        ([name, value]) => typeof value === 'function' && !/^[A-Z]|^version$|^create(Handler|Instance)$/.test(name),
      );
      for (const [name] of functions) {
        // Those of the main entry are in other entries as well.
        assert.ok(
          program.called.has(`${entry}.${name}`) || program.called.has(`main.${name}`) || program.called.has(`tools.${name}`),
          `${entry}.${name} was not called`,
        );
      }
    }
  });

  it('are closed: a field too many, one missing and one of another type are errors', () => {
    const plan = main.plan(SMALL);
    const { stats: _, ...rest } = plan;
    const program = new Program();
    const [slice] = plan.create;
    for (const value of [
      { ...plan, more: 1 },
      rest,
      { ...plan, requeue: 'no' },
      { ...plan, create: [{ ...slice, endpoints: [{ addresses: '10.0.0.1', conditions: {} }] }] },
    ]) {
      program.literal('ReturnType<typeof main.plan>', value, 'no plan');
    }
    program.literal('Parameters<typeof tools.explain>[1]', { about: 'everything' }, 'no question');
    const found = compile(program.text());
    assert.equal(found.length, 5, found.join('\n'));
  });
});
