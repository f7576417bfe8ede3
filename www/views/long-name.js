/**
 * A name that is cut in its middle if there is no room: names of one place often differ at their ends only.
 */
import { h } from 'preact';

/** The part that is always shown. */
const END = 6;

/** @param {{name: string}} props */
export function LongName({ name }) {
  const end = name.length > 2 * END ? END : 0;
  const [head, tail] = [name.slice(0, name.length - end), name.slice(name.length - end)];
  return h('span', { class: 'long-name' }, h('span', null, head), tail);
}
