/**
 * Endpoints as the picture needs them, and which of their fields change. The core's legend says what conditions
 * mean.
 * @import {Cell, FieldChange, Legend, Meaning} from '../types.js'
 */

/**
 * The fields of an endpoint that are read here.
 * @typedef {object} Endpoint
 * @property {string[] | null} [addresses]
 * @property {{ready?: boolean | null, serving?: boolean | null, terminating?: boolean | null} | null} [conditions]
 * @property {string | null} [hostname]
 * @property {{kind?: string, namespace?: string, name?: string, uid?: string} | null} [targetRef]
 * @property {string | null} [nodeName]
 * @property {string | null} [zone]
 * @property {{forZones?: {name: string}[] | null, forNodes?: {name: string}[] | null} | null} [hints]
 */

/** The identity of a cell across pictures. @param {Endpoint} endpoint */
function idOf(endpoint) {
  const target = endpoint.targetRef;
  const parts = [endpoint.addresses ?? [], endpoint.hostname ?? '', target?.namespace ?? '', target?.name ?? ''];
  return JSON.stringify(parts);
}

/** The cell of an endpoint by itself. @param {Endpoint} endpoint @param {Legend} legend @returns {Cell} */
export function cellOf(endpoint, legend) {
  const { state, ready } = meaningOf(endpoint, legend);
  return {
    id: idOf(endpoint),
    state,
    stateWords: wordsOf(legend.states, state),
    ready,
    change: 'kept',
    addresses: endpoint.addresses ?? [],
    hostname: endpoint.hostname ?? '',
    ...factsOf(endpoint, legend),
    fields: [],
    other: '',
  };
}

/**
 * The fields that may change in an endpoint that stays.
 * @typedef {Pick<Cell, 'conditions' | 'target' | 'node' | 'zone' | 'hintZones' | 'hintNodes'>} Facts
 */

/** @param {Endpoint} endpoint @param {Legend} legend @returns {Facts} */
export function factsOf({ conditions, targetRef, nodeName, zone, hints }, legend) {
  return {
    conditions: meaningOf({ conditions }, legend).words,
    target: targetRef?.name ? `${targetRef.kind ?? 'object'} ${targetRef.name}` : '',
    node: nodeName ?? '',
    zone: zone ?? '',
    hintZones: (hints?.forZones ?? []).map(({ name }) => name),
    hintNodes: (hints?.forNodes ?? []).map(({ name }) => name),
  };
}

/**
 * What the conditions of an endpoint mean: each combination has its index in the legend.
 * @param {Pick<Endpoint, 'conditions'>} endpoint
 * @param {Legend} legend
 * @returns {Meaning}
 */
export function meaningOf({ conditions }, legend) {
  const place = 9 * digitOf(conditions?.ready) + 3 * digitOf(conditions?.serving) + digitOf(conditions?.terminating);
  return /** @type {Meaning} */ (legend.conditions[place]);
}

/** 0 is absent, 1 is false, 2 is true. @param {boolean | null | undefined} condition */
function digitOf(condition) {
  return condition === true ? 2 : condition === false ? 1 : 0;
}

/** @param {Legend['states']} states @param {Cell['state']} state */
function wordsOf(states, state) {
  return states.find((each) => each.state === state)?.words ?? state;
}

/**
 * @param {Facts} before
 * @param {Facts} after
 * @returns {FieldChange[]} the fields the plan changes in an endpoint that stays
 */
export function fieldChanges(before, after) {
  /** @type {[string, string, string][]} */
  const pairs = [
    ['conditions', before.conditions, after.conditions],
    ['target', before.target, after.target],
    ['node', before.node, after.node],
    ['zone', before.zone, after.zone],
    ['zone hint', before.hintZones.join(', '), after.hintZones.join(', ')],
    ['node hint', before.hintNodes.join(', '), after.hintNodes.join(', ')],
  ];
  return pairs.filter(([, a, b]) => a !== b).map(([field, a, b]) => ({ field, before: a || 'none', after: b || 'none' }));
}

/** The name of each change. @type {Record<Cell['change'], string>} */
export const CHANGE_WORDS = {
  kept: 'unchanged',
  added: 'added',
  removed: 'removed',
  moved: 'moved',
  changed: 'changed',
};
