/**
 * The details of the selection, docked on the right; in a narrow window, a sheet at the bottom.
 * @import {Actions, AppState, Cell, Inspected, ServiceModel} from '../types.js'
 */
import { h } from 'preact';
import { useEffect } from 'preact/hooks';
import { CHANGE_WORDS } from '../model/cells.js';
import { counted, hintWords, number } from '../model/text.js';
import { letterOf, zoneClass } from '../model/zones.js';
import { Failure, useAnswer } from './answer.js';
import { Entry } from './why.js';
import { Prose } from './prose.js';

/** The maximum length of the quoted text of an object. */
const QUOTED = 60;
const LONGEST = 8000;

const GONE = 'The pod is no longer in the input; this is what its slice still says of it.';

/** @param {{state: AppState, actions: Actions}} props */
export function Inspector({ state, actions }) {
  const { inspected, model } = state;
  useEffect(() => {
    const escape = (/** @type {KeyboardEvent} */ event) => event.key === 'Escape' && actions.onInspect(null);
    addEventListener('keydown', escape);
    return () => removeEventListener('keydown', escape);
  }, []);
  const cell = model && inspected && findCell(model, inspected);
  if (!cell) return null;
  return h(
    'aside',
    { class: 'inspector', 'aria-label': 'Inspector' },
    h(
      'div',
      { class: 'inspector-head' },
      h('span', { class: `swatch ${zoneClass(model.zones, cell.zone)}`, 'aria-hidden': 'true' }, letterOf(model.zones, cell.zone)),
      h('h2', null, cell.target || cell.addresses[0] || 'Endpoint'),
      h('button', { type: 'button', class: 'icon', 'aria-label': 'Close the inspector', onClick: () => actions.onInspect(null) }, '✕'),
    ),
    state.problem && h('p', { class: 'quiet' }, 'From the last valid plan.'),
    h(CellFacts, { cell, state, model, actions }),
  );
}

/** @param {ServiceModel} model @param {Inspected} inspected @returns {Cell | undefined} */
function findCell(model, inspected) {
  if (inspected.kind !== 'cell') return undefined;
  const rows = [...model.groups.flatMap((group) => group.rows), ...model.foreign];
  const sides = inspected.side === 'before' ? /** @type {const} */ (['before', 'after']) : /** @type {const} */ (['after', 'before']);
  for (const side of sides) {
    const cells = rows.filter((row) => !inspected.slice || row.id === inspected.slice).flatMap((row) => row[side]?.cells ?? []);
    const cell = cells.find(({ id }) => id === inspected.id);
    if (cell) return cell;
  }
  return undefined;
}

/** @param {{cell: Cell, state: AppState, model: ServiceModel, actions: Actions}} props */
function CellFacts({ cell, state, model, actions }) {
  const [kind = '', name = ''] = cell.target.split(' ');
  return [
    h('dl', { class: 'facts' }, factsOf(cell).map(([term, value]) => [h('dt', { key: term }, term), h('dd', null, value)])),
    cell.fields.length > 0 && h(Changes, { cell }),
    kind === 'Pod' && h(PodWhy, { key: name, pod: name, isRemoved: cell.change === 'removed', model, actions }),
    kind !== '' && h(Written, { key: `${kind} ${name}`, kind, name, state, model, actions }),
  ];
}

/**
 * Explanations, in the core's words, which has none for a pod that is gone.
 * @param {{pod: string, isRemoved: boolean, model: ServiceModel, actions: Actions}} props
 */
function PodWhy({ pod, isRemoved, model, actions }) {
  const answer = useAnswer(() => actions.engine.whyPod(model.key, pod, model.legend), model, pod);
  const entries = (answer?.value?.topics ?? []).flatMap((topic) => topic.entries);
  return h(
    'div',
    { class: 'inspector-part', 'aria-busy': !answer || answer.stale ? 'true' : 'false' },
    h('h3', null, 'Why'),
    !answer && h('p', { class: 'quiet' }, 'Looking for the reasons …'),
    answer?.failure && isRemoved ? h('p', { class: 'reason' }, h(Prose, { text: GONE })) : h(Failure, { answer }),
    h('ul', null, entries.map((entry, index) => h(Entry, { key: index, entry, now: answer?.value?.now ?? null, actions }))),
  );
}

/** Its lines in the input. @param {{kind: string, name: string, state: AppState, model: ServiceModel, actions: Actions}} props */
function Written({ kind, name, state, model, actions }) {
  const { text } = state.source;
  const answer = useAnswer(() => actions.engine.place({ kind, namespace: model.namespace, name }), text, `${kind} ${name}`);
  if (!answer?.value || answer.stale) return null;
  const { from, to, line, lastLine } = answer.value;
  const left = lastLine - line + 1 - QUOTED;
  return h(
    'div',
    { class: 'inspector-part' },
    h('h3', null, `In the input, from line ${number(line)}`),
    h(
      'pre',
      { class: 'quoted', role: 'region', tabindex: 0, 'aria-label': 'Lines of the input' },
      quoted(text, from, to),
      left > 0 && `\n… and ${counted(left, 'more line')}`,
    ),
  );
}

/** The first lines of a part of the text, without common indentation. @param {string} text @param {number} from @param {number} to */
function quoted(text, from, to) {
  const start = text.lastIndexOf('\n', from - 1) + 1;
  const indent = from - start;
  const part = `${' '.repeat(indent)}${text.slice(from, Math.min(to, from + LONGEST))}`;
  return part.split('\n').slice(0, QUOTED).map((each) => each.replace(new RegExp(`^ {0,${indent}}`), '')).join('\n');
}

/** @param {Cell} cell @returns {[string, string][]} */
function factsOf(cell) {
  /** @type {[string, string][]} */
  const all = [
    ['Plan', cell.change === 'moved' ? `moved, other slice: ${cell.other}` : CHANGE_WORDS[cell.change]],
    ['State', cell.stateWords],
    ['Conditions', cell.conditions],
    ['Address', cell.addresses.join(', ')],
    ['Host name', cell.hostname],
    ['Node', cell.node],
    ['Zone', cell.zone || 'none'],
    ['Hint', hintWords(cell) || 'none'],
  ];
  return all.filter(([, value]) => value !== '');
}

/** @param {{cell: Cell}} props */
function Changes({ cell }) {
  return h(
    'ul',
    { class: 'changes' },
    cell.fields.map(({ field, before, after }) => h('li', { key: field }, `${field}: `, h('del', null, before), ' → ', h('ins', null, after))),
  );
}
