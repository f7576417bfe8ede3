/**
 * The token that `slicewise serve` puts into the fragment of its address. It is removed from the address at once, so that it
 * is neither in the history nor in copied links, and kept for the lifetime of the tab, for reloads.
 */

const KEY = 'slicewise.live';
const FORM = /^#live=(?<token>[0-9a-f]{64})$/;

/** @returns {{token: string, service: string} | null} null on a page that follows no cluster */
export function liveToken() {
  const token = FORM.exec(location.hash)?.groups?.token;
  if (!token) return remembered();
  history.replaceState(null, '', location.pathname);
  const live = { token, service: '' };
  remember(live);
  return live;
}

/** @param {{token: string, service: string}} live */
export function remember(live) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(live));
  } catch {
    // Reloading uses the address again.
  }
}

/** @returns {{token: string, service: string} | null} */
function remembered() {
  try {
    const live = JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
    return typeof live?.token === 'string' && typeof live.service === 'string' ? live : null;
  } catch {
    return null;
  }
}
