/**
 * A link with all of it.
 * @import {Actions, AppState} from '../types.js'
 */
import { h } from 'preact';
import { Dialog } from './dialog.js';

/** @param {{state: AppState, actions: Actions}} props */
export function ShareDialog({ actions }) {
  return h(Dialog, { title: 'Share', onClose: () => actions.onDialog('') }, h('p', { class: 'quiet' }, 'Not there yet.'));
}
