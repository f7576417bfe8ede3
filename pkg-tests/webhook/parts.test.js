/** The small parts on their own: durations, configuration, the certificate, the handler. */
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { address, parseConfig } from '../../webhook/config.js';
import { parseDuration } from '../../webhook/duration.js';
import { Ending } from '../../webhook/ending.js';
import { Gate } from '../../webhook/gate.js';
import { answerTo } from '../../npm/admission/answer.js';
import { loadPair, makePair } from '../../webhook/pair.js';
import { loadSnapshot } from '../../webhook/snapshot.js';

test('durations as Go writes them', () => {
  const cases = /** @type {const} */ ([
    ['10s', 10_000], ['1m30s', 90_000], ['1.5s', 1500], ['.5s', 500], ['250ms', 250], ['2h', 7_200_000], ['0', 0], ['100us', 0.1],
    ['', null], ['10', null], ['s', null], ['-1s', null], ['1s ', null], ['1s2', null], ['1e3s', null], ['Infinity', null],
  ]);
  for (const [text, expected] of cases) assert.equal(parseDuration(text), expected, text);
});

test('configuration is strict and says where', () => {
  const refused = (/** @type {string} */ text) => {
    try {
      parseConfig(text, 'c.yaml');
    } catch (error) {
      return /** @type {Error} */ (error).message;
    }
    return 'taken';
  };
  assert.equal(
    refused('servr: {}'),
    'c.yaml:1:1: /servr is not a setting; the settings are server, tls, snapshot, cluster, logLevel, arm, ' +
      'policies, writers, exceptions, context, ownService',
  );
  assert.match(
    refused('server: {maxQue: 1}'),
    /^c\.yaml:1:10: \/server\/maxQue is not a setting; the settings are listen, health, onFailure, maxBodyBytes/,
  );
  assert.equal(refused('server: {maxQueue: -1}'), 'c.yaml:1:10: /server/maxQueue must be a whole number from 0 to 65536');
  assert.equal(refused('server: {maxQueue: "1"}'), 'c.yaml:1:10: /server/maxQueue must be a whole number from 0 to 65536');
  assert.equal(
    refused('server: {drainDelay: 3}'),
    'c.yaml:1:10: /server/drainDelay must be a duration such as "10s" or "250ms", from 0ms to 300000ms',
  );
  assert.equal(refused('server: {listen: 8443}'), 'c.yaml:1:10: /server/listen must be HOST:PORT, such as 127.0.0.1:8443 or [::1]:8443');
  assert.equal(refused('arm: {configuration: a, webhook: b, namespace: c}'), 'c.yaml:1:1: /arm/failurePolicy must be Fail or Ignore');
  assert.equal(refused('arm: {failurePolicy: Fail}'), 'c.yaml:1:1: /arm/configuration must be a text that is not empty');
  assert.match(
    refused('arm: {configuration: a, webhook: b, namespace: c, failurePolicy: Fail, interval: 1ms}'),
    /\/arm\/interval must be a duration/,
  );
  assert.equal(refused('logLevel: loud'), 'c.yaml:1:1: /logLevel must be one of silent, error, warn, info, debug');
  assert.equal(refused('tls: {cert: a}'), 'c.yaml:1:1: /tls/key must be a text that is not empty');
  assert.equal(refused('[]'), 'c.yaml:1:1: / must be an object');
  assert.match(refused('logLevel: info\nlogLevel: warn'), /^c\.yaml:2:1: Map keys must be unique/);
  assert.match(refused('{"logLevel": "info", "logLevel": "warn"}'), /^c\.yaml:1:22: Map keys must be unique/);
  assert.match(refused('a: [1'), /^c\.yaml:1:\d+: /);
  assert.match(refused('a: [1]\nb: &b [*b]'), /^c\.yaml:2:8: aliases such as \*b are not read/);
  assert.match(refused('logLevel: info\n\ntls:\n  cert: a\n  key: b\n  clientNames: [x]\n'), /^c\.yaml:6:3: \/tls\/clientNames needs/);
  assert.match(refused('{"server": {\n  "maxQueue": -1}}'), /^c\.yaml:2:3: \/server\/maxQueue must be/);
  assert.equal(refused(''), 'taken');
});

test('configuration that is taken', () => {
  const config = parseConfig(
    'server: {listen: "[::1]:0", maxTimeout: 5s}\nsnapshot: s.json\npolicies: {slice-shape: {mode: warn}}',
    '/etc/slicewise/c.yaml',
  );
  assert.deepEqual(config.listen, { host: '::1', port: 0 });
  assert.deepEqual([config.limits?.maxTimeout, config.limits?.maxQueue], [5000, 128]);
  assert.equal(config.snapshot, '/etc/slicewise/s.json');
  assert.deepEqual(config.reviewer, { policies: { 'slice-shape': { mode: 'warn' } } });
  assert.deepEqual(address('localhost:8443', ''), { host: 'localhost', port: 8443 });
  assert.throws(() => address('a:b:1', ''), /HOST:PORT/);
  assert.throws(() => address('host:65536', ''), /HOST:PORT/);
});

test('a made pair is valid for its hosts and for serving', () => {
  const { cert, key } = makePair(['localhost', '127.0.0.1', '::1', '2001:db8::a:1'], new Date('2026-01-01T00:00:00Z'));
  const certificate = new X509Certificate(cert);
  assert.equal(certificate.checkHost('localhost'), 'localhost');
  for (const ip of ['127.0.0.1', '::1', '2001:db8::a:1']) assert.equal(certificate.checkIP(ip), ip);
  assert.equal(certificate.checkHost('example.org'), undefined);
  assert.ok(certificate.ca && certificate.verify(certificate.publicKey));
  assert.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']);
  assert.equal(new Date(certificate.validTo).toISOString(), '2026-01-08T00:00:00.000Z');
  assert.match(key, /^-----BEGIN PRIVATE KEY-----/);
});

test('pairs and snapshots from files', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'slicewise-test-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = (/** @type {string} */ name, /** @type {string} */ text) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const [one, other] = [makePair(['localhost']), makePair(['localhost'])];
  const [cert, key, alien] = [file('cert', one.cert), file('key', one.key), file('alien', other.key)];
  assert.deepEqual(loadPair({ cert, key }), one);
  assert.throws(() => loadPair({ cert, key: alien }), /is not that of the certificate/);
  assert.throws(() => loadPair({ cert: key, key }), /cannot use/);
  assert.throws(() => loadPair({ cert: join(folder, 'none'), key }), /cannot read/);

  const text = (/** @type {Uint8Array} */ bytes) => new TextDecoder().decode(bytes);
  assert.equal(text(loadSnapshot(file('a.json', ' {"kind": "List"}'))), ' {"kind": "List"}');
  const yaml = 'kind: Service\nmetadata: {name: on-1, creationTimestamp: 2026-01-01T00:00:00Z}\n---\nkind: Node\n---\n';
  assert.deepEqual(JSON.parse(text(loadSnapshot(file('b.yaml', yaml)))), {
    apiVersion: 'v1',
    kind: 'List',
    items: [{ kind: 'Service', metadata: { name: 'on-1', creationTimestamp: '2026-01-01T00:00:00Z' } }, { kind: 'Node' }],
  });
  assert.throws(() => loadSnapshot(file('c.yaml', 'a: 1\na: 2')), /c\.yaml:2:1: the key `a` appears twice.* \(InvalidJson\)/);
  assert.throws(() => loadSnapshot(join(folder, 'none')), /cannot read the snapshot/);
  assert.equal(loadSnapshot(null).length, 0);
});

test('broken reviews are told from bugs', () => {
  /** @param {unknown} error */
  const answered = (error) => {
    const { status, body, record } = answerTo(() => {
      throw error;
    });
    return { status, json: JSON.parse(String(body)), record };
  };
  const typed = (/** @type {string} */ code) =>
    Object.assign(new Error('what is wrong'), { name: 'SlicewiseError', code, path: '/request', line: 1, column: 2 });
  const broken = answered(typed('InvalidValue'));
  assert.equal(broken.status, 400);
  assert.deepEqual(broken.json, { error: { code: 'InvalidValue', message: 'what is wrong', path: '/request', line: 1, column: 2 } });
  assert.equal(answered(typed('TooLarge')).status, 413);
  for (const bug of [typed('Internal'), new TypeError('secret'), 'thrown', undefined]) {
    const { status, json } = answered(bug);
    assert.deepEqual([status, json.error.code], [500, 'Internal']);
    assert.ok(!JSON.stringify(json).includes('secret'));
  }
  const long = answered(Object.assign(new Error('x'.repeat(10_000)), { name: 'SlicewiseError', code: 'InvalidType' }));
  assert.equal(long.json.error.message.length, 501);
});

test('the gate keeps order and forgets nobody', async () => {
  const gate = new Gate({ maxConcurrent: 1, maxQueue: 2 });
  const [patient, impatient] = [new Ending(), new Ending()];
  /** @type {string[]} */
  const entered = [];
  assert.equal(gate.enter(new Ending()), undefined);
  const first = gate.enter(impatient)?.then(() => entered.push('first'), () => entered.push('gave up'));
  const second = gate.enter(patient)?.then(() => entered.push('second'));
  assert.throws(() => gate.enter(new Ending()), { reason: 'full' });
  impatient.come();
  await first;
  assert.equal(gate.waiting, 1);
  gate.leave();
  await second;
  assert.deepEqual([entered, gate.active, gate.waiting], [['gave up', 'second'], 1, 0]);
  patient.come();
  gate.leave();
  assert.equal(gate.active, 0);
  assert.throws(() => gate.enter(patient), { reason: 'late' });
});
