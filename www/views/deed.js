/**
 * What an explanation says to do: a button where the page can do it, and a command to copy where only the cluster can.
 * @import {Actions, Outlook, WhyEntry} from '../types.js'
 */
import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { outlookWords, standingWords } from '../model/outlook.js';
import { sentence } from '../model/text.js';
import { Prose } from './prose.js';

const COMMAND = /^kubectl /;

/** @param {{entry: WhyEntry, now: Outlook | null, actions: Actions}} props */
export function Deed({ entry: { mend, deed }, now, actions }) {
  if (!deed) return h('p', null, h('span', { class: 'why-part' }, 'do '), h(Step, { text: mend }));
  const isCommand = COMMAND.test(mend);
  const label = isCommand ? 'Try it on this input' : labelOf(mend);
  const effect = deed.outlook && [standingWords(now, deed.outlook), outlookWords(now, deed.outlook)].filter(Boolean).join(' · ');
  return h(
    'div',
    { class: 'deed' },
    isCommand && h('p', null, h('span', { class: 'why-part' }, 'do '), h(Step, { text: mend })),
    h(
      'p',
      { class: isCommand ? 'try' : undefined },
      h(
        'button',
        { type: 'button', class: 'do', onClick: () => void actions.onEdit(short(label), { changes: deed.changes }) },
        h(Prose, { text: label }),
      ),
      effect && h('span', { class: 'effect' }, ` ${effect}`),
    ),
  );
}

/** A step in words, or a command to copy. @param {{text: string}} props */
export function Step({ text }) {
  return COMMAND.test(text) ? [h('code', { key: 'command' }, text), ' ', h(CopyButton, { key: 'copy', text })] : h(Prose, { text });
}

/** @param {{text: string}} props */
function CopyButton({ text }) {
  const [said, setSaid] = useState('Copy');
  useEffect(() => setSaid('Copy'), [text]);
  const copy = () => navigator.clipboard.writeText(text).then(() => setSaid('Copied'), () => setSaid('Not allowed'));
  return h('button', { type: 'button', class: 'copy', 'aria-label': `${said}: ${text}`, onClick: () => void copy() }, said);
}

/** @param {string} change */
function labelOf(change) {
  return sentence(change.replace(/^or,? /, '')).replace(/\.$/, '');
}

/** What the step is called when it is undone. @param {string} label */
function short(label) {
  return label.length > 60 ? `${label.slice(0, 59)}…` : label;
}
