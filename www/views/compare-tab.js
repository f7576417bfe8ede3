/** Two plans side by side. */
import { h } from 'preact';

export function CompareTab() {
  return h('p', { class: 'quiet' }, 'Not there yet.');
}
