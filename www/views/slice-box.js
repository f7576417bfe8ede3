/**
 * One slice on one side of the plan: its name, what happens to it, how full it is, and its picture.
 * @import {Cell, SliceRow, SliceView} from '../types.js'
 * @import {Frame} from './slices.js'
 */
import { h } from 'preact';
import { CHANGE_WORDS } from '../model/cells.js';
import { Picture } from './picture.js';

/** @type {Record<SliceRow['change'], {sign: string, word: string}>} */
const CHANGES = {
  created: { sign: '+', word: 'Created' },
  updated: { sign: '≠', word: 'Updated' },
  deleted: { sign: '−', word: 'Deleted' },
  unchanged: { sign: '=', word: 'Unchanged' },
  foreign: { sign: '·', word: 'Left alone' },
};

/** @param {{row: SliceRow, view: SliceView, side: 'before' | 'after', frame: Frame, whole?: boolean}} props */
export function Box({ row, view, side, frame, whole = false }) {
  const { model, density, columns, wideColumns, eager, inspecting, onInspect } = frame;
  const tagged = side === 'after' || row.change === 'deleted';
  const when = whole ? '' : side === 'before' ? ', before' : ', after the plan';
  const uniform = uniformChange(row, view);
  const picture = {
    id: `${side}-${row.id}`,
    label: `Slice ${row.title}${when}`,
    columns: whole ? wideColumns : columns,
    eager: eager.has(row),
    signed: uniform === null,
    zones: model.zones,
    max: model.max,
  };
  return h(
    'article',
    { class: `slice ${tagged ? row.change : 'old'}`, 'aria-label': `Slice ${row.title}${when}` },
    h(
      'header',
      null,
      h('code', { class: 'slice-name', title: row.title }, row.title),
      tagged ? h(Tag, { change: row.change }) : h('span', { class: 'when quiet' }, 'before'),
    ),
    h(Fill, { count: view.cells.length, max: model.max, all: uniform }),
    h(Picture, { ...picture, view, side, density, inspecting, onInspect: (cell) => onInspect({ kind: 'cell', id: cell.id, slice: row.id, side }) }),
    row.note && side === 'after' && h('p', { class: 'note' }, row.note),
  );
}

/**
 * What all endpoints of a slice that comes or goes are, if it is the same: then they need no sign each.
 * @param {SliceRow} row
 * @param {SliceView} view
 */
function uniformChange(row, view) {
  const changes = new Set(view.cells.map((cell) => cell.change));
  const passing = row.change === 'created' || row.change === 'deleted';
  return passing && changes.size === 1 ? (view.cells[0]?.change ?? null) : null;
}

/** @param {{change: SliceRow['change']}} props */
function Tag({ change }) {
  const { sign, word } = CHANGES[change];
  return h('span', { class: `tag ${change}` }, h('span', { 'aria-hidden': 'true' }, sign), ` ${word}`);
}

/** @param {{count: number, max: number, all: Cell['change'] | null}} props */
function Fill({ count, max, all }) {
  const share = Math.min(1, count / max);
  return h(
    'div',
    { class: 'fill' },
    h('div', { class: 'fill-bar', 'aria-hidden': 'true' }, h('div', { style: { width: `${share * 100}%` }, class: count > max ? 'over' : undefined })),
    h('span', null, `${count} of ${max}`, count > max && ', over the maximum', all && `, all ${CHANGE_WORDS[all]}`),
  );
}
