/** The command: help, usage errors, the printed demo, shutdown by a signal. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makePair } from '../../webhook/pair.js';
import { Client } from './lib/client.js';
import { FREE, run } from './lib/command.js';
import { anyReview, objectOf, reviewOf } from './lib/reviews.js';
import { LIMIT, until } from './lib/start.js';

test('help is something to learn from', async () => {
  const { output, ended } = run(['--help']);
  assert.equal(await ended, 0);
  for (const word of ['--snapshot', '--check-config', 'slice-shape', 'service-blast-radius', 'removedPercent', 'exit codes']) {
    assert.ok(output.out.includes(word), word);
  }
  assert.ok(output.out.split('\n').every((line) => line.length <= 120));
});

test('each setting of the schema is in the help and in the documentation', async () => {
  const read = (/** @type {string} */ path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  const { properties, $defs } = JSON.parse(read('webhook/deploy/helm/slicewise-webhook/values.schema.json'));
  /** @param {any} schema @returns {string[]} */
  const settings = ({ properties: own = {}, anyOf = [], $ref }) => {
    if ($ref) return settings($defs[$ref.replace('#/$defs/', '')]);
    return [...anyOf.flatMap(settings), ...Object.entries(own).flatMap(([name, each]) => [name, ...settings(each)])];
  };
  const names = [...new Set(settings(properties.config))];
  assert.ok(names.length > 40);
  const { output, ended } = run(['--help']);
  assert.equal(await ended, 0);
  const [, help] = output.out.split('settings (');
  const page = read('docs/webhook.md');
  const table = page.slice(page.indexOf('| `server.listen`'));
  const policies = names.filter((name) => page.includes(`### \`${name}\``));
  assert.equal(policies.length, 9);
  assert.deepEqual(policies.filter((name) => !output.out.includes(`\n  ${name} `)), []);
  const others = names.filter((name) => !policies.includes(name));
  assert.deepEqual(others.filter((name) => !new RegExp(`[\\s{]${name}\\b`).test(help)), []);
  assert.deepEqual(others.filter((name) => !new RegExp(`[\`.]${name}\\b`).test(table)), []);
});

test('mistakes are told in one sentence, with exit code 2', LIMIT, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'slicewise-test-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = (/** @type {string} */ name, /** @type {string} */ text) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  /** @type {[string[], RegExp][]} */
  const cases = [
    [['--no-such-option'], /Unknown option '--no-such-option'/],
    [['--listen', 'here'], /--listen must be HOST:PORT/],
    [['--log-level', 'loud'], /--log-level must be one of silent, error/],
    [['--tls-cert', 'x'], /--tls-cert and --tls-key must be given together/],
    [['--config', join(folder, 'none')], /cannot read .*none/],
    [['--config', file('a.yaml', 'policies: {slice-shape: {mode: on}}')], /a\.yaml:1:26: \/policies\/slice-shape\/mode: `on` is not a mode/],
    [['--config', file('b.yaml', 'policies: {slice-shap: {}}')], /b\.yaml:1:12: \/policies\/slice-shap: unknown field/],
    [['--config', file('rules.yaml', 'logLevel: warn\npolicies:\n  slice-shape:\n    maxEndpoints: 0\n')], /rules\.yaml:4:5: \/policies\/slice-shape\/maxEndpoints: /],
    [['--listen', '0.0.0.0:0'], /listening on 0\.0\.0\.0 needs tls\.clientCA/],
    [['--config', file('names.yaml', 'tls: {cert: a, key: b, clientNames: [x]}')], /\/tls\/clientNames needs \/tls\/clientCA/],
    [['--config', file('anyone.yaml', 'tls: {cert: a, key: b, clients: all}')], /\/tls\/clients can only be anyone/],
    [['--config', file('list.yaml', 'policies: []')], /\/policies: .*object/],
    [['--config', file('own.yaml', 'ownService: webhook')], /\/ownService: `webhook` is not a Service/],
    [['--config', file('c.yaml', 'policies: {service-blast-radius: {removedPercent: 101}}')], /removedPercent must be between 0 and 100, got 101/],
    [
      ['--snapshot', file('d.json', '{"kind": "List", "items": [\n{"kind": "Pod", "metadata": {}}]}')],
      /the snapshot .*d\.json:2 at \/items\/0\/metadata\/name: missing field/,
    ],
    [
      ['--snapshot', file('d.yaml', 'kind: List\nitems:\n- kind: Pod\n  metadata: {name: a}\n- kind: Pod\n  metadata:\n    namespace: b\n')],
      /the snapshot .*d\.yaml:6:3 at \S*\/items\/1\/metadata\/name: missing field/,
    ],
    [['--snapshot', join(folder, 'none')], /cannot read the snapshot/],
    [['--tls-cert', join(folder, 'none'), '--tls-key', join(folder, 'none')], /cannot read .*none/],
    [['--config', file('failure.yaml', 'server: {onFailure: ignore}')], /\/server\/onFailure must be one of error, allow, deny/],
  ];
  for (const [args, expected] of cases) {
    const { output, ended } = run([...args, '--check-config']);
    assert.equal(await ended, 2, args.join(' '));
    assert.match(output.err, expected);
    assert.doesNotMatch(output.err, /\n\s+at /, 'no stack');
  }
  const good = run(['--config', file('e.yaml', 'policies: {slice-shape: {mode: warn}}\nlogLevel: warn'), '--check-config']);
  assert.equal(await good.ended, 0);
  assert.match(good.output.out, /are valid/);
});

test('the demo does what it says, and a signal ends it in order, without a trace', LIMIT, async (t) => {
  const temporary = mkdtempSync(join(tmpdir(), 'slicewise-demo-'));
  t.after(() => rmSync(temporary, { recursive: true }));
  const env = { ...process.env, TMPDIR: temporary };
  const { child, output, ended } = run([...FREE, '--demo'], env);
  t.after(() => child.kill('SIGKILL'));
  await new Promise((resolve, reject) => {
    child.stderr.on('data', () => output.err.includes('Ctrl-C') && resolve(null));
    child.on('close', () => reject(new Error(output.err)));
  });
  const commands = [
    ...output.err.matchAll(/# (.*)\n {2}curl --cacert (\S+) -H 'content-type: application\/json' --data-binary @(\S+) (https:\S+)\/validate\n/g),
  ];
  assert.equal(commands.length, 4);
  assert.equal(dirname(dirname(commands[0][2])), temporary);
  const healthUrl = /readiness at (\S+)\/readyz/.exec(output.err)?.[1] ?? '';
  const client = new Client({ url: commands[0][4], healthUrl }, readFileSync(commands[0][2], 'utf8'));
  t.after(() => client.close());
  const verdicts = [];
  for (const [, title, , file] of commands) {
    const { response } = (await client.post(readFileSync(file))).json;
    const verdict = response.allowed ? (response.warnings ? 'allowed with a warning' : 'allowed') : 'denied';
    assert.ok(title.endsWith(`: ${verdict}`), `${title} was ${verdict}`);
    verdicts.push(verdict);
  }
  assert.deepEqual(verdicts, ['denied', 'denied', 'allowed with a warning', 'allowed']);
  assert.equal((await client.get('/readyz')).status, 200);

  // The port is in use: a second instance says what to do.
  const second = run(['--listen', new URL(client.url).host, '--health-listen', '127.0.0.1:0'], env);
  assert.equal(await second.ended, 2);
  assert.match(second.output.err, /cannot listen on 127\.0\.0\.1:\d+ \(EADDRINUSE\); choose others with --listen/);
  assert.equal(readdirSync(temporary).length, 1, 'the folder of the first only');

  child.kill('SIGINT');
  assert.equal(await ended, 0);
  assert.deepEqual(readdirSync(temporary), []);
  const lines = output.out.trim().split('\n').map((line) => JSON.parse(line));
  assert.deepEqual(lines.map(({ message }) => message), ['listening', 'review', 'review', 'review', 'review', 'draining', 'stopped']);
});

test('each signal removes what was written for the demo, and so does a second one', LIMIT, async (t) => {
  const temporary = mkdtempSync(join(tmpdir(), 'slicewise-signals-'));
  t.after(() => rmSync(temporary, { recursive: true }));
  const config = join(temporary, 'c.yaml');
  for (const [signals, expected] of /** @type {[NodeJS.Signals[], number][]} */ ([[['SIGTERM'], 0], [['SIGHUP'], 0], [['SIGTERM', 'SIGINT'], 1]])) {
    // A second signal must come before the first has had its effect.
    writeFileSync(config, `server: {drainDelay: ${signals.length > 1 ? '1m' : '100ms'}}`);
    const { child, output, ended } = run([...FREE, '--demo', '--config', config], { ...process.env, TMPDIR: temporary });
    t.after(() => child.kill('SIGKILL'));
    await until(() => output.err.includes('Ctrl-C'));
    assert.equal(readdirSync(temporary).length, 2);
    for (const signal of signals) {
      child.kill(signal);
      await until(() => output.out.includes('"draining"'));
    }
    assert.equal(await ended, expected, `${signals}: ${output.err}`);
    assert.deepEqual(readdirSync(temporary), ['c.yaml'], String(signals));
  }
});

test('SIGTERM: not ready at once, served until callers have heard, and no kept connection after that', LIMIT, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'slicewise-term-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const made = makePair(['127.0.0.1']);
  for (const [name, text] of [
    ['tls.crt', made.cert],
    ['tls.key', made.key],
    ['c.yaml', 'tls: {cert: tls.crt, key: tls.key}\nserver: {drainDelay: 1500ms}\n'],
  ]) {
    writeFileSync(join(folder, name), text);
  }
  const { child, output, ended } = run([...FREE, '--config', join(folder, 'c.yaml')]);
  t.after(() => child.kill('SIGKILL'));
  await until(() => output.out.includes('listening'));
  const { reviews, health } = JSON.parse(output.out.split('\n')[0]);
  const client = new Client({ url: reviews.replace('/validate', ''), healthUrl: health }, made.cert);
  t.after(() => client.close());
  assert.notEqual((await client.post(anyReview())).headers.connection, 'close');
  child.kill('SIGTERM');
  await until(async () => (await client.get('/readyz')).status === 503);
  const kept = await client.post(anyReview('kept'));
  const fresh = await client.post(anyReview('fresh'), '/validate', { agent: false });
  for (const { status, headers } of [kept, fresh]) assert.deepEqual([status, headers.connection], [200, 'close']);
  assert.equal((await client.get('/livez')).status, 200);
  assert.equal(await ended, 0);
  await assert.rejects(client.post(anyReview(), '/validate', { agent: false }), { code: 'ECONNREFUSED' });
});

test('a configuration that changes counts at once, and a broken one changes nothing', LIMIT, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'slicewise-config-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const [config, cert, key] = ['config.yaml', 'tls.crt', 'tls.key'].map((name) => join(folder, name));
  const made = makePair(['127.0.0.1']);
  writeFileSync(cert, made.cert);
  writeFileSync(key, made.key);
  const snapshot = fileURLToPath(new URL('../../samples/cluster-at-rest.json', import.meta.url));
  const settings = (/** @type {string} */ mode) =>
    `tls: {cert: tls.crt, key: tls.key}\nsnapshot: ${snapshot}\npolicies: {service-blast-radius: {mode: ${mode}}}\n`;
  writeFileSync(config, settings('enforce'));
  const { child, output } = run([...FREE, '--config', config]);
  t.after(() => child.kill('SIGKILL'));
  const lines = () => output.out.trim().split('\n').map((line) => JSON.parse(line));
  await until(() => output.out.includes('listening'));
  const { reviews, health } = lines()[0];
  const client = new Client({ url: reviews.replace('/validate', ''), healthUrl: health }, made.cert);
  t.after(() => client.close());
  const cluster = JSON.parse(readFileSync(snapshot, 'utf8'));
  const cart = objectOf(cluster, 'Service', 'shop/cart');
  const slip = JSON.stringify(reviewOf('UPDATE', { ...cart, spec: { ...cart.spec, selector: { app: 'crat' } } }, cart));
  const allowed = async () => (await client.post(slip)).json.response.allowed;
  assert.equal(await allowed(), false);
  writeFileSync(config, settings('warn'));
  await until(() => output.out.includes('"reloaded"'));
  assert.equal(await allowed(), true);
  writeFileSync(config, settings('nonsense'));
  await until(() => output.out.includes('not reloaded'));
  assert.equal(await allowed(), true);
  assert.match(lines().find(({ message }) => message.startsWith('not reloaded')).reason, /config\.yaml:3:35: \/policies\/service-blast-radius\/mode: `nonsense` is not a mode/);
  assert.match((await client.get('/metrics')).text, /reloads_total\{what="configuration",result="refused"\} 1/);
});
