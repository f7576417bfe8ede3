/** A text area that reports its content when typing pauses or ends. */
import { h } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

const PAUSE = 250;

/** @param {{text: string, rows: number, onText: (text: string) => void, placeholder?: string, id?: string}} props */
export function Area({ text, rows, onText, placeholder, id }) {
  const [draft, setDraft] = useState(text);
  const timer = useRef(0);
  const latest = useRef(onText);
  latest.current = onText;
  // Before the browser hands over the next input: an effect after painting would undo what was typed until then.
  useLayoutEffect(() => {
    clearTimeout(timer.current);
    setDraft(text);
    return () => clearTimeout(timer.current);
  }, [text]);
  /** @param {Event} event @param {number} [pause] */
  const typed = (event, pause = PAUSE) => {
    const { value } = /** @type {HTMLTextAreaElement} */ (event.currentTarget);
    setDraft(value);
    clearTimeout(timer.current);
    if (pause > 0) timer.current = window.setTimeout(() => latest.current(value), pause);
    else if (value !== text) onText(value);
  };
  // Leaving the field reports at once, so that the next action builds on the typed text.
  return h('textarea', { id, rows, spellcheck: false, autocomplete: 'off', value: draft, placeholder, onInput: typed, onChange: (/** @type {Event} */ event) => typed(event, 0) });
}
