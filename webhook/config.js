/**
 * The configuration: a YAML or JSON file, overridden by flags. Strict: an unknown key, a duplicate key or an invalid value
 * is an error that names its path. The core checks its own part just as strictly.
 */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { LineCounter, parseDocument, visit } from 'yaml';
import { maxReviewBytes } from 'slicewise/admission';
import { parseDuration } from './duration.js';
import { LEVELS } from './log.js';
import { ON_FAILURE } from './unjudged.js';
import { locate } from '../yaml/place.js';

/** An error of the user who started the service: one sentence, no stack. */
export class ConfigError extends Error {
  /** @override */
  name = 'ConfigError';
}

/** A mistake in a setting; its path comes first. */
class SettingError extends ConfigError {
  /** @param {string} path @param {string} what is wrong, following the path */
  constructor(path, what) {
    super(`${path || '/'} ${what}`);
    this.path = path;
  }
}

/**
 * @typedef {{host: string, port: number}} Address
 * @typedef {{cert: string, key: string, clientCA?: string, clientNames?: string[], clients?: 'anyone'}} TlsFiles
 * @typedef {import('./unjudged.js').OnFailure} OnFailure
 * @typedef {{kubeconfig?: string, context?: string, inCluster?: boolean, waitForSync?: boolean}} ClusterSettings
 * @typedef {import('slicewise/admission').ReviewerConfig} ReviewerSettings
 *
 * @typedef {object} Limits
 * @property {number} maxBodyBytes
 * @property {number} bodyTimeout milliseconds that the body of a review, or a line of an audit, may take to arrive
 * @property {number} maxBufferedBytes bytes of bodies held at a time
 * @property {number} maxConcurrent reviews being judged
 * @property {number} maxQueue reviews waiting for a place
 * @property {number} maxConnections
 * @property {number} maxConnectionAge milliseconds after which a response closes its connection; 0 for never
 * @property {number} maxConnectionIdle milliseconds that an idle connection is kept
 * @property {number} headersTimeout milliseconds that a handshake, or the headers of a request, may take
 * @property {number} defaultTimeout milliseconds a review may take if the caller sets no timeout
 * @property {number} maxTimeout upper limit for the caller's timeout
 * @property {number} grace milliseconds that judging a review may take before it is stopped
 * @property {number} maxAudits concurrent audits
 * @property {number} maxAuditBytes of one audit
 * @property {number} auditTimeout milliseconds of one audit
 * @property {number} drainDelay milliseconds between failing readiness and closing the listener
 * @property {number} drainTimeout milliseconds for in-flight reviews after that
 *
 * @typedef {object} Config
 * @property {Address} listen
 * @property {Address} health
 * @property {TlsFiles | null} tls files; without them a pair is generated at startup
 * @property {string | null} snapshot file; null for none
 * @property {ClusterSettings | null} cluster the cluster to watch; null if not configured
 * @property {import('./log.js').Level} logLevel
 * @property {Limits} limits
 * @property {OnFailure} onFailure the answer to a review that cannot be judged
 * @property {ReviewerSettings} reviewer the part that the core reads and checks
 * @property {import('./arm.js').ArmSettings} [arm] the failure policy to set once the webhook is known to work
 * @property {(path: string) => string} [placeOf] where a setting is in the configuration file, as `FILE:LINE:COLUMN`
 */

/** @returns {Omit<Config, 'snapshot' | 'cluster'>} */
export function defaults() {
  return {
    listen: { host: '127.0.0.1', port: 8443 },
    health: { host: '127.0.0.1', port: 8081 },
    tls: null,
    logLevel: 'info',
    onFailure: 'error',
    limits: {
      maxBodyBytes: maxReviewBytes(),
      bodyTimeout: 5_000,
      maxBufferedBytes: 128 * 1024 * 1024,
      maxConcurrent: 16,
      maxQueue: 128,
      maxConnections: 1024,
      maxConnectionAge: 300_000,
      // Longer than the API server keeps idle connections (90 s), so that we never close one just as a request arrives.
      maxConnectionIdle: 120_000,
      headersTimeout: 10_000,
      defaultTimeout: 10_000,
      maxTimeout: 30_000,
      grace: 1_000,
      maxAudits: 1,
      maxAuditBytes: 256 * 1024 * 1024,
      auditTimeout: 600_000,
      drainDelay: 3_000,
      drainTimeout: 20_000,
    },
    reviewer: {},
  };
}

/**
 * Reads a configuration file.
 * @param {string} file
 * @returns {Partial<Config>} what it sets; file names in it are relative to it
 */
export function readConfig(file) {
  let text;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(`cannot read ${file}: ${/** @type {Error} */ (error).message}`);
  }
  return parseConfig(text, file);
}

/**
 * @param {string} text YAML, which includes JSON
 * @param {string} file its name, for messages and for the files it names
 * @returns {Partial<Config>}
 */
export function parseConfig(text, file) {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true, prettyErrors: false });
  const placeAt = (/** @type {number} */ offset) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const shown = (/** @type {{line: number, column: number} | null} */ place) => (place ? `${file}:${place.line}:${place.column}` : file);
  const [mistake] = [...document.errors, ...document.warnings];
  if (mistake) throw new ConfigError(`${shown(placeAt(mistake.pos[0]))}: ${mistake.message}`);
  visit(document, {
    Alias(_, { source, range }) {
      throw new ConfigError(`${shown(placeAt(range?.[0] ?? 0))}: aliases such as *${source} are not read; write the value out`);
    },
  });
  const placeOf = (/** @type {string} */ path) => shown(locate(document, path, placeAt));
  try {
    return { ...decode(document.toJS() ?? {}, dirname(file)), placeOf };
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    throw new ConfigError(`${placeOf(error.path)}: ${error.message}`);
  }
}

/** The part that the core reads and checks. */
const REVIEWER = ['policies', 'writers', 'exceptions', 'context', 'ownService'];

/** @param {unknown} root @param {string} folder @returns {Partial<Config>} */
function decode(root, folder) {
  const known = ['server', 'tls', 'snapshot', 'cluster', 'logLevel', 'arm', ...REVIEWER];
  const { server = {}, tls, snapshot, cluster, logLevel, arm, ...reviewer } = fields(root, '', known);
  const { listen, health, onFailure, ...limits } = fields(server, '/server', ['listen', 'health', 'onFailure', ...Object.keys(LIMITS)]);
  const file = (/** @type {unknown} */ name, /** @type {string} */ path) => resolve(folder, string(name, path));
  return defined({
    listen: listen === undefined ? undefined : address(listen, '/server/listen'),
    health: health === undefined ? undefined : address(health, '/server/health'),
    tls: tls === undefined ? undefined : tlsFiles(tls, file),
    snapshot: snapshot === undefined ? undefined : file(snapshot, '/snapshot'),
    cluster: cluster === undefined ? undefined : clusterSettings(cluster, file),
    logLevel: logLevel === undefined ? undefined : level(logLevel, '/logLevel'),
    onFailure: onFailure === undefined ? undefined : oneOf(ON_FAILURE, onFailure, '/server/onFailure'),
    limits: decodeLimits(limits),
    reviewer,
    arm: arm === undefined ? undefined : armSettings(arm),
  });
}

/** @param {unknown} arm @returns {import('./arm.js').ArmSettings} */
function armSettings(arm) {
  const {
    configuration,
    webhook,
    failurePolicy,
    namespace,
    interval = '60s',
    fallback = false,
  } = fields(arm, '/arm', ['configuration', 'webhook', 'failurePolicy', 'namespace', 'interval', 'fallback']);
  if (failurePolicy !== 'Fail' && failurePolicy !== 'Ignore') throw new SettingError('/arm/failurePolicy', 'must be Fail or Ignore');
  if (typeof fallback !== 'boolean') throw new SettingError('/arm/fallback', 'must be true or false');
  return {
    configuration: string(configuration, '/arm/configuration'),
    webhook: string(webhook, '/arm/webhook'),
    failurePolicy,
    namespace: string(namespace, '/arm/namespace'),
    interval: duration(interval, '/arm/interval', 1_000, 86_400_000),
    fallback,
  };
}

/** @param {unknown} tls @param {(name: unknown, path: string) => string} file */
function tlsFiles(tls, file) {
  const { cert, key, clientCA, clientNames, clients } = fields(tls, '/tls', ['cert', 'key', 'clientCA', 'clientNames', 'clients']);
  if (clients !== undefined && clients !== 'anyone') throw new SettingError('/tls/clients', 'can only be anyone');
  if (clientNames !== undefined && !Array.isArray(clientNames)) throw new SettingError('/tls/clientNames', 'must be a list of names');
  if (clientNames !== undefined && clientCA === undefined) {
    throw new SettingError('/tls/clientNames', 'needs /tls/clientCA, which says whose names they are');
  }
  return defined({
    cert: file(cert, '/tls/cert'),
    key: file(key, '/tls/key'),
    clientCA: clientCA === undefined ? undefined : file(clientCA, '/tls/clientCA'),
    clientNames: clientNames?.map((/** @type {unknown} */ name, /** @type {number} */ index) => string(name, `/tls/clientNames/${index}`)),
    clients,
  });
}

/** @param {unknown} cluster @param {(name: unknown, path: string) => string} file @returns {ClusterSettings} */
function clusterSettings(cluster, file) {
  const { kubeconfig, context, inCluster, waitForSync } = fields(cluster, '/cluster', ['kubeconfig', 'context', 'inCluster', 'waitForSync']);
  for (const [name, value] of Object.entries({ inCluster, waitForSync })) {
    if (value !== undefined && typeof value !== 'boolean') throw new SettingError(`/cluster/${name}`, 'must be true or false');
  }
  if (inCluster === true && (kubeconfig ?? context) !== undefined) {
    throw new SettingError(
      '/cluster/inCluster',
      'is for the service account of a pod; leave out /cluster/kubeconfig and /cluster/context, or inCluster',
    );
  }
  return defined({
    kubeconfig: kubeconfig === undefined ? undefined : file(kubeconfig, '/cluster/kubeconfig'),
    context: context === undefined ? undefined : string(context, '/cluster/context'),
    inCluster,
    waitForSync,
  });
}

/** The parser of each limit, with its minimum and maximum. @type {Record<keyof Limits, [typeof integer | typeof duration, number, number]>} */
export const LIMITS = {
  maxBodyBytes: [integer, 1024, maxReviewBytes()],
  bodyTimeout: [duration, 10, 30_000],
  maxBufferedBytes: [integer, 1024, 4 * 1024 * 1024 * 1024],
  maxConcurrent: [integer, 1, 1024],
  maxQueue: [integer, 0, 65_536],
  maxConnections: [integer, 1, 65_536],
  defaultTimeout: [duration, 1, 30_000],
  maxTimeout: [duration, 1, 30_000],
  grace: [duration, 10, 30_000],
  maxConnectionAge: [duration, 0, 86_400_000],
  maxConnectionIdle: [duration, 1_000, 3_600_000],
  headersTimeout: [duration, 100, 60_000],
  maxAudits: [integer, 1, 16],
  maxAuditBytes: [integer, 1024, 4 * 1024 * 1024 * 1024],
  auditTimeout: [duration, 1, 3_600_000],
  drainDelay: [duration, 0, 300_000],
  drainTimeout: [duration, 0, 300_000],
};

/** @param {Record<string, unknown>} given @returns {Limits} */
function decodeLimits(given) {
  const entries = Object.entries(given).map(([name, value]) => {
    const [read, least, most] = LIMITS[/** @type {keyof Limits} */ (name)];
    return [name, read(value, `/server/${name}`, least, most)];
  });
  const limits = { ...defaults().limits, ...Object.fromEntries(entries) };
  if (limits.maxBufferedBytes < limits.maxBodyBytes) throw new SettingError('/server/maxBufferedBytes', 'must be at least /server/maxBodyBytes');
  return limits;
}

/**
 * An object with known keys only.
 * @param {unknown} value
 * @param {string} path
 * @param {string[] | null} known null to accept any
 * @returns {Record<string, any>}
 */
function fields(value, path, known) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new SettingError(path, 'must be an object');
  const unknown = known && Object.keys(value).find((key) => !known.includes(key));
  if (known && unknown !== undefined && unknown !== null) {
    throw new SettingError(`${path}/${unknown}`, `is not a setting; the settings are ${known.join(', ')}`);
  }
  return value;
}

/** @param {unknown} value @param {string} path */
function string(value, path) {
  if (typeof value !== 'string' || value === '') throw new SettingError(path, 'must be a text that is not empty');
  return value;
}

/** @param {unknown} value @param {string} path @param {number} least @param {number} most */
function integer(value, path, least, most) {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most) {
    throw new SettingError(path, `must be a whole number from ${least} to ${most}`);
  }
  return value;
}

/** @param {unknown} value @param {string} path @param {number} least @param {number} most */
function duration(value, path, least, most) {
  const milliseconds = typeof value === 'string' ? parseDuration(value) : null;
  if (milliseconds === null || milliseconds < least || milliseconds > most) {
    throw new SettingError(path, `must be a duration such as "10s" or "250ms", from ${least}ms to ${most}ms`);
  }
  return milliseconds;
}

/** @param {unknown} value @param {string} path @returns {import('./log.js').Level} */
export function level(value, path) {
  return oneOf(LEVELS, value, path);
}

/**
 * @template {string} Name
 * @param {readonly Name[]} names
 * @param {unknown} value
 * @param {string} path
 * @returns {Name}
 */
function oneOf(names, value, path) {
  const found = names.find((name) => name === value);
  if (!found) throw new SettingError(path, `must be one of ${names.join(', ')}`);
  return found;
}

/**
 * `127.0.0.1:8443`, `[::1]:8443`, `localhost:8443`; port 0 picks a free one.
 * @param {unknown} value
 * @param {string} path
 * @returns {Address}
 */
export function address(value, path) {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]\s]+)):(\d{1,5})$/.exec(typeof value === 'string' ? value : '');
  const port = Number(match?.[3]);
  if (!match || port > 65_535) throw new SettingError(path, 'must be HOST:PORT, such as 127.0.0.1:8443 or [::1]:8443');
  return { host: match[1] ?? match[2], port };
}

/**
 * Without the keys whose value is undefined.
 * @template T
 * @param {T} object
 * @returns {T}
 */
export function defined(object) {
  return /** @type {T} */ (Object.fromEntries(Object.entries(/** @type {object} */ (object)).filter(([, value]) => value !== undefined)));
}
