/** A cluster of Services with 100 pods each, and reviews of a slice with 100 endpoints, as a custom controller writes them. */

const PODS = 100;
const zones = ['a', 'b', 'c'];

/** @param {number} service @param {number} pod */
const address = (service, pod) => `10.${(service >> 8) + 1}.${service & 255}.${pod + 1}`;
/** @param {number} pod */
const node = (pod) => `node-${pod % 30}`;

/** @param {number} service @param {number} from @param {number} to @param {string} name */
function slice(service, from, to, name) {
  const endpoints = Array.from({ length: to - from }, (_, index) => from + index).map((pod) => ({
    addresses: [address(service, pod)],
    conditions: { ready: true, serving: true, terminating: false },
    nodeName: node(pod),
    targetRef: {
      kind: 'Pod',
      namespace: 'shop',
      name: `service-${service}-${pod}`,
      uid: `00000000-0000-4000-8000-${String(service * PODS + pod).padStart(12, '0')}`,
    },
    zone: zones[pod % 3],
  }));
  return {
    apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', addressType: 'IPv4',
    metadata: {
      name,
      namespace: 'shop',
      labels: { 'kubernetes.io/service-name': `service-${service}`, 'endpointslice.kubernetes.io/managed-by': 'staff' },
    },
    endpoints, ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
  };
}

/**
 * The cluster as `kubectl` prints it, reduced to the fields that are read: ten slices per Service, but one for the first.
 * @param {number} pods
 */
export function cluster(pods) {
  const items = /** @type {object[]} */ ([]);
  for (let number = 0; number < 30; number += 1) {
    items.push({
      apiVersion: 'v1', kind: 'Node', metadata: { name: `node-${number}`, labels: { 'topology.kubernetes.io/zone': zones[number % 3] } },
      status: { allocatable: { cpu: '8' }, conditions: [{ type: 'Ready', status: 'True' }] },
    });
  }
  for (let service = 0; service < pods / PODS; service += 1) {
    const app = `service-${service}`;
    const ports = [{ name: 'http', protocol: 'TCP', port: 80, targetPort: 8080 }];
    items.push({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: app, namespace: 'shop' },
      spec: { selector: { app }, clusterIP: '10.96.0.1', ipFamilies: ['IPv4'], ports },
    });
    for (let pod = 0; pod < PODS; pod += 1) {
      items.push({
        apiVersion: 'v1', kind: 'Pod', metadata: { name: `${app}-${pod}`, namespace: 'shop', labels: { app } }, spec: { nodeName: node(pod) },
        status: { phase: 'Running', podIPs: [{ ip: address(service, pod) }], conditions: [{ type: 'Ready', status: 'True' }] },
      });
    }
    if (service === 0) items.push(slice(0, 0, PODS, 'service-0-x'));
    else for (let part = 0; part < 10; part += 1) items.push(slice(service, part * 10, part * 10 + 10, `${app}-${part}`));
  }
  return { apiVersion: 'v1', kind: 'List', items };
}

/**
 * By name: an update of a slice of 100 endpoints in which one becomes unready, judged by every policy and by one that
 * looks only at the object itself; and the creation of that slice.
 * @returns {Record<string, {review: object, policy?: string}>}
 */
export function reviews() {
  const old = slice(0, 0, PODS, 'service-0-x');
  const object = structuredClone(old);
  object.endpoints[0].conditions.ready = false;
  const review = (/** @type {string} */ operation, /** @type {object} */ more) => ({
    apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview',
    request: {
      uid: '705ab4f5-6393-11e8-b7cc-42010a800002', kind: { group: 'discovery.k8s.io', version: 'v1', kind: 'EndpointSlice' }, operation,
      name: 'service-0-x', namespace: 'shop', userInfo: { username: 'system:serviceaccount:shop:staff' }, ...more,
    },
  });
  const update = review('UPDATE', { object, oldObject: old });
  return {
    'update, every policy': { review: update },
    'update, `slice-addresses` alone': { review: update, policy: 'slice-addresses' },
    'creation, every policy': { review: review('CREATE', { object }) },
  };
}
