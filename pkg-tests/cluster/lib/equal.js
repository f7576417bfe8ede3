/** Compares two controllers' slices for the same Services in everything deterministic. */
import assert from 'node:assert/strict';

const MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';
const TRIGGER_TIME = 'endpoints.kubernetes.io/last-change-trigger-time';
const SERVICE = 'kubernetes.io/service-name';

/**
 * By Service, family and ports: the sizes of the slices, their labels, annotations and owners, and every endpoint. Names
 * and times differ, as does which endpoint is in which slice or serves which other zone.
 * @param {any[]} slices @param {string} manager
 */
export function pictureOf(slices, manager) {
  const own = slices.filter(({ metadata }) => metadata.labels[MANAGED_BY] === manager);
  /** @type {Record<string, any>} */
  const groups = {};
  for (const { metadata, addressType, ports, endpoints } of own) {
    const key = `${metadata.namespace}/${metadata.labels[SERVICE]} ${addressType} ${JSON.stringify(sorted(ports ?? []))}`;
    const group = (groups[key] ??= { sizes: [], about: [], endpoints: [], hints: [] });
    group.sizes.push((endpoints ?? []).length);
    group.about.push(JSON.stringify(about(metadata)));
    for (const { hints, ...endpoint } of endpoints ?? []) {
      group.endpoints.push(JSON.stringify(ordered(endpoint)));
      group.hints.push(JSON.stringify(ordered(hints ?? {})));
    }
  }
  for (const group of Object.values(groups)) {
    group.sizes.sort((/** @type {number} */ one, /** @type {number} */ other) => one - other);
    for (const list of ['about', 'endpoints', 'hints']) group[list].sort();
  }
  return ordered(groups);
}

/** @param {any} metadata */
function about({ generateName, labels, annotations = {}, ownerReferences }) {
  const others = Object.fromEntries(Object.entries(labels).filter(([name]) => name !== MANAGED_BY));
  // After a restart, a controller has no memory of earlier trigger times.
  const { [TRIGGER_TIME]: _, ...notes } = annotations;
  return { generateName, labels: ordered(others), annotations: ordered(notes), ownerReferences };
}

/**
 * The same endpoints, hints, ports and metadata of both managers for these Services, however they are spread over slices.
 * @param {import('./api.js').Api} api @param {string} one manager @param {string} other @param {string[]} services `namespace/name`
 */
export async function assertSameEndpoints(api, one, other, services) {
  const slices = await api.list('EndpointSlice');
  const [ours, theirs] = [one, other].map((manager) => {
    const groups = Object.entries(pictureOf(slices, manager)).filter(([key]) => services.includes(key.split(' ', 1)[0] ?? ''));
    return Object.fromEntries(groups.map(([key, { endpoints, hints, about: all }]) => [key, { endpoints, hints, about: [...new Set(all)] }]));
  });
  assert.deepEqual(ours, theirs);
}

/**
 * The same slices of both managers. Once endpoints have been removed, the size of each slice is random: the reference
 * has filled slices in the order of a map. Then no slice may be too full, and ours may be at most one more.
 * @param {import('./api.js').Api} api @param {string} one manager @param {string} other
 * @param {{perSlice: number, areSizesSame: boolean}} limits
 */
export async function assertSame(api, one, other, { perSlice, areSizesSame }) {
  const slices = await api.list('EndpointSlice');
  const [ours, theirs] = [one, other].map((manager) => pictureOf(slices, manager));
  if (!areSizesSame) {
    for (const [key, group] of Object.entries(theirs)) {
      const found = ours[key];
      const excess = (found?.about.length ?? 0) - group.about.length;
      assert.ok(excess <= 1 && (found?.sizes.at(-1) ?? 0) <= perSlice, `${key}: ${found?.sizes}, the reference ${group.sizes}`);
    }
    for (const group of [...Object.values(ours), ...Object.values(theirs)]) {
      delete group.sizes;
      group.about = [...new Set(group.about)];
    }
  }
  assert.deepEqual(ours, theirs);
}

/** @param {any[]} values */
function sorted(values) {
  return values.map((value) => ordered(value)).sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}

/** The same value with sorted keys. @param {any} value @returns {any} */
function ordered(value) {
  if (Array.isArray(value)) return value.map(ordered);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, ordered(value[key])]));
}
