/** `diff` and `apply` of `slicewise/tools`, in every build: the bytes of the native command, in the form of the input. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { ROOT, TOOLS_BUILDS } from './lib/builds.mjs';
import { NATIVE, invoke } from './lib/commands.mjs';
import { SMALL, bytesOf } from './lib/inputs.mjs';

const decode = (/** @type {Uint8Array} */ bytes) => new TextDecoder().decode(bytes);
const FILES = ['before', 'after'].map((side) => `samples/slices-${side}.yaml`);
const [BEFORE = [], AFTER = []] = FILES.map((file) => parseAllDocuments(readFileSync(join(ROOT, file), 'utf8')).map((document) => document.toJS()));
const [BEFORE_TEXT, AFTER_TEXT] = [JSON.stringify(BEFORE), JSON.stringify(AFTER)];

/** @type {string} the native command's answer */
let native;
before(async () => {
  const { code, stdout, stderr } = await invoke(NATIVE, ['diff', ...FILES, '-o', 'json']);
  assert.equal(code, 0, stderr);
  native = stdout.toString().trimEnd();
});

for (const { name, load } of TOOLS_BUILDS) {
  describe(name, () => {
    /** @type {import('./lib/builds.mjs').ToolsApi} */
    let api;
    before(async () => {
      api = await load();
    });

    it('compares as the native command does, through all doors', () => {
      assert.equal(api.diff(BEFORE_TEXT, AFTER), native);
      assert.equal(decode(api.diff(bytesOf(BEFORE_TEXT), AFTER_TEXT)), native);
      assert.deepEqual(api.diff(BEFORE, AFTER), JSON.parse(native));
      assert.deepEqual(api.diff({ kind: 'List', items: BEFORE }, bytesOf(AFTER_TEXT)), JSON.parse(native));
    });

    it('carries a plan out, through all doors', () => {
      const plan = api.plan(SMALL);
      /** @type {object[]} */
      const slices = SMALL.slices;
      const applied = api.apply(plan, slices);
      assert.deepEqual(applied.refused, []);
      assert.equal(applied.created.length, plan.create.length);
      assert.deepEqual(JSON.parse(api.apply(JSON.stringify(plan), slices)), applied);
      assert.deepEqual(JSON.parse(decode(api.apply(bytesOf(JSON.stringify(plan)), JSON.stringify(slices)))), applied);
      const again = api.plan({ ...SMALL, slices: applied.slices, state: plan.state });
      assert.deepEqual([again.create, again.update, again.delete], [[], [], []]);
      const [service] = api.diff(slices, applied.slices).services;
      assert.equal(service?.slices.filter(({ change }) => change === 'created').length, plan.create.length);
    });

    it('says which input is wrong', () => {
      const wrong = [{ metadata: { name: 7 } }];
      assert.throws(() => api.diff(wrong, AFTER), { name: 'SlicewiseError', code: 'InvalidType', path: '/before/0/metadata/name' });
      assert.throws(() => api.diff(BEFORE, wrong), { code: 'InvalidType', path: '/after/0/metadata/name' });
      assert.throws(() => api.apply(api.plan(SMALL), wrong), { code: 'InvalidType', path: '/slices/0/metadata/name' });
      assert.throws(() => api.apply(/** @type {any} */ (SMALL), []), { code: 'MissingField', path: '/plan/create' });
      assert.throws(() => api.diff(BEFORE, /** @type {any} */ (undefined)), { code: 'InvalidType', message: /what is after/ });
    });
  });
}

it('says with the exit code whether it knows', async () => {
  const whole = { kind: 'EndpointSliceList', apiVersion: 'discovery.k8s.io/v1', metadata: {}, items: BEFORE };
  const cut = { ...whole, metadata: { continue: 'x' }, items: BEFORE.slice(1) };
  const diff = (/** @type {object} */ after, /** @type {string[]} */ ...flags) =>
    invoke(NATIVE, ['diff', FILES[0] ?? '', '-', '--exit-code', ...flags], JSON.stringify(after));
  assert.equal((await diff(whole)).code, 0);
  assert.equal((await diff({ ...whole, items: AFTER })).code, 3);
  const unknown = await diff(cut);
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /whether anything differs is unknown; --assume-complete/);
  assert.equal((await diff(cut, '--assume-complete')).code, 3, 'what is left out is taken to be gone');
});
