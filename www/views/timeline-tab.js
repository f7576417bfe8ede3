/**
 * The timeline: a scenario runs through the controller, and any moment of it can be viewed.
 * @import {Actions, AppState, Problem, Zone} from '../types.js'
 * @import {ScenarioSummary as About} from 'slicewise/simulation'
 * @import {SliceState} from '../model/recording.js'
 */
import { h } from 'preact';
import { useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import { stepTo } from '../commands.js';
import { SMALL, scenariosOf } from '../model/likeness.js';
import { Player } from '../model/player.js';
import { Recording } from '../model/recording.js';
import { SPEEDS } from '../model/speeds.js';
import { HINT_SIGNS, counted, hintState, sentence } from '../model/text.js';
import { clock } from '../model/timeline-text.js';
import { settingOf } from '../model/version.js';
import { zonesOf } from '../model/zones.js';
import { SCENARIOS } from '../samples/scenarios.js';
import '../styles/timeline.css';
import { useAnswer } from './answer.js';
import { Choice } from './choice.js';
import { Prose } from './prose.js';
import { ScenarioText } from './scenario-text.js';
import { TimelinePlots } from './timeline-plots.js';
import { TimelineReport } from './timeline-report.js';
import { StripKey, TimelineStrip } from './timeline-strip.js';

/**
 * The stored state of this view.
 * @typedef {object} TimelineChoice
 * @property {string | null} scenario a bundled one, one about the loaded Service, or '' for the user's own; null for the first
 * @property {string} text the user's own text
 * @property {string} service the Service whose slices are shown; '' for the first
 * @property {number} speed
 */

/** @type {TimelineChoice} */
const FIRST = { scenario: null, text: '', service: '', speed: 10 };
const SPEED_OPTIONS = SPEEDS.map((speed) => /** @type {[string, string]} */ ([String(speed), `${speed} ×`]));
/** The beginning of the names of scenarios about the loaded Service. */
const OWN = 'own:';
const WAITING = `${OWN}…`;
const LISTED = 8;
const DRAW_EVERY = 120;

/** @param {{state: AppState, actions: Actions}} props */
export function TimelineTab({ state, actions }) {
  const active = state.tab === 'timeline';
  const chosen = { ...FIRST, .../** @type {Partial<TimelineChoice>} */ (state.views.timeline) };
  const { own, first, isKnown } = useOwn(state, actions, active);
  const choice = { ...chosen, scenario: chosen.scenario ?? first };
  /** @param {Partial<TimelineChoice>} change @param {string} [label] */
  const onChoose = (change, label) => actions.onView('timeline', { ...choice, ...change }, label);
  const { text, problem: missing } = useScenario(choice, own, isKnown, active);
  const run = useRun(text, choice.service, settingOf(state), actions, active);
  const problem = missing ?? run.problem;
  useEffect(() => {
    if (!active) run.player?.pause();
  }, [active]);
  useEffect(() => {
    const shown = run.player && run.about && { player: run.player, phases: run.about.phases };
    // Within an effect, rerendering the page would run the effect again.
    queueMicrotask(() => actions.onRun(shown));
  }, [run.player]);
  const isFirst = !run.player && !problem && text?.trim() !== '';
  return h(
    'section',
    { class: 'panel timeline', 'aria-labelledby': 'timeline-title', 'aria-busy': run.busy || isFirst ? 'true' : 'false' },
    h(Head, { choice, own, about: run.about, kubernetes: run.kubernetes, onChoose }),
    problem && h(Mistake, { problem }),
    isFirst && h('p', { class: 'quiet', role: 'status' }, 'Running the scenario …'),
    run.player && run.about && h(Show, { key: run.turn, run, player: run.player, about: run.about, choice, onChoose }),
    h(ScenarioText, {
      title: choice.scenario ? 'Edit the scenario as text' : 'Your scenario',
      text: text ?? '',
      problem,
      actions,
      onText: (typed) => onChoose({ scenario: '', text: typed }, 'the scenario'),
    }),
    run.complete && h(TimelineReport, { key: `report-${run.turn}`, run: run.run, actions }),
  );
}

/**
 * Scenarios about the loaded Service, and the first one to play: its update, in which hints that are near a limit flip, or a bundled
 * scenario if it has too many pods or none.
 * @param {AppState} state
 * @param {Actions} actions
 * @param {boolean} active
 */
function useOwn({ model, glance }, actions, active) {
  const ask = () => (model ? actions.engine.likeness(model.key, model.legend) : Promise.resolve(null));
  const answer = useAnswer(ask, model, '', { active, rest: 0 });
  const isKnown = !model || (answer !== null && !answer.stale);
  const likeness = isKnown ? answer?.value : null;
  const pods = glance?.ready ?? 0;
  const own = useMemo(() => (model && likeness ? scenariosOf(model.key, pods, likeness) : []), [model, likeness, pods]);
  const bundled = SCENARIOS[0]?.id ?? '';
  const first = pods <= SMALL ? (own[0]?.id ?? bundled) : bundled;
  return { own, first: isKnown ? first : WAITING, isKnown };
}

/** @type {Problem} */
const NOT_LOADED = { code: 'NotLoaded', failed: true, message: 'The scenario could not be loaded. Check the connection and choose it again.' };

/** @type {Problem} */
const NOT_OPEN = { code: 'NotOpen', failed: true, message: 'This scenario is about a Service that is not open. Choose another one.' };

/**
 * The text of the scenario; null until it is loaded.
 * @param {TimelineChoice & {scenario: string}} choice
 * @param {{id: string, text: string}[]} own those about the loaded Service
 * @param {boolean} isKnown whether there are any
 * @param {boolean} active
 * @returns {{text: string | null, problem: Problem | null}}
 */
function useScenario({ scenario, text }, own, isKnown, active) {
  const [loaded, setLoaded] = useState({ scenario: '', text: /** @type {string | null} */ ('') });
  const url = SCENARIOS.find(({ id }) => id === scenario)?.url;
  useEffect(() => {
    if (!active || !url || loaded.scenario === scenario) return undefined;
    let current = true;
    /** @param {string | null} fetched */
    const take = (fetched) => current && setLoaded({ scenario, text: fetched });
    fetch(url).then((response) => (response.ok ? response.text() : null)).then(take, () => take(null));
    return () => {
      current = false;
    };
  }, [scenario, active]);
  if (scenario.startsWith(OWN)) {
    const found = own.find(({ id }) => id === scenario);
    return { text: found?.text ?? null, problem: isKnown && !found ? NOT_OPEN : null };
  }
  if (!url) return { text, problem: null };
  const isLoaded = loaded.scenario === scenario;
  return { text: isLoaded ? loaded.text : null, problem: isLoaded && loaded.text === null ? NOT_LOADED : null };
}

/**
 * A run, as far as it has been computed. If the scenario is changed and cannot run, the last run stays.
 * @typedef {object} Run
 * @property {Player | null} player
 * @property {About | null} about
 * @property {Problem | null} problem
 * @property {number} length number of loaded steps
 * @property {boolean} complete
 * @property {boolean} busy
 * @property {number} turn
 * @property {number} run its number in the worker
 * @property {string} kubernetes the version that decides, or '' for the default
 */

/** @type {Run} */
const NO_RUN = { player: null, about: null, problem: null, length: 0, complete: false, busy: false, turn: 0, run: 0, kubernetes: '' };

/**
 * @param {string | null} text
 * @param {string} service
 * @param {string} kubernetes
 * @param {Actions} actions
 * @param {boolean} active
 * @returns {Run}
 */
function useRun(text, service, kubernetes, actions, active) {
  const [run, setRun] = useState(NO_RUN);
  /** The last request; its steps also arrive while another tab is shown. */
  const asked = useRef('');
  const question = JSON.stringify([text, service, kubernetes]);
  useEffect(() => {
    if (!active || text === null || text.trim() === '' || asked.current === question) return;
    asked.current = question;
    setRun((last) => ({ ...last, busy: true }));
    void record({ text, service, kubernetes }, actions, (next) => {
      const isCurrent = asked.current === question;
      if (isCurrent) setRun((last) => ({ ...last, ...next, turn: next.turn ? last.turn + 1 : last.turn }));
      return isCurrent;
    });
  }, [question, active]);
  useEffect(() => () => void (asked.current = ''), []);
  return run;
}

/**
 * @param {{text: string, service: string, kubernetes: string}} scenario
 * @param {Actions} actions
 * @param {(change: Partial<Run>) => boolean} tell returns whether the run is still wanted
 */
async function record({ text, service, kubernetes }, actions, tell) {
  try {
    const opened = await actions.engine.openTimeline(text, service, kubernetes);
    if (!opened.ok) return tell({ problem: opened.problem, busy: false });
    const player = new Player(new Recording(opened.about.states));
    let steps = await actions.engine.nextSteps(opened.run);
    player.recording.append(steps);
    player.extended(false);
    const { about, run, kubernetes: decides } = opened;
    const begun = { player, about, run, kubernetes: decides, problem: null, length: player.recording.length, complete: false, turn: 1 };
    if (!tell(begun)) return false;
    while (steps.length > 0) {
      steps = await actions.engine.nextSteps(opened.run);
      player.recording.append(steps);
      player.extended(steps.length === 0);
      if (!tell({ length: player.recording.length, complete: steps.length === 0, busy: steps.length > 0 })) return false;
    }
    return true;
  } catch (error) {
    return tell({ busy: false, problem: { code: 'Internal', failed: true, message: error instanceof Error ? error.message : String(error) } });
  }
}

/**
 * @param {object} props
 * @param {TimelineChoice & {scenario: string}} props.choice
 * @param {{id: string, title: string}[]} props.own
 * @param {About | null} props.about
 * @param {string} props.kubernetes
 * @param {(change: Partial<TimelineChoice>, label?: string) => void} props.onChoose
 */
function Head({ choice, own, about, kubernetes, onChoose }) {
  /** @type {[string, string][]} */
  const scenarios = [...own, ...SCENARIOS].map(({ id, title }) => [id, title]);
  const isText = choice.scenario === '';
  return h(
    'div',
    { class: 'timeline-head' },
    h(
      'div',
      null,
      h('h2', { id: 'timeline-title' }, about?.title || about?.description || 'Timeline'),
      about?.lesson && h('p', null, h(Prose, { text: sentence(about.lesson) })),
      kubernetes !== '' && h('p', { class: 'quiet' }, `The controller decides as in Kubernetes ${kubernetes}.`),
    ),
    h(
      'div',
      { class: 'controls' },
      h(Choice, {
        label: 'Scenario',
        value: choice.scenario,
        options: isText ? [...scenarios, ['', 'your own']] : scenarios,
        onChoose: (scenario) => onChoose({ scenario, service: '' }, 'the scenario'),
      }),
      about &&
        about.services.length > 1 &&
        h(Choice, {
          label: 'Service',
          value: about.service ?? '',
          options: about.services.map((/** @type {string} */ name) => /** @type {[string, string]} */ ([name, name])),
          onChoose: (service) => onChoose({ service }),
        }),
    ),
  );
}

/** What is wrong with the scenario, or why it cannot be run. @param {{problem: Problem}} props */
function Mistake({ problem }) {
  const { code, message, path, line, failed } = problem;
  return h(
    'div',
    { class: 'mistake', role: 'alert' },
    !failed && h('p', null, h('strong', null, `✕ There is a mistake in the scenario${line ? `, line ${line}` : ''}`)),
    h('p', null, h(Prose, { text: sentence(message) })),
    !failed && h('p', { class: 'quiet' }, h('code', null, code), path && [' at ', h('code', { key: 'path' }, path)]),
  );
}

/**
 * @param {object} props
 * @param {Run} props.run
 * @param {Player} props.player
 * @param {About} props.about
 * @param {TimelineChoice} props.choice
 * @param {(change: Partial<TimelineChoice>) => void} props.onChoose
 */
function Show({ run: { length, complete }, player, about, choice, onChoose }) {
  const { recording } = player;
  const zones = useMemo(() => zonesOf(recording.zones), [recording.zones.length]);
  player.speed = choice.speed;
  return h(
    'div',
    { class: 'timeline-show' },
    h(Transport, { player, phases: about.phases, choice, onChoose }),
    h(
      'div',
      { class: 'timeline-columns' },
      h(
        'div',
        { class: 'moment-view' },
        h(TimelineStrip, { player, zones, max: about.maxEndpointsPerSlice, length }),
        h(StripKey, { recording, zones }),
        h(Moment, { player, zones, several: about.services.length > 1 }),
      ),
      h(TimelinePlots, { player, phases: about.phases, length, complete }),
    ),
  );
}

/** Rerenders a part as the player moves, a few times per second. @param {Player} player */
function useMoves(player) {
  const [, redraw] = useReducer((/** @type {number} */ turn) => turn + 1, 0);
  useEffect(() => {
    let timer = 0;
    const later = () => {
      if (timer) return;
      timer = window.setTimeout(() => {
        timer = 0;
        redraw(undefined);
      }, DRAW_EVERY);
    };
    const leave = player.subscribe(later);
    return () => {
      clearTimeout(timer);
      leave();
    };
  }, [player]);
}

/**
 * @param {object} props
 * @param {Player} props.player
 * @param {string[]} props.phases
 * @param {TimelineChoice} props.choice
 * @param {(change: Partial<TimelineChoice>) => void} props.onChoose
 */
function Transport({ player, phases, choice, onChoose }) {
  useMoves(player);
  const { recording, place, playing } = player;
  const phase = recording.steps[place]?.phase ?? 0;
  /** @param {string} label @param {string} sign @param {() => void} onClick */
  const button = (label, sign, onClick) =>
    h('button', { type: 'button', 'aria-label': label, title: label, onClick }, h('span', { 'aria-hidden': 'true' }, sign));
  /** @param {number} to */
  const go = (to) => () => stepTo(() => to)(player);
  return h(
    'div',
    { class: 'transport', role: 'group', 'aria-label': 'Play the run' },
    button('To the start', '«', go(0)),
    button('Step back', '‹', go(place - 1)),
    h(PlayButton, { player, playing }),
    button('Step forward', '›', go(place + 1)),
    button('To the end', '»', go(recording.length - 1)),
    h(Choice, { label: 'Speed', value: String(choice.speed), options: SPEED_OPTIONS, onChoose: (speed) => onChoose({ speed: Number(speed) }) }),
    phases.length > 1 &&
      h(Choice, {
        label: 'Phase',
        value: String(phase),
        options: phases.map((name, index) => /** @type {[string, string]} */ ([String(index), name])),
        onChoose: (to) => go(recording.phaseStarts[Number(to)] ?? 0)(),
      }),
    h(
      'p',
      { class: 'moment-time' },
      h('strong', null, clock(player.at)),
      h('span', { class: 'quiet' }, ` step ${place + 1} of ${recording.length}${player.complete ? '' : ' so far'}`),
    ),
  );
}

/** @param {{player: Player, playing: boolean}} props */
function PlayButton({ player, playing }) {
  const toggle = () => (playing ? player.pause() : player.play());
  return h(
    'button',
    { type: 'button', class: 'play', onClick: toggle },
    h('span', { 'aria-hidden': 'true' }, playing ? '❚❚ ' : '▶ '),
    playing ? 'Pause' : 'Play',
  );
}

/** The latest events, and the slices in words. @param {{player: Player, zones: Zone[], several: boolean}} props */
function Moment({ player, zones, several }) {
  useMoves(player);
  const { recording, place } = player;
  const step = recording.steps[place];
  const { readyPods = 0, endpoints = 0, slices = 0, misdirected = 0, unused = 0 } = step?.gauges ?? {};
  return [
    h(
      'p',
      { key: 'figures', class: 'moment-figures' },
      several && 'All Services: ',
      [`${readyPods} ready`, counted(endpoints, 'endpoint'), counted(slices, 'slice'), `${misdirected} misdirected`, `${unused} unused`].join(' · '),
    ),
    step &&
      step.hints.length > 0 &&
      h(
        'p',
        { key: 'hints' },
        step.hints.map(({ addressType, mode, applied, reason }) =>
          h(
            'span',
            { key: addressType, class: 'hint-line' },
            `${addressType} hints: ${HINT_SIGNS[hintState({ mode, applied })]}${mode}`,
            reason && h('span', { class: 'quiet' }, ' ', h(Prose, { text: sentence(reason) })),
          ),
        ),
      ),
    h(Happened, { key: 'happened', player }),
    h(SliceTable, { key: 'table', slices: player.playing ? null : [...recording.slicesAt(place).values()], player, zones }),
  ];
}

/** The latest events, newest first. @param {{player: Player}} props */
function Happened({ player: { recording, place, playing } }) {
  /** @type {{at: number, message: string, now: boolean}[]} */
  const list = [];
  for (let at = place; at >= 0 && list.length < LISTED; at -= 1) {
    const step = recording.steps[at];
    for (const message of [...(step?.messages ?? [])].reverse()) list.push({ at: step?.at ?? 0, message, now: at === place });
  }
  return h(
    'ul',
    { class: 'happened', 'aria-label': 'What happened', 'aria-live': playing ? 'off' : 'polite' },
    list
      .slice(0, LISTED)
      .map(({ at, message, now }, index) =>
        h('li', { key: `${place}-${index}`, class: now ? 'now' : 'before' }, h('span', { class: 'when' }, clock(at)), ' ', h('span', null, message)),
      ),
  );
}

/** @param {{slices: SliceState[] | null, player: Player, zones: Zone[]}} props */
function SliceTable({ slices, player: { recording, at }, zones }) {
  /** @param {number} state */
  const occurs = (state) => slices?.some((slice) => slice.states.some((each, place) => each === state && slice.pods[place] !== -1));
  const states = recording.states.filter((_, state) => occurs(state));
  const names = zones.map(({ name }) => name).filter((name) => recording.zones.includes(name));
  return h(
    'details',
    { class: 'as-table' },
    h('summary', null, 'The slices of this moment as a table'),
    slices === null
      ? h('p', { class: 'quiet' }, 'Pause to see it.')
      : h(
          'div',
          { class: 'scroller', tabindex: 0, role: 'region', 'aria-label': 'Slices of this moment' },
          h(
            'table',
            null,
            h('caption', { class: 'visually-hidden' }, `Slices at ${clock(at)}`),
            h(
              'thead',
              null,
              h(
                'tr',
                null,
                ['Slice', 'Family', 'Ports', 'Endpoints', ...states.map(({ words }) => words), 'hinted', ...names.map((name) => `in ${name}`)].map(
                  (title) => h('th', { key: title, scope: 'col' }, title),
                ),
              ),
            ),
            h('tbody', null, slices.map((slice) => h(SliceRow, { key: slice.slice, slice, recording, states, names }))),
          ),
        ),
  );
}

/** @param {{slice: SliceState, recording: Recording, states: Recording['states'], names: string[]}} props */
function SliceRow({ slice, recording, states, names }) {
  const named = recording.slices[slice.slice];
  /** @param {(place: number) => boolean} holds */
  const count = (holds) => slice.pods.reduce((sum, pod, place) => sum + Number(pod !== -1 && holds(place)), 0);
  return h(
    'tr',
    null,
    h('th', { scope: 'row' }, named?.name),
    h('td', null, named?.addressType),
    h('td', null, named?.ports),
    h('td', null, slice.count),
    states.map((state) => h('td', { key: state.state }, count((place) => recording.states[slice.states[place] ?? 0] === state))),
    h('td', null, count((place) => (slice.hints[place] ?? -1) >= 0)),
    names.map((name) => h('td', { key: name }, count((place) => recording.zones[slice.zones[place] ?? -1] === name))),
  );
}
