/**
 * All slices of a Service, before and after the plan, side by side where there is room. A slice the plan does
 * not touch is drawn once.
 * @import {Inspected, ServiceModel, SliceGroup, SliceRow} from '../types.js'
 * @import {Density} from './geometry.js'
 */
import { h } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { counted } from '../model/text.js';
import { columnsFor, densityFor } from './geometry.js';
import { Box } from './slice-box.js';

const SIDE_BY_SIDE = 700;
const CHROME = 32;
/** Slices beyond these are drawn on demand; cells beyond these, when they come near. */
const ROWS_AT_ONCE = 200;
const CELLS_AT_ONCE = 400;

/**
 * @typedef {object} Frame what all pictures of a Service share
 * @property {ServiceModel} model
 * @property {Density} density
 * @property {number} columns in a half of the width
 * @property {number} wideColumns in all of it
 * @property {Set<SliceRow>} eager rows to draw at once
 * @property {boolean} inspecting
 * @property {(what: Inspected) => void} onInspect
 */

/** @param {{model: ServiceModel, inspecting: boolean, onInspect: (what: Inspected) => void}} props */
export function Slices({ model, inspecting, onInspect }) {
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  const width = useWidth(box);
  const [all, setAll] = useState(false);
  const side = width >= SIDE_BY_SIDE;
  const density = densityFor(largest(model), isHinted(model));
  const half = side ? (width - 40) / 2 : width;
  const groups = all ? model.groups : limited(model.groups);
  const columns = { columns: columnsFor(half - CHROME, density), wideColumns: columnsFor(width - CHROME, density) };
  const frame = { model, density, ...columns, eager: firstRows(groups), inspecting, onInspect };
  const hidden = countRows(model.groups) - countRows(groups);
  return h(
    'div',
    { ref: box, class: side ? 'slices paired' : 'slices stacked' },
    width > 0 && [
      groups.map((group) => h(Group, { key: group.id, group, frame })),
      model.foreign.length > 0 && h(Foreign, { rows: model.foreign, frame }),
    ],
    hidden > 0 && h('button', { type: 'button', onClick: () => setAll(true) }, `Show ${counted(hidden, 'more slice')}`),
  );
}

/** @param {import('preact').RefObject<HTMLDivElement | null>} box */
function useWidth(box) {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    setWidth(element.clientWidth);
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return width;
}

/** @param {ServiceModel} model */
function viewsOf(model) {
  const rows = [...model.groups.flatMap((group) => group.rows), ...model.foreign];
  return rows.flatMap((row) => [row.before, row.after]).filter((view) => view !== null);
}

/** @param {ServiceModel} model */
function largest(model) {
  return viewsOf(model).reduce((most, view) => Math.max(most, view.cells.length), 0);
}

/** @param {ServiceModel} model */
function isHinted(model) {
  return viewsOf(model).some((view) => view.cells.some((cell) => cell.hintZones.length + cell.hintNodes.length > 0));
}

/** @param {SliceGroup[]} groups @returns {SliceGroup[]} */
function limited(groups) {
  let left = ROWS_AT_ONCE;
  return groups.map((group) => {
    const rows = group.rows.slice(0, left);
    left -= rows.length;
    return { ...group, rows };
  });
}

/** The rows whose cells are drawn at once. @param {SliceGroup[]} groups */
function firstRows(groups) {
  let cells = 0;
  const rows = groups.flatMap((group) => group.rows).filter((row) => {
    const fits = cells < CELLS_AT_ONCE;
    cells += (row.before?.cells.length ?? 0) + (row.after?.cells.length ?? 0);
    return fits;
  });
  return new Set(rows);
}

/** @param {SliceGroup[]} groups */
function countRows(groups) {
  return groups.reduce((sum, group) => sum + group.rows.length, 0);
}

/** @param {{group: SliceGroup, frame: Frame}} props */
function Group({ group, frame }) {
  const still = group.rows.every((row) => row.change === 'unchanged');
  return h(
    'section',
    { class: 'group', 'aria-label': group.id },
    h('h3', null, h('span', { class: 'family' }, group.addressType), ' ', h('code', null, group.ports)),
    !still && h('div', { class: 'columns-head', 'aria-hidden': 'true' }, h('span', null, 'Before'), h('span', null), h('span', null, 'After the plan')),
    h('div', { class: 'rows' }, group.rows.map((row) => h(Row, { key: row.id, row, frame }))),
  );
}

/** @param {{rows: SliceRow[], frame: Frame}} props */
function Foreign({ rows, frame }) {
  return h(
    'section',
    { class: 'group foreign-group', 'aria-label': 'Slices that are left alone' },
    h('h3', null, 'Left alone'),
    h('div', { class: 'rows' }, rows.map((row) => h(Row, { key: row.id, row, frame }))),
  );
}

/** @param {{row: SliceRow, frame: Frame}} props */
function Row({ row, frame }) {
  if (row.change === 'unchanged' || row.change === 'foreign') {
    return h('div', { class: 'row whole' }, row.after && h(Box, { row, view: row.after, side: 'after', frame, whole: true }));
  }
  return h(
    'div',
    { class: 'row pair' },
    row.before ? h(Box, { row, view: row.before, side: 'before', frame }) : h(Gap, { word: 'not there yet' }),
    h('span', { class: 'arrow', 'aria-hidden': 'true' }, '→'),
    row.after ? h(Box, { row, view: row.after, side: 'after', frame }) : h(Gap, { word: 'gone' }),
  );
}

/** @param {{word: string}} props */
function Gap({ word }) {
  return h('div', { class: 'gap-box' }, word);
}
