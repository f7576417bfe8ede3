/** What the editor proposes and remarks in a text, without a browser. */
import assert from 'node:assert/strict';
import { CompletionContext } from '@codemirror/autocomplete';
import { json } from '@codemirror/lang-json';
import { yaml } from '@codemirror/lang-yaml';
import { ensureSyntaxTree } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { completionSource } from '../../www/editor/completion.js';
import { findingsIn } from '../../www/editor/findings.js';
import { looksLikeJson } from '../../www/input/read.js';

/** @import {Schemas} from '../../www/editor/schema.js' */

/** The editor's state with a text, and the position of its `|`. @param {string} marked */
function stateOf(marked) {
  const pos = marked.indexOf('|');
  const doc = pos < 0 ? marked : marked.slice(0, pos) + marked.slice(pos + 1);
  const state = EditorState.create({ doc, extensions: [looksLikeJson(doc) ? json() : yaml()] });
  const tree = ensureSyntaxTree(state, doc.length, 10_000);
  assert.ok(tree);
  return { state, pos, top: tree.topNode };
}

/** @param {Schemas} schemas */
export function assisting(schemas) {
  /** @param {string} marked @param {boolean} [explicit] */
  const offered = (marked, explicit = true) => {
    const { state, pos } = stateOf(marked);
    const found = completionSource(schemas)(new CompletionContext(state, pos, explicit));
    return found?.options.map(({ label }) => label) ?? null;
  };
  /** @param {string} text */
  const remarks = (text) => {
    const { state, top } = stateOf(text);
    return findingsIn(top, state.doc, schemas, { from: 0, to: text.length }).map(({ from, to, message }) => [text.slice(from, to), message]);
  };
  return { stateOf, offered, remarks };
}
