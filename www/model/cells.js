/**
 * Endpoints as the picture needs them: what the conditions add up to, who is the same before and after, and
 * which fields differ. Identity is that of the planner: addresses, host name, and the name of the target.
 * @import {Cell, CellState, FieldChange} from '../types.js'
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

/** @param {Endpoint} endpoint */
export function identityOf(endpoint) {
  const target = endpoint.targetRef;
  const parts = [endpoint.addresses ?? [], endpoint.hostname ?? '', target?.namespace ?? '', target?.name ?? ''];
  return JSON.stringify(parts);
}

/** What is said of an endpoint by itself. @param {Endpoint} endpoint @returns {Cell} */
export function cellOf(endpoint) {
  return {
    id: identityOf(endpoint),
    state: stateOf(endpoint),
    change: 'kept',
    addresses: endpoint.addresses ?? [],
    hostname: endpoint.hostname ?? '',
    ...factsOf(endpoint),
    fields: [],
    other: '',
  };
}

/**
 * What may change of an endpoint that stays the same.
 * @typedef {Pick<Cell, 'conditions' | 'target' | 'node' | 'zone' | 'hintZones' | 'hintNodes'>} Facts
 */

/** @param {Endpoint} endpoint @returns {Facts} */
export function factsOf({ conditions, targetRef, nodeName, zone, hints }) {
  return {
    conditions: conditionsOf({ conditions }),
    target: targetRef?.name ? `${targetRef.kind ?? 'object'} ${targetRef.name}` : '',
    node: nodeName ?? '',
    zone: zone ?? '',
    hintZones: (hints?.forZones ?? []).map(({ name }) => name),
    hintNodes: (hints?.forNodes ?? []).map(({ name }) => name),
  };
}

/**
 * An absent condition means what the API says it means: ready, serving as ready, not terminating.
 * @param {Endpoint} endpoint
 */
function readConditions(endpoint) {
  const ready = endpoint.conditions?.ready ?? true;
  const serving = endpoint.conditions?.serving ?? ready;
  const terminating = endpoint.conditions?.terminating ?? false;
  return { ready, serving, terminating };
}

/** @param {Endpoint} endpoint @returns {CellState} */
export function stateOf(endpoint) {
  const { ready, serving, terminating } = readConditions(endpoint);
  if (ready) return serving && !terminating ? 'ready' : 'published';
  if (terminating) return serving ? 'draining' : 'stopped';
  return 'notReady';
}

/** @param {Endpoint} endpoint */
function conditionsOf(endpoint) {
  const { ready, serving, terminating } = readConditions(endpoint);
  const words = [ready ? 'ready' : 'not ready', serving ? 'serving' : 'not serving'];
  if (terminating) words.push('terminating');
  return words.join(', ');
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

/** What each state is called. @type {Record<CellState, string>} */
export const STATE_WORDS = {
  ready: 'ready',
  published: 'published as ready though it is not serving, or terminating',
  notReady: 'not ready',
  draining: 'terminating, still serving',
  stopped: 'terminating, no longer serving',
};

/** What each change is called. @type {Record<Cell['change'], string>} */
export const CHANGE_WORDS = {
  kept: 'unchanged',
  added: 'added',
  removed: 'removed',
  moved: 'moved',
  changed: 'changed',
};
