/**
 * The sentences about traffic: what crosses zones, who follows which rule.
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

/** The summary, in the core's sentences. @param {PortTraffic} port */
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
