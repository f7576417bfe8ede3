/**
 * Stores the page for offline use: what the first screen needs at once, the rest when it is used. A page gets all of its
 * files from one version: each is checked. A new version waits until no page of the old one is open, or until the user requests it; then
 * all pages are reloaded.
 */

/**
 * All files with their checksums, and those of the first screen; inserted by the build.
 * @type {{version: string, first: string[], files: Record<string, string>}}
 */
const BUILT = { version: '', first: [], files: {} };
const PREFIX = 'slicewise ';
const CACHE = `${PREFIX}${BUILT.version}`;
const BASE = new URL('./', location.href).href;
const HOME = new URL('index.html', BASE).href;

/** @type {any} */
const worker = globalThis;

worker.addEventListener('install', (/** @type {any} */ event) => event.waitUntil(keep()));
worker.addEventListener('activate', (/** @type {any} */ event) => event.waitUntil(forgetOthers().then(() => worker.clients.claim())));
worker.addEventListener('message', (/** @type {any} */ event) => event.data === 'take over' && worker.skipWaiting());
worker.addEventListener('fetch', (/** @type {any} */ event) => {
  const { request } = event;
  const url = new URL(request.url);
  // A frame in another page does without.
  const isOurs = request.method === 'GET' && url.origin === location.origin && !url.searchParams.has('embed');
  if (isOurs) event.respondWith(answer(request, url));
});

/** All of these or none: a file with a different checksum is from another version. */
async function keep() {
  const cache = await caches.open(CACHE);
  try {
    await cache.addAll(BUILT.first.map(checked));
  } catch (error) {
    await caches.delete(CACHE);
    throw error;
  }
}

/** @param {string} file */
function checked(file) {
  // What the page has just loaded need not come again: the names of assets have hashes of their content.
  return new Request(file, { integrity: BUILT.files[file], cache: file.startsWith('assets/') ? 'default' : 'no-cache' });
}

async function forgetOthers() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)));
}

/** @param {Request} request @param {URL} url */
async function answer(request, url) {
  const cache = await caches.open(CACHE);
  const isPage = request.mode === 'navigate' && (url.pathname.endsWith('/') || url.pathname.endsWith('/index.html'));
  const kept = await cache.match(isPage ? HOME : request, { ignoreSearch: isPage });
  const file = url.href.slice(BASE.length).replace(/[?#].*$/, '');
  if (kept || !Object.hasOwn(BUILT.files, file)) return kept ?? fetch(request);
  const response = await fetch(checked(file));
  if (response.ok) await cache.put(file, response.clone());
  return response;
}
