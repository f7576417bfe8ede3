/**
 * The Services of a snapshot, each with the core's verdict, to search and choose from. One tab stop; arrow keys choose.
 * @import {Actions, Overview, ServiceEntry, Verdicts} from '../types.js'
 */
import { h } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { counted, isEmpty, number } from '../model/text.js';
import { isProblem } from '../model/triage.js';
import { Choice } from './choice.js';
import { Unplanned } from './unplanned.js';
import { SEVERITIES } from './why.js';

/** The height of an entry in pixels, and how many are drawn beyond the edges. */
const ROW = 52;
const BEYOND = 6;
/** What is drawn of a list that is not shown yet. */
const UNSHOWN = 400;

/**
 * @param {object} props
 * @param {Overview} props.overview
 * @param {ServiceEntry[]} props.services in order
 * @param {Verdicts} props.verdicts as far as they are known
 * @param {string} props.selected
 * @param {Actions} props.actions
 */
export function ServiceList({ overview, services, verdicts, selected, actions }) {
  const [query, setQuery] = useState('');
  const [namespace, setNamespace] = useState('');
  const [only, setOnly] = useState({ problems: false, changes: false });
  const found = services.filter(
    (entry) =>
      matches(entry, query) &&
      (namespace === '' || entry.namespace === namespace) &&
      !(only.changes && isEmpty(entry.counts)) &&
      (!only.problems || isProblem(verdicts[entry.key])),
  );
  const namespaces = [...new Set(services.map((entry) => entry.namespace))].sort();
  /** @param {keyof typeof only} name */
  const toggle = (name) => (/** @type {Event} */ event) =>
    setOnly({ ...only, [name]: /** @type {HTMLInputElement} */ (event.currentTarget).checked });
  return h(
    'section',
    { class: 'services', 'aria-labelledby': 'services-title' },
    h(
      'div',
      { class: 'bar' },
      h('h2', { id: 'services-title' }, 'Services'),
      h('span', { class: 'quiet' }, `${number(found.length)} of ${number(services.length)}`),
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
        'div',
        { class: 'controls' },
        h('label', { class: 'flag' }, h('input', { type: 'checkbox', checked: only.problems, onChange: toggle('problems') }), 'with problems'),
        h('label', { class: 'flag' }, h('input', { type: 'checkbox', checked: only.changes, onChange: toggle('changes') }), 'with changes'),
        namespaces.length > 1 &&
          h(Choice, {
            label: 'Namespace',
            value: namespace,
            options: [['', 'all'], ...namespaces.map((each) => /** @type {[string, string]} */ ([each, each]))],
            onChoose: setNamespace,
          }),
      ),
    ),
    found.length > 0
      ? // Made again with the verdicts: Chromium does not lay out entries that are moved while the list is closed.
        h(Entries, { key: Object.keys(verdicts).length > 0 ? 'judged' : 'unjudged', entries: found, verdicts, selected, onSelect: actions.onSelect })
      : h('p', { class: 'quiet' }, 'No Service matches.'),
    overview.skipped.length > 0 && h(Skipped, { overview, actions }),
  );
}

/** @param {ServiceEntry} entry @param {string} query */
function matches(entry, query) {
  const words = query.toLowerCase().split(/\s+/);
  return words.every((word) => entry.key.toLowerCase().includes(word));
}

/**
 * Only the entries that can be seen are drawn.
 * @param {{entries: ServiceEntry[], verdicts: Verdicts, selected: string, onSelect: (key: string) => void}} props
 */
function Entries({ entries, verdicts, selected, onSelect }) {
  const list = useRef(/** @type {HTMLUListElement | null} */ (null));
  const [top, setTop] = useState(0);
  const at = entries.findIndex((entry) => entry.key === selected);
  useLayoutEffect(() => {
    const box = list.current;
    if (!box || at < 0) return;
    const height = box.clientHeight || UNSHOWN;
    if (at * ROW < box.scrollTop) box.scrollTop = at * ROW;
    else if ((at + 1) * ROW > box.scrollTop + height) box.scrollTop = (at + 1) * ROW - height;
    setTop(box.scrollTop);
  }, [selected, entries.length]);
  /** @param {KeyboardEvent} event */
  const pressed = (event) => {
    const next = nextIndex(event.key, at, entries.length);
    const entry = next === null ? undefined : entries[next];
    if (!entry) return;
    event.preventDefault();
    onSelect(entry.key);
  };
  const first = Math.max(0, Math.floor(top / ROW) - BEYOND);
  const last = Math.min(entries.length, Math.ceil((top + UNSHOWN) / ROW) + BEYOND);
  const isDrawn = at >= first && at < last;
  return h(
    'ul',
    {
      ref: list,
      class: 'entries',
      role: 'listbox',
      tabindex: 0,
      'aria-labelledby': 'services-title',
      'aria-activedescendant': isDrawn ? optionId(selected) : undefined,
      onKeyDown: pressed,
      onScroll: () => setTop(list.current?.scrollTop ?? 0),
    },
    h('li', { key: ' above', role: 'presentation', style: { height: `${first * ROW}px` } }),
    entries.slice(first, last).map((entry, index) => {
      const place = { 'aria-setsize': entries.length, 'aria-posinset': first + index + 1 };
      return h(Entry, { key: entry.key, entry, verdict: verdicts[entry.key], place, selected: entry.key === selected, onSelect });
    }),
    h('li', { key: ' below', role: 'presentation', style: { height: `${(entries.length - last) * ROW}px` } }),
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

/**
 * @param {object} props
 * @param {ServiceEntry} props.entry
 * @param {Verdicts[string]} [props.verdict]
 * @param {object} props.place
 * @param {boolean} props.selected
 * @param {(key: string) => void} props.onSelect
 */
function Entry({ entry, verdict, place, selected, onSelect }) {
  const [sign, word] = verdict ? SEVERITIES[verdict.severity] : ['', ''];
  const said = verdict?.text.replaceAll('`', '') ?? '';
  return h(
    'li',
    { id: optionId(entry.key), role: 'option', 'aria-selected': selected ? 'true' : 'false', ...place, onClick: () => onSelect(entry.key) },
    h(
      'span',
      { class: 'entry-head' },
      verdict && h('span', { class: 'why-sign', role: 'img', 'aria-label': word, title: word }, sign),
      h('span', { class: 'entry-name' }, h('span', { class: 'quiet' }, `${entry.namespace}/`), entry.name),
      h('span', { class: 'entry-facts' }, factsOf(entry)),
    ),
    h('span', { class: 'entry-verdict', title: said }, said),
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
