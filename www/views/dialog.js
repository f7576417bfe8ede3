/**
 * A modal dialog: focus stays inside and returns afterwards; Escape or a click outside closes it.
 */
import { h } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

/**
 * @param {object} props
 * @param {string} props.title
 * @param {() => void} props.onClose
 * @param {string} [props.kind] a class of its own
 * @param {import('preact').ComponentChildren} [props.children]
 */
export function Dialog({ title, onClose, kind = '', children }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useLayoutEffect(() => dialog.current?.showModal(), []);
  useEffect(() => () => dialog.current?.close(), []);
  /** @param {Event} event */
  const beside = (event) => event.target === dialog.current && onClose();
  /** @param {Event} event */
  const cancelled = (event) => {
    event.preventDefault();
    onClose();
  };
  return h(
    'dialog',
    { ref: dialog, class: `dialog ${kind}`, 'aria-labelledby': 'dialog-title', onClick: beside, onCancel: cancelled },
    h(
      'div',
      { class: 'dialog-body' },
      h(
        'div',
        { class: 'dialog-head' },
        h('h2', { id: 'dialog-title' }, title),
        h('button', { type: 'button', class: 'icon', 'aria-label': 'Close', onClick: onClose }, '✕'),
      ),
      children,
    ),
  );
}
