/** The command and a cluster: options, readiness, metrics, verdicts. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { FakeApi, refuse } from './lib/api-server.js';
import { run, startCommand } from './lib/command.js';
import { reviewOf } from './lib/reviews.js';
import { LIMIT, until } from './lib/start.js';
import { fill, pod, slice } from './lib/watching.js';

test('it watches the cluster of a kubeconfig, and is ready when that is known', LIMIT, async (t) => {
  const api = await FakeApi.start(t);
  fill(api);
  let isOpen = false;
  api.intercept = (kind, _query, response) => kind === 'Pod' && !isOpen && (refuse(response, 403, 'Forbidden', 'pods is forbidden'), true);
  const { child, client, lines, listening, ended } = await startCommand(t, ['--kubeconfig', api.kubeconfig()]);
  assert.equal(listening.cluster, `${api.url}/`);
  await until(() => lines().some(({ level, kind }) => level === 'warn' && kind === 'Pod'));
  await until(async () => (await client.get('/metrics')).text.includes('slicewise_webhook_cluster_synced{kind="Service"} 1'));
  const { status, text } = await client.get('/readyz');
  assert.equal(status, 503);
  assert.match(text, /^not ready: the cluster is not known yet: waiting for Pods: Pods cannot be listed.*\(403: pods is forbidden\)$/m);
  const review = JSON.stringify(reviewOf('CREATE', slice('mine', ['10.0.0.9'])));
  const message = async () => JSON.stringify((await client.post(review)).json.response);
  assert.match(await message(), /"allowed":false.*Pods are unknown/);
  isOpen = true;
  await until(async () => (await client.get('/readyz')).status === 200);
  assert.match(await message(), /"allowed":false.*not-a-pod/);
  api.set(pod('p9', '10.0.0.9'));
  await until(async () => (await message()).includes('"allowed":true'));
  const metrics = (await client.get('/metrics')).text;
  assert.match(metrics, /^# TYPE slicewise_webhook_cluster_lists_total counter$/m);
  assert.match(metrics, /^slicewise_webhook_cluster_lists_total\{kind="Pod"\} 1$/m);
  assert.match(metrics, /^slicewise_webhook_cluster_age_seconds\{kind="Pod"\} [\d.e-]+$/m);
  assert.ok(Number(/failures_total\{kind="Pod"\} (\d+)/.exec(metrics)?.[1]) >= 1);
  assert.equal(lines().filter(({ level, kind }) => level === 'warn' && kind === 'Pod').length, 1, 'told once');
  child.kill('SIGINT');
  assert.equal(await ended, 0);
});

test('what is left out of each kind is measured while it lasts, and so is the age of each kind', LIMIT, async (t) => {
  const api = await FakeApi.start(t);
  fill(api);
  const broken = pod('p2', '10.0.0.2');
  api.set({ ...broken, status: { ...broken.status, podIP: 7 } });
  const { client, lines } = await startCommand(t, ['--kubeconfig', api.kubeconfig()]);
  const value = async (/** @type {string} */ name, kind = 'Pod') => {
    const { text } = await client.get('/metrics');
    return Number(new RegExp(`^slicewise_webhook_${name}\\{kind="${kind}"\\} (\\S+)$`, 'm').exec(text)?.[1]);
  };
  await until(async () => (await client.get('/readyz')).status === 200);
  assert.deepEqual([await value('context_left_out_objects'), await value('context_objects'), await value('left_out_objects_total')], [1, 1, 1]);
  assert.equal(await value('context_left_out_objects', 'Service'), 0);
  for (const kind of ['Service', 'EndpointSlice', 'Pod', 'Node']) {
    const age = await value('cluster_age_seconds', kind);
    assert.ok(age >= 0 && age < 600, `${kind}: ${age}`);
  }
  const told = () => lines().filter(({ kind, name, message }) => kind === 'Pod' && name === 'p2' && /left out/.test(message)).length;
  await until(() => told() > 0);
  assert.equal(told(), 1);
  api.set(broken);
  await until(async () => (await value('context_left_out_objects')) === 0);
  assert.deepEqual([await value('context_objects'), await value('left_out_objects_total')], [2, 1]);
});

test('a kind that is lost for too long makes it not ready, and that is logged when it happens', LIMIT, async (t) => {
  const api = await FakeApi.start(t);
  fill(api);
  const config = join(api.folder, 'config.yaml');
  writeFileSync(config, `cluster: {kubeconfig: ${api.kubeconfig()}}\ncontext: {maxAgeSeconds: 2}\n`);
  const { client, lines } = await startCommand(t, ['--config', config]);
  await until(async () => (await client.get('/readyz')).status === 200);
  let isLost = true;
  api.intercept = (kind, _query, response) => isLost && kind === 'Pod' && (response.socket?.destroy() === undefined || true);
  api.cut();
  const keep = setInterval(() => api.bookmark(), 200);
  t.after(() => clearInterval(keep));
  await until(async () => (await client.get('/readyz')).status === 503);
  const { text } = await client.get('/readyz');
  assert.match(text, /^not ready: nothing has come from the cluster for longer than the limit of 2 s: Pods for \d+ s \(.*cannot be reached.*\)$/m);
  await until(() =>
    lines().some(({ message, level, reason }) => message === 'the cluster is out of date' && level === 'warn' && reason.includes('Pods')),
  );
  const review = JSON.stringify(reviewOf('CREATE', slice('mine', ['10.0.0.9'])));
  await until(async () =>
    /not-checked: the last update from the cluster is \d+ s old/.test((await client.post(review)).json.response.status.message),
  );
  isLost = false;
  await until(async () => (await client.get('/readyz')).status === 200);
  await until(() => lines().some(({ message }) => message === 'the cluster is current again'));
});

test('a fault beside judging is contained', LIMIT, async (t) => {
  const api = await FakeApi.start(t);
  fill(api);
  // A stray rejection and a stray error, at a signal.
  const program = "process.on('SIGUSR2', () => { Promise.reject(new Error('stray')); setTimeout(() => { throw new Error('stray'); }); })";
  process.env.NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(program)}`;
  t.after(() => delete process.env.NODE_OPTIONS);
  const { child, client, lines, ended } = await startCommand(t, ['--kubeconfig', api.kubeconfig()]);
  await until(async () => (await client.get('/readyz')).status === 200);
  child.kill('SIGUSR2');
  const metrics = async () => (await client.get('/metrics')).text;
  for (const event of ['unhandledRejection', 'uncaughtException']) {
    await until(async () => (await metrics()).includes(`slicewise_webhook_faults_total{event="${event}"} 1`));
    await until(() => lines().some((line) => line.level === 'error' && line.event === event && /contained/.test(line.message)));
  }
  await until(async () => Number(/lists_total\{kind="Pod"\} (\d+)/.exec(await metrics())?.[1]) > 1);
  await until(async () => (await client.get('/readyz')).status === 200);
  const { response } = (await client.post(JSON.stringify(reviewOf('CREATE', slice('mine', ['10.0.0.9']))))).json;
  assert.match(JSON.stringify(response), /"allowed":false.*not-a-pod/);
  child.kill('SIGINT');
  assert.equal(await ended, 0);
});

test('a cluster that cannot be reached is logged from the start', LIMIT, async (t) => {
  const api = await FakeApi.start(t);
  const kubeconfig = api.kubeconfig('https://127.0.0.1:1');
  const { lines } = await startCommand(t, ['--kubeconfig', kubeconfig]);
  await until(() => lines().filter(({ message, level }) => message === 'cluster watch failed' && level === 'warn').length === 4);
});

test('it can be ready before the cluster is known', LIMIT, async (t) => {
  const api = await FakeApi.start(t);
  api.intercept = (_kind, _query, response) => (refuse(response, 503, 'ServiceUnavailable', 'starting'), true);
  const config = join(api.folder, 'config.yaml');
  writeFileSync(config, `cluster: {kubeconfig: ${api.kubeconfig()}, waitForSync: false}\n`);
  const { client } = await startCommand(t, ['--config', config]);
  await until(async () => (await client.get('/readyz')).status === 200);
  assert.match((await client.get('/readyz')).text, /^ok: the cluster is not known yet: waiting for Services/);
});

test('without a cluster it says so', LIMIT, async (t) => {
  const { lines, listening } = await startCommand(t, []);
  assert.equal(listening.snapshot, null);
  assert.match(lines().find(({ level }) => level === 'warn').mend, /--kubeconfig or --snapshot/);
});

test('clusters that cannot be watched are mistakes', LIMIT, async (t) => {
  const api = await FakeApi.start(t);
  const kubeconfig = api.kubeconfig();
  const snapshot = join(api.folder, 'snapshot.json');
  writeFileSync(snapshot, '{"kind": "List", "items": [{"kind": "Node", "metadata": {"name": "n"}}]}');
  let files = 0;
  const file = (/** @type {string} */ text) => {
    const name = join(api.folder, `config-${(files += 1)}.yaml`);
    writeFileSync(name, text);
    return ['--config', name];
  };
  /** @type {[string[], RegExp][]} */
  const cases = [
    [['--kubeconfig', kubeconfig, '--snapshot', snapshot], /a snapshot and a cluster are mutually exclusive; leave out --snapshot/],
    [['--context', 'x', '--demo'], /a snapshot and a cluster are mutually exclusive/],
    [['--kubeconfig', kubeconfig, '--context', 'x'], /has no context x; there are test/],
    [['--kubeconfig', join(api.folder, 'none')], /cannot use .*none: ENOENT/],
    [file(`snapshot: ${snapshot}\ncluster: {inCluster: true}`), /mutually exclusive/],
    [file('cluster: {inCluster: true}'), /this is no pod with a service account/],
    [file('cluster: {inCluster: true, context: x}'), /\/cluster\/inCluster is for the service account of a pod/],
    [file('cluster: {inCluster: yes please}'), /\/cluster\/inCluster must be true or false/],
    [file('cluster: {kubeConfig: x}'), /\/cluster\/kubeConfig is not a setting; the settings are kubeconfig, context, inCluster, waitForSync/],
  ];
  for (const [args, expected] of cases) {
    const { output, ended } = run([...args, '--check-config']);
    assert.equal(await ended, 2, `${args.join(' ')}: ${output.out}`);
    assert.match(output.err, expected);
    assert.doesNotMatch(output.err, /\n\s+at /, 'no stack');
  }
  const good = run(['--kubeconfig', kubeconfig, '--check-config']);
  assert.equal(await good.ended, 0, good.output.err);
});
