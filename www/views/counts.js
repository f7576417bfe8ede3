/**
 * The number of pods: a slider with a mark at every count for which hints work, and buttons for one more or less.
 * @import {Actions, Glance, Legend} from '../types.js'
 */
import { h } from 'preact';
import { counted } from '../model/text.js';

/**
 * Further steps count from the last one, even if its answer is pending.
 * @param {{glance: Glance, wanted: number, actions: Actions}} props
 */
export function Stepper({ glance: { ready }, wanted, actions }) {
  const disabled = ready === 0;
  return h(
    'div',
    { class: 'stepper', role: 'group', 'aria-label': 'Number of pods' },
    h(
      'button',
      { type: 'button', class: 'icon', 'aria-label': 'One pod fewer', disabled: disabled || wanted <= 1, onClick: () => actions.onScale(wanted - 1) },
      '−',
    ),
    h('output', { class: 'stepper-value' }, counted(ready, 'pod')),
    h('button', { type: 'button', class: 'icon', 'aria-label': 'One pod more', disabled, onClick: () => actions.onScale(wanted + 1) }, '+'),
  );
}

/**
 * While the answer is pending, the thumb stays where the user put it.
 * @param {{glance: Glance, words: Legend['hints'], wanted: number, actions: Actions}} props
 */
export function Slider({ glance, words, wanted, actions }) {
  const { ready, counts, range: [least, most] } = glance;
  const works = counts.find((each) => each.ready === ready)?.works;
  const told = works === undefined ? [] : [works ? words.on : words.off];
  return h(
    'div',
    { class: 'slider', style: { '--steps': most - least } },
    h('input', {
      type: 'range',
      min: least,
      max: most,
      step: 1,
      value: wanted,
      disabled: ready === 0,
      'aria-label': 'Pods of the Service',
      'aria-valuetext': [counted(ready, 'pod'), ...told].join('. '),
      onInput: (/** @type {Event} */ event) => actions.onScale(/** @type {HTMLInputElement} */ (event.currentTarget).valueAsNumber),
    }),
    h(
      'ol',
      { class: 'ticks', 'aria-label': counts.length > 0 ? 'Counts of ready pods' : undefined, role: counts.length > 0 ? undefined : 'presentation' },
      Array.from({ length: most - least + 1 }, (_, index) => least + index).map((count) =>
        h(Tick, { key: count, count, works: counts.find((each) => each.ready === count)?.works, now: count === ready }),
      ),
    ),
  );
}

/** @param {{count: number, works: boolean | undefined, now: boolean}} props */
function Tick({ count, works, now }) {
  const kind = works === undefined ? '' : works ? ' works' : ' fails';
  return h(
    'li',
    { class: `tick${kind}${now ? ' now' : ''}` },
    works !== undefined && h('span', { class: 'tick-sign' }, works ? '✓' : '✗'),
    h('span', { class: 'tick-count' }, count),
  );
}
