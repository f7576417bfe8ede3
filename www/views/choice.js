/** A labelled list of a few values. */
import { h } from 'preact';

/**
 * @param {object} props
 * @param {import('preact').ComponentChildren} props.label
 * @param {string} props.value
 * @param {readonly (readonly [string, string])[]} props.options value and words
 * @param {(value: string) => void} props.onChoose
 * @param {boolean} [props.stacked] with the label above the list
 */
export function Choice({ label, value, options, onChoose, stacked = false }) {
  return h(
    'label',
    { class: stacked ? 'choice stacked-choice' : 'choice' },
    h('span', null, label),
    h(
      'select',
      { value, onChange: (/** @type {Event} */ event) => onChoose(/** @type {HTMLSelectElement} */ (event.currentTarget).value) },
      options.map(([id, name]) => h('option', { key: id, value: id }, name)),
    ),
  );
}
