/**
 * The gallery: what each example teaches, its outcome, and where it comes from, by theme.
 * @import {Example} from '../samples/index.js'
 * @import {Actions, AppState} from '../types.js'
 */
import { h } from 'preact';
import { useState } from 'preact/hooks';
import { EXAMPLES } from '../samples/index.js';
import { Dialog } from './dialog.js';
import { Outcome } from './outcome.js';
import '../styles/examples.css';

/** @param {{state: AppState, actions: Actions}} props */
export function ExamplesDialog({ state, actions }) {
  const [find, setFind] = useState('');
  const words = find.toLowerCase().split(/\s+/);
  const found = EXAMPLES.filter(({ title, teaches, theme, source, id }) => {
    const text = `${title} ${teaches} ${theme} ${source.label} ${id}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const themes = [...new Set(found.map(({ theme }) => theme))];
  /** @param {string} id */
  const choose = (id) => {
    actions.onDialog('');
    actions.onExample(id);
  };
  return h(
    Dialog,
    { title: `${EXAMPLES.length} examples`, kind: 'wide examples', onClose: () => actions.onDialog('') },
    h(
      'div',
      { class: 'gallery-head' },
      h('input', {
        ...{ type: 'search', 'aria-label': 'Search examples', placeholder: 'Search titles, lessons, issues', value: find },
        onInput: (/** @type {Event} */ event) => setFind(/** @type {HTMLInputElement} */ (event.currentTarget).value),
      }),
      h('p', { class: 'quiet', role: 'status' }, `${found.length} of ${EXAMPLES.length}`),
    ),
    themes.map((theme) => [
      h('h3', { key: `${theme}-title`, class: 'gallery-theme' }, theme),
      h(
        'ul',
        { key: theme, class: 'gallery', 'aria-label': theme },
        found
          .filter((each) => each.theme === theme)
          .map((each) => h(Card, { key: each.id, example: each, active: each.id === state.example, onExample: choose })),
      ),
    ]),
  );
}

/** @param {{example: Example, active: boolean, onExample: (id: string) => void}} props */
function Card({ example, active, onExample }) {
  return h(
    'li',
    { class: active ? 'card active' : 'card' },
    h('button', { type: 'button', 'aria-current': active ? 'true' : undefined, onClick: () => onExample(example.id) }, example.title),
    h('p', null, example.teaches),
    h(Outcome, { example: example.id }),
    h('a', { class: 'source', href: example.source.url, rel: 'noreferrer', target: '_blank' }, `From ${example.source.label}`),
  );
}
