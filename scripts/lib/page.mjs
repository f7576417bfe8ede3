/** Bundles the page with webpack's API, compresses it, and serves it on loopback. */
import { createServer } from 'node:http';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { unlessFresh } from './fresh.mjs';
import { Problem, ROOT } from './run.mjs';

const DIST = join(ROOT, 'dist');
const ASSETS = join(DIST, 'assets') + sep;

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

/**
 * Encodings, the preferred one first, each with the end of the files that have it. The last two levels of brotli would save
 * another tenth of the bytes in ten times the time.
 * @type {{encoding: string, end: string, compress: (body: Buffer) => Promise<Buffer>}[]}
 */
const ENCODINGS = [
  { encoding: 'br', end: '.br', compress: (body) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }) },
  { encoding: 'gzip', end: '.gz', compress: (body) => promisify(gzip)(body, { level: 9 }) },
];

/** Below this size a packet is a packet. */
const WORTHWHILE = 1024;

/** Bundles `www/` into `dist/`, if anything has changed. */
export function bundlePage() {
  const samples = ['samples', 'crates/simulation/scenarios'];
  const tools = ['webpack.config.js', 'package-lock.json', 'package.json', 'scripts/lib/entries.mjs'];
  const inputs = ['www', 'webhook/review.js', 'yaml', ...samples, 'npm', 'pkg/glue', 'pkg/schema', ...tools];
  return unlessFresh('page', { inputs, outputs: ['dist/index.html', 'dist/index.html.br'] }, async () => {
    const { default: webpack } = await import('webpack');
    const { default: config } = await import(join(ROOT, 'webpack.config.js'));
    const settings = typeof config === 'function' ? config({}, { mode: 'production' }) : config;
    await bundle(webpack({ mode: 'production', ...settings }));
    const files = await readdir(DIST, { recursive: true, withFileTypes: true });
    await Promise.all(files.filter((entry) => entry.isFile()).map(({ parentPath, name }) => compress(join(parentPath, name))));
  });
}

/** Puts the encodings of a file beside it. @param {string} file */
async function compress(file) {
  const body = await readFile(file);
  if (body.length >= WORTHWHILE) await Promise.all(ENCODINGS.map(async (each) => writeFile(file + each.end, await each.compress(body))));
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
 * @returns {Promise<{url: string, server: import('node:http').Server, close: () => void}>}
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
      resolve({ url: `http://127.0.0.1:${chosen}/`, server, close: () => server.close() });
    });
    server.listen(next, '127.0.0.1');
  });
}

/** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
async function answer(request, response) {
  const url = request.url ?? '/';
  const file = request.method === 'GET' || request.method === 'HEAD' ? fileOf(url) : null;
  const found = file && (await encoded(file, request.headers['accept-encoding'] ?? ''));
  if (!found) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('not found\n');
    return;
  }
  const { body, encoding } = found;
  response.writeHead(200, {
    'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
    'content-length': body.length,
    ...(encoding && { 'content-encoding': encoding }),
    vary: 'accept-encoding',
    // The names of assets have hashes of their content.
    'cache-control': file.startsWith(ASSETS) ? 'public, max-age=31536000, immutable' : 'no-cache',
    'x-content-type-options': 'nosniff',
    'content-security-policy': framing(url),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** A file in the best encoding that is there and accepted; null if there is no such file. @param {string} file @param {string} accepted */
async function encoded(file, accepted) {
  const names = accepted.split(',').filter((each) => !/;\s*q=0(\.0*)?\s*$/.test(each)).map((each) => each.split(';')[0]?.trim());
  for (const { encoding, end } of ENCODINGS.filter((each) => names.includes(each.encoding))) {
    const body = await readFile(file + end).catch(() => null);
    if (body) return { body, encoding };
  }
  const body = await readFile(file).catch(() => null);
  return body && { body, encoding: '' };
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
