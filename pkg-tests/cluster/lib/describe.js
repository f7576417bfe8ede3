/** Describes the slices of a snapshot in a few lines, without random names, times and choices. */

/**
 * One line for each Service, address family and list of ports: the number of endpoints, the zones of the ready
 * ones, and the zones or nodes in hints. The number of slices, and which endpoints `Auto` assigns to another
 * zone, depend on how changes were batched.
 * @param {{items: any[]}} snapshot @param {string} namespace
 */
export function describe({ items }, namespace) {
  const slices = items.filter(({ kind, metadata }) => kind === 'EndpointSlice' && metadata.namespace === namespace);
  const groups = groupBy(slices, (slice) => {
    return `${slice.metadata.labels['kubernetes.io/service-name']} ${slice.addressType} ${(slice.ports ?? []).map(port).join(' ') || 'no ports'}`;
  });
  return groups.map(([title, members]) => line(title, members)).join('\n');
}

/** @param {{name?: string, port: number, protocol: string}} of */
function port({ name, port: number, protocol }) {
  return `${name ?? ''}=${number}${protocol === 'TCP' ? '' : `/${protocol}`}`;
}

/** @param {string} title @param {any[]} slices */
function line(title, slices) {
  const endpoints = slices.flatMap((slice) => slice.endpoints ?? []);
  const ending = endpoints.filter(({ conditions }) => conditions.terminating);
  const ready = endpoints.filter(({ conditions }) => conditions.ready && !conditions.terminating);
  const waiting = endpoints.length - ending.length - ready.length;
  return [
    `${title}: ${endpoints.length}`,
    count('ready', ready.map(({ zone }) => zone ?? '-')),
    waiting > 0 && `not ready ${waiting}`,
    ending.length > 0 && `terminating ${ending.length}`,
    names('host names', endpoints.map(({ hostname }) => hostname).filter(Boolean)),
    names('for zones', targets(endpoints, 'forZones')),
    names('for nodes', targets(endpoints, 'forNodes')),
  ].filter(Boolean).join(', ');
}

/** The zones or nodes in hints. @param {any[]} endpoints @param {string} list @returns {string[]} */
function targets(endpoints, list) {
  return endpoints.flatMap(({ hints }) => (hints?.[list] ?? []).map((/** @type {{name: string}} */ { name }) => name));
}

/** @param {string} what @param {string[]} values */
function count(what, values) {
  const parts = groupBy(values, (value) => value).map(([value, members]) => `${value}:${members.length}`);
  return parts.length > 0 && `${what} ${parts.join(' ')}`;
}

/** @param {string} what @param {string[]} values */
function names(what, values) {
  return values.length > 0 && `${what} ${[...new Set(values)].sort().join(' ')}`;
}

/**
 * Groups, sorted by key.
 * @template T
 * @param {T[]} values @param {(value: T) => string} key
 * @returns {[string, T[]][]}
 */
function groupBy(values, key) {
  const keys = [...new Set(values.map(key))].sort();
  return keys.map((each) => [each, values.filter((value) => key(value) === each)]);
}
