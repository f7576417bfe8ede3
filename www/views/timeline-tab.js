/** A cluster played forward. */
import { h } from 'preact';

export function TimelineTab() {
  return h('p', { class: 'quiet' }, 'Not there yet.');
}
