/**
 * The question of a Service and its answer, to interact with: the core plans every step of the slider again, and
 * every fix. All texts come from the core.
 * @import {Actions, AppState, Crossing, Fix, Glance, InputChange, Outlook, ServiceModel} from '../types.js'
 */
import { h } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { exampleById } from '../samples/index.js';
import { outlookWords } from '../model/outlook.js';
import { percent } from '../model/traffic-text.js';
import { useAnswer } from './answer.js';
import { Slider, Stepper } from './counts.js';
import { Lanes } from './lanes.js';
import { Prose } from './prose.js';
import { StressPicture } from './stress.js';

/** @param {{state: AppState, actions: Actions, glance: Glance, model: ServiceModel}} props */
export function Hero({ state, actions, glance, model }) {
  const { arithmetic, fixes, rule } = glance;
  const wanted = state.slider?.service === model.key ? state.slider.pods : glance.ready;
  const chosen = state.inspected?.kind === 'cell' ? state.inspected.id : '';
  const lanes = useMemo(() => h(Lanes, { glance, model, chosen, actions }), [glance, model, chosen]);
  return h(
    'section',
    { class: 'hero', 'aria-labelledby': 'question' },
    h(
      'div',
      { class: 'hero-head' },
      h('h2', { id: 'question' }, glance.question),
      h('p', { class: 'headline', role: 'status' }, h(Prose, { text: glance.headline })),
      h(Stepper, { glance, wanted, actions }),
      h(CrossZones, { model, actions }),
    ),
    !arithmetic && h(StressPicture, { model, actions }),
    lanes,
    arithmetic && h('p', { class: 'arithmetic' }, arithmetic.words),
    h(Slider, { glance, words: model.legend.hints, wanted, actions }),
    h(Fixes, { model, fixes, undo: state.canUndo ? state.undoLabel : '', actions }),
    h('p', { class: 'rule quiet' }, h(Prose, { text: rule })),
    h(Lesson, { id: state.example }),
  );
}

/**
 * Each with its price, which arrives a moment later. A press removes its own button: the focus goes to the one that reverts it,
 * or to the first.
 * @param {{model: ServiceModel, fixes: Fix[], undo: string, actions: Actions}} props
 */
function Fixes({ model, fixes, undo, actions }) {
  const answer = useAnswer(() => actions.engine.attempts(model.key, fixes, model.legend), fixes.length > 0 ? model : null);
  const { now = null, outlooks = [], steady = null } = (answer?.stale ? null : answer?.value) ?? {};
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  const pressed = useRef(false);
  useLayoutEffect(() => {
    if (!pressed.current || box.current?.contains(document.activeElement)) return;
    /** @type {HTMLElement | null | undefined} */
    const next = box.current?.querySelector('.undo') ?? box.current?.querySelector('button');
    const isLost = document.activeElement === document.body;
    // Fixes come with the answer.
    if (isLost && !next) return;
    pressed.current = false;
    if (isLost) next?.focus();
  });
  /** @param {() => void} run */
  const press = (run) => () => {
    pressed.current = true;
    run();
  };
  /** @type {{fix: {title: string, effect?: string, changes: InputChange[]}, outlook: Outlook | null}[]} */
  const priced = fixes.map((fix, index) => ({ fix, outlook: outlooks[index] ?? null }));
  if (steady) priced.push({ fix: { title: steady.title, changes: steady.changes }, outlook: steady.outlook });
  return h(
    'div',
    { ref: box, class: 'fixes' },
    priced.map(({ fix: { title, effect, changes } }) =>
      h(
        'button',
        {
          ...{ key: title, type: 'button', class: effect === undefined ? 'fix steady' : 'fix', title: effect },
          onClick: press(() => actions.onEdit(title, { changes })),
        },
        title,
      ),
    ),
    undo && h('button', { type: 'button', class: 'undo', onClick: press(actions.onUndo) }, `Undo: ${undo}`),
    fixes.length > 0 && h(Prices, { now, priced, count: fixes.length }),
  );
}

/**
 * What each leads to, which arrives a moment later.
 * @param {{now: Outlook | null, priced: {fix: {title: string}, outlook: Outlook | null}[], count: number}} props
 */
function Prices({ now, priced, count }) {
  return h(
    'dl',
    { class: 'fix-prices', style: { minHeight: `${count}lh` } },
    priced.map(({ fix, outlook }) => outlook && h('div', { key: fix.title }, h('dt', null, fix.title), h('dd', null, outlookWords(now, outlook)))),
  );
}

/** The share of traffic that crosses zones, which arrives a moment later. @param {{model: ServiceModel, actions: Actions}} props */
function CrossZones({ model, actions }) {
  const answer = useAnswer(() => actions.engine.crossing(model.key), model);
  // The figure of another plan would stand beside this one's headline.
  const crossing = answer?.stale ? null : answer?.value;
  return h(
    'p',
    { class: 'crossing' },
    crossing && (crossing.now ?? crossing.after) !== null && [h('strong', null, bothSides(crossing)), ' of traffic leaves its zone'],
  );
}

/** @param {Crossing} crossing */
function bothSides({ now, after }) {
  const [before, then] = [now, after].map((share) => (share === null ? '–' : percent(share)));
  return before === then ? before : `${before} → ${then}`;
}

/** What an example teaches, and where it comes from. @param {{id: string}} props */
function Lesson({ id }) {
  const example = exampleById(id);
  if (!example) return null;
  return h(
    'details',
    { class: 'lesson' },
    h('summary', null, 'What this example teaches'),
    h(
      'p',
      null,
      example.teaches,
      ' ',
      h('a', { class: 'source', href: example.source.url, rel: 'noreferrer', target: '_blank' }, `From ${example.source.label}`),
    ),
  );
}
