/**
 * Turns one plan and the slices it starts from into what the page draws. "After" is: the slices of before,
 * minus deletes, updated ones replaced by name, creates added. Slices the plan does not name are left alone
 * by it and are shown apart.
 * @import {Cell, Counts, Hint, PlanError, PlanEvent, ServiceEntry, ServiceModel} from '../types.js'
 * @import {SliceGroup, SliceRow, SliceView, Stats, Zone} from '../types.js'
 * @import {Endpoint} from './cells.js'
 */
import { cellOf, fieldChanges } from './cells.js';
import { keyOf } from './objects.js';

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

const PLACEHOLDER = 'The placeholder: a Service with nothing to publish keeps one empty slice.';
const MANAGED_BY_LABEL = 'endpointslice.kubernetes.io/managed-by';

/** @param {Plan} plan @returns {ServiceEntry} */
export function entryOf(plan) {
  return {
    key: keyOf(plan.service),
    namespace: plan.service.namespace,
    name: plan.service.name,
    counts: countsOf(plan),
    stats: plan.stats,
    hints: hintState(plan.hints),
    troubles: plan.errors.length + plan.events.filter((event) => event.type === 'Warning').length,
  };
}

/** @param {Plan} plan @returns {Counts} */
function countsOf(plan) {
  return {
    created: plan.create.length,
    updated: plan.update.length,
    deleted: plan.delete.length,
    unchanged: plan.unchanged.length,
  };
}

/** @param {Hint[]} hints @returns {ServiceEntry['hints']} */
function hintState(hints) {
  const wanted = hints.filter((hint) => hint.mode !== 'None');
  if (wanted.length === 0) return 'none';
  return wanted.every((hint) => hint.applied) ? 'on' : 'off';
}

/**
 * @param {Plan} plan
 * @param {Slice[]} slices the slices that carry this Service's name, as they are now
 * @param {Zone[]} zones all zones of the input
 * @param {number} max the largest number of endpoints in a slice
 * @param {string} sentence what the plan does, in the words of the core
 * @returns {ServiceModel}
 */
export function serviceModel(plan, slices, zones, max, sentence) {
  const { rows, foreign } = rowsOf(plan, slices);
  const pairs = rows.map((placed) => placed.row);
  markEndpoints(rows);
  const all = [...pairs, ...foreign];
  const views = all.flatMap(({ before, after }) => [before, after].filter((view) => view !== null));
  for (const view of views) Object.assign(view, summaryOf(view.cells));
  const entry = entryOf(plan);
  return {
    ...entry,
    max,
    zones,
    zoneCounts: countZones(all),
    signs: signsOf(views),
    groups: groupRows(rows),
    foreign,
    before: sideTotals(pairs, 'before'),
    after: sideTotals(pairs, 'after'),
    moves: countMoves(pairs),
    hintDetails: plan.hints,
    events: plan.events,
    errors: plan.errors,
    requeue: plan.requeue,
    sentence,
  };
}

/**
 * A row with what it is grouped by.
 * @typedef {{row: SliceRow, addressType: string, ports: string}} Placed
 */

/**
 * @param {Plan} plan
 * @param {Slice[]} slices
 */
function rowsOf(plan, slices) {
  const updates = new Map(plan.update.map((slice) => [slice.metadata.name ?? '', slice]));
  const deletes = new Set(plan.delete.map((slice) => slice.name));
  const unchanged = new Set(plan.unchanged);
  /** @type {Placed[]} */
  const rows = [];
  /** @type {SliceRow[]} */
  const foreign = [];
  for (const slice of [...slices].sort(byName)) {
    const name = slice.metadata.name ?? '';
    const update = updates.get(name);
    if (update) rows.push(place(update, row('updated', name, slice, update, updateNote(slice, update))));
    else if (deletes.has(name)) rows.push(place(slice, row('deleted', name, slice, null)));
    else if (unchanged.has(name)) rows.push(place(slice, row('unchanged', name, slice, slice)));
    else foreign.push(row('foreign', name, slice, slice, foreignNote(slice)));
  }
  plan.create.forEach((slice, index) => {
    const title = slice.metadata.name ?? `${slice.metadata.generateName ?? ''}…`;
    rows.push(place(slice, { ...row('created', title, null, slice), id: `new-${index}` }));
  });
  return { rows, foreign };
}

/** @param {Slice} a @param {Slice} b */
function byName(a, b) {
  const [x, y] = [a.metadata.name ?? '', b.metadata.name ?? ''];
  return x < y ? -1 : Number(x > y);
}

/**
 * @param {SliceRow['change']} change
 * @param {string} title
 * @param {Slice | null} before
 * @param {Slice | null} after
 * @param {string} [note]
 * @returns {SliceRow}
 */
function row(change, title, before, after, note = '') {
  return { id: title, title, change, before: before && viewOf(before, title), after: after && viewOf(after, title), note };
}

/** @param {Slice} slice @param {string} name @returns {SliceView} */
function viewOf(slice, name) {
  const cells = (slice.endpoints ?? []).map(cellOf);
  // The figures come when endpoints have been compared.
  return { name, cells, count: 0, removed: 0, zones: [] };
}

/** @param {Slice} slice @param {SliceRow} placed @returns {Placed} */
function place(slice, placed) {
  return { row: placed, addressType: slice.addressType, ports: portsOf(slice) };
}

/** @param {Slice} slice */
function portsOf(slice) {
  const ports = (slice.ports ?? []).map((port) => {
    const number = `${port.port ?? 'any'}/${port.protocol ?? 'TCP'}`;
    return port.name ? `${port.name} ${number}` : number;
  });
  return ports.sort().join(', ') || 'no ports';
}

/** @param {Slice} before @param {Slice} after */
function updateNote(before, after) {
  const [from, to] = [portsOf(before), portsOf(after)];
  if ((after.endpoints ?? []).length === 0) return PLACEHOLDER;
  return from === to ? '' : `recycled: its ports were ${from}`;
}

/** @param {Slice} slice */
function foreignNote(slice) {
  if (slice.metadata.deletionTimestamp) return 'is being deleted already';
  const manager = slice.metadata.labels?.[MANAGED_BY_LABEL];
  return manager ? `managed by ${manager}` : 'has no managed-by label';
}

/**
 * Compares both sides, endpoint by endpoint, within an address type.
 * @param {Placed[]} rows
 */
function markEndpoints(rows) {
  /** @type {Map<string, {slice: string, cell: Cell}>} */
  const before = new Map();
  for (const { row: { before: side }, addressType } of rows) {
    for (const cell of side?.cells ?? []) before.set(addressType + cell.id, { slice: side?.name ?? '', cell });
  }
  const seen = new Set();
  for (const { row: { after: side }, addressType } of rows) {
    for (const cell of side?.cells ?? []) {
      const key = addressType + cell.id;
      seen.add(key);
      markPair(before.get(key), { slice: side?.name ?? '', cell });
    }
  }
  for (const [key, { cell }] of before) if (!seen.has(key)) cell.change = 'removed';
}

/**
 * @param {{slice: string, cell: Cell} | undefined} old
 * @param {{slice: string, cell: Cell}} now
 */
function markPair(old, now) {
  if (!old) {
    now.cell.change = 'added';
    return;
  }
  const fields = fieldChanges(old.cell, now.cell);
  const moved = old.slice !== now.slice;
  if (!moved && fields.length === 0) return;
  const change = moved ? 'moved' : 'changed';
  Object.assign(old.cell, { change, fields, other: moved ? now.slice : '' });
  Object.assign(now.cell, { change, fields, other: moved ? old.slice : '' });
}

/** @param {Placed[]} rows @returns {SliceGroup[]} */
function groupRows(rows) {
  /** @type {Map<string, SliceGroup>} */
  const groups = new Map();
  for (const { row: placed, addressType, ports } of rows) {
    const id = `${addressType} · ${ports}`;
    const group = groups.get(id) ?? { id, addressType, ports, rows: [] };
    group.rows.push(placed);
    groups.set(id, group);
  }
  return [...groups.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** @param {SliceRow[]} rows @param {'before' | 'after'} side */
function sideTotals(rows, side) {
  const views = rows.flatMap((candidate) => candidate[side] ?? []);
  return { slices: views.length, endpoints: views.reduce((sum, view) => sum + view.cells.length, 0) };
}

/** @param {SliceRow[]} rows */
function countMoves(rows) {
  /** @param {'before' | 'after'} side @param {Cell['change']} change */
  const count = (side, change) => rows.flatMap((each) => each[side]?.cells ?? []).filter((cell) => cell.change === change).length;
  return { added: count('after', 'added'), removed: count('before', 'removed'), moved: count('after', 'moved') };
}

/**
 * What can be said of a side of a slice without looking at its endpoints.
 * @param {Cell[]} cells
 */
export function summaryOf(cells) {
  /** @type {Map<string, number>} */
  const zones = new Map();
  for (const { zone } of cells) zones.set(zone, (zones.get(zone) ?? 0) + 1);
  const removed = cells.filter(({ change }) => change === 'removed').length;
  return { count: cells.length, removed, zones: [...zones].sort(([a], [b]) => (a < b ? -1 : 1)) };
}

/** Which signs occur, for the legend. @param {SliceView[]} views @returns {ServiceModel['signs']} */
function signsOf(views) {
  const states = new Set();
  const changes = new Set();
  let hintZone = '';
  let nodeHint = false;
  for (const { cells } of views) {
    for (const cell of cells) {
      states.add(cell.state);
      changes.add(cell.change);
      hintZone ||= cell.hintZones[0] ?? '';
      nodeHint ||= cell.hintNodes.length > 0;
    }
  }
  return { states: [...states], changes: [...changes], hintZone, nodeHint };
}

/** @param {SliceRow[]} rows */
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
