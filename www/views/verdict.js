/**
 * The verdict on a change, and the core's explanation of it, policy by policy.
 * @import {JudgeAnswer} from '../types.js'
 * @import {ReviewExplanation} from 'slicewise/admission'
 * @import {Answer} from './answer.js'
 */
import { h } from 'preact';
import { sentence } from '../model/text.js';
import { Failure } from './answer.js';
import { Choice } from './choice.js';
import { Prose } from './prose.js';

/**
 * @typedef {ReviewExplanation['steps'][number]} Step
 * @typedef {{allowed: boolean, status?: {message?: string}, warnings?: string[]}} Response the part that is read
 */

/** @type {Record<string, string>} */
const EFFECTS = { deny: '✗', warn: '!', note: '·' };
/** @type {[string, string][]} */
const MODES = [['enforce', 'enforce'], ['warn', 'warn'], ['audit', 'audit'], ['off', 'off']];

/**
 * @param {object} props
 * @param {Answer<JudgeAnswer> | null} props.answer
 * @param {boolean} props.asked whether there is anything to judge
 * @param {string} props.config
 * @param {(config: string) => void} props.onConfig
 */
export function Verdict({ answer, asked, config, onConfig }) {
  const told = answer?.value;
  const busy = asked && (!answer || answer.stale);
  return h(
    'section',
    {
      class: busy && answer ? 'panel verdict-panel outdated' : 'panel verdict-panel',
      'aria-labelledby': 'verdict-title',
      'aria-busy': busy ? 'true' : 'false',
    },
    h('h2', { id: 'verdict-title' }, 'Verdict'),
    !answer && h('p', { class: 'quiet' }, asked ? 'Checking the policies …' : 'Choose an example, change an object, or paste a review.'),
    h(Failure, { answer }),
    h('div', { class: 'answer', role: 'status' }, told && (told.ok ? h(Told, { told }) : h(Mistake, { of: told.of, problem: told.problem }))),
    told?.ok && [h(Steps, { key: 'steps', explanation: told.explanation, config, onConfig }), h(Raw, { key: 'raw', told })],
  );
}

/** @param {{of: string, problem: import('../types.js').Problem}} props */
function Mistake({ of, problem }) {
  const where = of === 'config' ? 'the settings of the policies' : 'the request';
  const place = problem.line ? `, line ${problem.line}` : '';
  return h(
    'div',
    { class: 'mistake' },
    h('p', null, h('strong', null, `✕ There is a mistake in ${where}${place}`)),
    h('p', null, h(Prose, { text: sentence(problem.message) })),
    h('p', { class: 'quiet' }, h('code', null, problem.code), problem.path && [' at ', h('code', { key: 'path' }, problem.path)]),
  );
}

/** @param {{told: Extract<JudgeAnswer, {ok: true}>}} props */
function Told({ told: { explanation } }) {
  const { headline, known } = explanation;
  const { allowed, status, warnings = [] } = /** @type {Response} */ (explanation.response);
  const passed = warnings.length > 0 ? 'warned' : 'allowed';
  const kind = allowed ? passed : 'denied';
  const sign = { denied: '✗', warned: '!', allowed: '✓' }[kind];
  return h(
    'div',
    { class: `verdict ${kind}` },
    h('p', { class: 'verdict-line' }, h('span', { class: 'verdict-sign', 'aria-hidden': 'true' }, sign), h('strong', null, headline)),
    !allowed && status?.message && h('p', { class: 'verdict-message' }, h(Prose, { text: status.message })),
    warnings.map((warning) => h('p', { key: warning, class: 'verdict-message' }, h(Prose, { text: `Warning: ${warning}` }))),
    h('p', { class: 'quiet' }, known),
  );
}

/** @param {{explanation: ReviewExplanation, config: string, onConfig: (config: string) => void}} props */
function Steps({ explanation, config, onConfig }) {
  const settings = settingsOf(config);
  const steps = explanation.steps.toSorted((a, b) => rankOf(a) - rankOf(b));
  return h(
    'ul',
    { class: 'policy-steps', 'aria-label': 'Policies' },
    steps.map((step) => h(StepCard, { key: step.policy, step, settings, onConfig })),
  );
}

/** Policies with findings come first, those that did not run last. @param {Step} step */
function rankOf({ standing, findings }) {
  if (standing !== 'asked') return 2;
  return findings.length > 0 ? 0 : 1;
}

/** @param {{step: Step, settings: Settings | null, onConfig: (config: string) => void}} props */
function StepCard({ step, settings, onConfig }) {
  const { policy, about, standing, mode, findings, said } = step;
  const own = settings?.policies?.[policy];
  const [worst] = findings;
  const sign = standing !== 'asked' ? '–' : worst ? EFFECTS[worst.effect] : '✓';
  return h(
    'li',
    { class: `policy-step ${standing === 'asked' ? 'was-asked' : 'not-asked'} ${worst?.effect ?? ''}` },
    h(
      'div',
      { class: 'policy-step-head' },
      h('span', { class: 'verdict-sign', 'aria-hidden': 'true' }, sign),
      h('code', null, policy),
      settings
        ? h(ModeChoice, { policy, own: own?.mode ?? '', mode, onMode: (value) => onConfig(withMode(settings, policy, value)) })
        : h('span', { class: 'quiet' }, `mode ${mode}`),
    ),
    h('p', null, h(Prose, { text: sentence(said) })),
    findings.length > 0 &&
      h('ul', { class: 'findings' }, findings.map(({ rule, effect, field, message }) =>
        h(
          'li',
          { key: `${rule} ${field}` },
          h('strong', null, `${EFFECTS[effect]} ${rule}`),
          ' ',
          field && h('code', { class: 'quiet' }, field),
          h('p', null, h(Prose, { text: sentence(message) })),
        ))),
    h('p', { class: 'quiet about' }, h(Prose, { text: about }), own && [' Settings: ', h('code', { key: 'own' }, JSON.stringify(own))]),
  );
}

/** @param {{policy: string, own: string, mode: string, onMode: (mode: string) => void}} props */
function ModeChoice({ policy, own, mode, onMode }) {
  /** @type {[string, string][]} */
  const options = [['', own ? 'default' : `${mode} (default)`], ...MODES];
  return h(
    'span',
    { class: 'mode-choice' },
    h(Choice, { label: h('span', { class: 'visually-hidden' }, `Mode of ${policy}`), value: own, options, onChoose: onMode }),
  );
}

/** @typedef {{policies?: Record<string, {mode?: string}>}} Settings */

/** The configuration, if it is JSON that can be edited here. @param {string} config @returns {Settings | null} */
function settingsOf(config) {
  if (config.trim() === '') return {};
  try {
    const settings = JSON.parse(config);
    return settings !== null && typeof settings === 'object' ? settings : null;
  } catch {
    return null;
  }
}

/** @param {Settings} settings @param {string} policy @param {string} mode */
function withMode(settings, policy, mode) {
  const { mode: _, ...own } = settings.policies?.[policy] ?? {};
  const { [policy]: __, ...others } = settings.policies ?? {};
  const next = mode === '' ? own : { mode, ...own };
  const policies = Object.keys(next).length === 0 ? others : { ...others, [policy]: next };
  const { policies: ___, ...rest } = settings;
  const all = Object.keys(policies).length === 0 ? rest : { ...rest, policies };
  return Object.keys(all).length === 0 ? '' : JSON.stringify(all, null, 2);
}

/** @param {{told: Extract<JudgeAnswer, {ok: true}>}} props */
function Raw({ told: { answer, review, explanation } }) {
  return h(
    'details',
    { class: 'raw' },
    h('summary', null, 'In full'),
    h('h3', null, 'In words'),
    h('pre', { class: 'json', tabindex: 0, 'aria-label': 'The verdict in words' }, explanation.text),
    h('h3', null, 'The answer'),
    h('pre', { class: 'json', tabindex: 0, 'aria-label': 'The answer' }, laidOut(answer)),
    h('h3', null, 'The review'),
    h('pre', { class: 'json', tabindex: 0, 'aria-label': 'The review' }, review),
  );
}

/** @param {string} json */
function laidOut(json) {
  return JSON.stringify(JSON.parse(json), null, 2);
}
