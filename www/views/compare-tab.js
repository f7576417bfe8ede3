/**
 * Settings or inputs side by side: each column is a plan of the same Service, compared with the first one.
 * @import {Actions, AppState, CompareAnswer, CompareColumn, ComparedSide, Reader, ServiceModel} from '../types.js'
 */
import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { HINT_SIGNS, KUBECTL, counted, hintState, writeWords } from '../model/text.js';
import { PLAIN, PRESETS, presetsFor } from '../model/presets.js';
import { percent } from '../model/traffic-text.js';
import '../styles/compare.css';
import { Failure, useAnswer } from './answer.js';
import { Area } from './area.js';
import { Choice } from './choice.js';
import { MiniSlices } from './mini-slices.js';
import { Prose } from './prose.js';

/**
 * @typedef {NonNullable<CompareAnswer['columns'][number]['differences']>} Differences
 *
 * The stored state of this view.
 * @typedef {object} CompareChoice
 * @property {CompareColumn[]} columns
 * @property {string} other another input, as text
 * @property {Reader} reader
 */

const MOST = 4;

/** @type {CompareChoice} */
const FIRST = { columns: PRESETS[0]?.[1] ?? [PLAIN], other: '', reader: 'kube-proxy' };

/** @type {[CompareColumn['hints'], string][]} */
const HINTS = [
  ['asIs', 'as in the input'],
  ['none', 'none'],
  ['Auto', 'Auto'],
  ['PreferSameZone', 'PreferSameZone'],
  ['PreferSameNode', 'PreferSameNode'],
];
/** @type {['', string]} */
const AS_SET = ['', 'as in the settings'];
/** @type {[CompareColumn['packing'], string][]} */
const PACKINGS = [AS_SET, ['upstream', 'upstream'], ['compact', 'compact'], ['balanced', 'balanced']];
/** @type {[CompareColumn['when'], string][]} */
const TIMES = [['now', 'as they are'], ['after', 'after the plan']];
/** @type {[CompareColumn['input'], string][]} */
const INPUTS = [['loaded', 'the one loaded'], ['other', 'the second one']];

/** @param {{state: AppState, actions: Actions}} props */
export function CompareTab({ state, actions }) {
  const { model } = state;
  if (!model) return null;
  const stored = { ...FIRST, .../** @type {Partial<CompareChoice>} */ (state.views.compare) };
  // Columns of older links lack what was added later.
  const choice = { ...stored, columns: stored.columns.map((column) => ({ ...PLAIN, ...column })) };
  /** @param {Partial<CompareChoice>} change @param {string} label */
  const onChoose = (change, label) => actions.onView('compare', { ...choice, ...change }, label);
  return h(Compare, { key: model.key, model, choice, onChoose, actions, active: state.tab === 'compare' });
}

/**
 * @param {object} props
 * @param {ServiceModel} props.model
 * @param {CompareChoice} props.choice
 * @param {(change: Partial<CompareChoice>, label: string) => void} props.onChoose
 * @param {Actions} props.actions
 * @param {boolean} props.active
 */
function Compare({ model, choice, onChoose, actions, active }) {
  const { columns, other, reader } = choice;
  const [done, setDone] = useState(0);
  const turn = useRef(0);
  const ask = () => {
    const mine = (turn.current += 1);
    setDone(0);
    const onProgress = (/** @type {number} */ count) => mine === turn.current && setDone(count);
    return actions.engine.compare(model.key, other, columns, reader, model.legend, onProgress);
  };
  const answer = useAnswer(ask, model, JSON.stringify(choice), { active });
  /** @type {CompareAnswer['columns']} */
  const sides = answer?.value?.columns ?? [];
  /** @param {number} place @param {Partial<CompareColumn>} change */
  const edit = (place, change) =>
    onChoose({ columns: columns.map((column, index) => (index === place ? { ...column, ...change } : column)) }, 'Change a column');
  /** @param {number} place */
  const remove = (place) => onChoose({ columns: columns.filter((_, index) => index !== place) }, 'Remove a column');
  return h(
    'section',
    {
      class: answer?.stale ? 'panel compare outdated' : 'panel compare',
      'aria-labelledby': 'compare-title',
      'aria-busy': !answer || answer.stale ? 'true' : 'false',
    },
    h('h2', { id: 'compare-title' }, 'Compare'),
    h(
      'div',
      { class: 'presets', role: 'group', 'aria-label': 'What to compare' },
      presetsFor(model.legend.kubernetesVersions).map(([title, preset]) =>
        h(
          'button',
          {
            key: title,
            type: 'button',
            'aria-pressed': same(preset, columns) ? 'true' : 'false',
            onClick: () => onChoose({ columns: preset }, `Compare: ${title}`),
          },
          title,
        ),
      ),
      h('span', { class: 'quiet', role: 'status' }, answer && !answer.stale ? '' : progressWords(done, columns.length)),
    ),
    columns.some(({ input }) => input === 'other') &&
      h(OtherInput, { text: other, actions, onText: (text) => onChoose({ other: text }, 'Change the second input') }),
    h(Failure, { answer }),
    h(Columns, { model, columns, sides, onEdit: edit, onRemove: remove }),
    h(
      'div',
      { class: 'controls' },
      columns.length < MOST &&
        h('button', { type: 'button', onClick: () => onChoose({ columns: [...columns, columns.at(-1) ?? PLAIN] }, 'Add a column') }, 'Add a column'),
      h(Choice, {
        label: 'Read by',
        value: reader,
        options: Object.entries(model.legend.readers),
        onChoose: (value) => onChoose({ reader: /** @type {Reader} */ (value) }, 'Change the reader'),
      }),
    ),
    sides.map(({ differences }, place) => differences && h(DifferenceList, { key: place, place, differences })),
  );
}

/** @param {number} done @param {number} all */
function progressWords(done, all) {
  return done > 0 && done < all ? `Planned ${done} of ${counted(all, 'column')} …` : `Planning ${counted(all, 'column')} …`;
}

/** @param {unknown} a @param {unknown} b */
function same(a, b) {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** @param {{text: string, actions: Actions, onText: (text: string) => void}} props */
function OtherInput({ text, actions, onText }) {
  // Reading a file may take a while; later choices and typed text stay.
  const latest = useRef({ onText, file: /** @type {File | undefined} */ (undefined) });
  latest.current.onText = onText;
  const forget = () => void (latest.current.file = undefined);
  useEffect(() => forget, []);
  /** @param {Event} event */
  const opened = (event) => {
    const input = /** @type {HTMLInputElement} */ (event.currentTarget);
    const file = input.files?.[0];
    latest.current.file = file;
    input.value = '';
    void file?.text().then((read) => latest.current.file === file && latest.current.onText(read), () => {});
  };
  return h(
    'div',
    { class: 'other-input', onInput: forget },
    h('label', { for: 'other-input' }, 'The second input, as JSON or YAML'),
    h(Area, { id: 'other-input', rows: 6, text, actions, onText, placeholder: KUBECTL }),
    h('label', { class: 'file-button' }, 'Open a file…', h('input', { type: 'file', accept: '.json,.yaml,.yml,.txt', onChange: opened })),
  );
}

/**
 * @param {object} props
 * @param {ServiceModel} props.model
 * @param {CompareColumn[]} props.columns
 * @param {CompareAnswer['columns']} props.sides
 * @param {(place: number, change: Partial<CompareColumn>) => void} props.onEdit
 * @param {(place: number) => void} props.onRemove
 */
function Columns({ model, columns, sides, onEdit, onRemove }) {
  const hasOther = columns.some(({ input }) => input === 'other');
  const { mostEndpointsPerSlice: most, kubernetesVersions: versions } = model.legend;
  const common = { hasOther, max: model.max, most, versions, onEdit };
  return h(
    'div',
    { class: 'scroller answer', tabindex: 0, role: 'region', 'aria-label': 'Columns to compare' },
    h(
      'table',
      { class: 'compare-table' },
      h('caption', { class: 'visually-hidden' }, 'Figures of each column'),
      h(
        'thead',
        null,
        h(
          'tr',
          null,
          h('td', null),
          columns.map((column, place) => {
            const failure = sides[place]?.failure;
            return h(
              'th',
              { key: place, scope: 'col' },
              h(ColumnHead, { place, name: nameOf(column, columns), only: columns.length === 1, onRemove }),
              failure && h('p', { class: 'reason' }, h(Prose, { text: failure })),
            );
          }),
        ),
      ),
      h(
        'tbody',
        null,
        FIGURES.map((figure) => h(FigureRow, { key: figure.title, figure, columns, sides, max: model.max })),
        h(
          'tr',
          null,
          h('th', { scope: 'row' }, 'Differs from the first'),
          columns.map((_, place) => h('td', { key: place }, place === 0 ? '–' : differenceWords(sides[place]?.differences))),
        ),
        h(
          'tr',
          { class: 'pictures' },
          h('th', { scope: 'row' }, 'Picture'),
          columns.map((column, place) => {
            const side = sides[place]?.side;
            const max = column.max ?? side?.max ?? model.max;
            return h('td', { key: place }, side && h(MiniSlices, { slices: side.slices, zones: model.zones, max }));
          }),
        ),
        h(
          'tr',
          { class: 'settings' },
          h('th', { scope: 'row' }, 'Settings'),
          columns.map((column, place) => h('td', { key: place }, h(ColumnSettings, { column, place, ...common }))),
        ),
      ),
    ),
  );
}

/**
 * @typedef {(side: ComparedSide, max: number) => import('preact').ComponentChildren} Figure
 * @type {{title: string, of: Figure}[]}
 */
const FIGURES = [
  { title: 'Writes', of: ({ writes }) => (writes ? writeWords(writes) : '–') },
  { title: 'Slices', of: ({ slices }, max) => `${slices.length}, up to ${max} each` },
  { title: 'Endpoints', of: ({ slices }) => sum(slices, ({ count }) => count) },
  { title: 'Slices if all were full', of: ({ needed }) => needed ?? '–' },
  { title: 'Hinted', of: ({ slices }) => `${sum(slices, ({ hinted }) => hinted)} of ${sum(slices, ({ count }) => count)}` },
  {
    title: 'Hints',
    of: ({ hints }) => (hints.length > 0 ? hints.map((hint) => h(HintState, { key: hint.addressType, hint, several: hints.length > 1 })) : '–'),
  },
  { title: 'Crosses zones', of: ({ ports }) => portFigures(ports, ({ crossZone }) => (crossZone === null ? '–' : percent(crossZone))) },
  { title: 'Finds no endpoint', of: ({ ports }) => portFigures(ports, ({ unserved }) => percent(unserved)) },
  { title: 'Busiest above its share', of: ({ ports }) => portFigures(ports, ({ overload }) => percent(overload)) },
];

/**
 * A figure of each column, in bold where it differs from the first.
 * @param {{figure: typeof FIGURES[number], columns: CompareColumn[], sides: CompareAnswer['columns'], max: number}} props
 */
function FigureRow({ figure: { title, of }, columns, sides, max }) {
  const values = columns.map((column, place) => {
    const side = sides[place]?.side;
    return side ? of(side, column.max ?? side.max ?? max) : '';
  });
  const [first] = values;
  const isOther = (/** @type {unknown} */ value) => typeof value !== 'object' && value !== '' && value !== first;
  return h(
    'tr',
    null,
    h('th', { scope: 'row' }, title),
    values.map((value, place) => h('td', { key: place }, isOther(value) ? h('strong', null, value) : value)),
  );
}

/** @param {ComparedSide['slices']} slices @param {(slice: ComparedSide['slices'][number]) => number} figure */
function sum(slices, figure) {
  return slices.reduce((total, slice) => total + figure(slice), 0);
}

/** @param {{hint: import('../types.js').Hint, several: boolean}} props */
function HintState({ hint, several }) {
  const state = hintState(hint);
  return h(
    'p',
    null,
    h('strong', null, several && `${hint.addressType} `, HINT_SIGNS[state], state),
    hint.reason && h('span', { class: 'hint-reason' }, hint.reason),
  );
}

/** @param {ComparedSide['ports']} ports @param {(port: ComparedSide['ports'][number]) => string} words */
function portFigures(ports, words) {
  if (ports.length < 2) return ports[0] ? words(ports[0]) : '–';
  return ports.map((port) => h('p', { key: port.id }, words(port), h('span', { class: 'quiet' }, ` ${port.name} ${port.addressType}`)));
}

/** @param {Differences | null | undefined} differences */
function differenceWords(differences) {
  if (!differences) return '';
  const { slices, added, removed, changed, moved } = differences;
  const parts = [
    added && `${added} added`,
    removed && `${removed} removed`,
    changed && `${changed} changed`,
    moved && `${moved} in another slice`,
  ].filter(Boolean);
  if (slices + parts.length === 0) return 'in nothing';
  return `${counted(slices, 'slice')}${parts.length > 0 ? `; endpoints: ${parts.join(', ')}` : ''}`;
}

/** @param {{place: number, name: string, only: boolean, onRemove: (place: number) => void}} props */
function ColumnHead({ place, name, only, onRemove }) {
  return h(
    'div',
    { class: 'column-head' },
    h('span', null, name || `Column ${place + 1}`),
    !only && h('button', { type: 'button', class: 'small', 'aria-label': `Remove column ${place + 1}`, onClick: () => onRemove(place) }, '✕'),
  );
}

/**
 * @param {object} props
 * @param {CompareColumn} props.column
 * @param {number} props.place
 * @param {boolean} props.hasOther
 * @param {number} props.max
 * @param {number} props.most
 * @param {string[]} props.versions of Kubernetes
 * @param {(place: number, change: Partial<CompareColumn>) => void} props.onEdit
 */
function ColumnSettings({ column, place, hasOther, max, most, versions, onEdit }) {
  /**
   * @param {string} label
   * @param {string} value
   * @param {readonly (readonly [string, string])[]} options
   * @param {string} field
   */
  const choose = (label, value, options, field) => {
    return h(Choice, { label, value, options, stacked: true, onChoose: (chosen) => onEdit(place, { [field]: chosen }) });
  };
  return h(
    'div',
    { class: 'column-settings', role: 'group', 'aria-label': `Column ${place + 1}` },
    choose('Hints', column.hints, HINTS, 'hints'),
    h(
      'label',
      { class: 'choice stacked-choice' },
      h('span', null, 'Endpoints per slice'),
      h('input', {
        type: 'number',
        min: 1,
        max: most,
        value: column.max ?? '',
        placeholder: String(max),
        onChange: (/** @type {Event} */ event) => onEdit(place, { max: numberOf(event) }),
      }),
    ),
    choose('Packing', column.packing, PACKINGS, 'packing'),
    choose('Kubernetes', column.kubernetes, [AS_SET, ...versions.map((name) => /** @type {const} */ ([name, name]))], 'kubernetes'),
    choose('Slices', column.when, TIMES, 'when'),
    (hasOther || column.input === 'other') && choose('Input', column.input, INPUTS, 'input'),
  );
}

/** What a column has that others do not; empty if they are all the same. @param {CompareColumn} column @param {CompareColumn[]} columns */
function nameOf(column, columns) {
  /** @type {Record<keyof CompareColumn, string>} */
  const words = {
    input: column.input === 'other' ? 'second input' : 'loaded input',
    when: wordsOf(TIMES, column.when),
    hints: column.hints === 'none' ? 'no hints' : column.hints === 'asIs' ? 'hints as in the input' : column.hints,
    max: column.max === null ? 'size as in the settings' : `${column.max} per slice`,
    packing: column.packing || 'packing as in the settings',
    kubernetes: `Kubernetes ${column.kubernetes || 'as in the settings'}`,
  };
  const fields = /** @type {(keyof CompareColumn)[]} */ (Object.keys(words));
  return fields.filter((field) => columns.some((other) => other[field] !== column[field])).map((field) => words[field]).join(', ');
}

/** @template {string} T @param {[T, string][]} options @param {T} value */
function wordsOf(options, value) {
  return options.find(([each]) => each === value)?.[1] ?? value;
}

/** @param {Event} event */
function numberOf(event) {
  const { valueAsNumber } = /** @type {HTMLInputElement} */ (event.currentTarget);
  return Number.isInteger(valueAsNumber) ? valueAsNumber : null;
}

/** @param {{place: number, differences: Differences}} props */
function DifferenceList({ place, differences: { list, left } }) {
  if (list.length === 0) return null;
  return h(
    'details',
    { class: 'differences' },
    h('summary', null, `What differs in column ${place + 1}`),
    h(
      'ul',
      { tabindex: 0, 'aria-label': `What differs in column ${place + 1}` },
      list.map(({ change, name, slice, from, fields }) =>
        h(
          'li',
          { key: `${change} ${name} ${slice}` },
          h('span', { class: 'sign-key', 'aria-hidden': 'true' }, SIGNS[change] ?? '≠'),
          ' ',
          h('strong', null, name),
          h('span', { class: 'quiet' }, ` ${change}, ${from ? `${from} → ${slice}` : slice}`),
          fields.map(({ field, before, after }) =>
            h('span', { key: field, class: 'field-change' }, `${field}: `, h('del', null, before), ' → ', h('ins', null, after)),
          ),
        ),
      ),
    ),
    left > 0 && h('p', { class: 'quiet' }, `and ${counted(left, 'more endpoint')}`),
  );
}

/** @type {Record<string, string>} */
const SIGNS = { added: '+', removed: '−', changed: '≠', moved: '⇄' };
