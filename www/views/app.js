/**
 * The page: a bar, the input in a drawer, one question per tab, and on the right the details of the selection.
 * @import {Actions, AppState, Tab} from '../types.js'
 * @import {View} from './tabs.js'
 */
import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Bar } from './bar.js';
import { Drawer } from './drawer.js';
import { Inspector } from './inspector.js';
import { lazy } from './lazy.js';
import { PatternDefinitions } from './marks.js';
import { Banner } from './notice.js';
import { PictureTab } from './picture-tab.js';
import { ServiceList } from './service-list.js';
import { TabList, TabPanels } from './tabs.js';

/** @type {[Tab, string, View][]} */
const TABS = [
  ['picture', 'Picture', PictureTab],
  ['traffic', 'Traffic', lazy(() => import('./traffic-tab.js').then((module) => module.TrafficTab), 'Traffic')],
  ['timeline', 'Timeline', lazy(() => import('./timeline-tab.js').then((module) => module.TimelineTab), 'The timeline')],
  ['compare', 'Compare', lazy(() => import('./compare-tab.js').then((module) => module.CompareTab), 'The comparison')],
  ['admission', 'Admission', lazy(() => import('./admission-tab.js').then((module) => module.AdmissionTab), 'Admission')],
];

const LiveBar = lazy(() => import('./live-bar.js').then((module) => module.LiveBar), 'The cluster');

/** @type {Record<string, View>} */
const DIALOGS = {
  examples: lazy(() => import('./examples-dialog.js').then((module) => module.ExamplesDialog), 'The examples'),
  share: lazy(() => import('./share-dialog.js').then((module) => module.ShareDialog), 'Sharing'),
  export: lazy(() => import('./export-dialog.js').then((module) => module.ExportDialog), 'The exports'),
  palette: lazy(() => import('./palette.js').then((module) => module.Palette), 'The commands'),
  keys: lazy(() => import('./keys-dialog.js').then((module) => module.KeysDialog), 'The keys'),
};

/** @param {{state: AppState, actions: Actions}} props */
export function App({ state, actions }) {
  if (state.embed) return [h(Embedded, { state, actions }), h(PatternDefinitions, null)];
  const dialog = DIALOGS[state.dialog];
  return [
    h('a', { class: 'skip', href: '#main' }, 'Skip to the picture'),
    h(Bar, { state, actions }),
    h(
      'div',
      { class: 'frame' },
      h(Drawer, { state, actions }),
      h(
        'main',
        { id: 'main', tabindex: -1, class: resultClass(state), 'aria-busy': state.busy ? 'true' : 'false' },
        state.live && h(LiveBar, { live: state.live }),
        h('div', { class: 'top-row' }, h(TabList, { tabs: TABS, state, actions }), h(Services, { state, actions })),
        h(Banner, { state, actions }),
        h(TabPanels, { tabs: TABS, state, actions }),
      ),
      h(Inspector, { state, actions }),
    ),
    dialog && h(dialog, { key: state.dialog, state, actions }),
    h(PatternDefinitions, null),
  ];
}

/** Only the hero, for embedding in other pages. @param {{state: AppState, actions: Actions}} props */
function Embedded({ state, actions }) {
  return h(
    'main',
    { class: `embedded ${resultClass(state)}`, 'aria-busy': state.busy ? 'true' : 'false' },
    h('h1', { class: 'visually-hidden' }, 'slicewise'),
    h(Banner, { state, actions }),
    h(PictureTab, { state, actions }),
    h(WholePage, { state, actions }),
  );
}

/** A link from the frame to the page with everything it shows, because a frame saves nothing. @param {{state: AppState, actions: Actions}} props */
function WholePage({ state: { model, source, options }, actions }) {
  const [fragment, setFragment] = useState(location.hash);
  useEffect(() => {
    let current = true;
    void actions.link().then((link) => current && setFragment(link));
    return () => {
      current = false;
    };
  }, [model, source, options]);
  return h('p', { class: 'whole-page' }, h('a', { href: `./${fragment}`, target: '_blank', rel: 'noreferrer' }, 'Open in slicewise'));
}

/** @param {AppState} state */
function resultClass({ problem, model }) {
  return problem && model ? 'result stale' : 'result';
}

/** The choice of Service, if the input has several. @param {{state: AppState, actions: Actions}} props */
function Services({ state: { overview, model }, actions }) {
  if (!overview || overview.services.length + overview.skipped.length < 2) return null;
  const at = overview.services.findIndex(({ key }) => key === model?.key);
  return h(
    'details',
    { class: 'services-fold', key: overview.services.length },
    h('summary', null, h('span', { class: 'quiet' }, `Service ${at + 1} of ${overview.services.length} `), h('strong', null, model?.key ?? 'none')),
    h(ServiceList, { overview, selected: model?.key ?? '', actions }),
  );
}
