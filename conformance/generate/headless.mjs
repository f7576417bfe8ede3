/** Groups about Services that proxies do not serve, and about published addresses. */
import { LOAD_BALANCER, endpoint as e, slice } from './objects.mjs';

const WATCHED = 'kubernetes/kubernetes cmd/kube-proxy/app/server.go';
const NONE = { clusterIP: 'None', clusterIPs: ['None'] };
const MARKED = { 'service.kubernetes.io/headless': '' };
const ALIAS = {
  type: 'ExternalName',
  externalName: 'cart.example.com',
  clusterIP: '',
  clusterIPs: undefined,
  ipFamilies: undefined,
  ipFamilyPolicy: undefined,
};
const marked = (/** @type {any[]} */ endpoints) => slice('cart-1', endpoints, { labels: MARKED });

/** @type {import('./index.mjs').Group} */
export const HEADLESS = {
  group: 'headless',
  title: 'Headless Services, ExternalName, and the labels that proxies watch by',
  source: ['KEP-2447 Service proxy name', WATCHED],
  drafts: [
    { id: 'headless', title: 'A headless Service: proxies do not serve it', service: NONE, slices: [marked([e(1, 'a1'), e(2, 'b1')])], uses: null },
    {
      id: 'headless-with-hints',
      title: 'A headless Service with hints',
      service: NONE,
      slices: [marked([e(1, 'a1', { zones: ['a'] }), e(2, 'b1', { zones: ['b'] })])],
      uses: null,
    },
    {
      id: 'headless-not-ready',
      title: 'A headless Service with one that is not ready',
      service: NONE,
      slices: [marked([e(1, 'a1'), e(2, 'b1', { state: 'notReady' })])],
      uses: null,
    },
    {
      id: 'headless-draining',
      title: 'A headless Service of which all terminate and still serve',
      service: NONE,
      slices: [marked([e(1, 'a1', { state: 'draining' })])],
      uses: null,
    },
    {
      id: 'headless-local',
      title: 'A headless Service with internalTrafficPolicy Local',
      service: { ...NONE, internalTrafficPolicy: 'Local' },
      slices: [marked([e(1, 'a1'), e(2, 'b1')])],
      uses: null,
    },
    {
      id: 'headless-without-selector',
      title: 'A headless Service without a selector',
      service: { ...NONE, selector: undefined },
      slices: [marked([e(1, null)])],
      uses: null,
    },
    { id: 'headless-unmarked', title: 'A headless Service whose slices lack the label for it', service: NONE, endpoints: [e(1, 'a1')], uses: null },
    {
      id: 'marked-but-not-headless',
      title: 'A Service with an address, whose only slice has the label of headless ones: it is not read',
      slices: [marked([e(1, 'a1')])],
      uses: [],
    },
    {
      id: 'one-marked',
      title: 'A Service with an address, and one of two slices has the label of headless ones: only the other is read',
      slices: [marked([e(1, 'a1')]), slice('cart-2', [e(2, 'b1')])],
      uses: [2],
    },
    {
      id: 'external-name',
      title: 'An ExternalName Service with a slice',
      service: ALIAS,
      endpoints: [e(1, 'a1')],
      uses: null,
    },
    {
      id: 'other-proxy',
      title: 'A Service with the label of another proxy',
      service: { labels: { 'service.kubernetes.io/service-proxy-name': 'other' } },
      endpoints: [e(1, 'a1')],
      uses: null,
    },
    {
      id: 'other-port',
      title: 'A port that the Service does not have',
      endpoints: [e(1, 'a1')],
      port: { name: 'grpc', protocol: 'TCP' },
      uses: null,
    },
  ],
};

const UNREADY = { publishNotReadyAddresses: true };
/** As the controller writes it under publishNotReadyAddresses. */
const published = { ready: true, serving: false, terminating: false };
const publishedDraining = { ready: true, serving: true, terminating: true };
const publishedDying = { ready: true, serving: false, terminating: true };

/** @type {import('./index.mjs').Group} */
export const PUBLISHED = {
  group: 'publish-not-ready',
  title: 'publishNotReadyAddresses',
  source: ['KEP-1672 Tracking Terminating Endpoints, publishNotReadyAddresses', 'kubernetes/kubernetes pkg/proxy/endpointslicecache.go'],
  drafts: [
    {
      id: 'published',
      title: 'It does not serve, and is published as ready: used',
      service: UNREADY,
      endpoints: [e(1, 'a1', { conditions: published })],
      uses: [1],
    },
    {
      id: 'published-beside-ready',
      title: 'One is published as ready, one is ready itself: both',
      service: UNREADY,
      endpoints: [e(1, 'a1', { conditions: published }), e(2, 'b1')],
      uses: [1, 2],
    },
    {
      id: 'published-draining',
      title: 'One terminates and is published as ready: used beside one that is ready',
      service: UNREADY,
      endpoints: [e(1, 'a1', { conditions: publishedDraining }), e(2, 'b1')],
      uses: [1, 2],
    },
    {
      id: 'published-dying',
      title: 'It terminates and no longer serves, and is published as ready: used',
      service: UNREADY,
      endpoints: [e(1, 'a1', { conditions: publishedDying })],
      uses: [1],
    },
    {
      id: 'written-not-ready',
      title: 'The slice says not ready, as one written by hand may: the field of the Service does not count',
      service: UNREADY,
      endpoints: [e(1, 'a1', { state: 'notReady' }), e(2, 'b1')],
      uses: [2],
    },
    {
      id: 'written-not-ready-alone',
      title: 'The slice says not ready of its only endpoint: the field of the Service does not count',
      service: UNREADY,
      endpoints: [e(1, 'a1', { state: 'notReady' })],
      uses: [],
    },
    {
      id: 'written-draining',
      title: 'The slice says terminating and serving, and none is ready: used, as without the field',
      service: UNREADY,
      endpoints: [e(1, 'a1', { state: 'draining' })],
      uses: [1],
    },
    {
      id: 'hints',
      title: 'Hints of published endpoints count',
      service: UNREADY,
      endpoints: [e(1, 'a1', { conditions: published, zones: ['a'] }), e(2, 'b1', { zones: ['b'] })],
      uses: [1],
    },
    {
      id: 'hint-missing',
      title: 'A published endpoint without a hint: no hint counts',
      service: UNREADY,
      endpoints: [e(1, 'a1', { zones: ['a'] }), e(2, 'b1', { conditions: published })],
      uses: [1, 2],
    },
    {
      id: 'local',
      title: 'internalTrafficPolicy Local, and a published endpoint on the node',
      service: { ...UNREADY, internalTrafficPolicy: 'Local' },
      endpoints: [e(1, 'a1', { conditions: published }), e(2, 'b1')],
      uses: [1],
    },
    {
      id: 'from-outside',
      title: 'From outside, a published endpoint',
      service: { ...LOAD_BALANCER, ...UNREADY },
      traffic: 'external',
      endpoints: [e(1, 'a1', { conditions: published })],
      uses: [1],
    },
    {
      id: 'not-published',
      title: 'Ready and not serving, without the field: ready counts',
      endpoints: [e(1, 'a1', { conditions: published })],
      uses: [1],
    },
  ],
};
