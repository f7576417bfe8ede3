/**
 * An object as a row of a list: only its own fields.
 * @import {Legend, ObjectRow} from '../types.js'
 * @import {Found} from './walk.js'
 */
import { counted } from '../model/text.js';
import { zoneOf } from '../model/zones.js';

/** @param {Found} found @param {Legend} legend @returns {ObjectRow} */
export function rowOf({ kind, value }, legend) {
  const { name = '', namespace = '', labels } = value.metadata ?? {};
  const facts = (FACTS[kind] ?? (() => []))(value, legend).filter(Boolean);
  const row = { id: `${kind}/${namespace}/${name}`, kind, namespace, name, facts, ready: readyOf(value), labels: Object.entries(labels ?? {}).map(([key, text]) => [key, String(text)]) };
  return { ...row, text: [namespace, name, ...facts, ...row.labels.map((pair) => pair.join('='))].join(' ').toLowerCase() };
}

/** @type {Record<string, (value: any, legend: Legend) => string[]>} */
const FACTS = {
  Service: ({ metadata, spec }, { labels }) => [
    spec?.trafficDistribution ?? '',
    metadata?.annotations?.[labels.topologyMode] ?? '',
    Object.entries(spec?.selector ?? {}).map((pair) => pair.join('=')).join(', '),
  ],
  Pod: ({ metadata, spec, status }) => [spec?.nodeName ?? '', metadata?.deletionTimestamp ? 'terminating' : '', ['', 'Running'].includes(status?.phase ?? '') ? '' : status.phase],
  Node: ({ metadata, spec, status }, legend) => [
    zoneOf(metadata, legend) || 'no zone label',
    status?.allocatable?.cpu ? `${status.allocatable.cpu} CPU` : '',
    spec?.unschedulable ? 'cordoned' : '',
  ],
  EndpointSlice: ({ metadata, addressType, endpoints }, { labels }) => [metadata?.labels?.[labels.service] ?? '', addressType ?? '', counted((endpoints ?? []).length, 'endpoint')],
};

/** The value of the condition, if present. @param {any} value @returns {boolean | null} */
function readyOf({ kind: _, status }) {
  const condition = (status?.conditions ?? []).find?.((/** @type {any} */ each) => each.type === 'Ready');
  return condition ? condition.status === 'True' : null;
}
