/**
 * The picture as a table: every endpoint on both sides of the plan, in words. Only the visible rows are created, so that
 * any number of rows stays fast.
 * @import {Cell, ServiceModel, SliceRow} from '../types.js'
 */
import { h } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { CHANGE_WORDS } from '../model/cells.js';
import { cellsOf, countOf } from '../model/grouping.js';
import { hintWords } from '../model/text.js';

/** @type {Record<SliceRow['change'], string>} */
const ROW_WORDS = { created: 'created', updated: 'updated', deleted: 'deleted', unchanged: 'unchanged', foreign: 'left alone', place: '' };
const COLUMNS = ['Slice', 'Slice is', 'Endpoint', 'Endpoint is', 'Address', 'Node', 'Zone', 'State', 'Hint'];
const LINE = 30;
/** Extra rows beyond each edge of the viewport. */
const SPARE = 12;

/** @param {{model: ServiceModel}} props */
export function EndpointTable({ model }) {
  const [open, setOpen] = useState(false);
  return h(
    'details',
    { class: 'panel', onToggle: (/** @type {Event} */ event) => setOpen(/** @type {HTMLDetailsElement} */ (event.currentTarget).open) },
    h('summary', null, h('h3', null, 'The same as a table')),
    open && h(Lines, { model }),
  );
}

/** @param {{model: ServiceModel}} props */
function Lines({ model }) {
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  const [view, setView] = useState({ top: 0, height: 600 });
  const index = useMemo(() => indexOf(model), [model]);
  const see = () => box.current && setView({ top: box.current.scrollTop, height: box.current.clientHeight });
  useLayoutEffect(() => void see(), [model]);
  const first = Math.max(0, Math.floor(view.top / LINE) - SPARE);
  const last = Math.min(index.total, Math.ceil((view.top + view.height) / LINE) + SPARE);
  return h(
    'div',
    { ref: box, class: 'scroller lines', tabindex: 0, role: 'region', 'aria-label': 'Endpoints', onScroll: see },
    h(
      'table',
      { class: 'endpoint-table', 'aria-rowcount': index.total + 1 },
      h('caption', { class: 'visually-hidden' }, `Endpoints of ${model.name}, before and after the plan`),
      h('thead', null, h('tr', { 'aria-rowindex': 1 }, COLUMNS.map((title) => h('th', { key: title, scope: 'col' }, title)))),
      h(
        'tbody',
        null,
        first > 0 && h('tr', { key: 'above', 'aria-hidden': 'true', style: { height: `${first * LINE}px` } }),
        linesOf(index, first, last).map(({ key, values }, at) =>
          h(
            'tr',
            { key, 'aria-rowindex': first + at + 2, style: { height: `${LINE}px` } },
            values.map((value, column) => h('td', { key: column }, value)),
          ),
        ),
        last < index.total && h('tr', { key: 'below', 'aria-hidden': 'true', style: { height: `${(index.total - last) * LINE}px` } }),
      ),
    ),
  );
}

/**
 * The rows of each slice; a slice without endpoints has one row.
 * @param {ServiceModel} model
 */
function indexOf(model) {
  let total = 0;
  const rows = [...model.groups.flatMap((group) => group.rows), ...model.foreign].map((row) => {
    const from = total;
    total += Math.max(1, countOf(row));
    return { row, from, to: total };
  });
  return { rows, total };
}

/** @param {ReturnType<typeof indexOf>} index @param {number} first @param {number} last */
function linesOf({ rows }, first, last) {
  return rows
    .filter(({ from, to }) => from < last && to > first)
    .flatMap(({ row, from }) => {
      if (countOf(row) === 0) return [{ key: row.id, values: [row.title, ROW_WORDS[row.change], 'none', '', '', '', '', '', ''] }];
      return cellsOf(row).slice(Math.max(0, first - from), last - from).map((cell) => line(row, cell));
    });
}

/** @param {SliceRow} row @param {Cell} cell */
function line(row, cell) {
  const values = [
    row.title,
    ROW_WORDS[row.change],
    cell.target,
    CHANGE_WORDS[cell.change],
    cell.addresses.join(', '),
    cell.node,
    cell.zone,
    cell.stateWords,
    hintWords(cell),
  ];
  return { key: `${row.id} ${cell.change === 'removed' ? '−' : ''}${cell.id}`, values };
}
