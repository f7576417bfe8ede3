/** The inputs of the suite: the samples, the cases of the differential corpus, and broken input. */
import { readFileSync, readdirSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './builds.mjs';

/** @typedef {{name: string, bytes: Uint8Array}} Input */

/** All requests; one line each, for the streams. @returns {Input[]} */
export function requests() {
  const corpus = jsonFiles('pkg-tests/differential/corpus').map(({ name, value }) => ({ name, value: value.request ?? value.history?.[0] }));
  const samples = jsonFiles('samples').filter(({ value }) => value.service);
  const all = [...samples, ...corpus].filter(({ value }) => value);
  return [...all.map(({ name, value }) => ({ name, bytes: bytesOf(value) })), { name: 'small', bytes: bytesOf(SMALL) }];
}

/** All snapshots. @returns {Input[]} */
export function snapshots() {
  const files = [...jsonFiles('samples'), ...jsonFiles('www/samples')].filter(({ name, value }) => !value.service && !name.endsWith('/reviews.json'));
  return files.map(({ name, value }) => ({ name, bytes: bytesOf(value) }));
}

/** A request that needs no file. */
export const SMALL = {
  service: {
    metadata: { namespace: 'shop', name: 'cart', uid: 'a1' },
    spec: { selector: { app: 'cart' }, ports: [{ name: 'http', port: 80, targetPort: 8080, protocol: 'TCP' }], ipFamilies: ['IPv4'] },
  },
  pods: [pod('cart-1', '10.0.0.1', 'node-a'), pod('cart-2', '10.0.0.2', 'node-b')],
  nodes: [node('node-a', 'a'), node('node-b', 'b')],
  slices: [],
  options: { maxEndpointsPerSlice: 100 },
};

/** @param {string} name @param {string} ip @param {string} nodeName */
function pod(name, ip, nodeName) {
  return {
    metadata: { namespace: 'shop', name, uid: name, labels: { app: 'cart' } },
    spec: { nodeName },
    status: { phase: 'Running', podIP: ip, podIPs: [{ ip }], conditions: [{ type: 'Ready', status: 'True' }] },
  };
}

/** @param {string} name @param {string} zone */
function node(name, zone) {
  return {
    metadata: { name, labels: { 'topology.kubernetes.io/zone': zone } },
    status: { conditions: [{ type: 'Ready', status: 'True' }], allocatable: { cpu: '4' } },
  };
}

/**
 * The small request with one value changed.
 * @param {string} path JSON pointer
 * @param {unknown} value
 */
function changed(path, value) {
  const copy = structuredClone(SMALL);
  const keys = path.split('/').slice(1);
  const last = /** @type {string} */ (keys.pop());
  /** @type {any} */
  let at = copy;
  for (const key of keys) at = at[key] ??= {};
  if (value === undefined) delete at[last];
  else at[last] = value;
  return copy;
}

/** @param {number} depth */
function deep(depth) {
  return '['.repeat(depth) + ']'.repeat(depth);
}

/**
 * Input that must be refused; `code` is what the contract promises, if it does.
 * @type {{name: string, text: string | Uint8Array, code?: string, path?: string}[]}
 */
export const BAD = [
  { name: 'a word', text: 'nonsense', code: 'InvalidJson' },
  { name: 'cut off', text: '{"service":{"metadata":', code: 'InvalidJson' },
  { name: 'two values', text: '{}{}' },
  { name: 'no UTF-8', text: Uint8Array.of(0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d), code: 'InvalidJson' },
  { name: 'a number', text: '7' },
  { name: 'a string', text: '"service"' },
  { name: 'null', text: 'null' },
  { name: 'an array', text: '[]' },
  { name: 'an empty object', text: '{}', code: 'MissingField' },
  { name: 'no service', text: json(changed('/service', undefined)), code: 'MissingField' },
  { name: 'service null', text: json(changed('/service', null)) },
  { name: 'service a list', text: json(changed('/service', [])), code: 'InvalidType', path: '/service' },
  { name: 'an object as a list', text: json(changed('/service/metadata', ['shop', 'cart'])), code: 'InvalidType', path: '/service/metadata' },
  { name: 'options as a list', text: json(changed('/options', [null, 3])), code: 'InvalidType', path: '/options' },
  { name: 'service without a name', text: json(changed('/service/metadata/name', undefined)) },
  { name: 'pods an object', text: json(changed('/pods', { 0: 1 })), code: 'InvalidType', path: '/pods' },
  { name: 'pods of numbers', text: json(changed('/pods', [1, 2])), code: 'InvalidType', path: '/pods/0' },
  { name: 'pod without a name', text: json(changed('/pods/1/metadata/name', undefined)) },
  { name: 'pod without metadata', text: json(changed('/pods/1/metadata', undefined)) },
  { name: 'pod address no IP', text: json(changed('/pods/0/status/podIPs', [{ ip: 'ten.zero' }])) },
  { name: 'pod named twice', text: json(changed('/pods', [SMALL.pods[0], SMALL.pods[0]])), code: 'DuplicateName' },
  { name: 'quantity no quantity', text: json(changed('/nodes/0/status/allocatable/cpu', 'much')) },
  { name: 'labels of numbers', text: json(changed('/pods/0/metadata/labels', { app: 3 })) },
  { name: 'unknown field of ours', text: json({ ...SMALL, pod: [] }), code: 'UnknownField' },
  { name: 'unknown option', text: json(changed('/options/maxEndpoints', 3)), code: 'UnknownField' },
  { name: 'option zero', text: json(changed('/options/maxEndpointsPerSlice', 0)), code: 'InvalidValue', path: '/options/maxEndpointsPerSlice' },
  { name: 'option 1001', text: json(changed('/options/maxEndpointsPerSlice', 1001)), code: 'InvalidValue', path: '/options/maxEndpointsPerSlice' },
  { name: 'option negative', text: json(changed('/options/maxEndpointsPerSlice', -1)), path: '/options/maxEndpointsPerSlice' },
  { name: 'option a fraction', text: json(changed('/options/maxEndpointsPerSlice', 1.5)), path: '/options/maxEndpointsPerSlice' },
  { name: 'option a string', text: json(changed('/options/maxEndpointsPerSlice', '100')), path: '/options/maxEndpointsPerSlice' },
  { name: 'option huge', text: json(SMALL).replace('"maxEndpointsPerSlice":100', '"maxEndpointsPerSlice":1e999') },
  { name: 'packing unknown', text: json(changed('/options/packing', 'dense')), path: '/options/packing' },
  { name: 'manager with a space', text: json(changed('/options/managedBy', 'my controller')), code: 'InvalidValue', path: '/options/managedBy' },
  { name: 'manager too long', text: json(changed('/options/managedBy', 'a'.repeat(64))), code: 'InvalidValue', path: '/options/managedBy' },
  { name: 'port huge', text: json(SMALL).replace('"targetPort":8080', '"targetPort":99999999999999999999') },
  { name: 'trigger time no time', text: json({ ...SMALL, triggerTime: 'yesterday' }) },
  { name: 'a key twice', text: json(SMALL).replace('"pods":', '"pods":[],"pods":') },
  { name: 'half a surrogate pair', text: json(SMALL).replace('"cart-1"', '"\\ud800"') },
  { name: '1,000 deep', text: deep(1_000) },
  { name: '100,000 deep where it is read', text: deepAt('/pods/0/status/podIPs') },
];

/** Accepted: only what is read has a limit. */
export const DEEP_UNREAD = { name: '100,000 deep where nothing is read', bytes: bytesOf(deepAt('/pods/0/spec/x')) };

/** @param {string} path */
function deepAt(path) {
  return json(changed(path, 'DEEP')).replace('"DEEP"', deep(100_000));
}

/** @param {unknown} value */
function json(value) {
  return JSON.stringify(value);
}

/** @param {unknown} value */
export function bytesOf(value) {
  return new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));
}

/** @param {string} folder @returns {{name: string, value: any}[]} */
function jsonFiles(folder) {
  const path = join(ROOT, folder);
  const names = existsSync(path) ? readdirSync(path).filter((name) => name.endsWith('.json')).sort() : [];
  return names.map((name) => ({ name: `${folder}/${name}`, value: JSON.parse(readFileSync(join(path, name), 'utf8')) }));
}
