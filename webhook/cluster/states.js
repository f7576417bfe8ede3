/** The progress of each kind's watch; plain values, which can be passed between threads. */
import { now } from './times.js';

/**
 * @typedef {object} KindState
 * @property {string} kind
 * @property {'starting' | 'listing' | 'watching' | 'waiting'} phase
 * @property {boolean} isSynced whether everything has been listed once
 * @property {number} newsAt time of the last news from the server, by the clock of `times.js`
 * @property {number} lists number of lists
 * @property {number} failures number of failed lists and watches
 * @property {string | null} reason of the current failure
 */

/** @typedef {'lost' | 'listing' | 'listed' | 'watching' | 'news' | 'failed'} What */
/** @typedef {(what: What, reason?: string) => void} Note */

/** @param {string} kind @returns {KindState} */
export function startOf(kind) {
  return { kind, phase: 'starting', isSynced: false, newsAt: now(), lists: 0, failures: 0, reason: null };
}

/**
 * @param {KindState} state
 * @param {What} what
 * @param {string} [reason]
 * @returns {KindState}
 */
export function after(state, what, reason = '') {
  switch (what) {
    case 'lost':
      return { ...state, phase: 'starting', isSynced: false };
    case 'listing':
      return { ...state, phase: 'listing' };
    case 'listed':
      return { ...state, isSynced: true, newsAt: now(), lists: state.lists + 1 };
    case 'watching':
      return { ...state, phase: 'watching', reason: null, newsAt: now() };
    case 'news':
      return { ...state, newsAt: now() };
    case 'failed':
      return { ...state, phase: 'waiting', failures: state.failures + 1, reason };
  }
}

/**
 * Seconds since the last news of the stalest kind; kinds that were never listed have no age.
 * @param {Iterable<KindState>} states
 */
export function ageOf(states, at = now()) {
  let age = 0;
  for (const { isSynced, newsAt } of states) if (isSynced) age = Math.max(age, at - newsAt);
  return age / 1000;
}

/**
 * Why what is known is not current any more; `null` while it is. Kinds that were never listed are not known at all.
 * @param {Iterable<KindState>} states
 * @param {number} maxAgeSeconds
 */
export function whyStale(states, maxAgeSeconds, at = now()) {
  const stale = [...states].filter(({ isSynced, newsAt }) => isSynced && at - newsAt > maxAgeSeconds * 1000);
  if (stale.length === 0) return null;
  const reasons = stale.map(({ kind, newsAt, reason }) => `${kind}s for ${Math.floor((at - newsAt) / 1000)} s${reason ? ` (${reason})` : ''}`);
  return `nothing has come from the cluster for longer than the limit of ${maxAgeSeconds} s: ${reasons.join('; ')}`;
}

/**
 * Why the cluster is not known yet; `null` once all kinds have been listed.
 * @param {Iterable<KindState>} states
 */
export function whyNotSynced(states) {
  const missing = [...states].filter(({ isSynced }) => !isSynced);
  if (missing.length === 0) return null;
  const reasons = missing.map(({ kind, reason }) => (reason ? `${kind}s: ${reason}` : `${kind}s`));
  return `the cluster is not known yet: waiting for ${reasons.join('; ')}`;
}
