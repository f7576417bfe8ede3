/**
 * A text area that reports its content when typing pauses or ends. Until it has, a text from elsewhere, such as one that has
 * only now been loaded, is older than what was typed, and is not shown.
 */
import { h } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

const PAUSE = 250;

/** @param {{text: string, rows: number, onText: (text: string) => void, placeholder?: string, id?: string}} props */
export function Area({ text, rows, onText, placeholder, id }) {
  const [draft, setDraft] = useState(text);
  const timer = useRef(0);
  const latest = useRef({ text, onText });
  latest.current = { text, onText };
  // Before the browser hands over the next input: an effect after painting would undo what was typed until then.
  useLayoutEffect(() => {
    if (timer.current === 0) setDraft(text);
  }, [text]);
  useEffect(() => () => clearTimeout(timer.current), []);
  /** @param {string} value */
  const report = (value) => {
    timer.current = 0;
    if (value !== latest.current.text) latest.current.onText(value);
  };
  /** @param {Event} event @param {number} [pause] */
  const typed = (event, pause = PAUSE) => {
    const { value } = /** @type {HTMLTextAreaElement} */ (event.currentTarget);
    setDraft(value);
    clearTimeout(timer.current);
    if (pause > 0) timer.current = window.setTimeout(() => report(value), pause);
    else report(value);
  };
  // Leaving the field reports at once, so that the next action builds on the typed text.
  return h('textarea', { id, rows, spellcheck: false, autocomplete: 'off', value: draft, placeholder, onInput: typed, onChange: (/** @type {Event} */ event) => typed(event, 0) });
}
