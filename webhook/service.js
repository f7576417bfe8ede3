/** Assembles the service: the review port, the plain port, and a graceful shutdown. */
import { X509Certificate, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Callers } from './callers.js';
import { Connections, limitAge } from './connections.js';
import { Gate } from './gate.js';
import { createHealthRoute } from './health.js';
import { Memory } from './memory.js';
import { createMetrics } from './metrics.js';
import { createProbe } from './probe.js';
import { createReviewRoute } from './routes.js';
import { TLS, closeGently, createHealthServer, createReviewServer, listen, urlOf } from './server.js';

/**
 * @typedef {object} Service
 * @property {string} url of the review port
 * @property {string} healthUrl of the plain port
 * @property {(pause?: Promise<unknown>) => Promise<boolean>} drain shuts the service down: readiness fails and responses
 *   close their connection at once; after the pause (by default `drainDelay`) no new requests are accepted, and those in
 *   flight finish. Resolves with whether they did in time.
 * @property {(pair: import('./pair.js').Pair) => void} renew replaces the certificate for new connections, and
 *   ends those of callers whose CA is no longer configured
 * @property {import('./metrics.js').Metrics} metrics
 * @property {() => boolean} isServing whether it accepts reviews, or is shutting down
 * @property {() => Promise<void>} close closes the service at once
 */

/** @typedef {import('./config.js').Config} Config */

/**
 * @param {object} parts
 * @param {Pick<Config, 'listen' | 'health' | 'limits' | 'onFailure'> & Partial<Pick<Config, 'tls'>>} parts.config
 * @param {import('./pair.js').Pair} parts.pair
 * @param {import('./supervisor.js').Reviewing} parts.reviewing
 * @param {import('./log.js').Log} parts.log
 * @param {Record<string, string>} parts.version
 * @returns {Promise<Service>}
 */
export async function startService({ config, pair, reviewing, log, version }) {
  const { limits, onFailure } = config;
  let current = pair;
  const state = { isStarted: false, isDraining: false };
  const gate = new Gate(limits);
  // Explanations are for people; no review waits for them.
  const explainGate = new Gate(limits);
  const auditGate = new Gate({ maxConcurrent: limits.maxAudits, maxQueue: limits.maxAudits });
  const whyNotNow = () => (state.isDraining ? 'shutting down' : reviewing.whyNotReady());
  // As many buffers as can be judged at a time, plus those of audits and probes.
  const memory = new Memory({ buffers: limits.maxConcurrent + limits.maxAudits + 1, budget: limits.maxBufferedBytes });
  const metrics = createMetrics({
    gate,
    memory,
    isReady: () => state.isStarted && whyNotNow() === null,
    reviewer: () => reviewing.state(),
    certificateEnds: () => Date.parse(new X509Certificate(current.cert).validTo) / 1000,
    version: version.slicewise ?? '',
  });
  const probeToken = randomBytes(16).toString('hex');
  /** @type {ReturnType<typeof limitAge>} */
  let isLast = () => false;
  /** @type {Connections['prove']} */
  let prove = () => {};
  /** @type {Callers | null} */
  let callers = null;
  const server = createReviewServer(pair, limits, createReviewRoute({
    reviewing, memory, gate, explainGate, auditGate, limits, onFailure, log, metrics, probeToken, callers: () => callers,
    isLast: (socket) => isLast(socket) || callers?.isLast(socket) === true, prove: (socket) => prove(socket),
  }));
  if (pair.ca !== undefined) callers = new Callers(server, pair.ca, config.tls?.clientNames ?? []);
  const connections = new Connections(server, limits.maxConnections);
  prove = (socket) => connections.prove(socket);
  isLast = limitAge(server, limits.maxConnectionAge, () => state.isDraining);
  const address = await listen(server, config.listen);

  const probe = createProbe({ address, cert: () => current.cert, token: probeToken });
  const whyNotReady = async () => {
    const why = whyNotNow() ?? (await probe());
    return why === null ? null : `not ready: ${why}`;
  };
  const sources = { whyNotReady, note: () => reviewing.note(), isStarted: () => state.isStarted, metrics, version };
  const health = createHealthServer(createHealthRoute(sources));
  let healthAddress;
  try {
    healthAddress = await listen(health, config.health);
  } catch (error) {
    server.close();
    throw error;
  }
  state.isStarted = true;

  /** @type {Service['drain']} */
  async function drain(pause = delay(limits.drainDelay)) {
    state.isDraining = true;
    log.info({ arriving: memory.arriving, inFlight: gate.active, waiting: gate.waiting }, 'draining');
    await pause;
    const inTime = await closeGently(server, limits.drainTimeout);
    await closeGently(health, 1_000);
    log.info({ inTime }, 'stopped');
    return inTime;
  }

  async function close() {
    await Promise.all([closeGently(server, 0), closeGently(health, 0)]);
  }

  /** @type {Service['renew']} */
  function renew(next) {
    server.setSecureContext({ ...next, minVersion: TLS });
    // Session tickets issued under another CA are not accepted.
    server.setTicketKeys(randomBytes(48));
    current = next;
    if (next.ca !== undefined) callers?.replace(next.ca);
  }

  return {
    url: urlOf('https', address),
    healthUrl: urlOf('http', healthAddress),
    drain,
    renew,
    metrics,
    isServing: () => server.listening || state.isDraining,
    close,
  };
}
