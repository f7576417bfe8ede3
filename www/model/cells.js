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

/** @param {Endpoint} endpoint @returns {Cell} */
export function cellOf(endpoint) {
  const target = endpoint.targetRef;
  return {
    id: identityOf(endpoint),
    state: stateOf(endpoint),
    change: 'kept',
    zone: endpoint.zone ?? '',
    hintZones: (endpoint.hints?.forZones ?? []).map((zone) => zone.name),
    hintNodes: (endpoint.hints?.forNodes ?? []).map((node) => node.name),
    addresses: endpoint.addresses ?? [],
    hostname: endpoint.hostname ?? '',
    target: target?.name ? `${target.kind ?? 'object'} ${target.name}` : '',
    node: endpoint.nodeName ?? '',
    conditions: conditionsOf(endpoint),
    fields: [],
    other: '',
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
 * @param {Cell} before
 * @param {Cell} after
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
