/** The watched kinds and their paths in the API. */

/**
 * @typedef {object} Watched
 * @property {string} kind
 * @property {string} path
 * @property {string} group its API group
 * @property {string} resource its name in RBAC rules
 * @property {number} page objects per page: a few megabytes
 */

/** @type {readonly Watched[]} */
export const KINDS = [
  { kind: 'Service', path: '/api/v1/services', group: '', resource: 'services', page: 500 },
  { kind: 'EndpointSlice', path: '/apis/discovery.k8s.io/v1/endpointslices', group: 'discovery.k8s.io', resource: 'endpointslices', page: 100 },
  { kind: 'Pod', path: '/api/v1/pods', group: '', resource: 'pods', page: 500 },
  { kind: 'Node', path: '/api/v1/nodes', group: '', resource: 'nodes', page: 500 },
];

/** Watched only if a rule reads `namespaceObject`. @type {Watched} */
export const NAMESPACE = { kind: 'Namespace', path: '/api/v1/namespaces', group: '', resource: 'namespaces', page: 500 };
