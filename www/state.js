/**
 * What a link holds: which example, which Service, which settings. Pure: a fragment in, a state out, and back.
 * Pasted input is not part of it; it stays in the page.
 * @import {Options} from './types.js'
 */

/**
 * @typedef {object} LinkState
 * @property {string} example the name of an example, or '' for an input of one's own
 * @property {string} service `namespace/name`, or '' for the first
 * @property {Options} options settings made on the page
 */

const VERSION = '1';
const MANAGED_BY_LIMIT = 256;

/** @param {string} fragment with or without its `#` @returns {LinkState} */
export function parseState(fragment) {
  const params = new URLSearchParams(fragment.replace(/^#/, ''));
  if (params.has('v') && params.get('v') !== VERSION) return { example: '', service: '', options: {} };
  return { example: params.get('example') ?? '', service: params.get('service') ?? '', options: parseOptions(params) };
}

/** @param {LinkState} state @returns {string} the fragment, with its `#` */
export function formatState({ example, service, options }) {
  const params = new URLSearchParams({ v: VERSION });
  if (example) params.set('example', example);
  if (service) params.set('service', service);
  if (options.maxEndpointsPerSlice !== undefined) params.set('max', String(options.maxEndpointsPerSlice));
  if (options.topologyHints !== undefined) params.set('hints', String(options.topologyHints));
  if (options.preferSameTrafficDistribution !== undefined) {
    params.set('preferSame', String(options.preferSameTrafficDistribution));
  }
  if (options.managedBy !== undefined) params.set('managedBy', options.managedBy);
  return `#${params.toString().replaceAll('%2F', '/')}`;
}

/** @param {URLSearchParams} params @returns {Options} */
function parseOptions(params) {
  /** @type {Options} */
  const options = {};
  const max = Number(params.get('max'));
  if (params.has('max') && Number.isInteger(max)) options.maxEndpointsPerSlice = max;
  const hints = parseFlag(params.get('hints'));
  if (hints !== undefined) options.topologyHints = hints;
  const preferSame = parseFlag(params.get('preferSame'));
  if (preferSame !== undefined) options.preferSameTrafficDistribution = preferSame;
  const managedBy = params.get('managedBy');
  if (managedBy && managedBy.length <= MANAGED_BY_LIMIT) options.managedBy = managedBy;
  return options;
}

/** @param {string | null} text */
function parseFlag(text) {
  if (text === 'true') return true;
  return text === 'false' ? false : undefined;
}
