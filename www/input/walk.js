/**
 * The objects of an input, in order, each with its JSON path. In a request, the field determines the kind;
 * everything else is objects, arrays, lists, and nested lists.
 */

/**
 * @typedef {object} Found
 * @property {string} kind
 * @property {string[]} path steps from the root of the input
 * @property {any} value
 */

/** The fields of a request, and the kinds they hold. @type {Record<string, string>} */
export const REQUEST_FIELDS = { service: 'Service', pods: 'Pod', nodes: 'Node', slices: 'EndpointSlice' };

/** @param {any} root @param {'request' | 'snapshot'} form @returns {Found[]} */
export function objectsOf(root, form) {
  /** @type {Found[]} */
  const found = [];
  if (form === 'snapshot') add(root, '', [], found);
  else {
    for (const [field, kind] of Object.entries(REQUEST_FIELDS)) {
      const value = root[field];
      if (Array.isArray(value)) value.forEach((each, index) => found.push({ kind, path: [field, String(index)], value: each }));
      else if (value) found.push({ kind, path: [field], value });
    }
  }
  return found;
}

/** @param {any} value @param {string} kind the kind that the enclosing list states @param {string[]} path @param {Found[]} found */
function add(value, kind, path, found) {
  if (value === null || typeof value !== 'object') return;
  const own = value.kind || kind;
  if (Array.isArray(value)) value.forEach((item, index) => add(item, kind, [...path, String(index)], found));
  else if (Array.isArray(value.items)) {
    const inner = own.replace(/List$/, '');
    value.items.forEach((/** @type {any} */ item, /** @type {number} */ index) => add(item, inner, [...path, 'items', String(index)], found));
  } else if (own) found.push({ kind: own, path, value });
}

/** @param {string} pointer as in RFC 6901 @returns {string[]} */
export function stepsOf(pointer) {
  return pointer.split('/').slice(1).map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}
