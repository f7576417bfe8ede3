/**
 * The input at the side: its objects, its text, or a generator. It is initially closed; its width and content are
 * remembered. In a narrow window it overlays the page.
 * @import {Actions, AppState, DrawerPane} from '../types.js'
 * @import {View} from './tabs.js'
 */
import { h } from 'preact';
import { useRef } from 'preact/hooks';
import { lazy } from './lazy.js';
import { OptionControls } from './options.js';

export const DRAWER = { least: 280, most: 900, step: 24 };

/** @type {[DrawerPane, string, View][]} */
const PANES = [
  ['objects', 'Objects', lazy(() => import('./drawer/objects.js').then((module) => module.ObjectsTab), 'The objects')],
  ['text', 'YAML/JSON', lazy(() => import('./drawer/text.js').then((module) => module.TextTab), 'The text')],
  ['generate', 'Generate', lazy(() => import('./drawer/generate.js').then((module) => module.GenerateTab), 'The generator')],
];

/** @param {{state: AppState, actions: Actions}} props */
export function Drawer({ state, actions }) {
  const { drawer, options, overview } = state;
  const pane = PANES.find(([name]) => name === drawer.pane) ?? PANES[1];
  return h(
    'aside',
    { id: 'drawer', class: 'drawer', 'aria-label': 'Input', hidden: !drawer.open, style: { '--drawer-width': `${drawer.width}px` } },
    drawer.open && [
      h(
        'div',
        { class: 'drawer-head' },
        h(
          'div',
          { class: 'choices', role: 'group', 'aria-label': 'Show the input as' },
          PANES.map(([name, title]) =>
            h(
              'button',
              { key: name, type: 'button', 'aria-pressed': name === drawer.pane ? 'true' : 'false', onClick: () => actions.onDrawer({ pane: name }) },
              title,
            ),
          ),
        ),
        h('button', { type: 'button', class: 'icon', 'aria-label': 'Close the input', onClick: () => actions.onDrawer({ open: false }) }, '✕'),
      ),
      h('div', { class: 'drawer-body' }, pane && h(pane[2], { key: pane[0], state, actions })),
      h(OptionControls, { overview, overrides: options, onOptions: actions.onOptions }),
      h(Handle, { width: drawer.width, onWidth: (width) => actions.onDrawer({ width }) }),
    ],
  );
}

/** @param {{width: number, onWidth: (width: number) => void}} props */
function Handle({ width, onWidth }) {
  const grip = useRef(/** @type {{x: number, width: number} | null} */ (null));
  /** @param {number} wanted */
  const set = (wanted) => onWidth(Math.round(Math.min(DRAWER.most, Math.max(DRAWER.least, wanted))));
  /** @param {KeyboardEvent} event */
  const pressed = (event) => {
    const by = { ArrowLeft: -DRAWER.step, ArrowRight: DRAWER.step }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    set(width + by);
  };
  return h('div', {
    class: 'drawer-handle',
    role: 'separator',
    tabindex: 0,
    'aria-orientation': 'vertical',
    'aria-label': 'Width of the input',
    'aria-valuenow': width,
    'aria-valuemin': DRAWER.least,
    'aria-valuemax': DRAWER.most,
    onKeyDown: pressed,
    onPointerDown: (/** @type {PointerEvent} */ event) => {
      /** @type {Element} */ (event.currentTarget).setPointerCapture(event.pointerId);
      grip.current = { x: event.clientX, width };
    },
    onPointerMove: (/** @type {PointerEvent} */ event) => grip.current && set(grip.current.width + event.clientX - grip.current.x),
    onPointerUp: () => {
      grip.current = null;
    },
  });
}
