/**
 * What a field is for, its type and its values: under the pointer, and at the cursor at a key, which also announces it. The
 * words are text, never markup: some come from what was loaded.
 * @import {EditorState, Extension} from '@codemirror/state'
 * @import {Tooltip} from '@codemirror/view'
 * @import {Schemas} from './schema.js'
 */
import { Prec, StateEffect, StateField } from '@codemirror/state';
import { EditorView, hoverTooltip, keymap, showTooltip } from '@codemirror/view';
import { h, render } from 'preact';
import { Prose } from '../views/prose.js';
import { typeAt } from './places.js';
import { wordsOf } from './schema.js';
import { leafAt, ownerOf, treeUpTo } from './structure.js';

/** The key that explains what the cursor is at. */
const KEY = 'F1';
/** The most values that are listed. */
const MOST = 12;

/**
 * @typedef {object} Explained
 * @property {number} from
 * @property {number} to
 * @property {string} name
 * @property {string} type in words
 * @property {string} description
 * @property {string} values in words
 */

/** Null where nothing is known. @param {EditorState} state @param {number} pos @param {Schemas} schemas @returns {Explained | null} */
export function explainedAt(state, pos, schemas) {
  const tree = treeUpTo(state, pos);
  const leaf = leafAt(tree.resolveInner(pos, 1)) ?? leafAt(tree.resolveInner(pos, -1));
  const at = leaf && typeAt(leaf, state.doc, schemas);
  const name = leaf && (ownerOf(leaf, state.doc)?.key || at?.key);
  if (!at || !name) return null;
  const { description, values, examples } = at.type;
  const type = wordsOf(at.type, schemas);
  if (type === '' && description === '') return null;
  const [first, all] = values.length > 0 ? ['One of', values] : ['Such as', examples];
  const listed = all.filter((value) => value !== '').slice(0, MOST);
  return { from: leaf.from, to: leaf.to, name, type, description, values: listed.length > 0 ? `${first} ${listed.join(', ')}.` : '' };
}

/** @param {Explained} explained @returns {Tooltip} */
function tooltipOf({ from, to, name, type, description, values }) {
  const create = () => {
    const dom = document.createElement('div');
    dom.className = 'cm-explained';
    const head = h('p', null, h('code', null, name), type && `, ${type}`);
    render(h('div', { role: 'tooltip' }, head, description && h('p', null, h(Prose, { text: description })), values && h('p', null, values)), dom);
    return { dom };
  };
  return { pos: from, end: to, above: true, create };
}

/** @param {Explained} explained */
function spoken({ name, type, description, values }) {
  return [`${name}${type && `, ${type}`}.`, description, values].filter((each) => each !== '').join(' ');
}

/** @type {import('@codemirror/state').StateEffectType<Tooltip | null>} */
const setOpen = StateEffect.define();

/** What was asked for by key; it closes when the cursor moves or the text changes. @type {StateField<Tooltip | null>} */
const open = StateField.define({
  create: () => /** @type {Tooltip | null} */ (null),
  update(tooltip, transaction) {
    const set = transaction.effects.find((effect) => effect.is(setOpen));
    if (set) return set.value;
    return transaction.docChanged || transaction.selection ? null : tooltip;
  },
  provide: (field) => showTooltip.from(field),
});

/** @param {Schemas} schemas @returns {Extension} */
export function explanations(schemas) {
  /** @param {EditorView} view */
  const ask = (view) => {
    const explained = view.state.field(open) ? null : explainedAt(view.state, view.state.selection.main.head, schemas);
    const said = view.state.field(open) ? [] : [EditorView.announce.of(explained ? spoken(explained) : 'No field is known here.')];
    view.dispatch({ effects: [setOpen.of(explained && tooltipOf(explained)), ...said] });
    return true;
  };
  /** @param {EditorView} view */
  const close = (view) => {
    if (!view.state.field(open)) return false;
    view.dispatch({ effects: setOpen.of(null) });
    return true;
  };
  const hover = hoverTooltip((view, pos) => {
    const explained = explainedAt(view.state, pos, schemas);
    return explained && pos >= explained.from && pos <= explained.to ? tooltipOf(explained) : null;
  });
  return [open, hover, Prec.high(keymap.of([{ key: KEY, preventDefault: true, run: ask }, { key: 'Escape', run: close }]))];
}
