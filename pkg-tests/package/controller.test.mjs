/** The controller's stream through `slicewise/session`: the lines of the native command, and calls that are lines. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { ROOT, SESSION_BUILDS } from './lib/builds.mjs';
import { NATIVE, invoke } from './lib/commands.mjs';
import { SMALL, bytesOf } from './lib/inputs.mjs';

const decode = (/** @type {Uint8Array} */ bytes) => new TextDecoder().decode(bytes);
const LINES = readFileSync(join(ROOT, 'fuzz/seeds/controller.ndjson'), 'utf8').trimEnd().split('\n');
const SERVICE = { kind: 'Service', ...SMALL.service };
const NODES = { kind: 'NodeList', items: SMALL.nodes };
const PODS = SMALL.pods.map((pod) => ({ type: /** @type {const} */ ('ADDED'), object: { kind: 'Pod', ...pod } }));
const ADDED = { type: /** @type {const} */ ('ADDED'), object: SERVICE };

/** @param {string} code */
const refused = (code) => ({ name: 'SlicewiseError', code });

/** @type {string} the native command's answer to the lines */
let expected;
before(async () => {
  const { code, stdout, stderr } = await invoke(NATIVE, ['simulate', '--ndjson'], LINES.join('\n'));
  assert.equal(code, 0, stderr);
  expected = stdout.toString();
});

for (const { name, load } of SESSION_BUILDS) {
  describe(name, () => {
    /** @type {import('./lib/builds.mjs').SessionApi} */
    let api;
    before(async () => {
      api = await load();
    });

    it('answers lines as the native command does, through all doors', () => {
      const [bytes, text, value] = [0, 1, 2].map(() => new api.Controller());
      assert.ok(expected.includes('"retry"') && expected.includes('"plan"'));
      assert.equal(LINES.map((line) => decode(bytes.feed(bytesOf(line)))).join(''), expected);
      assert.equal(LINES.map((line) => text.feed(line)).join(''), expected);
      const answers = LINES.flatMap((line) => value.feed(JSON.parse(line)));
      assert.deepEqual(answers, expected.trimEnd().split('\n').map((line) => JSON.parse(line)));
      for (const controller of [bytes, text, value]) controller.free();
    });

    it('is an iterator over the answers to lines, and over what happens next', () => {
      const [text, value] = [0, 1].map(() => new api.Controller());
      const [next, due] = [0, 1].map(() => new api.Controller({ endpointUpdatesBatchPeriod: '1s' }));
      assert.equal([...text.answers(LINES)].map((line) => `${line}\n`).join(''), expected);
      const answers = [...value.answers(LINES.map((line) => JSON.parse(line)))];
      assert.deepEqual(answers, expected.trimEnd().split('\n').map((line) => JSON.parse(line)));
      for (const controller of [next, due]) {
        controller.list(NODES, 0);
        controller.apply(ADDED, 0);
        controller.apply(PODS, 10);
      }
      const all = [...next];
      assert.ok(all.length > 0);
      assert.deepEqual(all, due.due(1_000_000));
      assert.equal(next.nextDue(), null);
      assert.throws(() => text.answers(/** @type {any} */ (7)).next(), refused('InvalidType'));
      for (const controller of [text, value, next, due]) controller.free();
    });

    it('answers calls as the lines they stand for', () => {
      const config = /** @type {const} */ ({ apply: 'manual', endpointUpdatesBatchPeriod: '1s', maxEndpointsPerSlice: 1 });
      const calls = new api.Controller(config);
      const lines = new api.Controller();
      lines.feed({ config });
      const result = { service: 'shop/cart', error: /** @type {const} */ ('Conflict') };
      /** @type {[unknown[], import('slicewise/session').ControllerLine][]} */
      const pairs = [
        [calls.list(NODES, 0), { at: 0, list: NODES }],
        [calls.apply(ADDED, 0), { at: 0, event: ADDED }],
        [calls.apply(PODS, 10), { at: 10, event: PODS }],
        [calls.complete({ namespace: 'shop', name: 'cart' }, 'Conflict', 20), { at: 20, result }],
        [calls.due(5_000), { at: 5_000 }],
        [
          calls.complete('shop/cart', null, 5_001, { created: [], updated: [], deleted: [] }),
          { at: 5_001, result: { service: 'shop/cart', error: null, applied: {} } },
        ],
      ];
      const answers = pairs.map(([answer, line]) => {
        assert.deepEqual(answer, lines.feed(line));
        return answer;
      });
      assert.deepEqual(answers.map((answer) => answer.length), [0, 1, 0, 3, 1, 1]);
      assert.deepEqual(Object.keys(/** @type {any} */ (answers[4][0])), ['at', 'sync', 'plan']);
      for (const controller of [calls, lines]) controller.free();
    });

    it('answers events and lists in kind', () => {
      const [bytes, text, value] = [0, 1, 2].map(() => new api.Controller());
      for (const controller of [bytes, text, value]) controller.list(NODES, 0);
      const answer = decode(bytes.apply(bytesOf([ADDED, ...PODS]), 10));
      assert.equal(text.apply(JSON.stringify([ADDED, ...PODS]), 10), answer);
      const values = value.apply([ADDED, ...PODS], 10);
      assert.deepEqual(values, answer.trimEnd().split('\n').map((line) => JSON.parse(line)));
      assert.equal(/** @type {any} */ (values[0]).plan.stats.endpoints, 2);
      const list = { kind: 'ServiceList', items: [] };
      const gone = decode(bytes.list(bytesOf(list), 20));
      assert.equal(text.list(JSON.stringify(list), 20), gone);
      assert.deepEqual(value.list(list, 20), gone.trimEnd().split('\n').map((line) => JSON.parse(line)));
      for (const controller of [bytes, text, value]) controller.free();
    });

    it('has the metrics of its lines', () => {
      const controller = new api.Controller();
      controller.list(NODES, 0);
      controller.apply([ADDED, ...PODS], 10);
      const metrics = controller.metrics();
      assert.deepEqual(controller.feed({ at: 20, metrics: true }), [{ at: 20, metrics }]);
      assert.deepEqual(controller.feed({ at: 20, metrics: 'text' }), [{ at: 20, metricsText: controller.metricsText() }]);
      const syncs = metrics.find((family) => family.name === 'endpoint_slice_controller_syncs');
      assert.deepEqual(syncs?.metrics, [{ labels: { result: 'success' }, value: 1 }]);
      assert.match(controller.metricsText(), /^# HELP endpoint_slice_controller_changes .*\n# TYPE endpoint_slice_controller_changes counter\n/);
      assert.throws(() => controller.feed(/** @type {any} */ ({ at: 20, metrics: 'json' })), refused('InvalidValue'));
      controller.free();
      assert.throws(() => controller.metrics(), refused('Closed'));
      assert.throws(() => controller.metricsText(), refused('Closed'));
    });

    it('says when to come back', () => {
      const controller = new api.Controller({ endpointUpdatesBatchPeriod: '1s' });
      assert.equal(controller.nextDue(), null);
      controller.list(NODES, 0);
      controller.apply(ADDED, 0);
      controller.apply(PODS, 40);
      assert.equal(controller.nextDue(), 1_040);
      assert.deepEqual(controller.due(1_039), []);
      assert.equal(controller.due(1_040).length, 1);
      controller.free();
    });

    it('refuses what it cannot read, and stays as it was', () => {
      const controller = new api.Controller({ apply: 'manual' });
      controller.apply(ADDED, 100);
      /** @type {[() => unknown, string][]} */
      const bad = [
        [() => controller.apply('nonsense', 100), 'InvalidJson'],
        [() => controller.apply('[],"resync":true', 100), 'InvalidJson'],
        [() => controller.apply([{ .../** @type {any} */ (ADDED), object: undefined }], 100), 'MissingField'],
        [() => controller.list('{"kind": "Service"}', 100), 'InvalidValue'],
        [() => controller.apply([], 99), 'InvalidValue'],
        [() => controller.due(-1), 'InvalidValue'],
        [() => controller.due(100.5), 'InvalidValue'],
        [() => controller.due(/** @type {any} */ ('100')), 'InvalidValue'],
        [() => controller.feed(/** @type {any} */ ({ config: {} })), 'InvalidValue'],
        [() => controller.feed(/** @type {any} */ ({ at: 100, nonsense: 1 })), 'UnknownField'],
        [() => controller.complete('shop/cart', /** @type {any} */ ('Nonsense'), 100), 'InvalidValue'],
        [() => controller.complete('shop/other', null, 100), 'InvalidValue'],
        [() => controller.complete(/** @type {any} */ (7), null, 100), 'InvalidType'],
        [() => new api.Controller(/** @type {any} */ ({ nonsense: 1 })), 'UnknownField'],
        [() => new api.Controller({ watchLag: 'soon' }), 'InvalidValue'],
      ];
      for (const [call, code] of bad) assert.throws(call, refused(code), String(call));
      assert.equal(controller.complete('shop/cart', null, 100).length, 1, 'its plan still waits');
      controller.free();
    });

    it('loses no answers to a call that fails after time has passed', () => {
      const controller = new api.Controller({ apply: 'manual', endpointUpdatesBatchPeriod: '1s' });
      controller.list(NODES, 0);
      controller.apply(ADDED, 0);
      controller.complete('shop/cart', null, 0);
      controller.apply(PODS, 0);
      assert.throws(() => controller.complete('shop/other', null, 3_000), refused('InvalidValue'));
      assert.deepEqual(controller.due(3_000).map((answer) => [answer.at, 'sync' in answer && answer.sync]), [[1_000, 'shop/cart']]);
      controller.free();
    });

    it('ends with a typed error once it is freed', () => {
      const controller = new api.Controller();
      controller.free();
      controller.free();
      for (const call of [() => controller.due(0), () => controller.apply([], 0), () => controller.nextDue(), () => controller.feed('{"at": 0}')]) {
        assert.throws(call, { ...refused('Closed'), message: 'this controller was freed' });
      }
      const disposable = /** @type {any} */ (new api.Controller());
      disposable[Symbol.dispose ?? Symbol.for('Symbol.dispose')]();
      assert.throws(() => disposable.due(0), refused('Closed'));
    });
  });
}
