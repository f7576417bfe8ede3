/** Certificates: who may call, and how they are replaced, also under load. */
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, renameSync, rmSync, symlinkSync, mkdirSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { connect } from 'node:tls';
import { defaults } from '../../webhook/config.js';
import { createLog } from '../../webhook/log.js';
import { createMetrics } from '../../webhook/metrics.js';
import { loadPair, makePair } from '../../webhook/pair.js';
import { watchFiles } from '../../webhook/reload.js';
import { startService } from '../../webhook/service.js';
import { Client } from './lib/client.js';
import { inProcess } from './lib/in-process.js';
import { anyReview } from './lib/reviews.js';
import { fakeReviewer, until } from './lib/start.js';

const HOSTS = ['localhost', '127.0.0.1'];

/** @param {import('node:test').TestContext} t @param {import('../../webhook/pair.js').Pair} pair @param {string[]} [clientNames] */
async function startWith(t, pair, clientNames) {
  const free = { host: '127.0.0.1', port: 0 };
  const tls = { cert: '', key: '', clientNames };
  const config = { ...defaults(), listen: free, health: free, tls };
  const log = createLog('silent', process.stdout);
  const service = await startService({ config, pair, reviewing: inProcess(fakeReviewer()), log, version: { slicewise: 'test' } });
  const client = new Client(service, pair.cert);
  t.after(async () => {
    client.close();
    await service.close();
  });
  return { service, client };
}

/** A caller with a certificate. @param {string} ca @param {import('../../webhook/pair.js').Pair} own */
const caller = (ca, own) => new Agent({ ca, cert: own.cert, key: own.key, keepAlive: true });

test('callers without the certificate get nothing', async (t) => {
  const [pair, known, stranger] = [makePair(HOSTS), makePair(HOSTS), makePair(HOSTS)];
  const { client } = await startWith(t, { ...pair, ca: known.cert });
  const post = async (/** @type {Agent | false} */ agent) => (await client.post(anyReview(), '/validate', { agent })).status;
  const [good, bad] = [caller(pair.cert, known), caller(pair.cert, stranger)];
  assert.equal(await post(good), 200);
  assert.equal(await post(good), 200, 'on the same connection');
  assert.equal(await post(bad), 401);
  const none = await client.post(anyReview(), '/validate', { agent: false });
  assert.deepEqual([none.status, none.json.error.code], [401, 'Unauthorized']);
  for (const path of ['/', '/validate/nope', '/metrics']) assert.equal((await client.post('x'.repeat(100), path, { agent: false })).status, 401);
  const forged = await client.post(anyReview(), '/validate', { agent: false, headers: { 'x-slicewise-probe': 'guess' } });
  assert.equal(forged.status, 401);
  assert.equal((await client.get('/readyz')).status, 200, 'the probe goes through the listener all the same');
  for (const agent of [good, bad]) agent.destroy();
});

test('names among those that the authority knows', async (t) => {
  const [pair, known] = [makePair(HOSTS), makePair(HOSTS)];
  const { subject } = new X509Certificate(known.cert);
  for (const [names, status] of /** @type {const} */ ([[[subject.replace('CN=', '')], 200], [['apiserver'], 401]])) {
    const { client } = await startWith(t, { ...pair, ca: known.cert }, [...names]);
    const agent = caller(pair.cert, known);
    assert.equal((await client.post(anyReview(), '/validate', { agent })).status, status);
    agent.destroy();
  }
});

test('callers of an authority that is no longer trusted get nothing, whatever they were told before', { timeout: 20_000 }, async (t) => {
  const [pair, first, second] = [makePair(HOSTS), makePair(HOSTS), makePair(HOSTS)];
  const { service, client } = await startWith(t, { ...pair, ca: first.cert });
  const { hostname, port } = new URL(client.url);
  const review = anyReview();
  /** @param {import('../../webhook/pair.js').Pair} own @param {Buffer} [session] a ticket of a connection before */
  const ask = (own, session) =>
    /** @type {Promise<{status: string, isResumed: boolean, ticket?: Buffer}>} */ (new Promise((resolve, reject) => {
      /** @type {Buffer | undefined} */
      let ticket;
      let isResumed = false;
      const socket = connect({ host: hostname, port: Number(port), ca: pair.cert, servername: 'localhost', cert: own.cert, key: own.key, session }, () => {
        isResumed = socket.isSessionReused();
        socket.write(`POST /validate HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: ${review.length}\r\nconnection: close\r\n\r\n${review}`);
      });
      let text = '';
      socket.on('session', (given) => (ticket = given)).on('error', reject);
      socket.on('data', (chunk) => (text += chunk)).on('close', () => resolve({ status: text.slice(9, 12), isResumed, ticket }));
    }));
  const before = await ask(first);
  assert.deepEqual([before.status, (await ask(second)).status], ['200', '401']);
  const again = await ask(first, before.ticket);
  assert.deepEqual([again.status, again.isResumed], ['200', true]);
  service.renew({ ...pair, ca: second.cert });
  for (const ticket of [undefined, before.ticket, again.ticket]) assert.equal((await ask(first, ticket)).status, '401');
  assert.equal((await ask(second)).status, '200');
});

test('certificates are swapped under load, and no review fails', { timeout: 60_000 }, async (t) => {
  const pairs = Array.from({ length: 4 }, () => makePair(HOSTS));
  const { service, client } = await startWith(t, pairs[0]);
  let [running, answered] = [true, 0];
  /** @type {unknown[]} */
  const failures = [];
  const work = async () => {
    while (running) {
      // Connections made during the swap may get either one.
      const ca = pairs.map(({ cert }) => cert);
      const agent = new Agent({ ca: /** @type {any} */ (ca), keepAlive: true, maxSockets: 1 });
      for (let each = 0; each < 5; each += 1) {
        try {
          const { status } = await client.post(anyReview(), '/validate', { agent, ca });
          if (status !== 200) failures.push(status);
        } catch (error) {
          failures.push(error);
        }
        answered += 1;
      }
      agent.destroy();
    }
  };
  const workers = Array.from({ length: 4 }, work);
  for (const next of pairs.slice(1)) {
    const target = answered + 60;
    await until(() => answered >= target);
    service.renew(next);
    assert.equal((await client.get('/readyz')).status, 200);
  }
  running = false;
  await Promise.all(workers);
  assert.deepEqual(failures, []);
  await assert.rejects(client.post(anyReview(), '/validate', { agent: false }), 'the first certificate is gone');
});

test('a Secret that is swapped by its link is read anew, and a broken one is told', { timeout: 20_000 }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'slicewise-tls-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const tls = { cert: join(folder, 'tls.crt'), key: join(folder, 'tls.key') };
  let round = 0;
  /** As the kubelet does: a folder with the new version, and a renamed link. @param {string} cert @param {string} key */
  const put = (cert, key) => {
    const version = `..${(round += 1)}`;
    mkdirSync(join(folder, version));
    writeFileSync(join(folder, version, 'tls.crt'), cert);
    writeFileSync(join(folder, version, 'tls.key'), key);
    symlinkSync(version, join(folder, '..data_tmp'));
    renameSync(join(folder, '..data_tmp'), join(folder, '..data'));
  };
  const [first, second] = [makePair(HOSTS), makePair(HOSTS)];
  put(first.cert, first.key);
  for (const name of ['tls.crt', 'tls.key']) symlinkSync(join('..data', name), join(folder, name));
  const metrics = createMetrics({ gate: { active: 0, waiting: 0 },
    memory: { arriving: 0, held: 0 }, isReady: () => true, reviewer: inProcess(fakeReviewer()).state, certificateEnds: () => undefined, version: '' });
  /** @type {string[]} */
  const taken = [];
  const log = createLog('silent', process.stdout);
  const end = watchFiles([{ what: 'certificate', files: [tls.cert, tls.key], take: () => void taken.push(loadPair(tls).cert) }], log, metrics);
  t.after(end);
  put(second.cert, second.key);
  await until(() => taken.length > 0);
  assert.deepEqual(taken, [second.cert]);
  put(first.cert, second.key);
  await until(async () => (await metrics.render()).includes('reloads_total{what="certificate",result="refused"} 1'));
  assert.equal(taken.length, 1, 'what does not belong together is not taken');
});
