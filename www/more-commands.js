/**
 * What only the palette needs of commands: those that depend on the input, and the search. It loads with the palette.
 * @import {Actions, AppState} from './types.js'
 * @import {Command} from './commands.js'
 */
import { EXAMPLES } from './samples/index.js';
import { SCENARIOS } from './samples/scenarios.js';

/** The dynamic commands: for examples, scenarios and Services. @param {AppState} state @returns {Command[]} */
export function moreCommands({ overview }) {
  return [
    ...EXAMPLES.map(({ id, title }) => ({
      id: `example-${id}`,
      title,
      section: 'Examples',
      run: (/** @type {Actions} */ actions) => actions.onExample(id),
    })),
    ...SCENARIOS.map(({ id, title }) => ({
      id: `scenario-${id}`,
      title: `Scenario: ${title}`,
      section: 'Timeline',
      run: (/** @type {Actions} */ actions, /** @type {AppState} */ state) => openScenario(actions, state, id),
    })),
    ...(overview?.services ?? []).map(({ key }) => ({
      id: `service-${key}`,
      title: key,
      section: 'Services',
      run: (/** @type {Actions} */ actions) => actions.onSelect(key),
    })),
  ];
}

/** @param {Actions} actions @param {AppState} state @param {string} scenario */
function openScenario(actions, { views }, scenario) {
  actions.onView('timeline', { .../** @type {object} */ (views.timeline), scenario, service: '' }, 'the scenario');
  actions.onTab('timeline');
}

/**
 * The commands that contain every word of a search; those that begin with it come first.
 * @param {Command[]} commands @param {string} search @returns {Command[]}
 */
export function found(commands, search) {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const ranked = commands.flatMap((command) => {
    const title = command.title.toLowerCase();
    const all = `${command.section} ${title} ${command.note ?? ''}`.toLowerCase();
    if (!words.every((word) => all.includes(word))) return [];
    return [{ command, rank: words.length > 0 && title.startsWith(words.join(' ')) ? 0 : words.every((word) => title.includes(word)) ? 1 : 2 }];
  });
  return ranked.sort((one, other) => one.rank - other.rank).map(({ command }) => command);
}
