/**
 * The keys.
 * @import {Actions, AppState} from '../types.js'
 */
import { h } from 'preact';
import { Dialog } from './dialog.js';

/** @param {{state: AppState, actions: Actions}} props */
export function KeysDialog({ actions }) {
  return h(Dialog, { title: 'Keys', onClose: () => actions.onDialog('') }, h('p', { class: 'quiet' }, 'Not there yet.'));
}
