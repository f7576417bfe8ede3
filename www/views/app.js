/**
 * The page: input on one side, what it means on the other.
 * @import {Options, Overview, Problem, Reader, ServiceModel, TrafficModel, WhyTopic} from '../types.js'
 * @import {Source} from './editor.js'
 */
import { h } from 'preact';
import { exampleById } from '../samples/index.js';
import { Editor } from './editor.js';
import { Header, Story } from './header.js';
import { OptionControls } from './options.js';
import { ServiceList } from './service-list.js';
import { ServiceView } from './service.js';

/**
 * @typedef {object} AppState
 * @property {string} example the example shown, or ''
 * @property {Source} source
 * @property {Options} options settings made here
 * @property {Overview | null} overview of the last input that could be read
 * @property {Problem | null} problem of the input as it is now
 * @property {ServiceModel | null} model
 * @property {boolean} busy while a plan is on its way
 * @property {boolean} inputOpen
 *
 * @typedef {object} Actions
 * @property {(id: string) => void} onExample
 * @property {(text: string) => void} onText
 * @property {(file: File) => void} onFile
 * @property {(options: Options) => void} onOptions
 * @property {(key: string) => void} onSelect
 * @property {(key: string) => Promise<string>} onRead
 * @property {() => Promise<void>} onSave
 * @property {(key: string, reader: Reader) => Promise<TrafficModel | null>} onTraffic
 * @property {(key: string) => Promise<WhyTopic[] | null>} onWhy
 */

/** @param {{state: AppState, actions: Actions}} props */
export function App({ state, actions }) {
  const { overview, model, problem, source } = state;
  const many = overview !== null && (overview.services.length !== 1 || overview.skipped.length > 0);
  return [
    h(Header, null),
    h(
      'main',
      { class: 'layout' },
      h(Inputs, { state, actions, many }),
      h(
        'div',
        { class: problem && model ? 'result stale' : 'result', 'aria-busy': state.busy ? 'true' : 'false' },
        h(Story, { example: exampleById(state.example), overview, problem, stale: model !== null, name: source.name, onExample: actions.onExample }),
        model && overview && h(ServiceView, { model, overview, actions }),
        overview && !model && !problem && h('p', { class: 'quiet' }, 'There is no Service with a plan in this input.'),
      ),
    ),
    h(PatternDefinitions, null),
  ];
}

/** @param {{state: AppState, actions: Actions, many: boolean}} props */
function Inputs({ state, actions, many }) {
  const { source, problem, options, overview, model } = state;
  return h(
    'div',
    { class: many ? 'inputs many' : 'inputs' },
    h(
      'details',
      { class: 'input-fold', open: state.inputOpen || problem !== null },
      h('summary', null, 'Your input: paste, drop, or edit'),
      h(Editor, { source, problem, onText: actions.onText, onFile: actions.onFile }),
      h(OptionControls, { effective: overview?.options ?? null, overrides: options, onOptions: actions.onOptions }),
    ),
    many && overview && h(ServiceList, { overview, selected: model?.key ?? '', onSelect: actions.onSelect }),
  );
}

/** The hatch of endpoints that drain, in the colour of every zone. */
function PatternDefinitions() {
  const hues = ['z0', 'z1', 'z2', 'z3', 'z4', 'z5', 'z6', 'z7', 'z-none', 'z-key'];
  return h(
    'svg',
    { class: 'definitions', width: 0, height: 0, 'aria-hidden': 'true' },
    h(
      'defs',
      null,
      hues.map((hue) =>
        h(
          'pattern',
          { key: hue, id: `hatch-${hue}`, class: hue, width: 6, height: 6, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' },
          h('rect', { class: 'hatch-line', width: 2.5, height: 6 }),
        ),
      ),
    ),
  );
}
