/**
 * Watches a cluster. It is independent of the service and the reviewer, and has no global state, so that it can run
 * in any thread.
 */
import { KINDS, NAMESPACE } from './kinds.js';
import { Reflector } from './reflector.js';
import { after, startOf, whyStale } from './states.js';
import { TIMES, now } from './times.js';

/**
 * @typedef {(fields: object, message: string) => void} Write
 * @typedef {{debug: Write, info: Write, warn: Write}} WatchLog as pino takes it
 *
 * @typedef {object} WatchOptions
 * @property {import('./connection.js').Connection} connection
 * @property {(bytes: Uint8Array) => import('slicewise/admission').Applied | Promise<import('slicewise/admission').Applied>} apply
 *   receives lists, pages and events, one per line
 * @property {() => import('./reflector.js').ListReader} startList reads a page of a list in pieces
 * @property {(applied: import('slicewise/admission').Applied) => void} [onLeftOut] is told of objects that could not be read
 * @property {() => number} [maxAgeSeconds] the age at which what is known counts as lost; it is logged then
 * @property {(states: import('./states.js').KindState[]) => void} [onState] called on every change, and about once a second on news
 * @property {WatchLog} log
 * @property {AbortSignal} signal stops it
 * @property {Partial<import('./times.js').Times>} [times]
 *
 * @typedef {object} ClusterWatch
 * @property {() => import('./states.js').KindState[]} states
 * @property {() => void} relist lists everything again, for a new reviewer
 * @property {(isWanted: boolean) => void} followNamespaces whether to watch Namespaces, too
 * @property {Promise<void>} ended
 */

/** How often updates are reported, in milliseconds. */
const NEWS = 1_000;

/** How often to look whether what is known is current, in milliseconds. */
const LOOK = 1_000;

/** @param {WatchOptions} options @returns {ClusterWatch} */
export function watchCluster({ connection, apply, startList, onLeftOut = () => {}, maxAgeSeconds = () => Infinity, onState, log, signal, times }) {
  const states = new Map(KINDS.map(({ kind }) => [kind, startOf(kind)]));
  const all = { ...TIMES, ...times };
  let relisting = new AbortController();
  let toldAt = 0;

  /** @param {string} kind @param {import('./states.js').What} what @param {string} [reason] */
  function note(kind, what, reason) {
    const before = /** @type {import('./states.js').KindState} */ (states.get(kind));
    const next = after(before, what, reason);
    states.set(kind, next);
    tell(log, before, next, what);
    if (what === 'news' && now() - toldAt < NEWS) return;
    toldAt = now();
    onState?.([...states.values()]);
  }

  let isStale = false;
  const look = setInterval(() => {
    const reason = whyStale(states.values(), maxAgeSeconds());
    if (isStale === (reason !== null)) return;
    isStale = reason !== null;
    if (isStale) log.warn({ reason }, 'the cluster is out of date');
    else log.info({}, 'the cluster is current again');
  }, LOOK);
  look.unref();
  signal.addEventListener('abort', () => clearInterval(look));

  const shared = { connection, apply, startList, onLeftOut, times: all };
  const reflectors = KINDS.map((of) => new Reflector(of, { ...shared, note: (what, reason) => note(of.kind, what, reason) }));

  /** @type {AbortController | null} */
  let ofNamespaces = null;
  /** @param {boolean} isWanted */
  function followNamespaces(isWanted) {
    if (isWanted === (ofNamespaces !== null)) return;
    ofNamespaces?.abort();
    ofNamespaces = null;
    states.delete(NAMESPACE.kind);
    if (!isWanted) return;
    const { signal: own } = (ofNamespaces = new AbortController());
    states.set(NAMESPACE.kind, startOf(NAMESPACE.kind));
    const reflector = new Reflector(NAMESPACE, {
      ...shared,
      startList: () => wholePage(apply),
      note: (what, reason) => own.aborted || note(NAMESPACE.kind, what, reason),
    });
    void reflector.run(AbortSignal.any([signal, own]), () => relisting.signal);
  }

  return {
    states: () => [...states.values()],
    relist() {
      for (const kind of states.keys()) note(kind, 'lost');
      relisting.abort();
      relisting = new AbortController();
    },
    followNamespaces,
    ended: Promise.all(reflectors.map((each) => each.run(signal, () => relisting.signal))).then(() => {}),
  };
}

/**
 * Reads a page once it has come whole: Namespaces are few and small.
 * @param {WatchOptions['apply']} apply
 * @returns {import('./reflector.js').ListReader}
 */
function wholePage(apply) {
  /** @type {Uint8Array[]} */
  const chunks = [];
  return { push: (bytes) => void chunks.push(bytes), finish: () => apply(Buffer.concat(chunks)), free() {} };
}

/**
 * Failures are logged once, not at each retry, and so are recoveries.
 * @param {WatchLog} log
 * @param {import('./states.js').KindState} before
 * @param {import('./states.js').KindState} next
 * @param {import('./states.js').What} what
 */
function tell(log, before, next, what) {
  const { kind, reason, lists } = next;
  if (what === 'failed') {
    const isNew = reason !== before.reason;
    log[isNew ? 'warn' : 'debug']({ kind, reason }, 'cluster watch failed');
  } else if (what === 'watching' && before.reason !== null) {
    log.info({ kind }, 'cluster watch resumed');
  } else if (what === 'listed') {
    log[lists === 1 ? 'info' : 'debug']({ kind, lists }, 'cluster listed');
  }
}
