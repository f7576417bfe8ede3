/**
 * The code editor in a view.
 * @import {CodeEditor, Subject} from '../editor/code-editor.js'
 * @import {Actions} from '../types.js'
 */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/**
 * Null until it has loaded. Text typed into the text area beside it meanwhile continues at the cursor.
 * @param {{current: HTMLDivElement | null}} host
 * @param {{text: string, subject: Subject, onText: (text: string) => void, actions: Actions}} props
 */
export function useEditor(host, { text, subject, onText, actions }) {
  const [editor, setEditor] = useState(/** @type {CodeEditor | null} */ (null));
  /** The cursor position in the text area. */
  const cursor = useRef(/** @type {{anchor: number, head: number} | null} */ (null));
  const latest = useRef({ text, onText });
  latest.current = { text, onText };
  // It must know that it goes before it loses the focus with that, to which it would report what was typed.
  useLayoutEffect(() => {
    /** @type {CodeEditor | null} */
    let made = null;
    let gone = false;
    const come = async () => {
      const module = await import(/* webpackChunkName: "editor" */ '../editor/code-editor.js');
      if (gone || !host.current) return;
      const area = /** @type {HTMLTextAreaElement | null} */ (host.current.parentElement?.querySelector('textarea'));
      const { onUndo, onRedo } = actions;
      const handlers = { onText: (/** @type {string} */ typed) => latest.current.onText(typed), onUndo, onRedo };
      made = new module.CodeEditor(host.current, area && !area.readOnly ? area.value : latest.current.text, subject, handlers);
      if (area && area === document.activeElement) cursor.current = { anchor: area.selectionStart, head: area.selectionEnd };
      setEditor(made);
    };
    // Without it, the text area stays.
    come().catch(() => {});
    return () => {
      gone = true;
      made?.destroy();
    };
  }, []);
  // Once it is shown, and before the next key.
  useLayoutEffect(() => {
    if (!editor) return undefined;
    if (cursor.current) editor.focus(cursor.current.anchor, cursor.current.head);
    return actions.onDraft(() => editor.flush());
  }, [editor]);
  return editor;
}
