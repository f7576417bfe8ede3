/** The parts put together: a listener for reviews, a plain port, and an orderly end. */
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Gate } from './gate.js';
import { createJudge } from './judge.js';
import { createHealthRoute } from './health.js';
import { createMetrics } from './metrics.js';
import { createProbe } from './probe.js';
import { createReviewRoute } from './routes.js';
import { closeGently, createHealthServer, createReviewServer, listen, urlOf } from './server.js';

/**
 * @typedef {object} Service
 * @property {string} url of the review port
 * @property {string} healthUrl of the plain port
 * @property {(pause?: Promise<unknown>) => Promise<boolean>} drain ends the service: readiness fails and answers close
 *   their connection at once; after the pause (by default `drainDelay`) nothing new is taken, and what is in flight
 *   finishes. Resolves with whether it did in time.
 * @property {() => Promise<void>} close at once
 */

/**
 * @param {object} parts
 * @param {Pick<import('./config.js').Config, 'listen' | 'health' | 'limits'>} parts.config
 * @param {import('./pair.js').Pair} parts.pair
 * @param {import('./judge.js').Judging} parts.reviewer
 * @param {import('./log.js').Log} parts.log
 * @param {Record<string, string>} parts.version
 * @returns {Promise<Service>}
 */
export async function startService({ config, pair, reviewer, log, version }) {
  const { limits } = config;
  const state = { isStarted: false, isDraining: false };
  const gate = new Gate(limits);
  const metrics = createMetrics({ gate, isReady: () => state.isStarted && !state.isDraining, version: version.slicewise ?? '' });
  const probeToken = randomBytes(16).toString('hex');
  const isDraining = () => state.isDraining;
  const route = createReviewRoute({ judge: createJudge(reviewer), gate, limits, log, metrics, isDraining, probeToken });
  const server = createReviewServer(pair, limits, route);
  const address = await listen(server, config.listen);

  const probe = createProbe({ address, cert: pair.cert, token: probeToken });
  const whyNotReady = () => (state.isDraining ? Promise.resolve('not ready: shutting down') : probe());
  const health = createHealthServer(createHealthRoute({ whyNotReady, isStarted: () => state.isStarted, metrics: metrics.render, version }));
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

  return { url: urlOf('https', address), healthUrl: urlOf('http', healthAddress), drain, close };
}
