/**
 * The slices of a Service, by slice, zone or node. A few are drawn cell by cell; for many, fill bars come first, with the
 * cells of the selected slice.
 * @import {GroupBy, Inspected, ServiceModel, SliceGroup, SliceRow} from '../types.js'
 * @import {Density} from './geometry.js'
 */
import { h } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { counted } from '../model/text.js';
import { groupsBy } from '../model/grouping.js';
import { FillBars } from './fill-bars.js';
import { columnsFor, densityFor } from './geometry.js';
import { useMoves } from './moves.js';
import { SliceCard } from './slice-card.js';
import { useWidth } from './width.js';

/** Beyond this many slices, or endpoints, fill bars come first. */
const FEW = 30;
const FEW_CELLS = 400;
const BARS = 1000;
const CHROME = 32;
/** Cells beyond this number are drawn when they come near the viewport. */
const CELLS_AT_ONCE = 400;

/** @type {[GroupBy, string][]} */
const GROUPINGS = [['slice', 'Slice'], ['zone', 'Zone'], ['node', 'Node']];

/**
 * @typedef {object} Frame the properties that all pictures of a Service share
 * @property {ServiceModel} model
 * @property {Density} density
 * @property {{half: number, whole: number}} columns
 * @property {Set<SliceRow>} eager rows to draw at once
 * @property {boolean} inspecting
 * @property {(row: SliceRow) => number} maxOf the capacity of its slice
 * @property {Record<string, string>} [notes] the core's remark on each slice, by name
 * @property {(what: Inspected) => void} onInspect
 */

/**
 * @typedef {object} StripProps
 * @property {ServiceModel} model
 * @property {string} sentence what the plan does, unless the page has said it
 * @property {Record<string, string>} [notes]
 * @property {GroupBy} groupBy
 * @property {boolean} inspecting
 * @property {string} theme
 * @property {(groupBy: GroupBy) => void} onGroupBy
 * @property {(what: Inspected) => void} onInspect
 */

/** @param {StripProps} props */
export function Strip({ model, sentence, notes, groupBy, inspecting, theme, onGroupBy, onInspect }) {
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  const width = useWidth(box);
  const groups = useMemo(() => groupsBy(model, groupBy), [model, groupBy]);
  const frame = useMemo(() => frameOf({ model, notes, groups, width, inspecting, onInspect }), [groups, notes, width, inspecting]);
  useMoves(box, groups, `${model.key} ${groupBy} ${width}`);
  return h(
    'section',
    { class: 'strip', 'aria-labelledby': 'strip-title' },
    h(
      'div',
      { class: 'strip-head' },
      h('div', null, h('h3', { id: 'strip-title' }, `Slices of ${model.key}`), sentence && h('p', { class: 'sentence', role: 'status' }, sentence)),
      h(
        'div',
        { class: 'choices', role: 'group', 'aria-label': 'Group endpoints by' },
        GROUPINGS.map(([by, title]) =>
          h('button', { key: by, type: 'button', 'aria-pressed': by === groupBy ? 'true' : 'false', onClick: () => onGroupBy(by) }, title),
        ),
      ),
    ),
    h(
      'div',
      { ref: box, class: 'slices' },
      width > 0 && [
        groups.map((group) => h(Group, { key: group.id, group, frame, theme })),
        model.foreign.length > 0 && groupBy === 'slice' && h(Foreign, { rows: model.foreign, frame }),
      ],
    ),
  );
}

/**
 * @param {{groups: SliceGroup[], width: number} & Pick<StripProps, 'model' | 'notes' | 'inspecting' | 'onInspect'>} context
 * @returns {Frame}
 */
function frameOf({ model, notes, groups, width, inspecting, onInspect }) {
  const rows = groups.flatMap((group) => group.rows);
  const counts = [...rows, ...model.foreign].flatMap(({ before, after }) => [before?.count ?? 0, after?.count ?? 0]);
  const most = counts.reduce((all, each) => Math.max(all, each), 1);
  const density = densityFor(model.signs.hintZone !== '' || model.signs.nodeHint);
  const whole = columnsFor(width - CHROME, density, most);
  const half = columnsFor((width - 2 * CHROME) / 2, density, most);
  const places = rows.reduce((all, { change, after }) => (change === 'place' ? Math.max(all, after?.count ?? 0) : all), 1);
  return {
    model,
    notes,
    density,
    columns: { whole, half: Math.max(half, Math.min(whole, 5)) },
    eager: firstRows(rows),
    inspecting,
    maxOf: ({ change }) => (change === 'place' ? places : model.max),
    onInspect,
  };
}

/** The rows whose cells are drawn at once. @param {SliceRow[]} rows */
function firstRows(rows) {
  let cells = 0;
  return new Set(
    rows.slice(0, FEW).filter(({ before, after }) => {
      const fits = cells < CELLS_AT_ONCE;
      cells += (before?.count ?? 0) + (after?.count ?? 0);
      return fits;
    }),
  );
}

/** @param {{group: SliceGroup, frame: Frame, theme: string}} props */
function Group({ group, frame, theme }) {
  const { rows } = group;
  const cells = rows.reduce((sum, { before, after }) => sum + (before?.count ?? 0) + (after?.count ?? 0), 0);
  return h(
    'section',
    { class: 'group', 'aria-label': group.id },
    h('h4', null, h('span', { class: 'family' }, group.addressType), ' ', h('code', null, group.ports)),
    rows.length > FEW || cells > FEW_CELLS
      ? h(Many, { rows, frame, theme, label: group.id })
      : h('div', { class: 'rows' }, rows.map((row) => h(SliceCard, { key: row.id, row, frame }))),
  );
}

/** @param {{rows: SliceRow[], frame: Frame, theme: string, label: string}} props */
function Many({ rows, frame, theme, label }) {
  const [chosen, setChosen] = useState('');
  const [shown, setShown] = useState(BARS);
  const left = rows.length - shown;
  const row = rows.find(({ id }) => id === chosen);
  const starts = Array.from({ length: Math.ceil(Math.min(shown, rows.length) / BARS) }, (_, index) => index * BARS);
  return [
    starts.map((start) => {
      const part = rows.slice(start, Math.min(start + BARS, shown));
      return h(FillBars, { key: start, rows: part, label: `${label}: ${counted(part.length, 'slice')}`, chosen, theme, frame, onChoose: setChosen });
    }),
    left > 0 && h('button', { type: 'button', onClick: () => setShown(shown + BARS) }, `Show ${counted(Math.min(BARS, left), 'more slice')}`),
    row ? h('div', { class: 'rows' }, h(SliceCard, { key: row.id, row, frame })) : h('p', { class: 'quiet' }, 'Choose a bar to see its endpoints.'),
  ];
}

/** @param {{rows: SliceRow[], frame: Frame}} props */
function Foreign({ rows, frame }) {
  return h(
    'section',
    { class: 'group foreign-group', 'aria-label': 'Slices that are left alone' },
    h('h4', null, 'Left alone'),
    h('div', { class: 'rows' }, rows.map((row) => h(SliceCard, { key: row.id, row, frame }))),
  );
}
