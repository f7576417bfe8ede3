/**
 * The changes of an upgrade, and the ways to plan and compare both versions. It loads when there are any.
 * @import {Upgrade as Changes} from 'slicewise/tools'
 * @import {Actions, AppState, Overview, ServiceModel} from '../types.js'
 */
import { h } from 'preact';
import { presetOfVersions } from '../model/presets.js';
import { counted, listed, sentence, writeWords } from '../model/text.js';
import { optionsUnder } from '../model/version.js';
import { Message } from './messages.js';

/** @typedef {{kind: string, title: string, text: string}} Said */

/** What is more is only counted. */
const LISTED = 5;

/** @param {{state: AppState, actions: Actions, upgrade: Changes, model: ServiceModel, overview: Overview}} props */
export function UpgradeChanges({ state, actions, upgrade, model, overview }) {
  return [
    h('ul', { class: 'messages' }, saidOf(upgrade).map((said, index) => h(Message, { key: index, ...said }))),
    h(Ways, { state, actions, upgrade, model, overview }),
  ];
}

/**
 * The other version, and both side by side.
 * @param {{state: AppState, actions: Actions, upgrade: Changes, model: ServiceModel, overview: Overview}} props
 */
function Ways({ state, actions, upgrade, model, overview }) {
  const { kubernetesVersions, options: { kubernetes }, ownOptions } = overview;
  const isNewer = kubernetes === upgrade.from;
  const version = kubernetesVersions.find((each) => each === (isNewer ? upgrade.to : upgrade.from)) ?? kubernetes;
  const lost = upgrade.settings.map(({ setting }) => setting);
  const plan = () => actions.onOptions(optionsUnder({ version, isNewer, lost }, state.options, ownOptions, model.legend.options));
  const compare = () => {
    const [title, columns] = presetOfVersions(kubernetesVersions);
    actions.onView('compare', { .../** @type {object} */ (state.views.compare), columns }, `Compare: ${title}`);
    actions.onTab('compare');
  };
  return h(
    'div',
    { class: 'controls' },
    h('button', { type: 'button', onClick: plan }, `Plan as ${version}`),
    h('button', { type: 'button', onClick: compare }, 'Compare both'),
  );
}

/** @param {Changes} changes @returns {Said[]} */
function saidOf({ from, to, services, settings, refused }) {
  return [
    ...settings.map(({ setting, message }) => ({ kind: 'Setting', title: setting, text: sentence(message) })),
    ...few(services.flatMap((service) => planSaid(service, from, to))),
    ...few(services.flatMap(({ traffic }) => traffic.flatMap((port) => trafficSaid(port, from, to)))),
    ...few(services.flatMap(unknownSaid)),
    ...few(refused.map(({ kind, namespace, name, path, value, message }) => {
      return { kind: 'Value', title: `${kind} ${namespace}/${name}`, text: `\`${value}\` at \`${path}\`: ${message}.` };
    })),
  ];
}

/** @param {Said[]} all */
function few(all) {
  const left = all.length - LISTED;
  return left > 0 ? [...all.slice(0, LISTED), { kind: '', title: `and ${left} more`, text: '' }] : all;
}

/** @param {Changes['services'][number]} service @param {string} from @param {string} to @returns {Said[]} */
function planSaid({ service: { name }, before, after, slices }, from, to) {
  if (slices.length === 0 && JSON.stringify(before) === JSON.stringify(after)) return [];
  const [was, is] = [before, after].map((writes) => {
    return writes ? writeWords({ created: writes.create, updated: writes.update, deleted: writes.delete }) : 'not managed';
  });
  const differ = slices.reduce((sum, family) => sum + family.slices.length, 0);
  const then = differ > 0 ? ` Then ${counted(differ, 'slice differs', 'slices differ')}.` : '';
  const text = `As ${from}: ${was}. As ${to}: ${is}.${then}`;
  return [{ kind: 'Plan', title: name, text }];
}

/**
 * Nodes whose sentences are the same are one, whichever endpoints they use.
 * @param {Changes['services'][number]['traffic'][number]} port @param {string} from @param {string} to @returns {Said[]}
 */
function trafficSaid({ servicePort, addressType, nodes }, from, to) {
  /** @type {Map<string, string[]>} */
  const rules = new Map();
  for (const { nodes: these, before, after } of nodes) {
    const words = `as ${from}: ${sentence(before.rule)} As ${to}: ${sentence(after.rule)}`;
    rules.set(words, [...(rules.get(words) ?? []), ...these].toSorted());
  }
  return [...rules].map(([words, names]) => {
    const some = names.length > LISTED ? [...names.slice(0, LISTED), `${names.length - LISTED} more`] : names;
    return { kind: 'Traffic', title: `${servicePort} ${addressType}`, text: `From ${listed(some)}, ${words}` };
  });
}

/** @param {Changes['services'][number] & {trafficUnknown?: string}} service @returns {Said[]} */
function unknownSaid({ service: { name }, trafficUnknown }) {
  return trafficUnknown === undefined ? [] : [{ kind: 'Traffic', title: name, text: sentence(trafficUnknown) }];
}
