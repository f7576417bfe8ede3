/** Objects that JSON cannot represent, in fields that are read and in others; and random changes. */
import { SMALL } from './inputs.mjs';

/** @typedef {typeof SMALL} Request */

/** The objects of a request, with their kinds. @param {any} request */
export function asList(request) {
  const { service, pods, nodes, slices } = request;
  const said = (/** @type {string} */ kind, /** @type {any} */ object) =>
    typeof object === 'object' && object !== null ? { kind, ...object } : object;
  const of = (/** @type {string} */ kind, /** @type {any} */ objects) => [objects ?? []].flat().map((object) => said(kind, object));
  return {
    kind: 'List',
    apiVersion: 'v1',
    items: [...of('Service', service), ...of('Pod', pods), ...of('Node', nodes), ...of('EndpointSlice', slices)],
  };
}

const boom = () => {
  throw new Error('boom');
};
const broken = () => new Proxy({}, { ownKeys: boom });

/** Odd values in fields that are read, and their errors. @type {[string, (request: any) => void, string, RegExp][]} */
export const ODD = [
  ['a Map', ({ service }) => (service.spec.selector = new Map([['app', 'cart']])), 'InvalidType', /`selector` is Map/],
  ['a Map in a list', ({ pods }) => (pods[0].status.podIPs = [new Map()]), 'InvalidType', /`0` is Map/],
  ['a Set', ({ pods }) => (pods[0].status.podIPs = new Set()), 'InvalidType', /`podIPs` is Set/],
  ['bytes', ({ pods }) => (pods[0].metadata.labels = new Uint8Array(2)), 'InvalidType', /`labels` is Uint8Array/],
  ['a promise', ({ pods }) => (pods[0].status = Promise.resolve({})), 'InvalidType', /`status` is Promise/],
  ['a Map that toJSON gives', ({ pods }) => (pods[0].status = { toJSON: () => new Map() }), 'InvalidType', /`status` is Map/],
  ['a cycle', ({ pods }) => (pods[0].metadata.labels = pods[0]), 'InvalidJson', /cannot be written as JSON: .*circular/i],
  ['a cycle through fields that are read', ({ pods }) => (pods[0].status = pods[0]), 'InvalidJson', /circular/i],
  ['a BigInt', ({ service }) => (service.spec.ports[0].targetPort = 80n), 'InvalidJson', /BigInt/],
  ['NaN', ({ service }) => (service.spec.ports[0].targetPort = NaN), 'InvalidValue', /`targetPort` is NaN/],
  ['Infinity in a list', ({ service }) => (service.spec.ipFamilies = ['IPv4', Infinity]), 'InvalidValue', /item 1 of a list is Infinity/],
  ['undefined in a list', ({ service }) => (service.spec.ports = [undefined]), 'InvalidValue', /item 0 of a list is undefined/],
  ['a hole in a list', ({ service }) => (service.spec.ports = Array(1)), 'InvalidValue', /item 0 of a list is undefined/],
  ['a symbol in a list', ({ service }) => (service.spec.ports = [Symbol('x')]), 'InvalidValue', /item 0 of a list is Symbol\(x\)/],
  ['a function in a list', ({ service }) => (service.spec.ports = [boom]), 'InvalidValue', /item 0 of a list is \(\) =>/],
  [
    'a getter that throws',
    ({ service }) => Object.defineProperty(service, 'spec', { get: boom, enumerable: true }),
    'InvalidJson',
    /cannot be written as JSON: boom/,
  ],
  ['toJSON that throws', ({ service }) => (service.spec = { toJSON: boom }), 'InvalidJson', /boom/],
  ['a proxy that throws', ({ service }) => (service.spec = broken()), 'InvalidJson', /boom/],
  ['half a surrogate pair', ({ pods }) => (pods[0].metadata.name = 'cart-\ud800'), 'InvalidJson', /escape|surrogate/],
];

/** Odd values in fields that are not read. */
export const PASSED_OVER = [new Map(), new Uint8Array(2), 7n, NaN, [undefined], broken(), { toJSON: boom }, '\ud800', { get a() { return boom(); } }];

/** The small request with that in fields of its pods that no plan depends on. @param {unknown} odd */
export function oddPods(odd) {
  const request = structuredClone(SMALL);
  for (const pod of /** @type {any[]} */ (request.pods)) {
    Object.assign(pod.metadata, { managedFields: odd, self: pod });
    Object.assign(pod.spec, { volumes: [odd] });
    Object.assign(pod.status, { hostIPs: odd });
    pod.status.conditions.push({ type: 'Other', lastProbeTime: odd });
  }
  return request;
}

const VALUES = [
  null,
  true,
  7,
  1.5,
  -1,
  '',
  'x',
  'Ready',
  'Pod',
  'List',
  '2026-01-02T03:04:05Z',
  [],
  {},
  [null],
  [{}],
  { kind: 'Pod' },
  ['x'],
  { x: 1 },
  { items: [] },
  '\ud800',
];
const KEYS = ['kind', 'apiVersion', 'items', 'metadata', 'x', 'type', 'object', 'pods', 'name', 'ip', '*', '__proto__', 'toString'];

/**
 * Copies of a value with a few reproducible changes each.
 * @param {any} value
 * @param {number} count
 */
export function* mutations(value, count) {
  let seed = 1;
  const random = (/** @type {number} */ below) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return (seed >>> 8) % below;
  };
  for (let round = 0; round < count; round += 1) {
    const changed = structuredClone(value);
    for (let change = random(3); change >= 0; change -= 1) mutate(changed, random);
    yield changed;
  }
}

/** @param {any} value @param {(below: number) => number} random */
function mutate(value, random) {
  let at = value;
  // To any depth.
  for (;;) {
    const inner = Object.values(at).filter((each) => typeof each === 'object' && each !== null);
    if (inner.length === 0 || random(5) === 0) break;
    at = inner[random(inner.length)];
  }
  const keys = Object.keys(at);
  const key = keys.length > 0 && random(3) > 0 ? keys[random(keys.length)] : Array.isArray(at) ? at.length : KEYS[random(KEYS.length)];
  const given = structuredClone(VALUES[random(VALUES.length)]);
  if (random(4) === 0 && !Array.isArray(at)) delete at[key];
  else Object.defineProperty(at, key, { value: given, enumerable: true, configurable: true, writable: true });
}
