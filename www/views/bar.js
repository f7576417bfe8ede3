/**
 * The bar at the top: what is shown, and actions on it.
 * @import {Actions, AppState, Theme} from '../types.js'
 */
import { h } from 'preact';
import { EXAMPLES, exampleById } from '../samples/index.js';

/** @type {Record<Theme, {next: Theme, sign: string, name: string}>} */
const THEMES = {
  system: { next: 'light', sign: '◐', name: 'as the system' },
  light: { next: 'dark', sign: '☀', name: 'light' },
  dark: { next: 'contrast', sign: '☾', name: 'dark' },
  contrast: { next: 'system', sign: '◑', name: 'high contrast' },
};

/** @param {{state: AppState, actions: Actions}} props */
export function Bar({ state, actions }) {
  const { drawer, theme } = state;
  return h(
    'header',
    { class: 'topbar' },
    h('h1', null, h(Mark, null), h('span', { class: 'brand' }, 'slicewise')),
    h(
      'button',
      {
        type: 'button',
        class: 'input-toggle',
        'aria-expanded': drawer.open ? 'true' : 'false',
        'aria-controls': 'drawer',
        onClick: () => actions.onDrawer({ open: !drawer.open }),
      },
      'Input',
    ),
    !state.live && h(Named, { kind: 'paste-button', sign: '⎘', label: 'Paste your cluster', onClick: () => actions.onDialog('paste') }),
    h(Picker, { state, actions }),
    h(
      'div',
      { class: 'bar-buttons' },
      h(Tool, {
        kind: 'wide-only',
        sign: '↶',
        label: state.canUndo ? `Undo: ${state.undoLabel}` : 'Undo',
        disabled: !state.canUndo,
        onClick: actions.onUndo,
      }),
      h(Tool, {
        kind: 'wide-only',
        sign: '↷',
        label: state.canRedo ? `Redo: ${state.redoLabel}` : 'Redo',
        disabled: !state.canRedo,
        onClick: actions.onRedo,
      }),
      h(Named, { sign: '⇪', label: 'Share', onClick: () => actions.onDialog('share') }),
      h(Named, { sign: '⤓', label: 'Export', onClick: () => actions.onDialog('export') }),
      h(Tool, { sign: '⌘', label: 'Commands', onClick: () => actions.onDialog('palette') }),
      h(Tool, { sign: THEMES[theme].sign, label: `Colours: ${THEMES[theme].name}`, onClick: () => actions.onTheme(THEMES[theme].next) }),
    ),
  );
}

/**
 * A button with its name, or a sign if there is no room.
 * @param {{sign: string, label: string, kind?: string, onClick: () => void}} props
 */
function Named({ sign, label, kind, onClick }) {
  return h(
    'button',
    { type: 'button', class: kind, title: label, onClick },
    h('span', { class: 'narrow-only', 'aria-hidden': 'true' }, sign),
    h('span', { class: 'name' }, label),
  );
}

/** @param {{sign: string, label: string, kind?: string, disabled?: boolean, onClick: () => void}} props */
function Tool({ sign, label, kind = '', disabled = false, onClick }) {
  return h(
    'button',
    { type: 'button', class: `icon ${kind}`, 'aria-label': label, title: label, disabled, onClick },
    h('span', { 'aria-hidden': 'true' }, sign),
  );
}

/** The current example, and its neighbours. @param {{state: AppState, actions: Actions}} props */
function Picker({ state, actions }) {
  const example = exampleById(state.example);
  const index = example ? EXAMPLES.indexOf(example) : -1;
  return h(
    'div',
    { class: 'picker' },
    example && h(Step, { index: index - 1, label: 'Previous example', sign: '‹', onExample: actions.onExample }),
    h(
      'button',
      { type: 'button', class: 'picked', 'aria-haspopup': 'dialog', onClick: () => actions.onDialog('examples') },
      h('span', { class: 'quiet' }, example ? `Example ${index + 1} of ${EXAMPLES.length}` : 'Examples'),
      h('span', { class: 'picked-title' }, example?.title ?? (state.source.name || 'Your input')),
      h('span', { 'aria-hidden': 'true' }, '▾'),
    ),
    example && h(Step, { index: index + 1, label: 'Next example', sign: '›', onExample: actions.onExample }),
  );
}

/** @param {{index: number, label: string, sign: string, onExample: (id: string) => void}} props */
function Step({ index, label, sign, onExample }) {
  const target = EXAMPLES.at(index % EXAMPLES.length);
  return h(
    'button',
    { type: 'button', class: 'icon step', 'aria-label': label, title: target?.title, onClick: () => target && onExample(target.id) },
    sign,
  );
}

/** Three slices, the last one partly full. */
function Mark() {
  const rows = [4, 4, 2];
  const cells = rows.flatMap((count, y) =>
    [0, 1, 2, 3].map((x) => h('rect', { x: x * 6, y: y * 8, width: 5, height: 6, rx: 1.5, class: x < count ? `z${x % 3}` : 'gap' })),
  );
  return h('svg', { class: 'mark', viewBox: '0 0 23 22', width: 24, height: 23, 'aria-hidden': 'true' }, cells);
}
