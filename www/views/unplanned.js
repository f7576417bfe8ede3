/**
 * Services of the input without a plan, and the core's reason for each.
 * @import {Actions, Overview} from '../types.js'
 */
import { h } from 'preact';
import { counted } from '../model/text.js';
import { useAnswer } from './answer.js';
import { Prose } from './prose.js';

/** Beyond this number, Services are only counted. */
const TOLD = 20;

/** @param {{overview: Overview, actions: Actions}} props */
export function Unplanned({ overview, actions }) {
  const { skipped } = overview;
  const told = skipped.slice(0, TOLD);
  const answer = useAnswer(() => actions.engine.headlines(told), overview);
  const left = skipped.length - told.length;
  return h(
    'ul',
    { class: 'unplanned', 'aria-busy': answer && !answer.stale ? 'false' : 'true' },
    told.map((key, index) => h('li', { key }, h('code', null, key), ' ', h(Prose, { text: answer?.value?.[index] ?? '' }))),
    left > 0 && h('li', { class: 'quiet' }, `and ${counted(left, 'more Service')}`),
  );
}
