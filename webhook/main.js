/** `npm run webhook`: reads options, starts the service, and shuts it down gracefully. */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { SlicewiseError, version } from 'slicewise/admission';
import { startArming } from './arm.js';
import { isInCluster } from './cluster/connection.js';
import { ConfigError, address, defaults, defined, level, readConfig } from './config.js';
import { writeDemo } from './demo.js';
import { HELP } from './help.js';
import { createLog, standardOutput } from './log.js';
import { FAULTS } from './metrics.js';
import { loadPair, makePair } from './pair.js';
import { watchFiles } from './reload.js';
import { startService } from './service.js';
import { loadSnapshot, placeInSnapshot } from './snapshot.js';
import { Supervisor } from './supervisor.js';

const BUNDLED = fileURLToPath(new URL('../samples/cluster-at-rest.json', import.meta.url));

/** @typedef {import('./config.js').Config} Config */

const OPTIONS = /** @type {const} */ ({
  config: { type: 'string' },
  snapshot: { type: 'string' },
  kubeconfig: { type: 'string' },
  context: { type: 'string' },
  demo: { type: 'boolean' },
  listen: { type: 'string' },
  'health-listen': { type: 'string' },
  'tls-cert': { type: 'string' },
  'tls-key': { type: 'string' },
  'log-level': { type: 'string' },
  'check-config': { type: 'boolean' },
  version: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
});

function flags() {
  try {
    return parseArgs({ options: OPTIONS, strict: true }).values;
  } catch (error) {
    throw new ConfigError(`${/** @type {Error} */ (error).message}\n\`--help\` lists the options`);
  }
}

/** @param {ReturnType<typeof flags>} given @returns {Config} */
function configOf(given) {
  const { 'tls-cert': cert, 'tls-key': key, 'log-level': logLevel } = given;
  if ((cert === undefined) !== (key === undefined)) throw new ConfigError('--tls-cert and --tls-key must be given together');
  /** @type {Partial<Config>} */
  const fromFlags = defined({
    listen: given.listen === undefined ? undefined : address(given.listen, '--listen'),
    health: given['health-listen'] === undefined ? undefined : address(given['health-listen'], '--health-listen'),
    tls: cert === undefined || key === undefined ? undefined : { cert, key },
    logLevel: logLevel === undefined ? undefined : level(logLevel, '--log-level'),
    snapshot: given.snapshot === undefined ? undefined : given.snapshot === 'none' ? null : given.snapshot,
  });
  const fromFile = given.config === undefined ? {} : readConfig(given.config);
  const config = Object.assign({ ...defaults(), snapshot: given.demo ? BUNDLED : null, cluster: null }, fromFile, fromFlags);
  return { ...config, cluster: clusterOf(config, given) };
}

/**
 * The cluster to watch: the configured one, or the one this runs in.
 * @param {Config} config
 * @param {ReturnType<typeof flags>} given
 * @returns {Config['cluster']}
 */
function clusterOf({ cluster, snapshot }, { kubeconfig, context }) {
  const settings = { ...cluster, ...defined({ kubeconfig, context }) };
  const { inCluster = isInCluster(), ...named } = settings;
  const isNamed = (settings.kubeconfig ?? settings.context) !== undefined;
  if (snapshot !== null && (isNamed || settings.inCluster)) {
    throw new ConfigError(
      'a snapshot and a cluster are mutually exclusive; leave out --snapshot (or --demo, or `snapshot`), or --kubeconfig, --context and `cluster`',
    );
  }
  if (isNamed) return named;
  return inCluster && snapshot === null ? { ...named, inCluster } : null;
}

/**
 * Checks everything that can be checked before a socket is opened. The watches begin, and may fail at once.
 * @param {Config} config @param {import('./log.js').Log} log
 */
async function prepare(config, log) {
  const pair = config.tls ? loadPair(config.tls) : makePair([...new Set(['localhost', '127.0.0.1', '::1', config.listen.host])]);
  const supervisor = new Supervisor({ settings: config.reviewer, snapshot: config.snapshot, cluster: config.cluster, grace: config.limits.grace });
  supervisor.on('log', (as, fields, message) => log[as](fields, message));
  try {
    await supervisor.start();
    return { pair, supervisor };
  } catch (error) {
    if (!(error instanceof SlicewiseError)) throw error;
    const { snapshot } = config;
    if (snapshot === null || /^\/(policies|writers|exceptions|context|ownService)/.test(error.path ?? '')) throw settingError(error, config);
    throw new ConfigError(`the snapshot ${placeInSnapshot(snapshot, error)}: ${error.message}`);
  }
}

/**
 * A mistake that the core has found in its part of the configuration.
 * @param {SlicewiseError} error @param {Partial<Config>} config
 */
function settingError({ path = '', message }, config) {
  return new ConfigError(`${placed(path, config)}: ${message}`);
}

/** A setting, with its place in the configuration file, if there is one. @param {string} path @param {Partial<Config>} config */
function placed(path, { placeOf }) {
  return placeOf ? `${placeOf(path)}: ${path}` : path;
}

async function main() {
  const given = flags();
  if (given.help) return void process.stdout.write(HELP);
  if (given.version) return void process.stdout.write(`${version()}\n`);
  const config = configOf(given);
  checkCallers(config);
  checkArming(config);
  /** @type {import('./service.js').Service | undefined} */
  let service;
  const output = standardOutput(() => service?.metrics.droppedLogs.inc());
  const log = createLog(given['check-config'] ? 'silent' : config.logLevel, output);
  const { pair, supervisor } = await prepare(config, log);
  if (given['check-config']) {
    supervisor.stop();
    return void process.stdout.write('the configuration and the files that it names are valid\n');
  }
  try {
    service = await startService({ config, pair, reviewing: supervisor, log, version: { slicewise: version(), node: process.version } });
  } catch (error) {
    supervisor.stop();
    throw explained(error);
  }
  tellLosses(supervisor, log, service.metrics);
  outliveFaults(service, supervisor, log);
  const from = config.cluster ? { cluster: supervisor.state().server } : { snapshot: config.snapshot };
  log.info({ reviews: `${service.url}/validate`, health: service.healthUrl, ...from, selfSigned: !config.tls }, 'listening');
  if (!config.cluster && config.snapshot === null) {
    log.warn({ mend: 'give --kubeconfig or --snapshot, or run in a cluster' }, 'nothing is known about the cluster');
  }
  const end = watchFiles(watched(given, config, service, supervisor), log, service.metrics);
  endOnSignals(service, supervisor, end, armed(config, supervisor, log));
  // After the signals: until they are handled, they end the process without a chance to remove files.
  if (!config.tls) process.stderr.write(banner(service, writeDemo({ url: service.url, cert: pair.cert, snapshot: loadSnapshot(config.snapshot) })));
}

/**
 * @param {Supervisor} supervisor
 * @param {import('./log.js').Log} log
 * @param {import('./metrics.js').Metrics} metrics
 */
function tellLosses(supervisor, log, metrics) {
  supervisor.on('lost', (reason, detail) => {
    metrics.replacements.inc({ reason });
    log.error({ reason, detail }, 'the reviewer was lost and is being replaced');
  });
  supervisor.on('leftOut', (kind, count) => metrics.leftOut.inc({ kind }, count));
  supervisor.on('caughtUp', (verdict) => metrics.caughtUp.inc({ verdict }));
  supervisor.on('up', () => log.info('the reviewer is up'));
}

/**
 * A fault beside judging must not end a service that others trust: it is told, and the cluster is listed again, since a part of
 * what it sent may be lost. Without its listener, the process is of no use.
 * @param {import('./service.js').Service} service
 * @param {Supervisor} supervisor
 * @param {import('./log.js').Log} log
 */
function outliveFaults(service, supervisor, log) {
  for (const event of FAULTS) {
    process.on(event, (error) => {
      service.metrics.faults.inc({ event });
      log.error({ error, event }, 'a fault was contained; the cluster is listed again');
      if (!service.isServing()) process.exit(1);
      supervisor.relist();
    });
  }
}

/**
 * Arms the configuration of the cluster that is watched.
 * @param {Config} config @param {Supervisor} supervisor @param {import('./log.js').Log} log
 * @returns {() => Promise<void>} stops it
 */
function armed({ arm, reviewer }, { connection }, log) {
  if (!arm || !connection) return () => Promise.resolve();
  const service = typeof reviewer.ownService === 'string' ? reviewer.ownService : undefined;
  return startArming(arm, connection, (weight, message, fields) => log[weight](fields, message), service);
}

/**
 * A configuration is armed in the cluster that is watched, and nowhere else.
 * @param {Config} config
 */
function checkArming(config) {
  if (!config.arm || config.cluster) return;
  throw new ConfigError(
    `${placed('/arm', config)} sets the failurePolicy in the cluster that is watched, and none is watched; give cluster or --kubeconfig, or run ` +
      'in a cluster, or leave out arm',
  );
}

/**
 * Beyond loopback, the service only answers callers with a certificate, unless configured otherwise.
 * @param {Config} config
 */
function checkCallers({ listen, tls }) {
  if (isLoopback(listen.host) || tls?.clientCA !== undefined || tls?.clients === 'anyone') return;
  throw new ConfigError(
    `listening on ${listen.host} needs tls.clientCA, which must have signed callers' certificates; or tls.clients: anyone, if only the API server ` +
      'can reach this port',
  );
}

/**
 * The files to reload when they change.
 * @param {ReturnType<typeof flags>} given
 * @param {Config} config
 * @param {import('./service.js').Service} service
 * @param {Supervisor} supervisor
 * @returns {import('./reload.js').Watched[]}
 */
function watched(given, config, service, supervisor) {
  const { tls } = config;
  /** @type {import('./reload.js').Watched[]} */
  const all = [];
  if (tls) {
    const files = [tls.cert, tls.key, ...(tls.clientCA === undefined ? [] : [tls.clientCA])];
    all.push({ what: 'certificate', files, take: () => service.renew(loadPair(tls)) });
  }
  const file = given.config;
  // Settings of sockets and files take effect on the next start.
  if (file !== undefined) all.push({ what: 'configuration', files: [file], take: () => takeSettings(file, supervisor) });
  return all;
}

/** @param {string} file the configuration @param {Supervisor} supervisor */
function takeSettings(file, supervisor) {
  const changed = readConfig(file);
  try {
    supervisor.configure(changed.reviewer ?? {});
  } catch (error) {
    throw error instanceof SlicewiseError ? settingError(error, changed) : error;
  }
}

/** @param {import('./service.js').Service} service @param {string} demo */
function banner({ url, healthUrl }, demo) {
  return `\nslicewise webhook: reviews at ${url}/validate, readiness at ${healthUrl}/readyz, metrics at ${healthUrl}/metrics\n\n` +
    `${demo}\nCtrl-C ends it.\n\n`;
}

/** @param {any} error @returns {unknown} */
function explained(error) {
  if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES' && error.code !== 'EADDRNOTAVAIL') return error;
  return new ConfigError(`cannot listen on ${error.address}:${error.port} (${error.code}); choose others with --listen and --health-listen`);
}

/** @param {string} host */
function isLoopback(host) {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

/**
 * SIGTERM comes from the cluster: it waits until callers have noticed. SIGINT and SIGHUP come from a person: there is nothing to
 * wait for. A second signal exits at once.
 * @param {import('./service.js').Service} service
 * @param {Supervisor} supervisor
 * @param {() => void} end stops everything else
 * @param {() => Promise<void>} disarm
 */
function endOnSignals(service, supervisor, end, disarm) {
  let isEnding = false;
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT', 'SIGHUP'])) {
    process.on(signal, async () => {
      if (isEnding) process.exit(1);
      isEnding = true;
      end();
      const [inTime] = await Promise.all([service.drain(signal === 'SIGTERM' ? undefined : Promise.resolve()), disarm()]);
      supervisor.stop();
      process.exitCode = inTime ? 0 : 1;
    });
  }
}

try {
  await main();
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`slicewise-webhook: ${error.message}\n`);
  process.exitCode = 2;
}
