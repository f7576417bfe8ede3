/**
 * The first tab: the question of a Service and its answer, its slices, the reasons.
 * @import {Actions, AppState} from '../types.js'
 */
import { h } from 'preact';
import { useMemo } from 'preact/hooks';
import { listed, sentence as sentenceOf } from '../model/text.js';
import { useAnswer } from './answer.js';
import { Hero } from './hero.js';
import { Hints } from './hints.js';
import { Legend } from './legend.js';
import { Messages } from './messages.js';
import { PlanJson } from './plan-json.js';
import { Strip } from './strip.js';
import { EndpointTable } from './table.js';
import { Terms } from './terms.js';
import { Unplanned } from './unplanned.js';
import { Upgrade } from './upgrade.js';
import { Why } from './why.js';
import { Prose } from './prose.js';

/** @param {{state: AppState, actions: Actions}} props */
export function PictureTab({ state, actions }) {
  const { model, overview, problem, glance } = state;
  if (!model || !overview) return overview && !problem && h(NoPlan, { overview, actions });
  return h(
    'div',
    { class: 'service' },
    glance && h(Hero, { state, actions, glance, model }),
    !state.embed && h(Below, { state, actions, model, overview }),
  );
}

/** What was read, and what is missing according to the core. @param {{overview: NonNullable<AppState['overview']>, actions: Actions}} props */
function NoPlan({ overview, actions }) {
  const { warnings, ignored, skipped } = overview;
  const others = Object.entries(ignored).map(([kind, count]) => `${count} × ${kind}`);
  return h(
    'section',
    { class: 'panel', 'aria-labelledby': 'no-plan-title' },
    h('h2', { id: 'no-plan-title' }, 'There is no Service with a plan in this input'),
    h(
      'ul',
      { class: 'messages' },
      warnings.map((text) => h('li', { key: text }, h(Prose, { text: sentenceOf(text) }))),
      others.length > 0 && h('li', { key: 'others' }, `Not used: ${listed(others)}.`),
    ),
    skipped.length > 0 && h(Unplanned, { overview, actions }),
  );
}

/**
 * @param {object} props
 * @param {AppState} props.state
 * @param {Actions} props.actions
 * @param {NonNullable<AppState['model']>} props.model
 * @param {NonNullable<AppState['overview']>} props.overview
 */
function Below({ state, actions, model, overview }) {
  const { groupBy, theme, glance } = state;
  const inspecting = state.inspected !== null;
  // Memoized across other changes; the closures of actions never become outdated.
  const { onGroupBy, onInspect } = actions;
  const why = useAnswer(() => actions.onWhy(model.key, model.legend), model);
  const notes = why && !why.stale ? why.value?.slices : undefined;
  // Where the question is what the plan changes, this is its answer.
  const sentence = glance?.headline === model.sentence ? '' : model.sentence;
  const props = { key: model.key, model, sentence, notes, groupBy, inspecting, theme, onGroupBy, onInspect };
  const strip = useMemo(() => h(Strip, props), [model, sentence, notes, groupBy, inspecting, theme]);
  const legend = useMemo(() => h(Legend, { model }), [model]);
  const facts = useMemo(() => [h('div', { class: 'panels' }, h(Hints, { model }), h(Messages, { model })), h(EndpointTable, { model })], [model]);
  return [
    strip,
    legend,
    h(Terms, { key: 'terms' }),
    h(Why, { model, answer: why, undo: state.canUndo ? state.undoLabel : '', actions }),
    h(Upgrade, { key: 'upgrade', state, actions, model, overview }),
    facts,
    h(PlanJson, { service: model.key, overview, onRead: actions.onRead, onSave: actions.onSave }),
  ];
}
