/**
 * The objects of the input, by kind, to browse and to change by clicking. The text of the input follows, and every
 * change can be undone. Only the visible rows are requested and drawn.
 * @import {Actions, AppState, ObjectPage, ObjectRow, ServiceEntry} from '../../types.js'
 */
import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { keyOf } from '../../model/objects.js';
import { showInText } from './reveal.js';
import '../../styles/drawer.css';

const ROW = 44;
/** Rows per request, and how many of them are outside the visible part. */
const PAGE = 60;
const BEYOND = 15;
/** @type {Record<string, string>} */
const PLURALS = { Service: 'Services', Pod: 'Pods', Node: 'Nodes', EndpointSlice: 'EndpointSlices' };
const ADDED = ['Pod', 'Node', 'Service'];

/** @param {{state: AppState, actions: Actions}} props */
export function ObjectsTab({ state, actions }) {
  const [kind, setKind] = useState('Pod');
  const [find, setFind] = useState('');
  const [chosen, setChosen] = useState('');
  const [from, setFrom] = useState(0);
  const page = usePage(state, actions, { kind, find, from, chosen });
  const row = page?.chosen?.id === chosen ? page.chosen : null;
  /** @param {string} next */
  const show = (next) => {
    setKind(next);
    setFrom(0);
    setChosen('');
  };
  return h(
    'section',
    { class: 'objects', 'aria-labelledby': 'objects-title' },
    h('h2', { id: 'objects-title' }, 'Objects of the input'),
    state.problem &&
      !state.problem.failed &&
      h('p', { class: 'problem', role: 'status' }, 'The text has an error; the last valid input is shown below. Fix the text, or undo.'),
    h('input', {
      ...{ type: 'search', 'aria-label': 'Search objects', placeholder: 'Search names, labels, nodes', value: find },
      onInput: (/** @type {Event} */ event) => {
        setFind(/** @type {HTMLInputElement} */ (event.currentTarget).value);
        setFrom(0);
      },
    }),
    h(
      'div',
      { class: 'kinds', role: 'group', 'aria-label': 'Kind' },
      (page?.kinds ?? []).map((each) =>
        h(
          'button',
          { key: each.kind, type: 'button', 'aria-pressed': each.kind === kind ? 'true' : 'false', onClick: () => show(each.kind) },
          `${PLURALS[each.kind] ?? each.kind} ${each.total}`,
        ),
      ),
    ),
    page && h(Rows, { key: kind, page, chosen, onChoose: setChosen, onFrom: setFrom, label: PLURALS[kind] ?? kind }),
    page?.total === 0 && h('p', { class: 'quiet' }, find ? 'Nothing matches.' : `There is no ${kind} in the input.`),
    h(
      'div',
      { class: 'buttons' },
      ADDED.map((each) =>
        h('button', { key: each, type: 'button', onClick: () => void actions.onEdit(`Add a ${each}`, { do: 'add', kind: each }) }, `+ ${each}`),
      ),
    ),
    row && h(Chosen, { key: chosen, row, state, actions }),
  );
}

/**
 * The visible rows; while an answer is pending, the previous one.
 * @param {AppState} state
 * @param {Actions} actions
 * @param {{kind: string, find: string, from: number, chosen: string}} query
 */
function usePage({ overview, source }, actions, { kind, find, from, chosen }) {
  const [page, setPage] = useState(/** @type {ObjectPage | null} */ (null));
  useEffect(() => {
    let current = true;
    // The planner reports a dead worker.
    const failed = () => {};
    actions.engine.objects({ kind, find, from, count: PAGE, chosen }).then((answer) => current && answer && setPage(answer), failed);
    return () => {
      current = false;
    };
  }, [overview, source, kind, find, from, chosen]);
  return page;
}

/**
 * @param {object} props
 * @param {ObjectPage} props.page
 * @param {string} props.chosen
 * @param {string} props.label
 * @param {(id: string) => void} props.onChoose
 * @param {(from: number) => void} props.onFrom
 */
function Rows({ page, chosen, label, onChoose, onFrom }) {
  const list = useRef(/** @type {HTMLDivElement | null} */ (null));
  const at = page.rows.findIndex(({ id }) => id === chosen);
  /** @param {Event} event */
  const scrolled = (event) => {
    const first = Math.floor(/** @type {HTMLElement} */ (event.currentTarget).scrollTop / ROW);
    const isNear = first >= page.from && first + BEYOND <= page.from + page.rows.length;
    if (!isNear || first < page.from + 1) onFrom(Math.max(0, first - BEYOND));
  };
  /** @param {KeyboardEvent} event */
  const pressed = (event) => {
    const next = nextPlace(event.key, at < 0 ? -1 : page.from + at, page.total);
    if (next === null) return;
    event.preventDefault();
    const row = page.rows[next - page.from];
    if (row) onChoose(row.id);
    const box = list.current;
    if (!box) return;
    if (next * ROW < box.scrollTop) box.scrollTop = next * ROW;
    else if ((next + 1) * ROW > box.scrollTop + box.clientHeight) box.scrollTop = (next + 1) * ROW - box.clientHeight;
  };
  const active = at >= 0 ? `object-${page.from + at}` : undefined;
  return h(
    'div',
    {
      ...{ ref: list, class: 'object-rows', role: 'listbox', tabindex: 0, 'aria-label': label, 'aria-activedescendant': active },
      ...{ hidden: page.total === 0, onScroll: scrolled, onKeyDown: pressed },
    },
    h(
      'div',
      { class: 'object-all', role: 'presentation', style: { height: `${page.total * ROW}px` } },
      page.rows.map((row, index) => h(Row, { key: row.id, row, place: page.from + index, total: page.total, chosen: row.id === chosen, onChoose })),
    ),
  );
}

/** @param {{row: ObjectRow, place: number, total: number, chosen: boolean, onChoose: (id: string) => void}} props */
function Row({ row, place, total, chosen, onChoose }) {
  const { id, name, namespace, facts, ready } = row;
  const state = ready === null ? '' : ready ? '✓ ready' : '✗ not ready';
  return h(
    'div',
    {
      ...{
        id: `object-${place}`,
        class: 'object-row',
        role: 'option',
        'aria-selected': chosen ? 'true' : 'false',
        'aria-posinset': place + 1,
        'aria-setsize': total,
      },
      style: { top: `${place * ROW}px` },
      onClick: () => onChoose(id),
    },
    h('span', { class: 'object-name' }, namespace && h('span', { class: 'quiet' }, `${namespace}/`), name),
    h('span', { class: 'object-facts' }, [...facts, state].filter(Boolean).join(' · ')),
  );
}

/** The actions for the selected object. @param {{row: ObjectRow, state: AppState, actions: Actions}} props */
function Chosen({ row, state, actions }) {
  const { kind, namespace, name, ready } = row;
  const object = { kind, namespace, name };
  const service = kind === 'Service' ? state.overview?.services.find(({ key }) => key === keyOf(row)) : undefined;
  /** @param {string} label @param {object} what */
  const edit = (label, what) => void actions.onEdit(label, { ...object, ...what });
  return h(
    'section',
    { class: 'chosen', 'aria-labelledby': 'chosen-title' },
    h('h3', { id: 'chosen-title' }, `${kind} ${name}`),
    service && h(Scale, { service, actions }),
    h(
      'div',
      { class: 'buttons' },
      ready !== null &&
        h(
          'button',
          { type: 'button', onClick: () => edit(`Change the readiness of ${name}`, { do: 'ready', ready: !ready }) },
          ready ? 'Make it not ready' : 'Make it ready',
        ),
      kind === 'Node' && h('button', { type: 'button', onClick: () => edit(`Drain ${name}`, { do: 'drain' }) }, 'Drain'),
      h('button', { type: 'button', onClick: () => edit(`Delete ${name}`, { do: 'delete' }) }, 'Delete'),
      h('button', { type: 'button', onClick: () => void showInText(actions, object) }, 'Show in the text'),
    ),
    h(Labels, { row, edit }),
  );
}

/** @param {{service: ServiceEntry, actions: Actions}} props */
function Scale({ service: { key, stats }, actions }) {
  /** @param {number} by */
  const scale = (by) => void actions.onEdit(`Scale ${key}`, { do: 'scale', service: key, by }, `scale ${key}`);
  return h(
    'div',
    { class: 'buttons', role: 'group', 'aria-label': `Pods of ${key}` },
    h('button', { type: 'button', 'aria-label': 'One pod fewer', disabled: stats.endpoints === 0, onClick: () => scale(-1) }, '−'),
    h('span', { role: 'status' }, `${stats.endpoints} endpoints`),
    h('button', { type: 'button', 'aria-label': 'One pod more', onClick: () => scale(1) }, '+'),
  );
}

/** @param {{row: ObjectRow, edit: (label: string, what: object) => void}} props */
function Labels({ row: { labels }, edit }) {
  const [text, setText] = useState('');
  const [key, ...rest] = text.split('=');
  /** @param {Event} event */
  const submitted = (event) => {
    event.preventDefault();
    if (!key.trim() || rest.length === 0) return;
    edit(`Label ${key.trim()}`, { do: 'label', key: key.trim(), value: rest.join('=').trim() });
    setText('');
  };
  return [
    h(
      'ul',
      { key: 'labels', class: 'labels', 'aria-label': 'Labels' },
      labels.map(([name, value]) =>
        h(
          'li',
          { key: name },
          h('code', null, `${name}=${value}`),
          h(
            'button',
            {
              type: 'button',
              class: 'icon',
              'aria-label': `Remove the label ${name}`,
              onClick: () => edit(`Unlabel ${name}`, { do: 'label', key: name, value: null }),
            },
            '✕',
          ),
        ),
      ),
    ),
    h(
      'form',
      { key: 'add', class: 'buttons', onSubmit: submitted },
      h('input', {
        ...{ type: 'text', 'aria-label': 'Label to set', placeholder: 'key=value', value: text, spellcheck: false },
        onInput: (/** @type {Event} */ event) => setText(/** @type {HTMLInputElement} */ (event.currentTarget).value),
      }),
      h('button', { type: 'submit', disabled: !key?.trim() || rest.length === 0 }, 'Set the label'),
    ),
  ];
}

/** @param {string} key @param {number} at @param {number} total */
function nextPlace(key, at, total) {
  /** @type {Record<string, number>} */
  const places = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: total - 1, PageDown: at + 10, PageUp: at - 10 };
  const place = places[key];
  return place === undefined || total === 0 ? null : Math.min(total - 1, Math.max(0, place));
}
