/**
 * Everything that can be done, by name.
 * @import {Actions, AppState} from '../types.js'
 */
import { h } from 'preact';
import { Dialog } from './dialog.js';

/** @param {{state: AppState, actions: Actions}} props */
export function Palette({ actions }) {
  return h(Dialog, { title: 'Commands', onClose: () => actions.onDialog('') }, h('p', { class: 'quiet' }, 'Not there yet.'));
}
