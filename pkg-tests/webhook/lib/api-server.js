/** A fake API server for watches, on loopback, with everything that can go wrong. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { goJson } from '../../hostile/lib/extremes.js';
import { pair } from './start.js';

/** @typedef {Record<string, any>} Json */
/** @typedef {{kind: string, namespace: string | undefined, query: URLSearchParams, status: number}} Asked */

/** @type {Record<string, string>} */
const KINDS = {
  '/api/v1/services': 'Service', '/api/v1/pods': 'Pod', '/api/v1/nodes': 'Node', '/api/v1/namespaces': 'Namespace',
  '/apis/discovery.k8s.io/v1/endpointslices': 'EndpointSlice',
  '/api/v1/endpoints': 'Endpoints', '/api/v1/events': 'Event', '/apis/coordination.k8s.io/v1/leases': 'Lease',
};

const apiVersionOf = (/** @type {string} */ kind) => {
  const [path] = Object.entries(KINDS).find(([, named]) => named === kind) ?? [''];
  return /^\/apis?\/(.+)\/\w+$/.exec(path)?.[1] ?? '';
};

export class FakeApi {
  /** @type {Map<string, Json>} */
  #objects = new Map();
  /** The events since the last compaction. @type {{kind: string, version: number, line: string}[]} */
  #history = [];
  #compacted = 0;
  /** Lists with pages still to be requested. @type {Map<string, {items: Json[], version: number}>} */
  #pages = new Map();
  /** @type {Map<import('node:http').ServerResponse, string>} */
  #watches = new Map();
  version = 1;
  /** @type {Asked[]} */
  asked = [];
  /** Whether it supports streaming lists. */
  streams = true;
  /** Whether it reports an expired version in the stream, or as the HTTP status. */
  goneInStream = false;
  token = 'first';
  /**
   * Intercepts requests.
   * @type {((kind: string, query: URLSearchParams, response: import('node:http').ServerResponse) => boolean) | null}
   */
  intercept = null;
  /**
   * Answers requests other than reads of the kinds above, whoever sends them.
   * @type {((request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => boolean) | null}
   */
  also = null;

  /** @param {import('node:test').TestContext} t */
  static async start(t) {
    const api = new FakeApi();
    await new Promise((resolve) => api.server.listen(0, '127.0.0.1', () => resolve(null)));
    api.folder = mkdtempSync(join(tmpdir(), 'slicewise-api-'));
    t.after(() => {
      api.server.closeAllConnections();
      api.server.close();
      rmSync(api.folder, { recursive: true });
    });
    return api;
  }

  folder = '';
  server = createServer({ ...pair }, (request, response) => this.#answer(request, response));

  get url() {
    return `https://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (this.server.address()).port}`;
  }

  /**
   * A kubeconfig for it, whose token is in a separate file.
   * @param {string} [server] @param {boolean} [isVerified] Node accepts a self-signed certificate, stricter clients do not
   */
  kubeconfig(server = this.url, isVerified = true) {
    const file = join(this.folder, 'kubeconfig');
    const ca = Buffer.from(pair.cert).toString('base64');
    this.writeToken();
    const config = {
      apiVersion: 'v1', kind: 'Config', 'current-context': 'test',
      clusters: [
        { name: 'fake', cluster: { server, ...(isVerified ? { 'certificate-authority-data': ca } : { 'insecure-skip-tls-verify': true }) } },
      ],
      users: [{ name: 'webhook', user: { tokenFile: join(this.folder, 'token') } }],
      contexts: [{ name: 'test', context: { cluster: 'fake', user: 'webhook' } }],
    };
    writeFileSync(file, JSON.stringify(config));
    return file;
  }

  writeToken() {
    writeFileSync(join(this.folder, 'token'), this.token);
  }

  /** All objects, in the form that `kubectl` prints. */
  snapshot() {
    return JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [...this.#objects.values()] });
  }

  /** Creates or changes an object. @param {Json} object */
  set(object) {
    const key = keyOf(object);
    const type = this.#objects.has(key) ? 'MODIFIED' : 'ADDED';
    this.version += 1;
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(this.version) } };
    this.#objects.set(key, stored);
    this.#tell(type, stored);
  }

  /** @param {string} kind @param {string} name NAMESPACE/NAME, or NAME */
  remove(kind, name) {
    const key = `${kind} ${name}`;
    const object = this.#objects.get(key);
    if (!object) return;
    this.#objects.delete(key);
    this.version += 1;
    this.#tell('DELETED', { ...object, metadata: { ...object.metadata, resourceVersion: String(this.version) } });
  }

  /** @param {string} kind */
  names(kind) {
    return [...this.#objects.keys()].filter((key) => key.startsWith(`${kind} `)).map((key) => key.slice(kind.length + 1));
  }

  /** Sends a bookmark to all watches. */
  bookmark() {
    for (const [response, kind] of this.#watches) response.write(lineOf('BOOKMARK', this.#mark(kind)));
  }

  /** Writes bytes to the watches of a kind. @param {string} kind @param {string | Uint8Array} bytes */
  write(kind, bytes) {
    for (const [response, of] of this.#watches) if (of === kind) response.write(bytes);
  }

  /** The number of open watches of a kind. @param {string} kind */
  watching(kind) {
    return [...this.#watches.values()].filter((of) => of === kind).length;
  }

  /** Ends watches regularly. */
  endWatches() {
    for (const response of this.#watches.keys()) response.end();
    this.#watches.clear();
  }

  /** Cuts all connections. */
  cut() {
    this.#watches.clear();
    this.server.closeAllConnections();
  }

  /** Compacts the history. */
  compact() {
    this.#history = [];
    this.#compacted = this.version;
    this.#pages.clear();
  }

  /** @param {string} type @param {Json} object */
  #tell(type, object) {
    const line = lineOf(type, object);
    this.#history.push({ kind: object.kind, version: this.version, line });
    this.write(object.kind, line);
  }

  /** @param {string} kind @param {Json} [annotations] */
  #mark(kind, annotations) {
    return { kind, apiVersion: apiVersionOf(kind), metadata: { resourceVersion: String(this.version), annotations } };
  }

  /** @param {string} kind */
  #itemsOf(kind, /** @type {string | undefined} */ namespace = undefined) {
    const isThere = (/** @type {Json} */ { metadata }) => namespace === undefined || metadata.namespace === namespace;
    return [...this.#objects.values()].filter((object) => object.kind === kind && isThere(object));
  }

  /** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
  #answer(request, response) {
    if (this.also?.(request, response)) return;
    const { pathname, searchParams: query } = new URL(request.url ?? '', 'https://localhost');
    const namespace = /\/namespaces\/([^/]+)\//.exec(pathname)?.[1];
    const collection = pathname.replace(`/namespaces/${namespace}`, '');
    const name = /^\/api\/v1\/pods\/([^/]+)$/.exec(collection)?.[1];
    const kind = name === undefined ? KINDS[collection] : 'Pod';
    const record = { kind, namespace, query, status: 0 };
    this.asked.push(record);
    response.on('close', () => ((record.status = response.statusCode), this.#watches.delete(response)));
    if (request.headers.authorization !== `Bearer ${this.token}`) return refuse(response, 401, 'Unauthorized', 'Unauthorized');
    if (kind === undefined) return refuse(response, 404, 'NotFound', 'the server could not find the requested resource');
    if (this.intercept?.(kind, query, response)) return;
    if (name !== undefined) return this.#get(`${kind} ${namespace}/${name}`, response);
    if (query.get('watch') !== 'true') return this.#list(kind, namespace, query, response);
    if (query.get('sendInitialEvents') === 'true') return this.#stream(kind, response);
    this.#watch(kind, Number(query.get('resourceVersion')), response);
  }

  /** @param {string} key @param {import('node:http').ServerResponse} response */
  #get(key, response) {
    const object = this.#objects.get(key);
    if (object === undefined) refuse(response, 404, 'NotFound', 'not found');
    else json(response, 200, object);
  }

  /**
   * @param {string} kind @param {string | undefined} namespace @param {URLSearchParams} query
   * @param {import('node:http').ServerResponse} response
   */
  #list(kind, namespace, query, response) {
    const token = query.get('continue');
    const [id, from] = (token ?? '').split(':');
    const pages = token === null ? { items: this.#itemsOf(kind, namespace), version: this.version } : this.#pages.get(id);
    if (!pages) return refuse(response, 410, 'Expired', 'The provided continue parameter is too old');
    const end = Number(from ?? 0) + Number(query.get('limit') ?? Infinity);
    const isLast = end >= pages.items.length;
    const name = token === null ? `${kind}-${this.asked.length}` : id;
    if (!isLast) this.#pages.set(name, pages);
    const metadata = { resourceVersion: String(pages.version), ...(isLast ? {} : { continue: `${name}:${end}` }) };
    const items = pages.items.slice(Number(from ?? 0), end).map(({ kind: _kind, apiVersion: _version, ...rest }) => rest);
    json(response, 200, { kind: `${kind}List`, apiVersion: apiVersionOf(kind), metadata, items });
  }

  /** @param {string} kind @param {import('node:http').ServerResponse} response */
  #stream(kind, response) {
    if (!this.streams) {
      return refuse(
        response,
        422,
        'Invalid',
        'sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
      );
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    for (const object of this.#itemsOf(kind)) response.write(lineOf('ADDED', object));
    response.write(lineOf('BOOKMARK', this.#mark(kind, { 'k8s.io/initial-events-end': 'true' })));
    this.#watches.set(response, kind);
  }

  /** @param {string} kind @param {number} since @param {import('node:http').ServerResponse} response */
  #watch(kind, since, response) {
    if (since < this.#compacted && !this.goneInStream) {
      return refuse(response, 410, 'Expired', `too old resource version: ${since} (${this.#compacted})`);
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    if (since < this.#compacted) {
      response.end(lineOf('ERROR', statusOf(410, 'Expired', `too old resource version: ${since} (${this.#compacted})`)));
      return;
    }
    response.flushHeaders();
    for (const event of this.#history) if (event.kind === kind && event.version > since) response.write(event.line);
    this.#watches.set(response, kind);
  }
}

/** @param {Json} object */
function keyOf({ kind, metadata: { namespace, name } }) {
  return `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}

/** An event as an API server writes it. @param {string} type @param {Json} object */
export function lineOf(type, { kind, apiVersion, ...rest }) {
  return `${goJson({ type, object: { kind, apiVersion, ...rest } })}\n`;
}

/** @param {number} code @param {string} reason @param {string} message */
function statusOf(code, reason, message) {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code };
}

/** @param {import('node:http').ServerResponse} response @param {number} code @param {string} reason @param {string} message */
export function refuse(response, code, reason, message) {
  json(response, code, statusOf(code, reason, message));
}

/** @param {import('node:http').ServerResponse} response @param {number} status @param {object} value */
export function json(response, status, value) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(goJson(value));
}
