/**
 * What the picture of a question stresses, by what the slices have: addresses that are in several slices, the old and the new pods
 * of a rollout, or the families side by side. That nothing is selected is a question for the core; see `selectionOf` in `attempts.js`.
 * @import {Cell, ServiceModel, SliceGroup} from '../types.js'
 */
import { counted, listed } from './text.js';

/** More are counted. */
const ROWS = 6;
const CHIPS = 24;

/**
 * @typedef {object} Chip an endpoint, or the place of one that is missing
 * @property {string} id
 * @property {Cell | null} cell
 * @property {string} [label] in place of its zone's letter
 * @property {string} [name] for what is missing
 *
 * @typedef {object} Stress
 * @property {'duplicates' | 'rollout' | 'families'} kind
 * @property {string} headline
 * @property {{label: string, note: string, chips: Chip[], left: number}[]} rows
 * @property {number} left the number of rows that are not shown
 */

/** @param {ServiceModel} model @returns {Stress | null} */
export function stressOf(model) {
  return duplicates(model) ?? rollout(model) ?? families(model);
}

/** Addresses that are in several slices now. @param {ServiceModel} model @returns {Stress | null} */
function duplicates({ groups }) {
  const found = groups.flatMap((group) => [...holdersOf(group)].filter(([, holders]) => holders.length > 1));
  if (found.length === 0) return null;
  const rows = found.slice(0, ROWS).map(([, holders]) => ({
    label: holders[0]?.cell.addresses.join(', ') ?? '',
    note: pod(holders[0]?.cell),
    chips: holders.map(({ cell, slice }) => ({ id: `${slice} ${cell.id}`, cell, label: slice })),
    left: 0,
  }));
  const most = Math.max(...found.map(([, holders]) => holders.length));
  const headline = `${counted(found.length, 'address', 'addresses')} ${found.length === 1 ? 'is' : 'are'} in ${most} slices at once.`;
  return { kind: 'duplicates', headline, rows, left: found.length - rows.length };
}

/** The slices that have each endpoint now. @param {SliceGroup} group */
function holdersOf({ rows }) {
  /** @type {Map<string, {cell: Cell, slice: string}[]>} */
  const holders = new Map();
  for (const { before } of rows) {
    for (const cell of before?.cells ?? []) {
      const known = holders.get(cell.id);
      const holder = { cell, slice: before?.name ?? '' };
      if (known) known.push(holder);
      else holders.set(cell.id, [holder]);
    }
  }
  return holders;
}

/** Pods that come beside pods of another set that go. @param {ServiceModel} model @returns {Stress | null} */
function rollout(model) {
  const [first] = familiesOf(model);
  if (!first) return null;
  /** @type {Map<string, Cell[]>} */
  const sets = new Map();
  for (const cell of first.cells.filter(({ target }) => target.startsWith('Pod '))) {
    const name = pod(cell).replace(/-[^-]*$/, '');
    const known = sets.get(name);
    if (known) known.push(cell);
    else sets.set(name, [cell]);
  }
  const goes = (/** @type {Cell} */ { change, state }) => change === 'removed' || state === 'draining' || state === 'stopped';
  const old = [...sets].filter(([, cells]) => cells.some(goes) && !cells.some(({ change }) => change === 'added'));
  const fresh = [...sets].filter(([, cells]) => cells.some(({ change }) => change === 'added') && !cells.some(goes));
  const [[from, leaving] = ['', []], [to, coming] = ['', []]] = [old[0], fresh[0]];
  if (old.length !== 1 || fresh.length !== 1) return null;
  const ready = (/** @type {Cell[]} */ cells) => cells.filter((cell) => cell.ready && cell.change !== 'removed').length;
  const rows = [{ name: from, word: 'old', cells: leaving }, { name: to, word: 'new', cells: coming }].map(({ name, word, cells }) => ({
    label: name,
    note: `${word}: ${ready(cells)} of ${cells.length} ready`,
    chips: cells.slice(0, CHIPS).map((cell) => ({ id: cell.id, cell })),
    left: Math.max(0, cells.length - CHIPS),
  }));
  const stay = leaving.filter((cell) => !goes(cell)).length;
  const news = `${ready(coming)} of ${coming.length} new ones are ready`;
  const headline = `In the middle of a rollout: ${stay} of ${leaving.length} old pods stay so far, ${news}.`;
  return { kind: 'rollout', headline, rows, left: 0 };
}

/** Families in which pods have different addresses, pod under pod. @param {ServiceModel} model @returns {Stress | null} */
function families(model) {
  const all = familiesOf(model);
  if (all.length < 2) return null;
  const names = [...new Set(all.flatMap(({ cells }) => cells.map((cell) => cell.target || cell.id)))];
  const rows = all.map(({ addressType, cells, before, after }) => {
    const by = new Map(cells.map((cell) => [cell.target || cell.id, cell]));
    return {
      label: addressType,
      note: before === after ? counted(after, 'endpoint') : `${before} → ${counted(after, 'endpoint')}`,
      chips: names.slice(0, CHIPS).map((name) => ({ id: name, cell: by.get(name) ?? null, name: name.replace(/^Pod /, '') })),
      left: Math.max(0, names.length - CHIPS),
    };
  });
  const headline = `Each family has slices of its own: ${listed(rows.map(({ label, note }) => `${label} ${note}`))}.`;
  return { kind: 'families', headline, rows, left: 0 };
}

/** The endpoints of each family, those that go included. @param {ServiceModel} model */
function familiesOf({ groups }) {
  const types = [...new Set(groups.map(({ addressType }) => addressType))];
  return types.map((addressType) => {
    const rows = groups.filter((group) => group.addressType === addressType).flatMap((group) => group.rows);
    const cells = new Map(rows.flatMap(({ before, after }) => [...(before?.cells ?? []), ...(after?.cells ?? [])]).map((cell) => [cell.id, cell]));
    /** @param {'before' | 'after'} side */
    const count = (side) => new Set(rows.flatMap((row) => row[side]?.cells ?? []).map(({ id }) => id)).size;
    return { addressType, cells: [...cells.values()], before: count('before'), after: count('after') };
  });
}

/** The name of its pod. @param {Cell | undefined} cell */
function pod(cell) {
  return cell?.target.replace(/^Pod /, '') ?? '';
}
