/**
 * The version of Kubernetes whose decisions the page shows: which it is, why, and which it is compared with.
 * @import {AppState, Kubernetes, Options, Overview} from '../types.js'
 */

/** Which version decides, and who says so. @param {Overview} overview @param {Options} overrides the settings made on the page */
export function versionWords({ options, ownOptions }, overrides) {
  if (overrides.kubernetes !== undefined) return `${overrides.kubernetes}, as set here`;
  return ownOptions.kubernetes === undefined ? `${options.kubernetes}, the default` : `${options.kubernetes}, as the input says`;
}

/**
 * The upgrade that concerns a version: to the next one, or of the newest, to itself.
 * @param {Kubernetes[]} versions oldest first @param {Kubernetes} current
 * @returns {[from: Kubernetes, to: Kubernetes] | null} null if there is no other version
 */
export function upgradeFor(versions, current) {
  const at = Math.min(versions.indexOf(current), versions.length - 2);
  const [from, to] = versions.slice(Math.max(at, 0));
  return from !== undefined && to !== undefined ? [from, to] : null;
}

/**
 * The settings of the page for the other version of an upgrade. A setting that stops working is left out; if the input has it, the
 * newer version needs its default instead.
 * @param {{version: Kubernetes, isNewer: boolean, lost: string[]}} other with the names of the settings that stop working
 * @param {Options} overrides the settings made on the page
 * @param {Options} own those of the input
 * @param {Required<Options>} defaults
 * @returns {Options}
 */
export function optionsUnder({ version, isNewer, lost }, overrides, own, defaults) {
  const kept = Object.entries(overrides).filter(([name]) => !lost.includes(name));
  const replaced = Object.entries(defaults).filter(([name]) => isNewer && lost.includes(name) && Object.hasOwn(own, name));
  return { ...Object.fromEntries([...kept, ...replaced]), kubernetes: version };
}

/** The version in the settings; '' for the default. @param {Pick<AppState, 'model' | 'overview'>} state */
export function settingOf({ model, overview }) {
  const version = overview?.options.kubernetes ?? '';
  return version === model?.legend.options.kubernetes ? '' : version;
}
