/** Text of the core, in which backticks mark literals. */
import { h } from 'preact';

/** @param {{text: string}} props */
export function Prose({ text }) {
  return text.split('`').map((part, index) => (index % 2 === 1 ? h('code', { key: index }, part) : part));
}
