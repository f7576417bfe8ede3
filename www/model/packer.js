/**
 * Takes in the slices of a model, and compares the endpoints of before with those of after. What comes out is small:
 * bytes, numbers, and a summary of each side (`packed.js` makes endpoints of it again).
 * @import {CellChange, CellState, SliceRow} from '../types.js'
 * @import {Endpoint} from './cells.js'
 * @import {Packed, PackedView} from './packed.js'
 * @import {Placed, Slice} from './service.js'
 */
import { factsOf, fieldChanges, identityOf, stateOf } from './cells.js';
import { CHANGES } from './packed.js';

/** @param {CellChange} change */
const code = (change) => CHANGES.indexOf(change);
const [ADDED, REMOVED, MOVED, CHANGED] = [code('added'), code('removed'), code('moved'), code('changed')];

export class Packer {
  /** @type {Uint8Array[]} */
  #parts = [];
  #length = 0;
  /** @type {Endpoint[]} */
  #endpoints = [];
  /** @type {Set<CellState>} */
  #states = new Set();
  #hintZone = '';
  #nodeHint = false;
  #changes = new Uint8Array();
  #partners = new Uint32Array();

  /** A side of a slice. @param {Slice} slice @param {string} name @returns {PackedView} */
  view(slice, name) {
    const bytes = slice.bytes ?? new TextEncoder().encode(JSON.stringify(slice));
    const endpoints = slice.endpoints ?? [];
    const place = { first: this.#endpoints.length, from: this.#length, to: this.#length + bytes.length };
    const view = { name, count: endpoints.length, removed: 0, zones: this.#zonesOf(endpoints), ...place };
    for (const endpoint of endpoints) this.#endpoints.push(endpoint);
    this.#parts.push(bytes);
    this.#length += bytes.length;
    return view;
  }

  /** @param {Endpoint[]} endpoints @returns {PackedView['zones']} */
  #zonesOf(endpoints) {
    /** @type {Map<string, number>} */
    const zones = new Map();
    for (const endpoint of endpoints) {
      const zone = endpoint.zone ?? '';
      zones.set(zone, (zones.get(zone) ?? 0) + 1);
      this.#states.add(stateOf(endpoint));
      this.#hintZone ||= endpoint.hints?.forZones?.[0]?.name ?? '';
      this.#nodeHint ||= (endpoint.hints?.forNodes ?? []).length > 0;
    }
    return [...zones].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /** Compares both sides of the rows that change, endpoint by endpoint, within an address type. @param {Placed[]} rows */
  compare(rows) {
    this.#changes = new Uint8Array(this.#endpoints.length);
    this.#partners = new Uint32Array(this.#endpoints.length);
    const changing = rows.filter(({ row: { change } }) => change !== 'unchanged');
    /** Numbers of the endpoints of before, and their rows. @type {Map<string, {number: number, row: Placed['row']}>} */
    const before = new Map();
    const isOneSided = !changing.some(({ row }) => row.before) || !changing.some(({ row }) => row.after);
    if (isOneSided) return this.#fill(changing);
    for (const { row, addressType } of changing) {
      this.#each(row.before, (number) => before.set(addressType + this.#identity(number), { number, row }));
    }
    for (const { row, addressType } of changing) {
      this.#each(row.after, (number) => {
        const key = addressType + this.#identity(number);
        this.#pair(before.get(key), { number, row });
        before.delete(key);
      });
    }
    for (const { number, row } of before.values()) {
      this.#changes[number] = REMOVED;
      if (row.before) row.before.removed += 1;
    }
    return undefined;
  }

  /** @param {Placed[]} rows of which one side is missing */
  #fill(rows) {
    for (const { row: { before, after } } of rows) {
      if (after) this.#changes.fill(ADDED, after.first, after.first + after.count);
      if (!before) continue;
      this.#changes.fill(REMOVED, before.first, before.first + before.count);
      before.removed = before.count;
    }
  }

  /** @param {PackedView | null} view @param {(number: number) => void} take */
  #each(view, take) {
    if (view) for (let number = view.first; number < view.first + view.count; number += 1) take(number);
  }

  /** @param {number} number */
  #identity(number) {
    return identityOf(this.#endpoints[number] ?? {});
  }

  /** @param {{number: number, row: Placed['row']} | undefined} old @param {{number: number, row: Placed['row']}} now */
  #pair(old, now) {
    if (!old) {
      this.#changes[now.number] = ADDED;
      return;
    }
    const isMoved = old.row !== now.row;
    if (!isMoved && !differ(this.#endpoints[old.number] ?? {}, this.#endpoints[now.number] ?? {})) return;
    for (const [one, other] of [[old.number, now.number], [now.number, old.number]]) {
      this.#changes[one] = isMoved ? MOVED : CHANGED;
      this.#partners[one] = other + 1;
    }
  }

  get signs() {
    const found = new Set(this.#changes);
    const changes = CHANGES.filter((_, index) => found.has(index));
    return { states: [...this.#states], changes, hintZone: this.#hintZone, nodeHint: this.#nodeHint };
  }

  /** Endpoints that are on one side only, or in another slice. */
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
    const bytes = new Uint8Array(this.#length);
    let at = 0;
    for (const part of this.#parts) {
      bytes.set(part, at);
      at += part.length;
    }
    return { bytes, changes: this.#changes, partners: this.#partners };
  }
}

/** Whether something that is drawn or told of an endpoint is not the same. @param {Endpoint} before @param {Endpoint} after */
function differ(before, after) {
  return fieldChanges(factsOf(before), factsOf(after)).length > 0;
}
