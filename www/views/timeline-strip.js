/**
 * The slices at a moment, on canvas: a line for each, its endpoints as cells. Recent changes have a ring. Large
 * numbers are shown as bars.
 * @import {CellState, Zone} from '../types.js'
 * @import {Player} from '../model/player.js'
 * @import {Recording, SliceState} from '../model/recording.js'
 */
import { h } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { letterOf, zoneClass } from '../model/zones.js';

/** The height that determines the size of cells. */
const HEIGHT = 440;
const SIZES = [22, 18, 15, 12, 9, 7, 5];
const LETTERED = 15;
const HEAD = 17;
const GAP = 7;
const BARS_FROM = 40;
const BAR = 9;

/**
 * @typedef {object} Ink the page's current colours
 * @property {string[]} zones by hue; the last one is for none
 * @property {string[]} letters on them
 * @property {string} ink
 * @property {string} soft
 * @property {string} line
 * @property {string} paper
 *
 * @typedef {{width: number, cell: number, columns: number, bars: boolean, height: number}} Layout
 */

/** @param {{player: Player, zones: Zone[], max: number, length: number}} props `length`: of the recording, so far */
export function TimelineStrip({ player, zones, max, length }) {
  const canvas = useRef(/** @type {HTMLCanvasElement | null} */ (null));
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  const [width, setWidth] = useState(0);
  const [theme, setTheme] = useState(0);
  const { recording } = player;
  const layout = useMemo(() => layoutOf(width, recording.most), [width, length]);
  useEffect(() => watchWidth(box.current, setWidth), []);
  useEffect(() => watchTheme(() => setTheme((turn) => turn + 1)), []);
  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (!element || !context || width === 0) return undefined;
    const ratio = devicePixelRatio || 1;
    element.width = Math.round(width * ratio);
    element.height = Math.round(layout.height * ratio);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const ink = inkOf(box.current);
    let drawn = -1;
    /** @param {Player} now */
    const draw = ({ place }) => {
      if (place === drawn) return;
      drawSlices(context, { recording, place, since: place > drawn ? drawn : place - 1, layout, ink, zones, max });
      drawn = place;
    };
    draw(player);
    return player.subscribe(draw);
  }, [player, layout, theme, zones]);
  return h(
    'div',
    { ref: box, class: 'strip' },
    h(
      'div',
      { class: 'ink-probe', 'aria-hidden': 'true' },
      [0, 1, 2, 3, 4, 5, 6, 7].map((hue) => h('span', { key: hue, class: `z${hue}` })),
      h('span', { class: 'z-none' }),
    ),
    h('canvas', {
      ref: canvas,
      role: 'img',
      'aria-label': 'The slices at this moment; the table below has them in words',
      style: { width: `${width}px`, height: `${layout.height}px` },
    }),
  );
}

/** The legend: what occurs in the run. @param {{recording: Recording, zones: Zone[]}} props */
export function StripKey({ recording, zones }) {
  const { states, signs } = recording;
  return h(
    'div',
    { class: 'legend' },
    h(
      'ul',
      { 'aria-label': 'Zones' },
      zones.map(({ name }) =>
        h('li', { key: name }, h('span', { class: `swatch ${zoneClass(zones, name)}`, 'aria-hidden': 'true' }, letterOf(zones, name)), name),
      ),
    ),
    h(
      'ul',
      { 'aria-label': 'Signs' },
      states.map(({ state, words }, place) => signs.states.has(place) && h('li', { key: state }, h(StateShape, { state }), words)),
      signs.hints && h('li', null, h(StateShape, { state: 'ready', hinted: true }), 'with a hint'),
    ),
  );
}

/** The same mark as `drawState` and `drawHint` draw. @param {{state: CellState, hinted?: boolean}} props */
function StateShape({ state, hinted = false }) {
  const isFull = state === 'ready' || state === 'published';
  return h(
    'svg',
    { class: 'state-shape', width: 16, height: 16, viewBox: '0 0 16 16', 'aria-hidden': 'true' },
    isFull ? h('rect', { width: 16, height: 16 }) : h('rect', { class: 'frame', x: 1, y: 1, width: 14, height: 14 }),
    state === 'published' && h('rect', { class: 'hole', x: 5, y: 5, width: 6, height: 6 }),
    state === 'draining' && h('rect', { y: 8, width: 16, height: 8 }),
    state === 'stopped' && h('path', { class: 'frame', d: 'M1 15L15 1' }),
    hinted && h('rect', { class: 'hole', x: 1, y: 12, width: 14, height: 2 }),
  );
}

/** @param {HTMLElement | null} element @param {(width: number) => void} onWidth */
function watchWidth(element, onWidth) {
  if (!element) return undefined;
  const observer = new ResizeObserver(() => onWidth(element.clientWidth));
  observer.observe(element);
  return () => observer.disconnect();
}

/** @param {() => void} onChange */
function watchTheme(onChange) {
  const queries = ['(prefers-color-scheme: dark)', '(forced-colors: active)', '(prefers-contrast: more)'].map((query) => matchMedia(query));
  for (const query of queries) query.addEventListener('change', onChange);
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  return () => {
    observer.disconnect();
    for (const query of queries) query.removeEventListener('change', onChange);
  };
}

/** @param {HTMLElement | null} box @returns {Ink} */
function inkOf(box) {
  const probes = [...(box?.querySelectorAll('.ink-probe span') ?? [])].map((probe) => getComputedStyle(probe));
  const style = getComputedStyle(box ?? document.body);
  return {
    zones: probes.map(({ backgroundColor }) => backgroundColor),
    letters: probes.map(({ color }) => color),
    ink: style.color,
    soft: style.outlineColor,
    line: style.borderTopColor,
    paper: style.backgroundColor,
  };
}

/** @param {number} width @param {Recording['most']} most @returns {Layout} */
function layoutOf(width, { endpoints, slices }) {
  const count = Math.max(1, slices);
  if (count > BARS_FROM) return { width, cell: 0, columns: 1, bars: true, height: count * (BAR + 2) };
  for (const cell of SIZES) {
    const columns = Math.max(1, Math.floor(width / (cell + 2)));
    const rows = Math.max(1, Math.ceil(endpoints / columns));
    const height = count * (HEAD + rows * (cell + 2) + GAP);
    if (height <= HEIGHT || cell === SIZES.at(-1)) return { width, cell, columns, bars: false, height };
  }
  return { width, cell: 1, columns: 1, bars: true, height: HEIGHT };
}

/**
 * @typedef {object} Scene
 * @property {Recording} recording
 * @property {number} place
 * @property {number} since the step drawn before; later changes are marked
 * @property {Layout} layout
 * @property {Ink} ink
 * @property {Zone[]} zones
 * @property {number} max
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Scene} scene
 */
function drawSlices(context, scene) {
  const { recording, place, layout } = scene;
  context.clearRect(0, 0, layout.width, layout.height);
  const slices = [...recording.slicesAt(place).values()].sort((a, b) => a.slice - b.slice);
  const rows = Math.max(1, Math.ceil(recording.most.endpoints / layout.columns));
  const pitch = layout.bars ? BAR + 2 : HEAD + rows * (layout.cell + 2) + GAP;
  slices.forEach((slice, index) => (layout.bars ? drawBar(context, slice, index * pitch, scene) : drawSlice(context, slice, index * pitch, scene)));
}

/** How full it is, zone by zone. @param {CanvasRenderingContext2D} context @param {SliceState} slice @param {number} top @param {Scene} scene */
function drawBar(context, slice, top, { recording, layout, ink, zones, max }) {
  context.strokeStyle = ink.line;
  context.strokeRect(0.5, top + 0.5, layout.width - 1, BAR - 1);
  /** @type {Map<number, number>} */
  const counts = new Map();
  slice.pods.forEach((pod, at) => pod >= 0 && counts.set(slice.zones[at] ?? -1, (counts.get(slice.zones[at] ?? -1) ?? 0) + 1));
  let left = 0;
  for (const [zone, count] of [...counts].sort(([a], [b]) => a - b)) {
    const width = (count / max) * layout.width;
    context.fillStyle = ink.zones[hueOf(recording, zones, zone)] ?? ink.ink;
    context.fillRect(left, top, width, BAR);
    left += width;
  }
}

/** @param {CanvasRenderingContext2D} context @param {SliceState} slice @param {number} top @param {Scene} scene */
function drawSlice(context, slice, top, scene) {
  const { recording, layout: { cell, columns, width }, ink, max, since } = scene;
  const named = recording.slices[slice.slice];
  context.textBaseline = 'top';
  context.textAlign = 'left';
  context.font = '600 12px ui-monospace, monospace';
  context.fillStyle = slice.step > since ? ink.ink : ink.soft;
  context.fillText(`${named?.name ?? ''}  ${named?.addressType ?? ''}`, 0, top, width * 0.7);
  context.textAlign = 'right';
  context.fillText(`${slice.count} of ${max}`, width, top);
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.font = `700 ${Math.min(12, cell - 4)}px system-ui, sans-serif`;
  const marked = slice.step > since;
  for (let at = 0; at < slice.pods.length; at += 1) {
    const [x, y] = [(at % columns) * (cell + 2), top + HEAD + Math.floor(at / columns) * (cell + 2)];
    if (slice.pods[at] !== -1) drawCell(context, slice, at, x, y, scene);
    else frame(context, x, y, cell, ink.line, 1);
    if (marked && slice.fresh.has(at)) frame(context, x - 1, y - 1, cell + 2, ink.ink, 1.5);
  }
}

/**
 * The shape of its state, the letter of its zone, and at the bottom a bar in the colour of the hinted zone.
 * @param {CanvasRenderingContext2D} context
 * @param {SliceState} slice
 * @param {number} at
 * @param {number} x
 * @param {number} y
 * @param {Scene} scene
 */
function drawCell(context, slice, at, x, y, { recording, layout: { cell }, ink, zones }) {
  const [zone, hint] = [slice.zones[at] ?? -1, slice.hints[at] ?? -1];
  const state = stateAt(recording, slice, at);
  const hue = hueOf(recording, zones, zone);
  const colours = { shape: ink.zones[hue] ?? ink.ink, letter: ink.letters[hue] ?? ink.paper };
  drawState(context, state, x, y, cell, colours);
  if (cell >= LETTERED && state !== 'published') {
    context.fillStyle = state === 'ready' ? colours.letter : ink.ink;
    context.fillText(letterOf(zones, recording.zones[zone] ?? ''), x + cell / 2, y + cell / 2 - 1);
  }
  if (hint < 0 || (cell < LETTERED && hint === zone)) return;
  const colour = hint === zone ? colours.letter : (ink.zones[hueOf(recording, zones, hint)] ?? ink.ink);
  drawHint(context, colour, x, y, cell, ink);
}

/**
 * A bar at the bottom; in small cells, which only mark hints for other zones, a corner.
 * @param {CanvasRenderingContext2D} context
 * @param {string} colour
 * @param {number} x
 * @param {number} y
 * @param {number} cell
 * @param {Ink} ink
 */
function drawHint(context, colour, x, y, cell, ink) {
  const [width, height] = cell >= LETTERED ? [cell - 2, 2] : [cell / 2, cell / 2];
  context.fillStyle = ink.paper;
  context.fillRect(x + cell - width - 2, y + cell - height - 2, width + 2, height + 2);
  context.fillStyle = colour;
  context.fillRect(x + cell - width - 1, y + cell - height - 1, width, height);
}

/**
 * Filled if ready, with a hole if published anyway, hollow if not ready, half while draining, struck through if
 * not serving.
 * @param {CanvasRenderingContext2D} context
 * @param {CellState} state
 * @param {number} x
 * @param {number} y
 * @param {number} cell
 * @param {{shape: string, letter: string}} colours
 */
function drawState(context, state, x, y, cell, { shape, letter }) {
  context.fillStyle = shape;
  if (state === 'ready' || state === 'published') context.fillRect(x, y, cell, cell);
  else frame(context, x, y, cell, shape, cell > 9 ? 2 : 1);
  if (state === 'draining') context.fillRect(x, y + cell / 2, cell, cell / 2);
  if (state === 'stopped') strike(context, x, y, cell, shape);
  if (state === 'published') {
    context.fillStyle = letter;
    context.fillRect(x + cell / 3, y + cell / 3, cell / 3, cell / 3);
  }
}

/** @param {CanvasRenderingContext2D} context @param {number} x @param {number} y @param {number} size @param {string} colour @param {number} width */
function frame(context, x, y, size, colour, width) {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.strokeRect(x + width / 2, y + width / 2, size - width, size - width);
}

/** @param {CanvasRenderingContext2D} context @param {number} x @param {number} y @param {number} size @param {string} colour */
function strike(context, x, y, size, colour) {
  context.strokeStyle = colour;
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(x + 1, y + size - 1);
  context.lineTo(x + size - 1, y + 1);
  context.stroke();
}

/** @param {Recording} recording @param {SliceState} slice @param {number} at */
function stateAt(recording, slice, at) {
  return recording.states[slice.states[at] ?? 0]?.state ?? 'ready';
}

/** @param {Recording} recording @param {Zone[]} zones @param {number} zone */
function hueOf(recording, zones, zone) {
  return zones.find(({ name }) => name === recording.zones[zone])?.hue ?? 8;
}
