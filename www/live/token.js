/**
 * The token that `slicewise serve` has put into the fragment of its address. It is removed from the address at once, so that it
 * does not stay in the history or get copied along, and kept for as long as the tab lives, for a reload.
 */

const KEY = 'slicewise.live';
const FORM = /^#live=(?<token>[0-9a-f]{64})$/;

/** @returns {{token: string, service: string} | null} nothing on a page that follows no cluster */
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
    // After a reload it takes the address again.
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
