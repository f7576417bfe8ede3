/** Random inputs through every view: each number that is printed is the one that the core's plan, slices and traffic have. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { apply, glance, plan, traffic } from 'slicewise/tools';
import { createReviewer } from 'slicewise/admission';
import { Timeline } from 'slicewise/simulation';
import { asking } from '../../www/input/asking.js';
import { generate } from '../../www/input/generator.js';
import { counted, sentence } from '../../www/model/text.js';
import { bytes, clock } from '../../www/model/timeline-text.js';
import { percent } from '../../www/model/traffic-text.js';
import { reviewOf } from '../../webhook/review.js';
import { openTab, scenarioText, start, told, withPage } from './harness.js';

/** @import {Page} from 'playwright-core' */

/** @type {import('./harness.js').World} */
let world;
before(async () => {
  world = await start();
});
after(() => world.close());

const INPUTS = 16;
/** The pages that share them, side by side. */
const PAGES = 2;

/** @type {import('../../www/input/generator.js').Recipe['hints'][]} */
const HINTS = ['', 'Auto', 'Auto', 'PreferSameZone', 'PreferSameNode'];

/** @param {number} seed @returns {(most: number) => number} numbers from 0 to `most` */
function dice(seed) {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * (most + 1));
  };
}

/** A Service with slices from when it had other pods. @param {number} seed */
function inputOf(seed) {
  const roll = dice(seed * 7919);
  /** @template T @param {T[]} list @returns {T} */
  const one = (list) => /** @type {T} */ (list[roll(list.length - 1)]);
  const recipe = {
    zones: 1 + roll(4),
    nodes: 1 + roll(2),
    pods: roll(40),
    skew: roll(60),
    cpu: one(['4', '2, 4, 8', '4, 4, 16']),
    ports: 1 + roll(1),
    dualStack: roll(3) === 0,
    ready: 60 + roll(40),
    hints: one(HINTS),
    seed,
  };
  const options = { maxEndpointsPerSlice: one([3, 10, 100]) };
  /** @param {Partial<typeof recipe>} change @param {object[]} slices */
  const request = (change, slices) => {
    const text = generate({ ...recipe, ...change }, (service, hints) => asking(service, hints, glance));
    const { items } = JSON.parse(text);
    const of = (/** @type {string} */ kind) => items.filter((/** @type {any} */ item) => item.kind === kind);
    return { service: of('Service')[0], pods: of('Pod'), nodes: of('Node'), slices, options };
  };
  const earlier = roll(4) === 0 ? [] : slicesAfter(request({ pods: roll(40), seed: seed + 1 }, []));
  return request({}, earlier);
}

/** @param {any} request @returns {any[]} */
function slicesAfter(request) {
  return apply(plan(request), request.slices).slices;
}

/** @param {any} request @param {any[]} slices @param {string} addressType */
function trafficOf({ service, nodes }, slices, addressType) {
  const ofFamily = slices.filter((slice) => slice.addressType === addressType);
  return traffic(/** @type {any} */ ({ service, slices: ofFamily, nodes, addressType })).ports;
}

/** What is printed if it changes, and if it does not. @param {string | number} now @param {string | number} then */
function bothSides(now, then) {
  return now === then ? String(then) : `${now} → ${then}`;
}

/** @param {number | null | undefined} share */
function shareWords(share) {
  return share === null || share === undefined ? '–' : percent(share);
}

/** @param {Page} page @param {string} selector */
function texts(page, selector) {
  return page.locator(selector).evaluateAll((found) => found.map((each) => (each.textContent ?? '').replace(/\s+/g, ' ').trim()));
}

/** The picture's numbers. @param {Page} page @param {any} request */
async function checkPicture(page, request) {
  const planned = /** @type {any} */ (plan(request));
  const then = slicesAfter(request);
  /** @param {any} pod */
  const isReady = ({ status }) => status.conditions.some((/** @type {any} */ { type, status: is }) => type === 'Ready' && is === 'True');
  const ready = request.pods.filter(isReady);
  assert.deepEqual(await texts(page, '.stepper-value'), [counted(ready.length, 'pod')]);

  const drawn = await page.locator('.slice').evaluateAll((slices) =>
    slices.map((slice) => [
      slice.getAttribute('aria-label'),
      slice.querySelector('.fill > :last-child')?.textContent?.split(',')[0],
      ...['before', 'after'].map((side) => slice.querySelectorAll(`.side.${side} [role=option]`).length),
    ]),
  );
  const updated = new Set(planned.update.map((/** @type {any} */ { metadata }) => metadata.name));
  const max = request.options.maxEndpointsPerSlice;
  const size = (/** @type {any} */ slice) => slice?.endpoints?.length ?? 0;
  const names = new Set([...request.slices, ...then].map(({ metadata }) => metadata.name));
  const expected = [...names].map((name) => {
    const [was, is] = [request.slices, then].map((slices) => slices.find((/** @type {any} */ { metadata }) => metadata.name === name));
    const isPair = !was || !is || updated.has(name);
    const fill = was && is && size(was) !== size(is) ? `${size(was)} → ${size(is)}` : size(is ?? was);
    // A new one has no name yet.
    return [`Slice ${was ? name : `${request.service.metadata.name}-…`}`, `${fill} of ${max}`, isPair ? size(was) : 0, size(is)];
  });
  assert.deepEqual(drawn.sort(), expected.sort());

  /** @param {any[]} slices @param {string} zone */
  const inZone = (slices, zone) => slices.flatMap(({ endpoints }) => endpoints ?? []).filter((each) => (each.zone ?? '') === zone).length;
  const zones = await texts(page, '#panel-picture .legend [aria-label=Zones] li > span:last-of-type');
  const counts = await texts(page, '#panel-picture .legend [aria-label=Zones] strong');
  assert.deepEqual(counts, zones.map((zone) => bothSides(inZone(request.slices, zone), inZone(then, zone))));

  /** @param {number | null | undefined} value */
  const figure = (value) => value?.toLocaleString('en', { maximumFractionDigits: 2 }) ?? '–';
  /** @param {any} hint */
  const rowOf = ({ zone, cpuRatio, minimum, desired, maximum, allocated }) =>
    [zone, shareWords(cpuRatio), ...[minimum, desired, maximum, allocated].map(figure)].join(' ');
  const rows = planned.hints.flatMap((/** @type {any} */ hint) => hint.zones ?? []).map(rowOf);
  const printed = await page.locator('.zone-table tbody tr').evaluateAll((lines) =>
    lines.map((line) => [...line.querySelectorAll('th, td:not(.range)')].map((cell) => [...cell.childNodes].at(-1)?.textContent?.trim()).join(' ')),
  );
  assert.deepEqual(printed, rows);
}

/** @param {Page} page @param {any} request */
async function checkTraffic(page, request) {
  await openTab(page, 'Traffic');
  const addressType = request.service.spec.ipFamilies?.[0] ?? 'IPv4';
  const [now] = trafficOf(request, request.slices, addressType);
  const [then] = trafficOf(request, slicesAfter(request), addressType);
  assert.ok(then);
  const figures = /** @type {const} */ (['crossZone', 'unserved', 'overload']);
  const sides = figures.map((name) => bothSides(shareWords((now ?? then)[name]), shareWords(then[name])));
  assert.deepEqual(await texts(page, '#panel-traffic .tile-value'), sides);
  const matrix = '#panel-traffic .sides > .side:last-child .matrix';
  const totals = await texts(page, `${matrix} tfoot td`);
  const columns = await texts(page, `${matrix} thead th .visually-hidden`);
  const received = columns.map((zone) => percent(then.received.find((each) => (each.zone || 'no zone') === zone)?.share ?? 0));
  assert.deepEqual(totals, [...received, ...(then.unserved > 0 ? [percent(then.unserved)] : []), '100 %']);
}

/** @param {Page} page @param {any} request */
async function checkCompare(page, request) {
  await openTab(page, 'Compare');
  await page.getByRole('button', { name: 'Now and after the plan' }).click();
  await told(page);
  const planned = /** @type {any} */ (plan(request));
  const sides = [request.slices, slicesAfter(request)];
  const rows = Object.fromEntries(
    await page.locator('.compare-table tbody tr:not(.pictures, .settings)').evaluateAll((lines) =>
      lines.map((line) => [line.querySelector('th')?.textContent ?? '', [...line.querySelectorAll('td')].map((cell) => cell.textContent)]),
    ),
  );
  const endpoints = sides.map((slices) => slices.flatMap((/** @type {any} */ each) => each.endpoints ?? []));
  /** @param {any} endpoint */
  const isHinted = ({ hints }) => (hints?.forZones ?? []).length + (hints?.forNodes ?? []).length > 0;
  const hinted = endpoints.map((list) => list.filter(isHinted).length);
  const writes = [['create', 'created'], ['update', 'updated'], ['delete', 'deleted']].flatMap(([list = '', word]) =>
    planned[list].length > 0 ? [`${planned[list].length} ${word}`] : [],
  );
  assert.deepEqual(rows.Writes, ['–', writes.join(', ') || 'none']);
  assert.deepEqual(rows.Slices, sides.map(({ length }) => `${length}, up to ${request.options.maxEndpointsPerSlice} each`));
  assert.deepEqual(rows.Endpoints, endpoints.map(({ length }) => String(length)));
  assert.deepEqual(rows['Slices if all were full'], ['–', String(planned.stats.desiredSlices)]);
  assert.deepEqual(rows.Hinted, hinted.map((count, side) => `${count} of ${endpoints[side]?.length}`));
}

/** A run of the loaded Service, and its figures at the end. @param {Page} page @param {any} request */
async function checkTimeline(page, request) {
  await openTab(page, 'Timeline');
  const ready = request.pods.filter((/** @type {any} */ pod) => /"type":"Ready","status":"True"/.test(JSON.stringify(pod)));
  if (ready.length === 0) return assert.equal(await page.locator('option[value^="own:"]').count(), 0);
  await page.getByLabel('Scenario', { exact: true }).selectOption('own:roll', { timeout: 20_000 });
  await page.locator('.timeline[aria-busy=false]').waitFor();
  await page.getByText('Edit the scenario as text').click();
  const text = await scenarioText(page);
  await page.getByText('Edit the scenario as text').click();
  const { zones, services: [service] } = JSON.parse(text);
  const nodes = zones.reduce((/** @type {number} */ sum, /** @type {any} */ zone) => sum + zone.nodes, 0);
  assert.deepEqual([service.replicas, nodes], [ready.length, request.nodes.length]);
  const names = zones.flatMap((/** @type {any} */ zone) => zone.nodeNames);
  assert.deepEqual(names.toSorted(), request.nodes.map((/** @type {any} */ { metadata }) => metadata.name).toSorted());
  const zoneOf = new Map(request.nodes.map((/** @type {any} */ { metadata: { name, labels } }) => [name, labels['topology.kubernetes.io/zone']]));
  const spread = zones.map((/** @type {any} */ { name }) => {
    const there = request.pods.filter((/** @type {any} */ { spec }) => zoneOf.get(spec.nodeName) === name);
    return `${there.length} in ${name}`;
  });
  const key = `${request.service.metadata.namespace}/${request.service.metadata.name}`;
  const placed = `${counted(ready.length, 'ready pod')} of ${key}, placed evenly on ${counted(nodes, 'node')}`;
  await page.locator('.timeline-head').getByText(`${placed}; in the input there are ${spread.join(', ')}`).waitFor();
  const timeline = new Timeline(text);
  const steps = [];
  for (let more = timeline.next(500); more.length > 0; more = timeline.next(500)) steps.push(...more);
  await page.getByRole('button', { name: 'To the end' }).click();
  await page.locator('.moment-time', { hasText: `step ${steps.length} of ${steps.length}` }).waitFor();
  const { readyPods, endpoints, slices, misdirected, unused } = /** @type {any} */ (steps.at(-1))?.gauges ?? {};
  const words = [`${readyPods} ready`, counted(endpoints, 'endpoint'), counted(slices, 'slice'), `${misdirected} misdirected`, `${unused} unused`];
  assert.deepEqual(await texts(page, '.moment-figures'), [words.join(' · ')]);
  await page.getByText('The run in figures').click();
  await page.locator('.report-table').waitFor();
  const { phases } = timeline.report();
  const rows = page.locator('.report-table tbody tr');
  const printed = await rows.evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
  assert.deepEqual(printed, phases.map(({ name, at, sums, gauges }) => [
    ...[name, clock(at)],
    ...[sums.writes.create, sums.writes.update, sums.writes.delete, sums.writes.refused].map(String),
    ...[bytes(sums.bytesToWatchers), `${sums.misdirectedSeconds.toFixed(1)} s`, `${sums.unusedSeconds.toFixed(1)} s`, String(sums.hintFlips)],
    ...[String(gauges.slices), percent(gauges.fill)],
  ]));
  return page.getByText('The run in figures').click();
}

/** What people do to a Service, each of which policies count something about. @type {((service: any) => any)[]} */
const CHANGES = [
  () => null,
  (service) => (service.spec.selector = { app: 'nothing' }),
  (service) => (service.spec.trafficDistribution = 'PreferSameZone'),
  (service) => (service.spec.internalTrafficPolicy = 'Local'),
  (service) => (service.metadata.annotations = { 'service.kubernetes.io/topology-mode': 'Auto' }),
];

/** The verdict on a change of the Service. @param {Page} page @param {any} request @param {number} seed */
async function checkAdmission(page, request, seed) {
  const old = { apiVersion: 'v1', kind: 'Service', ...request.service };
  const items = [old, ...request.pods, ...request.nodes];
  const slices = request.slices.map((/** @type {any} */ slice) => ({ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', ...slice }));
  const reviewer = createReviewer({ snapshot: JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [...items, ...slices] }) });
  const object = structuredClone(old);
  const isDeletion = CHANGES[seed % CHANGES.length]?.(object) === null;
  const review = isDeletion ? reviewOf('DELETE', null, old) : reviewOf('UPDATE', object, old);
  const answer = JSON.parse(new TextDecoder().decode(reviewer.explain(new TextEncoder().encode(JSON.stringify(review)))));

  await openTab(page, 'Admission');
  await page.getByLabel('To', { exact: true }).selectOption('UPDATE');
  const text = page.getByLabel('The object after the change');
  await page.waitForFunction((area) => /** @type {HTMLTextAreaElement} */ (area).value !== '', await text.elementHandle());
  await text.fill(JSON.stringify(object));
  await text.blur();
  if (isDeletion) await page.getByLabel('To', { exact: true }).selectOption('DELETE');
  await page.locator('.verdict-panel[aria-busy=false] .verdict-line', { hasText: answer.headline }).waitFor();
  const { allowed, status, warnings = [] } = answer.response;
  /** @param {string} words */
  const plain = (words) => words.replaceAll('`', '').replace(/\s+/g, ' ').trim();
  const messages = [...(allowed ? [] : [status.message]), ...warnings.map((/** @type {string} */ warning) => `Warning: ${warning}`)];
  assert.deepEqual(await texts(page, '.verdict .verdict-message'), messages.map(plain));
  assert.deepEqual(await texts(page, '.verdict > .quiet'), [plain(answer.known)]);
  const said = answer.steps.flatMap((/** @type {any} */ { said: words, findings }) =>
    [words, ...findings.map((/** @type {any} */ { message }) => message)].map((each) => plain(sentence(each))));
  assert.deepEqual((await texts(page, '.policy-step > p:not(.about), .findings p')).sort(), said.sort());
}

test('every printed number is the core’s', async () => {
  const seeds = Array.from({ length: INPUTS }, (_, index) => index + 1);
  await Promise.all(
    Array.from({ length: PAGES }, (_, place) =>
      withPage(world, {}, async (page) => {
        for (const seed of seeds.filter((each) => each % PAGES === place)) {
          const request = inputOf(seed);
          await openTab(page, 'Picture');
          await page.evaluate((text) => {
            const data = new DataTransfer();
            data.setData('text/plain', text);
            document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
          }, JSON.stringify(request));
          await told(page);
          try {
            await checkPicture(page, request);
            await checkTraffic(page, request);
            await checkCompare(page, request);
            await checkAdmission(page, request, seed);
            if (seed % 4 < 2) await checkTimeline(page, request);
          } catch (cause) {
            throw new Error(`seed ${seed}: ${cause}`, { cause });
          }
        }
      }),
    ),
  );
});
