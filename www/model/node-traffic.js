/**
 * The traffic of one node: the core's answer to `traffic` with that node as the only client, and to `route`, which
 * describes each rule that decided.
 * @import {NodePort, NodeSide, NodeTraffic} from '../types.js'
 * @import {Answer, PortAnswer} from './traffic.js'
 */

/**
 * @typedef {{routes: Record<string, {rules: {rule: string, message: string}[]}>}} RouteAnswer the part that is read
 * @typedef {{traffic: Answer, route: RouteAnswer | null}} Told
 */

/**
 * @param {string} node
 * @param {{now: Told, after: Told | null}[]} families
 * @returns {NodeTraffic}
 */
export function nodeTraffic(node, families) {
  const ports = families.flatMap(({ now, after }) => now.traffic.ports.map((port) => portOf(port.servicePort, now, after)));
  return { node, zone: families[0]?.now.traffic.nodes[0]?.zone ?? '', ports };
}

/** @param {string} name @param {Told} now @param {Told | null} after @returns {NodePort} */
function portOf(name, now, after) {
  const [before, then] = [sideOf(name, now), after && sideOf(name, after)];
  return { id: `${now.traffic.addressType} ${name}`, now: before, after: JSON.stringify(before) === JSON.stringify(then) ? null : then };
}

/** @param {string} name @param {Told} told @returns {NodeSide} */
function sideOf(name, { traffic, route }) {
  const port = traffic.ports.find(({ servicePort }) => servicePort === name);
  const group = port?.groups[0];
  const used = new Set(group?.uses);
  return {
    rule: group?.message ?? '',
    rules: route?.routes[name]?.rules ?? [],
    endpoints: (port?.endpoints ?? []).map(({ endpoint, node, zone, share }, place) => ({ endpoint, node, zone, share, used: used.has(place) })),
    zones: zonesOf(port),
    unserved: port?.unserved ?? 0,
  };
}

/** @param {PortAnswer | undefined} port */
function zonesOf(port) {
  return (port?.zones[0]?.to ?? []).map(({ zone, share }) => ({ zone, share }));
}
