/**
 * The editor: CodeMirror, which renders only what is visible, so that the size of an input does not matter. It loads when the
 * text is first shown. It lives in a shadow root, where its styles are constructed sheets, which the page's policy allows,
 * rather than style elements, which it forbids. It has no history of its own: undo is the page's, and covers all changes.
 * Completion, explanations and remarks come later (`assist.js`).
 * @import {ChangeDesc, ChangeSet, Transaction} from '@codemirror/state'
 * @import {Diagnostic} from '@codemirror/lint'
 * @import {Finding} from './findings.js'
 */
import { defaultKeymap, indentWithTab } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, codeFolding, foldGutter, foldKeymap, indentOnInput } from '@codemirror/language';
import { forEachDiagnostic, lintGutter, lintKeymap, linter, setDiagnostics, setDiagnosticsEffect } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Annotation, Compartment, EditorState, StateEffect, StateField } from '@codemirror/state';
import {
  Decoration,
  EditorView,
  drawSelection,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view';
import { h, render } from 'preact';
import { applyChanges, changeBetween } from '../input/changes.js';
import { looksLikeJson } from '../input/read.js';
import { breath } from '../model/pieces.js';
import { Prose } from '../views/prose.js';
import { isShownPlain } from './plain.js';
import { theme } from './theme.js';

/**
 * @typedef {object} Mark a message at a position
 * @property {'error' | 'warning'} severity
 * @property {string} message
 * @property {number} line from 1
 * @property {number} [column] from 1
 *
 * @typedef {object} Handlers
 * @property {(text: string) => void} onText
 * @property {() => void} onUndo
 * @property {() => void} onRedo
 *
 * @typedef {object} Subject what the text is
 * @property {'input' | 'scenario'} of
 * @property {string} label the name of the field
 * @property {string} hint shown while there is no text
 * @property {boolean} rests whether what is typed is reported in pauses only
 */

/** What each may hold. */
const SCHEMAS = {
  input: () => import(/* webpackChunkName: "input-schemas" */ './input-schemas.js'),
  scenario: () => import(/* webpackChunkName: "scenario-schemas" */ './scenario-schemas.js'),
};
/** The length from which a text is reported after the browser may have drawn, and inserted in pieces. */
const LONG = 1_000_000;
const PIECE = 500_000;
/** How long typing pauses, and how long to wait for an idle page where the browser cannot tell. */
const PAUSE = 300;

/** A very long text has none: the editor would read all of it up to the place that is shown. */
const GRAMMARS = { json, yaml, plain: () => [] };

/** Marks external changes, which are not reported back. */
const external = Annotation.define();
/** Lines that are marked entirely. @type {import('@codemirror/state').StateEffectType<number[]>} */
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
  #subject;
  #language = new Compartment();
  #attributes = new Compartment();
  /** The text last set or reported, to detect changes. */
  #known;
  /** @type {'json' | 'yaml' | 'plain'} */
  #grammar = 'plain';
  #timer = 0;
  /** What was typed since. @type {ChangeSet | null} */
  #changes = null;
  /** @type {Mark[]} */
  #marks = [];
  /** @type {Finding[]} */
  #findings = [];
  #assistance = new Compartment();
  #isGone = false;
  /** Increases with every change, which cancels pending work. */
  #version = 0;
  #writable = new Compartment();
  #view;

  /** @param {HTMLElement} host @param {string} text @param {Subject} subject @param {Handlers} handlers */
  constructor(host, text, subject, handlers) {
    this.#handlers = handlers;
    this.#subject = subject;
    this.#known = '';
    this.#grammar = grammarOf(text);
    const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
    this.#view = new EditorView({ root, parent: root, state: EditorState.create({ extensions: this.#extensions() }) });
    this.setText(text);
    // Without it, the text can be edited as well.
    this.#assist().catch(() => {});
  }

  async #assist() {
    await idle();
    const [{ assistance }, { schemas }] = await Promise.all([import(/* webpackChunkName: "assist" */ './assist.js'), SCHEMAS[this.#subject.of]()]);
    if (this.#isGone) return;
    const extension = assistance(schemas, (findings) => {
      this.#findings = findings;
      this.#mark();
    });
    this.#view.dispatch({ effects: this.#assistance.reconfigure(extension) });
  }

  #extensions() {
    const undo = { key: 'Mod-z', preventDefault: true, run: () => this.#told(this.#handlers.onUndo) };
    const redo = (/** @type {string} */ key) => ({ key, preventDefault: true, run: () => this.#told(this.#handlers.onRedo) });
    return [
      lineNumbers(),
      foldGutter(),
      codeFolding(),
      lintGutter(),
      // To set the diagnostics again would close the one that is being read.
      linter(null, { hideOn: anyGoes }),
      faultyLines,
      highlightSpecialChars(),
      drawSelection(),
      indentOnInput(),
      bracketMatching(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      highlightSelectionMatches(),
      search({ top: true }),
      placeholder(this.#subject.hint),
      theme,
      this.#language.of(GRAMMARS[this.#grammar]()),
      this.#attributes.of(attributes(this.#subject, false)),
      this.#writable.of([]),
      this.#assistance.of([]),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) this.#findings = moved(this.#findings, update.changes);
        if (update.docChanged && !update.transactions.some((each) => each.annotation(external))) this.#typed(update.changes);
      }),
      // A dropped file replaces the input.
      EditorView.domEventHandlers({
        blur: () => this.flush(),
        drop: (event) => (event.dataTransfer?.files.length ?? 0) > 0,
        paste: (event) => this.#pasted(event.clipboardData?.getData('text/plain') ?? ''),
      }),
      keymap.of([undo, redo('Mod-y'), redo('Mod-Shift-z'), ...searchKeymap, ...foldKeymap, ...lintKeymap, ...defaultKeymap, indentWithTab]),
    ];
  }

  /** @param {() => void} then */
  #told(then) {
    this.flush();
    then();
    return true;
  }

  /** @param {ChangeSet} changes */
  #typed(changes) {
    this.#version += 1;
    this.#changes = this.#changes?.compose(changes) ?? changes;
    clearTimeout(this.#timer);
    const { length } = this.#view.state.doc;
    if (length < LONG && !this.#subject.rests) this.#tell();
    else this.#timer = window.setTimeout(() => this.#tell(), this.#subject.rests ? PAUSE : 0);
  }

  #tell() {
    this.#known = this.#text();
    this.#timer = 0;
    this.#changes = null;
    this.#follow();
    this.#handlers.onText(this.#known);
  }

  /** The known text with what was typed since: the editor has its own in thousands of lines. */
  #text() {
    /** @type {import('../input/changes.js').TextChange[]} */
    const changes = [];
    this.#changes?.iterChanges((from, to, _, __, inserted) => changes.push({ from, to, insert: inserted.toString() }));
    return applyChanges(unified(this.#known), changes);
  }

  /** Inserts a long text in chunks. @param {string} text @returns {boolean} whether it was */
  #pasted(text) {
    if (text.length < LONG) return false;
    // Reading the clipboard has taken its time; the page may draw first.
    setTimeout(() => {
      this.flush();
      const { from, to } = this.#view.state.selection.main;
      const before = unified(this.#known);
      const after = before.slice(0, from) + text + before.slice(to);
      this.setText(after);
      this.#handlers.onText(after);
    });
    return true;
  }

  /** Reports pending changes now. */
  flush() {
    if (this.#timer === 0) return;
    this.#version += 1;
    clearTimeout(this.#timer);
    this.#tell();
  }

  /** Chooses the grammar for the text. */
  #follow() {
    const grammar = grammarOf(this.#known);
    if (grammar === this.#grammar) return;
    this.#grammar = grammar;
    this.#view.dispatch({ effects: this.#language.reconfigure(GRAMMARS[grammar]()) });
  }

  /**
   * Sets a text; unchanged parts keep their position, folds and cursor. What was typed and is not yet reported is newer: it is
   * reported instead, once the page is drawn.
   * @param {string} text
   */
  setText(text) {
    if (text === this.#known) return;
    if (this.#timer !== 0) return queueMicrotask(() => this.flush());
    const isWhole = !this.#view.state.readOnly;
    this.#version += 1;
    const [before, after] = [isWhole ? unified(this.#known) : this.#view.state.doc.toString(), unified(text)];
    this.#known = text;
    this.#follow();
    const change = changeBetween(before, after);
    if (change && change.insert.length > LONG) void this.#takeIn(after);
    else this.#view.dispatch({ changes: change ?? [], annotations: external.of(true), effects: this.#writable.reconfigure([]) });
  }

  /** Replaces everything with a long text: its beginning at once, the rest in chunks. @param {string} text */
  async #takeIn(text) {
    const mine = this.#version;
    let at = cutOf(text, 0);
    const { length } = this.#view.state.doc;
    this.#view.dispatch({
      changes: { from: 0, to: length, insert: text.slice(0, at) },
      selection: { anchor: 0 },
      annotations: external.of(true),
      effects: this.#writable.reconfigure(EditorState.readOnly.of(true)),
    });
    while (at < text.length) {
      await breath();
      if (mine !== this.#version) return;
      const next = cutOf(text, at);
      this.#view.dispatch({ changes: { from: this.#view.state.doc.length, insert: text.slice(at, next) }, annotations: external.of(true) });
      at = next;
    }
    this.#view.dispatch({ effects: this.#writable.reconfigure([]) });
    this.#mark();
  }

  /** @param {Mark[]} marks */
  setMarks(marks) {
    this.#marks = marks;
    this.#mark();
  }

  /** Marks beyond the inserted part wait until everything is inserted. */
  #mark() {
    const { doc } = this.#view.state;
    const placed = this.#marks.filter(({ line }) => line <= doc.lines).map(({ severity, message, line, column = 1 }) => {
      const { from, to } = doc.line(line);
      const at = Math.min(from + column - 1, to);
      return { severity, message, renderMessage: () => proseOf(message), from: at, to: Math.max(at, Math.min(to, at + 80)) };
    });
    // An error says more about the same words.
    const errors = placed.filter(({ severity }) => severity === 'error');
    const isAt = (/** @type {Finding} */ finding) => (/** @type {{from: number}} */ { from }) => from >= finding.from - 1 && from <= finding.to;
    const remarks = this.#findings.filter((each) => !errors.some(isAt(each))).map(diagnosticOf);
    const mended = placed.map((mark) => {
      const finding = mark.severity === 'error' && this.#findings.find((each) => isAt(each)(mark));
      return finding ? { ...mark, actions: actionsOf(finding, mark.from) } : mark;
    });
    this.#view.dispatch(setDiagnostics(this.#view.state, keeping(this.#view.state, [...mended, ...remarks])), {
      effects: [
        setFaulty.of(errors.map(({ from }) => from)),
        this.#attributes.reconfigure(attributes(this.#subject, errors.length > 0)),
      ],
    });
  }

  /** Scrolls to a position, and moves the cursor there if `focus` is set. @param {number} line @param {boolean} [focus] */
  reveal(line, focus = false) {
    const { doc } = this.#view.state;
    const { from } = doc.line(Math.min(Math.max(line, 1), doc.lines));
    this.#view.dispatch({ effects: EditorView.scrollIntoView(from, { y: 'center' }), ...(focus && { selection: { anchor: from } }) });
    if (focus) this.#view.focus();
  }

  /** @param {number} [anchor] @param {number} [head] where the cursor goes, if not where it was */
  focus(anchor = this.#view.state.selection.main.anchor, head = anchor) {
    const { length } = this.#view.state.doc;
    this.#view.dispatch({ selection: { anchor: Math.min(anchor, length), head: Math.min(head, length) } });
    this.#view.focus();
  }

  destroy() {
    const typed = this.#timer === 0 ? null : this.#text();
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#version += 1;
    this.#isGone = true;
    this.#view.destroy();
    // What redraws the page must not run while it is drawn.
    if (typed !== null) queueMicrotask(() => this.#handlers.onText(typed));
  }
}

/** @param {string} text */
function grammarOf(text) {
  if (isShownPlain(text)) return 'plain';
  return looksLikeJson(text) ? 'json' : 'yaml';
}

/** Normalizes line breaks, as the editor does. @param {string} text */
function unified(text) {
  return text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text;
}

/** The end of the chunk that begins here: at a line end, unless the line is very long. @param {string} text @param {number} from */
function cutOf(text, from) {
  const after = from + PIECE;
  const newline = text.slice(after, after + PIECE).indexOf('\n');
  return Math.min(text.length, newline < 0 ? after : after + newline + 1);
}

/** Resolves when the page has nothing else to do. @returns {Promise<unknown>} */
function idle() {
  return new Promise((resolve) => ('requestIdleCallback' in window ? requestIdleCallback(resolve) : setTimeout(resolve, PAUSE)));
}

/** Where they are after changes; what was replaced has none. @param {Finding[]} findings @param {ChangeDesc} changes */
function moved(findings, changes) {
  const after = findings.map((finding) => ({ ...finding, from: changes.mapPos(finding.from, 1), to: changes.mapPos(finding.to, -1) }));
  return after.filter(({ from, to }) => from < to);
}

/** The diagnostics of a text, and where they are now. @param {EditorState} state */
function diagnosticsOf(state) {
  /** @type {{diagnostic: Diagnostic, from: number, to: number}[]} */
  const all = [];
  forEachDiagnostic(state, (diagnostic, from, to) => all.push({ diagnostic, from, to }));
  return all;
}

/**
 * Whether a diagnostic of a range goes when they are set again; null where they are not.
 * @param {Transaction} change @param {number} from @param {number} to
 */
function anyGoes({ startState, effects }, from, to) {
  const set = effects.find((effect) => effect.is(setDiagnosticsEffect));
  if (!set) return null;
  return diagnosticsOf(startState).some((each) => each.from <= to && each.to >= from && !set.value.includes(each.diagnostic));
}

/**
 * Diagnostics to set, as the same objects where the text has them already: the buttons of the one that is shown look for it.
 * @param {EditorState} state @param {Diagnostic[]} diagnostics
 */
function keeping(state, diagnostics) {
  const keyOf = (/** @type {string} */ message, /** @type {number} */ from, /** @type {number} */ to) => `${from} ${to} ${message}`;
  const known = new Map(diagnosticsOf(state).map(({ diagnostic, from, to }) => [keyOf(diagnostic.message, from, to), diagnostic]));
  return diagnostics.map((each) => {
    const key = keyOf(each.message, each.from, each.to);
    const kept = known.get(key);
    known.delete(key);
    return kept ? Object.assign(kept, each) : each;
  });
}

/** @param {Finding} finding @returns {Diagnostic} */
function diagnosticOf(finding) {
  const { from, to, message } = finding;
  return { severity: 'warning', message, renderMessage: () => proseOf(message), from, to, actions: actionsOf(finding, from) };
}

/** The change to what was probably meant, in a mark that begins at a position. @param {Finding} finding @param {number} begins */
function actionsOf({ from, to, meant }, begins) {
  /** @param {EditorView} view @param {number} start */
  const apply = (view, start) => {
    const at = start + from - begins;
    view.dispatch({ changes: { from: at, to: at + to - from, insert: meant ?? '' }, userEvent: 'input' });
  };
  return meant === null ? [] : [{ name: `Use ${meant}`, apply }];
}

/** @param {string} message */
function proseOf(message) {
  const line = document.createElement('span');
  render(h(Prose, { text: message }), line);
  return line;
}

/** @param {Subject} subject @param {boolean} invalid */
function attributes({ of, label }, invalid) {
  return EditorView.contentAttributes.of({
    id: of,
    tabindex: '0',
    'aria-label': label,
    'aria-description': 'F1 explains the field at the cursor. Escape, then Tab leaves the editor.',
    'aria-invalid': String(invalid),
  });
}
