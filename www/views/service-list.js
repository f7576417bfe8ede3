/**
 * The Services of a snapshot, to search and choose from. One tab stop; arrow keys choose.
 * @import {Actions, Overview, ServiceEntry} from '../types.js'
 */
import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { counted, isEmpty } from '../model/text.js';
import { Unplanned } from './unplanned.js';

const SHOWN = 300;

/**
 * @param {object} props
 * @param {Overview} props.overview
 * @param {string} props.selected
 * @param {Actions} props.actions
 */
export function ServiceList({ overview, selected, actions }) {
  const [query, setQuery] = useState('');
  const [onlyChanges, setOnlyChanges] = useState(false);
  const found = overview.services.filter((entry) => matches(entry, query) && !(onlyChanges && isEmpty(entry.counts)));
  return h(
    'section',
    { class: 'services', 'aria-labelledby': 'services-title' },
    h(
      'div',
      { class: 'bar' },
      h('h2', { id: 'services-title' }, 'Services'),
      h('span', { class: 'quiet' }, `${found.length} of ${overview.services.length}`),
    ),
    h(
      'div',
      { class: 'filters' },
      h('input', {
        type: 'search',
        'aria-label': 'Search Services',
        placeholder: 'Search by name or namespace',
        value: query,
        onInput: (/** @type {Event} */ event) => setQuery(/** @type {HTMLInputElement} */ (event.currentTarget).value),
      }),
      h(
        'label',
        { class: 'flag' },
        h('input', {
          type: 'checkbox',
          checked: onlyChanges,
          onChange: (/** @type {Event} */ event) => setOnlyChanges(/** @type {HTMLInputElement} */ (event.currentTarget).checked),
        }),
        'only with changes',
      ),
    ),
    found.length > 0
      ? h(Entries, { entries: found.slice(0, SHOWN), selected, onSelect: actions.onSelect })
      : h('p', { class: 'quiet' }, 'No Service matches.'),
    found.length > SHOWN && h('p', { class: 'quiet' }, `The first ${SHOWN} are listed; search for the others.`),
    overview.skipped.length > 0 && h(Skipped, { overview, actions }),
  );
}

/** @param {ServiceEntry} entry @param {string} query */
function matches(entry, query) {
  const words = query.toLowerCase().split(/\s+/);
  return words.every((word) => entry.key.toLowerCase().includes(word));
}

/** @param {{entries: ServiceEntry[], selected: string, onSelect: (key: string) => void}} props */
function Entries({ entries, selected, onSelect }) {
  const list = useRef(/** @type {HTMLUListElement | null} */ (null));
  useEffect(() => list.current?.querySelector('[aria-selected=true]')?.scrollIntoView?.({ block: 'nearest' }), [selected]);
  const at = entries.findIndex((entry) => entry.key === selected);
  /** @param {KeyboardEvent} event */
  const pressed = (event) => {
    const next = nextIndex(event.key, at, entries.length);
    const entry = next === null ? undefined : entries[next];
    if (!entry) return;
    event.preventDefault();
    onSelect(entry.key);
  };
  const active = at >= 0 ? optionId(selected) : undefined;
  return h(
    'ul',
    {
      ref: list,
      class: 'entries',
      role: 'listbox',
      tabindex: 0,
      'aria-labelledby': 'services-title',
      'aria-activedescendant': active,
      onKeyDown: pressed,
    },
    entries.map((entry) => h(Entry, { key: entry.key, entry, selected: entry.key === selected, onSelect })),
  );
}

/** @param {string} key @param {number} at @param {number} length */
function nextIndex(key, at, length) {
  if (key === 'ArrowDown') return Math.min(length - 1, at + 1);
  if (key === 'ArrowUp') return Math.max(0, at - 1);
  if (key === 'Home') return 0;
  return key === 'End' ? length - 1 : null;
}

/** @param {string} key */
function optionId(key) {
  return `service-${key.replaceAll(/[^a-zA-Z0-9-]/g, '_')}`;
}

/** @param {{entry: ServiceEntry, selected: boolean, onSelect: (key: string) => void}} props */
function Entry({ entry, selected, onSelect }) {
  return h(
    'li',
    { id: optionId(entry.key), role: 'option', 'aria-selected': selected ? 'true' : 'false', onClick: () => onSelect(entry.key) },
    h('span', { class: 'entry-name' }, h('span', { class: 'quiet' }, `${entry.namespace}/`), entry.name),
    h('span', { class: 'entry-facts' }, factsOf(entry)),
  );
}

/** @param {ServiceEntry} entry */
function factsOf(entry) {
  const { created, updated, deleted } = entry.counts;
  const changes = isEmpty(entry.counts)
    ? ['at rest']
    : [created && `${created} created`, updated && `${updated} updated`, deleted && `${deleted} deleted`].filter(Boolean);
  const facts = [counted(entry.stats.endpoints, 'endpoint'), changes.join(', ')];
  if (entry.hints !== 'none') facts.push(`hints ${entry.hints}`);
  if (entry.troubles > 0) facts.push(counted(entry.troubles, 'warning'));
  return facts.join(' · ');
}

/** @param {{overview: Overview, actions: Actions}} props */
function Skipped({ overview, actions }) {
  const [isOpen, setOpen] = useState(false);
  return h(
    'details',
    { class: 'skipped', onToggle: (/** @type {Event} */ event) => setOpen(/** @type {HTMLDetailsElement} */ (event.currentTarget).open) },
    h('summary', null, `${counted(overview.skipped.length, 'Service')} without a plan`),
    isOpen && h(Unplanned, { overview, actions }),
  );
}
