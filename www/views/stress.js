/**
 * The picture of a question beside its lanes: one row for each thing that is compared.
 * @import {Actions, Cell, Selection, ServiceModel, Zone} from '../types.js'
 * @import {Chip, Stress} from '../model/stress.js'
 */
import { h } from 'preact';
import { useMemo } from 'preact/hooks';
import { DRAWN } from '../model/lanes.js';
import { stressOf } from '../model/stress.js';
import { cellSentence, counted } from '../model/text.js';
import { letterOf, zoneClass } from '../model/zones.js';
import { useAnswer } from './answer.js';

/** @type {Partial<Record<Cell['change'], string>>} */
const SIGNS = { added: '+', removed: '−' };

/** @param {{model: ServiceModel, actions: Actions}} props */
export function StressPicture({ model, actions }) {
  const isEmpty = model.after.endpoints === 0;
  const answer = useAnswer(() => actions.engine.selection(model.key, model.legend), isEmpty ? model : null);
  const stress = useMemo(() => (isEmpty || model.before.endpoints + model.after.endpoints > 2 * DRAWN ? null : stressOf(model)), [model]);
  if (isEmpty) return answer?.value?.near ? h(SelectorPicture, { selection: answer.value.near }) : null;
  return stress && h(Rows, { stress, zones: model.zones });
}

/** @param {{stress: Stress, zones: Zone[]}} props */
function Rows({ stress: { kind, headline, rows, left }, zones }) {
  return h(
    'figure',
    { class: `stress ${kind}` },
    h('figcaption', null, headline),
    h(
      'ul',
      null,
      rows.map(({ label, note, chips, left: more }) =>
        h(
          'li',
          { key: label },
          h('span', { class: 'stress-label' }, h('strong', null, label), ' ', h('span', { class: 'quiet' }, note)),
          h(
            'span',
            { class: 'stress-chips' },
            chips.map((chip) => h(ChipMark, { key: chip.id, chip, zones })),
            more > 0 && h('span', { class: 'quiet' }, `and ${counted(more, 'more pod')}`),
          ),
        ),
      ),
    ),
    left > 0 && h('p', { class: 'quiet' }, `and ${left} more`),
  );
}

/** @param {{chip: Chip, zones: Zone[]}} props */
function ChipMark({ chip: { cell, label, name = '' }, zones }) {
  if (!cell) return h('span', { class: 'chip missing', title: `${name}: no address of this family` }, '–');
  const words = cellSentence(cell);
  return h(
    'span',
    { class: `chip ${cell.state} ${cell.change} ${zoneClass(zones, cell.zone)}`, title: words },
    h('span', { 'aria-hidden': 'true' }, label ?? letterOf(zones, cell.zone)),
    SIGNS[cell.change] && h('span', { class: 'chip-sign', 'aria-hidden': 'true' }, SIGNS[cell.change]),
    h('span', { class: 'visually-hidden' }, label ? `${label}: ${words}` : words),
  );
}

/** The selector against the labels of the pods that nearly match. @param {{selection: Selection}} props */
function SelectorPicture({ selection: { selector, pods } }) {
  return h(
    'figure',
    { class: 'stress selector' },
    h('figcaption', null, 'No pod has all the labels that the selector asks for.'),
    h(
      'div',
      { class: 'stress-table', role: 'region', tabindex: 0, 'aria-label': 'The selector and labels' },
      h(
        'table',
        null,
        h(
          'thead',
          null,
          h('tr', null, h('th', { scope: 'col' }, 'Label'), selector.map(([key]) => h('th', { key, scope: 'col' }, h('code', null, key)))),
        ),
        h(
          'tbody',
          null,
          h('tr', null, h('th', { scope: 'row' }, 'The selector asks for'), selector.map(([key, value]) => h('td', { key }, h('code', null, value)))),
          pods.map(({ name, labels }) =>
            h(
              'tr',
              { key: name },
              h('th', { scope: 'row' }, `${name} has`),
              selector.map(([key, wanted]) => h(LabelCell, { key, wanted, value: labels[key] })),
            ),
          ),
        ),
      ),
    ),
  );
}

/** @param {{wanted: string, value: string | undefined}} props */
function LabelCell({ wanted, value }) {
  if (value === wanted) return h('td', null, h('code', null, value), ' ✓');
  const words = value === undefined ? 'no such label' : h('code', null, value);
  return h('td', { class: 'differs' }, words, ' ✗', h('span', { class: 'visually-hidden' }, ' differs'));
}
