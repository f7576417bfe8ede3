/**
 * Stores the page for offline use, once it is rendered and idle.
 * @import {Store} from './store.js'
 */

const CALM = 2000;

/** @param {Store} store */
export function keepOffline(store) {
  if (!('serviceWorker' in navigator)) return;
  const { serviceWorker } = navigator;
  // The first worker takes over silently: page and worker have the same version.
  let hadOne = serviceWorker.controller !== null;
  serviceWorker.addEventListener('controllerchange', () => {
    if (hadOne) location.reload();
    hadOne = true;
  });
  setTimeout(() => {
    serviceWorker.register(/** @type {string} */ (scriptUrl()), { updateViaCache: 'none' }).then(
      (registration) => watch(registration, store),
      () => {
        // Without it, the page needs the network, like any page.
      },
    );
  }, CALM);
}

/** Another page may be stored for this address, and would be shown instead of what is served. */
export async function forgetOffline() {
  const kept = await navigator.serviceWorker?.getRegistrations();
  for (const registration of kept ?? []) void registration.unregister();
}

/** The address of the worker script, the only one allowed. */
function scriptUrl() {
  const factory = /** @type {any} */ (globalThis).trustedTypes;
  const file = 'service-worker.js';
  return factory ? factory.createPolicy('slicewise-offline', { createScriptURL: () => file }).createScriptURL('') : file;
}

/** Reports when a newer version is waiting. @param {ServiceWorkerRegistration} registration @param {Store} store */
function watch(registration, store) {
  const tell = () => {
    const { waiting } = registration;
    if (!waiting || !navigator.serviceWorker.controller) return;
    const run = () => waiting.postMessage('take over');
    store.notify({ kind: 'info', text: 'A new version of this page is ready. Your input is kept.', action: { label: 'Load it', run } });
  };
  tell();
  registration.addEventListener('updatefound', () => registration.installing?.addEventListener('statechange', tell));
}
