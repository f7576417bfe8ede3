/**
 * `node pkg-tests/browser/measure.mjs`: measures the size of the page, the time from an input to its picture, how long it
 * blocks, how smoothly it plays and how much memory it takes, in a real Chromium, in both themes. Not a test: the figures
 * depend on the machine. Writes its section of `docs/performance.md`.
 */
import { readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { brotliCompressSync } from 'node:zlib';
import { writeSection } from '../../scripts/lib/sections.mjs';
import { heapOf, openForTyping, timeCompare, typeDigits } from './editing.mjs';
import { newService } from './files.js';
import { framesWhilePlaying } from './frames.mjs';
import { exampleLink, start, told } from './harness.js';
import { blocksWhilePasting } from './paste.mjs';

/** @import {Page} from 'playwright-core' */

const STEPS = 21;
/** @type {[endpoints: number, runs: number, limit: string][]} */
const INPUTS = [[1000, 20, '50 ms'], [20_000, 10, '300 ms']];
/** The edits after which memory is measured again. */
const EDITS = 100;
const FIRST = exampleLink('eleven-endpoints');

const began = performance.now();
const world = await start(undefined, []);
/** @type {Map<string, {limit: string, values: string[]}>} */
const table = new Map();
for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
  const context = await contextOf(colorScheme);
  const page = await context.newPage();
  await measureFirstLoad(page);
  for (const count of [100, 1000]) await measureSlider(page, count);
  for (const [count, runs, limit] of INPUTS) await measureInput(page, count, runs, limit);
  await measureFrames(page);
  await page.close();
  await measureEdits(await context.newPage());
  await measurePaste(await context.newPage());
  await context.close();
  // The other one remembers that the text was opened, and would load the editor again.
  const fresh = await contextOf(colorScheme);
  await measureMemory(await fresh.newPage());
  await fresh.close();
}
const version = world.browser.version();
await world.close();
writeSection('page', report());
console.error(`measured in ${Math.round((performance.now() - began) / 1000)} s`);

/** Where nothing has been opened or chosen yet. @param {'light' | 'dark'} colorScheme */
async function contextOf(colorScheme) {
  const context = await world.browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme });
  await context.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'serviceWorker'));
  await context.addInitScript(watchPicture);
  return context;
}

function report() {
  const rows = [...table].map(([figure, { limit, values }]) => `| ${figure} | ${limit} | ${values.join(' | ')} |`);
  return `## The page

The size and speed of the built page, measured in Chromium in both themes, at 1440 × 900 pixels, without network
latency. Sizes are those of everything loaded before the first picture, compressed with brotli as a server would. A
picture counts as drawn with the frame that shows it. Work is the processor time of the page's thread and its workers in
that span, to which other programs on the machine do not add. A page reads the clipboard in one call, which only the
browser could divide; the longest block of a paste includes it. Memory is that of the page's process with its workers, for
an input of 20,000 endpoints, with the table open and scrolled through, and the text closed. The keys are typed into the
text of that input; the heap is that of the page's thread.

Written by \`node pkg-tests/browser/measure.mjs\` on ${new Date().toISOString().slice(0, 10)};
${cpus()[0]?.model}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(0)}; Chromium ${version}.

| Figure | Limit | Light | Dark |
| --- | --- | --: | --: |
${rows.join('\n')}
`;
}

/** @param {string} figure @param {string} limit @param {string} value */
function note(figure, limit, value) {
  const row = table.get(figure) ?? { limit, values: [] };
  row.values.push(value);
  console.error(`${figure}: ${value}`);
  table.set(figure, row);
}

/** What is loaded before the first picture, compressed as by a server, and the time of that picture. @param {Page} page */
async function measureFirstLoad(page) {
  /** @type {Promise<[string, number]>[]} */
  const loads = [];
  /** @param {import('playwright-core').Response} response */
  const loaded = (response) => void loads.push(response.body().then((body) => [new URL(response.url()).pathname, brotliCompressSync(body).length]));
  page.on('response', loaded);
  await page.goto(`${world.base}${FIRST}`);
  await page.locator('.hero').waitFor();
  page.off('response', loaded);
  const sizes = await Promise.all(loads);
  /** @param {RegExp} kind */
  const sum = (kind) => `${(sizes.filter(([path]) => kind.test(path)).reduce((total, [, size]) => total + size, 0) / 1000).toFixed(1)} KB`;
  note('First load (brotli)', '350 KB', sum(/(?:)/));
  note('First load, scripts (brotli)', '', sum(/\.js$/));
  note('First load, styles (brotli)', '', sum(/\.css$/));
  note('First load, WebAssembly (brotli)', 'main module only', `${sum(/\.wasm$/)} in ${sizes.filter(([path]) => path.endsWith('.wasm')).length}`);
  const times = [];
  for (let run = 0; run < 5; run += 1) {
    await page.goto('about:blank');
    await page.goto(`${world.base}${FIRST}`);
    times.push(Number(await page.waitForFunction(() => /** @type {any} */ (globalThis).pictured).then((handle) => handle.jsonValue())));
  }
  note('First picture', '500 ms', `${percentile(times, 0.5)} ms`);
}

/** From a step of the slider to its picture. @param {Page} page @param {number} count of endpoints */
async function measureSlider(page, count) {
  await give(page, newService(count, 100));
  const { result: times, work } = await traced(page, () => page.evaluate(timeSlider, STEPS));
  const endpoints = count.toLocaleString('en');
  note(`Slider step to picture at ${endpoints} endpoints, work, median`, '16 ms', `${percentile(work, 0.5)} ms`);
  note(`Slider step to picture at ${endpoints} endpoints, median`, '', `${percentile(times, 0.5)} ms`);
}

/** @param {Page} page @param {number} count @param {number} runs @param {string} limit */
async function measureInput(page, count, runs, limit) {
  const runsOf = [];
  for (let run = 0; run < runs; run += 1) runsOf.push(await give(page, newService(count, 100, run)));
  const endpoints = count.toLocaleString('en');
  note(`Input to picture at ${endpoints} endpoints, 95th percentile`, limit, `${percentile(runsOf.map(({ time }) => time), 0.95)} ms`);
  const { work } = await traced(page, () => give(page, newService(count, 100, runs)));
  note(`Input to picture at ${endpoints} endpoints, work`, '', `${percentile(work, 0.5)} ms`);
  const longest = Math.max(...runsOf.map(({ block }) => block));
  note(`Longest block of the main thread at ${endpoints} endpoints`, '100 ms', longest === 0 ? 'below 50 ms' : `${Math.round(longest)} ms`);
}

/** The frame rate while a rolling update of 1,000 pods plays. @param {Page} page */
async function measureFrames(page) {
  const { fps } = await framesWhilePlaying(page, world.base);
  note('Frames a second while 1,000 pods are updated', '≥ 50', fps.toFixed(1));
}

/** From a key in the text to its picture; what many keys leave behind; and the comparison of a large Service. @param {Page} page */
async function measureEdits(page) {
  await page.goto(`${world.base}${FIRST}`);
  await told(page);
  for (const [count, runs, limit] of INPUTS) {
    await openForTyping(page, count);
    await typeDigits(page, 2);
    const times = await typeDigits(page, 2 * runs);
    note(`Key to picture at ${count.toLocaleString('en')} pods of 900 bytes, 95th percentile`, limit, `${percentile(times, 0.95)} ms`);
  }
  const before = await heapOf(page);
  await typeDigits(page, EDITS);
  note(`Growth of the heap in ${EDITS} edits at 20,000 pods`, '20 MB', `${((await heapOf(page)) - before).toFixed(1)} MB`);
  const times = [];
  for (let run = 0; run < 5; run += 1) times.push(await timeCompare(page));
  note('Comparison of four columns at 20,000 endpoints, median', '1.5 s', `${(percentile(times, 0.5) / 1000).toFixed(2)} s`);
  await page.close();
}

/** The longest block while a very large text is pasted, and the part of it that is not the page's. @param {Page} page */
async function measurePaste(page) {
  await page.goto(`${world.base}${FIRST}`);
  await told(page);
  const { block, read } = await blocksWhilePasting(page, 50);
  note('Longest block of the main thread when 50 MB are pasted', '100 ms', block === 0 ? 'below 50 ms' : `${Math.round(block)} ms`);
  note('Reading 50 MB from the clipboard, which the page cannot divide', '', `${Math.round(read)} ms`);
  await page.close();
}

/** The memory of the page's process, including workers, after scrolling through the open table. @param {Page} page */
async function measureMemory(page) {
  await page.goto(`${world.base}${FIRST}`);
  await told(page);
  await give(page, newService(20_000, 100));
  await told(page);
  await page.locator('summary', { hasText: 'The same as a table' }).click();
  const lines = page.getByRole('region', { name: 'Endpoints' });
  for (const part of [0.25, 0.5, 0.75, 1]) {
    await lines.evaluate((box, share) => box.scrollTo(0, box.scrollHeight * share), part);
    await page.waitForTimeout(100);
  }
  const session = await world.browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const sizes = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => residentOf(id));
  note('Memory of the page at 20,000 endpoints, table open', '300 MB', `${Math.round(Math.max(...sizes) / 1000)} MB`);
}

/** The proportional set size of a process, in kilobytes. @param {number} id */
function residentOf(id) {
  return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
}

/** Runs in the page: the time of the frame with the first picture. */
function watchPicture() {
  const observer = new MutationObserver(() => {
    if (!document.querySelector('.hero')) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => Object.assign(globalThis, { pictured: performance.now() })));
  });
  observer.observe(document, { childList: true, subtree: true });
}

/**
 * The cost of an action: the CPU time of the page's thread and its workers between the action's marks.
 * @template T
 * @param {Page} page
 * @param {() => Promise<T>} act
 * @returns {Promise<{result: T, work: number[]}>} milliseconds, for each pair of marks
 */
async function traced(page, act) {
  await world.browser.startTracing(page, { categories: ['toplevel', 'blink.user_timing'] });
  const result = await act();
  /** @type {{traceEvents: {name: string, pid: number, tid: number, ts: number, dur?: number, tdur?: number, args: {name?: string}}[]}} */
  const { traceEvents } = JSON.parse((await world.browser.stopTracing()).toString());
  const [from, to] = ['asked', 'drawn'].map((name) => traceEvents.filter((event) => event.name === name));
  const threads = new Map(traceEvents.filter(({ name }) => name === 'thread_name').map(({ pid, tid, args }) => [`${pid} ${tid}`, args.name ?? '']));
  const tasks = traceEvents.filter(
    ({ name, pid, tid }) => /RunTask$/.test(name) && pid === from?.[0]?.pid && /RendererMain|Worker thread/.test(threads.get(`${pid} ${tid}`) ?? ''),
  );
  const work = (from ?? []).map(({ ts }, index) => {
    const end = to?.[index]?.ts ?? ts;
    return tasks.filter((task) => task.ts + (task.dur ?? 0) > ts && task.ts < end).reduce((sum, { tdur = 0 }) => sum + tdur / 1000, 0);
  });
  return { result, work };
}

/** Pastes an input, and waits for the frame that shows it. @param {Page} page @param {string} text */
async function give(page, text) {
  // Not as an argument: the debugger protocol would leave copies of it in the page.
  world.instead.set('/input.json', text);
  await page.evaluate(
    async () => Object.assign(globalThis, { given: await (await fetch('/input.json', { cache: 'no-store' })).text() }) && undefined,
  );
  await page.waitForTimeout(300);
  return page.evaluate(timePaste);
}

/** Runs in the page. @returns {Promise<{time: number, block: number}>} milliseconds, and the longest task of at least 50 */
async function timePaste() {
  const data = new DataTransfer();
  data.setData('text/plain', /** @type {any} */ (globalThis).given);
  const result = /** @type {Element} */ (document.querySelector('.result'));
  let block = 0;
  const blocks = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) block = Math.max(block, duration);
  });
  blocks.observe({ type: 'longtask' });
  const time = await new Promise((resolve) => {
    const started = performance.now();
    performance.mark('asked');
    let busy = false;
    new MutationObserver((_, observer) => {
      const now = result.getAttribute('aria-busy') === 'true';
      if (busy && !now) {
        observer.disconnect();
        requestAnimationFrame(() =>
          setTimeout(() => {
            performance.mark('drawn');
            resolve(performance.now() - started);
          }),
        );
      }
      busy = now;
    }).observe(result, { attributes: true });
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  });
  await new Promise((resolve) => {
    setTimeout(resolve, 100);
  });
  blocks.disconnect();
  Object.assign(globalThis, { given: null });
  return { time, block };
}

/** Runs in the page: makes each step once the previous one is drawn. @param {number} steps */
async function timeSlider(steps) {
  const slider = /** @type {HTMLInputElement} */ (document.querySelector('.slider input'));
  const value = /** @type {Element} */ (document.querySelector('.stepper-value'));
  const times = [];
  for (let step = 0; step < steps; step += 1) {
    await new Promise((resolve) => {
      setTimeout(resolve, 250);
    });
    const drawn = new Promise((resolve) => {
      new MutationObserver((_, observer) => {
        observer.disconnect();
        performance.mark('drawn');
        resolve(performance.now());
      }).observe(value, { characterData: true, childList: true, subtree: true });
    });
    const started = performance.now();
    performance.mark('asked');
    slider.value = String(Number(slider.value) + (step % 2 ? -1 : 1));
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    times.push(/** @type {number} */ (await drawn) - started);
  }
  return times;
}

/** @param {number[]} values @param {number} part */
function percentile(values, part) {
  const sorted = [...values].sort((a, b) => a - b);
  return Math.round((sorted[Math.min(sorted.length - 1, Math.ceil(part * sorted.length) - 1)] ?? 0) * 10) / 10;
}
