/** Checks the names of options. */
import { SlicewiseError } from '../error.js';

/**
 * A misspelt name must not silently drop a setting.
 * @template {object} T
 * @param {T} given
 * @param {string[]} names
 * @param {string} what
 * @returns {T}
 */
export function known(given, names, what) {
  if (typeof given !== 'object' || given === null) {
    throw new SlicewiseError({ code: 'InvalidType', message: `${what} takes an object with ${names.join(', ')}` });
  }
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown === undefined) return given;
  throw new SlicewiseError({
    code: 'UnknownField',
    message: `${what} does not take \`${unknown}\`; it takes ${names.join(', ')}`,
    path: `/${unknown}`,
  });
}
