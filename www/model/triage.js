/**
 * The Services of an input by the severity of the core's verdict.
 * @import {ServiceEntry, Verdicts} from '../types.js'
 */

/** @type {Verdicts[string]['severity'][]} */
const SEVERITIES = ['broken', 'degraded', 'risk', 'note'];

/** @param {Verdicts[string] | undefined} verdict */
export function rankOf(verdict) {
  return verdict ? SEVERITIES.indexOf(verdict.severity) : SEVERITIES.length;
}

/** Whether there is anything to do or to watch. @param {Verdicts[string] | undefined} verdict */
export function isProblem(verdict) {
  return verdict !== undefined && verdict.severity !== 'note';
}

/** @param {ServiceEntry[]} services @param {Verdicts} verdicts */
export function worstFirst(services, verdicts) {
  return services.toSorted((one, other) => rankOf(verdicts[one.key]) - rankOf(verdicts[other.key]));
}

/** In the order of the list. @param {Pick<import('../types.js').AppState, 'overview' | 'triage' | 'id' | 'example'>} state */
export function listedServices({ overview, triage, id, example }) {
  const services = overview?.services ?? [];
  return triage?.work === (id || example) ? worstFirst(services, triage.verdicts) : services;
}
