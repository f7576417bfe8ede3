/** The same bytes everywhere: Node, the page with its worker, and the package loaded without a bundler. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { detect, plan, planSnapshot } from 'slicewise';
import { Session } from 'slicewise/session';
import { EXAMPLES } from '../../www/samples/index.js';
import { exampleBytes, exampleLink, savedPlan, settled, start, withPage } from './harness.js';

/** @type {import('./harness.js').World} */
let world;
before(async () => {
  world = await start();
});
after(() => world.close());

/** @param {string} id */
function planInNode(id) {
  const bytes = new Uint8Array(exampleBytes(id));
  return Buffer.from(detect(bytes) === 'request' ? plan(bytes) : planSnapshot(bytes));
}

for (const { id } of EXAMPLES) {
  test(`the page saves what Node answers: ${id}`, () =>
    withPage(world, { hash: exampleLink(id) }, async (page) => {
      assert.ok(planInNode(id).equals(await savedPlan(page)));
    }));
}

test('settings of the page are settings of the plan', () =>
  withPage(world, { hash: `${exampleLink('cluster-at-rest')}&max=7` }, async (page) => {
    await settled(page);
    const expected = planSnapshot(new Uint8Array(exampleBytes('cluster-at-rest')), { maxEndpointsPerSlice: 7 });
    assert.ok(Buffer.from(expected).equals(await savedPlan(page)));
  }));

test('the web build answers in the browser as Node does', () =>
  withPage(world, { path: 'blank.html' }, async (page) => {
    for (const { id } of EXAMPLES) {
      const text = await page.evaluate(askWebBuild, exampleBytes(id).toString());
      assert.equal(text, planInNode(id).toString(), id);
    }
  }));

test('a session of the web build plans in the browser what Node plans', () =>
  withPage(world, { path: 'blank.html' }, async (page) => {
    const inputs = EXAMPLES.map(({ id }) => exampleBytes(id).toString()).filter((input) => detect(input) === 'snapshot');
    assert.ok(inputs.length > 0);
    for (const input of inputs) assert.equal(await page.evaluate(askWebSession, input), planAll(input));
  }));

/** All plans of a session that has received a snapshot. @param {string} input */
function planAll(input) {
  const session = new Session();
  session.apply(input);
  const plans = session.services().map((service) => new TextDecoder().decode(session.syncBytes(service)));
  session.free();
  return plans.join('\n');
}

/** Runs in the page. @param {string} input */
async function askWebSession(input) {
  const address = '/package/pkg/entries/session/web.js';
  const slicewise = await import(address);
  await slicewise.default();
  const session = new slicewise.Session();
  session.apply(input);
  const plans = session.services().map((/** @type {string} */ service) => new TextDecoder().decode(session.syncBytes(service)));
  return plans.join('\n');
}

/** Runs in the page. @param {string} input */
async function askWebBuild(input) {
  const address = '/package/pkg/entries/web.js';
  const slicewise = await import(address);
  await slicewise.default();
  const bytes = new TextEncoder().encode(input);
  const answer = slicewise.detect(bytes) === 'request' ? slicewise.plan(bytes) : slicewise.planSnapshot(bytes);
  return new TextDecoder().decode(answer);
}
