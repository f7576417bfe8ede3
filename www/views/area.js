/** A text area that reports its content when typing pauses. */
import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

const PAUSE = 250;

/** @param {{text: string, rows: number, onText: (text: string) => void, placeholder?: string, id?: string}} props */
export function Area({ text, rows, onText, placeholder, id }) {
  const [draft, setDraft] = useState(text);
  const timer = useRef(0);
  useEffect(() => {
    clearTimeout(timer.current);
    setDraft(text);
  }, [text]);
  /** @param {Event} event */
  const typed = (event) => {
    const { value } = /** @type {HTMLTextAreaElement} */ (event.currentTarget);
    setDraft(value);
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => onText(value), PAUSE);
  };
  return h('textarea', { id, rows, spellcheck: false, autocomplete: 'off', value: draft, placeholder, onInput: typed });
}
