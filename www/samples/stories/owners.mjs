/** Which pods belong to a Service, and who owns which slices. */
import { endpoint, fleet, pods, service, slice, spread } from '../objects.mjs';

/** A list as kubectl prints it: one Service whose selector no longer matches, one that is healthy. */
export function selectorTypo() {
  const nodes = fleet();
  const orders = pods('orders', spread(8));
  const stock = pods('stock', spread(3), { first: 40 });
  return {
    apiVersion: 'v1',
    kind: 'List',
    items: [
      service('orders', { selector: { app: 'order' } }),
      service('stock'),
      ...orders,
      ...stock,
      ...nodes,
      slice('orders', 'x9r3n', orders.map((each) => endpoint(each, nodes))),
      slice('stock', 'g6v1w', stock.map((each) => endpoint(each, nodes))),
    ],
  };
}

/** Another controller manages a slice of the same Service. */
export function otherManager() {
  const nodes = fleet();
  const own = pods('media', spread(4));
  const remote = pods('media', spread(3), { first: 101, version: 'west' }).map((each) => ({
    addresses: [each.status.podIP],
    conditions: { ready: true },
    zone: 'us-west1-a',
  }));
  return {
    service: service('media'),
    pods: own,
    nodes,
    slices: [
      slice('media', 'j7y5d', own.slice(0, 3).map((each) => endpoint(each, nodes))),
      slice('media', 'mesh-west', remote, { managedBy: 'mesh.example.com' }),
    ],
  };
}

/** The pods are in another namespace. */
export function otherNamespace() {
  const nodes = fleet();
  return { service: service('cache'), pods: pods('cache', spread(3), { namespace: 'shared' }), nodes, slices: [] };
}

/** The selector was removed, and the slices stay. */
export function noSelector() {
  const nodes = fleet();
  const all = pods('legacy', spread(3));
  const items = [
    service('legacy', { selector: null }),
    service('stock'),
    ...all,
    ...pods('stock', spread(2), { first: 40 }),
    ...nodes,
    slice('legacy', 'h4c9p', all.map((each) => endpoint(each, nodes))),
  ];
  return { apiVersion: 'v1', kind: 'List', items };
}

/** A Service of type ExternalName that has a selector nevertheless. */
export function externalName() {
  const nodes = fleet();
  const stock = pods('stock', spread(2), { first: 40 });
  const items = [
    service('billing', { type: 'ExternalName', externalName: 'billing.example.com', clusterIP: undefined, ipFamilies: undefined }),
    service('stock'),
    ...pods('billing', spread(2)),
    ...stock,
    ...nodes,
    slice('stock', 'g6v1w', stock.map((each) => endpoint(each, nodes))),
  ];
  return { apiVersion: 'v1', kind: 'List', items };
}

/** A label that someone added to a slice. */
export function labelByHand() {
  const nodes = fleet();
  const all = pods('media', spread(4));
  return {
    service: service('media'),
    pods: all,
    nodes,
    slices: [
      slice(
        'media',
        'j7y5d',
        all.map((each) => endpoint(each, nodes)),
        { labels: { team: 'video' } },
      ),
    ],
  };
}
