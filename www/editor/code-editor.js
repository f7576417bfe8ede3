/**
 * The editor: CodeMirror, which draws only what is in view, so that the size of an input does not matter. It loads when the
 * text is first shown. It lives in a shadow root: there its styles are constructed sheets, which the page's policy allows,
 * and not style elements, which it refuses. It keeps no history; undo is the page's, and covers all that can be done.
 */
import { defaultKeymap, indentWithTab } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, codeFolding, foldGutter, foldKeymap, indentOnInput } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, openSearchPanel, search, searchKeymap } from '@codemirror/search';
import { Annotation, Compartment, EditorState, StateEffect, StateField } from '@codemirror/state';
import { Decoration, EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers, placeholder } from '@codemirror/view';
import { changeBetween } from '../input/changes.js';
import { looksLikeJson } from '../input/read.js';
import { theme } from './theme.js';

/**
 * @typedef {object} Mark what is to be said of a place
 * @property {'error' | 'warning'} severity
 * @property {string} message
 * @property {number} line from 1
 * @property {number} [column] from 1
 *
 * @typedef {object} Handlers
 * @property {(text: string) => void} onText
 * @property {() => void} onUndo
 * @property {() => void} onRedo
 */

/** A text so long that it is not copied at every keystroke, and the pause that has it copied. */
const LONG = 1_000_000;
const PAUSE = 300;

/** Set on what comes from outside, which is not to be told back. */
const external = Annotation.define();
/** Lines that are marked as a whole. @type {import('@codemirror/state').StateEffectType<number[]>} */
const setFaulty = StateEffect.define();

const faultyLines = StateField.define({
  create: () => Decoration.none,
  update(lines, transaction) {
    const marked = transaction.effects.find((effect) => effect.is(setFaulty));
    if (!marked) return lines.map(transaction.changes);
    const faulty = Decoration.line({ class: 'cm-faulty' });
    return Decoration.set(marked.value.map((/** @type {number} */ at) => faulty.range(transaction.newDoc.lineAt(at).from)), true);
  },
  provide: (field) => EditorView.decorations.from(field),
});

export class CodeEditor {
  #handlers;
  #language = new Compartment();
  #attributes = new Compartment();
  /** The text as it was last given or told, to know what is new. */
  #known;
  #isJson;
  #timer = 0;
  #view;

  /** @param {HTMLElement} host @param {string} text @param {Handlers} handlers */
  constructor(host, text, handlers) {
    this.#handlers = handlers;
    this.#known = text;
    this.#isJson = looksLikeJson(text);
    const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
    this.#view = new EditorView({ root, parent: root, state: EditorState.create({ doc: text, extensions: this.#extensions() }) });
  }

  #extensions() {
    const undo = { key: 'Mod-z', preventDefault: true, run: () => this.#told(this.#handlers.onUndo) };
    const redo = (/** @type {string} */ key) => ({ key, preventDefault: true, run: () => this.#told(this.#handlers.onRedo) });
    return [
      lineNumbers(),
      foldGutter(),
      codeFolding(),
      lintGutter(),
      faultyLines,
      highlightSpecialChars(),
      drawSelection(),
      indentOnInput(),
      bracketMatching(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      highlightSelectionMatches(),
      search({ top: true }),
      placeholder('Paste JSON or YAML here'),
      theme,
      this.#language.of(this.#grammar()),
      this.#attributes.of(attributes(false)),
      EditorView.updateListener.of((update) => {
        if (update.docChanged && !update.transactions.some((each) => each.annotation(external))) this.#typed();
      }),
      // A file becomes the input, it is not put into it.
      EditorView.domEventHandlers({ blur: () => this.flush(), drop: (event) => (event.dataTransfer?.files.length ?? 0) > 0 }),
      keymap.of([undo, redo('Mod-y'), redo('Mod-Shift-z'), ...searchKeymap, ...foldKeymap, ...lintKeymap, ...defaultKeymap, indentWithTab]),
    ];
  }

  #grammar() {
    return this.#isJson ? json() : yaml();
  }

  /** @param {() => void} then */
  #told(then) {
    this.flush();
    then();
    return true;
  }

  #typed() {
    clearTimeout(this.#timer);
    if (this.#view.state.doc.length < LONG) this.#tell();
    else this.#timer = window.setTimeout(() => this.#tell(), PAUSE);
  }

  #tell() {
    this.#timer = 0;
    this.#known = this.#view.state.doc.toString();
    this.#follow();
    this.#handlers.onText(this.#known);
  }

  /** Tells now what waits for a pause. */
  flush() {
    if (this.#timer === 0) return;
    clearTimeout(this.#timer);
    this.#tell();
  }

  /** The grammar goes with the text. */
  #follow() {
    const isJson = looksLikeJson(this.#known);
    if (isJson === this.#isJson) return;
    this.#isJson = isJson;
    this.#view.dispatch({ effects: this.#language.reconfigure(this.#grammar()) });
  }

  /** Takes over a text from outside; what stays the same keeps its place, its folds and the cursor. @param {string} text */
  setText(text) {
    if (text === this.#known) return;
    clearTimeout(this.#timer);
    this.#timer = 0;
    // Line breaks are all the same in the editor.
    const change = changeBetween(this.#view.state.doc.toString(), text.replaceAll(/\r\n?/g, '\n'));
    this.#known = text;
    if (change) this.#view.dispatch({ changes: change, annotations: external.of(true) });
    this.#follow();
  }

  /** @param {Mark[]} marks */
  setMarks(marks) {
    const { doc } = this.#view.state;
    const placed = marks.filter(({ line }) => line <= doc.lines).map(({ severity, message, line, column = 1 }) => {
      const { from, to } = doc.line(line);
      const at = Math.min(from + column - 1, to);
      return { severity, message, from: at, to: Math.max(at, Math.min(to, at + 80)) };
    });
    this.#view.dispatch(setDiagnostics(this.#view.state, placed), {
      effects: [
        setFaulty.of(placed.filter(({ severity }) => severity === 'error').map(({ from }) => from)),
        this.#attributes.reconfigure(attributes(placed.some(({ severity }) => severity === 'error'))),
      ],
    });
  }

  /** Shows a place, and takes the cursor there if `focus` says so. @param {number} line @param {boolean} [focus] */
  reveal(line, focus = false) {
    const { doc } = this.#view.state;
    const { from } = doc.line(Math.min(Math.max(line, 1), doc.lines));
    this.#view.dispatch({ effects: EditorView.scrollIntoView(from, { y: 'center' }), ...(focus && { selection: { anchor: from } }) });
    if (focus) this.#view.focus();
  }

  openSearch() {
    openSearchPanel(this.#view);
  }

  /** @param {number} anchor @param {number} head */
  focus(anchor, head) {
    const { length } = this.#view.state.doc;
    this.#view.dispatch({ selection: { anchor: Math.min(anchor, length), head: Math.min(head, length) } });
    this.#view.focus();
  }

  destroy() {
    this.flush();
    this.#view.destroy();
  }
}

/** @param {boolean} invalid */
function attributes(invalid) {
  return EditorView.contentAttributes.of({
    id: 'input',
    tabindex: '0',
    'aria-label': 'Input, JSON or YAML',
    'aria-description': 'Escape, then Tab leaves the editor.',
    'aria-invalid': String(invalid),
  });
}
