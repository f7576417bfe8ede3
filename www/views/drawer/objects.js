/** The objects of the input. */
import { h } from 'preact';

export function ObjectsTab() {
  return h('p', { class: 'quiet' }, 'Not there yet.');
}
