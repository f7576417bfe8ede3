/**
 * What another version of Kubernetes changes for the Service, in the core's sentences; nothing if it changes nothing.
 * @import {Actions, AppState, Kubernetes, Overview, ServiceModel, Versions} from '../types.js'
 */
import { h } from 'preact';
import { useState } from 'preact/hooks';
import { upgradeFor, versionWords } from '../model/version.js';
import { Failure, useAnswer } from './answer.js';
import { lazy } from './lazy.js';

const UpgradeChanges = lazy(() => import('./upgrade-changes.js').then((module) => module.UpgradeChanges), 'What changes');

/** @param {{state: AppState, actions: Actions, model: ServiceModel, overview: Overview}} props */
export function Upgrade({ state, actions, model, overview }) {
  const versions = upgradeFor(overview.kubernetesVersions, overview.options.kubernetes);
  return versions && h(Between, { state, actions, model, overview, from: versions[0], to: versions[1] });
}

/** @param {{state: AppState, actions: Actions, model: ServiceModel, overview: Overview, from: Kubernetes, to: Kubernetes}} props */
function Between({ state, actions, model, overview, from, to }) {
  const [must, setMust] = useState(false);
  /** @type {Versions} */
  const versions = { from, to, must };
  const answer = useAnswer(() => actions.engine.upgrade(model.key, versions), model, `${from} ${to} ${must}`);
  const upgrade = answer?.value?.upgrade;
  if (!answer || upgrade?.changes === false) return null;
  return h(
    'section',
    { class: answer.stale ? 'panel outdated' : 'panel', 'aria-labelledby': 'upgrade-title', 'aria-busy': answer.stale ? 'true' : 'false' },
    h('h3', { id: 'upgrade-title' }, `From Kubernetes ${from} to ${to}`),
    h('p', { class: 'quiet' }, `Shown is ${versionWords(overview, state.options)}.`),
    h(Failure, { answer }),
    upgrade && h(UpgradeChanges, { state, actions, upgrade, model, overview }),
    upgrade === null && h('button', { type: 'button', onClick: () => setMust(true) }, `What changes in ${to}?`),
  );
}
