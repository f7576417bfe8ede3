/**
 * Several plans of one Service side by side: each column is an input with its own edits, planned again by the core, which
 * also reports the differences between columns.
 * @import {CompareAnswer, CompareColumn, ComparedSide, Legend, Reader} from './types.js'
 * @import {WhyMaterial} from './engine.js'
 * @import {Kube, Objects} from './model/objects.js'
 * @import {Plan, Slice} from './model/service.js'
 */
import { apply, detect, diff, glance, plan, traffic } from 'slicewise/tools';
import { asking } from './input/asking.js';
import { readInput } from './input/read.js';
import { askedAs, collectRequest, collectSnapshot, keyOf, serviceKeyOf } from './model/objects.js';
import { cellOf } from './model/cells.js';
import { familiesOf } from './model/service.js';
import { portsOf } from './model/traffic.js';

const NO_SECOND = 'There is no second input yet. Paste one above, or open a file.';

/** Differences beyond this number are only counted. */
const LISTED = 200;

/**
 * @param {WhyMaterial} material the input that is loaded, and the Service
 * @param {string} other another input as text, or ''
 * @param {CompareColumn[]} columns
 * @param {Reader} reader
 * @param {Legend} legend
 * @returns {Promise<CompareAnswer>}
 */
export async function compareOf({ input, question }, other, columns, reader, legend) {
  const loaded = JSON.parse(decode(input));
  const second = other === '' ? null : JSON.parse(decode((await readInput(other)).bytes));
  /** @type {Slice[] | null} */
  let first = null;
  /** The endpoints of its slices. @type {Map<string | undefined, string>} */
  const known = new Map();
  const sides = columns.map((column) => {
    try {
      const root = column.input === 'other' ? second : loaded;
      if (!root) throw new Error(NO_SECOND);
      const { side, slices } = sideOf(root, question, column, reader, legend, known);
      const differences = first && differencesOf(first, slices);
      if (!first) for (const slice of slices) known.set(slice.metadata.name, endpointsOf(slice));
      first ??= slices;
      return { side, differences, failure: '' };
    } catch (error) {
      return { side: null, differences: null, failure: error instanceof Error ? error.message : String(error) };
    }
  });
  return { columns: sides };
}

/** @param {Slice} slice */
function endpointsOf({ endpoints }) {
  return JSON.stringify(endpoints ?? []);
}

/**
 * @param {any} root
 * @param {WhyMaterial['question']} question
 * @param {CompareColumn} column
 * @param {Reader} reader
 * @param {Legend} legend
 * @param {Map<string | undefined, string>} known the endpoints of the slices of the first column
 * @returns {{side: ComparedSide, slices: Slice[]}}
 */
function sideOf(root, { service: key = '', options }, column, reader, legend, known) {
  const request = requestFor(root, key, options, column, legend);
  /** @type {Plan} */
  const planned = JSON.parse(plan(JSON.stringify(request)));
  const isPlanned = column.when === 'after';
  /** @type {Slice[]} */
  const slices = isPlanned ? JSON.parse(apply(JSON.stringify(planned), JSON.stringify(request.slices))).slices : request.slices;
  const max = request.options.maxEndpointsPerSlice ?? null;
  const side = {
    service: keyOf(request.service.metadata),
    writes: isPlanned ? { created: planned.create.length, updated: planned.update.length, deleted: planned.delete.length } : null,
    hints: isPlanned ? planned.hints : [],
    needed: isPlanned ? planned.stats.desiredSlices : null,
    max,
    slices: slices.map((slice) => ({
      name: slice.metadata.name ?? '',
      cells: (slice.endpoints ?? []).map((endpoint) => cellOf(endpoint, legend)),
      isKnown: known.get(slice.metadata.name) === endpointsOf(slice),
    })),
    ports: trafficOf(request, planned, slices, reader),
  };
  return { side, slices };
}

/**
 * A plan request for the Service, with the edits of the column.
 * @param {any} root
 * @param {string} key
 * @param {object} given options of the page
 * @param {CompareColumn} column
 * @param {Legend} legend
 */
export function requestFor(root, key, given, { hints, max, packing }, legend) {
  const isRequest = detect(JSON.stringify(root)) === 'request';
  const objects = isRequest ? collectRequest(root) : collectSnapshot(root);
  const service = findService(objects, key);
  const name = keyOf(service.metadata);
  return {
    service: withHints(service, hints),
    pods: objects.Pod.filter((pod) => isRequest || pod.metadata.namespace === service.metadata.namespace),
    nodes: objects.Node,
    slices: objects.EndpointSlice.filter((slice) => serviceKeyOf(slice, legend) === name),
    options: {
      ...(isRequest ? root.options : {}),
      ...given,
      ...(max === null ? {} : { maxEndpointsPerSlice: max }),
      ...(packing === '' ? {} : { packing }),
    },
  };
}

/** The Service of that name; in an input with only one, that one. @param {Objects} objects @param {string} key */
function findService({ Service: services }, key) {
  const found = services.find(({ metadata }) => askedAs(keyOf(metadata)) === key) ?? (services.length === 1 ? services[0] : undefined);
  if (!found) throw new Error(`There is no Service ${key.replace(/^\//, '')} in this input.`);
  return found;
}

/**
 * The Service, changed to ask for hints in this way.
 * @param {Kube} service
 * @param {CompareColumn['hints']} hints
 * @returns {Kube}
 */
export function withHints(service, hints) {
  if (hints === 'asIs') return service;
  return asking(service, hints === 'none' ? 'None' : hints, glance);
}

/** What says how much a node sends. @param {Kube['status']} status */
function sendingOf(status) {
  return { allocatable: status?.allocatable, conditions: status?.conditions };
}

/**
 * @param {ReturnType<typeof requestFor>} request
 * @param {Plan} planned
 * @param {Slice[]} slices
 * @param {Reader} reader
 * @returns {ComparedSide['ports']}
 */
export function trafficOf({ service, nodes, options }, planned, slices, reader) {
  if (nodes.length === 0) return [];
  const { preferSameTrafficDistribution } = /** @type {{preferSameTrafficDistribution?: boolean}} */ (options);
  const short = nodes.map(({ metadata: { name, labels }, status }) => ({ name, labels, status: sendingOf(status) }));
  return familiesOf(planned).flatMap((addressType) => {
    const answer = JSON.parse(traffic(JSON.stringify({ service, slices, nodes: short, reader, addressType, preferSameTrafficDistribution })));
    return portsOf(answer, null).map(({ id, name, addressType: family, now }) => ({
      id, name, addressType: family, crossZone: now.crossZone, unserved: now.unserved, overload: now.overload, busiest: now.busiest?.zone ?? '',
    }));
  });
}

/**
 * @param {Slice[]} before
 * @param {Slice[]} after
 * @returns {NonNullable<CompareAnswer['columns'][number]['differences']>}
 */
function differencesOf(before, after) {
  /** @type {import('slicewise').Diff} */
  const { services } = JSON.parse(diff(JSON.stringify(before), JSON.stringify(after)));
  const changes = services.flatMap((service) => service.changes);
  const slices = services.flatMap((service) => service.slices);
  /** @param {string} change */
  const count = (change) => changes.filter((each) => each.change === change).length;
  return {
    added: count('added'), removed: count('removed'), changed: count('changed'), moved: count('moved'),
    slices: slices.length,
    list: changes.slice(0, LISTED).map(({ change, addresses, targetRef, slice, from, fields }) => ({
      change, name: String(targetRef?.name ?? addresses[0] ?? ''), slice, from: from ?? '',
      fields: fields.map((field) => ({ field: field.path, before: said(field.before), after: said(field.after) })),
    })),
    left: Math.max(0, changes.length - LISTED),
  };
}

/** @param {unknown} value */
function said(value) {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}

/** @param {Uint8Array} bytes */
function decode(bytes) {
  return new TextDecoder().decode(bytes);
}
