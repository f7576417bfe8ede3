/**
 * The nodes that traffic comes from, as few as do: nodes that no rule can tell apart send alike, so that one of
 * them stands for all, with their number as its weight. A node is told apart by its zone; by its name only where
 * the Service or a hint looks at nodes, and then only if an endpoint is there or is hinted to it.
 * @import {Slice} from './service.js'
 */
import { zoneOf } from './zones.js';

/** What Istio reads besides the field. */
const ISTIO_DISTRIBUTION = 'networking.istio.io/traffic-distribution';

/**
 * @typedef {{name: string, labels?: Record<string, string> | null}} ShortNode
 *
 * @typedef {object} Service what is looked at of it
 * @property {{annotations?: Record<string, string> | null}} [metadata]
 * @property {{internalTrafficPolicy?: string | null, trafficDistribution?: string | null}} [spec]
 *
 * @typedef {object} Clients
 * @property {ShortNode[]} nodes one of each kind
 * @property {{node: string, weight: number}[]} clients how many there are of it
 */

/**
 * @param {ShortNode[]} nodes
 * @param {Service} service
 * @param {Slice[]} slices all that will be looked at
 * @returns {Clients}
 */
export function clientsOf(nodes, service, slices) {
  const named = namedNodes(service, slices);
  /** @type {Map<string, {node: ShortNode, weight: number}>} */
  const kinds = new Map();
  for (const node of nodes) {
    const kind = named.has(node.name) ? `node ${node.name}` : `zone ${zoneOf(node)}`;
    const found = kinds.get(kind);
    if (found) found.weight += 1;
    else kinds.set(kind, { node, weight: 1 });
  }
  const all = [...kinds.values()];
  return { nodes: all.map(({ node }) => node), clients: all.map(({ node: { name }, weight }) => ({ node: name, weight })) };
}

/** @param {Service} service @param {Slice[]} slices */
function namedNodes({ metadata, spec }, slices) {
  const endpoints = slices.flatMap((slice) => slice.endpoints ?? []);
  const hinted = endpoints.flatMap((endpoint) => (endpoint.hints?.forNodes ?? []).map(({ name }) => name));
  const asked = [spec?.trafficDistribution, metadata?.annotations?.[ISTIO_DISTRIBUTION]];
  const matters = hinted.length > 0 || spec?.internalTrafficPolicy === 'Local' || asked.some((value) => value?.toLowerCase() === 'prefersamenode');
  return new Set(matters ? [...hinted, ...endpoints.map((endpoint) => endpoint.nodeName ?? '')] : []);
}
