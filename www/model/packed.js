/**
 * Models on their way from the worker to the page. Endpoints travel as numbers into one list of strings, in memory that is
 * handed over and not copied, and become objects again slice by slice, when a slice is drawn: so twenty thousand of them
 * hold nobody up.
 * @import {Cell, ServiceModel, SliceRow, SliceView} from '../types.js'
 */

/**
 * @typedef {Omit<SliceView, 'cells'> & {from: number}} PackedView
 * @typedef {Omit<SliceRow, 'before' | 'after'> & {before: PackedView | null, after: PackedView | null}} PackedRow
 * @typedef {Omit<ServiceModel, 'groups' | 'foreign'> & {
 *   groups: {id: string, addressType: string, ports: string, rows: PackedRow[]}[],
 *   foreign: PackedRow[],
 *   strings: string[],
 *   numbers: Uint32Array<ArrayBuffer>,
 * }} PackedModel
 */

/** Fields of a cell that are one string. @type {('id' | 'state' | 'change' | 'zone' | 'hostname' | 'target' | 'node' | 'conditions' | 'other')[]} */
const TEXTS = ['id', 'state', 'change', 'zone', 'hostname', 'target', 'node', 'conditions', 'other'];
/** Fields that are lists; the same few come again and again. @type {('hintZones' | 'hintNodes' | 'addresses' | 'fields')[]} */
const LISTS = ['hintZones', 'hintNodes', 'addresses', 'fields'];
/** What is seldom the same of two endpoints, so that it is not worth looking for. @type {Set<string>} */
const OWN = new Set(['id', 'target', 'addresses']);
/** Where the list that is most common stands. */
const EMPTY = 0;
const WIDTH = TEXTS.length + LISTS.length;

/** @param {ServiceModel} model @returns {PackedModel} */
export function packModel(model) {
  const rows = [...model.groups.flatMap((group) => group.rows), ...model.foreign];
  const total = rows.reduce((sum, { before, after }) => sum + (before?.count ?? 0) + (after?.count ?? 0), 0);
  const packer = new Packer(total);
  return {
    ...model,
    groups: model.groups.map((group) => ({ ...group, rows: group.rows.map((row) => packer.row(row)) })),
    foreign: model.foreign.map((row) => packer.row(row)),
    strings: packer.strings,
    numbers: packer.numbers,
  };
}

class Packer {
  /** @type {string[]} */
  strings = ['[]'];
  /** @type {Map<string, number>} */
  #places = new Map();
  #next = 0;
  /** @type {{text: string, place: number}[]} */
  #last = [];

  /** @param {number} cells */
  constructor(cells) {
    this.numbers = new Uint32Array(cells * WIDTH);
  }

  /** @param {SliceRow} row @returns {PackedRow} */
  row(row) {
    return { ...row, before: row.before && this.#view(row.before), after: row.after && this.#view(row.after) };
  }

  /** @param {SliceView} view @returns {PackedView} */
  #view({ cells, ...rest }) {
    const from = this.#next;
    for (const cell of cells) this.#cell(cell);
    return { ...rest, from };
  }

  /** @param {Cell} cell */
  #cell(cell) {
    for (const [index, field] of TEXTS.entries()) this.numbers[this.#next + index] = this.#again(index, cell[field], OWN.has(field));
    for (const [index, field] of LISTS.entries()) this.numbers[this.#next + TEXTS.length + index] = this.#list(cell[field], OWN.has(field));
    this.#next += WIDTH;
  }

  /** Neighbours have much in common. @param {number} index of the field @param {string} text @param {boolean} own */
  #again(index, text, own) {
    const last = this.#last[index];
    if (last?.text === text) return last.place;
    const place = own ? this.strings.push(text) - 1 : this.#place(text);
    this.#last[index] = { text, place };
    return place;
  }

  /** @param {unknown[]} list @param {boolean} own */
  #list(list, own) {
    if (list.length === 0) return EMPTY;
    return own ? this.strings.push(JSON.stringify(list)) - 1 : this.#place(JSON.stringify(list));
  }

  /** @param {string} text */
  #place(text) {
    const found = this.#places.get(text);
    if (found !== undefined) return found;
    const place = this.strings.push(text) - 1;
    this.#places.set(text, place);
    return place;
  }
}

/** @param {PackedModel} packed @returns {ServiceModel} */
export function unpackModel({ strings, numbers, ...model }) {
  /** @param {PackedView | null} view */
  const unpackView = (view) => view && new LazyView(view, strings, numbers);
  /** @param {PackedRow} row @returns {SliceRow} */
  const unpackRow = (row) => ({ ...row, before: unpackView(row.before), after: unpackView(row.after) });
  return {
    ...model,
    groups: model.groups.map((group) => ({ ...group, rows: group.rows.map(unpackRow) })),
    foreign: model.foreign.map(unpackRow),
  };
}

/** A side of a slice whose endpoints are made when they are first looked at. @implements {SliceView} */
class LazyView {
  #packed;
  #strings;
  #numbers;
  /** @type {Cell[] | null} */
  #cells = null;

  /** @param {PackedView} packed @param {string[]} strings @param {Uint32Array} numbers */
  constructor(packed, strings, numbers) {
    this.name = packed.name;
    this.count = packed.count;
    this.removed = packed.removed;
    this.zones = packed.zones;
    this.#packed = packed;
    this.#strings = strings;
    this.#numbers = numbers;
  }

  get cells() {
    this.#cells ??= Array.from({ length: this.count }, (_, index) => this.#cell(this.#packed.from + index * WIDTH));
    return this.#cells;
  }

  /** @param {number} from @returns {Cell} */
  #cell(from) {
    /** @param {number} index */
    const text = (index) => this.#strings[this.#numbers[from + index] ?? 0] ?? '';
    const cell = /** @type {any} */ ({});
    for (const [index, field] of TEXTS.entries()) cell[field] = text(index);
    for (const [index, field] of LISTS.entries()) cell[field] = JSON.parse(text(TEXTS.length + index));
    return cell;
  }
}
