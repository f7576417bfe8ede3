/**
 * Stores the page for offline use. A version is stored completely or not at all, and a page gets all of its
 * files from one version. A new version waits until no page of the old one is open, or until the user requests it; then
 * all pages are reloaded.
 */

/** All files with their checksums; inserted by the build. @type {{version: string, files: Record<string, string>}} */
const BUILT = { version: '', files: {} };
const PREFIX = 'slicewise ';
const CACHE = `${PREFIX}${BUILT.version}`;
const HOME = new URL('index.html', location.href).href;

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

/** All files or none: a file with a different checksum is from another version. */
async function keep() {
  const cache = await caches.open(CACHE);
  try {
    await cache.addAll(Object.entries(BUILT.files).map(([file, integrity]) => new Request(file, { integrity, cache: 'no-cache' })));
  } catch (error) {
    await caches.delete(CACHE);
    throw error;
  }
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
  return kept ?? fetch(request);
}
