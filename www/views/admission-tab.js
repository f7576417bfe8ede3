/** What the webhook would say. */
import { h } from 'preact';

export function AdmissionTab() {
  return h('p', { class: 'quiet' }, 'Not there yet.');
}
