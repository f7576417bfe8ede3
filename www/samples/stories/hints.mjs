/** Hints in mode Auto: who gets them, and why they are removed. */
import { AUTO, ZONES, endpoint, fleet, node, pods, service, slice, spread } from '../objects.mjs';

/** Twelve pods with hints lose one, and with it the hints. */
export function elevenEndpoints() {
  const nodes = fleet();
  const all = pods('checkout', spread(12));
  return {
    service: service('checkout', {}, AUTO),
    pods: all.slice(0, 11),
    nodes,
    slices: [slice('checkout', 'v4j9s', all.map((each) => endpoint(each, nodes, { hints: true })))],
  };
}

/** A node without a zone label joins; no pod of the Service runs on it. */
export function unlabelledNode() {
  const nodes = fleet();
  const all = pods('checkout', spread(12));
  return {
    service: service('checkout', {}, AUTO),
    pods: all,
    nodes: [...nodes, node({ name: 'spot-7f3c', zone: null })],
    slices: [slice('checkout', 'v4j9s', all.map((each) => endpoint(each, nodes, { hints: true })))],
  };
}

/** One zone has half of the CPU, and the pods are spread evenly. */
export function borrowedEndpoints() {
  const nodes = fleet(['8', '4', '4']);
  const all = pods('search', spread(12));
  return {
    service: service('search', {}, AUTO),
    pods: all,
    nodes,
    slices: [slice('search', 'r6m2y', all.map((each) => endpoint(each, nodes)))],
  };
}

/** Two replicas in a cluster of three zones. */
export function tooFewEndpoints() {
  const nodes = fleet();
  const all = pods('login', spread(2));
  return {
    service: service('login', {}, AUTO),
    pods: all,
    nodes,
    slices: [slice('login', 'b2k8d', all.map((each) => endpoint(each, nodes)))],
  };
}

/** Four endpoints over three zones, one, one and two. */
export function oneOneTwo() {
  const nodes = fleet();
  const all = pods('login', [...spread(3), 'node-c2']);
  return {
    service: service('login', {}, AUTO),
    pods: all,
    nodes,
    slices: [slice('login', 'b2k8d', all.map((each) => endpoint(each, nodes)))],
  };
}

/** Six endpoints in five equal zones: the share of a zone is a fraction without an exact binary representation. */
export function roundingTrap() {
  const zones = ['a', 'b', 'c', 'd', 'e'].map((letter) => `us-east1-${letter}`);
  const nodes = fleet(['4', '4', '4', '4', '4'], zones);
  const all = pods('geo', spread(6, 'abcde'));
  return {
    service: service('geo', {}, AUTO),
    pods: all,
    nodes,
    slices: [slice('geo', 'w8n3t', all.map((each) => endpoint(each, nodes)))],
  };
}

/** The nodes of two zones are down, so only one is left. */
export function zoneNotReady() {
  const nodes = fleet().map((each, index) => (index < 2 ? each : node({ name: each.metadata.name, zone: ZONES[index < 4 ? 1 : 2], ready: false })));
  const before = fleet();
  const all = pods('search', spread(9));
  const down = all.map((each, index) =>
    index % 3 === 0 ? each : { ...each, status: { ...each.status, conditions: [{ type: 'Ready', status: 'False' }] } },
  );
  return {
    service: service('search', {}, AUTO),
    pods: down,
    nodes,
    slices: [slice('search', 'r6m2y', all.map((each) => endpoint(each, before, { hints: true })))],
  };
}

/** The second zone has a node of the control plane only. */
export function controlPlaneZone() {
  const [a, b] = ZONES;
  const nodes = [
    node({ name: 'node-a1', zone: a }),
    node({ name: 'node-a2', zone: a }),
    node({ name: 'control-b1', zone: b, labels: { 'node-role.kubernetes.io/control-plane': '' } }),
  ];
  const all = pods('login', spread(6, 'a'));
  return { service: service('login', {}, AUTO), pods: all, nodes, slices: [slice('login', 'b2k8d', all.map((each) => endpoint(each, nodes)))] };
}

/** One node does not report its CPU. */
export function nodeWithoutCpu() {
  const nodes = fleet();
  const all = pods('checkout', spread(12));
  return {
    service: service('checkout', {}, AUTO),
    pods: all,
    nodes: [...nodes, node({ name: 'edge-c3', zone: ZONES[2], cpu: null })],
    slices: [slice('checkout', 'v4j9s', all.map((each) => endpoint(each, nodes, { hints: true })))],
  };
}

/** The annotation was removed. */
export function hintsRemoved() {
  const nodes = fleet();
  const all = pods('checkout', spread(20));
  const old = all.map((each) => endpoint(each, nodes, { hints: true }));
  return {
    service: service('checkout'),
    pods: all,
    nodes,
    slices: [slice('checkout', 'v4j9s', old.slice(0, 10)), slice('checkout', 'x2d7f', old.slice(10))],
    options: { maxEndpointsPerSlice: 10 },
  };
}
