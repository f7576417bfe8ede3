/** An input made up. */
import { h } from 'preact';

export function GenerateTab() {
  return h('p', { class: 'quiet' }, 'Not there yet.');
}
