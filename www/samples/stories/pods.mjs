/** Pods that are added, removed, or not ready. */
import { endpoint, fleet, node, pods, service, slice, spread } from '../objects.mjs';

/** In the middle of a rollout: old pods terminate, new ones start, and not all are ready. */
export function rollingUpdate() {
  const nodes = fleet();
  const old = pods('cart', spread(12));
  const slices = [slice('cart', 'd8f2k', old.map((each) => endpoint(each, nodes)))];
  const draining = pods('cart', spread(12).slice(4, 7), { first: 5, terminating: true });
  const stopped = pods('cart', spread(12).slice(7, 9), { first: 8, terminating: true, ready: false });
  const fresh = pods('cart', spread(6), { first: 21, version: 'v2' });
  const starting = pods('cart', spread(2, 'ab'), { first: 27, version: 'v2', ready: false });
  return {
    service: service('cart'),
    pods: [...old.slice(9), ...draining, ...stopped, ...fresh, ...starting],
    nodes,
    slices,
    options: { maxEndpointsPerSlice: 12 },
  };
}

/** A pod runs on a node that the controller has not seen yet. */
export function unknownNode() {
  const nodes = fleet();
  const known = pods('feed', spread(6));
  return {
    service: service('feed'),
    pods: [...known, ...pods('feed', ['node-d1'], { first: 7 })],
    nodes,
    slices: [slice('feed', 'c8k4t', known.slice(0, 5).map((each) => endpoint(each, nodes)))],
  };
}

/** A node is being drained: its pods terminate, and their replacements are not ready yet. */
export function drain() {
  const nodes = fleet().map((each) => (each.metadata.name === 'node-a1' ? node({ name: 'node-a1', zone: 'europe-west4-a', cordoned: true }) : each));
  const old = pods('cart', spread(12));
  const isLeaving = (/** @type {typeof old[0]} */ each) => each.spec.nodeName === 'node-a1';
  const leaving = old.filter(isLeaving).map((each) => ({ ...each, metadata: { ...each.metadata, deletionTimestamp: '2026-03-02T09:30:00Z' } }));
  return {
    service: service('cart', { trafficDistribution: 'PreferSameZone' }),
    pods: [...old.filter((each) => !isLeaving(each)), ...leaving, ...pods('cart', ['node-a2', 'node-b1'], { first: 21, ready: false })],
    nodes,
    slices: [slice('cart', 'd8f2k', old.map((each) => endpoint(each, nodes, { hints: true })))],
  };
}

/** Every pod crashes. */
export function crashLoop() {
  const nodes = fleet();
  const all = pods('cart', spread(4), { ready: false });
  return { service: service('cart'), pods: all, nodes, slices: [slice('cart', 'd8f2k', all.map((each) => endpoint(each, nodes)))] };
}

/** All containers are ready; a gate that a load balancer sets is not. */
export function readinessGate() {
  const nodes = fleet();
  const known = pods('cart', spread(3));
  const waiting = pods('cart', spread(2, 'ab'), { first: 4, ready: false, gates: ['target-health.elbv2.k8s.aws/cart'] });
  return {
    service: service('cart'),
    pods: [...known, ...waiting],
    nodes,
    slices: [
      slice(
        'cart',
        'd8f2k',
        known.map((each) => endpoint(each, nodes)),
      ),
    ],
  };
}

/** Pods that were evicted still show an address. */
export function evicted() {
  const nodes = fleet();
  const all = pods('cart', spread(6));
  const failed = all.slice(0, 2).map((each) => ({ ...each, status: { ...each.status, phase: 'Failed', reason: 'Evicted' } }));
  return {
    service: service('cart'),
    pods: [...failed, ...all.slice(2)],
    nodes,
    slices: [
      slice(
        'cart',
        'd8f2k',
        all.map((each) => endpoint(each, nodes)),
      ),
    ],
  };
}
