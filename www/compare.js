/**
 * Several plans of one Service side by side: each column is an input with its own edits, planned again by the core, which
 * also reports the differences between columns. Objects are passed on as they were written, and only what is shown is parsed.
 * @import {CompareAnswer, CompareColumn, ComparedSide, ComparedSlice, Legend, Options, Reader} from './types.js'
 * @import {WhyMaterial} from './engine.js'
 * @import {Endpoint} from './model/cells.js'
 * @import {Kube} from './model/objects.js'
 * @import {ShortNode} from './model/opened.js'
 * @import {Plan} from './model/service.js'
 */
import { apply, diff, glance, plan, traffic, upgrade } from 'slicewise/tools';
import { asking } from './input/asking.js';
import { readInput } from './input/read.js';
import { itemsOf, membersOf, valueAt } from './input/scan.js';
import { joined } from './model/bytes.js';
import { cellOf } from './model/cells.js';
import { ColumnInput } from './model/column-input.js';
import { keyOf } from './model/objects.js';
import { piece, plansIn, withoutSlices } from './model/opened.js';
import { BARS, CELLS } from './model/presets.js';
import { familiesOf } from './model/service.js';
import { portsOf } from './model/traffic.js';

const NO_SECOND = 'There is no second input yet. Paste one above, or open a file.';

/** Differences beyond this number are only counted. */
const LISTED = 200;

/**
 * @typedef {CompareAnswer['columns'][number]} Column
 */

/**
 * @param {WhyMaterial} material the input that is loaded, and the Service
 * @param {{other: string, columns: CompareColumn[], reader: Reader, legend: Legend}} wanted with another input as text, or ''
 * @param {(done: number) => void} [onProgress] called after each column with how many are done
 * @returns {Promise<CompareAnswer>}
 */
export async function compareOf({ input, question }, { other, columns, reader, legend }, onProgress = () => {}) {
  const loaded = new ColumnInput(input, legend);
  const second = other === '' ? null : new ColumnInput(await checked(other), legend);
  const comparison = new Comparison(reader, legend);
  const answers = columns.map((column, index) => {
    const answer = attempt(() => {
      const from = column.input === 'other' ? second : loaded;
      if (!from) throw new Error(NO_SECOND);
      return comparison.take(from, question, column);
    });
    onProgress(index + 1);
    return answer;
  });
  return { columns: answers };
}

/** An input that the core has not read before, as JSON. @param {string} text */
async function checked(text) {
  const { bytes } = await readInput(text);
  JSON.parse(decode(bytes));
  return bytes;
}

/** @param {() => Column} run @returns {Column} */
function attempt(run) {
  try {
    return run();
  } catch (error) {
    return { side: null, differences: null, failure: error instanceof Error ? error.message : String(error) };
  }
}

/** Columns, and the first one that has an answer, with which the others are compared. */
class Comparison {
  #reader;
  #legend;
  /** The slices of the first column, as a list in JSON. @type {Uint8Array | null} */
  #first = null;
  /** Each of them, with its endpoints as text. @type {Map<string, {text: string, slice: ComparedSlice}>} */
  #known = new Map();

  /** @param {Reader} reader @param {Legend} legend */
  constructor(reader, legend) {
    this.#reader = reader;
    this.#legend = legend;
  }

  /** @param {ColumnInput} input @param {WhyMaterial['question']} question @param {CompareColumn} column @returns {Column} */
  take(input, { service: key = '', options: given }, column) {
    const { service: own, slices: current } = input.about(key);
    const service = withHints(own, column.hints);
    const options = optionsOf(underVersion({ ...input.options, ...given }, service, column.kubernetes), column);
    const answer = plan(input.request(key, service, options));
    const places = plansIn(answer, 'request');
    /** @type {Plan} */
    const planned = withoutSlices(answer, { from: 0, to: answer.length }, places);
    const isPlanned = column.when === 'after';
    const slices = isPlanned ? listIn(apply(answer, current)) : current;
    const side = {
      service: keyOf(service.metadata),
      writes: isPlanned ? { created: planned.create.length, updated: planned.update.length, deleted: planned.delete.length } : null,
      hints: isPlanned ? planned.hints : [],
      needed: isPlanned ? planned.stats.desiredSlices : null,
      max: options.maxEndpointsPerSlice ?? null,
      slices: this.#slicesOf(slices),
      ports: trafficOf({ service, nodes: input.nodes, options }, planned, slices, this.#reader),
    };
    const differences = this.#first && differencesOf(this.#first, slices);
    this.#first ??= slices;
    return { side, differences, failure: '' };
  }

  /** @param {Uint8Array} slices @returns {ComparedSlice[]} */
  #slicesOf(slices) {
    let drawn = 0;
    return itemsOf(slices, { from: 0, to: slices.length }).map((range) => {
      const members = membersOf(slices, range.from);
      const [metadata, endpoints] = [members.get('metadata'), members.get('endpoints')];
      const name = (metadata && valueAt(slices, metadata).name) ?? '';
      const text = endpoints ? decode(piece(slices, endpoints)) : '[]';
      const known = this.#known.get(name);
      if (known?.text === text) return { ...known.slice, isKnown: true, cells: [] };
      drawn += 1;
      const slice = sliceOf(name, JSON.parse(text) ?? [], drawn <= BARS, this.#legend);
      if (this.#first === null) this.#known.set(name, { text, slice });
      return slice;
    });
  }
}

/** @param {string} name @param {Endpoint[]} endpoints @param {boolean} isDrawn @param {Legend} legend @returns {ComparedSlice} */
function sliceOf(name, endpoints, isDrawn, legend) {
  const hinted = endpoints.filter(({ hints }) => (hints?.forZones ?? []).length + (hints?.forNodes ?? []).length > 0).length;
  const cells = isDrawn && endpoints.length <= CELLS ? endpoints.map((endpoint) => cellOf(endpoint, legend)) : [];
  return { name, count: endpoints.length, hinted, cells, isKnown: false };
}

/** The slices in the core's answer to `apply`, as a list in JSON. @param {Uint8Array} answer */
function listIn(answer) {
  const range = membersOf(answer).get('slices');
  return range ? piece(answer, range) : new TextEncoder().encode('[]');
}

/** @param {Options} options @param {CompareColumn} column */
function optionsOf(options, { max, packing }) {
  return { ...options, ...(max === null ? {} : { maxEndpointsPerSlice: max }), ...(packing === '' ? {} : { packing }) };
}

/**
 * The options under another version of Kubernetes, without those that stop working.
 * @param {Options} options @param {Kube} service @param {CompareColumn['kubernetes']} kubernetes
 */
function underVersion(options, service, kubernetes) {
  if (kubernetes === '') return options;
  const { settings } = JSON.parse(upgrade(JSON.stringify({ service, options }), { to: kubernetes }));
  const lost = settings.map((/** @type {{setting: string}} */ { setting }) => setting);
  return { ...Object.fromEntries(Object.entries(options).filter(([name]) => !lost.includes(name))), kubernetes };
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

/**
 * @param {{service: object, nodes: ShortNode[], options: Options}} request
 * @param {Plan} planned
 * @param {Uint8Array | string} slices a list in JSON
 * @param {Reader} reader
 * @returns {ComparedSide['ports']}
 */
export function trafficOf({ service, nodes, options: { preferSameTrafficDistribution, kubernetes } }, planned, slices, reader) {
  if (nodes.length === 0) return [];
  return familiesOf(planned).flatMap((addressType) => {
    const rest = JSON.stringify({ service, nodes, reader, addressType, preferSameTrafficDistribution, kubernetes });
    const answer = JSON.parse(decode(traffic(joined([rest.slice(0, -1), ',"slices":', slices, '}']))));
    return portsOf(answer, null).map(({ id, name, addressType: family, now }) => ({
      id, name, addressType: family, crossZone: now.crossZone, unserved: now.unserved, overload: now.overload, busiest: now.busiest?.zone ?? '',
    }));
  });
}

/**
 * @param {Uint8Array} before a list of slices in JSON
 * @param {Uint8Array} after
 * @returns {NonNullable<CompareAnswer['columns'][number]['differences']>}
 */
function differencesOf(before, after) {
  /** @type {import('slicewise').Diff} */
  const { services } = JSON.parse(decode(diff(before, after)));
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
