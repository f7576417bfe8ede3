/** The history of a cluster, step by step. `history.txt` has the slices after each step. */
import { NAMESPACE, NODES, addNode, addPod, addService, deletePods, podIps, runPods, setNodeReady, setPodStatus } from './workload.js';

/** Small, so that a few pods fill several slices. */
export const PER_SLICE = 10;

const PORTS = [{ name: 'http', port: 80, targetPort: 'http' }];
const AUTO = { 'service.kubernetes.io/topology-mode': 'Auto' };
const MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';
const CONTROLLER = 'endpointslice-controller.k8s.io';

/**
 * @typedef {object} Step
 * @property {string} what its name in `history.txt`
 * @property {() => Promise<unknown>} change
 * @property {string[]} [rewrites] Services whose slices are rewritten repeatedly without a change
 */

/** @param {import('./api.js').Api} api @returns {Step[]} */
export function history(api) {
  return [...beginning(api), ...pods(api), ...settings(api), ...others(api), ...end(api)];
}

/** @param {import('./api.js').Api} api @returns {Step[]} */
function beginning(api) {
  return [
    {
      what: 'nodes in three zones, and Services without pods',
      change: async () => {
        await api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
        for (const node of NODES) await addNode(api, node, node[0]);
        await addService(api, 'auto', { selector: { app: 'auto' }, ports: PORTS }, { annotations: AUTO });
        await addService(api, 'near', { selector: { app: 'near' }, ports: PORTS, trafficDistribution: 'PreferClose' });
        const peers = { selector: { app: 'peers' }, ports: [{ name: 'sql', port: 5432 }], clusterIP: 'None' };
        await addService(api, 'peers', peers, { labels: { tier: 'data' } });
        const dual = { selector: { app: 'dual' }, ports: PORTS, ipFamilyPolicy: 'RequireDualStack', trafficDistribution: 'PreferSameNode' };
        await addService(api, 'dual', dual);
        await addService(api, 'outside', { type: 'ExternalName', externalName: 'outside.example' });
        await addService(api, 'by-hand', { ports: PORTS });
      },
    },
    {
      what: 'pods that are bound and not started have no address',
      change: async () => {
        for (let index = 1; index <= 4; index++) await addPod(api, 'near', index);
      },
    },
    {
      what: 'pods run and get ready',
      change: async () => {
        for (let index = 1; index <= 4; index++) await setPodStatus(api, `near-${index}`, podIps('near', index));
        await runPods(api, 'auto', 1, 9);
        await runPods(api, 'peers', 1, 3, { spec: (name) => ({ hostname: name, subdomain: 'peers' }) });
        await runPods(api, 'dual', 1, 6);
      },
    },
  ];
}

/** @param {import('./api.js').Api} api @returns {Step[]} */
function pods(api) {
  return [
    {
      what: 'scaled up, over several slices',
      change: async () => {
        await runPods(api, 'auto', 10, 27);
        await runPods(api, 'near', 5, 14);
      },
    },
    {
      what: 'some pods are not ready, one has failed',
      change: async () => {
        for (const index of [3, 7]) await setPodStatus(api, `auto-${index}`, podIps('auto', index), { ready: false });
        await setPodStatus(api, 'near-1', podIps('near', 1), { ready: false, phase: 'Failed' });
        await setPodStatus(api, 'peers-2', podIps('peers', 2), { ready: false });
      },
    },
    {
      what: 'ready again',
      change: async () => {
        for (const index of [3, 7]) await setPodStatus(api, `auto-${index}`, podIps('auto', index));
      },
    },
    {
      what: 'a pod is taken out by its label, another one changes sides',
      change: async () => {
        await api.patch('Pod', `${NAMESPACE}/auto-27`, { metadata: { labels: { app: 'quarantine' } } });
        await api.patch('Pod', `${NAMESPACE}/near-14`, { metadata: { labels: { app: 'dual' } } });
      },
    },
    {
      what: 'new pods have another port of the same name',
      change: () => runPods(api, 'near', 15, 19, { port: 9090 }),
    },
    {
      what: 'pods are ending',
      change: () => deletePods(api, 'auto', 16, 26, { graceful: true }),
    },
    {
      what: 'pods have ended',
      change: async () => {
        await deletePods(api, 'auto', 16, 26);
        await deletePods(api, 'near', 2, 13);
      },
    },
  ];
}

/** @param {import('./api.js').Api} api @returns {Step[]} */
function settings(api) {
  const change = (/** @type {string} */ name, /** @type {object} */ patch) => api.patch('Service', `${NAMESPACE}/${name}`, patch);
  return [
    {
      what: 'a Service with other labels and ports',
      change: async () => {
        await change('peers', { metadata: { labels: { tier: null, team: 'storage' } } });
        await change('dual', { spec: { ports: [{ name: 'http', port: 80, targetPort: 8081 }, { name: 'dns', port: 53, protocol: 'UDP' }] } });
      },
    },
    {
      what: 'pods that are not ready are published',
      change: () => change('peers', { spec: { publishNotReadyAddresses: true } }),
    },
    {
      what: 'another way to distribute traffic, or none',
      change: async () => {
        await change('near', { spec: { trafficDistribution: null } });
        await change('dual', { spec: { trafficDistribution: 'PreferSameZone' } });
      },
    },
    {
      what: 'one family is enough',
      change: () => change('dual', { spec: { ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv4'], clusterIPs: null } }),
    },
    {
      what: 'another selector',
      change: () => change('near', { spec: { selector: { app: 'auto' } } }),
    },
    {
      what: 'a zone is lost: the endpoints in it keep their hints',
      change: async () => {
        for (const node of ['c1', 'c2']) await setNodeReady(api, node, false);
      },
      rewrites: ['auto'],
    },
    {
      what: 'the same when the Service is looked at again',
      change: () => change('auto', { metadata: { labels: { looked: 'again' } } }),
      rewrites: ['auto'],
    },
    {
      what: 'the zone is back, then hints are not wanted any more',
      change: async () => {
        for (const node of ['c1', 'c2']) await setNodeReady(api, node, true);
        await change('auto', { metadata: { annotations: { 'service.kubernetes.io/topology-mode': null } } });
      },
    },
  ];
}

/** @param {import('./api.js').Api} api @returns {Step[]} */
function others(api) {
  const slicesOf = async (/** @type {string} */ service) => {
    const found = await api.list('EndpointSlice');
    return found.filter(({ metadata: { labels } }) => labels['kubernetes.io/service-name'] === service && labels[MANAGED_BY] === CONTROLLER);
  };
  return [
    {
      what: 'somebody deletes a slice, and edits another one',
      change: async () => {
        const [first] = await slicesOf('auto');
        await api.delete('EndpointSlice', `${NAMESPACE}/${first.metadata.name}`);
        const [edited] = await slicesOf('dual');
        await api.replace({ ...edited, endpoints: edited.endpoints.slice(1) });
      },
    },
    {
      what: 'a slice of somebody else is left alone',
      change: () => api.create({
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        metadata: { namespace: NAMESPACE, name: 'by-hand-1', labels: { 'kubernetes.io/service-name': 'by-hand', [MANAGED_BY]: 'somebody' } },
        addressType: 'IPv4',
        endpoints: [{ addresses: ['192.0.2.1'], conditions: { ready: true } }],
        ports: [{ name: 'http', port: 80, protocol: 'TCP' }],
      }),
    },
    {
      what: 'a slice is given to somebody else, and given back',
      change: async () => {
        const [given] = await slicesOf('peers');
        await api.patch('EndpointSlice', `${NAMESPACE}/${given.metadata.name}`, { metadata: { labels: { [MANAGED_BY]: 'somebody' } } });
        await api.patch('EndpointSlice', `${NAMESPACE}/${given.metadata.name}`, { metadata: { labels: { [MANAGED_BY]: CONTROLLER } } });
      },
    },
  ];
}

/** @param {import('./api.js').Api} api @returns {Step[]} */
function end(api) {
  return [
    {
      what: 'a Service is deleted; nobody collects its slices here',
      change: () => api.delete('Service', `${NAMESPACE}/dual`),
    },
    {
      what: 'and made again: its old slices have another owner',
      change: () => addService(api, 'dual', { selector: { app: 'dual' }, ports: PORTS }, { annotations: AUTO }),
    },
  ];
}
