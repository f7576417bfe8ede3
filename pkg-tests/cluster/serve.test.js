/** `slicewise serve` under attack, with a fake API server and a page of one file. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { FakeApi } from '../webhook/lib/api-server.js';
import { eventually } from './lib/controller.js';
import { data, pageOf, startServe, stream } from './lib/events.js';
import { Following } from './lib/following.js';

/** The maximum number of event streams. */
const CLIENTS = 16;

/** @typedef {{status: number, text: string, headers: import('node:http').IncomingHttpHeaders}} Answer */

/** @param {FakeApi} api @param {string} name @param {number} endpoints @param {object} [annotations] */
function addService(api, name, endpoints, annotations) {
  api.set({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace: 'shop', name, annotations },
    spec: { clusterIP: '10.9.0.1', selector: { app: name }, ports: [{ port: 80 }] },
  });
  const labels = { 'kubernetes.io/service-name': name, 'endpointslice.kubernetes.io/managed-by': 'somebody' };
  const all = Array.from({ length: endpoints }, (_, index) => ({
    addresses: [`10.0.${index >> 8}.${index & 255}`],
    conditions: { ready: true },
    hostname: 'x'.repeat(60),
  }));
  api.set({
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { namespace: 'shop', name: `${name}-a`, labels },
    addressType: 'IPv4',
    ports: [],
    endpoints: all,
  });
}

/** @param {import('node:test').TestContext} t */
async function start(t) {
  const api = await FakeApi.start(t);
  addService(api, 'cart', 2);
  api.set({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: 'shop', name: 'cart-1', labels: { app: 'cart' }, annotations: { secret: 'hunter2' } },
    spec: { containers: [{ name: 'main', env: [{ name: 'PASSWORD', value: 'hunter2' }] }] },
  });
  const folder = mkdtempSync(join(tmpdir(), 'slicewise-serve-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'page'));
  writeFileSync(join(folder, 'secret.txt'), 'hunter2');
  writeFileSync(join(folder, 'page', 'index.html'), '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'">');
  return { api, ...await startServe(t, ['-A', '--kubeconfig', api.kubeconfig(api.url, false), '--page', join(folder, 'page')]) };
}

/**
 * @param {number} port @param {string} path @param {Record<string, string>} [headers] @param {string} [method]
 * @returns {Promise<Answer>} for event streams, the first event of each kind
 */
function ask(port, path, headers = {}, method = 'GET') {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
      let text = '';
      const done = () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers });
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
        // The two may come in either order.
        if (response.headers['content-type'] === 'text/event-stream' && /event: all\n/.test(text) && /event: (objects|absent)[^]*\n\n$/.test(text)) {
          done();
          asked.destroy();
        }
      });
      response.on('end', done);
    });
    asked.on('error', reject);
    asked.end();
  });
}

const CART = '/live?service=shop/cart';

test('who has the token is told, and nobody else', async (t) => {
  const { port, auth, token } = await start(t);
  const own = await ask(port, CART, auth);
  assert.equal(own.status, 200);
  assert.deepEqual(data(own.text, 'all').services, ['shop/cart']);
  assert.deepEqual(
    data(own.text, 'objects').items.map((/** @type {any} */ item) => `${item.apiVersion} ${item.kind}`),
    ['v1 Service', 'v1 Pod', 'discovery.k8s.io/v1 EndpointSlice'],
  );
  assert.ok(!own.text.includes('hunter2'), 'of pods no more is told than plans depend on');
  assert.equal(own.headers['cache-control'], 'no-store');

  for (const [what, headers, status] of /** @type {[string, Record<string, string>, number][]} */ ([
    ['no token', {}, 401],
    ['a wrong token', { authorization: `Bearer ${'0'.repeat(64)}` }, 401],
    ['the token as another scheme', { authorization: `Basic ${token}` }, 401],
    ['the token in a cookie', { cookie: `token=${token}` }, 401],
    ['a rebound name', { ...auth, host: `evil.example:${port}` }, 421],
    ['a name that begins well', { ...auth, host: '127.0.0.1.evil.example' }, 421],
    ['a foreign origin', { ...auth, origin: 'http://evil.example' }, 403],
    ['no origin at all', { ...auth, origin: 'null' }, 403],
    ['another port', { ...auth, origin: 'http://127.0.0.1:1' }, 403],
    ['another site', { ...auth, 'sec-fetch-site': 'cross-site' }, 403],
  ])) {
    const answer = await ask(port, CART, headers);
    assert.equal(answer.status, status, what);
    assert.ok(!answer.text.includes('shop'), what);
    assert.equal(answer.headers['access-control-allow-origin'], undefined);
  }
  assert.equal((await ask(port, `/live?token=${token}`)).status, 401, 'not in the address');
  assert.equal((await ask(port, CART, { ...auth, host: `localhost:${port}`, origin: `http://localhost:${port}` })).status, 200);
});

test('nothing can be changed, and no path leads out', async (t) => {
  const { port, auth } = await start(t);
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
    assert.equal((await ask(port, CART, auth, method)).status, 405, method);
    assert.equal((await ask(port, '/', {}, method)).status, 405, method);
  }
  const page = await ask(port, '/');
  assert.equal(page.status, 200);
  assert.equal(page.headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'");
  assert.equal(page.headers['referrer-policy'], 'no-referrer');
  assert.equal(page.headers['x-content-type-options'], 'nosniff');
  assert.equal((await ask(port, '/', {}, 'HEAD')).text, '');
  assert.equal((await ask(port, '/', { host: 'evil.example' })).status, 421);
  for (const path of [
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '//secret.txt',
    '/page/../../secret.txt',
    '/live/',
    '/index.html/',
    '/service-worker.js',
  ]) {
    const answer = await ask(port, path, auth);
    assert.equal(answer.status, 404, path);
    assert.ok(!answer.text.includes('hunter2'));
  }
  for (const query of ['?service=cart', '?service=../x', '?service=a/b&c=d', '?', `?service=${'a'.repeat(70)}/b`]) {
    assert.equal((await ask(port, `/live${query}`, auth)).status, 400, query);
  }
  assert.equal((await ask(port, `/${'x'.repeat(100_000)}`, auth).catch(() => ({ status: 'cut' }))).status === 200, false);
  assert.equal((await ask(port, '/')).status, 200, 'it is still there');
});

test('what happens is told: a change, a connection that is lost, a Service that goes', async (t) => {
  const { api, port, auth } = await start(t);
  const told = stream(port, CART, auth);
  t.after(() => told.end());
  await told.until('objects', (list) => list.items.length === 3);
  addService(api, 'cart', 3);
  await told.until('changes', ({ changes }) => changes[0]?.message.startsWith('gained 10.0.0.2'));
  const { items } = await told.until('objects', (list) => list.items.at(-1).endpoints.length === 3);
  assert.equal(items[0].spec.ports[0].port, 80);
  addService(api, 'other', 1);
  await told.until('all', ({ services }) => services.length === 2);
  api.intercept = (_, __, response) => Boolean(response.destroy());
  api.cut();
  const { connection } = await told.until('all', (all) => !all.connection.connected);
  assert.match(connection.message, /will be retried/);
  api.intercept = null;
  await told.until('all', (all) => all.connection.connected);
  api.remove('Service', 'shop/cart');
  const { message } = await told.until('absent', () => true);
  assert.match(message, /does not exist/);
});

test('many connections, and one that does not read', async (t) => {
  const { api, serve, port, auth } = await start(t);
  const clients = Array.from({ length: CLIENTS }, () => stream(port, CART, auth));
  t.after(() => clients.forEach((client) => client.end()));
  await Promise.all(clients.map((client) => client.until('objects', () => true)));
  assert.equal((await ask(port, CART, auth)).status, 503, 'one more');
  assert.equal((await ask(port, '/')).status, 200, 'there is room for the page');
  clients.pop()?.end();
  await eventually('the place is given back', async () => assert.equal((await ask(port, CART, auth)).status, 200));

  addService(api, 'large', 1000);
  const before = rssOf(serve.child.pid);
  const lazy = connect(port, '127.0.0.1');
  t.after(() => lazy.destroy());
  lazy.on('error', () => {});
  lazy.write(`GET /live?service=shop/large HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${auth.authorization}\r\n\r\n`);
  lazy.pause();
  for (let round = 0; round < 40; round++) {
    addService(api, 'large', 900 + round);
    await sleep(100);
  }
  const grown = rssOf(serve.child.pid) - before;
  assert.ok(grown < 16 * 1024, `what is not read has made it ${grown} KiB larger`);
  assert.equal((await ask(port, '/')).status, 200);
  // Silent connections take places, and are closed in time; others do not wait forever.
  const idle = Array.from({ length: 80 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  t.after(() => idle.forEach((socket) => socket.destroy()));
  await sleep(200);
  assert.equal((await ask(port, '/')).status, 200);
  assert.equal(await serve.end(), 0);
});

test('what is missing is said', async (t) => {
  const api = await FakeApi.start(t);
  const none = Following.start(t, ['serve', '-A', '--kubeconfig', api.kubeconfig(api.url, false), '--page', tmpdir(), '--port', '0']);
  assert.equal(await none.ended, 2);
  assert.match(none.stderr, /page/);
  assert.deepEqual(none.lines, []);
  const taken = createServer().listen(0, '127.0.0.1');
  t.after(() => taken.close());
  await once(taken, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (taken.address());
  const second = Following.start(t, ['serve', '-A', '--kubeconfig', api.kubeconfig(api.url, false), '--page', pageOf(t), '--port', String(port)]);
  assert.equal(await second.ended, 1);
  assert.equal(
    JSON.parse(second.stderr).error.message,
    `cannot listen on 127.0.0.1:${port}: Address already in use; choose another port with --port; 0 picks a free one`,
  );
});

/** @param {number | undefined} pid */
function rssOf(pid) {
  const [, kib] = /VmRSS:\s+(\d+)/.exec(readStatus(pid)) ?? [];
  return Number(kib);
}

/** @param {number | undefined} pid */
function readStatus(pid) {
  return readFileSync(`/proc/${pid}/status`, 'utf8');
}
