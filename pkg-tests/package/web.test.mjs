/** Behaviour specific to the web build: it is loaded explicitly. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { it } from 'node:test';
import * as session from 'slicewise/session/web';
import * as admission from 'slicewise/admission/web';
import * as simulation from 'slicewise/simulation/web';
import * as tools from 'slicewise/tools/web';
import * as web from 'slicewise/web';
import { FULL_WASM, WASM } from './lib/builds.mjs';
import { SMALL } from './lib/inputs.mjs';

it('says what to do when it is used too early, and what failed when it cannot load', async () => {
  assert.throws(() => web.plan(SMALL), { name: 'SlicewiseError', code: 'NotReady', message: /await init\(\)/ });
  await assert.rejects(web.init(new Uint8Array([1, 2, 3])), { name: 'SlicewiseError', code: 'LoadFailed' });
  await assert.rejects(web.init('http://127.0.0.1:1/slicewise.wasm'), { name: 'SlicewiseError', code: 'LoadFailed' });

  const source = new Response(await readFile(WASM), { headers: { 'content-type': 'application/wasm' } });
  await Promise.all([web.init(Promise.resolve(source)), web.init(await readFile(WASM))]);
  await web.init();
  assert.equal(web.plan(SMALL).service.name, 'cart');
});

it('loads the module of the other entries by hand as well, once for all of them', async () => {
  for (const early of [
    () => new session.Session(),
    () => new session.Controller(),
    () => session.plan(SMALL),
    () => tools.diff([], []),
    () => tools.explain(SMALL),
    () => tools.plan(SMALL),
    () => admission.createReviewer(),
    () => admission.policies(),
    () => new simulation.Timeline('{"zones": []}'),
  ]) {
    assert.throws(early, { name: 'SlicewiseError', code: 'NotReady' });
  }
  await assert.rejects(session.init(new Uint8Array([1, 2, 3])), { name: 'SlicewiseError', code: 'LoadFailed' });
  const bytes = await readFile(FULL_WASM);
  const loading = [session, tools, admission, simulation].map((entry) => entry.init(bytes));
  await loading[0];
  const first = new session.Session();
  await Promise.all(loading);
  // A second instance would not know it.
  assert.deepEqual(first.services(), []);
  assert.deepEqual(tools.diff([], []).services, []);
  assert.ok(admission.policies().some(({ name }) => name === 'slice-shape'));
  assert.equal(new simulation.Timeline('{"zones": []}').report().endedAt, 0);
  for (const entry of [session, tools, admission, simulation]) assert.equal(entry.SlicewiseError, web.SlicewiseError);
});
