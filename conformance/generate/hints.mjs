/** Groups about hints. */
import { CONTROLLER, LOAD_BALANCER, endpoint as e, slice } from './objects.mjs';

const TOPOLOGY = 'kubernetes/kubernetes pkg/proxy/topology.go';
const ZONES = ['KEP-2433 Topology Aware Routing', TOPOLOGY];
const SAME = ['KEP-3015 PreferSameZone and PreferSameNode', TOPOLOGY];
const each = () => [e(1, 'a1', { zones: ['a'] }), e(2, 'b1', { zones: ['b'] }), e(3, 'c1', { zones: ['c'] })];

/** @type {import('./index.mjs').Group} */
export const ZONE_HINTS = {
  group: 'zone-hints',
  title: 'Hints by zone, on every endpoint',
  source: ZONES,
  drafts: [
    { id: 'zone-a', title: 'Every zone has an endpoint: a client in a uses that of a', endpoints: each(), uses: [1] },
    { id: 'zone-b', title: 'Every zone has an endpoint: a client in b uses that of b', endpoints: each(), from: 'b2', uses: [2] },
    { id: 'zone-c', title: 'Every zone has an endpoint: a client in c uses that of c', endpoints: each(), from: 'c1', uses: [3] },
    { id: 'no-endpoint-hinted-here', title: 'No endpoint is hinted to d: a client there uses all', endpoints: each(), from: 'd1', uses: [1, 2, 3] },
    { id: 'client-without-zone', title: 'The node of the client has no zone: it uses all', endpoints: each(), from: '-1', uses: [1, 2, 3] },
    {
      id: 'hint-is-not-place',
      title: 'The hint counts, not the zone of the endpoint',
      endpoints: [e(1, 'a1', { zones: ['b'] }), e(2, 'b1', { zones: ['a'] })],
      uses: [2],
    },
    {
      id: 'several-zones',
      title: 'An endpoint with hints for two zones serves both: seen from the second',
      endpoints: [e(1, 'a1', { zones: ['a', 'b'] }), e(2, 'c1', { zones: ['c'] })],
      from: 'b1',
      uses: [1],
    },
    {
      id: 'two-here',
      title: 'All endpoints hinted to the zone are used',
      endpoints: [e(1, 'a1', { zones: ['a'] }), e(2, 'a2', { zones: ['a'] }), e(3, 'b1', { zones: ['b'] })],
      uses: [1, 2],
    },
    {
      id: 'same-hint-twice',
      title: 'A hint that is given twice counts once',
      endpoints: [e(1, 'a1', { zones: ['a', 'a'] }), e(2, 'b1', { zones: ['b'] })],
      uses: [1],
    },
    {
      id: 'endpoint-without-zone',
      title: 'An endpoint of no zone and no node has a hint: it is followed',
      endpoints: [e(1, null, { zones: ['a'] }), e(2, 'b1', { zones: ['b'] })],
      uses: [1],
    },
    {
      id: 'without-asking',
      title: 'Hints are followed although the Service asks for no topology-aware routing',
      service: { trafficDistribution: undefined },
      endpoints: each(),
      from: 'b1',
      uses: [2],
    },
    {
      id: 'prefer-close',
      title: 'trafficDistribution PreferClose: hints are followed',
      service: { trafficDistribution: 'PreferClose' },
      endpoints: each(),
      uses: [1],
      source: ['KEP-4444 Traffic Distribution', TOPOLOGY],
    },
    {
      id: 'prefer-same-zone',
      title: 'trafficDistribution PreferSameZone: hints are followed',
      service: { trafficDistribution: 'PreferSameZone' },
      endpoints: each(),
      uses: [1],
      source: SAME,
    },
    {
      id: 'prefer-same-zone-crossed',
      title: 'trafficDistribution PreferSameZone: hints to other zones than those of the endpoints are followed',
      service: { trafficDistribution: 'PreferSameZone' },
      endpoints: [e(1, 'a1', { zones: ['b'] }), e(2, 'b1', { zones: ['a'] })],
      uses: [2],
      source: SAME,
    },
    {
      id: 'topology-mode-auto',
      title: 'The annotation topology-mode Auto: hints are followed',
      service: { annotations: { 'service.kubernetes.io/topology-mode': 'Auto' } },
      endpoints: each(),
      uses: [1],
    },
    {
      id: 'topology-mode-disabled',
      title: 'The annotation topology-mode Disabled: hints are followed, since only the controller reads the annotation',
      service: { annotations: { 'service.kubernetes.io/topology-mode': 'Disabled' } },
      endpoints: each(),
      uses: [1],
    },
    {
      id: 'topology-mode-other',
      title: 'Another value of the annotation topology-mode: hints are followed',
      service: { annotations: { 'service.kubernetes.io/topology-mode': 'PreferZone' } },
      endpoints: each(),
      uses: [1],
    },
    {
      id: 'endpoint-without-zone-asked',
      title: 'An endpoint of no zone and no node has a hint, and the Service asks for the same zone: the hint is followed',
      service: { trafficDistribution: 'PreferSameZone' },
      endpoints: [e(1, null, { zones: ['a'] }), e(2, 'b1', { zones: ['b'] })],
      uses: [1],
    },
    {
      id: 'prefer-close-and-disabled',
      title: 'trafficDistribution PreferClose and topology-mode Disabled: hints are followed',
      service: { trafficDistribution: 'PreferClose', annotations: { 'service.kubernetes.io/topology-mode': 'Disabled' } },
      endpoints: each(),
      uses: [1],
    },
    {
      id: 'from-outside',
      title: 'Traffic from outside, under the policy Cluster, follows the hints for the node it arrives at',
      service: LOAD_BALANCER,
      traffic: 'external',
      endpoints: each(),
      from: 'b2',
      uses: [2],
    },
    {
      id: 'over-slices',
      title: 'Hints count over all slices of the Service',
      slices: [slice('cart-1', [e(1, 'a1', { zones: ['a'] })]), slice('cart-2', [e(2, 'b1', { zones: ['b'] }), e(3, 'a2', { zones: ['a'] })])],
      uses: [1, 3],
    },
  ],
};

const onNodes = () => [
  e(1, 'a1', { nodes: ['a1'], zones: ['a'] }), e(2, 'a2', { nodes: ['a2'], zones: ['a'] }), e(3, 'b1', { nodes: ['b1'], zones: ['b'] }),
];
const asksForNode = { trafficDistribution: 'PreferSameNode' };

/** @type {import('./index.mjs').Group} */
export const NODE_HINTS = {
  group: 'node-hints',
  title: 'Hints by node',
  source: SAME,
  drafts: [
    { id: 'own-node', title: 'An endpoint is hinted to the client’s node: only that is used', service: asksForNode, endpoints: onNodes(), uses: [1] },
    { id: 'own-node-2', title: 'A node of the same zone uses its own endpoint', service: asksForNode, endpoints: onNodes(), from: 'a2', uses: [2] },
    {
      id: 'then-zone',
      title: 'None is hinted to the node: hints for the zone decide',
      service: asksForNode,
      endpoints: onNodes(),
      from: 'b2',
      uses: [3],
    },
    { id: 'then-all', title: 'None is hinted to the node or its zone: all', service: asksForNode, endpoints: onNodes(), from: 'c1', uses: [1, 2, 3] },
    {
      id: 'then-all-without-zone',
      title: 'None is hinted to the node, which has no zone: all',
      service: asksForNode,
      endpoints: onNodes(),
      from: '-1',
      uses: [1, 2, 3],
    },
    {
      id: 'one-without-node-hint',
      title: 'An endpoint has no hint for a node, so none of these counts: hints for zones decide',
      service: asksForNode,
      endpoints: [...onNodes(), e(4, 'b2', { zones: ['b'] })],
      uses: [1, 2],
    },
    {
      id: 'only-node-hints',
      title: 'Hints for nodes alone, and none for the client’s node: all',
      service: asksForNode,
      endpoints: [e(1, 'a1', { nodes: ['a1'] }), e(2, 'b1', { nodes: ['b1'] })],
      from: 'a2',
      uses: [1, 2],
    },
    {
      id: 'only-node-hints-here',
      title: 'Hints for nodes alone, and one for the client’s node: only that is used',
      service: asksForNode,
      endpoints: [e(1, 'a1', { nodes: ['a1'] }), e(2, 'b1', { nodes: ['b1'] })],
      from: 'b1',
      uses: [2],
    },
    {
      id: 'hint-is-not-place',
      title: 'The hint counts, not the node of the endpoint',
      service: asksForNode,
      endpoints: [e(1, 'a1', { nodes: ['b1'], zones: ['b'] }), e(2, 'b1', { nodes: ['a1'], zones: ['a'] })],
      uses: [2],
    },
    {
      id: 'several-nodes',
      title: 'An endpoint with hints for two nodes serves both: seen from the second',
      service: asksForNode,
      endpoints: [e(1, 'a1', { nodes: ['a1', 'b1'], zones: ['a'] }), e(2, 'a2', { nodes: ['a2'], zones: ['a'] })],
      from: 'b1',
      uses: [1],
    },
    { id: 'without-asking', title: 'Hints for nodes are followed although the Service does not ask for it', endpoints: onNodes(), uses: [1] },
    {
      id: 'two-on-node',
      title: 'All endpoints hinted to the node are used',
      service: asksForNode,
      endpoints: [...onNodes(), e(4, 'a1', { nodes: ['a1'], zones: ['a'] })],
      uses: [1, 4],
    },
    {
      id: 'own-node-not-ready',
      title: 'The endpoint hinted to the node is not ready: hints for the zone decide',
      service: asksForNode,
      endpoints: [e(1, 'a1', { state: 'notReady', nodes: ['a1'], zones: ['a'] }), ...onNodes().slice(1)],
      uses: [2],
    },
    {
      id: 'own-node-drains',
      title: 'The endpoint hinted to the node terminates and still serves: a ready one of the zone is used instead',
      service: asksForNode,
      endpoints: [e(1, 'a1', { state: 'draining', nodes: ['a1'], zones: ['a'] }), ...onNodes().slice(1)],
      uses: [2],
    },
    {
      id: 'without-hints',
      title: 'trafficDistribution PreferSameNode, and no hints yet: all',
      service: asksForNode,
      endpoints: [e(1, 'a1'), e(2, 'a2'), e(3, 'b1')],
      uses: [1, 2, 3],
    },
  ],
};

const one = (/** @type {any} */ fields) => [e(1, 'a1', { zones: ['a'] }), e(2, 'b1', fields), e(3, 'c1', { zones: ['c'] })];

/** @type {import('./index.mjs').Group} */
export const PARTIAL_HINTS = {
  group: 'partial-hints',
  title: 'Missing and partial hints',
  source: ZONES,
  drafts: [
    { id: 'none', title: 'No endpoint has a hint: all', endpoints: [e(1, 'a1'), e(2, 'b1'), e(3, 'c1')], uses: [1, 2, 3] },
    { id: 'one-missing', title: 'One ready endpoint has no hint, so no hint counts', endpoints: one({}), uses: [1, 2, 3] },
    {
      id: 'one-missing-elsewhere',
      title: 'One ready endpoint has no hint, so no hint counts in its own zone either',
      endpoints: one({}),
      from: 'b1',
      uses: [1, 2, 3],
    },
    { id: 'empty-hints', title: 'An endpoint has empty hints: as without', endpoints: one({ hints: {} }), uses: [1, 2, 3] },
    { id: 'empty-list', title: 'An endpoint has an empty list of zones: as without', endpoints: one({ hints: { forZones: [] } }), uses: [1, 2, 3] },
    {
      id: 'missing-and-not-ready',
      title: 'The endpoint without a hint is not ready: the hints of the others count',
      endpoints: one({ state: 'notReady' }),
      uses: [1],
    },
    {
      id: 'missing-and-draining',
      title: 'The endpoint without a hint terminates and still serves: the hints of the others count',
      endpoints: one({ state: 'draining' }),
      uses: [1],
    },
    {
      id: 'missing-and-draining-asked',
      title: 'The endpoint without a hint terminates and still serves, and the Service asks for the same zone: the hints of the others count',
      service: { trafficDistribution: 'PreferSameZone' },
      endpoints: one({ state: 'draining' }),
      uses: [1],
    },
    {
      id: 'hinted-here-not-ready',
      title: 'The only endpoint hinted to the zone is not ready: all that are ready',
      endpoints: [e(1, 'a1', { state: 'notReady', zones: ['a'] }), e(2, 'b1', { zones: ['b'] }), e(3, 'c1', { zones: ['c'] })],
      uses: [2, 3],
    },
    {
      id: 'hinted-here-draining',
      title: 'The only endpoint hinted to the zone terminates and still serves: all that are ready',
      endpoints: [e(1, 'a1', { state: 'draining', zones: ['a'] }), e(2, 'b1', { zones: ['b'] }), e(3, 'c1', { zones: ['c'] })],
      uses: [2, 3],
    },
    {
      id: 'missing-in-another-slice',
      title: 'The endpoint without a hint is in another slice: no hint counts',
      slices: [slice('cart-1', [e(1, 'a1', { zones: ['a'] }), e(2, 'b1', { zones: ['b'] })]), slice('cart-2', [e(3, 'c1')])],
      uses: [1, 2, 3],
    },
    {
      id: 'missing-in-the-slice-of-another-manager',
      title: 'The endpoint without a hint is in the slice of another manager: no hint counts',
      slices: [
        slice('cart-1', [e(1, 'a1', { zones: ['a'] }), e(2, 'b1', { zones: ['b'] })], { manager: CONTROLLER }),
        slice('cart-mesh', [e(3, 'c1')], { manager: 'mesh.example.com' }),
      ],
      uses: [1, 2, 3],
    },
    {
      id: 'missing-for-another-port',
      title: 'The endpoint without a hint has another port: the hints of this port count',
      slices: [
        slice('cart-1', [e(1, 'a1', { zones: ['a'] }), e(2, 'b1', { zones: ['b'] })]),
        slice('cart-2', [e(3, 'c1')], { ports: [{ name: 'metrics', protocol: 'TCP', port: 9090 }] }),
      ],
      service: {
        ports: [
          { name: 'http', protocol: 'TCP', port: 80, targetPort: 8080 },
          { name: 'metrics', protocol: 'TCP', port: 9090, targetPort: 9090 },
        ],
      },
      uses: [1],
    },
    {
      id: 'asked-and-missing',
      title: 'The Service asks for the same zone, and one endpoint has no hint: all',
      service: { trafficDistribution: 'PreferSameZone' },
      endpoints: one({}),
      uses: [1, 2, 3],
    },
    {
      id: 'asked-and-none',
      title: 'The Service asks for the same zone, and no endpoint has a hint: all',
      service: { trafficDistribution: 'PreferSameZone' },
      endpoints: [e(1, 'a1'), e(2, 'b1')],
      uses: [1, 2],
    },
  ],
};
