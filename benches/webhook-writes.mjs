/** What the webhook adds to a write in a real API server, compared with a bare server that only parses reviews. */
import { readFileSync } from 'node:fs';
import { reviews } from './webhook-cluster.mjs';
import { Cluster } from '../pkg-tests/cluster/lib/cluster.js';

/** @typedef {Record<'none' | 'bare' | 'ours', number>} Writes median milliseconds for an update of a slice */

const NAME = 'slicewise';
/** How many updates each variant makes in a round, and how many go first to warm up connections and caches. */
const [WARM, MEASURED] = [20, 100];

/**
 * Updates a slice with 100 endpoints, one write after another, alternating between no hook and each hook.
 * @param {Record<'bare' | 'ours', string>} urls
 * @param {string} cert PEM file of the servers
 * @param {number} rounds
 * @returns {Promise<Writes>}
 */
export async function measureWrites(urls, cert, rounds) {
  const cluster = await Cluster.start([]);
  try {
    const { api } = cluster;
    const { object } = /** @type {any} */ (reviews()['creation, every policy'].review).request;
    await api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: object.metadata.namespace } });
    await api.create(object);
    const caBundle = readFileSync(cert).toString('base64');
    /** @type {Record<keyof Writes, number[]>} */
    const times = { none: [], bare: [], ours: [] };
    for (let round = 0; round < rounds; round += 1) {
      const sides = /** @type {(keyof Writes)[]} */ (Object.keys(times));
      // The order changes, so that going first or last gives no advantage.
      for (const side of [...sides.slice(round % 3), ...sides.slice(0, round % 3)]) {
        if (side !== 'none') await register(api, { url: urls[side], caBundle });
        times[side].push(...(await update(api, object)));
        if (side !== 'none') await api.delete('ValidatingWebhookConfiguration', NAME);
      }
    }
    const median = (/** @type {number[]} */ all) => all.toSorted((a, b) => a - b)[all.length >> 1];
    return { none: median(times.none), bare: median(times.bare), ours: median(times.ours) };
  } finally {
    await cluster.end();
  }
}

/** @param {import('../pkg-tests/cluster/lib/api.js').Api} api @param {any} object @returns {Promise<number[]>} */
async function update(api, object) {
  const times = [];
  for (let each = 0; each < WARM + MEASURED; each += 1) {
    object.endpoints[0].conditions.ready = !object.endpoints[0].conditions.ready;
    const start = performance.now();
    await api.replace(object);
    if (each >= WARM) times.push(performance.now() - start);
  }
  return times;
}

/** @param {import('../pkg-tests/cluster/lib/api.js').Api} api @param {object} clientConfig */
async function register(api, clientConfig) {
  const hook = {
    name: 'traffic.slicewise.dev', clientConfig, failurePolicy: 'Fail', sideEffects: 'None', timeoutSeconds: 5, admissionReviewVersions: ['v1'],
    rules: [{ apiGroups: ['discovery.k8s.io'], apiVersions: ['v1'], resources: ['endpointslices'], operations: ['*'] }],
  };
  await api.create({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: NAME },
    webhooks: [hook],
  });
}
