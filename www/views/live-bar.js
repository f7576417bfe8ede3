/**
 * The live cluster: the choice of a Service, whether it is up to date, and the latest changes.
 * @import {LiveState} from '../types.js'
 */
import { h } from 'preact';
import '../styles/live.css';

/** @param {{live: LiveState}} props */
export function LiveBar({ live }) {
  const { services, more, service, changes } = live;
  const isListed = service === '' || services.includes(service);
  return h(
    'section',
    { class: 'live', 'aria-label': 'Cluster' },
    h(
      'label',
      null,
      h('span', { class: 'quiet' }, 'Service '),
      h(
        'select',
        { value: service, onChange: (/** @type {Event} */ { currentTarget }) => live.choose(/** @type {HTMLSelectElement} */ (currentTarget).value) },
        !isListed && h('option', { value: service }, service),
        services.map((name) => h('option', { value: name, key: name }, name)),
        more > 0 && h('option', { disabled: true }, `and ${more} more`),
      ),
    ),
    h(Connection, { live }),
    changes.length > 0 &&
      h(
        'details',
        { class: 'live-changes' },
        h('summary', null, h('time', null, timeOf(changes[0])), ' ', changes[0]?.message),
        h('ol', null, changes.map((change, index) => h('li', { key: changes.length - index }, h('time', null, timeOf(change)), ' ', change.message))),
      ),
  );
}

/** @param {{live: LiveState}} props */
function Connection({ live }) {
  const { connected, since, message, absent, resting } = live;
  if (!connected) {
    return h(
      'p',
      { class: 'live-state lost', role: 'status' },
      h('strong', null, `Not live since ${timeOf({ time: since })}`),
      `: ${message}. What is shown is the last that was seen.`,
    );
  }
  if (absent) return h('p', { class: 'live-state lost', role: 'status' }, h('strong', null, 'Not shown'), `: ${absent}.`);
  if (resting) {
    return h(
      'p',
      { class: 'live-state', role: 'status' },
      'You have changed the input, so the cluster is not followed. ',
      h('button', { type: 'button', onClick: live.goOn }, 'Follow it again'),
    );
  }
  return h('p', { class: 'live-state', role: 'status' }, h('strong', null, 'Live'));
}

/** The time of day. @param {{time: string} | undefined} change */
function timeOf(change) {
  const date = new Date(change?.time ?? '');
  return Number.isNaN(date.getTime()) ? '' : date.toLocaleTimeString();
}
