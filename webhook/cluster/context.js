/** A watched cluster as the service's context: how old it is, whether it is there, and the numbers of it. */
import { ageOf, whyNotSynced } from './states.js';
import { now } from './times.js';
import { watchCluster } from './watch.js';

/**
 * @typedef {object} Context
 * @property {() => number} ageSeconds since the last news of the stalest kind
 * @property {() => void} relist
 * @property {() => string | null} whyNotReady
 * @property {() => string | null} note what readiness has to say beside that
 * @property {() => string} metrics as Prometheus reads them
 * @property {() => Promise<void>} end
 */

/**
 * @param {object} options
 * @param {import('./connection.js').Connection} options.connection
 * @param {Pick<import('../judge.js').Reviewing, 'apply' | 'maxAgeSeconds'>} options.reviewer
 * @param {boolean} options.waitForSync is the service ready only when all has been listed once?
 * @param {import('../log.js').Log} options.log
 * @param {Partial<import('./times.js').Times>} [options.times]
 * @returns {Context}
 */
export function followCluster({ connection, reviewer, waitForSync, log, times }) {
  const end = new AbortController();
  const watch = watchCluster({ connection, apply: (bytes) => reviewer.apply(bytes), log, signal: end.signal, times });
  const ageSeconds = () => ageOf(watch.states());

  function note() {
    const why = whyNotSynced(watch.states());
    if (why !== null) return `ok: ${why}`;
    const age = Math.floor(ageSeconds());
    const most = reviewer.maxAgeSeconds();
    return age > most ? `ok: the last news of the cluster is ${age} s old, more than the ${most} s that count as current` : null;
  }

  return {
    ageSeconds,
    relist: watch.relist,
    whyNotReady: () => (waitForSync ? whyNotSynced(watch.states()) : null),
    note,
    metrics: () => render(watch.states()),
    end() {
      end.abort();
      return watch.ended;
    },
  };
}

/** @param {import('./states.js').KindState[]} states */
function render(states) {
  /** @type {[string, string, string, (state: import('./states.js').KindState) => number][]} */
  const families = [
    ['synced', 'gauge', '1 once all objects of the kind were listed.', ({ isSynced }) => Number(isSynced)],
    ['age_seconds', 'gauge', 'Since the last news of the kind.', ({ newsAt }) => (now() - newsAt) / 1000],
    ['lists_total', 'counter', 'Lists of the kind that were taken whole.', ({ lists }) => lists],
    ['failures_total', 'counter', 'Lists and watches of the kind that failed.', ({ failures }) => failures],
  ];
  const lines = families.flatMap(([rest, type, help, read]) => {
    const name = `slicewise_webhook_cluster_${rest}`;
    return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...states.map((state) => `${name}{kind="${state.kind}"} ${read(state)}`)];
  });
  return `${lines.join('\n')}\n`;
}

