/**
 * The gallery: what each example teaches, and where it comes from.
 * @import {Example} from '../samples/index.js'
 * @import {Actions, AppState} from '../types.js'
 */
import { h } from 'preact';
import { EXAMPLES } from '../samples/index.js';
import { Dialog } from './dialog.js';

/** @param {{state: AppState, actions: Actions}} props */
export function ExamplesDialog({ state, actions }) {
  /** @param {string} id */
  const choose = (id) => {
    actions.onDialog('');
    actions.onExample(id);
  };
  return h(
    Dialog,
    { title: `${EXAMPLES.length} examples`, kind: 'wide', onClose: () => actions.onDialog('') },
    h('ul', { class: 'gallery' }, EXAMPLES.map((each) => h(Card, { key: each.id, example: each, active: each.id === state.example, onExample: choose }))),
  );
}

/** @param {{example: Example, active: boolean, onExample: (id: string) => void}} props */
function Card({ example, active, onExample }) {
  return h(
    'li',
    { class: active ? 'card active' : 'card' },
    h('button', { type: 'button', 'aria-current': active ? 'true' : undefined, onClick: () => onExample(example.id) }, example.title),
    h('p', null, example.teaches),
    h('a', { class: 'source', href: example.source.url, rel: 'noreferrer', target: '_blank' }, `From ${example.source.label}`),
  );
}
