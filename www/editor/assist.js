/**
 * What helps while one types: completion, explanations of fields, remarks on unknown ones. It loads after the editor, once the
 * page is idle.
 * @import {Extension} from '@codemirror/state'
 * @import {EditorView, ViewUpdate} from '@codemirror/view'
 * @import {Finding} from './findings.js'
 * @import {Schemas} from './schema.js'
 */
import { autocompletion, closeCompletion, completionStatus, selectedCompletion } from '@codemirror/autocomplete';
import { syntaxTree } from '@codemirror/language';
import { Prec } from '@codemirror/state';
import { ViewPlugin, keymap } from '@codemirror/view';
import { completionSource } from './completion.js';
import { explanations } from './explain.js';
import { findingsIn } from './findings.js';
import { treeUpTo } from './structure.js';

/** The pause after which remarks are made, in milliseconds; within a longer text, only on what is shown. */
const PAUSE = 400;
const LONG = 100_000;

/** @param {Schemas} schemas @param {(findings: Finding[]) => void} onFindings @returns {Extension} */
export function assistance(schemas, onFindings) {
  return [
    // Before the keys of the completion itself.
    Prec.highest(keymap.of([{ key: 'Enter', run: leaveComplete }])),
    autocompletion({ override: [completionSource(schemas)], icons: false }),
    explanations(schemas),
    ViewPlugin.define((view) => new Remarks(view, schemas, onFindings)),
  ];
}

/** A value that is complete has nothing to accept: Enter is a new line. @param {EditorView} view */
function leaveComplete(view) {
  const { state } = view;
  const selected = selectedCompletion(state);
  if (completionStatus(state) !== 'active' || selected?.type !== 'enum') return false;
  const { head } = state.selection.main;
  if (state.sliceDoc(Math.max(0, head - selected.label.length), head) === selected.label) closeCompletion(view);
  return false;
}

class Remarks {
  #view;
  #schemas;
  #onFindings;
  #timer = 0;

  /** @param {EditorView} view @param {Schemas} schemas @param {(findings: Finding[]) => void} onFindings */
  constructor(view, schemas, onFindings) {
    this.#view = view;
    this.#schemas = schemas;
    this.#onFindings = onFindings;
    this.#wait();
  }

  /** @param {ViewUpdate} update */
  update({ docChanged, viewportChanged, state, startState }) {
    if (docChanged || (viewportChanged && state.doc.length > LONG) || syntaxTree(state) !== syntaxTree(startState)) this.#wait();
  }

  destroy() {
    clearTimeout(this.#timer);
  }

  #wait() {
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.#look(), PAUSE);
  }

  #look() {
    const { state, viewport } = this.#view;
    const range = state.doc.length > LONG ? viewport : { from: 0, to: state.doc.length };
    const tree = treeUpTo(state, range.to);
    this.#onFindings(findingsIn(tree.topNode, state.doc, this.#schemas, range));
  }
}
