/**
 * The plan, the picture, the report.
 * @import {Actions, AppState} from '../types.js'
 */
import { h } from 'preact';
import { Dialog } from './dialog.js';

/** @param {{state: AppState, actions: Actions}} props */
export function ExportDialog({ actions }) {
  return h(Dialog, { title: 'Export', onClose: () => actions.onDialog('') }, h('p', { class: 'quiet' }, 'Not there yet.'));
}
