/** The workload of a cluster, written by the test: there are no kubelets to report the status of nodes and pods. */

/** @typedef {import('./api.js').Api} Api */

/** The namespace of everything here. */
export const NAMESPACE = 'shop';

/** Two nodes in each of three zones, whose names begin with the zone; pods are assigned to them in turn. */
export const NODES = ['a1', 'b1', 'c1', 'a2', 'b2', 'c2'];
/** The third part of the address of an application's pods. */
const APPS = ['auto', 'near', 'peers', 'dual'];

/**
 * @typedef {object} PodOptions
 * @property {number} [port] of the container's port `http`
 * @property {(name: string) => object} [spec] more of its spec
 */

/**
 * A ready node, as its kubelet would report it.
 * @param {Api} api @param {string} name @param {string} zone @param {string} [cpu]
 */
export async function addNode(api, name, zone, cpu = '4') {
  const labels = { 'kubernetes.io/hostname': name, 'topology.kubernetes.io/zone': zone };
  await api.create({ apiVersion: 'v1', kind: 'Node', metadata: { name, labels } });
  await api.patchStatus('Node', name, { allocatable: { cpu, memory: '8Gi', pods: '110' }, conditions: [condition('Ready', true)] });
}

/** @param {Api} api @param {string} name @param {boolean} ready */
export function setNodeReady(api, name, ready) {
  return api.patchStatus('Node', name, { conditions: [condition('Ready', ready)] });
}

/**
 * @param {Api} api @param {string} name @param {object} spec
 * @param {{namespace?: string, annotations?: Record<string, string>, labels?: Record<string, string>}} [metadata]
 */
export function addService(api, name, spec, metadata) {
  return api.create({ apiVersion: 'v1', kind: 'Service', metadata: { namespace: NAMESPACE, name, ...metadata }, spec });
}

/** The addresses of a pod: every one has both families. @param {string} app @param {number} index */
export function podIps(app, index) {
  const part = APPS.indexOf(app) + 1;
  return [`10.1.${part}.${index}`, `fd00:1:${part}::${index.toString(16)}`];
}

/**
 * A pod that is bound to a node but not started.
 * @param {Api} api @param {string} app @param {number} index @param {PodOptions} [options]
 */
export function addPod(api, app, index, { port = 8080, spec } = {}) {
  const name = `${app}-${index}`;
  const containers = [{ name: 'main', image: 'registry.example/main', ports: [{ name: 'http', containerPort: port }] }];
  const metadata = { namespace: NAMESPACE, name, labels: { app } };
  const all = { nodeName: NODES[(index - 1) % NODES.length], containers, ...spec?.(name) };
  return api.create({ apiVersion: 'v1', kind: 'Pod', metadata, spec: all });
}

/**
 * The status that a kubelet reports for a running pod.
 * @param {Api} api @param {string} name @param {string[]} ips @param {{ready?: boolean, phase?: string}} [options]
 */
export function setPodStatus(api, name, ips, { ready = true, phase = 'Running' } = {}) {
  const conditions = ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'].map((type) => {
    return condition(type, ready || type === 'PodScheduled' || type === 'Initialized');
  });
  const podIPs = ips.map((ip) => ({ ip }));
  return api.patchStatus('Pod', `${NAMESPACE}/${name}`, { phase, podIP: ips[0], podIPs, conditions });
}

/**
 * Running pods, from one number to another.
 * @param {Api} api @param {string} app @param {number} from @param {number} to @param {PodOptions} [options]
 */
export async function runPods(api, app, from, to, options) {
  for (let index = from; index <= to; index++) {
    await addPod(api, app, index, options);
    await setPodStatus(api, `${app}-${index}`, podIps(app, index));
  }
}

/**
 * Deletes pods: with a grace period, like a user, or immediately, like a kubelet after the grace period.
 * @param {Api} api @param {string} app @param {number} from @param {number} to
 */
export async function deletePods(api, app, from, to, { graceful = false } = {}) {
  for (let index = from; index <= to; index++) {
    await api.delete('Pod', `${NAMESPACE}/${app}-${index}`, graceful ? undefined : { gracePeriodSeconds: 0 });
  }
}

/** @param {string} type @param {boolean} holds */
function condition(type, holds) {
  return { type, status: holds ? 'True' : 'False', reason: 'Test', lastTransitionTime: new Date().toISOString() };
}
