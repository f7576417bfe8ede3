/**
 * The export menu, from the table of commands.
 * @import {Actions, AppState, Theme} from '../types.js'
 */
import { h } from 'preact';
import { useState } from 'preact/hooks';
import { EXPORTS } from '../commands.js';
import { Dialog } from './dialog.js';
import '../styles/commands.css';

/** @type {[Theme, string][]} */
const COLOURS = [
  ['light', 'light'],
  ['dark', 'dark'],
];

/** @param {{state: AppState, actions: Actions}} props */
export function ExportDialog({ state, actions }) {
  const [theme, setTheme] = useState(/** @type {Theme} */ (state.theme === 'dark' ? 'dark' : 'light'));
  /** @type {Actions} */
  const chosen = { ...actions, onPicture: (kind) => actions.onPicture(kind, theme) };
  return h(
    Dialog,
    { title: `Export ${state.model?.key ?? ''}`, kind: 'export', onClose: () => actions.onDialog('') },
    state.stale && h('p', { class: 'notice' }, 'The input has an error: exports show the last valid plan.'),
    h(
      'div',
      { class: 'export-list' },
      EXPORTS.map(({ id, title, note, run }) =>
        h(
          'button',
          { key: id, type: 'button', disabled: !state.model, onClick: () => run(chosen, state) },
          h('span', null, title),
          h('span', { class: 'quiet' }, note),
        ),
      ),
    ),
    h(
      'fieldset',
      { class: 'export-colours' },
      h('legend', null, 'Colours of the picture'),
      COLOURS.map(([value, name]) =>
        h(
          'label',
          { key: value },
          h('input', { type: 'radio', name: 'colours', checked: theme === value, onChange: () => setTheme(value) }),
          ` ${name}`,
        ),
      ),
    ),
  );
}
