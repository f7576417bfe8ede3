/**
 * One slice as a picture: a cell for each endpoint, a faint slot for free space. The picture is one tab stop;
 * arrow keys move between its cells, Enter opens the inspector, which then follows. Cells are drawn when
 * the picture is close to the viewport, so that many slices are cheap.
 * @import {Cell, SliceView, Zone} from '../types.js'
 * @import {Density, Layout} from './geometry.js'
 */
import { h } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { counted } from '../model/text.js';
import { drawCells, drawFree } from './marks.js';
import { layoutOf, nextCell, positionOf } from './geometry.js';

const NEAR = '600px';
const EDGE = 7;

/**
 * @param {object} props
 * @param {string} props.id
 * @param {string} props.label
 * @param {SliceView} props.view
 * @param {'before' | 'after'} props.side
 * @param {Zone[]} props.zones
 * @param {number} props.max
 * @param {number} props.columns
 * @param {Density} props.density
 * @param {boolean} props.eager drawn at once, wherever it is
 * @param {boolean} props.signed whether changes are marked, cell by cell
 * @param {boolean} props.inspecting whether the inspector is open
 * @param {(cell: Cell) => void} props.onInspect
 */
export function Picture({ id, label, view, side, zones, max, columns, density, eager, signed, inspecting, onInspect }) {
  const { cells } = view;
  const layout = layoutOf(cells.length, max, columns, density);
  const [chosen, setActive] = useState(-1);
  const active = Math.min(chosen, cells.length - 1);
  const { box, near } = useNear(eager);
  const drawn = useMemo(() => {
    return near && drawCells({ id, cells, side, zones, columns: layout.columns, density, signed });
  }, [id, cells, zones, layout.columns, density, near]);
  const ring = useRef(/** @type {SVGRectElement | null} */ (null));
  // The inspector may cover it, and a tall slice may be taller than the window.
  useEffect(() => ring.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' }), [active, inspecting]);
  const free = drawFree(cells.length, layout, density);
  const size = { width: layout.width, height: layout.height, viewBox: `-${EDGE} -${EDGE} ${layout.width + 2 * EDGE} ${layout.height + 2 * EDGE}` };
  if (cells.length === 0) {
    return h('svg', { class: 'picture', role: 'img', 'aria-label': `${label}: no endpoints`, ...grown(size) }, free);
  }
  const handlers = pictureHandlers({ cells, layout, active, inspecting, setActive, onInspect });
  return h(
    'svg',
    {
      ref: box,
      class: 'picture',
      role: 'listbox',
      'aria-busy': near ? undefined : 'true',
      tabindex: 0,
      'aria-label': `${label}: ${counted(cells.length, 'endpoint')}`,
      'aria-activedescendant': active >= 0 ? `${id}-${active}` : undefined,
      ...grown(size),
      ...handlers,
    },
    free,
    drawn,
    active >= 0 &&
      h('rect', { ref: ring, class: 'ring', ...positionOf(active, layout.columns, density), width: density.width, height: density.height, rx: 5 }),
  );
}

/**
 * Whether an element is, or once was, close to the viewport.
 * @param {boolean} eager
 */
function useNear(eager) {
  const box = useRef(/** @type {SVGSVGElement | null} */ (null));
  const [seen, setSeen] = useState(eager);
  useEffect(() => {
    if (seen || !box.current) return undefined;
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && setSeen(true), { rootMargin: NEAR });
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [seen]);
  return { box, near: seen || eager };
}

/** Adds room for signs that overlap the edge. @param {{width: number, height: number, viewBox: string}} size */
function grown({ width, height, viewBox }) {
  return { width: width + 2 * EDGE, height: height + 2 * EDGE, viewBox };
}

/**
 * @param {object} context
 * @param {Cell[]} context.cells
 * @param {Layout} context.layout
 * @param {number} context.active
 * @param {boolean} context.inspecting
 * @param {(index: number) => void} context.setActive
 * @param {(cell: Cell) => void} context.onInspect
 */
function pictureHandlers({ cells, layout, active, inspecting, setActive, onInspect }) {
  /** @param {number} index @param {boolean} opens */
  const go = (index, opens) => {
    const cell = cells[index];
    if (!cell) return;
    setActive(index);
    if (opens || inspecting) onInspect(cell);
  };
  return {
    /** @param {Event} event */
    onClick: (event) => go(indexOf(cellAt(event)), true),
    /** @param {Event} event */
    onPointerOver: (event) => addTooltip(cellAt(event)),
    /** @param {FocusEvent} event */
    onFocus: (event) => /** @type {Element} */ (event.currentTarget).matches(':focus-visible') && go(Math.max(0, active), false),
    /** @param {KeyboardEvent} event */
    onKeyDown: (event) => {
      const confirms = event.key === 'Enter' || event.key === ' ';
      const next = confirms ? Math.max(0, active) : nextCell(event.key, active, cells.length, layout.columns);
      if (next === null) return;
      event.preventDefault();
      go(next, confirms);
    },
  };
}

/** @param {Event} event */
function cellAt(event) {
  return /** @type {Element} */ (event.target).closest('[data-index]');
}

/** Only when the pointer is over a cell: one for each would double the elements of the picture. @param {Element | null} cell */
function addTooltip(cell) {
  if (!cell) return;
  const title = cell.querySelector('title') ?? document.createElementNS(cell.namespaceURI, 'title');
  title.textContent = cell.getAttribute('aria-label');
  cell.prepend(title);
}

/** @param {Element | null} element */
function indexOf(element) {
  return Number(element?.getAttribute('data-index') ?? -1);
}

