/**
 * Has the browser keep the page, once it stands and nothing else is to be done.
 * @import {Store} from './store.js'
 */

const CALM = 2000;

/** @param {Store} store */
export function keepOffline(store) {
  if (!('serviceWorker' in navigator)) return;
  const { serviceWorker } = navigator;
  // The first one takes over quietly: page and worker are of the same version.
  let hadOne = serviceWorker.controller !== null;
  serviceWorker.addEventListener('controllerchange', () => {
    if (hadOne) location.reload();
    hadOne = true;
  });
  setTimeout(() => {
    serviceWorker.register(/** @type {string} */ (scriptUrl()), { updateViaCache: 'none' }).then(
      (registration) => watch(registration, store),
      () => {
        // Without it the page needs the network, as any page does.
      },
    );
  }, CALM);
}

/** Another page may have been kept for this address, which would be shown in place of what is served. */
export async function forgetOffline() {
  const kept = await navigator.serviceWorker?.getRegistrations();
  for (const registration of kept ?? []) void registration.unregister();
}

/** The address of the one script, allowed by name. */
function scriptUrl() {
  const factory = /** @type {any} */ (globalThis).trustedTypes;
  const file = 'service-worker.js';
  return factory ? factory.createPolicy('slicewise-offline', { createScriptURL: () => file }).createScriptURL('') : file;
}

/** Tells when a newer version waits. @param {ServiceWorkerRegistration} registration @param {Store} store */
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
