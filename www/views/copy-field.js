/** A text to select or copy. */
import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** @param {{label: string, button: string, text: string}} props */
export function CopyField({ label, button, text }) {
  const [copied, setCopied] = useState('');
  useEffect(() => setCopied(''), [text]);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied('Copied.'),
      () => setCopied('The browser did not allow it; select the text and copy it.'),
    );
  return [
    h('textarea', {
      readonly: true,
      'aria-label': label,
      value: text,
      spellcheck: false,
      onFocus: (/** @type {Event} */ event) => /** @type {HTMLTextAreaElement} */ (event.currentTarget).select(),
    }),
    h(
      'div',
      { class: 'buttons' },
      h('button', { type: 'button', onClick: copy }, button),
      h('span', { class: 'quiet', role: 'status' }, copied),
    ),
  ];
}
