/**
 * An object as a row of a list: its fields as written; the core says what they mean.
 * @import {Legend, ObjectRow} from '../types.js'
 * @import {Found} from './walk.js'
 */
import { counted } from '../model/text.js';

/** @typedef {{ready: boolean | null, words: string[]}} Meant what the core says of an object */

/** @param {Found} found @param {Legend} legend @returns {ObjectRow} */
export function rowOf({ kind, value }, legend) {
  const { name = '', namespace = '', labels } = value.metadata ?? {};
  const facts = (FACTS[kind] ?? (() => []))(value, legend).filter(Boolean);
  const row = {
    id: `${kind}/${namespace}/${name}`,
    kind,
    namespace,
    name,
    facts,
    ready: null,
    labels: Object.entries(labels ?? {}).map(([key, text]) => [key, String(text)]),
  };
  return { ...row, text: [namespace, name, ...facts, ...row.labels.map((pair) => pair.join('='))].join(' ').toLowerCase() };
}

/** @param {ObjectRow} row @param {Meant | undefined} meant nothing of an object that the core cannot read */
export function told(row, meant) {
  return meant ? { ...row, facts: [...row.facts, ...meant.words], ready: meant.ready } : row;
}

/** @type {Record<string, (value: any, legend: Legend) => string[]>} */
const FACTS = {
  Service: ({ metadata, spec }, { labels }) => [
    spec?.trafficDistribution ?? '',
    metadata?.annotations?.[labels.topologyMode] ?? '',
    Object.entries(spec?.selector ?? {}).map((pair) => pair.join('=')).join(', '),
  ],
  Pod: ({ spec, status }) => [spec?.nodeName ?? '', ['', 'Running'].includes(status?.phase ?? '') ? '' : status.phase],
  Node: ({ status }) => [status?.allocatable?.cpu ? `${status.allocatable.cpu} CPU` : ''],
  EndpointSlice: ({ metadata, addressType, endpoints }, { labels }) => [
    metadata?.labels?.[labels.service] ?? '',
    addressType ?? '',
    counted((endpoints ?? []).length, 'endpoint'),
  ],
};
