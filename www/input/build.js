/** Builds Kubernetes objects for the generator, the object view, and the script of the examples. */
import { uidOf } from './uid.js';

const CREATED = '2026-03-02T08:00:00Z';
const READY_SINCE = '2026-03-02T09:00:00Z';
const ENDS = '2026-03-02T09:30:00Z';

/**
 * @typedef {object} NodeSpec
 * @property {string} name
 * @property {string | null} zone
 * @property {string | null} [cpu]
 * @property {boolean} [ready]
 * @property {Record<string, string>} [labels]
 * @property {boolean} [cordoned]
 */

/** @param {NodeSpec} spec */
export function node({ name, zone, cpu = '4', ready = true, labels = {}, cordoned = false }) {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      uid: uidOf('node', name),
      labels: { 'kubernetes.io/hostname': name, ...(zone && { 'topology.kubernetes.io/zone': zone }), ...labels },
    },
    ...(cordoned && { spec: { unschedulable: true } }),
    status: {
      allocatable: { ...(cpu && { cpu }), memory: '16Gi', pods: '110' },
      conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }],
    },
  };
}

/**
 * @typedef {object} PodSpec
 * @property {string} name
 * @property {string} [namespace]
 * @property {Record<string, string>} labels
 * @property {string} on the node
 * @property {string[]} ips
 * @property {boolean} [ready]
 * @property {boolean} [terminating]
 * @property {number[]} [ports] the first is named http
 * @property {string} [portName]
 * @property {string} [subdomain]
 * @property {string} [phase]
 * @property {string[]} [gates] readiness gates that are not True yet
 */

/** @param {PodSpec} spec */
export function pod({ name, namespace = 'shop', labels, on, ips, ready = true, terminating = false, ports = [8080], portName = 'http', ...more }) {
  const { subdomain, phase = 'Running', gates = [] } = more;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, uid: uidOf('pod', name), labels, ...(terminating && { deletionTimestamp: ENDS }) },
    spec: {
      nodeName: on,
      ...(subdomain && { hostname: name, subdomain }),
      ...(gates.length > 0 && { readinessGates: gates.map((conditionType) => ({ conditionType })) }),
      containers: [
        {
          name: 'app',
          ports: ports.map((containerPort, index) => ({ name: index ? `p${containerPort}` : portName, containerPort, protocol: 'TCP' })),
        },
      ],
    },
    status: {
      phase,
      ...(ips.length > 0 && { podIP: ips[0] }),
      podIPs: ips.map((ip) => ({ ip })),
      conditions: [
        ...(gates.length > 0 ? [{ type: 'ContainersReady', status: 'True', lastTransitionTime: READY_SINCE }] : []),
        { type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: READY_SINCE },
      ],
    },
  };
}

/**
 * @param {string} name
 * @param {Record<string, unknown>} [spec]
 * @param {Record<string, string> | null} [annotations]
 * @param {string} [namespace]
 */
export function service(name, spec = {}, annotations = null, namespace = 'shop') {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace, uid: uidOf('service', name), creationTimestamp: CREATED, ...(annotations && { annotations }) },
    spec: {
      type: 'ClusterIP',
      clusterIP: '10.96.0.10',
      ipFamilies: ['IPv4'],
      selector: { app: name },
      ports: [{ name: 'http', protocol: 'TCP', port: 80, targetPort: 'http' }],
      ...spec,
    },
  };
}
