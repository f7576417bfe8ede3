/**
 * The way in: how to print a cluster, and where to put what was printed.
 * @import {Actions} from '../types.js'
 */
import { h } from 'preact';
import { useState } from 'preact/hooks';
import { KUBECTL } from '../model/text.js';
import { CopyField } from './copy-field.js';
import { Dialog } from './dialog.js';
import { dropHandlers } from './drawer/drop.js';
import { OpenButton } from './open-button.js';
import '../styles/commands.css';

/** @param {{actions: Actions}} props */
export function PasteDialog({ actions }) {
  const [dragging, setDragging] = useState(false);
  const close = () => actions.onDialog('');
  /** @param {File} file */
  const onFile = (file) => {
    close();
    void actions.onFile(file);
  };
  /** @param {string} text */
  const onText = (text) => {
    close();
    actions.onText(text, { label: 'Paste' });
  };
  /** What is pasted becomes the input at once; a long text would block the field. @param {ClipboardEvent} event */
  const pasted = (event) => {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (text === '') return;
    event.preventDefault();
    onText(text);
  };
  return h(
    Dialog,
    { title: 'Paste your cluster', kind: 'paste', onClose: close },
    h(
      'section',
      { class: 'share-part', 'aria-labelledby': 'paste-print' },
      h('h3', { id: 'paste-print' }, '1. Print it'),
      h(CopyField, { label: 'Command', button: 'Copy the command', text: KUBECTL }),
      h('p', { class: 'quiet' }, 'For one namespace, use ', h('code', null, '-n NAME'), ' instead of ', h('code', null, '-A'), '. YAML works, too.'),
    ),
    h(
      'section',
      { class: 'share-part', 'aria-labelledby': 'paste-here', ...dropHandlers(setDragging, onFile, onText) },
      h('h3', { id: 'paste-here' }, '2. Paste it, or drop the file'),
      h('textarea', {
        class: dragging ? 'dragging' : undefined,
        autofocus: true,
        spellcheck: false,
        'aria-labelledby': 'paste-here',
        'aria-describedby': 'paste-private',
        placeholder: 'Paste here, or anywhere on the page',
        onPaste: pasted,
        onChange: (/** @type {Event} */ event) => onText(/** @type {HTMLTextAreaElement} */ (event.currentTarget).value),
      }),
      h('div', { class: 'buttons' }, h(OpenButton, { onFile })),
      h('p', { id: 'paste-private' }, 'Nothing leaves this browser: the page has no server, and plans in the browser itself.'),
    ),
  );
}
