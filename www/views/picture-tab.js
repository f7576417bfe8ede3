/**
 * The first tab: the question of the Service, and its slices.
 * @import {Actions, AppState} from '../types.js'
 */
import { h } from 'preact';
import { useMemo } from 'preact/hooks';
import { Hints } from './hints.js';
import { Legend } from './legend.js';
import { Messages } from './messages.js';
import { PlanJson } from './plan-json.js';
import { Slices } from './slices.js';
import { EndpointTable } from './table.js';
import { Why } from './why.js';

/** @param {{state: AppState, actions: Actions}} props */
export function PictureTab({ state, actions }) {
  const { model, overview, problem, inspected } = state;
  const inspecting = inspected !== null;
  // Kept as it is whatever else changes; the actions hold nothing that grows old.
  const slices = useMemo(() => model && h(Slices, { key: model.key, model, inspecting, onInspect: actions.onInspect }), [model, inspecting]);
  if (!model || !overview) return overview && !problem && h('p', { class: 'quiet' }, 'There is no Service with a plan in this input.');
  return h(
    'div',
    { class: 'service', role: 'group', 'aria-labelledby': 'service-title' },
    h('h2', { id: 'service-title' }, h('span', { class: 'quiet' }, `${model.namespace}/`), model.name),
    h('p', { class: 'sentence', role: 'status' }, model.sentence),
    h(Legend, { model }),
    slices,
    h(Hints, { model, overview }),
    h(Messages, { model, overview }),
    h(Why, { model, onWhy: actions.onWhy }),
    h(EndpointTable, { model }),
    h(PlanJson, { service: model.key, overview, onRead: actions.onRead, onSave: actions.onSave }),
  );
}
