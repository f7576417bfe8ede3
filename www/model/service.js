/**
 * Turns one plan and the slices it starts from into what the page draws. "After" is: the slices before,
 * minus deletes, with updates replaced by name, plus creates. Slices that the plan does not name are not
 * affected and are shown separately.
 * @import {Counts, Hint, HintsState, Legend, PlanError, PlanEvent, ServiceEntry, SliceRow, Stats} from '../types.js'
 * @import {Endpoint} from './cells.js'
 * @import {PackedModel, PackedRow, PackedView} from './packed.js'
 * @import {Partners} from './packer.js'
 */
import { keyOf } from './objects.js';
import { Packer } from './packer.js';

/**
 * @typedef {object} SliceMeta
 * @property {string} [name]
 * @property {string} [generateName]
 * @property {string} [namespace]
 * @property {string | null} [deletionTimestamp]
 * @property {Record<string, string> | null} [labels]
 *
 * @typedef {object} Slice
 * @property {SliceMeta} metadata
 * @property {string} addressType
 * @property {Endpoint[] | null} [endpoints]
 * @property {{name?: string | null, port?: number | null, protocol?: string | null}[] | null} [ports]
 *
 * @typedef {object} Plan
 * @property {{namespace: string, name: string}} service
 * @property {Slice[]} create
 * @property {Slice[]} update
 * @property {{name: string}[]} delete
 * @property {string[]} unchanged
 * @property {PlanEvent[]} events
 * @property {PlanError[]} errors
 * @property {boolean} requeue
 * @property {Hint[]} hints
 * @property {Stats} stats
 */

/** @param {Plan} plan @param {HintsState} hints the state of hints @returns {ServiceEntry} */
export function entryOf(plan, hints) {
  return {
    key: keyOf(plan.service),
    namespace: plan.service.namespace,
    name: plan.service.name,
    counts: countsOf(plan),
    stats: plan.stats,
    hints,
    troubles: plan.errors.length + plan.events.filter((event) => event.type === 'Warning').length,
  };
}

/** @param {Plan} plan @returns {Counts} */
export function countsOf(plan) {
  return {
    created: plan.create.length,
    updated: plan.update.length,
    deleted: plan.delete.length,
    unchanged: plan.unchanged.length,
  };
}

/** The families of a plan; if there are none, the core chooses. @param {Plan} plan @returns {(string | undefined)[]} */
export function familiesOf({ hints }) {
  return hints.length > 0 ? hints.map(({ addressType }) => addressType) : [undefined];
}

/**
 * @param {Plan} plan whose slices are ignored
 * @param {Pieces} pieces
 * @param {object} core its words and figures
 * @param {number} core.max the largest number of endpoints in a slice
 * @param {string} core.sentence what the plan does
 * @param {HintsState} core.hints
 * @param {Legend} core.legend
 * @param {Partners} core.partners
 */
export function serviceModel(plan, pieces, { max, sentence, hints, legend, partners }) {
  const packer = new Packer(legend);
  const { rows, foreign } = rowsOf(plan, pieces, packer);
  const pairs = rows.map((placed) => placed.row);
  packer.compare(rows, partners);
  const all = [...pairs, ...foreign];
  return {
    ...entryOf(plan, hints),
    max,
    zoneNames: packer.zoneNames,
    zoneCounts: countZones(all),
    signs: packer.signs,
    groups: groupRows(rows),
    foreign,
    before: sideTotals(pairs, 'before'),
    after: sideTotals(pairs, 'after'),
    moves: packer.moves,
    hintDetails: plan.hints,
    events: plan.events,
    errors: plan.errors,
    requeue: plan.requeue,
    sentence,
    legend,
    packed: packer.packed,
  };
}

/**
 * Slices as JSON: the current ones with the Service's name, and those to be written.
 * @typedef {{before: Uint8Array[], update: Uint8Array[], create: Uint8Array[]}} Pieces
 *
 * @typedef {{row: PackedRow, addressType: string, ports: string}} Placed a row with its grouping key
 */

/** @param {Plan} plan @param {Pieces} pieces @param {Packer} packer */
function rowsOf(plan, pieces, packer) {
  const unchanged = new Set(plan.unchanged);
  const deleted = new Set(plan.delete.map(({ name }) => name));
  // Endpoints of unchanged slices need not be compared; nor those of slices with one side only.
  const isCompared = pieces.update.length > 0 || (deleted.size > 0 && pieces.create.length > 0);
  // The slices before the plan come first, so that their endpoints have the lower numbers.
  const before = pieces.before.map((bytes) => packer.take(bytes, (name) => isCompared && !unchanged.has(name)));
  const updates = new Map(pieces.update.map((bytes) => packer.take(bytes, () => true)).map((each) => [each.view.name, each]));
  /** @type {Placed[]} */
  const rows = [];
  /** @type {PackedRow[]} */
  const foreign = [];
  for (const { slice, view } of before.sort((a, b) => (a.view.name < b.view.name ? -1 : 1))) {
    const { name } = view;
    const update = updates.get(name);
    if (update) rows.push(place(update.slice, row('updated', name, view, update.view)));
    else if (deleted.has(name)) rows.push(place(slice, row('deleted', name, view, null)));
    else if (unchanged.has(name)) rows.push(place(slice, row('unchanged', name, view, view)));
    else foreign.push(row('foreign', name, view, view));
  }
  for (const [index, bytes] of pieces.create.entries()) {
    const { slice, view } = packer.take(bytes, () => isCompared);
    view.name ||= `${slice.metadata.generateName ?? ''}…`;
    rows.push(place(slice, { ...row('created', view.name, null, view), id: `new-${index}` }));
  }
  return { rows, foreign };
}

/**
 * @param {SliceRow['change']} change
 * @param {string} title
 * @param {PackedView | null} before
 * @param {PackedView | null} after
 * @returns {PackedRow}
 */
function row(change, title, before, after) {
  return { id: title, title, change, before, after };
}

/** @param {Slice} slice @param {PackedRow} placed @returns {Placed} */
function place(slice, placed) {
  return { row: placed, addressType: slice.addressType, ports: portsOf(slice) };
}

/** @param {Slice} slice */
function portsOf(slice) {
  const ports = (slice.ports ?? []).map((port) => {
    const number = [port.port ?? 'any', ...(port.protocol ? [port.protocol] : [])].join('/');
    return port.name ? `${port.name} ${number}` : number;
  });
  return ports.sort().join(', ') || 'no ports';
}

/** @param {Placed[]} rows */
function groupRows(rows) {
  /** @type {Map<string, PackedModel['groups'][number]>} */
  const groups = new Map();
  for (const { row: placed, addressType, ports } of rows) {
    const id = `${addressType} · ${ports}`;
    const group = groups.get(id) ?? { id, addressType, ports, rows: [] };
    group.rows.push(placed);
    groups.set(id, group);
  }
  return [...groups.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** @param {PackedRow[]} rows @param {'before' | 'after'} side */
function sideTotals(rows, side) {
  const views = rows.flatMap((candidate) => candidate[side] ?? []);
  return { slices: views.length, endpoints: views.reduce((sum, view) => sum + view.count, 0) };
}

/** @param {PackedRow[]} rows */
function countZones(rows) {
  /** @type {Map<string, {zone: string, before: number, after: number}>} */
  const zones = new Map();
  for (const candidate of rows) {
    for (const side of /** @type {const} */ (['before', 'after'])) {
      for (const [zone, number] of candidate[side]?.zones ?? []) {
        const count = zones.get(zone) ?? { zone, before: 0, after: 0 };
        count[side] += number;
        zones.set(zone, count);
      }
    }
  }
  return [...zones.values()].sort((a, b) => (a.zone < b.zone ? -1 : 1));
}
