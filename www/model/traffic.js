/**
 * Turns the core's answers about traffic, now and after the plan, into what the page shows: zones in the same
 * order on both sides, and nodes by the rule they follow.
 * @import {PortTraffic, RuleUse, TrafficModel, TrafficRow, TrafficSide} from '../types.js'
 */

/**
 * The part of the core's answer that is read.
 * @typedef {object} PortAnswer
 * @property {string} servicePort
 * @property {string} message
 * @property {{nodes: number[], rule: string, message: string, uses: number[]}[]} groups nodes by their index in the answer's list
 * @property {{endpoint: string, node: string, zone: string, share: number, overload: number}[]} endpoints
 * @property {{from: string, share: number, unserved: number, to: ZoneAnswer[]}[]} zones
 * @property {ZoneAnswer[]} received
 * @property {number | null} crossZone
 * @property {number} unserved
 * @property {number} overload
 *
 * @typedef {{zone: string, share: number}} ZoneAnswer
 * @typedef {{node: string, zone: string, share: number}} NodeAnswer
 * @typedef {object} Answer
 * @property {string} addressType
 * @property {string} assumption
 * @property {NodeAnswer[]} nodes
 * @property {PortAnswer[]} ports
 * @property {{message: string}[]} notProxied
 * @property {{code: string, message: string}[]} warnings
 */

/** Rounding errors in sums of shares are below this. */
const SMALL = 1e-9;

/**
 * The ports of one family.
 * @param {Answer} now
 * @param {Answer | null} after null if the plan writes nothing
 * @returns {PortTraffic[]}
 */
export function portsOf(now, after) {
  return now.ports.map((port, index) => {
    const then = after?.ports[index];
    const zones = zonesOf(then ? [port, then] : [port]);
    const side = sideOf(port, now.nodes, zones);
    const other = then ? sideOf(then, now.nodes, zones) : null;
    return {
      id: `${now.addressType} ${port.servicePort}`,
      name: port.servicePort.replace(/^[^/]*\/[^:/]*[:/]/, ''),
      addressType: now.addressType,
      zones,
      now: side,
      after: JSON.stringify(side) === JSON.stringify(other) ? null : other,
    };
  });
}

/** @param {PortAnswer[]} ports @returns {string[]} */
function zonesOf(ports) {
  const names = ports.flatMap(({ zones }) => zones.flatMap(({ from, to }) => [from, ...to.map(({ zone }) => zone)]));
  return [...new Set(names)].sort((a, b) => Number(a === '') - Number(b === '') || (a < b ? -1 : 1));
}

/**
 * @param {PortAnswer} port
 * @param {NodeAnswer[]} nodes
 * @param {string[]} zones
 * @returns {TrafficSide}
 */
function sideOf(port, nodes, zones) {
  const rows = zones.flatMap((zone) => rowOf(port, zone, zones) ?? []);
  const busiest = port.endpoints.find(({ overload }) => overload === port.overload);
  return {
    message: port.message,
    rows,
    totals: sharesOf(port.received, zones),
    crossZone: port.crossZone === null ? null : cleaned(port.crossZone),
    unserved: cleaned(port.unserved),
    overload: cleaned(port.overload),
    busiest: busiest ? { endpoint: busiest.endpoint, zone: busiest.zone, share: cleaned(busiest.share) } : null,
    rules: rulesOf(port, nodes, zones),
  };
}

/**
 * @param {PortAnswer} port
 * @param {string} from
 * @param {string[]} zones
 * @returns {TrafficRow | undefined}
 */
function rowOf(port, from, zones) {
  const found = port.zones.find((each) => each.from === from);
  if (!found) return undefined;
  return { from, shares: sharesOf(found.to, zones), unserved: cleaned(found.unserved), total: cleaned(found.share) };
}

/** The share of each zone. @param {ZoneAnswer[]} answer @param {string[]} zones */
function sharesOf(answer, zones) {
  return zones.map((name) => cleaned(answer.find(({ zone }) => zone === name)?.share ?? 0));
}

/**
 * @param {PortAnswer} port
 * @param {NodeAnswer[]} nodes
 * @param {string[]} zones
 * @returns {RuleUse[]} the most common first
 */
function rulesOf(port, nodes, zones) {
  /** @type {Map<string, RuleUse>} */
  const rules = new Map();
  for (const group of port.groups) {
    const { rule, uses } = group;
    const found = rules.get(rule) ?? { rule, nodes: 0, zones: [], least: uses.length, most: uses.length };
    found.nodes += group.nodes.length;
    for (const { zone } of group.nodes.flatMap((place) => nodes[place] ?? [])) {
      if (!found.zones.includes(zone)) found.zones.push(zone);
    }
    found.least = Math.min(found.least, uses.length);
    found.most = Math.max(found.most, uses.length);
    rules.set(rule, found);
  }
  for (const each of rules.values()) each.zones.sort((a, b) => zones.indexOf(a) - zones.indexOf(b));
  return [...rules.values()].sort((a, b) => b.nodes - a.nodes);
}

/** Removes rounding errors. @param {number} share */
function cleaned(share) {
  return Math.abs(share) < SMALL ? 0 : Number(share.toFixed(12));
}
