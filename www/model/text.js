/**
 * The words of the page for what it draws; sentences about Services and slices come from the core.
 * @import {Cell, Counts} from '../types.js'
 */
import { CHANGE_WORDS } from './cells.js';

/** What prints a cluster for this page. */
export const KUBECTL = 'kubectl get services,pods,nodes,endpointslices -A -o json';

/** The message shown if the tools cannot answer. */
export const ENGINE_MISSING =
  'The part of the page that makes plans could not be loaded. Check the connection and change something, or reload the page, to try again.';

export const EDITING_MISSING = 'The part of the page that edits the input could not be loaded. Check the connection and try again.';

export const TOOLS_MISSING = 'The part of the page that tells this could not be loaded. Plans are made without it. Check the connection.';

export const TIMELINE_MISSING = 'The part of the page that runs scenarios could not be loaded. Everything else works without it.';
export const ADMISSION_MISSING = 'The part of the page that judges changes could not be loaded. Everything else works without it.';

/** Said of a Service that the input had when the question was asked. */
export const NOT_ANY_MORE = 'The input has changed meanwhile.';

/** A number with separators. One formatter for all: to make it takes longer than to use it. */
export const number = new Intl.NumberFormat('en').format;

/** @param {number} count @param {string} one @param {string} [many] */
export function counted(count, one, many = `${one}s`) {
  return `${number(count)} ${count === 1 ? one : many}`;
}

/** @param {string[]} parts */
export function listed(parts) {
  if (parts.length < 2) return parts.join('');
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

/** Turns a message of the core, which has no capital and no full stop, into a sentence. @param {string} message */
export function sentence(message) {
  const whole = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}

/** The state of the hints of a family. @param {{mode: string, applied: boolean}} hint @returns {import('../types.js').HintsState} */
export function hintState({ mode, applied }) {
  if (mode === 'None') return 'none';
  return applied ? 'on' : 'off';
}

/** A sign for that. */
export const HINT_SIGNS = { on: '✓ ', off: '✗ ', none: '' };

/** @param {Omit<Counts, 'unchanged'>} writes */
export function writeWords({ created, updated, deleted }) {
  const parts = [created && `${created} created`, updated && `${updated} updated`, deleted && `${deleted} deleted`].filter(Boolean);
  return parts.length > 0 ? parts.join(', ') : 'none';
}

/** @param {Counts} counts */
export function isEmpty(counts) {
  return counts.created + counts.updated + counts.deleted === 0;
}

/**
 * Everything a picture shows about an endpoint, for screen readers.
 * @param {Cell} cell
 */
export function cellSentence(cell) {
  const parts = [cell.target || cell.addresses.join(', '), cell.zone ? `zone ${cell.zone}` : 'no zone', cell.stateWords];
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
