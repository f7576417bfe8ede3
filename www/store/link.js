/**
 * The contents of a link, in the fragment of the address, which never leaves the browser. Links to an example are
 * readable; those with the user's own input contain all of it, packed. Pure: a fragment in, a link out, and back. All
 * versions ever written stay readable; an unreadable link is reported, and nothing else happens.
 * @import {Options, Tab} from '../types.js'
 */
import { Broken, CUT, GARBLED } from './broken.js';

/**
 * @typedef {object} Link
 * @property {string} example the name of an example, or ''
 * @property {string} own the name under which this browser keeps the user's own input, or ''
 * @property {string} service `namespace/name`, or '' for the first of interest
 * @property {Options} options settings made on the page
 * @property {Tab} tab
 * @property {number} [pods] the number of pods that was set for the Service
 * @property {string} [text] the user's own input
 * @property {string} [name] its name
 * @property {Record<string, unknown>} views
 *
 * @typedef {{link: Link, broken?: undefined} | {broken: string, link?: undefined} | null} Reading null if it is not a link at all
 */

/** @type {readonly Tab[]} */
const TABS = ['picture', 'traffic', 'timeline', 'compare', 'admission'];
const MANAGED_BY_LIMIT = 256;
const OWN_LIMIT = 64;
const MOST_PODS = 5000;
/** Characters in a link. Messengers and some browsers cut longer links. */
export const LONGEST_LINK = 60_000;

const NEWER =
  'This link was made by a newer version of this page. Reload the page to get that version, then open the link again. Nothing was changed.';

/** What every link has at least one of; the first version has no number. */
const MARKS = ['v', 'example', 'service', 'max', 'hints', 'preferSame', 'managedBy', 'kubernetes'];

/** Whether it is a link at all. @param {string} fragment */
export function isLink(fragment) {
  const params = new URLSearchParams(fragment.replace(/^#/, ''));
  return fragment.includes('=') && MARKS.some((name) => params.has(name));
}

/** @param {string} fragment with or without its `#` @returns {Promise<Reading>} */
export async function readLink(fragment) {
  if (!isLink(fragment)) return null;
  const params = new URLSearchParams(fragment.replace(/^#/, ''));
  try {
    const version = params.get('v') ?? '1';
    if (version === '1') return { link: readFirst(params) };
    if (version === '2') return { link: params.has('all') ? readPacked((await packing()).unpack(params.get('all') ?? '')) : readPlain(params) };
    throw new Broken(/^\d{1,4}$/.test(version) ? NEWER : GARBLED);
  } catch (error) {
    if (error instanceof Broken) return { broken: error.message };
    throw error;
  }
}

/** The address of what is shown, without the user's own input. @param {Link} link @returns {string} the fragment, with its `#` */
export function formatLink({ example, own, service, options, tab, pods }) {
  const params = new URLSearchParams({ v: '2' });
  if (own) params.set('own', own);
  if (example) params.set('example', example);
  if (service) params.set('service', service);
  if (pods !== undefined) params.set('pods', String(pods));
  if (tab !== 'picture') params.set('tab', tab);
  if (options.maxEndpointsPerSlice !== undefined) params.set('max', String(options.maxEndpointsPerSlice));
  if (options.topologyHints !== undefined) params.set('hints', String(options.topologyHints));
  if (options.preferSameTrafficDistribution !== undefined) params.set('preferSame', String(options.preferSameTrafficDistribution));
  if (options.managedBy !== undefined) params.set('managedBy', options.managedBy);
  if (options.kubernetes !== undefined) params.set('kubernetes', options.kubernetes);
  return `#${params.toString().replaceAll('%2F', '/')}`;
}

/** A link that includes the user's own input. @param {Link} link @returns {Promise<string>} the fragment, with its `#` */
export async function formatWholeLink(link) {
  const hasViews = Object.keys(link.views).length > 0;
  return link.text === undefined && !hasViews ? formatLink(link) : `#v=2&all=${(await packing()).pack(JSON.stringify({ ...link, own: '' }))}`;
}

/**
 * Version 1: examples only. Ignores what it does not understand, as the page did then.
 * @param {URLSearchParams} params @returns {Link}
 */
function readFirst(params) {
  /** @type {Options} */
  const options = {};
  const max = Number(params.get('max'));
  if (params.has('max') && Number.isInteger(max)) options.maxEndpointsPerSlice = max;
  const hints = readFlag(params.get('hints'));
  if (hints !== undefined) options.topologyHints = hints;
  const preferSame = readFlag(params.get('preferSame'));
  if (preferSame !== undefined) options.preferSameTrafficDistribution = preferSame;
  const managedBy = params.get('managedBy');
  if (managedBy && managedBy.length <= MANAGED_BY_LIMIT) options.managedBy = managedBy;
  return { example: params.get('example') ?? '', own: '', service: params.get('service') ?? '', options, tab: 'picture', views: {} };
}

/** @param {string | null} text */
function readFlag(text) {
  if (text === 'true') return true;
  return text === 'false' ? false : undefined;
}

/** Version 2, as encoded in the address. @param {URLSearchParams} params @returns {Link} */
function readPlain(params) {
  const flag = (/** @type {string} */ name) => (params.has(name) ? (readFlag(params.get(name)) ?? null) : undefined);
  const number = (/** @type {string} */ name) => (params.has(name) ? Number(params.get(name) || 'NaN') : undefined);
  const own = params.get('own') ?? '';
  if (!own && !params.get('example')) throw new Broken(CUT);
  return checked({
    example: params.get('example') ?? '',
    own,
    service: params.get('service') ?? '',
    options: {
      maxEndpointsPerSlice: number('max'),
      topologyHints: flag('hints'),
      preferSameTrafficDistribution: flag('preferSame'),
      managedBy: params.get('managedBy') ?? undefined,
      kubernetes: params.get('kubernetes') ?? undefined,
    },
    tab: params.get('tab') ?? 'picture',
    pods: number('pods'),
    views: {},
  });
}

/** Version 2, packed. @param {string} json @returns {Link} */
function readPacked(json) {
  try {
    return checked(JSON.parse(json));
  } catch {
    throw new Broken(GARBLED);
  }
}

/** The checks for each part of a link. @type {Record<string, (value: any) => boolean>} */
const PARTS = {
  example: isText,
  own: (value) => isText(value) && value.length <= OWN_LIMIT,
  service: isText,
  options: isRecord,
  tab: (value) => TABS.includes(value),
  pods: (value) => value === undefined || (Number.isInteger(value) && value >= 0 && value <= MOST_PODS),
  text: (value) => value === undefined || isText(value),
  name: (value) => value === undefined || isText(value),
  views: isRecord,
};

/** @type {Record<string, (value: any) => boolean>} */
const OPTIONS = {
  maxEndpointsPerSlice: Number.isInteger,
  topologyHints: isBoolean,
  preferSameTrafficDistribution: isBoolean,
  managedBy: (value) => isText(value) && value.length <= MANAGED_BY_LIMIT,
  // Which versions exist the core decides.
  kubernetes: (value) => isText(value) && /^\d{1,3}\.\d{1,3}$/.test(value),
};

/** @param {any} value @returns {Link} with the known fields only */
function checked(value) {
  if (!isRecord(value) || !Object.entries(PARTS).every(([name, valid]) => valid(value[name]))) throw new Broken(GARBLED);
  const given = Object.entries(OPTIONS).filter(([name]) => value.options[name] !== undefined);
  if (!given.every(([name, valid]) => valid(value.options[name]))) throw new Broken(GARBLED);
  const parts = Object.keys(PARTS).filter((name) => value[name] !== undefined);
  const options = Object.fromEntries(given.map(([name]) => [name, value.options[name]]));
  return /** @type {Link} */ ({ ...Object.fromEntries(parts.map((name) => [name, value[name]])), options });
}

/** @param {unknown} value */
function isText(value) {
  return typeof value === 'string';
}

/** @param {unknown} value */
function isBoolean(value) {
  return typeof value === 'boolean';
}

/** @param {unknown} value */
function isRecord(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Loads what packs and unpacks an input. */
function packing() {
  return import(/* webpackChunkName: "packing" */ './packing.js');
}
