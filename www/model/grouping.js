/**
 * The endpoints of a Service by zone or by node instead of by slice: those that are there after the plan, and those that
 * it removes.
 * @import {Cell, GroupBy, ServiceModel, SliceGroup, SliceRow} from '../types.js'
 */

/** @param {ServiceModel} model @param {GroupBy} by @returns {SliceGroup[]} */
export function groupsBy(model, by) {
  return by === 'slice' ? model.groups : model.groups.map((group) => ({ ...group, rows: rowsBy(group, by) }));
}

/** @param {SliceGroup} group @param {'zone' | 'node'} by @returns {SliceRow[]} */
function rowsBy(group, by) {
  /** @type {Map<string, Cell[]>} */
  const places = new Map();
  for (const cell of group.rows.flatMap(cellsOf)) {
    const cells = places.get(cell[by]);
    if (cells) cells.push(cell);
    else places.set(cell[by], [cell]);
  }
  return [...places].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, cells]) => rowOf(`${by}-${group.id}-${name}`, name || `no ${by}`, cells));
}

/** @param {string} id @param {string} title @param {Cell[]} cells @returns {SliceRow} */
function rowOf(id, title, cells) {
  return { id, title, change: 'place', before: null, after: { name: title, cells, ...summaryOf(cells) } };
}

/** All endpoints of a slice: those after the plan, then the removed ones. @param {SliceRow} row @returns {Cell[]} */
export function cellsOf({ change, before, after }) {
  if (change === 'deleted') return before?.cells ?? [];
  const removed = before && before.removed > 0 ? before.cells.filter((cell) => cell.change === 'removed') : [];
  return [...(after?.cells ?? []), ...removed];
}

/** The number of cells that {@link cellsOf} returns, without making them. @param {SliceRow} row */
export function countOf({ change, before, after }) {
  return change === 'deleted' ? (before?.count ?? 0) : (after?.count ?? 0) + (before?.removed ?? 0);
}

/** @param {Cell[]} cells */
function summaryOf(cells) {
  /** @type {Map<string, number>} */
  const zones = new Map();
  for (const { zone } of cells) zones.set(zone, (zones.get(zone) ?? 0) + 1);
  const removed = cells.filter(({ change }) => change === 'removed').length;
  return { count: cells.length, removed, zones: [...zones].sort(([a], [b]) => (a < b ? -1 : 1)) };
}
