/** The operations of RFC 6902 that change a value, on plain data; the original value is not modified. */
import { stepsOf } from './walk.js';

/** @typedef {{op: string, path: string, from?: string, value?: unknown}} Operation */

/**
 * Unlike the RFC, `add` creates missing parent maps: labelling an object without labels is one operation.
 * @param {any} value
 * @param {Operation[]} operations
 */
export function patched(value, operations) {
  const root = { value: structuredClone(value) };
  for (const operation of operations) apply(root, operation.op === 'copy' ? copied(root.value, operation) : operation);
  return root.value;
}

/** @param {any} root @param {Operation} operation */
function apply(root, { op, path, value }) {
  const steps = ['value', ...stepsOf(path)];
  const last = /** @type {string} */ (steps.pop());
  let at = root;
  for (const step of steps) {
    if (op === 'add' && (at[step] ?? null) === null && !Array.isArray(at)) at[step] = {};
    at = at[step];
    if (at === null || typeof at !== 'object') throw new Error(`there is no ${path} to ${op}`);
  }
  if (op === 'remove') remove(at, last);
  else if (op === 'add' && Array.isArray(at)) at.splice(last === '-' ? at.length : Number(last), 0, value);
  else if (op === 'add' || op === 'replace') at[last] = value;
  else throw new Error(`the operation ${op} is not known here`);
}

/** The same as an addition. @param {any} value @param {Operation} operation @returns {Operation} */
function copied(value, { path, from = '' }) {
  return { op: 'add', path, value: structuredClone(stepsOf(from).reduce((at, step) => at?.[step], value)) };
}

/** @param {any} at @param {string} key */
function remove(at, key) {
  if (Array.isArray(at)) at.splice(Number(key), 1);
  else delete at[key];
}
