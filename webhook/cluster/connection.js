/**
 * The connection to an API server. Kubernetes' own client library handles kubeconfig files, exec plugins and the pod's
 * service account; requests and responses are raw bytes.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import * as http from 'node:http';
import * as https from 'node:https';
import { dirname, resolve as absolute } from 'node:path';
import { parse } from 'yaml';
import { ConfigError } from '../config.js';

/**
 * @typedef {object} ConnectionOptions
 * @property {string} [kubeconfig] file; by default the one `kubectl` would use
 * @property {string} [context] of the kubeconfig; by default its current one
 * @property {boolean} [inCluster] whether to use the pod's service account
 * @property {string} [userAgent]
 *
 * @typedef {{silence: number, signal: AbortSignal}} RequestLimits silence is in milliseconds
 *
 * @typedef {object} Conversation requests with the same credentials, one after another
 * @property {(path: string, limits: RequestLimits) => Promise<http.IncomingMessage>} get
 * @property {(method: string, path: string, body: {type: string, value: object}, limits: RequestLimits) => Promise<http.IncomingMessage>} send
 *   sends an object as JSON of a media type
 * @property {() => void} close
 *
 * @typedef {object} Connection
 * @property {string} server its URL
 * @property {() => Promise<Conversation>} open loads credentials again, so that expiring ones are renewed
 * @property {() => void} forget drops cached credentials, after the server has refused them
 */

/** A server that does not answer in time. */
export class Silence extends Error {}

const TOKEN = '/var/run/secrets/kubernetes.io/serviceaccount/token';

/** Whether this runs in a pod with a service account. */
export function isInCluster() {
  return Boolean(process.env.KUBERNETES_SERVICE_HOST) && existsSync(TOKEN);
}

/**
 * @param {ConnectionOptions} options
 * @returns {Promise<Connection>}
 */
export async function connect(options) {
  // Loading it takes a second and 80 MB, so load it only if a cluster is watched.
  const { KubeConfig } = await import('@kubernetes/client-node');
  let loaded = load(new KubeConfig(), options);
  let changed = changeOf(options);

  function renew() {
    loaded = load(new KubeConfig(), options);
    changed = changeOf(options);
  }

  async function open() {
    if (changeOf(options) !== changed) renew();
    const { config, url, isProxied, tokenFile } = loaded;
    /** @type {any} */
    const asked = { headers: {} };
    await config.applyToHTTPSOptions(asked);
    if (tokenFile !== null) asked.headers.Authorization = `Bearer ${readFileSync(tokenFile, 'utf8').trim()}`;
    const { request, Agent } = url.protocol === 'http:' ? http : https;
    const agent = isProxied ? asked.agent : new Agent({ keepAlive: true, maxSockets: 1 });
    const headers = { accept: 'application/json', 'user-agent': options.userAgent ?? 'slicewise', ...asked.headers };
    return conversation(request, url, { ...asked, agent, headers }, isProxied);
  }

  return {
    server: shown(loaded.url),
    open,
    // A file that is being written is tried again later.
    forget: () => void ((changed = -1)),
  };
}

/** Without what may be a secret: user, password and query. @param {URL} url */
export function shown({ protocol, host, pathname }) {
  return `${protocol}//${host}${pathname}`;
}

/** @typedef {import('@kubernetes/client-node').KubeConfig} KubeConfig */

/** @param {KubeConfig} config @param {ConnectionOptions} options */
function load(config, options) {
  const { kubeconfig, context, inCluster } = options;
  const name = kubeconfig ?? (inCluster ? 'the service account' : 'the kubeconfig');
  if (inCluster && !isInCluster()) throw new ConfigError(`this is no pod with a service account: there is no ${TOKEN}`);
  try {
    read(config, options);
  } catch (error) {
    // What follows the first line is an excerpt, in which a token may stand.
    const [why] = /** @type {Error} */ (error).message.split('\n');
    throw new ConfigError(`cannot use ${name}: ${why}`);
  }
  if (context !== undefined) config.setCurrentContext(context);
  const { cluster, user } = partsOf(config, name);
  if (!URL.canParse(cluster.server ?? '')) throw new ConfigError(`${name}: the cluster ${cluster.name} has no server that is a URL`);
  const tokenFile = user.token || kubeconfig === undefined ? null : tokenFileOf(kubeconfig, user.name);
  return { config, url: new URL(cluster.server), isProxied: Boolean(cluster.proxyUrl), tokenFile };
}

/** @param {KubeConfig} config @param {ConnectionOptions} options */
function read(config, { kubeconfig, inCluster }) {
  if (kubeconfig !== undefined) config.loadFromFile(kubeconfig);
  else if (inCluster) config.loadFromCluster();
  else config.loadFromDefault();
}

/** The cluster and user of the current context. @param {KubeConfig} config @param {string} name */
function partsOf(config, name) {
  const current = config.getCurrentContext();
  if (!config.getContextObject(current)) {
    const known = config.getContexts().map((each) => each.name).join(', ') || 'none';
    throw new ConfigError(
      `${name} ${current ? `has no context ${current}` : 'has no current-context; choose one with --context'}; there are ${known}`,
    );
  }
  const [cluster, user] = [config.getCurrentCluster(), config.getCurrentUser()];
  if (!cluster || !user) throw new ConfigError(`${name}: the context ${current} names a ${cluster ? 'user' : 'cluster'} that is not there`);
  return { cluster, user };
}

/** The `tokenFile` of a user, which the library ignores. @param {string} kubeconfig @param {string} name of the user */
function tokenFileOf(kubeconfig, name) {
  const { users } = parse(readFileSync(kubeconfig, 'utf8'));
  const { user } = users.find((/** @type {{name: string}} */ each) => each.name === name) ?? {};
  return typeof user?.tokenFile === 'string' ? absolute(dirname(kubeconfig), user.tokenFile) : null;
}

/** @param {ConnectionOptions} options */
function changeOf({ kubeconfig }) {
  return kubeconfig === undefined ? 0 : (statSync(kubeconfig, { throwIfNoEntry: false })?.mtimeMs ?? 0);
}

/**
 * @param {typeof https.request | typeof http.request} request
 * @param {URL} url
 * @param {https.RequestOptions} options
 * @param {boolean} isShared whether other requests use the agent, too
 * @returns {Conversation}
 */
function conversation(request, url, options, isShared) {
  const prefix = url.pathname.replace(/\/$/, '');
  /** @param {string} method @param {string} path @param {RequestLimits} limits @param {{type: string, value: object}} [body] */
  function exchange(method, path, { silence, signal }, body) {
    const content = body && Buffer.from(JSON.stringify(body.value));
    const headers = { ...options.headers, ...(body && content && { 'content-type': body.type, 'content-length': content.length }) };
    return /** @type {Promise<http.IncomingMessage>} */ (new Promise((resolve, reject) => {
      const call = request(new URL(prefix + path, url), { ...options, method, headers, signal, timeout: silence });
      /** @type {import('node:stream').Readable | import('node:stream').Writable} */
      let last = call;
      call.on('response', (response) => resolve((last = response)));
      call.on('timeout', () => last.destroy(new Silence(`nothing was heard for ${silence / 1000} s`)));
      call.on('error', reject);
      call.end(content);
    }));
  }

  return {
    get: (path, limits) => exchange('GET', path, limits),
    send: (method, path, body, limits) => exchange(method, path, limits, body),
    close() {
      if (!isShared && options.agent instanceof http.Agent) options.agent.destroy();
    },
  };
}
