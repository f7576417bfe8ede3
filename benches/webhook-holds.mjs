/**
 * What the webhook costs at the limits of what an API server accepts: `node --expose-gc benches/webhook-holds.mjs worst` judges
 * the most expensive legal reviews, and prints the time of each; `memory REVIEWS` judges that many, and prints the memory on the
 * way. Each prints one line.
 */
import { createReviewer } from 'slicewise/admission';
import { cluster, reviews } from './webhook-cluster.mjs';

/** The limits of Kubernetes' validation, of its requests and of etcd, in characters of JSON. */
const [ENDPOINTS, ADDRESSES, PORTS, SENT, STORED] = [1_000, 100, 20_000, 3_000_000, 1_500_000];
const ROUNDS = 15;
/** As bodies arrive. */
const CHUNK = 65_536;
const [what, many] = process.argv.slice(2);

/** JSON as Go's encoder writes it. @param {unknown} value */
function goJson(value) {
  return JSON.stringify(value).replace(/[<>&]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`);
}

/** @param {number} count @param {(index: number) => unknown} make @returns {any[]} */
function list(count, make) {
  return Array.from({ length: count }, (_, index) => make(index));
}

const ipv4 = (/** @type {number} */ index) => `198.${18 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`;

/** The slice of the load test with other fields. @param {object} fields @param {string} [name] */
function sliceWith(fields, name = 'service-0-y') {
  const [{ review }] = Object.values(reviews());
  const { request: { object } } = /** @type {any} */ (review);
  return { ...object, metadata: { ...object.metadata, name }, ...fields };
}

/** @param {any} object @param {any} [oldObject] @param {string} [kind] */
function reviewOf(object, oldObject, kind = 'EndpointSlice') {
  const [{ review }] = Object.values(reviews());
  const { request, ...envelope } = /** @type {any} */ (structuredClone(review));
  const group = kind === 'EndpointSlice' ? 'discovery.k8s.io' : '';
  const asked = {
    ...request,
    kind: { group, version: 'v1', kind },
    operation: oldObject ? 'UPDATE' : 'CREATE',
    name: object.metadata.name,
    object,
    oldObject,
  };
  return Buffer.from(goJson({ ...envelope, request: asked }));
}

/** The most expensive legal reviews, by what is at its limit. @returns {Record<string, Buffer>} */
function extremes() {
  // As many addresses as a request has room for.
  const full = list(ENDPOINTS, (at) => ({ addresses: list(ADDRESSES, (index) => ipv4(at * ADDRESSES + index)) }));
  const names = list(ENDPOINTS, () => ({ addresses: list(ADDRESSES, () => 'a.b') }));
  const literals = list(ENDPOINTS, () => ({ addresses: list(ADDRESSES, () => '10.1.0.1') }));
  const hints = list(ENDPOINTS, (at) => ({ addresses: [ipv4(at)], hints: { forZones: list(8, (zone) => ({ name: `z${zone}` })) } }));
  const ports = list(PORTS, (index) => ({ name: `p${index}`, protocol: 'TCP', port: 1 + index }));
  const plain = sliceWith({}, 'service-0-x');
  const noted = (/** @type {string} */ note) => ({ ...plain, metadata: { ...plain.metadata, annotations: { note } } });
  const service = {
    metadata: { name: 'service-0', namespace: 'shop' },
    spec: {
      selector: { app: 'service-0' },
      clusterIP: '10.96.0.1',
      ipFamilies: ['IPv4'],
      ports: list(5_000, (index) => ({ name: `p${index}`, protocol: 'TCP', port: 1 + index })),
      externalIPs: list(5_000, ipv4),
    },
  };
  return {
    '100,000 addresses': reviewOf(sliceWith({ endpoints: full })),
    '100,000 addresses, and as many before': reviewOf(sliceWith({ endpoints: full }), sliceWith({ endpoints: full.slice().reverse() })),
    '100,000 equal names': reviewOf(sliceWith({ addressType: 'FQDN', endpoints: names })),
    '100,000 equal addresses, given as names': reviewOf(sliceWith({ addressType: 'FQDN', endpoints: literals })),
    '1,000 endpoints with 8 hints each': reviewOf(sliceWith({ endpoints: hints })),
    '20,000 ports': reviewOf(sliceWith({ endpoints: [], ports })),
    'a Service with 5,000 ports and 5,000 external addresses': reviewOf(service, undefined, 'Service'),
    'two objects of the largest size, every character escaped': reviewOf(noted('<'.repeat(SENT)), noted('>'.repeat(STORED))),
  };
}

/** As the webhook judges: a large review is sieved while it arrives. @param {import('slicewise/admission').Reviewer} reviewer @param {Buffer} body */
function judge(reviewer, body) {
  const sieve = body.length > 1 << 20 ? reviewer.startReview() : null;
  if (!sieve) return reviewer.judge(body);
  for (let at = 0; at < body.length; at += CHUNK) sieve.push(body.subarray(at, at + CHUNK));
  return reviewer.judge(sieve.finish());
}

/** Beside a sibling with the same addresses. */
function worst() {
  const full = list(300, (at) => ({ addresses: list(ADDRESSES, (index) => ipv4(at * ADDRESSES + index)) }));
  const known = cluster(10_000);
  known.items.push(sliceWith({ endpoints: full }, 'service-0-sibling'));
  const reviewer = createReviewer({ snapshot: Buffer.from(JSON.stringify(known)) });
  return Object.entries(extremes()).map(([name, body]) => {
    const rounds = list(ROUNDS, () => {
      const [started, cpu] = [performance.now(), process.cpuUsage()];
      judge(reviewer, body);
      const { user, system } = process.cpuUsage(cpu);
      return { wall: performance.now() - started, cpu: (user + system) / 1000 };
    });
    const sorted = (/** @type {'wall' | 'cpu'} */ which) => rounds.map((round) => round[which]).sort((a, b) => a - b);
    return {
      name,
      megabytes: body.length / 1e6,
      cpu: sorted('cpu')[ROUNDS >> 1],
      median: sorted('wall')[ROUNDS >> 1],
      worst: sorted('wall')[ROUNDS - 1],
    };
  });
}

/** Ordinary reviews, and after each thousand an extreme one. @param {number} most */
function memory(most) {
  const reviewer = createReviewer({ snapshot: Buffer.from(JSON.stringify(cluster(10_000))) });
  const ordinary = Object.values(reviews()).map(({ review }) => Buffer.from(JSON.stringify(review)));
  const large = Object.values(extremes());
  const after = [];
  for (let each = 1; each <= most; each += 1) {
    judge(reviewer, ordinary[each % ordinary.length]);
    if (each % 1_000 === 0) judge(reviewer, large[(each / 1_000) % large.length]);
    if (each % (most / 5) !== 0) continue;
    globalThis.gc?.();
    after.push({ reviews: each, megabytes: process.memoryUsage.rss() / 1e6 });
  }
  return after;
}

console.log(JSON.stringify(what === 'memory' ? memory(Number(many)) : worst()));
