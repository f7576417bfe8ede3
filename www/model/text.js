/**
 * The sentences of the page: what a plan does, what a cell is, why hints are off.
 * @import {Cell, Counts, Hint, ServiceModel} from '../types.js'
 */
import { CHANGE_WORDS, STATE_WORDS } from './cells.js';

/** What to say where the tools would have answered. */
export const ENGINE_MISSING = 'The part of the page that makes plans could not be loaded. Check the connection and change something, or reload the page, to try again.';

export const TOOLS_MISSING = 'The part of the page that tells this could not be loaded. Plans are made without it; reload the page to try again.';

export const ADMISSION_MISSING = 'The part of the page that judges changes could not be loaded. Everything else works without it; reload the page to try again.';

/** @param {number} count @param {string} one @param {string} [many] */
export function counted(count, one, many = `${one}s`) {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** @param {string[]} parts */
export function listed(parts) {
  if (parts.length < 2) return parts.join('');
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

/** A message of the core, which begins small and ends open, as a sentence. @param {string} message */
export function sentence(message) {
  const whole = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}

/** @param {Counts} counts */
export function isEmpty(counts) {
  return counts.created + counts.updated + counts.deleted === 0;
}

/** @param {Omit<ServiceModel, 'sentence'>} model */
export function planSentence(model) {
  const { counts, before, after } = model;
  const retry = model.requeue ? ' The Service must be retried.' : '';
  if (isEmpty(counts)) {
    const what = before.slices === 0 ? 'there is no slice and none is due' : 'the slices are as they should be';
    return `Nothing to do: ${what}.${retry}`;
  }
  return `${writesSentence(counts)} ${endpointsSentence(before.endpoints, after.endpoints, model.moves)}${retry}`;
}

/** @param {Counts} counts */
function writesSentence({ created, updated, deleted, unchanged }) {
  /** @type {[string, number][]} */
  const writes = [['creates', created], ['updates', updated], ['deletes', deleted]];
  const due = writes.filter(([, count]) => count > 0);
  const parts = due.map(([verb, count], index) => `${verb} ${index === 0 ? counted(count, 'slice') : count}`);
  if (unchanged > 0) parts.push(`leaves ${unchanged} as ${unchanged === 1 ? 'it is' : 'they are'}`);
  return `The plan ${listed(parts)}.`;
}

/** @param {number} before @param {number} after @param {ServiceModel['moves']} moved */
function endpointsSentence(before, after, moved) {
  const from = before === after ? counted(after, 'endpoint') : `${before} → ${counted(after, 'endpoint')}`;
  /** @type {[number, string][]} */
  const parts = [[moved.added, 'added'], [moved.removed, 'removed'], [moved.moved, 'moved to another slice']];
  const words = parts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return words.length > 0 ? `${from}: ${listed(words)}.` : `${from}, none added or removed.`;
}

/**
 * All a picture says about an endpoint, for those who hear it.
 * @param {Cell} cell
 */
export function cellSentence(cell) {
  const parts = [cell.target || cell.addresses.join(', '), cell.zone ? `zone ${cell.zone}` : 'no zone', STATE_WORDS[cell.state]];
  const hint = hintWords(cell);
  if (hint) parts.push(`hint for ${hint}`);
  if (cell.change !== 'kept') parts.push(CHANGE_WORDS[cell.change]);
  return parts.join(', ');
}

/** @param {Cell} cell */
export function hintWords(cell) {
  const zones = cell.hintZones.length > 0 ? `zone ${cell.hintZones.join(', ')}` : '';
  const nodes = cell.hintNodes.length > 0 ? `node ${cell.hintNodes.join(', ')}` : '';
  return [zones, nodes].filter(Boolean).join(' and ');
}

/**
 * The arithmetic behind "hints are off", where the plan has the numbers.
 * @param {Hint} hint
 */
export function hintArithmetic(hint) {
  const zones = hint.zones ?? [];
  const ready = Math.round(zones.reduce((total, zone) => total + (zone.desired ?? 0), 0));
  const minimums = zones.map((zone) => zone.minimum ?? 0);
  const sum = minimums.reduce((total, minimum) => total + minimum, 0);
  if (hint.applied || zones.length === 0 || sum <= ready) return '';
  const terms = minimums.length > 8 ? '' : `${minimums.join(' + ')} = `;
  return `The zones need at least ${terms}${sum} endpoints between them; ${counted(ready, 'is', 'are')} ready.`;
}
