/**
 * Packs the slices of a model, and the core's pairs of endpoints before and after. The result is small: bytes,
 * numbers, and a summary of each side (`packed.js` turns it back into endpoints).
 * @import {CellChange, CellState, Legend, SliceRow} from '../types.js'
 * @import {Endpoint} from './cells.js'
 * @import {Packed, PackedView} from './packed.js'
 * @import {Placed, Slice} from './service.js'
 */
import { joined } from './bytes.js';
import { factsOf, fieldChanges, meaningOf } from './cells.js';
import { CHANGES } from './packed.js';

/** @param {CellChange} change */
const code = (change) => CHANGES.indexOf(change);
const [KEPT, ADDED, REMOVED, MOVED, CHANGED] = [code('kept'), code('added'), code('removed'), code('moved'), code('changed')];

/**
 * @typedef {{row: Placed['row'], endpoint: Endpoint, number: number}} Side an endpoint on one side of the plan
 *
 * Slices before and after as JSON; the core's answer: for each endpoint after, in order, the number of the same one
 * before, from 1, and 0 for a new one.
 * @typedef {(slices: Uint8Array) => number[]} Partners
 */

/**
 * @typedef {object} Read what is read of a slice
 * @property {Slice} slice without its endpoints
 * @property {Endpoint[]} endpoints
 * @property {PackedView['zones']} zones of its endpoints
 * @property {Set<string>} zoneNames of endpoints and of their hints
 * @property {Set<CellState>} states
 * @property {string} hintZone
 * @property {boolean} nodeHint
 */

const decoder = new TextDecoder();
/** The most characters of slices that are kept. */
const MOST = 1_000_000;
/** The slices of the last model by their text: a step of the slider leaves most of them as they are. @type {Map<string, Read>} */
let known = new Map();

export class Packer {
  #legend;
  /** The bytes of each side. @type {Map<PackedView, Uint8Array>} */
  #parts = new Map();
  #length = 0;
  #count = 0;
  /** @type {Map<string, Read>} */
  #read = new Map();
  #kept = 0;
  /** The endpoints of the sides to compare. @type {Map<PackedView, Endpoint[]>} */
  #endpoints = new Map();
  /** @type {Set<CellState>} */
  #states = new Set();
  #hintZone = '';
  #nodeHint = false;
  #changes = new Uint8Array();
  #partners = new Uint32Array();
  /** The zones of endpoints and of their hints. @type {Set<string>} */
  zoneNames = new Set();

  /** @param {Legend} legend */
  constructor(legend) {
    this.#legend = legend;
  }

  /**
   * Adds a side of a slice.
   * @param {Uint8Array} bytes
   * @param {(name: string) => boolean} isCompared
   * @returns {{slice: Slice, view: PackedView}} the slice without its endpoints
   */
  take(bytes, isCompared) {
    const text = decoder.decode(bytes);
    const read = known.get(text) ?? readSlice(text, this.#legend);
    this.#kept += text.length;
    if (this.#kept <= MOST) this.#read.set(text, read);
    const { slice, endpoints, zones } = read;
    const name = slice.metadata.name ?? '';
    const view = { name, count: endpoints.length, removed: 0, zones, first: this.#count, from: this.#length, to: this.#length + bytes.length };
    if (isCompared(name)) this.#endpoints.set(view, endpoints);
    for (const state of read.states) this.#states.add(state);
    for (const zone of read.zoneNames) this.zoneNames.add(zone);
    this.#hintZone ||= read.hintZone;
    this.#nodeHint ||= read.nodeHint;
    this.#parts.set(view, bytes);
    this.#length += bytes.length;
    this.#count += endpoints.length;
    return { slice, view };
  }

  /** Pairs the endpoints on both sides of the rows that change. @param {Placed[]} rows @param {Partners} partners */
  compare(rows, partners) {
    known = this.#read;
    this.#changes = new Uint8Array(this.#count);
    this.#partners = new Uint32Array(this.#count);
    const changing = rows.filter(({ row: { change } }) => change !== 'unchanged');
    for (const { row } of changing) {
      if (row.before) this.#fill(row.before, REMOVED);
      if (row.after) this.#fill(row.after, ADDED);
    }
    const [before, after] = (/** @type {const} */ (['before', 'after'])).map((side) => changing.flatMap(({ row }) => this.#sides(row, row[side])));
    if (before.length > 0 && after.length > 0) {
      const told = partners(joined(['{"before":', ...this.#slices(changing, 'before'), ',"after":', ...this.#slices(changing, 'after'), '}']));
      for (const [index, partner] of told.entries()) if (partner > 0) this.#pair(before[partner - 1], after[index]);
    }
    for (const { row: { before: view } } of changing) {
      if (view) view.removed = this.#changes.subarray(view.first, view.first + view.count).filter((change) => change === REMOVED).length;
    }
  }

  /** @param {PackedView} view @param {number} change */
  #fill({ first, count }, change) {
    this.#changes.fill(change, first, first + count);
  }

  /** @param {Placed['row']} row @param {PackedView | null} view @returns {Side[]} */
  #sides(row, view) {
    const endpoints = view && this.#endpoints.get(view);
    return endpoints ? endpoints.map((endpoint, index) => ({ row, endpoint, number: view.first + index })) : [];
  }

  /** One side of rows, as a list in JSON. @param {Placed[]} rows @param {'before' | 'after'} side */
  #slices(rows, side) {
    const views = rows.flatMap(({ row }) => row[side] ?? []).filter((view) => this.#endpoints.has(view));
    return ['[', ...views.flatMap((view, index) => [index === 0 ? '' : ',', this.#parts.get(view) ?? '']), ']'];
  }

  /** @param {Side} old @param {Side} now */
  #pair(old, now) {
    const isMoved = old.row !== now.row;
    const [before, after] = [factsOf(old.endpoint, this.#legend), factsOf(now.endpoint, this.#legend)];
    const isSame = !isMoved && fieldChanges(before, after).length === 0;
    for (const [one, other] of [[old.number, now.number], [now.number, old.number]]) {
      this.#changes[one] = isMoved ? MOVED : isSame ? KEPT : CHANGED;
      this.#partners[one] = isSame ? 0 : other + 1;
    }
  }

  get signs() {
    const found = new Set(this.#changes);
    const changes = CHANGES.filter((_, index) => found.has(index));
    return { states: [...this.#states], changes, hintZone: this.#hintZone, nodeHint: this.#nodeHint };
  }

  /** The number of endpoints on one side only, or in another slice. */
  get moves() {
    const counts = { added: 0, removed: 0, moved: 0 };
    for (const change of this.#changes) {
      if (change === ADDED) counts.added += 1;
      else if (change === REMOVED) counts.removed += 1;
      else if (change === MOVED) counts.moved += 0.5;
    }
    return counts;
  }

  /** @returns {Packed} */
  get packed() {
    return { bytes: joined([...this.#parts.values()]), changes: this.#changes, partners: this.#partners };
  }
}

/** @param {string} text @param {Legend} legend @returns {Read} */
function readSlice(text, legend) {
  /** @type {Slice} */
  const { endpoints: given, ...slice } = JSON.parse(text);
  const endpoints = given ?? [];
  /** @type {Map<string, number>} */
  const zones = new Map();
  /** @type {Set<CellState>} */
  const states = new Set();
  /** @type {Set<string>} */
  const zoneNames = new Set();
  let [hintZone, nodeHint] = ['', false];
  for (const endpoint of endpoints) {
    const zone = endpoint.zone ?? '';
    zones.set(zone, (zones.get(zone) ?? 0) + 1);
    states.add(meaningOf(endpoint, legend).state);
    hintZone ||= endpoint.hints?.forZones?.[0]?.name ?? '';
    nodeHint ||= (endpoint.hints?.forNodes ?? []).length > 0;
  }
  zonesOfSlice({ endpoints }, zoneNames);
  return { slice, endpoints, zones: [...zones].sort(([a], [b]) => (a < b ? -1 : 1)), zoneNames, states, hintZone, nodeHint };
}

/** @param {{endpoints?: Endpoint[] | null}} slice @param {Set<string>} names */
export function zonesOfSlice({ endpoints }, names) {
  for (const { zone, hints } of endpoints ?? []) {
    names.add(zone ?? '');
    for (const { name } of hints?.forZones ?? []) names.add(name);
  }
}
