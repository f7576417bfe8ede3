/**
 * The parts of the webhook's load test, each a process of its own: `node benches/webhook.mjs bare CERT KEY` is a server that
 * parses reviews and allows all of them; `node benches/webhook.mjs judge CLUSTER` judges in its own process and prints the
 * times; `node benches/webhook.mjs load URL CERT REVIEW SECONDS` sends reviews over 16 connections and prints the result.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { connect } from 'node:tls';
import { reviews } from './webhook-cluster.mjs';

const CONNECTIONS = 16;
const [what, ...args] = process.argv.slice(2);
if (what === 'bare') bare(args[0], args[1]);
else if (what === 'judge') await judge(args[0]);
else if (what === 'load') console.log(JSON.stringify(await load(new URL(args[0]), args[1], readFileSync(args[2]), Number(args[3]))));

/** The baseline: a webhook that decides nothing. @param {string} cert @param {string} key */
function bare(cert, key) {
  const options = { cert: readFileSync(cert), key: readFileSync(key), minVersion: /** @type {const} */ ('TLSv1.3'), keepAliveTimeout: 120_000 };
  const server = createServer(options, (request, response) => {
    /** @type {Buffer[]} */
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { request: { uid } } = JSON.parse(Buffer.concat(chunks).toString());
      const body = JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: { uid, allowed: true } });
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
      response.end(body);
    });
  });
  server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: /** @type {import('node:net').AddressInfo} */ (server.address()).port })));
}

/** @param {string} file */
async function judge(file) {
  const { createReviewer } = await import('slicewise/admission');
  const bytes = readFileSync(file);
  const before = performance.now();
  const reviewer = createReviewer({ snapshot: bytes });
  const ready = performance.now() - before;
  /** @type {Record<string, {median: number, p99: number, parse: number}>} */
  const times = {};
  for (const [name, { review, policy }] of Object.entries(reviews())) {
    const text = Buffer.from(JSON.stringify(review));
    const judged = timed(1000, () => reviewer.judge(text, { policy }));
    times[name] = { ...judged, parse: timed(500, () => JSON.parse(text.toString())).median };
  }
  console.log(JSON.stringify({ ready, megabytes: process.memoryUsage.rss() / 1e6, times }));
}

/** @param {number} milliseconds @param {() => void} work */
function timed(milliseconds, work) {
  const all = [];
  const end = performance.now() + milliseconds;
  while (performance.now() < end) {
    const start = performance.now();
    work();
    all.push(performance.now() - start);
  }
  all.sort((a, b) => a - b);
  return { median: all[all.length >> 1], p99: all[Math.floor(all.length * 0.99)] };
}

/**
 * One request after another on each connection; responses are framed by their length and not parsed.
 * @param {URL} url
 * @param {string} cert
 * @param {Buffer} body
 * @param {number} seconds
 */
async function load({ hostname, port, pathname }, cert, body, seconds) {
  const ca = readFileSync(cert);
  const head = `POST ${pathname} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
  const request = Buffer.concat([Buffer.from(head), body]);
  /** @type {number[]} */
  const times = [];
  const end = performance.now() + seconds * 1000;
  const started = performance.now();
  await Promise.all(Array.from({ length: CONNECTIONS }, () => one()));
  times.sort((a, b) => a - b);
  const at = (/** @type {number} */ share) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
  return { perSecond: times.length / ((performance.now() - started) / 1000), p50: at(0.5), p99: at(0.99) };

  /** @returns {Promise<void>} */
  function one() {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), ca, servername: 'localhost' }, send);
      let received = Buffer.alloc(0);
      let start = 0;
      function send() {
        start = performance.now();
        socket.write(request);
      }
      socket.on('data', (chunk) => {
        received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
        const split = received.indexOf('\r\n\r\n');
        if (split === -1) return;
        const heading = received.toString('latin1', 0, split);
        if (!heading.startsWith('HTTP/1.1 200')) return reject(new Error(heading));
        const length = Number(/content-length: (\d+)/i.exec(heading)?.[1]);
        if (received.length < split + 4 + length) return;
        received = Buffer.alloc(0);
        times.push(performance.now() - start);
        if (performance.now() < end) return send();
        socket.destroy();
        resolve();
      });
      socket.on('error', reject);
    });
  }
}
