/**
 * The endpoints of a model, compact for the transfer from the worker and for storage: the unchanged bytes of the slices, and
 * the change of each endpoint as a number. They become objects slice by slice, when first used; so twenty
 * thousand of them are quick to transfer and take little memory.
 * @import {Cell, Legend, ServiceModel, SliceRow, SliceView} from '../types.js'
 * @import {Endpoint} from './cells.js'
 */
import { cellOf, fieldChanges } from './cells.js';

/**
 * @typedef {object} Packed
 * @property {Uint8Array<ArrayBuffer>} bytes slices, as JSON
 * @property {Uint8Array<ArrayBuffer>} changes for every endpoint, an index into {@link CHANGES}
 * @property {Uint32Array<ArrayBuffer>} partners the number of the same endpoint on the other side, from 1; 0 if there is none
 *
 * @typedef {Omit<SliceView, 'cells'> & {first: number, from: number, to: number}} PackedView its first endpoint, its bytes
 * @typedef {Omit<SliceRow, 'before' | 'after'> & {before: PackedView | null, after: PackedView | null}} PackedRow
 * @typedef {Omit<ServiceModel, 'groups' | 'foreign' | 'release'> & {
 *   groups: {id: string, addressType: string, ports: string, rows: PackedRow[]}[],
 *   foreign: PackedRow[],
 *   packed: Packed,
 * }} PackedModel
 */

/** @type {Cell['change'][]} */
export const CHANGES = ['kept', 'added', 'removed', 'moved', 'changed'];

/** @param {PackedModel} model */
export function transfersOf({ packed: { bytes, changes, partners } }) {
  return [bytes.buffer, changes.buffer, partners.buffer];
}

/** @param {PackedModel} model @returns {ServiceModel} */
export function unpackModel({ packed, ...model }) {
  const sides = new Sides(packed, model.legend);
  /** @param {PackedRow} row @returns {SliceRow} */
  const unpackRow = (row) => {
    const before = row.before && sides.view(row.before);
    // A side without endpoints has no number of its own.
    const isOne = row.before?.from === row.after?.from;
    return { ...row, before, after: isOne ? before : row.after && sides.view(row.after) };
  };
  return {
    ...model,
    groups: model.groups.map((group) => ({ ...group, rows: group.rows.map(unpackRow) })),
    foreign: model.foreign.map(unpackRow),
    release: () => sides.release(),
  };
}

/** All sides of slices of a model. */
class Sides {
  #packed;
  #legend;
  /** In the order of their endpoints. @type {LazyView[]} */
  #views = [];
  #isSorted = true;

  /** @param {Packed} packed @param {Legend} legend */
  constructor(packed, legend) {
    this.#packed = packed;
    this.#legend = legend;
  }

  /** @param {PackedView} packed */
  view(packed) {
    const view = new LazyView(packed, this);
    this.#views.push(view);
    this.#isSorted = false;
    return view;
  }

  /** Releases the bytes now; garbage collection of megabytes could take long. */
  release() {
    /** @type {{transfer?: (size: number) => unknown}} */ (this.#packed.bytes.buffer).transfer?.(0);
  }

  /** @param {PackedView} view @returns {Cell[]} */
  read({ from, to }) {
    if (this.#packed.bytes.length === 0) return [];
    /** @type {{endpoints?: Endpoint[] | null}} */
    const { endpoints } = JSON.parse(new TextDecoder().decode(this.#packed.bytes.subarray(from, to)));
    return (endpoints ?? []).map((endpoint) => cellOf(endpoint, this.#legend));
  }

  /** Sets the change of an endpoint, and its state on the other side. @param {Cell} cell @param {number} number */
  mark(cell, number) {
    const { changes, partners } = this.#packed;
    cell.change = CHANGES[changes[number] ?? 0] ?? 'kept';
    const partner = partners[number] ?? 0;
    if (partner === 0) return;
    const { view, cell: other } = this.#find(partner - 1);
    // The slices before the plan have the lower numbers.
    cell.fields = partner - 1 < number ? fieldChanges(other, cell) : fieldChanges(cell, other);
    if (cell.change === 'moved') cell.other = view.name;
  }

  /** @param {number} number */
  #find(number) {
    if (!this.#isSorted) this.#views.sort((a, b) => a.first - b.first || a.count - b.count);
    this.#isSorted = true;
    let [low, high] = [0, this.#views.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#views[middle]?.first ?? 0) <= number) low = middle;
      else high = middle - 1;
    }
    const view = /** @type {LazyView} */ (this.#views[low]);
    return { view, cell: /** @type {Cell} */ (view.bare[number - view.first]) };
  }
}

/** A side of a slice. @implements {SliceView} */
class LazyView {
  #packed;
  #sides;
  /** @type {Cell[] | null} */
  #bare = null;
  #isMarked = false;

  /** @param {PackedView} packed @param {Sides} sides */
  constructor(packed, sides) {
    this.name = packed.name;
    this.count = packed.count;
    this.removed = packed.removed;
    this.zones = packed.zones;
    this.#packed = packed;
    this.#sides = sides;
  }

  get first() {
    return this.#packed.first;
  }

  /** Its cells, without their changes. */
  get bare() {
    return (this.#bare ??= this.#sides.read(this.#packed));
  }

  get cells() {
    const cells = this.bare;
    if (!this.#isMarked) cells.forEach((cell, index) => this.#sides.mark(cell, this.first + index));
    this.#isMarked = true;
    return cells;
  }
}
