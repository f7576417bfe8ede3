/**
 * An input and the answer to it, taken apart: bytes, and where in them lies what the page asks for. Only what is drawn or
 * counted becomes values.
 * @import {Options, Overview, Zone} from '../types.js'
 * @import {Reading} from '../input/read.js'
 * @import {Place, Range} from '../input/scan.js'
 * @import {PackedModel} from './packed.js'
 * @import {Plan, Slice} from './service.js'
 */
import { itemsOf, listsOf, memberAt, membersOf, valueAt } from '../input/scan.js';
import { SERVICE_NAME_LABEL, keyOf } from './objects.js';
import { serviceModel } from './service.js';
import { zoneOf, zonesOf } from './zones.js';

/**
 * An input and its answer: bytes, and where in them lies what is asked for.
 * @typedef {object} Opened
 * @property {Reading} reading
 * @property {Options} overrides
 * @property {Overview} overview
 * @property {Uint8Array} answer the bytes of the core, as they came
 * @property {Map<string, PlanPlace>} plans by Service
 * @property {Map<string, Range>} services
 * @property {Range[]} nodes
 * @property {Map<string, Range[]>} slices by the Service they name
 * @property {Zone[]} zones
 * @property {Required<Options>} options
 *
 * @typedef {{plan: Range, create: Range[], update: Range[]}} PlanPlace a plan in the answer, and the slices it writes
 * @typedef {{plans: Map<string, Plan>, slices: Map<string, Slice[]>}} Values what was parsed to open an input, for as long as that takes
 *
 * @typedef {{name: string, labels?: Record<string, string> | null}} ShortNode a node as traffic is asked for with it
 */

/** @param {Place[]} places */
export function byKind(places) {
  /** @type {Record<'Service' | 'Pod' | 'Node' | 'EndpointSlice', Range[]>} */
  const objects = { Service: [], Pod: [], Node: [], EndpointSlice: [] };
  for (const { kind, from, to } of places) if (Object.hasOwn(objects, kind)) objects[/** @type {'Pod'} */ (kind)].push({ from, to });
  return objects;
}

/** Where the plans lie in the answer. @param {Uint8Array} answer @param {'request' | 'snapshot'} kind @param {Plan[]} plans */
export function plansIn(answer, kind, plans) {
  const starts = kind === 'request' ? [0] : itemsOf(answer, membersOf(answer).get('plans')).map(({ from }) => from);
  return new Map(plans.map(({ service }, index) => [keyOf(service), planAt(answer, starts[index] ?? 0)]));
}

/** @param {Uint8Array} answer @param {number} from @returns {PlanPlace} */
function planAt(answer, from) {
  const { lists: [create = [], update = []], to } = listsOf(answer, from, ['create', 'update']);
  return { plan: { from, to }, create, update };
}

/** @param {Opened} opened @param {Values | null} values @param {string} key @param {string} sentence @returns {PackedModel | null} */
export function modelOf({ reading: { bytes }, answer, plans, slices, zones, options }, values, key, sentence) {
  const found = plans.get(key);
  if (!found) return null;
  /** @type {Plan} */
  const planned = values?.plans.get(key) ?? valueAt(answer, found.plan);
  const ranges = slices.get(key) ?? [];
  /** @type {Slice[]} */
  const before = values?.slices.get(key) ?? ranges.map((range) => valueAt(bytes, range));
  /** @param {Slice[]} list @param {Uint8Array} from @param {Range[]} places @returns {Slice[]} */
  const withBytes = (list, from, places) => list.map((slice, index) => ({ ...slice, bytes: piece(from, places[index]) }));
  const drawn = { ...planned, create: withBytes(planned.create, answer, found.create), update: withBytes(planned.update, answer, found.update) };
  return serviceModel(drawn, withBytes(before, bytes, ranges), zones, options.maxEndpointsPerSlice, sentence);
}

/** @param {Uint8Array} bytes @param {Range} range */
export function piece(bytes, { from, to }) {
  return bytes.subarray(from, to);
}

/** @param {Uint8Array} bytes @param {Range} node @returns {ShortNode} */
export function shortNode(bytes, node) {
  const metadata = membersOf(bytes, memberAt(bytes, node, ['metadata'])?.from ?? node.to);
  const [name, labels] = ['name', 'labels'].map((member) => metadata.get(member)).map((range) => range && valueAt(bytes, range));
  return { name: name ?? '', labels };
}

/** @param {(string | Uint8Array)[]} parts */
export function joined(parts) {
  const pieces = parts.map((part) => (typeof part === 'string' ? new TextEncoder().encode(part) : part));
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const each of pieces) {
    bytes.set(each, at);
    at += each.length;
  }
  return bytes;
}

/** @param {Uint8Array} bytes @param {Range[]} places */
export function slicesByService(bytes, places) {
  /** @type {Map<string, Range[]>} */
  const slices = new Map();
  /** @type {Map<string, Slice[]>} */
  const values = new Map();
  for (const place of places) {
    /** @type {Slice} */
    const value = valueAt(bytes, place);
    const name = value.metadata.labels?.[SERVICE_NAME_LABEL];
    if (!name) continue;
    const key = keyOf({ namespace: value.metadata.namespace, name });
    if (!slices.has(key)) slices.set(key, []);
    if (!values.has(key)) values.set(key, []);
    slices.get(key)?.push(place);
    values.get(key)?.push(value);
  }
  return { slices, values };
}

/** @param {ShortNode[]} nodes @param {Slice[]} slices */
export function zonesIn(nodes, slices) {
  const names = new Set(nodes.map(zoneOf));
  for (const { endpoints } of slices) {
    for (const { zone, hints } of endpoints ?? []) {
      names.add(zone ?? '');
      for (const { name } of hints?.forZones ?? []) names.add(name);
    }
  }
  return zonesOf(names);
}
