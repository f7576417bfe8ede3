/** A button that opens a file. */
import { h } from 'preact';
import { useRef } from 'preact/hooks';

/** @param {{onFile: (file: File) => void}} props */
export function OpenButton({ onFile }) {
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  /** @param {Event} event */
  const opened = (event) => {
    const target = /** @type {HTMLInputElement} */ (event.currentTarget);
    const file = target.files?.[0];
    if (file) onFile(file);
    target.value = '';
  };
  return [
    h('input', {
      ref: input,
      type: 'file',
      class: 'visually-hidden',
      tabindex: -1,
      'aria-label': 'Input file',
      accept: '.json,.yaml,.yml,.txt,application/json',
      onChange: opened,
    }),
    h('button', { type: 'button', onClick: () => input.current?.click() }, 'Open a file…'),
  ];
}
