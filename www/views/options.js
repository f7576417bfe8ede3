/**
 * The settings of a plan. Settings that are not made here come from the input, or are the default.
 * @import {Options, Overview} from '../types.js'
 */
import { h } from 'preact';
import { versionWords } from '../model/version.js';

/**
 * @param {object} props
 * @param {Overview | null} props.overview
 * @param {Options} props.overrides
 * @param {(options: Options) => void} props.onOptions
 */
export function OptionControls({ overview, overrides, onOptions }) {
  const changed = Object.keys(overrides).length;
  /** @param {Options} change */
  const set = (change) => onOptions({ ...overrides, ...change });
  return h(
    'details',
    { class: 'options' },
    h('summary', null, 'Settings', changed > 0 && h('span', { class: 'count' }, ` · ${changed} changed`)),
    overview && h(Fields, { overview, overrides, set }),
    changed > 0 && h('button', { type: 'button', onClick: () => onOptions({}) }, 'Back to the settings of the input'),
  );
}

/** @param {{overview: Overview, overrides: Options, set: (change: Options) => void}} props */
function Fields({ overview, overrides, set }) {
  const effective = { ...overview.options, ...overrides };
  return h(
    'div',
    { class: 'fields' },
    h(
      'label',
      { class: 'field' },
      h('span', null, 'Endpoints per slice, at most'),
      h('input', {
        type: 'number',
        name: 'maxEndpointsPerSlice',
        min: 1,
        max: overview.mostEndpointsPerSlice,
        step: 1,
        value: effective.maxEndpointsPerSlice,
        onInput: (/** @type {Event} */ event) => setNumber(event, set),
      }),
    ),
    h(Flag, {
      name: 'topologyHints',
      label: 'Topology hints (mode Auto)',
      checked: effective.topologyHints,
      onChange: (topologyHints) => set({ topologyHints }),
    }),
    h(Flag, {
      name: 'preferSameTrafficDistribution',
      label: 'PreferSameZone and PreferSameNode are understood',
      checked: effective.preferSameTrafficDistribution,
      onChange: (preferSameTrafficDistribution) => set({ preferSameTrafficDistribution }),
    }),
    h(
      'label',
      { class: 'field' },
      h('span', null, 'Decided as Kubernetes'),
      h(
        'select',
        {
          name: 'kubernetes',
          value: effective.kubernetes,
          'aria-describedby': 'kubernetes-why',
          onChange: (/** @type {Event} */ event) => set({ kubernetes: versionIn(event) }),
        },
        overview.kubernetesVersions.map((name) => h('option', { key: name, value: name }, name)),
      ),
    ),
    h('p', { id: 'kubernetes-why', class: 'quiet' }, `${versionWords(overview, overrides)}.`),
    h(
      'label',
      { class: 'field wide' },
      h('span', null, 'Managed by'),
      h('input', {
        type: 'text',
        name: 'managedBy',
        value: effective.managedBy,
        spellcheck: false,
        onChange: (/** @type {Event} */ event) => set({ managedBy: /** @type {HTMLInputElement} */ (event.currentTarget).value }),
      }),
    ),
  );
}

/** @param {Event} event */
function versionIn(event) {
  return /** @type {Options['kubernetes']} */ (/** @type {HTMLSelectElement} */ (event.currentTarget).value);
}

/** @param {Event} event @param {(change: Options) => void} set */
function setNumber(event, set) {
  const { valueAsNumber } = /** @type {HTMLInputElement} */ (event.currentTarget);
  if (Number.isInteger(valueAsNumber)) set({ maxEndpointsPerSlice: valueAsNumber });
}

/** @param {{name: string, label: string, checked: boolean, onChange: (checked: boolean) => void}} props */
function Flag({ name, label, checked, onChange }) {
  return h(
    'label',
    { class: 'field flag' },
    h('input', {
      type: 'checkbox',
      name,
      checked,
      onChange: (/** @type {Event} */ event) => onChange(/** @type {HTMLInputElement} */ (event.currentTarget).checked),
    }),
    h('span', null, label),
  );
}
