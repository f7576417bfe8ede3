/** The parts put together: a listener for reviews, a plain port, and an orderly end. */
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Gate } from './gate.js';
import { createJudge } from './judge.js';
import { createHealthRoute } from './health.js';
import { createMetrics } from './metrics.js';
import { createProbe } from './probe.js';
import { createReviewRoute } from './routes.js';
import { TLS, closeGently, createHealthServer, createReviewServer, listen, urlOf } from './server.js';

/**
 * @typedef {object} Service
 * @property {string} url of the review port
 * @property {string} healthUrl of the plain port
 * @property {(pause?: Promise<unknown>) => Promise<boolean>} drain ends the service: readiness fails and answers close
 *   their connection at once; after the pause (by default `drainDelay`) nothing new is taken, and what is in flight
 *   finishes. Resolves with whether it did in time.
 * @property {(pair: import('./pair.js').Pair) => void} renew takes another certificate, for connections from now on
 * @property {import('./metrics.js').Metrics} metrics
 * @property {() => Promise<void>} close at once
 */

/**
 * @param {object} parts
 * @param {Pick<import('./config.js').Config, 'listen' | 'health' | 'limits'> & {tls?: import('./config.js').TlsFiles | null}} parts.config
 * @param {import('./pair.js').Pair} parts.pair
 * @param {import('./judge.js').Judging} parts.reviewer
 * @param {import('./log.js').Log} parts.log
 * @param {Record<string, string>} parts.version
 * @param {import('./cluster/context.js').Context} [parts.context] of a cluster that is watched
 * @returns {Promise<Service>}
 */
export async function startService({ config, pair, reviewer, log, version, context }) {
  const { limits } = config;
  let current = pair;
  const state = { isStarted: false, isDraining: false };
  const gate = new Gate(limits);
  const isReady = () => state.isStarted && !state.isDraining;
  const metrics = createMetrics({ gate, isReady, version: version.slicewise ?? '', cluster: context?.metrics });
  const probeToken = randomBytes(16).toString('hex');
  const isDraining = () => state.isDraining;
  const callers = pair.ca === undefined ? null : (config.tls?.clientNames ?? []);
  const route = createReviewRoute({ judge: createJudge(reviewer), gate, limits, log, metrics, isDraining, probeToken, callers });
  const server = createReviewServer(pair, limits, route);
  const address = await listen(server, config.listen);

  const probe = createProbe({ address, cert: () => current.cert, token: probeToken });
  const whyNotReady = () => {
    const why = state.isDraining ? 'shutting down' : context?.whyNotReady();
    return why ? Promise.resolve(`not ready: ${why}`) : probe();
  };
  const sources = { whyNotReady, note: context?.note, isStarted: () => state.isStarted, metrics: metrics.render, version };
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
    log.info('draining', { inFlight: gate.active, waiting: gate.waiting });
    await pause;
    const inTime = await closeGently(server, limits.drainTimeout);
    await closeGently(health, 1_000);
    log.info('stopped', { inTime });
    return inTime;
  }

  async function close() {
    await Promise.all([closeGently(server, 0), closeGently(health, 0)]);
  }

  /** @type {Service['renew']} */
  function renew(next) {
    server.setSecureContext({ ...next, minVersion: TLS });
    // Nobody comes back by a ticket that another authority has earned them.
    server.setTicketKeys(randomBytes(48));
    current = next;
  }

  return { url: urlOf('https', address), healthUrl: urlOf('http', healthAddress), drain, renew, metrics, close };
}
