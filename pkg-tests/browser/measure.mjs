/**
 * `node pkg-tests/browser/measure.mjs`: what the page weighs, and how long it takes from an input to its picture,
 * in a real Chromium. Numbers, not a test: they depend on the machine.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { start } from './harness.js';
import { ROOT } from './server.js';

const RUNS = 5;

printSizes();
const world = await start();
await printTimes();
await world.close();

function printSizes() {
  const assets = join(ROOT, 'dist/assets');
  const files = readdirSync(assets).filter((name) => /\.(js|css|wasm)$/.test(name));
  console.log('file                                     raw      gzip    brotli');
  for (const name of files) {
    const bytes = readFileSync(join(assets, name));
    const sizes = [bytes.length, gzipSync(bytes, { level: 9 }).length, brotliCompressSync(bytes).length];
    console.log(name.padEnd(36), ...sizes.map((size) => `${(size / 1000).toFixed(1)} KB`.padStart(9)));
  }
}

async function printTimes() {
  const page = await world.browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(world.base);
  await page.locator('.result[aria-busy=false]').waitFor();
  const first = await page.evaluate(() => performance.now());
  console.log(`\nfirst picture after ${first.toFixed(0)} ms`);
  for (const count of [100, 1000, 5000, 20_000]) {
    const times = [];
    for (let run = 0; run < RUNS; run += 1) times.push(await page.evaluate(timeInput, request(count, run)));
    const sorted = times.sort((a, b) => a - b);
    console.log(`${String(count).padStart(6)} endpoints: input to picture ${sorted[2]?.toFixed(0)} ms (median of ${RUNS})`);
  }
}

/** Runs in the page: drops a text, and waits for the frame that shows it. @param {string} text @returns {Promise<number>} */
function timeInput(text) {
  const data = new DataTransfer();
  data.items.add(new File([text], 'input.json'));
  const result = /** @type {Element} */ (document.querySelector('.result'));
  return new Promise((resolve) => {
    const started = performance.now();
    let busy = false;
    new MutationObserver((_, observer) => {
      const now = result.getAttribute('aria-busy') === 'true';
      if (busy && !now) {
        observer.disconnect();
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - started)));
      }
      busy = now;
    }).observe(result, { attributes: true });
    document.querySelector('.editor')?.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }));
  });
}

/** A Service that comes into being with so many pods. @param {number} count @param {number} seed */
function request(count, seed) {
  const zones = ['a', 'b', 'c'];
  const nodes = zones.map((zone) => ({ metadata: { name: `n-${zone}`, labels: { 'topology.kubernetes.io/zone': zone } }, status: { allocatable: { cpu: '8' } } }));
  const pods = Array.from({ length: count }, (_, index) => ({
    metadata: { name: `p-${seed}-${index}`, namespace: 'n', uid: `u${index}`, labels: { app: 'x' } },
    spec: { nodeName: `n-${zones[index % 3]}`, containers: [{ name: 'c' }] },
    status: { phase: 'Running', podIPs: [{ ip: `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}` }], conditions: [{ type: 'Ready', status: 'True' }] },
  }));
  const service = { metadata: { name: 's', namespace: 'n', uid: 'u' }, spec: { selector: { app: 'x' }, ipFamilies: ['IPv4'], trafficDistribution: 'PreferSameZone' } };
  return JSON.stringify({ service, pods, nodes });
}
