/**
 * All commands in one table: the palette searches it, the help sheet and the export menu list it, keys invoke it.
 * @import {Actions, AppState, Tab, Theme} from './types.js'
 * @import {Player} from './model/player.js'
 */
import { SPEEDS } from './model/speeds.js';
import { listedServices } from './model/triage.js';
import { EXAMPLES } from './samples/index.js';
import { editText } from './views/drawer/reveal.js';

/**
 * @typedef {object} Command
 * @property {string} id
 * @property {string} title
 * @property {string} section
 * @property {string[]} [keys] as `keyName` spells them: `mod+k`, `?`
 * @property {string} [note] details, shown beside the title
 * @property {(state: AppState) => boolean} [isOff]
 * @property {(actions: Actions, state: AppState) => unknown} run
 */

/** @type {[Tab, string][]} */
const TABS = [
  ['picture', 'Picture'],
  ['traffic', 'Traffic'],
  ['timeline', 'Timeline'],
  ['compare', 'Compare'],
  ['admission', 'Admission'],
];

/** @type {[Theme, string][]} */
const THEMES = [
  ['system', 'as the system'],
  ['light', 'light'],
  ['dark', 'dark'],
  ['contrast', 'high contrast'],
];

/** @param {AppState} state */
function hasNoPlan({ model }) {
  return model === null;
}

/** @param {string} id @param {string} title @param {string} note @param {Command['run']} run @returns {Command} */
function exportCommand(id, title, note, run) {
  return { id: `export-${id}`, title, note, section: 'Export', isOff: hasNoPlan, run };
}

/** Forms in which a plan or a picture can be exported. @type {Command[]} */
export const EXPORTS = [
  exportCommand('json', 'Plan as JSON', 'byte for byte as the core returned it', (actions) => actions.onSave()),
  exportCommand('yaml', 'Plan as YAML', 'of the Service shown', (actions) => actions.onExport('yaml')),
  exportCommand('patches', 'Patches', 'the writes of the plan, updates as patches', (actions) => actions.onExport('patches')),
  exportCommand('kubectl', 'Commands for kubectl', 'a script; read it before you run it', (actions) => actions.onExport('kubectl')),
  exportCommand('report', 'Report as Markdown', 'what is the case, why, and what to do', (actions) => actions.onExport('report')),
  exportCommand('svg', 'Picture as SVG', 'one file, with its styles', (actions) => actions.onPicture('svg')),
  exportCommand('png', 'Picture as PNG', 'twice the size, for slides', (actions) => actions.onPicture('png')),
];

/**
 * A command for the run that the timeline shows.
 * @param {string} id @param {string} title @param {string[]} keys @param {(player: Player, actions: Actions, state: AppState) => unknown} run
 * @returns {Command}
 */
function timelineCommand(id, title, keys, run) {
  const isOff = (/** @type {AppState} */ { tab, timeline }) => tab !== 'timeline' || !timeline;
  return {
    id: `timeline-${id}`,
    title,
    section: 'Timeline',
    ...(keys.length > 0 && { keys }),
    isOff,
    run: (actions, state) => state.timeline && run(state.timeline.player, actions, state),
  };
}

/** @param {(player: Player) => number} place @returns {(player: Player) => void} */
export function stepTo(place) {
  return (player) => {
    player.pause();
    player.go(place(player));
  };
}

/** @param {Player} player @param {Actions} actions @param {AppState} state @param {1 | -1} by */
function changeSpeed(player, actions, { views }, by) {
  const speed = (by > 0 ? SPEEDS : SPEEDS.toReversed()).find((each) => by * each > by * player.speed);
  if (speed) actions.onView('timeline', { .../** @type {object} */ (views.timeline), speed });
}

/** @type {Command[]} */
export const COMMANDS = [
  {
    id: 'palette',
    title: 'Search commands',
    section: 'Help',
    keys: ['mod+k'],
    run: (actions, { dialog }) => actions.onDialog(dialog === 'palette' ? '' : 'palette'),
  },
  { id: 'keys', title: 'Keyboard shortcuts', section: 'Help', keys: ['?'], run: (actions) => actions.onDialog('keys') },
  ...TABS.map(([tab, title], index) => ({
    id: tab,
    title: `Go to ${title}`,
    section: 'Go to',
    keys: [String(index + 1)],
    run: (/** @type {Actions} */ actions) => actions.onTab(tab),
  })),
  {
    id: 'paste',
    title: 'Paste your cluster',
    section: 'Input',
    note: 'or upload, drop or open what kubectl prints',
    keys: ['o'],
    run: (actions) => actions.onDialog('paste'),
  },
  {
    id: 'input',
    title: 'Open or close the input',
    section: 'Input',
    keys: ['i'],
    run: (actions, { drawer }) => actions.onDrawer({ open: !drawer.open }),
  },
  { id: 'objects', title: 'Show the objects of the input', section: 'Input', run: (actions) => actions.onDrawer({ open: true, pane: 'objects' }) },
  {
    id: 'text',
    title: 'Edit the text of the input',
    section: 'Input',
    keys: ['t'],
    run: editText,
  },
  { id: 'generate', title: 'Generate an input', section: 'Input', keys: ['g'], run: (actions) => actions.onDrawer({ open: true, pane: 'generate' }) },
  {
    id: 'settings',
    title: 'Back to the settings of the input',
    section: 'Input',
    isOff: ({ options }) => Object.keys(options).length === 0,
    run: (actions) => actions.onOptions({}),
  },
  { id: 'undo', title: 'Undo', section: 'Edit', keys: ['mod+z'], isOff: ({ canUndo }) => !canUndo, run: (actions) => actions.onUndo() },
  {
    id: 'redo',
    title: 'Redo',
    section: 'Edit',
    keys: ['mod+shift+z', 'mod+y'],
    isOff: ({ canRedo }) => !canRedo,
    run: (actions) => actions.onRedo(),
  },
  {
    id: 'fewer',
    title: 'One pod fewer',
    section: 'Edit',
    keys: ['-'],
    isOff: (state) => podsOf(state) <= 1,
    run: (actions, state) => actions.onScale(podsOf(state) - 1),
  },
  {
    id: 'more',
    title: 'One pod more',
    section: 'Edit',
    keys: ['+'],
    isOff: (state) => podsOf(state) === 0,
    run: (actions, state) => actions.onScale(podsOf(state) + 1),
  },
  timelineCommand('play', 'Play or pause', ['p'], (player) => (player.playing ? player.pause() : player.play())),
  timelineCommand('back', 'Step back', [','], stepTo(({ place }) => place - 1)),
  timelineCommand('on', 'Step forward', ['.'], stepTo(({ place }) => place + 1)),
  timelineCommand('start', 'To the start of the run', [], stepTo(() => 0)),
  timelineCommand('end', 'To the end of the run', [], stepTo(({ recording }) => recording.length - 1)),
  timelineCommand('slower', 'Play slower', ['<'], (player, actions, state) => changeSpeed(player, actions, state, -1)),
  timelineCommand('faster', 'Play faster', ['>'], (player, actions, state) => changeSpeed(player, actions, state, 1)),
  { id: 'share', title: 'Share a link', section: 'Share', keys: ['s'], run: (actions) => actions.onDialog('share') },
  {
    id: 'export',
    title: 'Export the plan or the picture',
    section: 'Export',
    keys: ['e'],
    isOff: hasNoPlan,
    run: (actions) => actions.onDialog('export'),
  },
  ...EXPORTS,
  { id: 'examples', title: 'All examples', section: 'Examples', keys: ['x'], run: (actions) => actions.onDialog('examples') },
  { id: 'next-example', title: 'Next example', section: 'Examples', keys: [']'], run: (actions, state) => actions.onExample(neighbour(state, 1)) },
  {
    id: 'previous-example',
    title: 'Previous example',
    section: 'Examples',
    keys: ['['],
    run: (actions, state) => actions.onExample(neighbour(state, -1)),
  },
  {
    id: 'next-service',
    title: 'Next Service',
    section: 'Services',
    keys: ['j'],
    isOff: hasOneService,
    run: (actions, state) => actions.onSelect(nextService(state, 1)),
  },
  {
    id: 'previous-service',
    title: 'Previous Service',
    section: 'Services',
    keys: ['k'],
    isOff: hasOneService,
    run: (actions, state) => actions.onSelect(nextService(state, -1)),
  },
  ...THEMES.map(([theme, name]) => ({
    id: `theme-${theme}`,
    title: `Colours: ${name}`,
    section: 'View',
    run: (/** @type {Actions} */ actions) => actions.onTheme(theme),
  })),
  { id: 'group-slice', title: 'Group endpoints by slice', section: 'View', run: (actions) => actions.onGroupBy('slice') },
  { id: 'group-zone', title: 'Group endpoints by zone', section: 'View', run: (actions) => actions.onGroupBy('zone') },
  { id: 'group-node', title: 'Group endpoints by node', section: 'View', run: (actions) => actions.onGroupBy('node') },
  {
    id: 'guide',
    title: 'From pods to hints in 60 seconds',
    section: 'View',
    isOff: hasNoPlan,
    run: (actions) => {
      actions.onTab('picture');
      actions.onDialog('guide');
    },
  },
  { id: 'forget', title: 'Delete all inputs saved in this browser', section: 'Input', run: (actions) => actions.onForget() },
];

/** @param {AppState} state */
function hasOneService({ overview }) {
  return (overview?.services.length ?? 0) < 2;
}

/** The number that the stepper changes; 0 if it cannot. @param {AppState} state */
function podsOf({ slider, model, glance }) {
  const ready = glance?.ready ?? 0;
  return ready > 0 && slider && slider.service === model?.key ? slider.pods : ready;
}

/** @param {AppState} state @param {number} step */
function neighbour({ example }, step) {
  const at = EXAMPLES.findIndex(({ id }) => id === example);
  return EXAMPLES.at((at + step) % EXAMPLES.length)?.id ?? '';
}

/** @param {AppState} state @param {number} step */
function nextService(state, step) {
  const services = listedServices(state);
  const { model } = state;
  const at = services.findIndex(({ key }) => key === model?.key);
  return services.at((at + step) % services.length)?.key ?? '';
}
