/**
 * The editor's look: the page's tokens, which reach into its shadow root, so that light, dark and high contrast need no
 * themes of their own. As everywhere on the page, colours are reserved for zones.
 */
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const FIELD = {
  border: '1px solid var(--line-strong)',
  borderRadius: '6px',
  background: 'var(--raised)',
  color: 'var(--ink)',
  font: 'inherit',
  fontSize: 'var(--t1)',
};

const looks = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'var(--well)', fontSize: 'var(--t1)' },
  '&.cm-focused': { outline: '3px solid var(--accent)', outlineOffset: '-1px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--ink)', borderLeftWidth: '2px' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'color-mix(in srgb, var(--ink) 22%, transparent)',
  },
  '.cm-gutters': { backgroundColor: 'var(--well)', color: 'var(--ink-soft)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--ink) 6%, transparent)' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--ink)', fontWeight: '700' },
  '.cm-placeholder': { color: 'var(--ink-soft)' },
  '.cm-foldPlaceholder': { ...FIELD, padding: '0 6px', margin: '0 2px' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': { backgroundColor: 'transparent', outline: '1px solid var(--line-strong)' },
  '.cm-nonmatchingBracket, &.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'transparent', outline: '2px dashed var(--ink)' },
  '.cm-searchMatch': { backgroundColor: 'transparent', outline: '1px solid var(--line-strong)' },
  '.cm-searchMatch-selected': { outline: '2px solid var(--ink)' },
  '.cm-selectionMatch': { backgroundColor: 'color-mix(in srgb, var(--ink) 10%, transparent)' },
  '.cm-panels': { backgroundColor: 'var(--paper)', color: 'var(--ink)', fontFamily: 'var(--sans)' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panel.cm-search': { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '6px', padding: '8px 32px 8px 8px' },
  '.cm-panel.cm-search br': { display: 'none' },
  '.cm-panel.cm-search label': { display: 'inline-flex', alignItems: 'center', gap: '4px', fontSize: 'var(--t1)', margin: '0' },
  '.cm-panel.cm-search [name=close]': { color: 'var(--ink)', fontSize: 'var(--t4)', minWidth: '24px', minHeight: '24px', cursor: 'pointer' },
  '.cm-panel.cm-gotoLine': { padding: '8px' },
  '.cm-textfield': { ...FIELD, minHeight: '28px', margin: '0', padding: '2px 8px' },
  '.cm-button': { ...FIELD, backgroundImage: 'none', minHeight: '28px', margin: '0', padding: '2px 10px', cursor: 'pointer' },
  '.cm-button:active': { backgroundImage: 'none' },
  '.cm-textfield:focus-visible, .cm-button:focus-visible, [name=close]:focus-visible': { outline: '3px solid var(--accent)', outlineOffset: '1px' },
  '.cm-tooltip': { ...FIELD, fontFamily: 'var(--sans)', fontSize: 'var(--t1)', boxShadow: 'var(--shadow-high)', maxWidth: '36rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxWidth: 'min(36rem, 90vw)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 10px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': { background: 'var(--ink)', color: 'var(--paper)' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-completionDetail': { fontFamily: 'var(--sans)', fontStyle: 'normal' },
  '.cm-tooltip.cm-completionInfo': { padding: '6px 10px', maxWidth: 'min(22rem, 90vw)' },
  '.cm-explained': { padding: '6px 10px' },
  '.cm-explained p': { margin: '0 0 4px', lineHeight: '1.45' },
  '.cm-explained code': { fontFamily: 'var(--mono)', fontWeight: '600' },
  '.cm-diagnosticAction': { ...FIELD, minHeight: '24px', marginLeft: '8px', padding: '1px 8px', cursor: 'pointer' },
  '.cm-diagnostic': { padding: '6px 10px', borderLeft: '4px solid var(--ink)' },
  '.cm-diagnostic-warning': { borderLeftStyle: 'dashed' },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--ink) 1.5px', textUnderlineOffset: '3px' },
  '.cm-lintRange-warning': { backgroundImage: 'none', textDecoration: 'underline dashed var(--ink) 1.5px', textUnderlineOffset: '3px' },
  '.cm-faulty': { backgroundColor: 'color-mix(in srgb, var(--ink) 12%, transparent)', boxShadow: 'inset 4px 0 var(--ink)' },
  '.cm-gutter-lint .cm-gutterElement': { padding: '0' },
  '.cm-lint-marker': { width: '1.2em', height: '1.5em', fontWeight: '700', textAlign: 'center', color: 'var(--ink)' },
  // The library's own icons are data URLs, which the page's policy forbids.
  '.cm-lint-marker-error, .cm-lint-marker-warning, .cm-lint-marker-info': { content: 'normal' },
  '.cm-lint-marker-error::after': { content: '"✕"' },
  '.cm-lint-marker-warning::after': { content: '"!"' },
});

const ink = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], fontWeight: '600' },
  { tag: [tags.punctuation, tags.separator, tags.bracket, tags.brace, tags.squareBracket], color: 'var(--ink-soft)' },
  { tag: tags.comment, color: 'var(--ink-soft)', fontStyle: 'italic' },
  { tag: [tags.number, tags.bool, tags.null], fontStyle: 'italic' },
  { tag: tags.invalid, textDecoration: 'underline dashed' },
]);

export const theme = [looks, syntaxHighlighting(ink)];
