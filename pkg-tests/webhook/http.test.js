/** The review port as HTTP: paths, methods, types, sizes, noise. A fake reviewer judges. */
import assert from 'node:assert/strict';
import { connect } from 'node:tls';
import { test } from 'node:test';
import { receiveAll } from './lib/client.js';
import { anyReview } from './lib/reviews.js';
import { LIMIT, fakeReviewer, pair, start } from './lib/start.js';

test('a review is answered under its uid, by all policies or by one', async (t) => {
  const reviewer = fakeReviewer();
  const { client } = await start(t, { reviewer });
  const answer = await client.post(anyReview('a'));
  assert.equal(answer.status, 200);
  assert.deepEqual([answer.json.response.uid, answer.json.response.allowed], ['a', true]);
  assert.equal(answer.headers['content-type'], 'application/json');
  await client.post(anyReview('b'), '/validate/slice-shape?timeout=10s');
  assert.deepEqual(reviewer.asked, [{ uid: 'a', policy: undefined }, { uid: 'b', policy: 'slice-shape' }]);
});

test('what is no review is refused with a status and a message', async (t) => {
  const { client } = await start(t, { limits: { maxBodyBytes: 2048 } });
  /** @type {[string, number, string, Parameters<typeof client.post>][]} */
  const cases = [
    ['root', 404, 'NotFound', [anyReview(), '/']],
    ['slash', 404, 'NotFound', [anyReview(), '/validate/']],
    ['unknown policy', 404, 'NotFound', [anyReview(), '/validate/no-such-policy']],
    ['prototype', 404, 'NotFound', [anyReview(), '/validate/__proto__']],
    ['encoded', 404, 'NotFound', [anyReview(), '/%76alidate']],
    ['GET', 405, 'MethodNotAllowed', ['', '/validate', { method: 'GET' }]],
    ['PUT', 405, 'MethodNotAllowed', [anyReview(), '/validate', { method: 'PUT' }]],
    ['text', 415, 'UnsupportedMediaType', [anyReview(), '/validate', { headers: { 'content-type': 'text/plain' } }]],
    ['no type', 415, 'UnsupportedMediaType', [anyReview(), '/validate', { headers: { 'content-type': '' } }]],
    ['patch', 415, 'UnsupportedMediaType', [anyReview(), '/validate', { headers: { 'content-type': 'application/json-patch+json' } }]],
    ['latin', 415, 'UnsupportedMediaType', [anyReview(), '/validate', { headers: { 'content-type': 'application/json; charset=latin1' } }]],
    ['gzip', 415, 'UnsupportedMediaType', [anyReview(), '/validate', { headers: { 'content-encoding': 'gzip' } }]],
    ['brotli', 415, 'UnsupportedMediaType', [anyReview(), '/validate', { headers: { 'content-encoding': 'br' } }]],
    ['explained as lines', 415, 'UnsupportedMediaType', [anyReview(), '/explain', { headers: { 'content-type': 'application/x-ndjson' } }]],
    ['audited as gzip', 415, 'UnsupportedMediaType', [anyReview(), '/audit', { headers: { 'content-encoding': 'gzip' } }]],
    ['GET of audits', 405, 'MethodNotAllowed', ['', '/audit', { method: 'GET' }]],
    ['audit of an unknown policy', 404, 'NotFound', [anyReview(), '/audit/no-such-policy']],
    ['large', 413, 'TooLarge', [' '.repeat(2049)]],
    ['timeout', 400, 'InvalidValue', [anyReview(), '/validate?timeout=soon']],
    ['no time', 400, 'InvalidValue', [anyReview(), '/validate?timeout=0s']],
    ['expected', 404, 'NotFound', [anyReview(), '/', { headers: { expect: 'something else' } }]],
  ];
  for (const [name, status, code, args] of cases) {
    const answer = await client.post(...args);
    assert.deepEqual([answer.status, answer.json.error.code], [status, code], name);
    assert.ok(answer.json.error.message.length > 10, name);
    assert.equal(answer.headers.location, undefined, name);
  }
  assert.equal((await client.post('', '/validate', { method: 'GET' })).headers.allow, 'POST');
  assert.equal((await client.post('', '/validate', { method: 'HEAD' })).status, 405);
  assert.equal((await client.post(anyReview(), '/validate', { headers: { 'content-type': 'application/json; charset=UTF-8' } })).status, 200);
});

test('a body that grows too large without saying so is refused, and the connection lives on', async (t) => {
  const { client } = await start(t, { limits: { maxBodyBytes: 2048 } });
  const socket = await client.raw();
  const received = receiveAll(socket);
  const chunk = `800\r\n${' '.repeat(0x800)}\r\n`;
  socket.write(`POST /validate HTTP/1.1\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${chunk}${chunk}0\r\n\r\n`);
  const review = anyReview('after');
  socket.write(`POST /validate HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: ${review.length}\r\nconnection: close\r\n\r\n${review}`);
  const text = await received;
  assert.match(text, /^HTTP\/1\.1 413 /);
  assert.match(text, /HTTP\/1\.1 200 [^]*"uid":"after"/);
});

test('a client that asks before it sends is told first', async (t) => {
  const { client } = await start(t, { limits: { maxBodyBytes: 2048 } });
  const large = await client.raw();
  const refused = receiveAll(large);
  large.write('POST /validate HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: 4096\r\nexpect: 100-continue\r\n\r\n');
  assert.match(await refused, /^HTTP\/1\.1 413 [^]*connection: close/i);
  const small = await client.raw();
  const review = anyReview('asked');
  const received = receiveAll(small);
  small.once('data', () => small.write(review));
  small.write(
    `POST /validate HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: ${review.length}\r\nexpect: 100-continue\r\nconnection: ` +
      `close\r\n\r\n`,
  );
  assert.match(await received, /^HTTP\/1\.1 100 Continue[^]*HTTP\/1\.1 200 [^]*"uid":"asked"/);
});

test('requests one behind the other on a connection are answered in order', async (t) => {
  const { client } = await start(t);
  const socket = await client.raw();
  const received = receiveAll(socket);
  const request = (/** @type {string} */ uid, last = '') => {
    const review = anyReview(uid);
    return `POST /validate HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: ${review.length}\r\n${last}\r\n${review}`;
  };
  socket.write(request('one') + request('two') + request('three', 'connection: close\r\n'));
  assert.deepEqual([...(await received).matchAll(/"response":\{"uid":"(\w+)"/g)].map((match) => match[1]), ['one', 'two', 'three']);
});

test('noise is answered, not echoed, and harms nobody', async (t) => {
  const { client } = await start(t);
  const smuggled = 'POST /validate HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n';
  for (const noise of ['GET\r\n\r\n', '\u0000\u0001\u0002\r\n\r\n', smuggled, `GET / HTTP/1.1\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`]) {
    const socket = await client.raw();
    const received = receiveAll(socket);
    socket.write(noise);
    assert.match(await received, /^HTTP\/1\.1 400 [^]*"code":"BadRequest"/);
  }
  assert.equal((await client.post(anyReview())).status, 200);
});

test('chunks that lie about their length', LIMIT, async (t) => {
  const { client, lines } = await start(t);
  const review = anyReview('chunked');
  const head = 'POST /validate?timeout=300ms HTTP/1.1\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n';
  const size = review.length.toString(16);
  /** @type {[string, string, RegExp][]} */
  const cases = [
    ['right', `${size}\r\n${review}\r\n0\r\n\r\n`, /^HTTP\/1\.1 200 /],
    ['too short', `${(review.length - 1).toString(16)}\r\n${review}\r\n0\r\n\r\n`, /^HTTP\/1\.1 400 /],
    ['too long', `${(review.length + 9).toString(16)}\r\n${review}\r\n0\r\n\r\n`, /^HTTP\/1\.1 408 /],
    ['no number', `zz\r\n${review}\r\n0\r\n\r\n`, /^HTTP\/1\.1 400 /],
    ['negative', `-1\r\n${review}\r\n0\r\n\r\n`, /^HTTP\/1\.1 400 /],
    ['larger than a number', `${'f'.repeat(20)}\r\n${review}\r\n`, /^HTTP\/1\.1 400 /],
    ['bare line feeds', `${size}\n${review}\n0\n\n`, /^HTTP\/1\.1 400 /],
  ];
  for (const [name, body, expected] of cases) {
    const socket = await client.raw();
    let text = '';
    const answered = new Promise((resolve) => socket.on('data', (chunk) => (text += chunk)).on('data', resolve).on('close', resolve));
    socket.on('error', () => {});
    socket.write(head + body);
    await answered;
    assert.match(text, expected, name);
    assert.equal(text.includes('"allowed"'), name === 'right', name);
    socket.destroy();
  }
  assert.equal(lines.filter(({ verdict }) => verdict === 'allow').length, 1);
});

test('whoever sends headers byte by byte loses the connection, and others go on', LIMIT, async (t) => {
  const { client } = await start(t, { limits: { headersTimeout: 200 } });
  const slow = await client.raw();
  const received = receiveAll(slow);
  slow.write('POST /validate HTTP/1.1\r\n');
  const drip = setInterval(() => slow.write('x: y\r\n'), 100);
  t.after(() => clearInterval(drip));
  assert.equal((await client.post(anyReview())).status, 200);
  assert.match(await received, /^HTTP\/1\.1 408 /);
});

test('whoever is refused and goes on sending loses the connection', LIMIT, async (t) => {
  const { client } = await start(t);
  const socket = await client.raw();
  const received = receiveAll(socket);
  socket.write('POST /nowhere HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n');
  const drip = setInterval(() => socket.writable && socket.write(' '), 100);
  t.after(() => clearInterval(drip));
  assert.match(await received, /^HTTP\/1\.1 404 /);
});

test('connections end with an answer when they are old, and on their own when nobody uses them', LIMIT, async (t) => {
  const { client } = await start(t, { limits: { maxConnectionAge: 150, maxConnectionIdle: 2_500 } });
  const first = await client.post(anyReview());
  assert.notEqual(first.headers.connection, 'close');
  await new Promise((resolve) => setTimeout(resolve, 200));
  const last = await client.post(anyReview());
  assert.deepEqual([last.status, last.headers.connection], [200, 'close']);
  const idle = await client.raw();
  const received = receiveAll(idle);
  const review = anyReview('idle');
  idle.write(`POST /validate HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: ${review.length}\r\n\r\n${review}`);
  assert.match(await received, /"uid":"idle"/);
});

test('only TLS 1.3 is spoken', async (t) => {
  const { client } = await start(t);
  const { hostname, port } = new URL(client.url);
  const versions = /** @type {const} */ ({ maxVersion: 'TLSv1.2', minVersion: 'TLSv1.2' });
  const outcome = await new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), ca: pair.cert, ...versions }, () => resolve('connected'));
    socket.on('error', (/** @type {any} */ error) => resolve(error.code));
  });
  assert.equal(outcome, 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION');
  const socket = await client.raw();
  assert.equal(socket.getProtocol(), 'TLSv1.3');
  socket.destroy();
});

test('nothing redirects', async (t) => {
  const { client } = await start(t);
  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
    for (const path of [
      '/',
      '/validate',
      '/validate/',
      '/validate/slice-shape',
      '/audit',
      '/explain',
      '//evil.example',
      '/validate?next=https://evil.example',
      '/validate/../x',
    ]) {
      const { status, headers } = await client.post(method === 'HEAD' ? '' : anyReview(), path, { method });
      assert.ok(status === 200 || status >= 400, `${method} ${path}: ${status}`);
      assert.equal(headers.location, undefined);
    }
  }
});
