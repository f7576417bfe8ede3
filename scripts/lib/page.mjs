/** Bundles the page with webpack's API, and serves it on loopback. */
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { unlessFresh } from './fresh.mjs';
import { Problem, ROOT } from './run.mjs';

const DIST = join(ROOT, 'dist');

/** @type {Record<string, string>} */
const TYPES = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.yaml': 'text/yaml; charset=utf-8',
};

/** Bundles `www/` into `dist/`, if anything has changed. */
export function bundlePage() {
  const samples = ['samples', 'crates/simulation/scenarios'];
  const inputs = ['www', 'webhook/review.js', 'yaml', ...samples, 'webpack.config.js', 'npm', 'pkg/glue', 'package-lock.json', 'package.json'];
  return unlessFresh('page', { inputs, outputs: ['dist/index.html'] }, async () => {
    const { default: webpack } = await import('webpack');
    const { default: config } = await import(join(ROOT, 'webpack.config.js'));
    const settings = typeof config === 'function' ? config({}, { mode: 'production' }) : config;
    await bundle(webpack({ mode: 'production', ...settings }));
  });
}

/** @param {any} compiler */
function bundle(compiler) {
  return new Promise((resolve, reject) => {
    compiler.run((/** @type {any} */ error, /** @type {any} */ stats) => {
      compiler.close(() => {
        if (error) reject(error);
        else if (stats.hasErrors()) reject(new Problem(stats.toString({ all: false, errors: true, errorDetails: true })));
        else resolve(stats);
      });
    });
  });
}

/**
 * Serves `dist/` on loopback; if the port is taken, on the next free one.
 * @param {number} port 0 for any
 * @returns {Promise<{url: string, close: () => void}>}
 */
export function servePage(port) {
  const server = createServer((request, response) => void answer(request, response));
  return new Promise((resolve, reject) => {
    let next = port;
    server.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
      if (error.code !== 'EADDRINUSE' || next >= port + 20) return reject(error);
      next += 1;
      server.listen(next, '127.0.0.1');
    });
    server.on('listening', () => {
      const { port: chosen } = /** @type {import('node:net').AddressInfo} */ (server.address());
      resolve({ url: `http://127.0.0.1:${chosen}/`, close: () => server.close() });
    });
    server.listen(next, '127.0.0.1');
  });
}

/** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
async function answer(request, response) {
  const file = fileOf(request.url ?? '/');
  const body = file && (request.method === 'GET' || request.method === 'HEAD') ? await readFile(file).catch(() => null) : null;
  if (!file || !body) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('not found\n');
    return;
  }
  const type = TYPES[extname(file)] ?? 'application/octet-stream';
  const headers = { 'content-type': type, 'content-length': body.length, 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' };
  response.writeHead(200, { ...headers, 'content-security-policy': framing(request.url ?? '/') });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** Who may frame the page: anyone may frame its embedded form, which stores nothing; no one may frame the page itself. @param {string} url */
export function framing(url) {
  const isEmbedded = new URL(url, 'http://localhost').searchParams.get('embed') === '1';
  return `frame-ancestors ${isEmbedded ? '*' : "'none'"}`;
}

/** The file of a request; null if it is outside the folder. @param {string} url */
function fileOf(url) {
  let path;
  try {
    path = decodeURIComponent(new URL(url, 'http://localhost').pathname);
  } catch {
    return null;
  }
  const file = normalize(join(DIST, path.endsWith('/') ? `${path}index.html` : path));
  return file.startsWith(DIST + sep) && !file.includes('\0') ? file : null;
}
