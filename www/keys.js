/**
 * Keyboard shortcuts for the whole page. Those with a modifier always work; single keys only outside fields
 * and dialogs, and only if they are not turned off.
 * @import {Actions} from './types.js'
 * @import {Store} from './store.js'
 */
import { COMMANDS } from './commands.js';

const FIELDS = 'input:not([type=checkbox], [type=radio], [type=range], [type=button]), textarea, select, [contenteditable], .code-editor';
/** The field whose changes the store undoes; in all others, the browser handles undo. */
const INPUT = '#input, .code-editor';

/** Whether the event is in a text field. @param {Event} event */
export function isField(event) {
  // The editor is in a shadow root; from outside, it is a single element.
  const [target] = event.composedPath();
  return target instanceof Element && (target.closest(FIELDS) !== null || isIn(event, FIELDS));
}

/** @param {Event} event @param {string} selector */
function isIn(event, selector) {
  return event.target instanceof Element && event.target.closest(selector) !== null;
}

/** A key, spelled as in the table of commands. @param {KeyboardEvent} event */
export function keyName(event) {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (event.altKey) return '';
  if (!event.ctrlKey && !event.metaKey) return event.key;
  return `mod+${event.shiftKey ? 'shift+' : ''}${key}`;
}

/** A key as shown to users. @param {string} name */
export function keyLabel(name) {
  const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
  const parts = name
    .split(/\+(?!$)/)
    .map((part) => (part === 'mod' ? (isMac ? '⌘' : 'Ctrl') : part === 'shift' ? (isMac ? '⇧' : 'Shift') : part.toUpperCase()));
  return parts.join(isMac ? '' : '+');
}

/** @param {Store} store @param {Actions} actions */
export function listenForKeys(store, actions) {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    const name = keyName(event);
    const command = COMMANDS.find(({ keys }) => keys?.includes(name));
    if (!command || !isMeant(event, name, command.id, store.state)) return;
    event.preventDefault();
    if (!command.isOff?.(store.state)) void command.run(actions, store.state);
  });
}

/** @param {KeyboardEvent} event @param {string} name @param {string} id @param {import('./types.js').AppState} state */
function isMeant(event, name, id, { singleKeys, dialog }) {
  if (id === 'palette') return true;
  if (dialog !== '') return false;
  if (name.startsWith('mod+')) return !isField(event) || isIn(event, INPUT);
  return singleKeys && !isField(event);
}
