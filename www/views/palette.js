/**
 * All commands, searchable: a field with a list below it. The focus stays in the field; arrow keys choose, Enter runs.
 * @import {Actions, AppState} from '../types.js'
 * @import {Command} from '../commands.js'
 */
import { h } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { COMMANDS, stepTo } from '../commands.js';
import { keyLabel } from '../keys.js';
import { presetsFor } from '../model/presets.js';
import { counted } from '../model/text.js';
import { found, moreCommands } from '../more-commands.js';
import { Dialog } from './dialog.js';
import '../styles/commands.css';

const SHOWN = 60;

/** @param {{state: AppState, actions: Actions}} props */
export function Palette({ state, actions }) {
  const [search, setSearch] = useState('');
  const [active, setActive] = useState(0);
  const later = useLater(actions);
  const commands = useMemo(() => {
    const ofState = [fixCommands, phaseCommands, moreCommands, comparisons, versionCommands].flatMap((commandsOf) => commandsOf(state));
    const all = [...COMMANDS, ...ofState, ...later].filter((command) => command.id !== 'palette' && !command.isOff?.(state));
    return found(all, search);
  }, [search, later, state.overview, state.glance]);
  const shown = commands.slice(0, SHOWN);
  const chosen = shown[Math.min(active, shown.length - 1)];
  /** @param {Command | undefined} command */
  const run = (command) => {
    if (!command) return;
    actions.onDialog('');
    void command.run(actions, state);
  };
  /** @param {KeyboardEvent} event */
  const pressed = (event) => {
    const last = shown.length - 1;
    const to = { ArrowDown: active < last ? active + 1 : 0, ArrowUp: active > 0 ? active - 1 : last, PageDown: last, PageUp: 0 }[event.key];
    if (to !== undefined) setActive(to);
    else if (event.key === 'Enter') run(chosen);
    // In a search field, it would only clear the field.
    else if (event.key === 'Escape') actions.onDialog('');
    else return;
    event.preventDefault();
  };
  return h(
    Dialog,
    { title: 'Commands', kind: 'palette', onClose: () => actions.onDialog('') },
    h('input', {
      type: 'search',
      class: 'palette-search',
      role: 'combobox',
      autofocus: true,
      autocomplete: 'off',
      spellcheck: false,
      'aria-label': 'Search commands, examples and questions',
      'aria-expanded': 'true',
      'aria-controls': 'palette-list',
      'aria-autocomplete': 'list',
      'aria-activedescendant': chosen ? `command-${shown.indexOf(chosen)}` : undefined,
      placeholder: 'What would you like to do?',
      value: search,
      onInput: (/** @type {Event} */ event) => {
        setSearch(/** @type {HTMLInputElement} */ (event.currentTarget).value);
        setActive(0);
      },
      onKeyDown: pressed,
    }),
    h(List, { shown, chosen, run }),
    h('p', { class: 'quiet', role: 'status' }, countWords(commands.length, shown.length)),
  );
}

/** @param {number} all @param {number} shown */
function countWords(all, shown) {
  if (all === 0) return 'No matches';
  return all > shown ? `${shown} of ${counted(all, 'match', 'matches')} shown` : counted(all, 'match', 'matches');
}

/** @param {{shown: Command[], chosen: Command | undefined, run: (command: Command) => void}} props */
function List({ shown, chosen, run }) {
  const list = useRef(/** @type {HTMLUListElement | null} */ (null));
  useEffect(() => list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' }), [chosen]);
  return h(
    'ul',
    { ref: list, id: 'palette-list', class: 'palette-list', role: 'listbox', 'aria-label': 'Commands' },
    shown.map((command, index) =>
      h(
        'li',
        {
          key: command.id,
          id: `command-${index}`,
          role: 'option',
          'aria-selected': command === chosen ? 'true' : 'false',
          onClick: () => run(command),
        },
        h('span', { class: 'command-title' }, command.title),
        command.note && h('span', { class: 'quiet' }, command.note),
        h('span', { class: 'command-section quiet' }, command.section),
        command.keys?.[0] && h('kbd', null, keyLabel(command.keys[0])),
      ),
    ),
  );
}

/** Commands that load later: questions with their answers, and inputs saved in this browser. @param {Actions} actions */
function useLater(actions) {
  const [commands, setCommands] = useState(/** @type {Command[]} */ ([]));
  useEffect(() => {
    let current = true;
    const add = (/** @type {Command[]} */ more) => current && setCommands((before) => [...before, ...more]);
    void actions.saved().then((entries) => add(entries.map(savedCommand)));
    // Without them, the rest of the list still works.
    import(/* webpackChunkName: "questions" */ '../samples/questions.js').then(({ QUESTIONS }) => add(QUESTIONS.map(questionCommand)), () => {});
    return () => {
      current = false;
    };
  }, []);
  return commands;
}

/** The phases of the run that is shown. @param {AppState} state @returns {Command[]} */
function phaseCommands({ tab, timeline }) {
  if (tab !== 'timeline' || !timeline || timeline.phases.length < 2) return [];
  const { player, phases } = timeline;
  return phases.map((phase, index) => ({
    id: `phase-${index}`,
    title: `To the phase: ${phase}`,
    section: 'Timeline',
    run: () => stepTo(({ recording }) => recording.phaseStarts[index] ?? 0)(player),
  }));
}

/** The fixes that the core proposes. @param {AppState} state @returns {Command[]} */
function fixCommands({ glance }) {
  return (glance?.fixes ?? []).map(({ id, title, effect, changes }) => ({
    id: `fix-${id}`,
    title,
    note: effect,
    section: 'Fixes',
    run: (actions) => actions.onEdit(title, { changes }),
  }));
}

/** @param {AppState} state @returns {Command[]} */
function comparisons({ overview }) {
  return presetsFor(overview?.kubernetesVersions ?? []).map(([title, columns], index) => ({
    id: `compare-${index}`,
    title: `Compare: ${title}`,
    section: 'Compare',
    run: (actions, { views }) => {
      actions.onView('compare', { .../** @type {object} */ (views.compare), columns }, `Compare: ${title}`);
      actions.onTab('compare');
    },
  }));
}

/** Those that play out under another version of Kubernetes. @param {AppState} state @returns {Command[]} */
function versionCommands({ overview, options }) {
  return (overview?.kubernetesVersions ?? []).map((kubernetes) => ({
    id: `kubernetes-${kubernetes}`,
    title: `Plan as Kubernetes ${kubernetes}`,
    section: 'Input',
    isOff: () => overview?.options.kubernetes === kubernetes,
    run: (actions) => actions.onOptions({ ...options, kubernetes }),
  }));
}

/** @param {{id: string, title: string}} question @returns {Command} */
function questionCommand({ id, title }) {
  return { id: `question-${id}`, title, section: 'Questions', run: (actions) => actions.onExample(id) };
}

/** @param {{id: string, name: string, when: number, size: number}} entry @returns {Command} */
function savedCommand({ id, name, when, size }) {
  const note = `${new Date(when).toLocaleString()}, ${counted(Math.ceil(size / 1000), 'KB', 'KB')}`;
  return { id: `saved-${id}`, title: `Open ${name || 'your input'} again`, note, section: 'Saved', run: (actions) => actions.onOpenSaved(id) };
}
