/**
 * The help sheet: all keys, from the table of commands, and the keys of the pictures.
 * @import {Actions, AppState} from '../types.js'
 */
import { h } from 'preact';
import { COMMANDS } from '../commands.js';
import { keyLabel } from '../keys.js';
import { Dialog } from './dialog.js';
import '../styles/commands.css';

/** @type {[string, string][]} */
const PLACES = [
  ['Arrows, Home, End, Page Up, Page Down', 'In a slice, from cell to cell; in lists, tabs and sliders, from one to the next'],
  ['Enter or Space', 'In a slice, open the details of the cell'],
  ['Escape', 'Close what is open'],
  ['Tab', 'The next control; a slice, a list and the tabs are one stop each'],
];

/** Keys of the editor, which has its own. @type {[string, string][]} */
const IN_TEXT = [
  ['Ctrl+Space', 'Propose fields and values'],
  ['F1', 'Explain the field at the cursor'],
  ['F8', 'The next mark'],
];

/** @param {{state: AppState, actions: Actions}} props */
export function KeysDialog({ state, actions }) {
  const withKeys = COMMANDS.filter(({ keys }) => keys);
  const sections = [...new Set(withKeys.map(({ section }) => section))];
  return h(
    Dialog,
    { title: 'Keyboard shortcuts', kind: 'keys', onClose: () => actions.onDialog('') },
    h(
      'label',
      { class: 'single-keys' },
      h('input', {
        type: 'checkbox',
        checked: state.singleKeys,
        onChange: (/** @type {Event} */ event) => actions.onSingleKeys(/** @type {HTMLInputElement} */ (event.currentTarget).checked),
      }),
      ' Single-key shortcuts (ignored while you type)',
    ),
    sections.map((section) => [
      h('h3', { key: section }, section),
      h(
        'table',
        { class: 'keys-table' },
        h(
          'tbody',
          null,
          withKeys
            .filter((command) => command.section === section)
            .map((command) => h(Row, { key: command.id, names: command.keys ?? [], title: command.title })),
        ),
      ),
    ]),
    h('h3', null, 'In the text'),
    h(Places, { places: IN_TEXT }),
    h('h3', null, 'In the picture'),
    h(Places, { places: PLACES }),
  );
}

/** @param {{places: [string, string][]}} props */
function Places({ places }) {
  const rows = places.map(([keys, title]) => h('tr', { key: keys }, h('th', { scope: 'row' }, keys), h('td', null, title)));
  return h('table', { class: 'keys-table' }, h('tbody', null, rows));
}

/** @param {{names: string[], title: string}} props */
function Row({ names, title }) {
  const keys = names.flatMap((name, index) => [index > 0 && ' or ', h('kbd', { key: name }, keyLabel(name))]);
  return h('tr', null, h('th', { scope: 'row' }, keys), h('td', null, title));
}
