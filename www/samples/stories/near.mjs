/** Traffic that prefers near endpoints. */
import { AUTO, endpoint, fleet, pods, service, slice, spread } from '../objects.mjs';

/** Preference for the same zone, with seven pods in one zone and one in another. */
export function lopsidedZones() {
  const nodes = fleet();
  const all = pods('api', [...spread(7, 'a'), ...spread(2, 'b'), 'node-c1']);
  return {
    service: service('api', { trafficDistribution: 'PreferSameZone' }),
    pods: all,
    nodes,
    slices: [slice('api', 'w1g5x', all.map((each) => endpoint(each, nodes)))],
  };
}

/** A pod of a DaemonSet on every node, and a preference for the same node. */
export function sameNode() {
  const nodes = fleet();
  const all = pods('dns', nodes.map((each) => each.metadata.name));
  const known = all.slice(0, 5).map((each) => endpoint(each, nodes, { hints: true, nodeHints: true }));
  return {
    service: service('dns', { trafficDistribution: 'PreferSameNode' }),
    pods: all,
    nodes,
    slices: [slice('dns', 'z3p8l', known)],
  };
}

/** No pod in the third zone. */
export function emptyZone() {
  const nodes = fleet();
  const all = pods('api', spread(6, 'ab'));
  return {
    service: service('api', { trafficDistribution: 'PreferSameZone' }),
    pods: all,
    nodes,
    slices: [slice('api', 'w1g5x', all.map((each) => endpoint(each, nodes)))],
  };
}

/** Both the annotation and the field. */
export function annotationWins() {
  const nodes = fleet();
  const all = pods('api', spread(5));
  return {
    service: service('api', { trafficDistribution: 'PreferSameZone' }, AUTO),
    pods: all,
    nodes,
    slices: [slice('api', 'w1g5x', all.map((each) => endpoint(each, nodes)))],
  };
}

/** Nothing asks for hints; traffic goes everywhere. */
export function nothingAsks() {
  const nodes = fleet();
  const all = pods('api', spread(9));
  return { service: service('api'), pods: all, nodes, slices: [slice('api', 'w1g5x', all.map((each) => endpoint(each, nodes)))] };
}

/** One pod has no hint yet: it has just become ready. */
export function oneWithoutHint() {
  const nodes = fleet();
  const all = pods('api', spread(7));
  const known = all.map((each, index) => endpoint(each, nodes, { hints: index < 6 }));
  return { service: service('api', { trafficDistribution: 'PreferSameZone' }), pods: all, nodes, slices: [slice('api', 'w1g5x', known)] };
}
