/**
 * An input and the core's answer to it as bytes, with the positions of what the page asks for. Only what is drawn or
 * counted is parsed, slice by slice, so that there are never many values at once.
 * @import {Glance, HintsState, Legend, Options, Overview, Zone} from '../types.js'
 * @import {Reading} from '../input/read.js'
 * @import {Place, Range} from '../input/scan.js'
 * @import {PackedModel} from './packed.js'
 * @import {Plan} from './service.js'
 */
import { itemsOf, listsOf, memberAt, membersOf, valueAt } from '../input/scan.js';
import { keyOf, placed } from './objects.js';
import { zonesOfSlice } from './packer.js';
import { serviceModel } from './service.js';
import { zoneOf, zonesOf } from './zones.js';

/**
 * @typedef {object} Opened
 * @property {Reading} reading
 * @property {Place[]} places of the objects in its bytes, and of a request's options
 * @property {Options} overrides
 * @property {Overview} overview
 * @property {Uint8Array} answer the core's bytes, unchanged
 * @property {Glance & {service: {namespace: string, name: string}} | null} glance of the requested Service, or the first of interest
 * @property {Map<string, PlanPlace>} plans by Service
 * @property {Map<string, HintsState>} hints the state of hints in each Service's plan
 * @property {Map<string, Range>} services
 * @property {Range[]} nodes
 * @property {Map<string, Range[]>} slices by the Service they name
 * @property {Zone[] | null} zones of all Services, once known
 * @property {Required<Options>} options
 *
 * @typedef {{plan: Range, create: Range[], update: Range[]}} PlanPlace a plan in the answer, and the slices it writes
 * @typedef {{name: string, labels?: Record<string, string> | null, status: {allocatable?: object, conditions?: object[]}}} ShortNode a node in
 *   traffic requests: where it is, and how much it sends
 */

/** @param {Place[]} places */
export function byKind(places) {
  /** @type {Record<'Service' | 'Pod' | 'Node' | 'EndpointSlice', Range[]>} */
  const objects = { Service: [], Pod: [], Node: [], EndpointSlice: [] };
  for (const { kind, from, to } of places) if (Object.hasOwn(objects, kind)) objects[/** @type {'Pod'} */ (kind)].push({ from, to });
  return objects;
}

/** The positions of the plans in the answer, in order. @param {Uint8Array} answer @param {'request' | 'snapshot'} kind */
export function plansIn(answer, kind) {
  const starts = kind === 'request' ? [0] : itemsOf(answer, membersOf(answer).get('plans')).map(({ from }) => from);
  return starts.map((from) => {
    const { lists: [create = [], update = []], to } = listsOf(answer, from, ['create', 'update']);
    return { plan: { from, to }, create, update };
  });
}

/**
 * A part of the answer as values, in which each written slice is `null`.
 * @param {Uint8Array} answer
 * @param {Range} part
 * @param {PlanPlace[]} places of the plans in it
 */
export function withoutSlices(answer, part, places) {
  const slices = places.flatMap(({ create, update }) => [...create, ...update]).sort((a, b) => a.from - b.from);
  const decoder = new TextDecoder();
  let at = part.from;
  const texts = slices.map(({ from, to }) => {
    const text = decoder.decode(answer.subarray(at, from));
    at = to;
    return `${text}null`;
  });
  return JSON.parse(texts.join('') + decoder.decode(answer.subarray(at, part.to)));
}

/**
 * @param {Opened} opened
 * @param {string} key
 * @param {string} sentence
 * @param {Legend} legend
 * @param {import('./packer.js').Partners} partners
 * @returns {PackedModel | null}
 */
export function modelOf(opened, key, sentence, legend, partners) {
  const { reading: { bytes }, answer, plans, slices, options } = opened;
  const found = plans.get(key);
  if (!found) return null;
  /** @type {Plan} */
  const plan = withoutSlices(answer, found.plan, [found]);
  /** @param {Uint8Array} from @param {Range[]} ranges */
  const pieces = (from, ranges) => ranges.map((range) => piece(from, range));
  const given = { before: pieces(bytes, slices.get(key) ?? []), update: pieces(answer, found.update), create: pieces(answer, found.create) };
  const drawn = serviceModel(plan, given, { max: options.maxEndpointsPerSlice, sentence, hints: opened.hints.get(key) ?? 'none', legend, partners });
  const { zoneNames, ...model } = drawn;
  opened.zones ??= allZones(opened, key, zoneNames, legend);
  return { ...model, zones: opened.zones };
}

/**
 * The zones of nodes, and of the endpoints of all Services.
 * @param {Opened} opened
 * @param {string} known the Service whose zones are known
 * @param {Set<string>} zoneNames
 * @param {Legend} legend
 */
function allZones({ reading: { bytes }, answer, plans, nodes, slices }, known, zoneNames, legend) {
  const names = new Set(zoneNames);
  for (const node of nodes) names.add(zoneOf(shortNode(bytes, node), legend));
  /** @param {Uint8Array} from @param {Range[]} ranges */
  const add = (from, ranges) => ranges.forEach((range) => zonesOfSlice(valueAt(from, range), names));
  for (const [key, ranges] of slices) if (key !== known) add(bytes, ranges);
  for (const [key, { create, update }] of plans) if (key !== known) add(answer, [...create, ...update]);
  return zonesOf(names);
}

/** @param {Uint8Array} bytes @param {Range} range */
export function piece(bytes, { from, to }) {
  return bytes.subarray(from, to);
}

/** @param {Uint8Array} bytes @param {Range} node @returns {ShortNode} */
export function shortNode(bytes, node) {
  const metadata = membersOf(bytes, memberAt(bytes, node, ['metadata'])?.from ?? node.to);
  const status = membersOf(bytes, memberAt(bytes, node, ['status'])?.from ?? node.to);
  const read = (/** @type {Range | undefined} */ range) => range && valueAt(bytes, range);
  const [allocatable, conditions] = ['allocatable', 'conditions'].map((member) => read(status.get(member)));
  return { name: read(metadata.get('name')) ?? '', labels: read(metadata.get('labels')), status: { allocatable, conditions } };
}

/**
 * The identity of a Service or slice.
 * @param {Uint8Array} bytes @param {Range} object @param {'request' | 'snapshot'} form @returns {import('./objects.js').Kube['metadata']}
 */
export function metadataAt(bytes, object, form) {
  const range = memberAt(bytes, object, ['metadata']);
  const metadata = range ? valueAt(bytes, range) : {};
  return form === 'request' ? metadata : placed('', metadata);
}

/** @param {Uint8Array} bytes @param {Range[]} places @param {'request' | 'snapshot'} form @param {Legend} legend */
export function slicesByService(bytes, places, form, legend) {
  /** @type {Map<string, Range[]>} */
  const slices = new Map();
  for (const place of places) {
    const { namespace, labels } = metadataAt(bytes, place, form);
    const name = labels?.[legend.labels.service];
    if (!name) continue;
    const key = keyOf({ namespace, name });
    const found = slices.get(key);
    if (found) found.push(place);
    else slices.set(key, [place]);
  }
  return slices;
}
