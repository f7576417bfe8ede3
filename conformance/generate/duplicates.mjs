/** Groups about several slices of a Service. */
import { CONTROLLER, HTTP, endpoint as e, slice } from './objects.mjs';

const CACHE = 'kubernetes/kubernetes pkg/proxy/endpointslicecache.go';
const two = (/** @type {any[]} */ first, /** @type {any[]} */ second) => [slice('cart-1', first), slice('cart-2', second)];

/** @type {import('./index.mjs').Group} */
export const DUPLICATES = {
  group: 'duplicates',
  title: 'Several slices with the same endpoint',
  source: ['KEP-752 EndpointSlices, duplicate endpoints', CACHE],
  drafts: [
    { id: 'same', title: 'An endpoint in two slices counts once', slices: two([e(1, 'a1')], [e(1, 'a1'), e(2, 'b1')]), uses: [1, 2] },
    { id: 'twice-in-one', title: 'An endpoint twice in one slice counts once', endpoints: [e(1, 'a1'), e(1, 'a1'), e(2, 'b1')], uses: [1, 2] },
    {
      id: 'ready-and-draining',
      title: 'Ready in one slice, terminating in the other: ready',
      slices: two([e(1, 'a1')], [e(1, 'a1', { state: 'draining' })]),
      uses: [1],
    },
    {
      id: 'draining-and-ready',
      title: 'Terminating in one slice, ready in the other: ready',
      slices: two([e(1, 'a1', { state: 'draining' })], [e(1, 'a1')]),
      uses: [1],
    },
    {
      id: 'dying-and-ready',
      title: 'An address that terminates and no longer serves in one slice is ready in the other, as after its reuse: ready',
      slices: two([e(1, 'a1', { state: 'dying' })], [e(1, 'b1')]),
      uses: [1],
    },
    {
      id: 'reused-on-another-node',
      title: 'Terminating in one slice, ready on another node in the other, under Local: used on the node of the ready one',
      service: { internalTrafficPolicy: 'Local' },
      slices: two([e(1, 'a1', { state: 'draining' })], [e(1, 'b1')]),
      from: 'b1',
      uses: [1],
    },
    {
      id: 'reused-seen-from-the-old-node',
      title: 'Terminating in one slice, ready on another node in the other, under Local: not used on the node of the terminating one',
      service: { internalTrafficPolicy: 'Local' },
      slices: two([e(1, 'a1', { state: 'draining' })], [e(1, 'b1')]),
      from: 'a1',
      uses: [],
    },
    {
      id: 'not-ready-in-both',
      title: 'Ready in neither slice: none',
      slices: two([e(1, 'a1', { state: 'notReady' })], [e(1, 'a1', { state: 'notReady' })]),
      uses: [],
    },
    {
      id: 'same-hints',
      title: 'The same hints in both slices are followed',
      slices: two([e(1, 'a1', { zones: ['a'] }), e(2, 'b1', { zones: ['b'] })], [e(1, 'a1', { zones: ['a'] })]),
      uses: [1],
    },
    {
      id: 'hints-of-the-ready-one',
      title: 'The hints are those of the ready entry',
      slices: two([e(1, 'a1', { zones: ['a'] }), e(2, 'b1', { zones: ['b'] })], [e(2, 'b1', { state: 'draining', zones: ['a'] })]),
      uses: [1],
    },
    {
      id: 'same-address-other-number',
      title: 'The same address with two numbers is two endpoints',
      slices: [slice('cart-1', [e(1, 'a1')]), slice('cart-2', [e(1, 'a1')], { ports: [{ ...HTTP, port: 8081 }] })],
      uses: [1, '10.0.0.1:8081'],
    },
    {
      id: 'three-slices',
      title: 'Three slices that overlap',
      slices: [slice('cart-1', [e(1, 'a1'), e(2, 'b1')]), slice('cart-2', [e(2, 'b1'), e(3, 'c1')]), slice('cart-3', [e(3, 'c1'), e(1, 'a1')])],
      uses: [1, 2, 3],
    },
    {
      id: 'empty-beside-full',
      title: 'An empty slice beside one with endpoints',
      slices: two([], [e(1, 'a1')]),
      uses: [1],
    },
    {
      id: 'ready-in-one-of-three',
      title: 'Terminating in two slices, ready in a third',
      slices: [
        slice('cart-1', [e(1, 'a1', { state: 'dying' })]),
        slice('cart-2', [e(1, 'a1')]),
        slice('cart-3', [e(1, 'a1', { state: 'draining' })]),
      ],
      uses: [1],
    },
  ],
};

const MIRROR = 'endpointslicemirroring-controller.k8s.io';
const by = (/** @type {string} */ name, /** @type {string | null} */ manager, /** @type {any[]} */ endpoints, options = {}) =>
  slice(name, endpoints, { manager, ...options });

/** @type {import('./index.mjs').Group} */
export const MANAGERS = {
  group: 'managers',
  title: 'Slices of several managers, and of none',
  source: ['KEP-752 EndpointSlices, endpointslice.kubernetes.io/managed-by', CACHE],
  drafts: [
    {
      id: 'two',
      title: 'Slices of two managers: both are read',
      slices: [by('cart-1', CONTROLLER, [e(1, 'a1')]), by('cart-mesh', 'mesh.example.com', [e(2, 'b1')])],
      uses: [1, 2],
    },
    { id: 'no-label', title: 'A slice without the label managed-by is read', slices: [by('cart-1', null, [e(1, 'a1')])], uses: [1] },
    { id: 'mirrored', title: 'A mirrored slice is read', service: { selector: undefined }, slices: [by('cart-1', MIRROR, [e(1, null)])], uses: [1] },
    {
      id: 'by-hand',
      title: 'A Service without a selector, and a slice written by hand',
      service: { selector: undefined },
      slices: [by('cart-hand', 'staff', [e(1, null), e(2, null)])],
      uses: [1, 2],
    },
    {
      id: 'stranger-beside-selector',
      title: 'A slice written by hand beside a selector is read as well',
      slices: [by('cart-1', CONTROLLER, [e(1, 'a1')]), by('cart-hand', 'staff', [e(7, null)])],
      uses: [1, 7],
    },
    {
      id: 'same-endpoint',
      title: 'Two managers list the same endpoint: once',
      slices: [by('cart-1', CONTROLLER, [e(1, 'a1')]), by('cart-m', MIRROR, [e(1, null)])],
      uses: [1],
    },
    {
      id: 'hints-of-both',
      title: 'Both managers write hints: they count together',
      slices: [by('cart-1', CONTROLLER, [e(1, 'a1', { zones: ['a'] })]), by('cart-m', 'mesh.example.com', [e(2, 'b1', { zones: ['b'] })])],
      uses: [1],
    },
    {
      id: 'other-service',
      title: 'A slice of another Service is not read',
      slices: [by('cart-1', CONTROLLER, [e(1, 'a1')]), by('shop-1', CONTROLLER, [e(2, 'a1')], { service: 'pay' })],
      uses: [1],
    },
    {
      id: 'no-service-label',
      title: 'A slice without kubernetes.io/service-name is not read, whatever its name',
      slices: [by('cart-1', CONTROLLER, [e(1, 'a1')], { service: null })],
      uses: [],
    },
    {
      id: 'other-namespace',
      title: 'A slice in another namespace is not read',
      slices: [by('cart-1', CONTROLLER, [e(1, 'a1')]), by('cart-2', CONTROLLER, [e(2, 'a1')], { namespace: 'stage' })],
      uses: [1],
    },
    {
      id: 'name-like-the-service',
      title: 'The name of the slice does not matter, only its label',
      slices: [by('anything', CONTROLLER, [e(1, 'a1')])],
      uses: [1],
    },
    {
      id: 'owner-of-another',
      title: 'The owner of the slice does not matter, only its label',
      slices: [owned(by('cart-1', CONTROLLER, [e(1, 'a1')]))],
      uses: [1],
    },
  ],
};

/** Owned by another Service. @param {any} given */
function owned(given) {
  const owner = { apiVersion: 'v1', kind: 'Service', name: 'pay', uid: '0d6e1f3c-0000-4000-8000-000000000000', controller: true };
  return { ...given, metadata: { ...given.metadata, ownerReferences: [owner] } };
}
