/** Services under test: on free loopback ports, stopped after the test. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defaults } from '../../../webhook/config.js';
import { createLog } from '../../../webhook/log.js';
import { makePair } from '../../../webhook/pair.js';
import { startService } from '../../../webhook/service.js';
import { Supervisor } from '../../../webhook/supervisor.js';
import { Client } from './client.js';
import { inProcess } from './in-process.js';

/** One pair for all tests of a file, because generating one is slow. */
export const pair = makePair(['localhost', '127.0.0.1', '::1']);

const SNAPSHOT = new URL('../../../samples/cluster-at-rest.json', import.meta.url);

/** The bundled cluster. */
export const snapshot = () => new Uint8Array(readFileSync(SNAPSHOT));
export const snapshotFile = fileURLToPath(SNAPSHOT);

/**
 * A reviewer that allows everything, and records the reviews.
 * @param {(review: any, policy?: string) => object} [decide] fields of the response
 */
export function fakeReviewer(decide = () => ({})) {
  const asked = /** @type {{uid: string, policy?: string}[]} */ ([]);
  return {
    asked,
    judge(/** @type {Uint8Array} */ bytes, /** @type {string | undefined} */ policy) {
      const { request } = JSON.parse(new TextDecoder().decode(bytes));
      asked.push({ uid: request.uid, policy });
      const status = { code: 200, message: 'allowed', details: { kind: request.kind.kind, name: request.name } };
      const response = { uid: request.uid, allowed: true, status, warnings: [], auditAnnotations: {}, ...decide(request, policy) };
      const { warnings, allowed, auditAnnotations } = /** @type {any} */ (response);
      const verdict = /** @type {'warn' | 'allow' | 'deny'} */ (allowed ? (warnings.length > 0 ? 'warn' : 'allow') : 'deny');
      const reason = verdict === 'warn' ? warnings.join('; ') : response.status.message;
      const record = { verdict, uid: request.uid, kind: request.kind.kind, name: request.name, policies: Object.keys(auditAnnotations), reason };
      return { answer: new TextEncoder().encode(JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response })), record };
    },
  };
}

/**
 * @param {import('node:test').TestContext} t
 * @param {object} [options]
 * @param {import('./in-process.js').Judging} [options.reviewer]
 * @param {import('../../../webhook/supervisor.js').Reviewing} [options.reviewing] instead of the reviewer
 * @param {import('../../../webhook/config.js').OnFailure} [options.onFailure]
 * @param {import('../../../webhook/pair.js').Pair} [options.callersOf] the authority whose certificates callers must show
 * @param {string[]} [options.clientNames] the names that callers may have
 * @param {Partial<import('../../../webhook/config.js').Limits>} [options.limits]
 * @param {import('../../../webhook/log.js').Level} [options.level]
 */
export async function start(t, {
  reviewer = fakeReviewer(),
  reviewing = inProcess(reviewer),
  limits = {},
  level = 'debug',
  onFailure = 'error',
  callersOf,
  clientNames,
} = {}) {
  /** @type {any[]} */
  const lines = [];
  const log = createLog(level, { write: (line) => void lines.push(JSON.parse(line)) });
  const free = { host: '127.0.0.1', port: 0 };
  const config = {
    listen: free,
    health: free,
    limits: { ...defaults().limits, ...limits },
    onFailure,
    tls: clientNames === undefined ? null : { cert: '', key: '', clientNames },
  };
  const service = await startService({ config, pair: { ...pair, ca: callersOf?.cert }, reviewing, log, version: { slicewise: '0.0.0-test' } });
  const client = new Client(service, pair.cert);
  t.after(async () => {
    client.close();
    await service.close();
  });
  return { service, client, lines };
}

/**
 * A service with the real reviewer, which is replaced if lost.
 * @param {import('node:test').TestContext} t
 * @param {Partial<ConstructorParameters<typeof Supervisor>[0]>} [supervised]
 * @param {Parameters<typeof start>[1]} [options]
 */
export async function startReal(t, supervised = {}, options = {}) {
  const supervisor = new Supervisor({ settings: {}, snapshot: snapshotFile, ...supervised });
  await supervisor.start();
  t.after(() => supervisor.stop());
  return { supervisor, ...(await start(t, { reviewing: supervisor, ...options })) };
}

/** For every test that waits: long enough for a busy machine, so that only a wait in vain ends it. */
export const LIMIT = { timeout: 600_000 };

/** Resolves once `condition` holds, checking on every turn of the event loop: no clock, bounded by the test's own timeout. */
export async function until(/** @type {() => unknown} */ condition) {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
}
