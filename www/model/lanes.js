/**
 * Puts the ready endpoints of a Service into the lanes of the hero: the core says how many a lane has; no rule says
 * which ones, so endpoints stay in their own zone as far as there is room.
 * @import {Cell, Glance, ServiceModel} from '../types.js'
 */

/**
 * @typedef {object} Lane
 * @property {string} zone
 * @property {number} given
 * @property {number | null} needs the minimum for which the zone gets hints; null if the rule has none
 * @property {boolean} met
 * @property {Cell[]} cells in the order of the slices; empty if there are too many to draw
 */

/** Up to this many endpoints are drawn one by one; more are drawn as a bar. */
export const DRAWN = 240;

/** @param {Glance} glance @param {ServiceModel} model @returns {Lane[]} */
export function lanesOf(glance, model) {
  /** @type {Lane[]} */
  const lanes = glance.zones.map(({ zone, given, minimum, isMet }) => ({ zone, given, needs: minimum ?? null, met: isMet, cells: [] }));
  if (glance.ready > DRAWN) return lanes;
  const cells = readyCells(glance.addressType, model);
  const homeless = cells.filter((cell) => !enter(lanes, cell, cell.hintZones) && !enter(lanes, cell, [cell.zone]));
  for (const cell of homeless) lanes.find(hasRoom)?.cells.push(cell);
  return lanes;
}

/** @param {string} addressType @param {ServiceModel} model */
function readyCells(addressType, model) {
  /** @type {Map<string, Cell>} */
  const cells = new Map();
  for (const group of model.groups.filter((each) => each.addressType === addressType)) {
    for (const cell of group.rows.flatMap((row) => row.after?.cells ?? [])) {
      if (cell.ready) cells.set(cell.id, cell);
    }
  }
  return [...cells.values()];
}

/** @param {Lane[]} lanes @param {Cell} cell @param {string[]} zones */
function enter(lanes, cell, zones) {
  const lane = lanes.find((each) => zones.includes(each.zone) && hasRoom(each));
  lane?.cells.push(cell);
  return lane !== undefined;
}

/** @param {Lane} lane */
function hasRoom({ given, cells }) {
  return cells.length < given;
}

/** Whether the plan removes the endpoint's hint. @param {Cell} cell */
export function losesHint(cell) {
  return cell.hintZones.length === 0 && cell.fields.some(({ field }) => field === 'zone hint');
}
