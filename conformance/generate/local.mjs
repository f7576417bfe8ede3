/** Groups about the policy `Local`. */
import { LOAD_BALANCER, OUTSIDE_LOCAL, endpoint as e } from './objects.mjs';

const CATEGORIES = 'kubernetes/kubernetes pkg/proxy/topology.go';
const INSIDE = { internalTrafficPolicy: 'Local' };
const both = () => [e(1, 'a1'), e(2, 'a2'), e(3, 'b1')];

/** @type {import('./index.mjs').Group} */
export const INTERNAL_LOCAL = {
  group: 'internal-local',
  title: 'internalTrafficPolicy Local',
  source: ['KEP-2086 Service Internal Traffic Policy', CATEGORIES],
  drafts: [
    { id: 'one-here', title: 'The node has an endpoint: only that is used', service: INSIDE, endpoints: both(), uses: [1] },
    { id: 'other-node', title: 'Another node has an endpoint: it uses only that', service: INSIDE, endpoints: both(), from: 'b1', uses: [3] },
    { id: 'none-here', title: 'The node has no endpoint: none is used', service: INSIDE, endpoints: both(), from: 'b2', uses: [] },
    { id: 'two-here', title: 'The node has two endpoints', service: INSIDE, endpoints: [...both(), e(4, 'a1')], uses: [1, 4] },
    {
      id: 'not-ready-here',
      title: 'The endpoint on the node is not ready: none',
      service: INSIDE,
      endpoints: [e(1, 'a1', { state: 'notReady' }), e(2, 'a2')],
      uses: [],
    },
    {
      id: 'draining-here',
      title: 'The endpoint on the node terminates and still serves: it is used, although others are ready elsewhere',
      service: INSIDE,
      endpoints: [e(1, 'a1', { state: 'draining' }), e(2, 'a2')],
      uses: [1],
    },
    {
      id: 'draining-and-ready-here',
      title: 'On the node, one is ready and one terminates: the ready one',
      service: INSIDE,
      endpoints: [e(1, 'a1', { state: 'draining' }), e(2, 'a1')],
      uses: [2],
    },
    {
      id: 'dying-here',
      title: 'The endpoint on the node no longer serves: none',
      service: INSIDE,
      endpoints: [e(1, 'a1', { state: 'dying' }), e(2, 'a2')],
      uses: [],
    },
    {
      id: 'without-node',
      title: 'An endpoint without a node is on none',
      service: INSIDE,
      endpoints: [e(1, null), e(2, 'b1')],
      uses: [],
    },
    {
      id: 'without-node-beside-local',
      title: 'An endpoint without a node is not used beside that of the node',
      service: INSIDE,
      endpoints: [e(1, null), e(2, 'a1')],
      uses: [2],
    },
    {
      id: 'hints-do-not-count',
      title: 'The endpoint on the node is hinted to another zone: it is used all the same',
      service: INSIDE,
      endpoints: [e(1, 'a1', { zones: ['b'] }), e(2, 'b1', { zones: ['a'] })],
      uses: [1],
    },
    {
      id: 'hints-do-not-widen',
      title: 'The node has no endpoint, and one is hinted to its zone: none',
      service: INSIDE,
      endpoints: [e(1, 'a2', { zones: ['a'] }), e(2, 'b1', { zones: ['b'] })],
      uses: [],
    },
    {
      id: 'asked-for-node',
      title: 'trafficDistribution PreferSameNode does not widen Local',
      service: { ...INSIDE, trafficDistribution: 'PreferSameNode' },
      endpoints: [e(1, 'a2', { nodes: ['a2'], zones: ['a'] }), e(2, 'b1', { nodes: ['b1'], zones: ['b'] })],
      uses: [],
    },
    {
      id: 'asked-for-zone',
      title: 'trafficDistribution PreferSameZone does not widen Local',
      service: { ...INSIDE, trafficDistribution: 'PreferSameZone' },
      endpoints: [e(1, 'a1', { zones: ['a'] }), e(2, 'a2', { zones: ['a'] })],
      uses: [1],
    },
    {
      id: 'asked-for-zone-two-here',
      title: 'trafficDistribution PreferSameZone does not choose among the endpoints of the node by their hints',
      service: { ...INSIDE, trafficDistribution: 'PreferSameZone' },
      endpoints: [e(1, 'a1', { zones: ['a'] }), e(2, 'a1', { zones: ['b'] })],
      uses: [1, 2],
    },
    {
      id: 'asked-for-node-beside-without-node',
      title: 'trafficDistribution PreferSameNode, an endpoint of the node and one without a node',
      service: { ...INSIDE, trafficDistribution: 'PreferSameNode' },
      endpoints: [e(1, 'a1'), e(2, null)],
      uses: [1],
    },
    {
      id: 'policy-cluster',
      title: 'internalTrafficPolicy Cluster: all',
      service: { internalTrafficPolicy: 'Cluster' },
      endpoints: both(),
      uses: [1, 2, 3],
    },
    {
      id: 'from-outside',
      title: 'Traffic from outside does not follow internalTrafficPolicy',
      service: { ...LOAD_BALANCER, ...INSIDE },
      traffic: 'external',
      endpoints: both(),
      uses: [1, 2, 3],
    },
  ],
};

/** @type {Pick<import('./index.mjs').Draft, 'service' | 'traffic'>} */
const OUTSIDE = { service: OUTSIDE_LOCAL, traffic: 'external' };

/** @type {import('./index.mjs').Group} */
export const EXTERNAL_LOCAL = {
  group: 'external-local',
  title: 'externalTrafficPolicy Local',
  source: ['KEP-1669 Proxy Terminating Endpoints', CATEGORIES],
  drafts: [
    { ...OUTSIDE, id: 'one-here', title: 'The node has an endpoint: only that is used', endpoints: both(), uses: [1] },
    { ...OUTSIDE, id: 'none-here', title: 'The node has no endpoint: none is used', endpoints: both(), from: 'c1', uses: [] },
    {
      ...OUTSIDE,
      id: 'not-ready-here',
      title: 'The endpoint on the node is not ready: none',
      endpoints: [e(1, 'a1', { state: 'notReady' }), e(2, 'b1')],
      uses: [],
    },
    {
      ...OUTSIDE,
      id: 'draining-here',
      title: 'The endpoint on the node terminates and still serves: it is used until load balancers notice',
      endpoints: [e(1, 'a1', { state: 'draining' }), e(2, 'b1')],
      uses: [1],
    },
    {
      ...OUTSIDE,
      id: 'draining-and-ready-here',
      title: 'On the node, one is ready and one terminates: the ready one',
      endpoints: [e(1, 'a1', { state: 'draining' }), e(2, 'a1')],
      uses: [2],
    },
    {
      ...OUTSIDE,
      id: 'dying-here',
      title: 'The endpoint on the node no longer serves: none',
      endpoints: [e(1, 'a1', { state: 'dying' }), e(2, 'b1')],
      uses: [],
    },
    { ...OUTSIDE, id: 'without-node', title: 'An endpoint without a node is on none', endpoints: [e(1, null), e(2, 'b1')], uses: [] },
    {
      ...OUTSIDE,
      id: 'hints-do-not-count',
      title: 'The endpoint on the node is hinted to another zone: it is used all the same',
      endpoints: [e(1, 'a1', { zones: ['b'] }), e(2, 'b1', { zones: ['a'] })],
      uses: [1],
    },
    {
      id: 'from-inside',
      title: 'Traffic from inside does not follow externalTrafficPolicy',
      service: OUTSIDE_LOCAL,
      endpoints: both(),
      uses: [1, 2, 3],
    },
    {
      id: 'both-local-from-inside',
      title: 'Both policies are Local, and traffic is from inside',
      service: { ...OUTSIDE_LOCAL, ...INSIDE },
      endpoints: both(),
      uses: [1],
    },
    {
      id: 'both-local-from-outside',
      title: 'Both policies are Local, and traffic is from outside, at a node without an endpoint',
      service: { ...OUTSIDE_LOCAL, ...INSIDE },
      traffic: 'external',
      endpoints: both(),
      from: 'c1',
      uses: [],
    },
    {
      id: 'node-port',
      title: 'A NodePort Service follows externalTrafficPolicy Local as well',
      service: { ...LOAD_BALANCER, type: 'NodePort', externalTrafficPolicy: 'Local' },
      traffic: 'external',
      endpoints: both(),
      uses: [1],
    },
    {
      id: 'policy-cluster',
      title: 'externalTrafficPolicy Cluster: all',
      service: LOAD_BALANCER,
      traffic: 'external',
      endpoints: both(),
      uses: [1, 2, 3],
    },
  ],
};
