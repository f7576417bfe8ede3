/**
 * Lines above the picture: what is wrong with the input, in which case the last good picture stays, and what else there
 * is to say.
 * @import {Actions, AppState, Notice, Problem} from '../types.js'
 */
import { h } from 'preact';
import { sentence } from '../model/text.js';
import { Prose } from './prose.js';

/** @type {Record<Notice['kind'], string>} */
const SIGNS = { info: 'i', warning: '△', error: '✗' };

/** @param {{state: AppState, actions: Actions}} props */
export function Banner({ state, actions }) {
  const { notice, problem, model, overview } = state;
  const warnings = model && !problem ? (overview?.warnings ?? []) : [];
  return h(
    'div',
    { class: 'banner', role: 'status' },
    notice &&
      h(
        'p',
        { class: `notice ${notice.kind}` },
        h('span', null, h('strong', { 'aria-hidden': 'true' }, `${SIGNS[notice.kind]} `), h(Prose, { text: notice.text })),
        notice.action && h(NoticeAction, { action: notice.action, onNotice: actions.onNotice }),
        h('button', { type: 'button', class: 'icon', 'aria-label': 'Close this message', onClick: () => actions.onNotice(null) }, '✕'),
      ),
    warnings.length > 0 &&
      h(
        'p',
        { class: 'notice warning' },
        h('span', null, h('strong', { 'aria-hidden': 'true' }, `${SIGNS.warning} `), h(Prose, { text: warnings.map(sentence).join(' ') })),
      ),
    problem && h(ProblemLine, { problem, stale: model !== null, actions }),
  );
}

/** @param {{problem: Problem, stale: boolean, actions: Actions}} props */
function ProblemLine({ problem, stale, actions }) {
  const empty = problem.code === 'Empty';
  return h(
    'div',
    { class: 'notice faulty' },
    h(
      'p',
      null,
      h('strong', null, headOf(problem)),
      empty ? '. Paste one, drop a file, or choose an example.' : [': ', h(Prose, { text: sentence(problem.message) })],
      stale && ' Below is the last valid plan.',
    ),
    problem.failed
      ? h('button', { type: 'button', onClick: actions.onRetry }, 'Retry')
      : h('button', { type: 'button', onClick: () => actions.onDrawer({ open: true, pane: 'text' }) }, 'Show it'),
  );
}

/** @param {Problem} problem */
function headOf({ code, setting, failed, line }) {
  if (failed) return 'This input could not be planned';
  if (code === 'Empty') return 'There is no input yet';
  const input = line ? `line ${line} of the input` : 'the input';
  return `There is a mistake in ${setting ? 'the settings' : input}`;
}

/** @param {{action: NonNullable<Notice['action']>, onNotice: Actions['onNotice']}} props */
function NoticeAction({ action, onNotice }) {
  const run = () => {
    onNotice(null);
    action.run();
  };
  return h('button', { type: 'button', onClick: run }, action.label);
}
