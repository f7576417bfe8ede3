/**
 * The text of the input: the editor, a plain text area until that has loaded, a note on errors, and the ways to enter input
 * (typing, pasting, dropping, opening).
 * @import {Mark, Subject} from '../../editor/code-editor.js'
 * @import {Actions, AppState, Problem} from '../../types.js'
 */
import { h } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { isShownPlain } from '../../editor/plain.js';
import { KUBECTL, number } from '../../model/text.js';
import { dropHandlers } from './drop.js';
import { readLines } from './reveal.js';
import '../../styles/drawer.css';
import { OpenButton } from '../open-button.js';
import { Prose } from '../prose.js';
import { useEditor } from '../use-editor.js';

/** @type {Subject} */
const INPUT = { of: 'input', label: 'Input, JSON or YAML', hint: 'Paste JSON or YAML here', rests: false };
const PLAIN = 'This text is very long: the editor shows it without colours, completion and remarks.';
const LINE_HEIGHT = 18;
const PADDING = 8;
/** A column beyond what the editor shows without scrolling. */
const FAR = 36;
const MOST_WARNINGS = 50;
/** From this length on, a plain text area would block the page: it shows the beginning only. */
const LONG = 1_000_000;
const BEGINNING = 20_000;

/** @param {{state: AppState, actions: Actions}} props */
export function TextTab({ state, actions }) {
  const { problem } = state;
  const { onText, onFile } = actions;
  const [dragging, setDragging] = useState(false);
  const drop = dropHandlers(setDragging, onFile, onText);
  return h(
    'section',
    { class: `editor${dragging ? ' dragging' : ''}${problem ? ' faulty' : ''}`, 'aria-labelledby': 'input-title', ...drop },
    h('div', { class: 'bar' }, h('h2', { id: 'input-title' }, 'Input'), h(OpenButton, { onFile })),
    h(TextInput, { state, actions }),
    h(
      'div',
      { role: 'status', 'aria-live': 'polite', class: 'problem-slot' },
      problem && problem.code !== 'Empty' && !problem.failed && h(ProblemNote, { problem }),
    ),
    isShownPlain(state.source.text) && h('p', { class: 'quiet' }, PLAIN),
    h(
      'p',
      { class: 'quiet', id: 'input-help' },
      'Takes the output of ',
      h('code', null, KUBECTL),
      ' (or ',
      h('code', null, 'yaml'),
      '), or a plan request. Drop a file anywhere here. In the editor, ',
      h('kbd', null, 'F1'),
      ' explains the field at the cursor; ',
      h('kbd', null, 'Escape'),
      ' and then ',
      h('kbd', null, 'Tab'),
      ' leave it.',
    ),
  );
}

/**
 * The plain text area until the editor has loaded, or if it cannot load.
 * @param {{state: AppState, actions: Actions}} props
 */
function TextInput({ state, actions }) {
  const { source, problem } = state;
  const host = useRef(/** @type {HTMLDivElement | null} */ (null));
  const onText = (/** @type {string} */ text) => actions.onText(text, { typing: true });
  const editor = useEditor(host, { text: source.text, subject: INPUT, onText, actions });
  // Once it is shown, and before the next key.
  useLayoutEffect(() => {
    if (!editor) return undefined;
    readLines((line) => (Number.isNaN(line) ? editor.focus() : editor.reveal(line, true)));
    return () => readLines(null);
  }, [editor]);
  // At once: an effect after painting would run after the next key, and put the text from before it into the editor. Every
  // time: what was typed and undone before a rendering is in the editor only.
  useLayoutEffect(() => editor?.setText(source.text));
  const warnings = useWarnings(state, actions);
  useEffect(() => {
    if (!editor) return;
    const { message = '', line, column } = problem ?? {};
    editor.setMarks(line ? [{ severity: 'error', message, line, column }] : warnings);
  }, [editor, problem, warnings]);
  useEffect(() => {
    if (problem?.line) editor?.reveal(problem.line);
  }, [editor, problem]);
  return [
    h('div', { key: 'code', ref: host, class: 'code-editor', hidden: !editor }),
    !editor && h(PlainInput, { key: 'plain', text: source.text, problem, onText: actions.onText }),
  ];
}

/**
 * Messages about single pods, at their lines.
 * @param {AppState} state
 * @param {Actions} actions
 */
function useWarnings({ model, problem }, actions) {
  const [warnings, setWarnings] = useState(/** @type {Mark[]} */ ([]));
  useEffect(() => {
    let current = true;
    setWarnings([]);
    if (!model || problem) return undefined;
    const errors = model.errors.filter(({ pod }) => pod).slice(0, MOST_WARNINGS);
    const marks = errors.map(async ({ pod = '', message }) => {
      const place = await actions.engine.place({ kind: 'Pod', namespace: model.namespace, name: pod });
      return place && { severity: /** @type {const} */ ('warning'), message, line: place.line };
    });
    // The planner reports a dead worker.
    Promise.all(marks).then((found) => current && setWarnings(found.filter((mark) => mark !== null)), () => {});
    return () => {
      current = false;
    };
  }, [model, problem]);
  return warnings;
}

/** @param {{text: string, problem: Problem | null, onText: Actions['onText']}} props */
function PlainInput({ text: whole, problem, onText }) {
  const isLong = whole.length > LONG;
  const text = isLong ? whole.slice(0, BEGINNING) : whole;
  const area = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
  const [view, setView] = useState({ top: 0, height: 0 });
  const lines = countLines(text);
  useLayoutEffect(() => {
    if (area.current && area.current.value !== text) area.current.value = text;
  }, [text]);
  useLayoutEffect(() => {
    const element = area.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setView({ top: element.scrollTop, height: element.clientHeight }));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => revealLine(area.current, problem?.line), [problem]);
  /** A long text does not enter the text area. @param {ClipboardEvent} event */
  const pasted = (event) => {
    const pastedText = event.clipboardData?.getData('text/plain') ?? '';
    if (pastedText.length <= LONG) return;
    const { value, selectionStart, selectionEnd } = /** @type {HTMLTextAreaElement} */ (event.currentTarget);
    event.preventDefault();
    onText(isLong ? pastedText : value.slice(0, selectionStart) + pastedText + value.slice(selectionEnd), { typing: true });
  };
  /** @param {Event} event */
  const scrolled = (event) => {
    const { scrollTop, clientHeight } = /** @type {HTMLTextAreaElement} */ (event.currentTarget);
    setView({ top: scrollTop, height: clientHeight });
  };
  const input = h(
    'div',
    { key: 'input', class: 'text-input' },
    h(Gutter, { view, lines, marked: problem?.line ?? 0 }),
    h('textarea', {
      ref: area,
      id: 'input',
      spellcheck: false,
      autocomplete: 'off',
      autocapitalize: 'off',
      wrap: 'off',
      readOnly: isLong,
      'aria-labelledby': 'input-title',
      'aria-describedby': 'input-help',
      'aria-invalid': problem ? 'true' : undefined,
      placeholder: 'Paste JSON or YAML here',
      onInput: (/** @type {Event} */ event) => onText(/** @type {HTMLTextAreaElement} */ (event.currentTarget).value, { typing: true }),
      onScroll: scrolled,
      onPaste: pasted,
    }),
  );
  return [
    isLong &&
      h(
        'p',
        { key: 'note', class: 'quiet' },
        `Until the editor has loaded, only the beginning is shown; all ${number(whole.length)} characters are planned.`,
      ),
    input,
  ];
}

/**
 * Line numbers for visible lines only, so that long texts stay fast.
 * @param {{view: {top: number, height: number}, lines: number, marked: number}} props
 */
function Gutter({ view, lines, marked }) {
  const first = Math.max(1, Math.floor((view.top - PADDING) / LINE_HEIGHT) + 1);
  const last = Math.min(lines, first + Math.ceil(view.height / LINE_HEIGHT) + 1);
  const numbers = [];
  for (let line = first; line <= last; line += 1) {
    const style = { top: `${PADDING + (line - 1) * LINE_HEIGHT - view.top}px` };
    numbers.push(h('span', { key: line, class: line === marked ? 'line marked' : 'line', style }, line === marked ? `✕ ${line}` : line));
  }
  return h('div', { class: 'gutter', 'aria-hidden': 'true' }, numbers);
}

/**
 * The lines around the error are repeated here only if it is far to the right.
 * @param {{problem: Problem}} props
 */
function ProblemNote({ problem }) {
  const lines = (problem.column ?? 0) < FAR ? [] : (problem.excerpt ?? []);
  const place = problem.line ? `Line ${problem.line}${problem.column ? `, column ${problem.column}` : ''}` : '';
  return h(
    'div',
    { class: 'problem' },
    h('p', { class: 'problem-message' }, place && h('strong', null, `${place}: `), h(Prose, { text: problem.message })),
    h('p', { class: 'problem-code' }, h('code', null, problem.code), problem.path && [' at ', h('code', { class: 'path' }, problem.path)]),
    lines.length > 0 && h(Excerpt, { lines }),
  );
}

/** @param {{lines: NonNullable<Problem['excerpt']>}} props */
function Excerpt({ lines }) {
  const rows = lines.map(({ line, text, marked }) =>
    h('div', { key: line, class: marked ? 'marked' : undefined }, h('span', { class: 'number' }, marked ? `▸ ${line}` : line), h('code', null, text)),
  );
  return h('div', { class: 'excerpt', role: 'group', tabindex: 0, 'aria-label': 'The lines around it' }, rows);
}

/** @param {string} text */
function countLines(text) {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

/** Scrolls a line into view if necessary. @param {HTMLTextAreaElement | null} area @param {number | undefined} line */
function revealLine(area, line) {
  if (!area || !line) return;
  const top = PADDING + (line - 1) * LINE_HEIGHT;
  const hidden = top < area.scrollTop || top + LINE_HEIGHT > area.scrollTop + area.clientHeight;
  if (hidden) area.scrollTop = Math.max(0, top - area.clientHeight / 3);
}
