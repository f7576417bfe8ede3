/**
 * A text area that reports its content when typing pauses or ends. Until it has, a text from elsewhere, such as one that has
 * only now been loaded, is older than what was typed, and is not shown.
 * @import {Actions} from '../types.js'
 */
import { h } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

const PAUSE = 250;

/** @param {{text: string, rows: number, actions: Actions, onText: (text: string) => void, placeholder?: string, id?: string}} props */
export function Area({ text, rows, actions, onText, placeholder, id }) {
  /** What was typed and is not yet reported. */
  const [draft, setDraft] = useState(/** @type {string | null} */ (null));
  const timer = useRef(0);
  const isGone = useRef(false);
  const latest = useRef({ text, draft, onText });
  latest.current = { text, draft, onText };
  const report = () => {
    const { text: known, draft: typed, onText: tell } = latest.current;
    clearTimeout(timer.current);
    latest.current.draft = null;
    setDraft(null);
    if (typed !== null && typed !== known) tell(typed);
  };
  useLayoutEffect(() => {
    const end = actions.onDraft(report);
    return () => {
      end();
      isGone.current = true;
      // What redraws the page must not run while it is drawn.
      queueMicrotask(report);
    };
  }, []);
  /** @param {Event} event @param {number} [pause] */
  const take = (event, pause = PAUSE) => {
    // A field that has the focus says that it changed while it is removed.
    if (isGone.current) return;
    const { value } = /** @type {HTMLTextAreaElement} */ (event.currentTarget);
    latest.current.draft = value;
    setDraft(value);
    clearTimeout(timer.current);
    if (pause > 0) timer.current = window.setTimeout(report, pause);
    else report();
  };
  // Leaving the field reports at once, so that the next action builds on the typed text.
  return h('textarea', {
    id,
    rows,
    spellcheck: false,
    autocomplete: 'off',
    value: draft ?? text,
    placeholder,
    onInput: take,
    onChange: (/** @type {Event} */ event) => take(event, 0),
  });
}
