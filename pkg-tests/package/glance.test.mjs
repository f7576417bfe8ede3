/** `glance` and `exported` in every build of the tools: the same answers everywhere, and the texts of the native command. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import * as page from '#page';
import { ROOT, TOOLS_BUILDS } from './lib/builds.mjs';
import { NATIVE } from './lib/commands.mjs';

const BYTES = readFileSync(join(ROOT, 'www/samples/eleven-endpoints.json'));
const TEXT = BYTES.toString();
const QUESTION = { from: 3, to: 24, endpoints: 10 };

for (const { name, load } of TOOLS_BUILDS) {
  describe(`tools, ${name}`, () => {
    /** @type {import('./lib/builds.mjs').ToolsApi} */
    let api;
    before(async () => {
      api = await load();
    });

    it('says a Service at a glance, in every shape of input', () => {
      const expected = api.glance(TEXT, QUESTION);
      assert.equal(api.glance(TEXT, JSON.stringify(QUESTION)), expected);
      assert.equal(new TextDecoder().decode(api.glance(BYTES, QUESTION)), expected);
      const value = api.glance(/** @type {import('slicewise').PlanRequest} */ (JSON.parse(TEXT)), QUESTION);
      assert.deepEqual(value, JSON.parse(expected));
      assert.equal(value.ready, 10);
      assert.equal(value.applied, true);
      assert.equal(value.changes.length, 1);
      assert.throws(() => api.glance(TEXT, { service: 'shop/till' }), { name: 'SlicewiseError', code: 'InvalidValue', path: '/service' });
    });

    it("says what the main module says, and what crosses zones", () => {
      const { traffic, fixes, ...rest } = JSON.parse(api.glance(TEXT));
      const known = JSON.parse(page.glance(TEXT));
      assert.ok(traffic.now === 0 && Math.abs(traffic.after - 2 / 3) < 1e-9, JSON.stringify(traffic));
      assert.deepEqual(
        fixes.map((/** @type {any} */ { title, crossZone }) => [title, crossZone.toFixed(3)]),
        [
          ['Use 12', '0.000'],
          ['Use 10', '0.111'],
          ['PreferSameZone', '0.000'],
        ],
      );
      assert.deepEqual({ ...rest, fixes: fixes.map((/** @type {any} */ { crossZone: _, ...fix }) => fix) }, known);
    });

    it('gives plans as the texts of the command', () => {
      for (const [form, output] of /** @type {const} */ ([['yaml', 'yaml'], ['kubectl', 'patch'], ['json', 'json']])) {
        const { stdout } = spawnSync(NATIVE[0], ['plan', '-o', output, '-'], { input: TEXT, encoding: 'utf8' });
        assert.equal(api.exported(TEXT, { form }).trimEnd(), stdout.trimEnd(), form);
      }
      const [{ patch }] = JSON.parse(api.exported(BYTES, '{"form": "patches"}'));
      assert.equal(Object.keys(patch).length, 1);
      assert.match(api.exported(JSON.parse(TEXT), { form: 'report' }), /^# EndpointSlice plan\n[^]*## `shop\/checkout`/);
      assert.throws(() => api.exported(TEXT, '{"form": "xml"}'), { name: 'SlicewiseError', code: 'InvalidValue', path: '/form' });
    });
  });
}
