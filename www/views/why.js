/**
 * Why things are as they are, in the words of the core, and what would change them.
 * @import {ServiceModel, WhyEntry, WhyTopic} from '../types.js'
 */
import { h } from 'preact';
import { useState } from 'preact/hooks';
import { counted } from '../model/text.js';
import { AnswerPanel, useAnswer } from './answer.js';
import { Prose } from './prose.js';

/** @type {Record<WhyTopic['topic'], string>} */
const TITLES = { service: 'Service', pods: 'Pods', hints: 'Hints', nodes: 'Nodes', slices: 'Slices', cost: 'Cost' };
const FIRST = 3;
const STEP = 20;

/** @param {{model: ServiceModel, onWhy: (key: string) => Promise<WhyTopic[] | null>}} props */
export function Why({ model, onWhy }) {
  const answer = useAnswer(() => onWhy(model.key), model);
  const topics = answer?.value ?? [];
  return h(
    AnswerPanel,
    { id: 'why', title: 'Why', waiting: 'Looking for the reasons …', answer },
    topics.length === 0 && h('p', { class: 'quiet' }, 'There is nothing to explain.'),
    topics.map((topic) => h(Topic, { key: topic.topic, topic, service: model.key })),
  );
}

/** @param {{topic: WhyTopic, service: string}} props */
function Topic({ topic: { topic, entries, left }, service }) {
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
      h('ul', null, entries.slice(0, shown).map((entry, index) => h(Entry, { key: index, entry }))),
      hidden > 0 && h('button', { type: 'button', onClick: () => setShown(shown + STEP) }, `and ${hidden + left} more about ${title.toLowerCase()}`),
      hidden <= 0 && left > 0 && h('p', { class: 'quiet' }, `and ${left} more, which `, h('code', null, `slicewise explain --service ${service}`), ' prints.'),
    ),
  );
}

/** @param {{entry: WhyEntry}} props */
function Entry({ entry }) {
  const { code, kind, name, families, message, fixes, others, otherCount } = entry;
  return h(
    'li',
    { class: 'why-entry' },
    h(
      'p',
      { class: 'why-head' },
      h('strong', null, `${kind} ${name}`),
      families.length > 0 && h('span', { class: 'quiet' }, families.join(', ')),
      h('code', { class: 'quiet' }, code),
    ),
    h('p', null, h(Prose, { text: message })),
    otherCount > 0 && h('p', null, h('strong', null, `The same is true of ${counted(otherCount, `more ${kind}`)}: `), namesOf(others, otherCount)),
    fixes.length > 0 && h('p', { class: 'why-fixes-title' }, 'What would help'),
    fixes.length > 0 && h('ul', { class: 'why-fixes' }, fixes.map(({ change, effect }) => h('li', { key: change }, h('strong', null, h(Prose, { text: change })), ': ', h(Prose, { text: effect })))),
  );
}

/** @param {string[]} names @param {number} count */
function namesOf(names, count) {
  return count > names.length ? `${names.join(', ')} and ${count - names.length} more` : names.join(', ');
}
