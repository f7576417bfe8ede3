/**
 * Writes `reviews.json` beside this file: `node www/samples/generate-reviews.mjs`. It has one review for each admission
 * policy, each of a change to the cluster of `samples/cluster-at-rest.json`. Repeated runs give the same bytes.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { reviewOf } from '../../webhook/review.js';

const cluster = JSON.parse(readFileSync(new URL('../../samples/cluster-at-rest.json', import.meta.url), 'utf8'));

/** @param {string} kind @param {string} name @returns {any} a copy */
function find(kind, name) {
  const found = cluster.items.find((/** @type {any} */ item) => item.kind === kind && item.metadata.name.startsWith(name));
  return structuredClone(found);
}

/** @param {any} object @param {(copy: any) => void} change */
function changed(object, change) {
  const copy = structuredClone(object);
  change(copy);
  return reviewOf('UPDATE', copy, object, 'jane');
}

const [cart, slice, node] = [find('Service', 'cart'), find('EndpointSlice', 'cart-'), find('Node', 'gke-prod-pool-00')];
const [pod] = cluster.items.filter((/** @type {any} */ { kind, metadata }) => kind === 'Pod' && metadata.labels.app === 'cart');
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'cart', namespace: 'shop' },
  spec: {
    replicas: 12,
    selector: { matchLabels: cart.spec.selector },
    template: { metadata: { labels: cart.spec.selector }, spec: { containers: pod.spec.containers } },
  },
};
const ZONE = 'topology.kubernetes.io/zone';

/** A hand-written slice for Service shop/cart. @param {object} change */
function byHand(change) {
  const metadata = { name: 'cart-by-hand', namespace: 'shop', labels: { 'kubernetes.io/service-name': 'cart' } };
  const object = {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata,
    addressType: 'IPv4',
    endpoints: [{ addresses: ['203.0.113.7'] }],
    ports: slice.ports,
    ...change,
  };
  return reviewOf('CREATE', object, null, 'jane');
}

/** @type {{policy: string, title: string, review: object, config?: object}[]} */
export const reviews = [
  { policy: 'slice-ownership', title: 'Jane empties a slice that the controller manages', review: changed(slice, (copy) => (copy.endpoints = [])) },
  {
    policy: 'slice-addresses',
    title: 'A slice by hand sends traffic to the metadata server',
    review: byHand({ endpoints: [{ addresses: ['169.254.169.254'] }] }),
  },
  {
    policy: 'slice-shape',
    title: 'A slice by hand mixes families and repeats an address',
    review: byHand({ endpoints: [{ addresses: ['203.0.113.7'] }, { addresses: ['203.0.113.7'] }, { addresses: ['fd00::7'] }] }),
    config: { policies: { 'slice-addresses': { allowedCIDRs: ['203.0.113.0/24', 'fd00::/8'] } } },
  },
  {
    policy: 'slice-hints',
    title: 'A slice by hand hints to a zone without nodes',
    review: byHand({ endpoints: [{ addresses: ['203.0.113.7'], hints: { forZones: [{ name: 'europe-west4-x' }] } }] }),
    config: { policies: { 'slice-addresses': { allowedCIDRs: ['203.0.113.0/24'] } } },
  },
  { policy: 'service-blast-radius', title: 'A slip in a selector: app=crat', review: changed(cart, ({ spec }) => (spec.selector.app = 'crat')) },
  {
    policy: 'service-traffic',
    title: 'A Service takes over an external address',
    review: changed(cart, ({ spec }) => (spec.externalIPs = ['203.0.113.7'])),
  },
  { policy: 'node-topology', title: 'A node loses its zone label', review: changed(node, ({ metadata }) => delete metadata.labels[ZONE]) },
  {
    policy: 'workload-traffic',
    title: 'A Deployment names its port differently',
    review: changed(deployment, ({ spec }) => (spec.template.spec.containers[0].ports[0].name = 'web')),
  },
  {
    policy: 'endpoints-legacy',
    title: 'Endpoints by hand point at the host itself',
    review: reviewOf(
      'CREATE',
      {
        apiVersion: 'v1',
        kind: 'Endpoints',
        metadata: { name: 'cart', namespace: 'shop' },
        subsets: [{ addresses: [{ ip: '127.0.0.1' }], ports: [{ port: 80 }] }],
      },
      null,
      'jane',
    ),
  },
  {
    policy: 'expression',
    title: 'A rule of one’s own: no NodePort',
    review: changed(cart, ({ spec }) => (spec.type = 'NodePort')),
    config: {
      policies: {
        expression: {
          validations: [
            {
              name: 'no-node-ports',
              expression: "object.spec.?type.orValue('ClusterIP') != 'NodePort'",
              messageExpression: "'Service ' + object.metadata.name + ' opens a port on every node; use a Gateway'",
              field: 'spec.type',
              on: { kinds: ['Service'] },
            },
          ],
        },
      },
    },
  },
];

export const reviewsFile = `${JSON.stringify(reviews, null, 1)}\n`;

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(new URL('reviews.json', import.meta.url), reviewsFile);
