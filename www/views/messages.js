/**
 * The controller's messages: events, errors, a retry.
 * @import {ServiceModel} from '../types.js'
 */
import { h } from 'preact';
import { Prose } from './prose.js';

/** @param {{model: ServiceModel}} props */
export function Messages({ model }) {
  const { events, errors, requeue, legend } = model;
  const quiet = events.length + errors.length === 0 && !requeue;
  return h(
    'section',
    { class: 'panel', 'aria-labelledby': 'messages-title' },
    h('h3', { id: 'messages-title' }, 'Events and errors'),
    quiet && h('p', { class: 'quiet' }, 'No events, no errors.'),
    h(
      'ul',
      { class: 'messages' },
      errors.map((error) => h(Message, { key: `error-${error.message}`, kind: 'Error', title: error.code, text: error.message })),
      requeue && h(Message, { kind: 'Retry', title: 'Requeue', text: legend.retry }),
      events.map((event) => h(Message, { key: `event-${event.message}`, kind: event.type, title: event.reason, text: event.message })),
    ),
  );
}

/** @type {Record<string, string>} */
const SIGNS = { Error: '✕', Warning: '!', Normal: 'i', Retry: '↻' };

/** @param {{kind: string, title: string, text: string}} props */
export function Message({ kind, title, text }) {
  return h(
    'li',
    { class: `message ${kind.toLowerCase()}` },
    h('span', { class: 'message-sign', 'aria-hidden': 'true' }, SIGNS[kind] ?? 'i'),
    h(
      'div',
      null,
      h('p', { class: 'message-title' }, h('strong', null, title), ' ', h('span', { class: 'quiet' }, kind)),
      text !== '' && h('p', null, h(Prose, { text })),
    ),
  );
}
