/** Builds the objects of the vectors: a Service `shop/cart`, its slices, and nodes named after their zones. */

const SERVICE_NAME = 'kubernetes.io/service-name';
const MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';
export const CONTROLLER = 'endpointslice-controller.k8s.io';
export const HTTP = { name: 'http', protocol: 'TCP', port: 8080 };

/** The conditions of an endpoint, as the EndpointSlice controller writes them. */
export const STATES = {
  ready: { ready: true, serving: true, terminating: false },
  notReady: { ready: false, serving: false, terminating: false },
  /** It terminates, and still passes its probe. */
  draining: { ready: false, serving: true, terminating: true },
  /** It terminates, and no longer passes its probe. */
  dying: { ready: false, serving: false, terminating: true },
};

/**
 * A node of the zone that its name begins with; `-1` has no zone.
 * @param {string} name
 */
export function node(name) {
  const labels = { 'kubernetes.io/hostname': name };
  return { name, labels: name.startsWith('-') ? labels : { ...labels, 'topology.kubernetes.io/zone': name[0] } };
}

/**
 * The endpoint `10.0.0.N` on a node.
 * @param {number} number
 * @param {string | null} on
 * @param {{state?: keyof typeof STATES, zones?: string[], nodes?: string[], [field: string]: any}} [options]
 */
export function endpoint(number, on, { state = 'ready', zones, nodes, ...fields } = {}) {
  const place = on === null ? {} : on.startsWith('-') ? { nodeName: on } : { nodeName: on, zone: on[0] };
  const named = (/** @type {string[]} */ names) => names.map((name) => ({ name }));
  const hints = { ...(zones && { forZones: named(zones) }), ...(nodes && { forNodes: named(nodes) }) };
  return {
    addresses: [`10.0.0.${number}`],
    conditions: STATES[state],
    ...place,
    ...(Object.keys(hints).length > 0 && { hints }),
    ...fields,
  };
}

/**
 * @param {string} name
 * @param {any[]} endpoints
 * @param {object} [options]
 * @param {any[]} [options.ports]
 * @param {string} [options.addressType]
 * @param {string | null} [options.manager]
 * @param {Record<string, string>} [options.labels]
 * @param {string | null} [options.service] whose label it has
 * @param {string} [options.namespace]
 */
export function slice(name, endpoints, options = {}) {
  const { ports = [HTTP], addressType = 'IPv4', manager = CONTROLLER, labels = {}, service: of = 'cart', namespace = 'shop' } = options;
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      namespace,
      name,
      labels: { ...(of !== null && { [SERVICE_NAME]: of }), ...(manager !== null && { [MANAGED_BY]: manager }), ...labels },
    },
    addressType,
    ports,
    endpoints,
  };
}

/**
 * The Service, with what differs from a `ClusterIP` one in its `spec`.
 * @param {{labels?: Record<string, string>, annotations?: Record<string, string>, [field: string]: any}} [options]
 */
export function service({ labels, annotations, ...spec } = {}) {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace: 'shop', name: 'cart', ...(labels && { labels }), ...(annotations && { annotations }) },
    spec: {
      type: 'ClusterIP',
      clusterIP: '10.96.0.1',
      clusterIPs: ['10.96.0.1'],
      ipFamilyPolicy: 'SingleStack',
      ipFamilies: ['IPv4'],
      selector: { app: 'cart' },
      ports: [{ name: 'http', protocol: 'TCP', port: 80, targetPort: 8080 }],
      ...spec,
    },
  };
}

/** What makes the Service one of both families, the first of which is `first`. */
export function dualStack(first = 'IPv4') {
  const families = first === 'IPv4' ? ['IPv4', 'IPv6'] : ['IPv6', 'IPv4'];
  const addresses = families.map((family) => (family === 'IPv4' ? '10.96.0.1' : 'fd00:96::1'));
  return { ipFamilyPolicy: 'RequireDualStack', ipFamilies: families, clusterIP: addresses[0], clusterIPs: addresses };
}

/** What makes the Service reachable from outside. */
export const LOAD_BALANCER = {
  type: 'LoadBalancer',
  externalTrafficPolicy: 'Cluster',
  ports: [{ name: 'http', protocol: 'TCP', port: 80, targetPort: 8080, nodePort: 30080 }],
};
export const OUTSIDE_LOCAL = { ...LOAD_BALANCER, externalTrafficPolicy: 'Local', healthCheckNodePort: 30081 };
