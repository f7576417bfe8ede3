/**
 * The text of a scenario, in the code editor, which completes and explains its fields; a text area until that has loaded.
 * @import {Subject} from '../editor/code-editor.js'
 * @import {Actions, Problem} from '../types.js'
 */
import { h } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Area } from './area.js';
import { useEditor } from './use-editor.js';

/** @type {Subject} */
const SCENARIO = { of: 'scenario', label: 'Scenario, YAML or JSON', hint: 'Write a scenario in YAML or JSON', rests: true };

/**
 * @typedef {object} Props
 * @property {string} text
 * @property {Problem | null} problem what is wrong with it
 * @property {Actions} actions
 * @property {(text: string) => void} onText
 */

/** @param {Props & {title: string}} props */
export function ScenarioText({ title, ...props }) {
  const [opened, setOpened] = useState(false);
  const onToggle = (/** @type {Event} */ event) => {
    if (/** @type {HTMLDetailsElement} */ (event.currentTarget).open) setOpened(true);
  };
  return h('details', { class: 'scenario-text', onToggle }, h('summary', null, title), opened && h(Field, props));
}

/** @param {Props} props */
function Field({ text, problem, actions, onText }) {
  const host = useRef(/** @type {HTMLDivElement | null} */ (null));
  const editor = useEditor(host, { text, subject: SCENARIO, onText, actions });
  // At once: an effect after painting would run after the next key, and put the text from before it into the editor.
  useLayoutEffect(() => editor?.setText(text));
  useEffect(() => {
    const { message = '', line, column } = problem ?? {};
    editor?.setMarks(line ? [{ severity: 'error', message, line, column }] : []);
  }, [editor, problem]);
  return h(
    'div',
    { class: 'scenario-field' },
    h('div', { key: 'code', ref: host, class: 'code-editor', hidden: !editor }),
    !editor && h('label', { key: 'plain', class: 'text-field' }, 'YAML or JSON', h(Area, { text, rows: 18, actions, onText })),
    h(
      'p',
      { key: 'help', class: 'quiet' },
      h('kbd', null, 'Ctrl+Space'),
      ' proposes fields and values, ',
      h('kbd', null, 'F1'),
      ' explains the one at the cursor; ',
      h('kbd', null, 'Escape'),
      ' and then ',
      h('kbd', null, 'Tab'),
      ' leave the editor.',
    ),
  );
}
