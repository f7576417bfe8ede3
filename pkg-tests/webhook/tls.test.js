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
import { LIMIT, fakeReviewer, pair as ours, start, until } from './lib/start.js';

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

/** @typedef {{text: () => string, isClosed: () => boolean, send: (uid: string) => void}} Opened a connection */

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

test('callers of an authority that is no longer trusted get nothing, whatever they were told before', LIMIT, async (t) => {
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
      const socket = connect({
        host: hostname,
        port: Number(port),
        ca: pair.cert,
        servername: 'localhost',
        cert: own.cert,
        key: own.key,
        session,
      }, () => {
        isResumed = socket.isSessionReused();
        socket.write(
          `POST /validate HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: ${review.length}\r\nconnection: close\r\n\r\n${review}`,
        );
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

test('the log has the name of a refused caller and those allowed, and the caller learns neither', async (t) => {
  const known = makePair(HOSTS);
  const { client, lines } = await start(t, { callersOf: known, clientNames: ['kube-apiserver', 'front-proxy'] });
  const name = new X509Certificate(known.cert).subject.replace('CN=', '');
  const [wrong, foreign] = [caller(ours.cert, known), caller(ours.cert, makePair(HOSTS))];
  for (const agent of [wrong, foreign, false]) {
    const { status, text } = await client.post(anyReview(), '/validate', { agent: /** @type {any} */ (agent) });
    assert.equal(status, 401);
    assert.deepEqual(JSON.parse(text), { error: { code: 'Unauthorized', message: 'callers need a client certificate from the configured CA' } });
  }
  const told = lines.filter(({ message }) => message === 'refused').map(({ reason, presented, allowed }) => ({ reason, presented, allowed }));
  assert.deepEqual(told, [
    { reason: 'the certificate has another name', presented: name, allowed: ['kube-apiserver', 'front-proxy'] },
    { reason: 'the certificate is not from the configured CA', presented: undefined, allowed: undefined },
    { reason: 'no client certificate', presented: undefined, allowed: undefined },
  ]);
  for (const agent of [wrong, foreign]) agent.destroy();
});

test('a replaced authority ends the connections of the removed one, after their reviews, and no others', LIMIT, async (t) => {
  const [removed, kept, added] = [makePair(HOSTS), makePair(HOSTS), makePair(HOSTS)];
  /** @type {(() => void)[]} */
  const held = [];
  const judging = inProcess(fakeReviewer());
  /** @type {typeof judging} */
  const reviewing = {
    ...judging,
    ask: (...asked) => {
      const isHeld = new TextDecoder().decode(asked[1]).includes('"held"');
      const verdict = judging.ask(...asked);
      return isHeld ? new Promise((resolve) => held.push(() => resolve(verdict))) : verdict;
    },
  };
  const { service, client } = await start(t, { reviewing, callersOf: { ...removed, cert: removed.cert + kept.cert } });
  const { hostname, port } = new URL(client.url);
  const openAs = (/** @type {import('../../webhook/pair.js').Pair} */ own) =>
    /** @type {Promise<Opened>} */ (new Promise((resolve, reject) => {
      let [text, isClosed] = ['', false];
      const socket = connect({ host: hostname, port: Number(port), ca: ours.cert, servername: 'localhost', cert: own.cert, key: own.key }, () => {
        const send = (/** @type {string} */ uid) => {
          const review = anyReview(uid);
          socket.write(`POST /validate HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: ${review.length}\r\n\r\n${review}`);
        };
        resolve({ text: () => text, isClosed: () => isClosed, send });
      });
      socket.setEncoding('utf8').on('data', (chunk) => (text += chunk)).on('error', reject).on('close', () => (isClosed = true));
      t.after(() => socket.destroy());
    }));
  const answers = (/** @type {{text: () => string}} */ { text }) => text().match(/HTTP\/1\.1 \d+/g) ?? [];
  const [idle, silent, busy, staying, stayingBusy] = await Promise.all([removed, removed, removed, kept, kept].map(openAs));
  for (const each of [idle, busy, staying, stayingBusy]) each.send('first');
  await until(() => [idle, busy, staying, stayingBusy].every((each) => answers(each).length === 1));
  for (const each of [busy, stayingBusy]) each.send('held');
  await until(() => held.length === 2);
  service.renew({ ...ours, ca: kept.cert + added.cert });
  await until(() => idle.isClosed() && silent.isClosed());
  assert.deepEqual([answers(idle), answers(silent)], [['HTTP/1.1 200'], []]);
  assert.deepEqual([busy, staying, stayingBusy].map((each) => each.isClosed()), [false, false, false]);
  for (const answer of held) answer();
  await until(() => busy.isClosed());
  assert.deepEqual(answers(busy), ['HTTP/1.1 200', 'HTTP/1.1 200'], 'the review under way is answered');
  assert.match(busy.text().slice(busy.text().lastIndexOf('HTTP/1.1')), /connection: close/i);
  await until(() => answers(stayingBusy).length === 2);
  for (const each of [staying, stayingBusy]) each.send('later');
  await until(() => answers(staying).length === 2 && answers(stayingBusy).length === 3);
  assert.ok(!`${staying.text()}${stayingBusy.text()}`.includes('401'));
  const [late, next] = [await openAs(removed), await openAs(added)];
  for (const each of [late, next]) each.send('late');
  await until(() => answers(late).length === 1 && answers(next).length === 1);
  assert.deepEqual([answers(late), answers(next)], [['HTTP/1.1 401'], ['HTTP/1.1 200']]);
});

test('a request that follows on a connection of a removed authority is refused', LIMIT, async (t) => {
  const [removed, added] = [makePair(HOSTS), makePair(HOSTS)];
  /** @type {(() => void)[]} */
  const held = [];
  const judging = inProcess(fakeReviewer());
  const ask = /** @type {typeof judging.ask} */ ((...asked) => new Promise((resolve) => held.push(() => resolve(judging.ask(...asked)))));
  const { service, client } = await start(t, { reviewing: { ...judging, ask }, callersOf: removed });
  const { hostname, port } = new URL(client.url);
  const review = anyReview();
  const request = `POST /validate HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: ${review.length}\r\n\r\n${review}`;
  let text = '';
  const socket = connect({ host: hostname, port: Number(port), ca: ours.cert, servername: 'localhost', cert: removed.cert, key: removed.key }, () =>
    socket.write(request),
  );
  const closed = new Promise((resolve) => socket.setEncoding('utf8').on('data', (chunk) => (text += chunk)).on('close', resolve));
  await until(() => held.length === 1);
  service.renew({ ...ours, ca: added.cert });
  // Pipelined: Node reads it while the first is under way.
  socket.write(request);
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(held.length, 1, 'it is not judged');
  for (const answer of held) answer();
  await closed;
  assert.equal(text.match(/HTTP\/1\.1 200/g)?.length, 1);
});

test('certificates are swapped under load, and no review fails', LIMIT, async (t) => {
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

test('a Secret that is swapped by its link is read anew, and a broken one is told', LIMIT, async (t) => {
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
  const metrics = createMetrics({
    gate: { active: 0, waiting: 0 },
    memory: { arriving: 0, held: 0 },
    isReady: () => true,
    reviewer: inProcess(fakeReviewer()).state,
    certificateEnds: () => undefined,
    version: '',
  });
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
