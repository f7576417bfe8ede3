/** The group about conditions. */
import { LOAD_BALANCER, endpoint as e } from './objects.mjs';

const withConditions = (/** @type {number} */ number, /** @type {any} */ conditions) => e(number, 'a1', { conditions });

/** @type {import('./index.mjs').Group} */
export const CONDITIONS = {
  group: 'conditions',
  title: 'Ready, serving and terminating',
  source: [
    'KEP-1672 Tracking Terminating Endpoints',
    'KEP-1669 Proxy Terminating Endpoints',
    'kubernetes/kubernetes pkg/proxy/endpointslicecache.go',
  ],
  drafts: [
    { id: 'all-ready', title: 'All are ready', endpoints: [e(1, 'a1'), e(2, 'b1')], uses: [1, 2] },
    { id: 'one-not-ready', title: 'One is not ready', endpoints: [e(1, 'a1'), e(2, 'b1', { state: 'notReady' })], uses: [1] },
    { id: 'none-ready', title: 'None is ready, none terminates', endpoints: [e(1, 'a1', { state: 'notReady' })], uses: [] },
    { id: 'no-endpoints', title: 'The slice has no endpoints', endpoints: [], uses: [] },
    { id: 'no-slices', title: 'The Service has no slices', slices: [], uses: [] },
    {
      id: 'one-draining',
      title: 'One is ready, one terminates and still serves',
      endpoints: [e(1, 'a1'), e(2, 'b1', { state: 'draining' })],
      uses: [1],
    },
    {
      id: 'all-draining',
      title: 'None is ready: those that terminate and still serve are used',
      endpoints: [e(1, 'a1', { state: 'draining' }), e(2, 'b1', { state: 'draining' })],
      uses: [1, 2],
    },
    {
      id: 'draining-and-not-ready',
      title: 'None is ready: one terminates and still serves, one does not serve',
      endpoints: [e(1, 'a1', { state: 'draining' }), e(2, 'b1', { state: 'notReady' })],
      uses: [1],
    },
    {
      id: 'draining-and-dying',
      title: 'All terminate, and one no longer serves',
      endpoints: [e(1, 'a1', { state: 'draining' }), e(2, 'b1', { state: 'dying' })],
      uses: [1],
    },
    {
      id: 'all-dying',
      title: 'All terminate, and none serves',
      endpoints: [e(1, 'a1', { state: 'dying' }), e(2, 'b1', { state: 'dying' })],
      uses: [],
    },
    {
      id: 'all-draining-with-hints',
      title: 'None is ready: hints do not limit those that terminate and still serve',
      endpoints: [e(1, 'a1', { state: 'draining', zones: ['a'] }), e(2, 'b1', { state: 'draining', zones: ['b'] })],
      uses: [1, 2],
    },
    {
      id: 'all-draining-asked',
      title: 'None is ready, and the Service asks for the same zone: all that terminate and still serve',
      service: { trafficDistribution: 'PreferSameZone' },
      endpoints: [e(1, 'a1', { state: 'draining', zones: ['a'] }), e(2, 'b1', { state: 'draining', zones: ['b'] })],
      uses: [1, 2],
    },
    {
      id: 'all-draining-from-outside',
      title: 'None is ready: traffic from outside uses those that terminate and still serve',
      service: LOAD_BALANCER,
      traffic: 'external',
      endpoints: [e(1, 'a1', { state: 'draining' }), e(2, 'b1', { state: 'draining' })],
      uses: [1, 2],
    },
    { id: 'no-conditions', title: 'No condition is set: ready', endpoints: [withConditions(1, {})], uses: [1] },
    { id: 'conditions-missing', title: 'The field conditions is missing: ready', endpoints: [withConditions(1, undefined)], uses: [1] },
    { id: 'only-ready-true', title: 'Only ready is set, and true', endpoints: [withConditions(1, { ready: true })], uses: [1] },
    { id: 'only-ready-false', title: 'Only ready is set, and false', endpoints: [withConditions(1, { ready: false })], uses: [] },
    { id: 'only-serving', title: 'Only serving is set, and true: ready is assumed', endpoints: [withConditions(1, { serving: true })], uses: [1] },
    {
      id: 'only-not-serving',
      title: 'Only serving is set, and false: ready is assumed',
      endpoints: [withConditions(1, { serving: false })],
      uses: [1],
    },
    { id: 'only-terminating', title: 'Only terminating is set: ready is assumed', endpoints: [withConditions(1, { terminating: true })], uses: [1] },
    {
      id: 'ready-and-terminating',
      title: 'Ready and terminating at once, as publishNotReadyAddresses makes them: ready counts',
      endpoints: [withConditions(1, { ready: true, serving: true, terminating: true }), e(2, 'b1')],
      uses: [1, 2],
    },
    {
      id: 'terminating-without-serving',
      title: 'Not ready and terminating, and serving is not set: serving is assumed',
      endpoints: [withConditions(1, { ready: false, terminating: true })],
      uses: [1],
    },
    {
      id: 'serving-and-not-ready',
      title: 'Not ready and serving, and not terminating: not used',
      endpoints: [withConditions(1, { ready: false, serving: true, terminating: false })],
      uses: [],
    },
  ],
};
