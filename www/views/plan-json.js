/**
 * The plan itself: to view, copy or save. The saved file is the core's answer, byte for byte.
 * @import {Overview} from '../types.js'
 */
import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { counted } from '../model/text.js';

const SHOWN = 200_000;

/**
 * @param {object} props
 * @param {string} props.service
 * @param {Overview} props.overview
 * @param {(key: string) => Promise<string>} props.onRead
 * @param {() => Promise<void>} props.onSave
 */
export function PlanJson({ service, overview, onRead, onSave }) {
  const [open, setOpen] = useState(false);
  const [text, setText] = useState('');
  const [copied, setCopied] = useState('');
  useEffect(() => {
    let current = true;
    setCopied('');
    // The planner reports a dead worker.
    if (open) onRead(service).then((read) => current && setText(read), () => {});
    return () => {
      current = false;
    };
  }, [open, service, overview]);
  const copy = () =>
    onRead(service)
      .then((read) => navigator.clipboard.writeText(read))
      .then(
        () => setCopied('Copied.'),
        () => setCopied('The browser did not allow it.'),
      );
  const many = overview.kind === 'snapshot' ? `Save all ${counted(overview.services.length, 'plan')}` : 'Save the plan';
  return h(
    'details',
    { class: 'panel', onToggle: (/** @type {Event} */ event) => setOpen(/** @type {HTMLDetailsElement} */ (event.currentTarget).open) },
    h('summary', null, h('h3', null, 'The plan as JSON')),
    h(
      'div',
      { class: 'buttons' },
      h('button', { type: 'button', onClick: copy }, 'Copy'),
      h('button', { type: 'button', onClick: onSave }, many),
      h('span', { role: 'status', class: 'quiet' }, copied),
    ),
    open && h('pre', { class: 'json', role: 'region', tabindex: 0, 'aria-label': 'Plan' }, text.slice(0, SHOWN)),
    text.length > SHOWN && h('p', { class: 'quiet' }, `Only the first part of ${counted(text.length, 'character')} is shown.`),
  );
}
