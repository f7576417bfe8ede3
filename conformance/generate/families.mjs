/** Groups about families, types of addresses, and ports. */
import { HTTP, dualStack, endpoint as e, slice } from './objects.mjs';

const CACHE = 'kubernetes/kubernetes pkg/proxy/endpointslicecache.go';
const six = (/** @type {number} */ number, /** @type {string} */ on, options = {}) => e(number, on, { addresses: [`fd00::${number}`], ...options });
const of6 = (/** @type {any[]} */ endpoints) => slice('cart-6', endpoints, { addressType: 'IPv6' });
const of4 = (/** @type {any[]} */ endpoints) => slice('cart-4', endpoints);
const pair = () => [of4([e(1, 'a1'), e(2, 'b1')]), of6([six(1, 'a1'), six(2, 'b1')])];
const ONLY_6 = { ipFamilies: ['IPv6'], clusterIP: 'fd00:96::1', clusterIPs: ['fd00:96::1'] };

/** @type {import('./index.mjs').Group} */
export const DUAL_STACK = {
  group: 'dual-stack',
  title: 'Dual stack',
  source: ['KEP-563 Dual-stack', 'kubernetes/kubernetes pkg/proxy/servicechangetracker.go', CACHE],
  drafts: [
    { id: 'ipv4', title: 'Both families, and a client of IPv4', service: dualStack(), slices: pair(), uses: [1, 2] },
    {
      id: 'ipv6',
      title: 'Both families, and a client of IPv6',
      service: dualStack(),
      slices: pair(),
      family: 'IPv6',
      uses: ['[fd00::1]:8080', '[fd00::2]:8080'],
    },
    {
      id: 'ipv6-first',
      title: 'Both families, IPv6 first, and a client of IPv6',
      service: dualStack('IPv6'),
      slices: pair(),
      family: 'IPv6',
      uses: ['[fd00::1]:8080', '[fd00::2]:8080'],
    },
    { id: 'ipv4-second', title: 'Both families, IPv6 first, and a client of IPv4', service: dualStack('IPv6'), slices: pair(), uses: [1, 2] },
    {
      id: 'only-ipv6',
      title: 'A Service of IPv6 only, and a client of it',
      service: ONLY_6,
      slices: [of6([six(1, 'a1')])],
      family: 'IPv6',
      uses: ['[fd00::1]:8080'],
    },
    { id: 'only-ipv6-asked-ipv4', title: 'A Service of IPv6 only, and a client of IPv4', service: ONLY_6, slices: [of6([six(1, 'a1')])], uses: null },
    { id: 'only-ipv4-asked-ipv6', title: 'A Service of IPv4 only, and a client of IPv6', slices: [of4([e(1, 'a1')])], family: 'IPv6', uses: null },
    { id: 'slice-of-the-other', title: 'A Service of IPv4 only has a slice of IPv6, too: it is not read', slices: pair(), uses: [1, 2] },
    {
      id: 'only-slices-of-the-other',
      title: 'Both families, and all slices are of IPv6: a client of IPv4 finds none',
      service: dualStack(),
      slices: [of6([six(1, 'a1')])],
      uses: [],
    },
    {
      id: 'ready-in-one-family',
      title: 'Ready in IPv4, not in IPv6: a client of IPv6 finds none',
      service: dualStack(),
      slices: [of4([e(1, 'a1')]), of6([six(1, 'a1', { state: 'notReady' })])],
      family: 'IPv6',
      uses: [],
    },
    {
      id: 'hints-by-family',
      title: 'IPv4 has hints and IPv6 has none: those of IPv6 are all used',
      service: dualStack(),
      slices: [of4([e(1, 'a1', { zones: ['a'] }), e(2, 'b1', { zones: ['b'] })]), of6([six(1, 'a1'), six(2, 'b1')])],
      family: 'IPv6',
      uses: ['[fd00::1]:8080', '[fd00::2]:8080'],
    },
    {
      id: 'hints-of-ipv4',
      title: 'IPv4 has hints and IPv6 has none: a client of IPv4 follows them',
      service: dualStack(),
      slices: [of4([e(1, 'a1', { zones: ['a'] }), e(2, 'b1', { zones: ['b'] })]), of6([six(1, 'a1'), six(2, 'b1')])],
      uses: [1],
    },
    {
      id: 'local-ipv6',
      title: 'internalTrafficPolicy Local, and a client of IPv6',
      service: { ...dualStack(), internalTrafficPolicy: 'Local' },
      slices: pair(),
      family: 'IPv6',
      uses: ['[fd00::1]:8080'],
    },
    {
      id: 'prefer-dual-stack',
      title: 'PreferDualStack in a cluster of IPv4 only',
      service: { ipFamilyPolicy: 'PreferDualStack' },
      slices: [of4([e(1, 'a1')])],
      uses: [1],
    },
  ],
};

const named = () => e(1, 'a1', { addresses: ['cart.example.com'] });
const fqdn = () => slice('cart-names', [named()], { addressType: 'FQDN', manager: 'someone.example.com' });

/** @type {import('./index.mjs').Group} */
export const FQDN = {
  group: 'address-types',
  title: 'FQDN, and several addresses of an endpoint',
  source: ['KEP-752 EndpointSlices', CACHE],
  drafts: [
    { id: 'fqdn', title: 'The only slice has names: none', slices: [fqdn()], uses: [] },
    {
      id: 'fqdn-beside-addresses',
      title: 'A slice of names beside one of addresses: only that of addresses is read',
      slices: [fqdn(), of4([e(1, 'a1')])],
      uses: [1],
    },
    {
      id: 'fqdn-asked-ipv6',
      title: 'A slice of names, and a client of IPv6',
      service: dualStack(),
      slices: [fqdn(), ...pair()],
      family: 'IPv6',
      uses: ['[fd00::1]:8080', '[fd00::2]:8080'],
    },
    {
      id: 'fqdn-local',
      title: 'A slice of names, and internalTrafficPolicy Local',
      service: { internalTrafficPolicy: 'Local' },
      slices: [fqdn()],
      uses: [],
    },
    {
      id: 'fqdn-with-hint',
      title: 'A name has no hint: the hints of addresses count',
      slices: [fqdn(), of4([e(1, 'a1', { zones: ['a'] }), e(2, 'b1', { zones: ['b'] })])],
      uses: [1],
    },
    {
      id: 'fqdn-with-an-address',
      title: 'A slice of type FQDN with an address in it: none',
      slices: [slice('cart-names', [e(1, 'a1')], { addressType: 'FQDN' })],
      uses: [],
    },
    {
      id: 'second-address',
      title: 'An endpoint with two addresses: the first',
      endpoints: [e(1, 'a1', { addresses: ['10.0.0.1', '10.0.0.9'] })],
      uses: [1],
    },
    {
      id: 'second-address-elsewhere',
      title: 'The second address of one endpoint is the first of another, which is not ready',
      endpoints: [e(1, 'a1', { addresses: ['10.0.0.1', '10.0.0.2'] }), e(2, 'b1', { state: 'notReady' })],
      uses: [1],
    },
    {
      id: 'other-type',
      title: 'A slice of an unknown address type: none',
      slices: [slice('cart-mac', [e(1, 'a1')], { addressType: 'MAC' })],
      uses: [],
    },
  ],
};

const METRICS = { name: 'metrics', protocol: 'TCP', port: 9090 };
const twoPorts = {
  ports: [
    { name: 'http', protocol: 'TCP', port: 80, targetPort: 8080 },
    { name: 'metrics', protocol: 'TCP', port: 9090, targetPort: 9090 },
  ],
};
const unnamed = { ports: [{ protocol: 'TCP', port: 80, targetPort: 8080 }] };
const dns = {
  ports: [
    { name: 'dns', protocol: 'UDP', port: 53, targetPort: 53 },
    { name: 'dns-tcp', protocol: 'TCP', port: 53, targetPort: 53 },
  ],
};
const dnsPorts = [{ name: 'dns', protocol: 'UDP', port: 53 }, { name: 'dns-tcp', protocol: 'TCP', port: 53 }];
const with1 = (/** @type {any[]} */ ports) => [slice('cart-1', [e(1, 'a1')], { ports })];

/** @type {import('./index.mjs').Group} */
export const PORTS = {
  group: 'ports',
  title: 'Names, protocols and numbers of ports',
  source: ['KEP-752 EndpointSlices', CACHE],
  drafts: [
    {
      id: 'number-of-the-slice',
      title: 'The number is that of the slice, not the targetPort',
      slices: with1([{ ...HTTP, port: 8443 }]),
      uses: ['10.0.0.1:8443'],
    },
    { id: 'other-name', title: 'The slice has the number under another name: none', slices: with1([{ ...HTTP, name: 'web' }]), uses: [] },
    { id: 'other-protocol', title: 'The slice has the name with another protocol: none', slices: with1([{ ...HTTP, protocol: 'UDP' }]), uses: [] },
    {
      id: 'second-port',
      title: 'The second of two ports',
      service: twoPorts,
      slices: with1([HTTP, METRICS]),
      port: { name: 'metrics', protocol: 'TCP' },
      uses: ['10.0.0.1:9090'],
    },
    { id: 'first-of-two', title: 'The first of two ports', service: twoPorts, slices: with1([HTTP, METRICS]), uses: [1] },
    {
      id: 'port-in-one-slice',
      title: 'Two slices with different ports: only those with the port',
      service: twoPorts,
      slices: [slice('cart-1', [e(1, 'a1')]), slice('cart-2', [e(2, 'b1')], { ports: [METRICS] })],
      uses: [1],
    },
    {
      id: 'one-name-two-numbers',
      title: 'A named targetPort, which is another number in some pods: each with its own',
      slices: [slice('cart-1', [e(1, 'a1')]), slice('cart-2', [e(2, 'b1')], { ports: [{ ...HTTP, port: 8081 }] })],
      uses: [1, '10.0.0.2:8081'],
    },
    {
      id: 'no-name',
      title: 'A port without a name, as an empty one in the slice',
      service: unnamed,
      slices: with1([{ ...HTTP, name: '' }]),
      port: { name: '', protocol: 'TCP' },
      uses: [1],
    },
    {
      id: 'name-missing',
      title: 'A port without a name, and a slice that lacks the field, for which API servers write an empty name: none',
      service: unnamed,
      slices: with1([{ protocol: 'TCP', port: 8080 }]),
      port: { name: '', protocol: 'TCP' },
      uses: [],
    },
    {
      id: 'no-name-but-one',
      title: 'A port without a name, and one with a name in the slice: none',
      service: unnamed,
      slices: with1([HTTP]),
      port: { name: '', protocol: 'TCP' },
      uses: [],
    },
    {
      id: 'udp',
      title: 'UDP and TCP with the same number: UDP',
      service: dns,
      slices: with1(dnsPorts),
      port: { name: 'dns', protocol: 'UDP' },
      uses: ['10.0.0.1:53'],
    },
    {
      id: 'tcp-beside-udp',
      title: 'UDP and TCP with the same number: TCP',
      service: dns,
      slices: with1(dnsPorts),
      port: { name: 'dns-tcp', protocol: 'TCP' },
      uses: ['10.0.0.1:53'],
    },
    {
      id: 'sctp',
      title: 'SCTP',
      service: { ports: [{ name: 'http', protocol: 'SCTP', port: 80, targetPort: 8080 }] },
      slices: with1([{ ...HTTP, protocol: 'SCTP' }]),
      port: { name: 'http', protocol: 'SCTP' },
      uses: [1],
    },
    { id: 'number-missing', title: 'The slice has the name without a number: none', slices: with1([{ name: 'http', protocol: 'TCP' }]), uses: [] },
    { id: 'no-ports', title: 'The slice has no ports: none', slices: with1([]), uses: [] },
    { id: 'app-protocol', title: 'appProtocol changes nothing', slices: with1([{ ...HTTP, appProtocol: 'kubernetes.io/h2c' }]), uses: [1] },
  ],
};
