/**
 * The question of a Service and its answer, to be touched: every step of the slider is planned again by the core, and so is
 * every fix. What is said here is said by the core.
 * @import {Actions, AppState, Crossing, Glance, ServiceModel} from '../types.js'
 */
import { h } from 'preact';
import { useMemo } from 'preact/hooks';
import { exampleById } from '../samples/index.js';
import { percent } from '../model/traffic-text.js';
import { useAnswer } from './answer.js';
import { Slider, Stepper } from './counts.js';
import { Lanes } from './lanes.js';
import { Prose } from './prose.js';

/** @param {{state: AppState, actions: Actions, glance: Glance, model: ServiceModel}} props */
export function Hero({ state, actions, glance, model }) {
  const { arithmetic, fixes, rule } = glance;
  const wanted = state.slider?.service === model.key ? state.slider.pods : glance.ready;
  const lanes = useMemo(() => h(Lanes, { glance, model, actions }), [glance, model]);
  return h(
    'section',
    { class: 'hero', 'aria-labelledby': 'question' },
    h(
      'div',
      { class: 'hero-head' },
      h('h2', { id: 'question' }, glance.question),
      h('p', { class: 'headline', role: 'status' }, h(Prose, { text: glance.headline })),
      h(Stepper, { glance, actions }),
      h(CrossZones, { model, actions }),
    ),
    lanes,
    arithmetic && h('p', { class: 'arithmetic' }, arithmetic.words),
    h(Slider, { glance, words: model.legend.hints, wanted, actions }),
    h(
      'div',
      { class: 'fixes' },
      fixes.map((fix) => h('button', { key: fix.id, type: 'button', class: 'fix', title: fix.effect, onClick: () => actions.onEdit(fix.title, { changes: fix.changes }) }, fix.title)),
      state.canUndo && h('button', { type: 'button', onClick: actions.onUndo }, `Undo: ${state.undoLabel}`),
    ),
    h('p', { class: 'rule quiet' }, h(Prose, { text: rule })),
    h(Lesson, { id: state.example }),
  );
}

/** How much of the traffic crosses zones, told a moment later by another part of the core. @param {{model: ServiceModel, actions: Actions}} props */
function CrossZones({ model, actions }) {
  const answer = useAnswer(() => actions.engine.crossing(model.key), model);
  const crossing = answer?.value;
  return h('p', { class: !answer || answer.stale ? 'crossing outdated' : 'crossing' }, crossing && (crossing.now ?? crossing.after) !== null && ['crosses zones: ', h('strong', null, bothSides(crossing))]);
}

/** @param {Crossing} crossing */
function bothSides({ now, after }) {
  const [before, then] = [now, after].map((share) => (share === null ? '–' : percent(share)));
  return before === then ? before : `${before} → ${then}`;
}

/** What an example teaches, and where it is from. @param {{id: string}} props */
function Lesson({ id }) {
  const example = exampleById(id);
  if (!example) return null;
  return h(
    'details',
    { class: 'lesson' },
    h('summary', null, 'What this example teaches'),
    h('p', null, example.teaches, ' ', h('a', { class: 'source', href: example.source.url, rel: 'noreferrer', target: '_blank' }, `From ${example.source.label}`)),
  );
}
