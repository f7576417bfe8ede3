/** Ports and address families: what may share a slice. */
import { endpoint, fleet, pod, pods, service, slice, spread } from '../objects.mjs';

/** A headless Service becomes dual-stack; one member is not ready but must be found. */
export function dualStack() {
  const nodes = fleet();
  const all = spread(5).map((on, index) =>
    pod({
      name: `db-${index}`,
      labels: { app: 'db' },
      on,
      ips: [`10.8.4.${index + 10}`, `fd00:8:4::${(index + 10).toString(16)}`],
      ready: index !== 3,
      subdomain: 'db',
    }),
  );
  const known = all.map((each) => endpoint(each, nodes));
  known[3].conditions.serving = false;
  return {
    service: service('db', {
      clusterIP: 'None',
      ipFamilies: ['IPv4', 'IPv6'],
      ipFamilyPolicy: 'RequireDualStack',
      publishNotReadyAddresses: true,
    }),
    pods: all,
    nodes,
    slices: [slice('db', 'f5h7c', known, { headless: true })],
  };
}

/** The new version listens on another port under the same name. */
export function namedPort() {
  const nodes = fleet();
  const old = pods('pay', spread(8));
  const fresh = pods('pay', spread(4), { first: 21, version: 'v2', ports: [9090] });
  return {
    service: service('pay'),
    pods: [...old.slice(0, 5), ...fresh],
    nodes,
    slices: [slice('pay', 'm2b9q', old.map((each) => endpoint(each, nodes)))],
  };
}

/** The Service refers to a named port that some of its pods lack. */
export function portNotFound() {
  const nodes = fleet();
  const good = pods('pay', spread(3));
  const bad = pods('pay', spread(2), { first: 21, version: 'v2', portName: 'web' });
  return { service: service('pay'), pods: [...good, ...bad], nodes, slices: [slice('pay', 'm2b9q', good.map((each) => endpoint(each, nodes)))] };
}

/** IPv6 was removed from the Service. */
export function familyRemoved() {
  const nodes = fleet();
  const all = pods('shop', spread(4)).map((each, index) => {
    const ips = [each.status.podIP ?? '', `fd00:8:4::${index + 16}`];
    return { ...each, status: { ...each.status, podIPs: ips.map((ip) => ({ ip })) } };
  });
  const six = all.map((each) => endpoint(each, nodes, { family: 'IPv6' }));
  const four = all.map((each) => endpoint(each, nodes));
  return {
    service: service('shop'),
    pods: all,
    nodes,
    slices: [slice('shop', 'f5h7c', four), slice('shop', 's6v4l', six, { addressType: 'IPv6' })],
  };
}

/** Members of a headless Service without a subdomain have no names of their own. */
export function noHostname() {
  const nodes = fleet();
  const all = spread(3).map((on, index) =>
    pod({ name: `redis-${index}`, labels: { app: 'redis' }, on, ips: [`10.8.6.${index + 10}`], ...(index < 2 && { subdomain: 'redis' }) }),
  );
  return {
    service: service('redis', { clusterIP: 'None' }),
    pods: all,
    nodes,
    slices: [
      slice(
        'redis',
        't7k2w',
        all.slice(0, 2).map((each) => endpoint(each, nodes)),
        { headless: true },
      ),
    ],
  };
}
