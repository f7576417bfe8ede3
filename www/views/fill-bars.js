/**
 * Many slices at a glance: a bar for each, filled like the slice, in the colours of its zones; a notch for the level
 * before; a sign for its change. One canvas, because there may be thousands; one tab stop, with arrow keys to move.
 * @import {SliceRow, Zone} from '../types.js'
 * @import {Frame} from './strip.js'
 */
import { h } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { zoneClass } from '../model/zones.js';
import { nextCell } from './geometry.js';
import { useWidth } from './width.js';

const BAR = { width: 18, height: 44, gap: 4, sign: 14 };
const STEP = BAR.width + BAR.gap;
const LINE = BAR.height + BAR.sign + 6;
/** @type {Partial<Record<SliceRow['change'], string>>} */
const SIGNS = { created: '+', updated: '≠', deleted: '−' };
const WORDS = { created: 'created', updated: 'updated', deleted: 'deleted', unchanged: 'unchanged', foreign: 'left alone', place: '' };

/**
 * @param {object} props
 * @param {SliceRow[]} props.rows
 * @param {string} props.label
 * @param {string} props.chosen id of a row
 * @param {string} props.theme
 * @param {Frame} props.frame
 * @param {(id: string) => void} props.onChoose
 */
export function FillBars({ rows, label, chosen, theme, frame, onChoose }) {
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  const canvas = useRef(/** @type {HTMLCanvasElement | null} */ (null));
  const [active, setActive] = useState(0);
  const width = useWidth(box);
  const scheme = useScheme();
  const columns = Math.max(1, Math.floor((width + BAR.gap) / STEP));
  const at = Math.min(active, rows.length - 1);
  // To resolve them takes longer than to draw: a step of the slider has the same.
  const colours = useRef({ of: '', found: /** @type {Colours | null} */ (null) });
  useLayoutEffect(() => {
    if (!canvas.current || !box.current || width === 0) return;
    const { zones } = frame.model;
    const of = JSON.stringify([theme, scheme, zones]);
    if (colours.current.of !== of) colours.current = { of, found: null };
    draw(canvas.current, (colours.current.found ??= coloursOf(box.current, zones)), { rows, columns, chosen, at, frame });
  }, [rows, columns, width, chosen, at, theme, scheme]);
  const row = rows[at];
  /** @param {number} index */
  const choose = (index) => {
    const found = rows[index];
    if (!found) return;
    setActive(index);
    onChoose(found.id);
  };
  return h(
    'div',
    {
      ref: box,
      class: 'bars',
      role: 'listbox',
      tabindex: 0,
      'aria-label': label,
      'aria-activedescendant': row && `bar-${row.id}`,
      onKeyDown: (/** @type {KeyboardEvent} */ event) => {
        const confirms = event.key === 'Enter' || event.key === ' ';
        const next = confirms ? at : nextCell(event.key, at, rows.length, columns);
        if (next === null) return;
        event.preventDefault();
        if (confirms) choose(next);
        else setActive(next);
      },
      onClick: (/** @type {MouseEvent} */ event) => choose(indexAt(event, columns)),
      onPointerMove: (/** @type {PointerEvent} */ event) => {
        const under = rows[indexAt(event, columns)];
        if (canvas.current) canvas.current.title = under ? wordsOf(under, frame) : '';
      },
    },
    row &&
      h(
        'div',
        {
          role: 'option',
          id: `bar-${row.id}`,
          class: 'visually-hidden',
          'aria-selected': row.id === chosen ? 'true' : 'false',
          'aria-setsize': rows.length,
          'aria-posinset': at + 1,
        },
        wordsOf(row, frame),
      ),
    h('canvas', { ref: canvas, 'aria-hidden': 'true' }),
  );
}

/** @param {SliceRow} row @param {Frame} frame */
function wordsOf(row, frame) {
  const view = row.after ?? row.before;
  return [row.title, WORDS[row.change], `${view?.count ?? 0} of ${frame.maxOf(row)}`].filter(Boolean).join(', ');
}

/** @param {MouseEvent} event @param {number} columns */
function indexAt(event, columns) {
  const { left, top } = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
  const column = Math.floor((event.clientX - left) / STEP);
  return column < columns ? Math.floor((event.clientY - top) / LINE) * columns + column : -1;
}

/** Increases when the system's colours change. */
function useScheme() {
  const [scheme, setScheme] = useState(0);
  useEffect(() => {
    const queries = ['(prefers-color-scheme: dark)', '(forced-colors: active)', '(prefers-contrast: more)'].map((query) => matchMedia(query));
    const changed = () => setScheme((count) => count + 1);
    for (const query of queries) query.addEventListener('change', changed);
    return () => queries.forEach((query) => query.removeEventListener('change', changed));
  }, []);
  return scheme;
}

/** @typedef {{ink: string, line: string, paper: string, font: string, zone: (name: string) => string}} Colours and the font */

/**
 * The current colours of the style sheet. A canvas cannot use custom properties, so an element resolves them.
 * @param {HTMLElement} box
 * @param {Zone[]} zones
 * @returns {Colours}
 */
function coloursOf(box, zones) {
  const probe = document.createElement('span');
  box.append(probe);
  /** @param {string} name */
  const read = (name) => {
    probe.className = `probe ${name}`;
    return getComputedStyle(probe).backgroundColor;
  };
  const known = new Map(zones.map(({ name }) => [name, read(zoneClass(zones, name))]));
  const [ink, line, paper, none] = ['probe-ink', 'probe-line', 'probe-paper', 'z-none'].map(read);
  const font = getComputedStyle(probe).fontFamily;
  probe.remove();
  return { ink, line, paper, font, zone: (name) => known.get(name) ?? none };
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Colours} colours
 * @param {{rows: SliceRow[], columns: number, chosen: string, at: number, frame: Frame}} scene
 */
function draw(canvas, colours, { rows, columns, chosen, at, frame }) {
  const lines = Math.ceil(rows.length / columns);
  const ratio = Math.min(2, devicePixelRatio);
  const size = { width: columns * STEP - BAR.gap + 4, height: lines * LINE };
  Object.assign(canvas, { width: size.width * ratio, height: size.height * ratio });
  Object.assign(canvas.style, { width: `${size.width}px`, height: `${size.height}px` });
  const context = canvas.getContext('2d');
  if (!context) return;
  context.scale(ratio, ratio);
  context.font = `700 12px ${colours.font}`;
  context.textAlign = 'center';
  for (const [index, row] of rows.entries()) {
    const place = { x: (index % columns) * STEP + 2, y: Math.floor(index / columns) * LINE + BAR.sign };
    drawBar(context, colours, place, row, frame.maxOf(row));
    if (row.id === chosen || index === at) outline(context, colours, place, row.id === chosen ? 3 : 1);
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Colours} colours
 * @param {{x: number, y: number}} place
 * @param {SliceRow} row
 * @param {number} max
 */
function drawBar(context, colours, { x, y }, row, max) {
  const view = row.after ?? row.before;
  const unit = BAR.height / Math.max(max, view?.count ?? 0, 1);
  context.fillStyle = colours.paper;
  context.fillRect(x, y, BAR.width, BAR.height);
  context.globalAlpha = row.change === 'deleted' ? 0.35 : 1;
  let bottom = y + BAR.height;
  for (const [zone, count] of view?.zones ?? []) {
    context.fillStyle = colours.zone(zone);
    context.fillRect(x, bottom - count * unit, BAR.width, count * unit);
    bottom -= count * unit;
  }
  context.globalAlpha = 1;
  context.strokeStyle = colours.line;
  context.lineWidth = 1;
  context.strokeRect(x + 0.5, y + 0.5, BAR.width - 1, BAR.height - 1);
  context.fillStyle = colours.ink;
  const old = row.before && row.after ? row.before.count : (view?.count ?? 0);
  if (old !== view?.count) context.fillRect(x - 2, y + BAR.height - old * unit - 1, BAR.width + 4, 2);
  const sign = SIGNS[row.change];
  if (sign) context.fillText(sign, x + BAR.width / 2, y - 3);
}

/** @param {CanvasRenderingContext2D} context @param {Colours} colours @param {{x: number, y: number}} place @param {number} width */
function outline(context, colours, { x, y }, width) {
  context.strokeStyle = colours.ink;
  context.lineWidth = width;
  context.strokeRect(x - 1, y - 1, BAR.width + 2, BAR.height + 2);
}
