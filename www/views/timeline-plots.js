/**
 * Figures over the time of a run, stacked on one time axis, which is also a slider. The cursor and the figures beside it
 * are updated directly on each move, because rerendering would take longer than a frame.
 * @import {Player} from '../model/player.js'
 * @import {Recording, Series} from '../model/recording.js'
 */
import { scaleLinear } from 'd3-scale';
import { h } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { percent } from '../model/traffic-text.js';
import { listed, number } from '../model/text.js';
import { bytes, clock } from '../model/timeline-text.js';
import { useWidth } from './width.js';

const ROW = 58;
const HEAD = 18;
const AXIS = 22;
const TOP = 16;
const TELL_EVERY = 250;
const PAGE = 20;
/** The approximate width of a letter in the titles, and the number of letters in a figure on the right, with a gap. */
const LETTER = 6.6;
const FIGURE = 10;

/** @type {{name: Exclude<keyof Series, 'at'>, title: string, words: (value: number) => string, most: number | null}[]} */
const PLOTS = [
  { name: 'writes', title: 'Writes so far', words: number, most: null },
  { name: 'bytes', title: 'Bytes to watchers so far', words: bytes, most: null },
  { name: 'misdirected', title: 'Misdirected traffic', words: percent, most: null },
  { name: 'crossZone', title: 'Crosses zones', words: percent, most: 1 },
  { name: 'flips', title: 'Hint flips so far', words: String, most: null },
  { name: 'fill', title: 'Fill of the slices', words: percent, most: 1 },
];

/**
 * Once a run is complete, what has not changed in it takes a line instead of a plot.
 * @param {{player: Player, phases: string[], length: number, complete: boolean}} props
 */
export function TimelinePlots({ player, phases, length, complete }) {
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  const width = useWidth(box);
  const { recording } = player;
  const x = useMemo(() => scaleLinear([0, Math.max(1, recording.end)], [6, Math.max(7, width - 6)]), [width, length]);
  useEffect(() => follow(box.current, player, x, phases), [player, x, phases]);
  const flat = useMemo(() => (complete ? PLOTS.filter(({ name }) => new Set(recording.series[name]).size < 2) : []), [complete, length]);
  const drawing = useMemo(() => width > 0 && draw(recording, phases, x, width, flat), [width, length, phases, flat]);
  const plots = h(
    'div',
    {
      ref: box,
      class: 'plots',
      role: 'slider',
      tabindex: 0,
      'aria-label': 'Time of the run',
      'aria-valuemin': 0,
      'aria-orientation': 'horizontal',
      ...scrubbing(player, x, recording),
    },
    drawing,
  );
  const still = flat.map(({ name, title, words: told }) => `${title.toLowerCase()} ${told(recording.series[name][0] ?? 0)}`);
  const words = still.length > 0 && h('p', { class: 'quiet flat-plots' }, `The same all the time: ${listed(still)}.`);
  return h('div', { class: 'plots-column' }, plots, words);
}

/**
 * Moves the cursor, and notifies listeners.
 * @param {HTMLElement | null} box
 * @param {Player} player
 * @param {(at: number) => number} x
 * @param {string[]} phases
 */
function follow(box, player, x, phases) {
  if (!box) return undefined;
  let told = 0;
  let timer = 0;
  const say = () => {
    told = performance.now();
    box.setAttribute('aria-valuemax', String(Math.round(player.recording.end)));
    box.setAttribute('aria-valuenow', String(Math.round(player.at)));
    box.setAttribute('aria-valuetext', momentWords(player, phases));
  };
  const move = () => {
    box.querySelector('.moment')?.setAttribute('transform', `translate(${x(player.at)} 0)`);
    for (const { name, words } of PLOTS) {
      const value = box.querySelector(`[data-value=${name}]`);
      const text = words(player.recording.series[name][player.place] ?? 0);
      if (value && value.textContent !== text) value.textContent = text;
    }
    clearTimeout(timer);
    if (performance.now() - told > TELL_EVERY) say();
    else timer = window.setTimeout(say, TELL_EVERY);
  };
  move();
  say();
  const leave = player.subscribe(move);
  return () => {
    clearTimeout(timer);
    leave();
  };
}

/** @param {Player} player @param {string[]} phases */
export function momentWords({ at, place, recording }, phases) {
  const step = recording.steps[place];
  const [first = ''] = step?.messages ?? [];
  return [clock(at), phases[step?.phase ?? 0], first].filter(Boolean).join(', ');
}

/** @param {Player} player @param {{invert: (x: number) => number}} x @param {Recording} recording */
function scrubbing(player, x, recording) {
  /** @param {PointerEvent} event */
  const to = (event) => player.seek(x.invert(event.clientX - /** @type {Element} */ (event.currentTarget).getBoundingClientRect().left));
  return {
    /** @param {PointerEvent} event */
    onPointerDown: (event) => {
      player.pause();
      /** @type {Element} */ (event.currentTarget).setPointerCapture(event.pointerId);
      to(event);
    },
    /** @param {PointerEvent} event */
    onPointerMove: (event) => event.buttons === 1 && to(event),
    /** @param {KeyboardEvent} event */
    onKeyDown: (event) => {
      /** @type {Record<string, number>} */
      const places = {
        ArrowRight: player.place + 1, ArrowUp: player.place + 1, ArrowLeft: player.place - 1, ArrowDown: player.place - 1,
        PageUp: player.place + PAGE, PageDown: player.place - PAGE, Home: 0, End: recording.length - 1,
      };
      const place = places[event.key];
      if (event.key === ' ') (player.playing ? player.pause() : player.play());
      else if (place === undefined) return;
      else {
        player.pause();
        player.go(place);
      }
      event.preventDefault();
    },
  };
}

/**
 * @param {Recording} recording
 * @param {string[]} phases
 * @param {import('d3-scale').ScaleLinear<number, number>} x
 * @param {number} width
 * @param {typeof PLOTS} flat those that are left out
 */
function draw(recording, phases, x, width, flat) {
  const plots = PLOTS.filter((plot) => !flat.includes(plot));
  const height = TOP + plots.length * ROW + AXIS;
  return h(
    'svg',
    { width, height, viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true' },
    phases.map((phase, index) => h(PhaseMark, { key: phase, phase, recording, index, x, height: height - AXIS })),
    // Below the titles, which it would otherwise cross.
    h('g', { class: 'moment' }, h('line', { y1: TOP - 6, y2: height - AXIS }), h('path', { d: `M-5 ${TOP - 14}h10l-5 8z` })),
    plots.map((plot, index) => h(Plot, { key: plot.name, plot, recording, x, width, top: TOP + index * ROW })),
    h(Axis, { x, width, top: height - AXIS, end: recording.end }),
  );
}

/** @param {{phase: string, recording: Recording, index: number, x: (at: number) => number, height: number}} props */
function PhaseMark({ phase, recording, index, x, height }) {
  const start = recording.phaseStarts[index];
  if (start === undefined) return null;
  const left = x(recording.series.at[start] ?? 0);
  const next = recording.phaseStarts.slice(index + 1).find((each) => each !== undefined);
  const room = (next === undefined ? x(recording.end) : x(recording.series.at[next] ?? 0)) - left;
  return h(
    'g',
    { class: 'phase' },
    index > 0 && h('line', { x1: left, x2: left, y1: 0, y2: height }),
    room > 6 * phase.length + 12 && h('text', { x: left + 7, y: 11 }, phase),
  );
}

/** @param {{plot: typeof PLOTS[number], recording: Recording, x: (at: number) => number, width: number, top: number}} props */
function Plot({ plot: { name, title, words, most }, recording, x, width, top }) {
  const values = recording.series[name];
  const highest = most ?? Math.max(values.reduce((max, value) => Math.max(max, value), 0), Number.MIN_VALUE);
  const y = scaleLinear([0, highest], [top + ROW - 6, top + HEAD + 4]);
  const limit = `up to ${words(highest === Number.MIN_VALUE ? 0 : highest)}`;
  const hasRoom = LETTER * (title.length + limit.length + FIGURE) < width;
  return h(
    'g',
    { class: 'plot' },
    h('line', { class: 'base', x1: 0, x2: width, y1: top + ROW - 6, y2: top + ROW - 6 }),
    h('path', { class: 'series', d: stepPath(recording.series.at, values, x, y) }),
    h('text', { class: 'plot-title', x: 0, y: top + 13 }, title, hasRoom && h('tspan', { class: 'plot-most', dx: 8 }, limit)),
    h('text', { class: 'plot-value', x: width, y: top + 13, 'data-value': name }, words(values[0] ?? 0)),
  );
}

/**
 * A step line; for each pixel, the minimum, the maximum and the last value.
 * @param {number[]} times
 * @param {number[]} values
 * @param {(at: number) => number} x
 * @param {(value: number) => number} y
 */
export function stepPath(times, values, x, y) {
  const parts = [`M${x(0).toFixed(1)} ${y(0).toFixed(1)}`];
  for (let at = 0; at < times.length; ) {
    const left = Math.round(x(times[at] ?? 0));
    let [least, most] = [Infinity, -Infinity];
    while (at < times.length && Math.round(x(times[at] ?? 0)) === left) {
      least = Math.min(least, values[at] ?? 0);
      most = Math.max(most, values[at] ?? 0);
      at += 1;
    }
    const last = values[at - 1] ?? 0;
    parts.push(`H${left}`);
    if (least < last && most > last) parts.push(`V${y(least).toFixed(1)}`, `V${y(most).toFixed(1)}`);
    else if (least < last) parts.push(`V${y(least).toFixed(1)}`);
    else if (most > last) parts.push(`V${y(most).toFixed(1)}`);
    parts.push(`V${y(last).toFixed(1)}`);
  }
  return parts.join('');
}

const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 28_800].map((seconds) => seconds * 1000);

/** @param {{x: (at: number) => number, width: number, top: number, end: number}} props */
function Axis({ x, width, top, end }) {
  const room = Math.max(2, Math.floor(width / 90));
  const step = STEPS.find((each) => end / each <= room) ?? end;
  const ticks = Array.from({ length: Math.floor(end / step) + 1 }, (_, index) => index * step);
  return h(
    'g',
    { class: 'time-axis' },
    ticks.map((at) =>
      h(
        'g',
        { key: at, transform: `translate(${x(at)} ${top})` },
        h('line', { y2: 5 }),
        h('text', { y: 17, class: anchorOf(x(at), width) }, clock(at).replace(/(?<=m) 0 s$/, '')),
      ),
    ),
  );
}

/** @param {number} left @param {number} width */
function anchorOf(left, width) {
  if (left < 24) return 'from-left';
  return left > width - 24 ? 'from-right' : '';
}
