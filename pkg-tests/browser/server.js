/**
 * A small static server on loopback for the browser tests: the built page at `/`, the package as it would be
 * installed at `/package/`, and an empty page at `/blank.html` to load the package into.
 */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import { framing } from '../../scripts/lib/page.mjs';

export const ROOT = join(import.meta.dirname, '../..');

/** @type {Record<string, string>} */
const TYPES = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/** Where the page is. */
const DIST = join(ROOT, 'dist');
/** The folder for each other path. */
const FOLDERS = [
  { prefix: '/package/npm/', folder: join(ROOT, 'npm') },
  { prefix: '/package/pkg/', folder: join(ROOT, 'pkg') },
];

/**
 * @param {string} [dist]
 * @returns {Promise<{base: string, instead: Map<string, string>, close: () => void}>} with replacements for files
 */
export function serve(dist = DIST) {
  /** @type {Map<string, string>} */
  const instead = new Map();
  const server = createServer((request, response) => void answer(request.url ?? '/', response, { instead, dist }));
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
      resolve({ base: `http://127.0.0.1:${port}/`, instead, close: () => server.close() });
    });
  });
}

/** @param {string} url @param {import('node:http').ServerResponse} response @param {{instead: Map<string, string>, dist: string}} served */
async function answer(url, response, { instead, dist }) {
  const path = new URL(url, 'http://localhost').pathname;
  const file = path === '/' ? '/index.html' : path;
  const body =
    path === '/blank.html'
      ? Buffer.from('<!doctype html><title>blank</title><link rel="icon" href="data:,">')
      : (instead.get(file) ?? (await read(file, dist)));
  const type = TYPES[extname(file)] ?? 'application/octet-stream';
  if (body === null) response.writeHead(404).end();
  else response.writeHead(200, { 'content-type': type, 'content-security-policy': framing(url) }).end(body);
}

/** @param {string} path @param {string} dist */
function read(path, dist) {
  const { prefix, folder } = FOLDERS.find((each) => path.startsWith(each.prefix)) ?? { prefix: '/', folder: dist };
  const file = normalize(join(folder, path.slice(prefix.length)));
  return file.startsWith(folder + sep) ? readFile(file).catch(() => null) : Promise.resolve(null);
}
