/** The panels with traffic and explanations: the core's words and numbers, and when they load. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { apply, explain, plan, traffic } from 'slicewise/tools';
import { exampleBytes, exampleLink, openTab, paste, settled, start, told, withPage } from './harness.js';
import { ROOT } from './server.js';

/** @import {Page, Route} from 'playwright-core' */

/** @type {import('./harness.js').World} */
let world;
before(async () => {
  world = await start();
});
after(() => world.close());

/** @param {Page} page @param {'Traffic' | 'Why'} name */
function panel(page, name) {
  return page.getByRole('region', { name, exact: true });
}

/** A matrix as drawn: a line for each zone. @param {Page} page @param {RegExp} name */
async function matrix(page, name) {
  const rows = panel(page, 'Traffic').getByRole('region', { name }).locator('tbody tr');
  return (
    await rows.evaluateAll((all) => all.map((row) => [...row.querySelectorAll('th .visually-hidden, td')].map((cell) => cell.textContent)))
  ).map((cells) => cells.join(' '));
}

/** The same from an answer of the core. @param {ReturnType<typeof traffic>} answer */
function expected(answer) {
  const { zones } = JSON.parse(JSON.stringify(answer)).ports[0];
  const percent = (/** @type {number} */ share) => `${Number((share * 100).toFixed(1))} %`;
  return zones.map((/** @type {any} */ { from, share: sent, to }) => {
    const shares = zones.map((/** @type {any} */ each) => to.find((/** @type {any} */ { zone }) => zone === each.from)?.share ?? 0);
    return [from, ...shares.map(percent), percent(sent)].join(' ');
  });
}

/** The core's answer about the traffic of an example's only Service. @param {string} id @param {'kube-proxy' | 'istio'} [reader] */
function trafficInNode(id, reader = 'kube-proxy') {
  /** @type {import('slicewise').PlanRequest & {slices: object[], nodes: object[], service: any}} */
  const request = JSON.parse(exampleBytes(id).toString());
  const { service, slices, nodes } = request;
  service.spec.clusterIPs = [service.spec.clusterIP];
  const then = apply(plan(request), slices);
  return { now: traffic({ service, slices, nodes, reader }), after: traffic({ service, slices: then.slices, nodes, reader }) };
}

test('from zone to zone, now and after the plan, as the core answers', () =>
  withPage(world, { hash: exampleLink('borrowed-endpoints') }, async (page) => {
    await openTab(page, 'Traffic');
    const core = trafficInNode('borrowed-endpoints');
    assert.deepEqual(await matrix(page, /: now$/), expected(core.now));
    assert.deepEqual(await matrix(page, /: after the plan$/), expected(core.after));
    assert.deepEqual(expected(core.after), [
      'europe-west4-a 33.3 % 8.3 % 8.3 % 50 %',
      'europe-west4-b 0 % 25 % 0 % 25 %',
      'europe-west4-c 0 % 0 % 25 % 25 %',
    ]);
    const words = (await panel(page, 'Traffic').textContent()) ?? '';
    assert.match(words, /Now: 66\.7 % of the traffic crosses zones\. After the plan: 16\.7 % of the traffic crosses zones\./);
    assert.match(words, /Busiest endpoint0 %above its fair share/);
    assert.match(words, /6 nodes → 12 endpoints each \(all: 10\.8\.0\.11:8080 has no zone hint\)/);
    assert.match(words, /6 nodes → 3 to 6 endpoints each \(hinted to this zone\)/);
  }));

test('another reader of the same slices sends elsewhere', () =>
  withPage(world, { hash: exampleLink('borrowed-endpoints') }, async (page) => {
    await openTab(page, 'Traffic');
    const reader = page.getByLabel('Read by');
    await reader.focus();
    await reader.selectOption('istio');
    await told(page);
    assert.deepEqual(await matrix(page, /: now and after the plan$/), expected(trafficInNode('borrowed-endpoints', 'istio').now));
    assert.match((await panel(page, 'Traffic').textContent()) ?? '', /no trafficDistribution/);
    assert.equal(await reader.evaluate((select) => document.activeElement === select), true);
  }));

test('a Service that loses its endpoints: nowhere to go', () =>
  withPage(world, { hash: exampleLink('selector-typo') }, async (page) => {
    await openTab(page, 'Traffic');
    assert.match((await panel(page, 'Traffic').textContent()) ?? '', /After the plan: No client finds an endpoint\..*Finds no endpoint0 % → 100 %/);
    assert.deepEqual(await matrix(page, /: after the plan$/), ['a', 'b', 'c'].map((zone) => `europe-west4-${zone} 0 % 0 % 0 % 33.3 % 33.3 %`));
  }));

test('another Service, another matrix; a plan that changes nothing shows one', () =>
  withPage(world, { hash: exampleLink('cluster-at-rest') }, async (page) => {
    await openTab(page, 'Traffic');
    await page.locator('.services-fold summary').first().click();
    const list = page.getByRole('listbox', { name: 'Services' });
    await list.getByRole('option', { name: 'edge/ingress' }).click();
    await page.locator('.services-fold summary', { hasText: 'edge/ingress' }).waitFor();
    await told(page);
    const ingress = await matrix(page, /: now and after the plan$/);
    assert.equal(ingress[0], 'europe-west4-a 13.6 % 12.5 % 9.6 % 35.7 %');
    await list.getByRole('option', { name: 'shop/payments' }).click();
    await page.locator('.services-fold summary', { hasText: 'shop/payments' }).waitFor();
    await told(page);
    assert.equal((await matrix(page, /: now and after the plan$/))[1], 'europe-west4-b 8.9 % 26.8 % 0 % 35.7 %');
    assert.deepEqual(await page.getByLabel('Port').locator('option').allTextContents(), ['http/TCP', 'metrics/TCP']);
    await list.getByRole('option', { name: 'data/postgres' }).click();
    await panel(page, 'Traffic').getByText('it is headless').waitFor();
    assert.equal(await page.getByLabel('Read by').count(), 0);
  }));

test('without nodes the page says what is missing', () =>
  withPage(world, {}, async (page) => {
    const request = JSON.parse(exampleBytes('scale-up').toString());
    await paste(page, JSON.stringify({ ...request, nodes: [] }));
    await openTab(page, 'Traffic');
    await panel(page, 'Traffic').getByText('There are no Nodes, from which traffic originates').waitFor();
  }));

for (const [id, code, cause] of /** @type {[string, string, RegExp][]} */ ([
  ['unlabelled-node', 'HintsLackNodeInformation', /off because of 1 node: spot-7f3c \(no zone label\).*label node spot-7f3c with its zone/],
  ['eleven-endpoints', 'HintsOverload', /11 ready endpoints cannot be distributed over 3 zones/],
  ['selector-typo', 'SelectsNothing', /app=order matches none of the 11 pods/],
  ['unknown-node', 'PodNodeUnknown', /feed-v1-07 is on node node-d1/],
])) {
  test(`why, with the true cause: ${id}`, () =>
    withPage(world, { hash: exampleLink(id) }, async (page) => {
      await told(page);
      const entry = panel(page, 'Why').locator('.why-entry', { hasText: code });
      assert.match((await entry.first().textContent()) ?? '', cause);
    }));
}

test('why, in the words of the core, with what would help', () =>
  withPage(world, { hash: exampleLink('borrowed-endpoints') }, async (page) => {
    await told(page);
    const words = (await panel(page, 'Why').textContent()) ?? '';
    const { services } = JSON.parse(explain(exampleBytes('borrowed-endpoints').toString()));
    for (const { what, because, details, fixes = [], look = [] } of services[0].explanations) {
      const values = [...fixes, ...look].flatMap((/** @type {Record<string, unknown>} */ step) => Object.values(step));
      const steps = values.filter((value) => typeof value === 'string');
      for (const text of [details ?? `${what} ${because}`, ...steps]) {
        assert.ok(words.includes(text.replaceAll('`', '')), text);
      }
    }
  }));

/** Many terminating pods with different times, so that each has its own explanation. @param {number} count */
function draining(count) {
  const pods = Array.from({ length: count }, (_, index) => ({
    metadata: {
      namespace: 'n',
      name: `p-${index}`,
      uid: `u${index}`,
      labels: { app: 'x' },
      deletionTimestamp: new Date(index * 60_000).toISOString(),
    },
    spec: { nodeName: 'node' },
    status: { podIPs: [{ ip: `10.0.${index >> 8}.${index & 255}` }] },
  }));
  const service = { metadata: { namespace: 'n', name: 's', uid: 'u' }, spec: { selector: { app: 'x' }, clusterIP: '10.96.0.1' } };
  return JSON.stringify({ service, pods, nodes: [{ metadata: { name: 'node' } }] });
}

test('many reasons are shown a few at a time', () =>
  withPage(world, {}, async (page) => {
    await paste(page, draining(250));
    await told(page);
    const pods = panel(page, 'Why').locator('.why-topic').filter({ has: page.getByRole('heading', { name: 'Pods' }) });
    assert.equal(await pods.locator('.why-entry').count(), 3);
    await pods.getByRole('button', { name: 'and 247 more about pods' }).click();
    assert.equal(await pods.locator('.why-entry').count(), 23);
    for (let more = 0; more < 9; more += 1) await pods.getByRole('button', { name: /^and \d+ more/ }).click();
    assert.equal(await pods.locator('.why-entry').count(), 200);
    assert.match((await pods.textContent()) ?? '', /and 50 more, which slicewise explain --service n\/s prints\.$/);
  }));

/** Holds requests for the tools until released. @param {Page} page */
async function hold(page) {
  /** @type {Route[]} */
  const held = [];
  await page.route(`**/${filesOfTools().script}`, (route) => void held.push(route));
  const release = () => Promise.all(held.map((route) => route.continue()));
  return { held, release };
}

test('plans do not wait for the tools, and of many questions only the last is answered', () =>
  withPage(world, { path: 'blank.html' }, async (page) => {
    const { held, release } = await hold(page);
    await page.goto(`${world.base}${exampleLink('cluster-at-rest')}`);
    await settled(page);
    await page.getByRole('tab', { name: 'Traffic' }).click();
    await panel(page, 'Traffic').getByText('Following the traffic').waitFor();
    await page.locator('.services-fold summary').first().click();
    for (const name of ['edge/ingress', 'shop/cart', 'shop/payments']) {
      await page.getByRole('option', { name }).click();
      await page.locator('.services-fold summary', { hasText: name }).waitFor();
      // Long enough for its questions to be sent.
      await page.waitForTimeout(400);
    }
    assert.equal(held.length, 1);
    const shown = await page.evaluateHandle(recordHeadlines);
    await release();
    await told(page);
    assert.deepEqual(await shown.evaluate((headlines) => [...headlines]), ['8.9 % of the traffic crosses zones.']);
    await openTab(page, 'Picture');
    assert.match((await panel(page, 'Why').textContent()) ?? '', /payments-pjbtk/);
  }));

/** Runs in the page: records every sentence about traffic that is shown from now on. */
function recordHeadlines() {
  const headlines = new Set();
  new MutationObserver(() => {
    const text = document.querySelector('#panel-traffic .headline')?.textContent;
    if (text) headlines.add(text);
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
  return headlines;
}

test('as long as nothing is drawn, the tools are not asked for', () =>
  withPage(world, { path: 'blank.html' }, async (page) => {
    /** @type {string[]} */
    const asked = [];
    const { script, module } = filesOfTools();
    page.on('request', (request) => void asked.push(...[script, module].filter((name) => request.url().endsWith(name))));
    await page.route(/\/assets\/[\w.-]+\.json$/, (route) => route.fulfill({ body: '{"service": 1}' }));
    await page.goto(world.base);
    await page.locator('.notice.faulty').waitFor();
    assert.deepEqual(asked, []);
    await paste(page, exampleBytes('scale-up').toString());
    await told(page);
    assert.deepEqual(asked, [script, module]);
  }));

for (const part of /** @type {const} */ (['script', 'module'])) {
  test(`without the ${part} of the tools the page plans as before, and says what is missing`, () =>
    withPage(world, { path: 'blank.html', expected: /ERR_FAILED/ }, async (page) => {
      await page.route(`**/${filesOfTools()[part]}`, (route) => route.abort());
      await page.goto(`${world.base}${exampleLink('eleven-endpoints')}`);
      for (const [tab, name] of /** @type {const} */ ([['Picture', 'Why'], ['Traffic', 'Traffic']])) {
        await page.getByRole('tab', { name: tab }).click();
        await panel(page, name).getByText(/could not be loaded. Plans are made without it/).waitFor();
      }
      await page.getByRole('tab', { name: 'Picture' }).click();
      assert.match((await page.locator('.sentence').textContent()) ?? '', /updates 1 slice/);
      await paste(page, exampleBytes('scale-down').toString());
      await page.locator('.headline', { hasText: 'updates 3 slices' }).waitFor();
      assert.equal(await page.locator('.notice.faulty').count(), 0);
      const retry = panel(page, 'Why').getByRole('button', { name: 'Retry' });
      await retry.waitFor();
      await page.unrouteAll();
      await retry.click();
      await panel(page, 'Why').locator('.answer').waitFor();
    }));
}

/** The script of the tools, and the module whose hash it contains. */
function filesOfTools() {
  const folder = join(ROOT, 'dist/assets');
  const names = readdirSync(folder);
  const script = names.find((name) => /^tools\.\w+\.js$/.test(name)) ?? '';
  const text = readFileSync(join(folder, script), 'utf8');
  const module = names.find((name) => name.endsWith('.wasm') && text.includes(name.split('.')[1] ?? '')) ?? '';
  return { script, module };
}
