/**
 * Common comparisons.
 * @import {CompareColumn, Kubernetes} from '../types.js'
 */

/** Of each column, so many slices that the first one does not have are drawn; beyond so many endpoints as a bar. */
export const BARS = 12;
export const CELLS = 60;

/** @type {CompareColumn} */
export const PLAIN = { input: 'loaded', when: 'after', hints: 'asIs', max: null, packing: '', kubernetes: '' };

/** Those that hold for every version of the core. @type {[string, CompareColumn[]][]} */
export const PRESETS = [
  ['Ways to ask for hints', (/** @type {const} */ (['none', 'Auto', 'PreferSameZone', 'PreferSameNode'])).map((hints) => ({ ...PLAIN, hints }))],
  ['Slice sizes', [10, 100, 1000].map((max) => ({ ...PLAIN, max }))],
  ['Packing', (/** @type {const} */ (['upstream', 'compact', 'balanced'])).map((packing) => ({ ...PLAIN, packing }))],
  ['Now and after the plan', [{ ...PLAIN, when: 'now' }, PLAIN]],
  ['Two inputs', [{ ...PLAIN, when: 'now' }, { ...PLAIN, when: 'now', input: 'other' }]],
];

/** @param {Kubernetes[]} versions @returns {[string, CompareColumn[]]} */
export function presetOfVersions(versions) {
  return ['Versions of Kubernetes', versions.map((kubernetes) => ({ ...PLAIN, kubernetes }))];
}

/** @param {Kubernetes[]} versions */
export function presetsFor(versions) {
  return versions.length > 1 ? [...PRESETS, presetOfVersions(versions)] : PRESETS;
}
