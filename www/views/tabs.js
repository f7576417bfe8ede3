/**
 * The tabs. One tab stop; arrow keys, Home and End choose. An opened tab keeps its state.
 * @import {Actions, AppState, Tab} from '../types.js'
 */
import { h } from 'preact';
import { useRef } from 'preact/hooks';

/** @typedef {import('preact').FunctionComponent<{state: AppState, actions: Actions}>} View */

/** @param {{tabs: [Tab, string, View][], state: AppState, actions: Actions}} props */
export function TabList({ tabs, state, actions }) {
  /** @param {KeyboardEvent} event */
  const pressed = (event) => {
    const at = tabs.findIndex(([name]) => name === state.tab);
    const to = { ArrowRight: (at + 1) % tabs.length, ArrowLeft: (at + tabs.length - 1) % tabs.length, Home: 0, End: tabs.length - 1 }[event.key];
    const next = to === undefined ? undefined : tabs[to];
    if (!next) return;
    event.preventDefault();
    actions.onTab(next[0]);
    document.getElementById(`tab-${next[0]}`)?.focus();
  };
  return h(
    'div',
    { class: 'tabs', role: 'tablist', 'aria-label': 'Views', onKeyDown: pressed },
    tabs.map(([name, title]) =>
      h(
        'button',
        {
          key: name,
          type: 'button',
          role: 'tab',
          id: `tab-${name}`,
          'aria-controls': `panel-${name}`,
          'aria-selected': name === state.tab ? 'true' : 'false',
          tabindex: name === state.tab ? 0 : -1,
          onClick: () => actions.onTab(name),
        },
        title,
      ),
    ),
  );
}

/** @param {{tabs: [Tab, string, View][], state: AppState, actions: Actions}} props */
export function TabPanels({ tabs, state, actions }) {
  const opened = useRef(/** @type {Set<Tab>} */ (new Set()));
  opened.current.add(state.tab);
  return tabs.map(([name, title, view]) =>
    h(
      'section',
      { key: name, role: 'tabpanel', id: `panel-${name}`, class: 'tab-panel', 'aria-labelledby': `tab-${name}`, hidden: name !== state.tab },
      name !== 'picture' && h('h2', { class: 'visually-hidden' }, title),
      opened.current.has(name) && h(view, { state, actions }),
    ),
  );
}
