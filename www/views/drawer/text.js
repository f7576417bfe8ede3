/**
 * The input: a plain text area with line numbers, a mark at the line of a mistake, and the ways in (typing,
 * pasting, dropping, opening). An input too large to edit comfortably is kept aside and only named.
 * @import {Actions, AppState, Problem} from '../../types.js'
 */
import { h } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

const LINE_HEIGHT = 18;
const PADDING = 8;
/** A column beyond what the editor shows without scrolling. */
const FAR = 36;

/** @param {{state: AppState, actions: Actions}} props */
export function TextTab({ state, actions }) {
  const { source, problem } = state;
  const { onText, onFile } = actions;
  const [dragging, setDragging] = useState(false);
  const drop = dropHandlers(setDragging, onFile, onText);
  return h(
    'section',
    { class: `editor${dragging ? ' dragging' : ''}${problem ? ' faulty' : ''}`, 'aria-labelledby': 'input-title', ...drop },
    h('div', { class: 'bar' }, h('h2', { id: 'input-title' }, 'Input'), h(OpenButton, { onFile })),
    h(TextInput, { text: source.text, problem, onText }),
    h('div', { role: 'status', 'aria-live': 'polite', class: 'problem-slot' }, problem && problem.code !== 'Empty' && h(ProblemNote, { problem, shown: true })),
    h(
      'p',
      { class: 'quiet', id: 'input-help' },
      'Takes the output of ',
      h('code', null, 'kubectl get services,pods,nodes,endpointslices -A -o json'),
      ' (or ',
      h('code', null, 'yaml'),
      '), or a plan request. Drop a file anywhere here.',
    ),
  );
}

/** @param {{onFile: (file: File) => void}} props */
function OpenButton({ onFile }) {
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  /** @param {Event} event */
  const opened = (event) => {
    const target = /** @type {HTMLInputElement} */ (event.currentTarget);
    const file = target.files?.[0];
    if (file) onFile(file);
    target.value = '';
  };
  return [
    h('input', { ref: input, type: 'file', class: 'visually-hidden', tabindex: -1, 'aria-label': 'Input file', accept: '.json,.yaml,.yml,.txt,application/json', onChange: opened }),
    h('button', { type: 'button', onClick: () => input.current?.click() }, 'Open a file…'),
  ];
}

/** @param {{text: string, problem: Problem | null, onText: Actions['onText']}} props */
function TextInput({ text, problem, onText }) {
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
  /** @param {Event} event */
  const scrolled = (event) => {
    const { scrollTop, clientHeight } = /** @type {HTMLTextAreaElement} */ (event.currentTarget);
    setView({ top: scrollTop, height: clientHeight });
  };
  return h(
    'div',
    { class: 'text-input' },
    h(Gutter, { view, lines, marked: problem?.line ?? 0 }),
    h('textarea', {
      ref: area,
      id: 'input',
      spellcheck: false,
      autocomplete: 'off',
      autocapitalize: 'off',
      wrap: 'off',
      'aria-labelledby': 'input-title',
      'aria-describedby': 'input-help',
      'aria-invalid': problem ? 'true' : undefined,
      placeholder: 'Paste JSON or YAML here',
      onInput: (/** @type {Event} */ event) => onText(/** @type {HTMLTextAreaElement} */ (event.currentTarget).value, { typing: true }),
      onScroll: scrolled,
    }),
  );
}

/**
 * Numbers for the lines in view only, so that their number does not matter.
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
 * The lines around the mistake are repeated here only if the editor does not show them, or not that far.
 * @param {{problem: Problem, shown: boolean}} props
 */
function ProblemNote({ problem, shown }) {
  const lines = shown && (problem.column ?? 0) < FAR ? [] : (problem.excerpt ?? []);
  const place = problem.line ? `Line ${problem.line}${problem.column ? `, column ${problem.column}` : ''}` : '';
  return h(
    'div',
    { class: 'problem' },
    h('p', { class: 'problem-message' }, place && h('strong', null, `${place}: `), problem.message),
    h('p', { class: 'problem-code' }, h('code', null, problem.code), problem.path && [' at ', h('code', { class: 'path' }, problem.path)]),
    lines.length > 0 && h(Excerpt, { lines }),
  );
}

/** @param {{lines: NonNullable<Problem['excerpt']>}} props */
function Excerpt({ lines }) {
  const rows = lines.map(({ line, text, marked }) =>
    h('div', { key: line, class: marked ? 'marked' : undefined }, h('span', { class: 'number' }, marked ? `▸ ${line}` : line), h('code', null, text)),
  );
  return h('div', { class: 'excerpt', role: 'group', 'aria-label': 'The lines around it' }, rows);
}

/**
 * @param {(dragging: boolean) => void} setDragging
 * @param {(file: File) => void} onFile
 * @param {(text: string) => void} onText
 */
function dropHandlers(setDragging, onFile, onText) {
  return {
    onDragOver: (/** @type {DragEvent} */ event) => {
      event.preventDefault();
      setDragging(true);
    },
    onDragLeave: () => setDragging(false),
    onDrop: (/** @type {DragEvent} */ event) => {
      event.preventDefault();
      setDragging(false);
      const file = event.dataTransfer?.files[0];
      const text = event.dataTransfer?.getData('text/plain');
      if (file) onFile(file);
      else if (text) onText(text);
    },
  };
}

/** @param {string} text */
function countLines(text) {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

/** Scrolls a line into view if it is not. @param {HTMLTextAreaElement | null} area @param {number | undefined} line */
function revealLine(area, line) {
  if (!area || !line) return;
  const top = PADDING + (line - 1) * LINE_HEIGHT;
  const hidden = top < area.scrollTop || top + LINE_HEIGHT > area.scrollTop + area.clientHeight;
  if (hidden) area.scrollTop = Math.max(0, top - area.clientHeight / 3);
}
