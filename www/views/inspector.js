/**
 * What is known of the thing chosen, docked at the right; in a narrow window a sheet from below.
 * @import {Actions, AppState, Cell, Inspected, ServiceModel, Zone} from '../types.js'
 */
import { h } from 'preact';
import { useEffect } from 'preact/hooks';
import { CHANGE_WORDS, STATE_WORDS } from '../model/cells.js';
import { hintWords } from '../model/text.js';
import { letterOf, zoneClass } from '../model/zones.js';

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
    h(CellFacts, { cell, zones: model.zones }),
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

/** @param {{cell: Cell, zones: Zone[]}} props */
function CellFacts({ cell }) {
  return [
    h('dl', { class: 'facts' }, factsOf(cell).map(([term, value]) => [h('dt', { key: term }, term), h('dd', null, value)])),
    cell.fields.length > 0 && h(Changes, { cell }),
  ];
}

/** @param {Cell} cell @returns {[string, string][]} */
function factsOf(cell) {
  /** @type {[string, string][]} */
  const all = [
    ['Plan', cell.change === 'moved' ? `moved, other slice: ${cell.other}` : CHANGE_WORDS[cell.change]],
    ['State', STATE_WORDS[cell.state]],
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
