/**
 * A compact slice: its name, its change, how full it is, its endpoints before and after the plan. A side
 * that does not exist is a thin margin.
 * @import {Cell, SliceRow, SliceView} from '../types.js'
 * @import {Frame} from './strip.js'
 */
import { h } from 'preact';
import { CHANGE_WORDS } from '../model/cells.js';
import { number } from '../model/text.js';
import { LongName } from './long-name.js';
import { Picture } from './picture.js';
import { Prose } from './prose.js';

/** @type {Record<SliceRow['change'], {sign: string, word: string}>} */
export const CHANGES = {
  created: { sign: '+', word: 'Created' },
  updated: { sign: '≠', word: 'Updated' },
  deleted: { sign: '−', word: 'Deleted' },
  unchanged: { sign: '=', word: 'Unchanged' },
  foreign: { sign: '·', word: 'Left alone' },
  place: { sign: '', word: '' },
};

/** Beyond this number, endpoints are only in the table. */
const CELLS = 1000;

/** @param {{row: SliceRow, frame: Frame}} props */
export function SliceCard({ row, frame }) {
  const { change, after, title } = row;
  const pair = change === 'created' || change === 'updated' || change === 'deleted';
  // The picture shows endpoints that change, but neither labels nor ports.
  const shows = change === 'created' || change === 'deleted' || (change === 'updated' && [row.before, after].some(hasChange));
  const note = shows ? undefined : frame.notes?.[title];
  return h(
    'article',
    { class: `slice ${change}`, 'aria-label': change === 'place' ? title : `Slice ${title}` },
    h(
      'header',
      null,
      h('code', { class: 'slice-name', title }, h(LongName, { name: title })),
      change !== 'place' &&
        h('span', { class: `tag ${change}` }, h('span', { 'aria-hidden': 'true' }, CHANGES[change].sign), ` ${CHANGES[change].word}`),
      h(Fill, { row, max: frame.maxOf(row) }),
    ),
    h('div', { class: 'sides' }, pair ? h(Pair, { row, frame }) : after && h(Side, { row, view: after, side: 'after', frame })),
    note && h('p', { class: 'note' }, h(Prose, { text: note })),
  );
}

/** @param {SliceView | null} view */
function hasChange(view) {
  return view?.cells.some(({ change }) => change !== 'kept') ?? false;
}

/** @param {{row: SliceRow, frame: Frame}} props */
function Pair({ row, frame }) {
  const { before, after } = row;
  return [
    before ? h(Side, { row, view: before, side: 'before', frame }) : h('span', { class: 'absent', title: 'not there before' }),
    before && after && h('span', { class: 'arrow', 'aria-hidden': 'true' }, '→'),
    after ? h(Side, { row, view: after, side: 'after', frame }) : h('span', { class: 'absent', title: 'gone after the plan' }),
  ];
}

/** @param {{row: SliceRow, view: SliceView, side: 'before' | 'after', frame: Frame}} props */
function Side({ row, view, side, frame }) {
  const { model, density, columns, eager, inspecting, onInspect } = frame;
  const pair = row.change !== 'unchanged' && row.change !== 'foreign' && row.change !== 'place';
  const when = !pair ? '' : side === 'before' ? ', before' : ', after the plan';
  const shown = view.count > CELLS ? { ...view, cells: view.cells.slice(0, CELLS) } : view;
  return h(
    'div',
    { class: `side ${side}` },
    h(Picture, {
      id: `${side}-${row.id}`,
      label: `${row.change === 'place' ? row.title : `Slice ${row.title}`}${when}`,
      view: shown,
      side,
      zones: model.zones,
      max: row.change === 'place' ? 0 : model.max,
      columns: pair && row.before && row.after ? columns.half : columns.whole,
      density,
      eager: eager.has(row),
      signed: uniformChange(row) === null,
      inspecting,
      onInspect: (cell) => onInspect({ kind: 'cell', id: cell.id, slice: row.change === 'place' ? undefined : row.id, side }),
    }),
    view.count > CELLS && h('p', { class: 'note' }, `and ${number(view.count - CELLS)} more, in the table`),
  );
}

/**
 * The common change of all endpoints in a created or deleted slice, which then need no signs.
 * @param {SliceRow} row
 * @returns {Cell['change'] | null}
 */
export function uniformChange(row) {
  const view = row.change === 'created' ? row.after : row.change === 'deleted' ? row.before : null;
  const changes = new Set(view?.cells.map((cell) => cell.change));
  return changes.size === 1 ? (view?.cells[0]?.change ?? null) : null;
}

/** @param {{row: SliceRow, max: number}} props */
function Fill({ row, max }) {
  const { before, after } = row;
  const count = (after ?? before)?.count ?? 0;
  const old = before && after && before.count !== after.count ? `${before.count} → ` : '';
  const all = uniformChange(row);
  return h(
    'span',
    { class: 'fill' },
    h(
      'span',
      { class: 'fill-bar', 'aria-hidden': 'true' },
      h('span', { style: { width: `${Math.min(1, count / max) * 100}%` }, class: count > max ? 'over' : undefined }),
    ),
    h(
      'span',
      null,
      row.change === 'place' ? `${old}${count}` : `${old}${count} of ${max}`,
      count > max && ', over the maximum',
      all && `, all ${CHANGE_WORDS[all]}`,
    ),
  );
}
