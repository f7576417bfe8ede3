/**
 * The card that says everything about one endpoint. It follows the pointer and the keyboard, and stays when
 * it was asked to.
 * @import {Cell, Zone} from '../types.js'
 */
import { h } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { CHANGE_WORDS, STATE_WORDS } from '../model/cells.js';
import { hintWords } from '../model/text.js';
import { letterOf, zoneClass } from '../model/zones.js';

const MARGIN = 8;

/** @typedef {{cell: Cell, anchor: Element, pinned: boolean}} Show */

/**
 * @param {object} props
 * @param {Show} props.show
 * @param {Zone[]} props.zones
 * @param {() => void} props.onClose
 * @param {(inside: boolean) => void} props.onHover
 */
export function Details({ show, zones, onClose, onHover }) {
  const card = useRef(/** @type {HTMLDivElement | null} */ (null));
  useLayoutEffect(() => placeBeside(card.current, show.anchor), [show]);
  const { cell } = show;
  return h(
    'div',
    {
      ref: card,
      class: show.pinned ? 'details pinned' : 'details',
      role: 'group',
      'aria-label': 'Endpoint',
      onPointerEnter: () => onHover(true),
      onPointerLeave: () => onHover(false),
    },
    h(
      'div',
      { class: 'details-head' },
      h('span', { class: `swatch ${zoneClass(zones, cell.zone)}`, 'aria-hidden': 'true' }, letterOf(zones, cell.zone)),
      h('strong', null, cell.target || cell.addresses[0] || 'Endpoint'),
      show.pinned && h('button', { type: 'button', 'aria-label': 'Close the details', onClick: onClose }, '✕'),
    ),
    h('dl', null, facts(cell).map(([term, value]) => [h('dt', { key: term }, term), h('dd', null, value)])),
    cell.fields.length > 0 && h(Changes, { cell }),
  );
}

/** @param {Cell} cell @returns {[string, string][]} */
function facts(cell) {
  /** @type {[string, string][]} */
  const all = [
    ['Plan', changeWords(cell)],
    ['State', STATE_WORDS[cell.state]],
    ['Conditions', cell.conditions],
    ['Address', cell.addresses.join(', ')],
    ['Host name', cell.hostname],
    ['Node', cell.node],
    ['Zone', cell.zone || 'none'],
    ['Hint', hintWords(cell) || 'none'],
  ];
  return all.filter(([, value]) => value !== '');
}

/** @param {Cell} cell */
function changeWords(cell) {
  if (cell.change === 'moved') return `moved, other slice: ${cell.other}`;
  return CHANGE_WORDS[cell.change];
}

/** @param {{cell: Cell}} props */
function Changes({ cell }) {
  return h(
    'ul',
    { class: 'changes' },
    cell.fields.map(({ field, before, after }) => h('li', { key: field }, `${field}: `, h('del', null, before), ' → ', h('ins', null, after))),
  );
}

/**
 * Below the cell if there is room, else above it; always within the window.
 * @param {HTMLElement | null} card
 * @param {Element} anchor
 */
function placeBeside(card, anchor) {
  if (!card) return;
  const cell = anchor.getBoundingClientRect();
  const { width, height } = card.getBoundingClientRect();
  const room = document.documentElement.clientWidth;
  const left = Math.min(Math.max(MARGIN, cell.left + cell.width / 2 - width / 2), room - width - MARGIN);
  const below = cell.bottom + MARGIN;
  const above = cell.top - height - MARGIN;
  const top = below + height > innerHeight && above > 0 ? above : below;
  card.style.left = `${Math.max(0, left) + scrollX}px`;
  card.style.top = `${top + scrollY}px`;
}
