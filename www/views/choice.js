/** A labelled list of a few values. */
import { h } from 'preact';
import { useState } from 'preact/hooks';

/** The number of labels so far. The page rerenders its root each time, which would restart Preact's own ids. */
let labels = 0;

/**
 * @param {object} props
 * @param {import('preact').ComponentChildren} props.label
 * @param {string} props.value
 * @param {readonly (readonly [string, string])[]} props.options value and words
 * @param {(value: string) => void} props.onChoose
 * @param {boolean} [props.stacked] with the label above the list
 */
export function Choice({ label, value, options, onChoose, stacked = false }) {
  const [labelId] = useState(() => {
    labels += 1;
    return `choice-${labels}`;
  });
  return h(
    'label',
    { class: stacked ? 'choice stacked-choice' : 'choice' },
    h('span', { id: labelId }, label),
    h(
      'select',
      {
        'aria-labelledby': labelId,
        value,
        onChange: (/** @type {Event} */ event) => onChoose(/** @type {HTMLSelectElement} */ (event.currentTarget).value),
      },
      options.map(([id, name]) => h('option', { key: id, value: id }, name)),
    ),
  );
}
