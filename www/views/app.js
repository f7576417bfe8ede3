/**
 * The page: a bar, the input in a drawer, one question per tab, and on the right the details of the selection.
 * @import {Actions, AppState, Tab} from '../types.js'
 * @import {View} from './tabs.js'
 */
import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { EXAMPLES } from '../samples/index.js';
import { number } from '../model/text.js';
import { isProblem, listedServices } from '../model/triage.js';
import { useAnswer } from './answer.js';
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
  paste: lazy(() => import('./paste-dialog.js').then((module) => module.PasteDialog), 'The ways to paste'),
  guide: lazy(() => import('./guide.js').then((module) => module.Guide), 'The guided path'),
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
        state.example === EXAMPLES[0]?.id && state.tab === 'picture' && h(Intro, { isNew: !state.guided, actions }),
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

/** Only one tab, and of the picture only the hero, for embedding in other pages. @param {{state: AppState, actions: Actions}} props */
function Embedded({ state, actions }) {
  const [, , View] = TABS.find(([tab]) => tab === state.tab) ?? TABS[0];
  return h(
    'main',
    { class: `embedded ${resultClass(state)}`, 'aria-busy': state.busy ? 'true' : 'false' },
    h('h1', { class: 'visually-hidden' }, 'slicewise'),
    h(Banner, { state, actions }),
    h(View, { state, actions }),
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

/** What this page is, and the way in; the guided path until it has been seen. @param {{isNew: boolean, actions: Actions}} props */
function Intro({ isNew, actions }) {
  return h(
    'p',
    { class: 'intro' },
    h('span', null, 'Shows what the EndpointSlices of a Service hold, what Kubernetes will change in them, and why. '),
    h('span', null, 'Nothing you paste leaves this browser. '),
    isNew && h('button', { type: 'button', class: 'guide-button', onClick: () => actions.onDialog('guide') }, '60-second tour'),
    h('button', { type: 'button', class: 'paste-link', onClick: () => actions.onDialog('paste') }, 'Paste your cluster'),
  );
}

/** The choice of Service, if the input has several. @param {{state: AppState, actions: Actions}} props */
function Services({ state, actions }) {
  const { overview, model } = state;
  const fold = useRef(/** @type {HTMLDetailsElement | null} */ (null));
  useClosing(fold);
  const active = overview !== null && overview.services.length > 1;
  const answer = useAnswer(() => actions.engine.verdicts(), overview, '', { active });
  const verdicts = answer?.stale ? null : answer?.value;
  // Not while the page is being drawn, which it causes.
  useEffect(() => void (verdicts && queueMicrotask(() => actions.onTriage(verdicts))), [verdicts]);
  if (!overview || overview.services.length + overview.skipped.length < 2) return null;
  const services = listedServices(state);
  const at = services.findIndex(({ key }) => key === model?.key);
  const known = state.triage?.work === (state.id || state.example) ? state.triage.verdicts : {};
  const problems = services.filter(({ key }) => isProblem(known[key])).length;
  return h(
    'details',
    { ref: fold, class: 'services-fold', key: overview.services.length },
    h(
      'summary',
      null,
      h('span', { class: 'quiet' }, `Service ${at + 1} of ${number(services.length)} `),
      h('strong', null, model?.key ?? 'none'),
      problems > 0 && h('span', { class: 'quiet' }, ` · ${number(problems)} with problems`),
    ),
    h(ServiceList, { overview, services, verdicts: known, selected: model?.key ?? '', actions }),
  );
}

/**
 * What covers the page closes on Escape, which returns the focus, and when anything outside is pressed.
 * @param {{current: HTMLDetailsElement | null}} fold
 */
function useClosing(fold) {
  useEffect(() => {
    /** @param {KeyboardEvent} event */
    const escape = (event) => {
      const open = event.key === 'Escape' && !event.defaultPrevented && fold.current?.open ? fold.current : null;
      if (!open || document.querySelector('dialog[open]')) return;
      open.open = false;
      if (open.contains(document.activeElement)) open.querySelector('summary')?.focus();
    };
    /** @param {PointerEvent} event */
    const outside = (event) => {
      if (fold.current?.open && event.target instanceof Node && !fold.current.contains(event.target)) fold.current.open = false;
    };
    addEventListener('keydown', escape);
    addEventListener('pointerdown', outside);
    return () => {
      removeEventListener('keydown', escape);
      removeEventListener('pointerdown', outside);
    };
  }, []);
}
