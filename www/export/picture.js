/**
 * The picture of a Service as one self-contained SVG: the same marks as on the page, laid out for paper, each
 * with its computed style. It can be converted to PNG.
 * @import {ServiceModel, SliceRow, Theme} from '../types.js'
 * @import {Density} from '../views/geometry.js'
 */
import { h, render } from 'preact';
import { letterOf, zoneClass } from '../model/zones.js';
import { columnsFor, densityFor, layoutOf } from '../views/geometry.js';
import { PatternDefinitions, drawCells, drawFree } from '../views/marks.js';
import { CHANGES, uniformChange } from '../views/slice-card.js';
import '../styles/export.css';

const WIDTH = 1000;
const MARGIN = 24;
const GAP = 40;
const PADDING = 12;
const HALF = (WIDTH - 2 * MARGIN - GAP) / 2;
/** The largest canvas that browsers support. */
const CANVAS_SIDE = 16_000;
const CANVAS_AREA = 100_000_000;

/** The style properties to keep as attributes. */
const STYLES = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'opacity',
  'paint-order',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
  'dominant-baseline',
];
/** Default values, which are omitted. @type {Record<string, string>} */
const DEFAULTS = {
  'stroke-dasharray': 'none',
  opacity: '1',
  'paint-order': 'normal',
  'dominant-baseline': 'auto',
  'text-anchor': 'start',
  stroke: 'none',
};

/** @param {ServiceModel} model @param {Theme} theme @returns {{svg: string, width: number, height: number}} */
export function pictureOf(model, theme) {
  const { nodes, height } = layoutPage(model);
  const host = document.createElement('div');
  host.className = 'export-host';
  if (theme !== 'system') host.dataset.theme = theme;
  document.body.append(host);
  try {
    const size = { width: WIDTH, height, viewBox: `0 0 ${WIDTH} ${height}` };
    const background = h('rect', { class: 'export-ground', width: WIDTH, height });
    render(
      h(
        'svg',
        { xmlns: 'http://www.w3.org/2000/svg', role: 'img', 'aria-label': `${model.key}: ${model.sentence}`, ...size },
        h(PatternDefinitions, null),
        background,
        nodes,
      ),
      host,
    );
    const svg = /** @type {SVGSVGElement} */ (host.firstElementChild);
    settle(svg);
    return { svg: new XMLSerializer().serializeToString(svg), width: WIDTH, height };
  } finally {
    render(null, host);
    host.remove();
  }
}

/** @param {{svg: string, width: number, height: number}} picture @returns {Promise<Blob>} */
export async function pngOf({ svg, width, height }) {
  const scale = Math.min(2, CANVAS_SIDE / height, Math.sqrt(CANVAS_AREA / (width * height)));
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image(width, height);
    image.src = url;
    await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), { width: Math.floor(width * scale), height: Math.floor(height * scale) });
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png'));
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** @param {ServiceModel} model */
function layoutPage(model) {
  const density = densityFor(model.signs.hintZone !== '' || model.signs.nodeHint);
  /** @type {import('preact').VNode<any>[]} */
  const nodes = [text(model.key, MARGIN, 44, 'title'), text(model.sentence, MARGIN, 68, 'words'), ...zoneKey(model, 92)];
  let y = 116;
  /** @param {SliceRow} row */
  const place = (row) => {
    const drawn = drawRow(row, model, density, y);
    nodes.push(...drawn.nodes);
    y += drawn.height + 12;
  };
  for (const group of model.groups) {
    nodes.push(text(`${group.addressType}  ${group.ports}`, MARGIN, y + 14, 'heading'));
    y += 26;
    group.rows.forEach(place);
    y += 8;
  }
  if (model.foreign.length > 0) {
    nodes.push(text('Left alone', MARGIN, y + 14, 'heading'));
    y += 26;
    model.foreign.forEach(place);
  }
  return { nodes, height: y + MARGIN - 12 };
}

/** @param {ServiceModel} model @param {number} y */
function zoneKey(model, y) {
  return model.zoneCounts.flatMap(({ zone, before, after }, index) => {
    const x = MARGIN + index * 200;
    return [
      h('rect', { class: `shape ${zoneClass(model.zones, zone)}`, x, y: y - 14, width: 18, height: 18, rx: 4 }),
      h('text', { class: `letter ${zoneClass(model.zones, zone)}`, x: x + 9, y: y - 5 }, letterOf(model.zones, zone)),
      text(`${zone || 'no zone'} ${before === after ? after : `${before} → ${after}`}`, x + 24, y, 'words'),
    ];
  });
}

/** A slice before and after, or once if it stays. @param {SliceRow} row @param {ServiceModel} model @param {Density} density @param {number} y */
function drawRow(row, model, density, y) {
  if (row.change === 'unchanged' || row.change === 'foreign') {
    return row.after ? drawSlice(row, 'after', model, density, { x: MARGIN, y, width: WIDTH - 2 * MARGIN }) : { nodes: [], height: 0 };
  }
  const before = drawSlice(row, 'before', model, density, { x: MARGIN, y, width: HALF });
  const after = drawSlice(row, 'after', model, density, { x: MARGIN + HALF + GAP, y, width: HALF });
  const height = Math.max(before.height, after.height);
  const arrow = text('→', WIDTH / 2 - 8, y + height / 2 + 5, 'heading');
  return { nodes: [...before.nodes, arrow, ...after.nodes], height };
}

/**
 * @param {SliceRow} row
 * @param {'before' | 'after'} side
 * @param {ServiceModel} model
 * @param {Density} density
 * @param {{x: number, y: number, width: number}} room
 */
function drawSlice(row, side, model, density, { x, y, width }) {
  const view = row[side];
  if (!view) return { nodes: [], height: 0 };
  const { cells } = view;
  const layout = layoutOf(cells.length, model.max, columnsFor(width - 2 * PADDING, density, model.max), density);
  const tag = side === 'after' || row.change === 'deleted' ? CHANGES[row.change] : null;
  const signed = uniformChange(row) === null;
  const drawing = { id: `${side}-${row.id}`, cells, side, zones: model.zones, columns: layout.columns, density, signed };
  const height = layout.height + 46;
  const nodes = [
    h('rect', { class: `export-slice ${tag ? row.change : 'old'}`, x, y, width, height, rx: 8 }),
    text(row.title, x + PADDING, y + 22, 'name'),
    text(`${tag ? `${tag.sign} ${tag.word}, ` : ''}${cells.length} of ${model.max}`, x + width - PADDING, y + 22, 'words end'),
    h('g', { transform: `translate(${x + PADDING} ${y + 34})` }, drawFree(cells.length, layout, density), drawCells(drawing)),
  ];
  return { nodes, height };
}

/** @param {string} words @param {number} x @param {number} y @param {string} kind */
function text(words, x, y, kind) {
  return h('text', { class: `export-text ${kind}`, x, y }, words);
}

/** Converts the style of every element to attributes, and removes what only the page needs. @param {SVGSVGElement} svg */
function settle(svg) {
  /** @type {Map<string, [string, string][]>} */
  const known = new Map();
  const drawn = svg.querySelectorAll('rect, circle, path, text');
  for (const element of drawn) {
    const parents = `${element.parentElement?.getAttribute('class')}|${element.parentElement?.parentElement?.getAttribute('class')}`;
    const key = `${element.tagName}|${element.getAttribute('class')}|${parents}`;
    const styles = known.get(key) ?? stylesOf(element);
    known.set(key, styles);
    for (const [name, value] of styles) element.setAttribute(name, value);
  }
  for (const element of svg.querySelectorAll('*')) {
    const label = element.getAttribute('aria-label');
    if (label) element.append(Object.assign(document.createElementNS(svg.namespaceURI, 'title'), { textContent: label }));
    for (const name of ['class', 'role', 'data-index', 'aria-label', 'aria-hidden']) element.removeAttribute(name);
    if (!element.id.startsWith('hatch-')) element.removeAttribute('id');
  }
}

/** @param {Element} element @returns {[string, string][]} */
function stylesOf(element) {
  const computed = getComputedStyle(element);
  const isText = element.tagName === 'text';
  return STYLES.filter((name) => isText || !/^(font|text|dominant)/.test(name)).flatMap((name) => {
    const value = computed.getPropertyValue(name).replace(/url\("?[^"#]*(#[^")]+)"?\)/, 'url($1)');
    return value === '' || value === DEFAULTS[name] ? [] : [/** @type {[string, string]} */ ([name, value])];
  });
}
