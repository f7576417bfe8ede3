/** A figure with its title. */
import { h } from 'preact';

/** @param {{title: string, value: string, note?: string}} props */
export function Tile({ title, value, note }) {
  return h(
    'li',
    null,
    h('span', { class: 'tile-title' }, title),
    h('span', { class: 'tile-value' }, value),
    note && h('span', { class: 'tile-note' }, note),
  );
}
