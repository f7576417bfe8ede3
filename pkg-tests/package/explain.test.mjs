/** `explain` of `slicewise/tools`, in every build: the answers of the native command, for every form of input. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import * as main from 'slicewise';
import { ROOT, TOOLS_BUILDS } from './lib/builds.mjs';
import { NATIVE } from './lib/commands.mjs';

const FOLDER = join(ROOT, 'samples/questions');
const SAMPLES = readdirSync(FOLDER).filter((file) => file.endsWith('.json')).map((file) => join(FOLDER, file));
const decode = (/** @type {Uint8Array} */ bytes) => new TextDecoder().decode(bytes);
const SAMPLE = SAMPLES.find((file) => file.endsWith('-balanced-but-rejected.json')) ?? '';

/** The request of a sample with one Service. @param {any} sample @param {object} [options] */
function requestOf({ items }, options) {
  const of = (/** @type {string} */ kind) => items.filter((/** @type {any} */ item) => item.kind === kind);
  return { service: of('Service')[0], pods: of('Pod'), nodes: of('Node'), slices: of('EndpointSlice'), ...(options && { options }) };
}

it('there are questions', () => assert.ok(SAMPLES.length >= 40 && SAMPLE !== ''));

it('the small module says where explanations and other packings are', () => {
  const request = requestOf(JSON.parse(readFileSync(SAMPLE, 'utf8')), { explain: true });
  assert.throws(() => main.plan(request), { code: 'Unsupported', path: '/options/explain', message: /slicewise\/tools/ });
  assert.equal('explain' in main, false);
  const packed = requestOf(JSON.parse(readFileSync(SAMPLE, 'utf8')), { packing: 'compact' });
  assert.throws(() => main.plan(packed), { code: 'InvalidValue', path: '/options/packing', message: /slicewise\/tools/ });
});

for (const { name, load } of TOOLS_BUILDS) {
  describe(name, () => {
    /** @type {import('./lib/builds.mjs').ToolsApi} */
    let api;
    before(async () => {
      api = await load();
    });

    it('answers what the native command answers, to the byte', () => {
      for (const file of SAMPLES) {
        const { stdout, stderr } = spawnSync(NATIVE[0], [...NATIVE.slice(1), 'explain', file, '-o', 'json'], { encoding: 'utf8' });
        assert.equal(stderr, '', file);
        assert.equal(decode(api.explain(readFileSync(file))), stdout.trimEnd(), file);
      }
    });

    it('answers of many Services what the native command, which shares the work, answers', (t) => {
      const { items } = JSON.parse(readFileSync(SAMPLE, 'utf8'));
      const copies = Array.from({ length: 150 }, (_, place) => JSON.stringify(items).replaceAll('"namespace":"shop"', `"namespace":"shop-${place}"`));
      const nodes = items.filter((/** @type {any} */ { kind }) => kind === 'Node');
      const others = copies.flatMap((text) => JSON.parse(text)).filter(({ kind }) => kind !== 'Node');
      const bytes = Buffer.from(JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [...nodes, ...others] }));
      assert.ok(bytes.length > 400_000);
      const folder = mkdtempSync(join(tmpdir(), 'explain-'));
      t.after(() => rmSync(folder, { recursive: true }));
      writeFileSync(join(folder, 'list.json'), bytes);
      const args = [...NATIVE.slice(1), 'explain', join(folder, 'list.json'), '-o', 'json'];
      const told = spawnSync(NATIVE[0], args, { encoding: 'utf8', maxBuffer: 1 << 26 });
      assert.equal(told.stderr, '');
      assert.equal(decode(api.explain(bytes)), told.stdout.trimEnd());
    });

    it('takes bytes, text and objects, and a question', () => {
      const text = readFileSync(SAMPLE, 'utf8');
      /** @type {import('slicewise').Question} */
      const question = { about: 'hints', service: 'shop/cart' };
      const snapshot = /** @type {import('slicewise').Snapshot} */ (JSON.parse(text));
      const answer = api.explain(snapshot, question);
      assert.deepEqual(JSON.parse(api.explain(text, JSON.stringify(question))), answer);
      assert.deepEqual(JSON.parse(decode(api.explain(new TextEncoder().encode(text), question))), answer);
      assert.deepEqual(answer.services.map((each) => each.explanations.map(({ code }) => code)), [['HintsOverload']]);
      assert.deepEqual(answer.cluster, []);
    });

    it('puts explanations into plans that request them, and changes nothing else', () => {
      const sample = JSON.parse(readFileSync(SAMPLE, 'utf8'));
      const { explanations, ...rest } = api.plan(requestOf(sample, { explain: true }));
      assert.ok(explanations && explanations.length > 0);
      assert.deepEqual(rest, api.plan(requestOf(sample)));
      const { plans } = api.planSnapshot(/** @type {import('slicewise').Snapshot} */ (sample), { explain: true });
      assert.deepEqual(plans[0]?.explanations, explanations);
    });

    it('refuses questions about what is not there', () => {
      const text = readFileSync(SAMPLE, 'utf8');
      assert.throws(() => api.explain(text, { service: 'shop/till' }), { code: 'InvalidValue', path: '/service' });
      assert.throws(() => api.explain(text, { pod: 'till-1' }), { code: 'InvalidValue', path: '/pod' });
      assert.throws(() => api.explain(text, '{"topic": "hints"}'), { code: 'UnknownField', path: '/topic' });
    });
  });
}
