/**
 * The verdict of the admission webhook: on a pasted review, or on a change to an object of the cluster, policy
 * by policy, for the loaded cluster or that of the examples.
 * @import {Actions, AppState, JudgeAnswer} from '../types.js'
 * @import {Change, Question} from '../admission.js'
 * @import {SampleReview} from '../samples/reviews.js'
 */
import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { REVIEWED_CLUSTER_URL, sampleReviews } from '../samples/reviews.js';
import '../styles/admission.css';
import { Failure, useAnswer } from './answer.js';
import { Area } from './area.js';
import { Choice } from './choice.js';
import { Verdict } from './verdict.js';

/**
 * The stored state of this view.
 * @typedef {object} AdmissionChoice
 * @property {'loaded' | 'examples'} cluster
 * @property {'review' | 'change'} mode
 * @property {string} review
 * @property {Change} change
 * @property {string} config
 */

/** @type {AdmissionChoice} */
const FIRST = {
  cluster: 'loaded',
  mode: 'change',
  review: '',
  config: '',
  change: { operation: 'UPDATE', kind: 'Service', key: '', text: '', user: 'jane' },
};

/** @type {[Change['operation'], string][]} */
const OPERATIONS = [['UPDATE', 'update'], ['DELETE', 'delete'], ['CREATE', 'create']];
/** @type {[AdmissionChoice['cluster'], string][]} */
const CLUSTERS = [['loaded', 'the input that is loaded'], ['examples', 'the cluster of the examples']];

/** @param {{state: AppState, actions: Actions}} props */
export function AdmissionTab({ state, actions }) {
  const active = state.tab === 'admission';
  const choice = { ...FIRST, .../** @type {Partial<AdmissionChoice>} */ (state.views.admission) };
  /** @param {Partial<AdmissionChoice>} change @param {string} label */
  const onChoose = (change, label) => actions.onView('admission', { ...choice, ...change }, label);
  const [samples, setSamples] = useState(/** @type {SampleReview[]} */ ([]));
  useEffect(() => void (active && samples.length === 0 && sampleReviews().then(setSamples, () => {})), [active]);
  const cluster = useCluster(choice.cluster, state, actions, active);
  // Answers about another cluster do not apply to this one.
  const kinds = cluster?.stale ? null : (cluster?.value ?? null);
  const { change, isComing, failed } = useChange(cluster, kinds, choice, state, actions);
  /** @type {Question} */
  const question = choice.mode === 'review' ? { review: choice.review } : { change };
  const isAsked = choice.mode === 'review' ? choice.review.trim() !== '' : change.text !== '';
  const detail = JSON.stringify([question, choice.config]);
  const answer = useAnswer(() => actions.engine.judge(question, choice.config), isAsked ? kinds : null, detail, { active });
  return h(
    'div',
    { class: 'admission' },
    h(
      'section',
      { class: 'panel asked', 'aria-labelledby': 'asked-title' },
      h('h2', { id: 'asked-title' }, 'The request'),
      h(Samples, { samples, choice, onChoose }),
      h(Choice, {
        label: 'Judged on',
        value: choice.cluster,
        options: CLUSTERS,
        onChoose: (value) =>
          onChoose({ cluster: /** @type {AdmissionChoice['cluster']} */ (value), change: FIRST.change }, 'Judge on another cluster'),
      }),
      h(Failure, { answer: failed }),
      h(Modes, { mode: choice.mode, onMode: (mode) => onChoose({ mode }, 'Choose the kind of request') }),
      choice.mode === 'review'
        ? h(ReviewInput, { text: choice.review, actions, onText: (review) => onChoose({ review }, 'Edit the review') })
        : h(ChangeInput, { kinds, change, actions, onChange: (next) => onChoose({ change: next }, 'Change the request') }),
      h(ConfigInput, { config: choice.config, actions, onConfig: (config) => onChoose({ config }, 'Edit the settings of policies') }),
    ),
    h(Verdict, {
      answer: isAsked ? answer : null,
      asked: !failed && (isAsked || (isComing && choice.mode === 'change')),
      config: choice.config,
      onConfig: (config) => onChoose({ config }, 'Change a policy'),
    }),
  );
}

/**
 * The kinds that the reviewer judges of a cluster, another list for another cluster.
 * @param {AdmissionChoice['cluster']} which
 * @param {AppState} state
 * @param {Actions} actions
 * @param {boolean} active
 */
function useCluster(which, state, actions, active) {
  const load = () => (which === 'examples' ? loadExamples(actions) : actions.engine.judgeLoaded(state.overview?.kind === 'request'));
  return useAnswer(load, which === 'examples' ? which : state.overview, '', { active, rest: 0 });
}

/** @param {Actions} actions */
async function loadExamples(actions) {
  const bytes = new Uint8Array(await (await fetch(REVIEWED_CLUSTER_URL)).arrayBuffer());
  return actions.engine.judgeCluster(bytes, false);
}

/**
 * The user's change; initially the current Service, unchanged.
 * @param {import('./answer.js').Answer<string[]> | null} cluster
 * @param {string[] | null} kinds those of the cluster, once it is loaded
 * @param {AdmissionChoice} choice
 * @param {AppState} state
 * @param {Actions} actions
 */
function useChange(cluster, kinds, choice, state, actions) {
  const isMade = choice.change.key !== '' || choice.change.text !== '';
  const wanted = choice.cluster === 'loaded' ? (state.model?.key ?? '') : '';
  const find = async () => {
    const { names: [key = ''] } = await actions.engine.judgeObjects('Service', wanted);
    return { ...FIRST.change, key, text: key ? await actions.engine.judgeText('Service', key) : '' };
  };
  const found = useAnswer(find, isMade ? null : kinds, wanted, { rest: 0 });
  const needed = isMade ? [cluster] : [cluster, found];
  const failed = needed.find((each) => each?.failure && !each.stale) ?? null;
  const change = isMade ? choice.change : (found?.value ?? FIRST.change);
  return { change, failed, isComing: !failed && needed.some((each) => !each || each.stale) };
}

/**
 * @param {object} props
 * @param {SampleReview[]} props.samples
 * @param {AdmissionChoice} props.choice
 * @param {(change: Partial<AdmissionChoice>, label: string) => void} props.onChoose
 */
function Samples({ samples, choice, onChoose }) {
  /** @param {SampleReview} sample */
  const choose = ({ review, config, policy }) =>
    onChoose(
      { cluster: 'examples', mode: 'review', review: JSON.stringify(review, null, 2), config: config ? JSON.stringify(config, null, 2) : '' },
      `Open the example of ${policy}`,
    );
  return h(
    'div',
    { class: 'samples', role: 'group', 'aria-label': 'Examples, one for each policy' },
    samples.map((sample) => {
      const pressed = choice.mode === 'review' && choice.review === JSON.stringify(sample.review, null, 2);
      return h(
        'button',
        { key: sample.policy, type: 'button', title: sample.title, 'aria-pressed': pressed ? 'true' : 'false', onClick: () => choose(sample) },
        sample.policy,
      );
    }),
  );
}

/** @param {{mode: AdmissionChoice['mode'], onMode: (mode: AdmissionChoice['mode']) => void}} props */
function Modes({ mode, onMode }) {
  /** @type {[AdmissionChoice['mode'], string][]} */
  const modes = [['change', 'A change to an object'], ['review', 'A whole review']];
  return h(
    'fieldset',
    { class: 'modes' },
    h('legend', { class: 'visually-hidden' }, 'The request'),
    modes.map(([id, words]) =>
      h('label', { key: id }, h('input', { type: 'radio', name: 'asked', value: id, checked: mode === id, onChange: () => onMode(id) }), words),
    ),
  );
}

/** @param {{text: string, actions: Actions, onText: (text: string) => void}} props */
function ReviewInput({ text, actions, onText }) {
  return h(
    'label',
    { class: 'text-field' },
    'AdmissionReview, or an object as it stands, as JSON or YAML',
    h(Area, { text, rows: 18, actions, onText, placeholder: '{"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": …}' }),
  );
}

/** @param {{kinds: string[] | null, change: Change, actions: Actions, onChange: (change: Change) => void}} props */
function ChangeInput({ kinds, change, actions, onChange }) {
  const { operation, kind, key, text, user } = change;
  const [found, setFound] = useState(/** @type {{names: string[], count: number}} */ ({ names: [], count: 0 }));
  const [query, setQuery] = useState('');
  useEffect(() => {
    let current = true;
    if (kinds) actions.engine.judgeObjects(kind, query).then((answer) => current && setFound(answer), () => {});
    return () => {
      current = false;
    };
  }, [kinds, kind, query]);
  // Loading an object may take a while; it must not overwrite later changes, another cluster or another question.
  const latest = useRef({ change, onChange });
  latest.current = { change, onChange };
  const opening = useRef(0);
  useEffect(() => () => void (opening.current += 1), [kinds]);
  /** @param {string} of @param {() => Promise<string>} choose */
  const openObject = async (of, choose) => {
    const mine = (opening.current += 1);
    const chosen = await choose();
    const object = chosen ? await actions.engine.judgeText(of, chosen) : '';
    if (mine === opening.current) latest.current.onChange({ ...latest.current.change, kind: of, key: chosen, text: object });
  };
  // The verdict reports a crashed worker.
  /** @param {string} chosen @param {string} of */
  const open = (chosen, of) => openObject(of, () => Promise.resolve(chosen)).catch(() => {});
  /** @param {string} of */
  const openKind = (of) => {
    setQuery('');
    openObject(of, async () => (await actions.engine.judgeObjects(of, '')).names[0] ?? '').catch(() => {});
  };
  const objects = found.names.includes(key) || !key ? found.names : [key, ...found.names];
  return h(
    'div',
    { class: 'change-input' },
    h(
      'div',
      { class: 'controls' },
      h(Choice, {
        label: 'To',
        value: operation,
        options: OPERATIONS,
        onChoose: (value) => onChange({ ...change, operation: /** @type {Change['operation']} */ (value) }),
      }),
      h(Choice, { label: 'Kind', value: kind, options: asOptions(kinds ?? [kind]), onChoose: openKind }),
      h(Choice, { label: 'Object', value: key, options: asOptions(objects), onChoose: (value) => open(value, kind) }),
      h(
        'label',
        { class: 'choice' },
        h('span', null, 'By'),
        h('input', {
          type: 'text',
          value: user,
          onChange: (/** @type {Event} */ event) => onChange({ ...change, user: /** @type {HTMLInputElement} */ (event.currentTarget).value }),
        }),
      ),
    ),
    found.count > found.names.length || query
      ? h('input', {
        type: 'search',
        'aria-label': 'Search objects',
        placeholder: `Search ${found.count} objects`,
        value: query,
        onInput: (/** @type {Event} */ event) => setQuery(/** @type {HTMLInputElement} */ (event.currentTarget).value),
      })
      : null,
    operation !== 'DELETE' &&
      h(
        'label',
        { class: 'text-field' },
        'The object after the change',
        h(Area, { text, rows: 18, actions, onText: (next) => onChange({ ...change, text: next }) }),
      ),
    key && operation !== 'DELETE' && h('button', { type: 'button', onClick: () => open(key, kind) }, 'As it is in the cluster'),
  );
}

/** @param {string[]} values @returns {[string, string][]} */
function asOptions(values) {
  return values.map((value) => [value, value]);
}

/** @param {{config: string, actions: Actions, onConfig: (config: string) => void}} props */
function ConfigInput({ config, actions, onConfig }) {
  return h(
    'details',
    { class: 'config', open: config !== '' },
    h('summary', null, 'Settings of the policies'),
    h(
      'label',
      { class: 'text-field' },
      'Configuration of the reviewer, as JSON or YAML; what is left out has its default',
      h(Area, { text: config, rows: 8, actions, onText: onConfig, placeholder: '{"policies": {"slice-shape": {"mode": "warn"}}}' }),
    ),
  );
}
