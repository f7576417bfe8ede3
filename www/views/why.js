/**
 * Explanations in the core's words, and what would change the situation.
 * @import {Actions, Outlook, ServiceModel, WhyAnswer, WhyEntry, WhyTopic} from '../types.js'
 * @import {Answer} from './answer.js'
 */
import { h } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { counted } from '../model/text.js';
import { AnswerPanel } from './answer.js';
import { Deed, Step } from './deed.js';
import { Prose } from './prose.js';

/** @type {Record<WhyTopic['topic'], string>} */
const TITLES = { service: 'Service', pods: 'Pods', hints: 'Hints', nodes: 'Nodes', slices: 'Slices', cost: 'Cost' };
const FIRST = 3;
const STEP = 20;

/**
 * What was done here can be undone here: its button takes the focus from the one that was pressed and is gone.
 * @param {{model: ServiceModel, answer: Answer<WhyAnswer> | null, undo: string, actions: Actions}} props
 */
export function Why({ model, answer, undo, actions }) {
  const { topics = [], now = null } = answer?.value ?? {};
  const [done, setDone] = useState('');
  const pressed = useRef(false);
  const button = useRef(/** @type {HTMLButtonElement | null} */ (null));
  useLayoutEffect(() => {
    if (!pressed.current || document.activeElement !== document.body || !button.current) return;
    pressed.current = false;
    button.current.focus();
  });
  /** @type {Actions['onEdit']} */
  const onEdit = (label, what) => {
    pressed.current = true;
    setDone(label);
    return actions.onEdit(label, what);
  };
  const controls =
    undo !== '' && undo === done && h('button', { ref: button, type: 'button', class: 'undo', onClick: actions.onUndo }, `Undo: ${undo}`);
  return h(
    AnswerPanel,
    { id: 'why', title: 'Why', waiting: 'Looking for the reasons …', answer, controls },
    topics.length === 0 && h('p', { class: 'quiet' }, 'There is nothing to explain.'),
    topics.map((topic) => h(Topic, { key: topic.topic, topic, now, service: model.key, actions: { ...actions, onEdit } })),
  );
}

/** @param {{topic: WhyTopic, now: Outlook | null, service: string, actions: Actions}} props */
function Topic({ topic: { topic, entries, left }, now, service, actions }) {
  const [shown, setShown] = useState(FIRST);
  const title = TITLES[topic];
  const hidden = entries.length - shown;
  return h(
    'div',
    { class: 'why-topic' },
    h('h4', null, title),
    h(
      'div',
      { class: 'why-entries' },
      h('ul', null, entries.slice(0, shown).map((entry, index) => h(Entry, { key: index, entry, now, actions }))),
      hidden > 0 && h('button', { type: 'button', onClick: () => setShown(shown + STEP) }, `and ${hidden + left} more about ${title.toLowerCase()}`),
      hidden <= 0 &&
        left > 0 &&
        h('p', { class: 'quiet' }, `and ${left} more, which `, h('code', null, `slicewise explain --service ${service}`), ' prints.'),
    ),
  );
}

/** The shape for each severity. @type {Record<WhyEntry['severity'], [string, string]>} */
export const SEVERITIES = { broken: ['✗', 'Broken'], degraded: ['▲', 'Degraded'], risk: ['△', 'Risk'], note: ['·', 'Note'] };

/** @param {{entry: WhyEntry, now: Outlook | null, actions: Actions}} props */
export function Entry({ entry, now, actions }) {
  const { severity, what, because, mend, look: [first] } = entry;
  const [sign, word] = SEVERITIES[severity];
  return h(
    'li',
    { class: `why-entry ${severity}` },
    h('span', { class: 'why-sign', role: 'img', 'aria-label': word, title: word }, sign),
    h(
      'div',
      null,
      h('p', { class: 'why-what' }, h(Prose, { text: what })),
      because && h('p', null, h('span', { class: 'why-part' }, 'because '), h(Prose, { text: because })),
      mend && h(Deed, { entry, now, actions }),
      first && h('p', null, h('span', { class: 'why-part' }, 'look '), h(Step, { text: first.at })),
      h(More, { entry }),
    ),
  );
}

/** The prose, the other objects, every fix with its effect, every place to look at with what it shows. @param {{entry: WhyEntry}} props */
function More({ entry: { code, kind, name, families, details, fixes, look, others, otherCount } }) {
  const steps = [...fixes.map(({ change, effect }) => ({ step: change, effect })), ...look.map(({ at, shows }) => ({ step: at, effect: shows }))];
  return h(
    'details',
    null,
    h('summary', null, 'More'),
    h(
      'p',
      { class: 'why-head' },
      h('strong', null, `${kind} ${name}`),
      families.length > 0 && h('span', { class: 'quiet' }, families.join(', ')),
      h('code', { class: 'quiet' }, code),
    ),
    details && h('p', null, h(Prose, { text: details })),
    otherCount > 0 && h('p', null, h('strong', null, `The same is true of ${counted(otherCount, `more ${kind}`)}: `), namesOf(others, otherCount)),
    steps.length > 0 &&
      h(
        'ul',
        { class: 'why-fixes' },
        steps.map(({ step, effect }) => h('li', { key: step }, h('strong', null, h(Prose, { text: step })), ': ', h(Prose, { text: effect }))),
      ),
  );
}

/** @param {string[]} names @param {number} count */
function namesOf(names, count) {
  return count > names.length ? `${names.join(', ')} and ${count - names.length} more` : names.join(', ');
}
