/**
 * The outcome of an example as a small picture: its slices, a line for each, with the letter of each endpoint's zone and below it that
 * of its hint, and the same in figures. It comes with the gallery, from the plans of the examples (`gallery/pictures.mjs`).
 * @import {Picture} from '../gallery/pictures.mjs'
 */
import { h } from 'preact';
import { counted, writeWords } from '../model/text.js';
import pictures from '../gallery/pictures.json' with { type: 'json' };

const SIZE = 13;
const PITCH = 15;
const HINT = 9;
const SIGN = 14;
const COLUMNS = 16;
const ROW_GAP = 4;
/** Characters for an endpoint. */
const CODE = 4;
/** @type {Record<string, string>} */
const SIGNS = { created: '+', updated: '≠', deleted: '−' };
/** @type {Record<string, string>} */
const STATES = { r: 'ready', p: 'published', n: 'notReady', d: 'draining', s: 'stopped' };
/** @type {Record<string, string>} */
const CHANGES = { a: 'added', r: 'removed' };
const NODE_HINTS = 'abcdefgh';

/** @type {Record<string, Picture | undefined>} */
const PICTURES = /** @type {Record<string, any>} */ (pictures);

/** @param {{example: string}} props */
export function Outcome({ example }) {
  const picture = PICTURES[example];
  if (!picture) return null;
  const { writes, before, after, hints } = picture;
  const written = writes.created + writes.updated + writes.deleted === 0 ? 'nothing to write' : writeWords(writes);
  const endpoints = before === after ? counted(after, 'endpoint') : `${before} → ${counted(after, 'endpoint')}`;
  return h('div', { class: 'outcome' }, h(Drawing, { picture }), h('p', { class: 'figures' }, `${written} · ${endpoints} · ${hints}`));
}

/** @param {{picture: Picture}} props */
function Drawing({ picture }) {
  /** @type {import('preact').ComponentChild[]} */
  const drawn = [];
  let y = 0;
  for (const { change, cells } of picture.rows) {
    const codes = cells.match(/.{4}/g) ?? [];
    const height = SIZE + (codes.some((code) => code[CODE - 1] !== '-') ? HINT : 0) + 2;
    drawn.push(h('text', { class: 'write-sign', x: SIGN / 2 - 2, y: y + SIZE / 2 }, SIGNS[change] ?? ''));
    for (const [at, code] of codes.entries()) {
      const place = [SIGN + (at % COLUMNS) * PITCH, y + Math.floor(at / COLUMNS) * height];
      drawn.push(h('g', { class: change, transform: `translate(${place.join(' ')})` }, h(Cell, { code, picture })));
    }
    // A slice without endpoints is an empty place.
    if (codes.length === 0) drawn.push(h('rect', { class: 'empty', x: SIGN, y, width: SIZE, height: SIZE, rx: 3 }));
    y += Math.max(1, Math.ceil(codes.length / COLUMNS)) * height + ROW_GAP;
  }
  const [width, height] = [SIGN + COLUMNS * PITCH, Math.max(SIZE, y)];
  return h('svg', { width, height, viewBox: `-1 -1 ${width + 2} ${height}`, 'aria-hidden': 'true' }, drawn);
}

/** @param {{code: string, picture: Picture}} props */
function Cell({ code, picture: { letters, hues } }) {
  const [zone = '', state = '', change = '', hint = ''] = code;
  const isOfNode = NODE_HINTS.includes(hint);
  const hinted = letters[isOfNode ? NODE_HINTS.indexOf(hint) : Number(hint)];
  const classes = ['endpoint', STATES[state] ?? '', CHANGES[change] ?? '', zone === '-' ? 'z-none' : `z${hues[Number(zone)]}`];
  return h(
    'g',
    { class: classes.join(' ') },
    h('rect', { width: SIZE, height: SIZE, rx: 3 }),
    h('text', { x: SIZE / 2, y: SIZE / 2 }, letters[Number(zone)] ?? '–'),
    change === 'r' && h('path', { d: `M0 ${SIZE}L${SIZE} 0` }),
    hinted && h('text', { class: 'hint', x: SIZE / 2, y: SIZE + HINT / 2 + 1 }, `${isOfNode ? '»' : '›'}${hinted}`),
  );
}
