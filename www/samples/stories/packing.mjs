/** How endpoints are packed into slices, and what a change costs. */
import { endpoint, fleet, pods, service, slice, spread } from '../objects.mjs';

/** 14 pods in a full slice and a partly full one; 12 more arrive. */
export function scaleUp() {
  const nodes = fleet();
  const all = pods('web', spread(26));
  const old = all.slice(0, 14).map((each) => endpoint(each, nodes, { hints: true }));
  return {
    service: service('web', { trafficDistribution: 'PreferSameZone' }),
    pods: all,
    nodes,
    slices: [slice('web', 'k2x7p', old.slice(0, 10)), slice('web', 'q9d4m', old.slice(10))],
    options: { maxEndpointsPerSlice: 10 },
  };
}

/** 30 pods became 12, four left in each of three slices. */
export function scaleDown() {
  const nodes = fleet();
  const all = pods('web', spread(30));
  const old = all.map((each) => endpoint(each, nodes));
  return {
    service: service('web'),
    pods: all.filter((_, index) => index % 10 < 4),
    nodes,
    slices: ['b5t8r', 'h3w6z', 'n7c1v'].map((suffix, index) => slice('web', suffix, old.slice(index * 10, index * 10 + 10))),
    options: { maxEndpointsPerSlice: 10 },
  };
}

/** Scaled to zero. */
export function scaledToZero() {
  const nodes = fleet();
  const old = pods('web', spread(16)).map((each) => endpoint(each, nodes));
  return {
    service: service('web'),
    pods: [],
    nodes,
    slices: [slice('web', 'k2x7p', old.slice(0, 10)), slice('web', 'q9d4m', old.slice(10))],
    options: { maxEndpointsPerSlice: 10 },
  };
}

/** The maximum slice size was lowered below the size of existing slices. */
export function maximumLowered() {
  const nodes = fleet();
  const all = pods('web', spread(12));
  return {
    service: service('web'),
    pods: all,
    nodes,
    slices: [slice('web', 'k2x7p', all.map((each) => endpoint(each, nodes)))],
    options: { maxEndpointsPerSlice: 5 },
  };
}

/** The same pods in two slices. */
export function duplicates() {
  const nodes = fleet();
  const all = pods('web', spread(6));
  const known = all.map((each) => endpoint(each, nodes));
  return { service: service('web'), pods: all, nodes, slices: [slice('web', 'k2x7p', known), slice('web', 'q9d4m', known.slice(0, 3))] };
}

/** One pod of sixty is no longer ready. */
export function costOfAChange() {
  const nodes = fleet();
  const all = pods('big', spread(60)).map((each, index) =>
    index === 17 ? { ...each, status: { ...each.status, conditions: [{ type: 'Ready', status: 'False' }] } } : each,
  );
  const old = pods('big', spread(60)).map((each) => endpoint(each, nodes));
  return { service: service('big'), pods: all, nodes, slices: [slice('big', 'k2x7p', old)] };
}
