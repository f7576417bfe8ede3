/**
 * The parts of the measurement of a watched cluster, each a process of its own: `node benches/webhook-watch.mjs serve PODS
 * stream|pages` is a server with that many pods and a tenth as many slices; `watch`, `informer` and `read`, with that
 * server's KUBECONFIG, read everything with the webhook's watcher, with the informers of Kubernetes' client library, and
 * with a reader that discards the bytes. Each prints one line.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePair } from '../webhook/pair.js';

const NODES = 1_000;
const PER_SERVICE = 100;
const PER_SLICE = 10;
/** The lists that exist before the watches start. */
const VERSION = '1000000';

const [what, ...args] = process.argv.slice(2);
if (what === 'serve') serve(Number(args[0]), args[1]);
else if (what === 'watch') await watch(args[0]);
else if (what === 'informer') await inform(args[0]);
else if (what === 'read') await read(args[0]);

/** The fields of an object that slicewise does not read, which are most of its bytes. @param {string} kind @param {string} name */
function metadata(kind, name, more = {}) {
  const uid = `00000000-0000-4000-8000-${name.replace(/\D/g, '').padStart(12, '0')}`;
  const fields = Object.fromEntries(
    Array.from({ length: 24 }, (_, index) => [`f:field-${index}`, { '.': {}, [`k:{"name":"${kind}-${index}"}`]: { 'f:name': {} } }]),
  );
  const managedFields = [
    {
      manager: 'kube-controller-manager',
      operation: 'Update',
      apiVersion: 'v1',
      time: '2026-11-01T00:00:00Z',
      fieldsType: 'FieldsV1',
      fieldsV1: fields,
    },
  ];
  return { name, uid, resourceVersion: String(1000 + (uid.length % 7)), creationTimestamp: '2026-11-01T00:00:00Z', managedFields, ...more };
}

/** @param {number} pod */
const address = (pod) => `10.${pod >> 16}.${(pod >> 8) & 255}.${pod & 255}`;

/** @param {number} number */
function podOf(number) {
  const app = `service-${Math.floor(number / PER_SERVICE)}`;
  const env = Array.from({ length: 12 }, (_, index) => ({ name: `SETTING_${index}`, value: `value of setting ${index} of ${app}` }));
  return {
    metadata: metadata('Pod', `${app}-${number}`, { namespace: 'shop', labels: { app, 'pod-template-hash': '5d4f8c7b9' } }),
    spec: {
      nodeName: `node-${number % NODES}`, serviceAccountName: 'default', restartPolicy: 'Always', schedulerName: 'default-scheduler',
      containers: [
        {
          name: 'app',
          image: `registry.local/${app}:1.2.3`,
          env,
          ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
          resources: { requests: { cpu: '100m', memory: '128Mi' } },
        },
      ],
    },
    status: {
      phase: 'Running', podIP: address(number), podIPs: [{ ip: address(number) }], hostIP: '192.168.0.1', qosClass: 'Burstable',
      conditions: ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'].map((type) => ({
        type,
        status: 'True',
        lastProbeTime: null,
        lastTransitionTime: '2026-11-01T00:00:00Z',
      })),
    },
  };
}

/** @param {number} number */
function sliceOf(number) {
  const service = `service-${Math.floor((number * PER_SLICE) / PER_SERVICE)}`;
  const endpoints = Array.from({ length: PER_SLICE }, (_, index) => number * PER_SLICE + index).map((of) => ({
    addresses: [address(of)], conditions: { ready: true, serving: true, terminating: false }, nodeName: `node-${of % NODES}`, zone: `zone-${of % 3}`,
    targetRef: { kind: 'Pod', namespace: 'shop', name: `${service}-${of}`, uid: `00000000-0000-4000-8000-${String(of).padStart(12, '0')}` },
  }));
  const labels = { 'kubernetes.io/service-name': service, 'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io' };
  return {
    metadata: metadata('EndpointSlice', `slice-${number}`, { namespace: 'shop', labels }),
    addressType: 'IPv4',
    endpoints,
    ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
  };
}

/** @param {number} number */
function serviceOf(number) {
  const name = `service-${number}`;
  return {
    metadata: metadata('Service', name, { namespace: 'shop' }),
    spec: {
      selector: { app: name },
      clusterIP: '10.96.0.1',
      ipFamilies: ['IPv4'],
      ports: [{ name: 'http', protocol: 'TCP', port: 80, targetPort: 8080 }],
    },
  };
}

/** @param {number} number */
function nodeOf(number) {
  const labels = { 'topology.kubernetes.io/zone': `zone-${number % 3}` };
  return {
    metadata: metadata('Node', `node-${number}`, { labels }),
    status: { allocatable: { cpu: '8' }, conditions: [{ type: 'Ready', status: 'True' }] },
  };
}

/** @param {number} pods @param {string} mode */
function serve(pods, mode) {
  /** @type {Record<string, {kind: string, apiVersion: string, count: number, of: (number: number) => object}>} */
  const kinds = {
    '/api/v1/services': { kind: 'Service', apiVersion: 'v1', count: pods / PER_SERVICE, of: serviceOf },
    '/api/v1/pods': { kind: 'Pod', apiVersion: 'v1', count: pods, of: podOf },
    '/api/v1/nodes': { kind: 'Node', apiVersion: 'v1', count: NODES, of: nodeOf },
    '/apis/discovery.k8s.io/v1/endpointslices': { kind: 'EndpointSlice', apiVersion: 'discovery.k8s.io/v1', count: pods / PER_SLICE, of: sliceOf },
  };
  const pair = makePair(['127.0.0.1']);
  const server = createServer(pair, (request, response) => {
    const { pathname, searchParams: query } = new URL(request.url ?? '', 'https://localhost');
    const of = kinds[pathname];
    if (query.get('watch') !== 'true') return list(of, query, response);
    if (!query.has('sendInitialEvents')) {
      // No events; the watch stays open until its timeout.
      setTimeout(() => response.end(), Number(query.get('timeoutSeconds')) * 1000);
      return response.writeHead(200).flushHeaders();
    }
    if (mode === 'stream') return stream(of, response);
    response.writeHead(422).end('{"kind":"Status","message":"sendInitialEvents is forbidden"}');
  });
  server.listen(0, '127.0.0.1', () => {
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
    const file = join(mkdtempSync(join(tmpdir(), 'slicewise-watch-')), 'kubeconfig');
    const cluster = { server: `https://127.0.0.1:${port}`, 'certificate-authority-data': Buffer.from(pair.cert).toString('base64') };
    writeFileSync(
      file,
      JSON.stringify({
        clusters: [{ name: 'c', cluster }],
        users: [{ name: 'u', user: { token: 't' } }],
        contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
        'current-context': 'x',
      }),
    );
    console.log(JSON.stringify({ kubeconfig: file }));
  });
}

/** @typedef {{kind: string, apiVersion: string, count: number, of: (number: number) => object}} Listed */

/** @param {Listed} listed @param {import('node:http').ServerResponse} response */
async function stream({ kind, apiVersion, count, of }, response) {
  response.writeHead(200, { 'content-type': 'application/json' });
  for (let from = 0; from < count && !response.destroyed; from += 50) {
    const lines = Array.from(
      { length: Math.min(50, count - from) },
      (_, index) => `${JSON.stringify({ type: 'ADDED', object: { kind, apiVersion, ...of(from + index) } })}\n`,
    );
    if (!response.write(lines.join(''))) await drained(response);
  }
  const metadataOf = { resourceVersion: VERSION, annotations: { 'k8s.io/initial-events-end': 'true' } };
  response.write(`${JSON.stringify({ type: 'BOOKMARK', object: { kind, apiVersion, metadata: metadataOf } })}\n`);
}

/**
 * @param {Listed} listed
 * @param {URLSearchParams} query
 * @param {import('node:http').ServerResponse} response
 */
function list({ kind, apiVersion, count, of }, query, response) {
  const from = Number(query.get('continue') ?? 0);
  const end = Math.min(count, from + Number(query.get('limit') ?? count));
  const items = Array.from({ length: end - from }, (_, index) => of(from + index));
  const more = end < count ? { continue: String(end) } : {};
  const body = JSON.stringify({ kind: `${kind}List`, apiVersion, metadata: { resourceVersion: VERSION, ...more }, items });
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(body);
}

/** @param {number} started @param {object} more */
function report(started, more) {
  const peak = (process.resourceUsage().maxRSS * 1024) / 1e6;
  const { user, system } = process.cpuUsage();
  const seconds = (performance.now() - started) / 1000;
  console.log(JSON.stringify({ seconds, cpuSeconds: (user + system) / 1e6, megabytes: process.memoryUsage.rss() / 1e6, peak, ...more }));
  process.exit();
}

/** @param {string} kubeconfig */
async function watch(kubeconfig) {
  const { connect } = await import('../webhook/cluster/connection.js');
  const { whyNotSynced } = await import('../webhook/cluster/states.js');
  const { watchCluster } = await import('../webhook/cluster/watch.js');
  const { createReviewer } = await import('slicewise/admission');
  const reviewer = createReviewer();
  const connection = await connect({ kubeconfig });
  const before = process.memoryUsage.rss() / 1e6;
  const started = performance.now();
  let [bytes, taking, last] = [0, 0, 0];
  const apply = (/** @type {Uint8Array} */ input) => {
    const at = performance.now();
    const applied = JSON.parse(new TextDecoder().decode(reviewer.apply(input)));
    last = performance.now() - at;
    taking += last;
    bytes += input.length;
    return applied;
  };
  const log = { warn: fail, info() {}, debug() {} };
  const onState = (/** @type {import('../webhook/cluster/states.js').KindState[]} */ states) => {
    if (whyNotSynced(states) === null) report(started, { before, taking: taking / 1000, last, megabytesRead: bytes / 1e6 });
  };
  const startList = () => reviewer.startList();
  await watchCluster({ connection, apply, startList, onState, log, signal: new AbortController().signal }).ended;
}

/** @param {object} fields @param {string} message */
function fail(fields, message) {
  throw new Error(`${message} ${JSON.stringify(fields)}`);
}

/** @param {string} kubeconfig */
async function inform(kubeconfig) {
  const { CoreV1Api, DiscoveryV1Api, KubeConfig, makeInformer } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  const [core, discovery] = [config.makeApiClient(CoreV1Api), config.makeApiClient(DiscoveryV1Api)];
  const before = process.memoryUsage.rss() / 1e6;
  const started = performance.now();
  const informers = [
    makeInformer(config, '/api/v1/services', () => core.listServiceForAllNamespaces()),
    makeInformer(config, '/api/v1/pods', () => core.listPodForAllNamespaces()),
    makeInformer(config, '/api/v1/nodes', () => core.listNode()),
    makeInformer(config, '/apis/discovery.k8s.io/v1/endpointslices', () => discovery.listEndpointSliceForAllNamespaces()),
  ];
  await Promise.all(informers.map((informer) => informer.start()));
  report(started, { before, objects: informers.map((informer) => informer.list().length) });
}

/** The cost of receiving the bytes alone. @param {string} kubeconfig */
async function read(kubeconfig) {
  const { connect } = await import('../webhook/cluster/connection.js');
  const { KINDS } = await import('../webhook/cluster/kinds.js');
  const connection = await connect({ kubeconfig });
  const started = performance.now();
  let bytes = 0;
  await Promise.all(KINDS.map(async ({ path }) => {
    const conversation = await connection.open();
    const query = '?watch=true&sendInitialEvents=true';
    const response = await conversation.get(path + query, { silence: 60_000, signal: new AbortController().signal });
    for await (const chunk of response) {
      bytes += chunk.length;
      if (chunk.includes('initial-events-end')) break;
    }
  }));
  report(started, { megabytesRead: bytes / 1e6 });
}

/** @param {import('node:http').ServerResponse} response @returns {Promise<void>} */
function drained(response) {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.once('drain', done).once('close', done);
  });
}
