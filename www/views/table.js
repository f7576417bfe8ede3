/**
 * The picture as a table: every endpoint on both sides of the plan, in words.
 * @import {Cell, ServiceModel, SliceRow} from '../types.js'
 */
import { h } from 'preact';
import { useState } from 'preact/hooks';
import { CHANGE_WORDS, STATE_WORDS } from '../model/cells.js';
import { counted, hintWords } from '../model/text.js';

/** @type {Record<SliceRow['change'], string>} */
const ROW_WORDS = { created: 'created', updated: 'updated', deleted: 'deleted', unchanged: 'unchanged', foreign: 'left alone' };
const SHOWN = 500;
const COLUMNS = ['Slice', 'Slice is', 'Endpoint', 'Endpoint is', 'Address', 'Node', 'Zone', 'State', 'Hint'];

/** @param {{model: ServiceModel}} props */
export function EndpointTable({ model }) {
  const [open, setOpen] = useState(false);
  const [all, setAll] = useState(false);
  const lines = open ? linesOf(model) : [];
  const shown = all ? lines : lines.slice(0, SHOWN);
  return h(
    'details',
    { class: 'panel', onToggle: (/** @type {Event} */ event) => setOpen(/** @type {HTMLDetailsElement} */ (event.currentTarget).open) },
    h('summary', null, h('h3', null, 'The same as a table')),
    open &&
      h(
        'div',
        { class: 'scroller', tabindex: 0, role: 'region', 'aria-label': 'Endpoints' },
        h(
          'table',
          { class: 'endpoint-table' },
          h('caption', { class: 'visually-hidden' }, `Endpoints of ${model.name}, before and after the plan`),
          h('thead', null, h('tr', null, COLUMNS.map((title) => h('th', { key: title, scope: 'col' }, title)))),
          h('tbody', null, shown.map(({ key, values }) => h('tr', { key }, values.map((value, index) => h('td', { key: index }, value))))),
        ),
      ),
    shown.length < lines.length && h('button', { type: 'button', onClick: () => setAll(true) }, `Show all ${counted(lines.length, 'line')}`),
  );
}

/** @param {ServiceModel} model */
function linesOf(model) {
  const rows = [...model.groups.flatMap((group) => group.rows), ...model.foreign];
  return rows.flatMap((row) => {
    const lines = cellsOf(row).map((cell) => line(row, cell));
    return lines.length > 0 ? lines : [{ key: row.id, values: [row.title, ROW_WORDS[row.change], 'none', '', '', '', '', '', ''] }];
  });
}

/** What is there afterwards, then what was removed. @param {SliceRow} row @returns {Cell[]} */
function cellsOf(row) {
  const removed = row.before?.cells.filter((cell) => cell.change === 'removed') ?? [];
  return row.change === 'deleted' ? (row.before?.cells ?? []) : [...(row.after?.cells ?? []), ...removed];
}

/** @param {SliceRow} row @param {Cell} cell */
function line(row, cell) {
  const values = [row.title, ROW_WORDS[row.change], cell.target, CHANGE_WORDS[cell.change], cell.addresses.join(', '), cell.node, cell.zone, STATE_WORDS[cell.state], hintWords(cell)];
  return { key: `${row.id} ${cell.id}`, values };
}
