/** A small cluster behind the fake API server, and a reviewer that watches it. */
import { createReviewer } from 'slicewise/admission';
import { connect } from '../../../webhook/cluster/connection.js';
import { whyNotSynced } from '../../../webhook/cluster/states.js';
import { watchCluster } from '../../../webhook/cluster/watch.js';
import { createLog } from '../../../webhook/log.js';
import { reviewOf } from './reviews.js';
import { until } from './start.js';

/** @typedef {Record<string, any>} Json */

/** As in a cluster, only faster. @type {Partial<import('../../../webhook/cluster/times.js').Times>} */
const FAST = { firstDelay: 4, mostDelay: 40, silence: 5_000 };

const decoder = new TextDecoder();

/** @param {string} name @param {string} ip @param {Json} [labels] */
export const pod = (name, ip, labels = { app: 'cart' }) => ({
  kind: 'Pod', apiVersion: 'v1', metadata: { name, namespace: 'shop', uid: name, labels, annotations: { note: 'über ключ 鍵 🗝' } },
  spec: { nodeName: 'n1', containers: [{ name: 'c', image: 'i', ports: [{ name: 'http', containerPort: 8080 }] }] },
  status: { podIP: ip, podIPs: [{ ip }], phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
});
export const node = (/** @type {string} */ name, zone = 'a') => ({
  kind: 'Node', apiVersion: 'v1', metadata: { name, labels: { 'topology.kubernetes.io/zone': zone } },
  status: { allocatable: { cpu: '4' }, conditions: [{ type: 'Ready', status: 'True' }] },
});
export const service = (/** @type {string} */ name, selector = name) => ({
  kind: 'Service', apiVersion: 'v1', metadata: { name, namespace: 'shop', uid: name },
  spec: { selector: { app: selector }, ipFamilies: ['IPv4'], ports: [{ name: 'http', port: 80, protocol: 'TCP', targetPort: 'http' }] },
});
export const slice = (/** @type {string} */ name, /** @type {string[]} */ addresses, of = 'cart') => ({
  kind: 'EndpointSlice', apiVersion: 'discovery.k8s.io/v1', addressType: 'IPv4',
  metadata: { name, namespace: 'shop', uid: name, labels: { 'kubernetes.io/service-name': of } },
  endpoints: addresses.map((address) => ({ addresses: [address], conditions: { ready: true } })),
  ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
});

/** @param {import('./api-server.js').FakeApi} api */
export function fill(api) {
  for (const object of [node('n1'), service('cart'), pod('p1', '10.0.0.1'), pod('p2', '10.0.0.2'), slice('cart-a', ['10.0.0.1'])]) api.set(object);
}

/**
 * @param {import('node:test').TestContext} t
 * @param {import('./api-server.js').FakeApi} api
 * @param {Partial<import('../../../webhook/cluster/times.js').Times>} [times]
 */
export async function watch(t, api, times = {}) {
  const reviewer = createReviewer();
  const end = new AbortController();
  /** @type {any[]} */
  const lines = [];
  const log = createLog('debug', { write: (line) => void lines.push(JSON.parse(line)) });
  /** The last version of each kind. @type {Record<string, string>} */
  const versions = {};
  const apply = (/** @type {Uint8Array} */ bytes) => {
    const applied = JSON.parse(decoder.decode(reviewer.apply(bytes)));
    return Object.assign(versions, applied.resourceVersions), applied;
  };
  const connection = await connect({ kubeconfig: api.kubeconfig() });
  const startList = () => reviewer.startList();
  const watched = watchCluster({ connection, apply, startList, log, signal: end.signal, times: { ...FAST, ...times } });
  t.after(async () => {
    end.abort();
    await watched.ended;
    reviewer.free();
  });
  const synced = () => until(() => whyNotSynced(watched.states()) === null && watched.states().every(({ phase }) => phase === 'watching'));
  /** Waits until all events have been delivered. */
  const settled = () => until(() => {
    api.bookmark();
    return KINDS.every((kind) => Number(versions[kind] ?? 0) >= api.version);
  });
  const stateOf = (/** @type {string} */ kind) => /** @type {any} */ (watched.states().find((state) => state.kind === kind));
  const counts = () =>
    Object.fromEntries(Object.entries(reviewer.status().kinds).map(([kind, { known, objects }]) => [kind, known ? objects : `? ${objects}`]));
  return { reviewer, watched, lines, synced, settled, stateOf, counts };
}

const KINDS = ['Service', 'EndpointSlice', 'Pod', 'Node'];
export const HERE = { Service: 1, EndpointSlice: 1, Pod: 2, Node: 1 };

/** The verdict on a slice with that address. @param {import('slicewise/admission').Reviewer} reviewer @param {string} address */
export function verdictOf(reviewer, address) {
  const { response } = /** @type {any} */ (reviewer.review(reviewOf('CREATE', slice('mine', [address]))));
  return response.allowed ? (response.warnings ? response.warnings.join() : 'allowed') : response.status.message;
}
