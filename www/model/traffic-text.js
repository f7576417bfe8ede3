/**
 * The sentences about traffic: what crosses zones, who follows which rule, why there is none to tell of.
 * @import {PortTraffic, RuleUse, TrafficSide} from '../types.js'
 */
import { counted } from './text.js';

/** @param {number} share from 0 to 1 */
export function percent(share) {
  if (share > 0 && share < 0.0005) return 'less than 0.1 %';
  return `${Number((share * 100).toFixed(1))} %`;
}

/** A figure on both sides of the plan. @param {PortTraffic} port @param {(side: TrafficSide) => string} words */
export function bothSides({ now, after }, words) {
  const [before, then] = [words(now), after ? words(after) : words(now)];
  return before === then ? before : `${before} → ${then}`;
}

/** @param {TrafficSide} side */
export function crossingWords({ crossZone }) {
  return crossZone === null ? '–' : percent(crossZone);
}

/** What to see at a glance, in the core's sentences. @param {PortTraffic} port */
export function trafficSentence({ now, after }) {
  if (!after || now.message === after.message) return now.message;
  return `Now: ${now.message} After the plan: ${after.message}`;
}

/** @param {RuleUse} use */
export function usesWords({ nodes, least, most }) {
  if (most === 0) return 'no endpoint';
  const count = least === most ? counted(most, 'endpoint') : `${least} to ${counted(most, 'endpoint')}`;
  return nodes === 1 ? count : `${count} each`;
}

/**
 * Why kube-proxy and its like have nothing to do with a Service.
 * @param {{type?: string, clusterIP?: string | null, ports?: unknown[] | null}} spec
 */
export function notProxiedWords({ type, clusterIP, ports }) {
  if (type === 'ExternalName') return 'The Service is of type ExternalName: clients get another name from DNS, and no endpoints.';
  if (clusterIP === 'None') {
    return 'The Service is headless: clients get the addresses of its endpoints from DNS and choose for themselves, so that nobody can tell where they go.';
  }
  if (!clusterIP) return 'The Service has no cluster IP here, which an API server would give it; without one there is nothing to reach it by.';
  return ports?.length ? 'The Service is not proxied in any of its families.' : 'The Service has no ports.';
}
