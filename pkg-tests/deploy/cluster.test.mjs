/**
 * The chart on a real API server: it accepts every variant and every kustomization, the webhook runs from the files of its image and with the
 * permissions of the chart, and arms itself only once a refusal has been observed.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse, stringify } from 'yaml';
import { Arming, HOLD, clusterOf } from '../../webhook/arm.js';
import { connect } from '../../webhook/cluster/connection.js';
import { copyNeeded } from '../../webhook/deploy/image.mjs';
import { NODE_FLAGS } from '../../webhook/node-flags.js';
import { KUSTOMIZE } from '../../scripts/lib/chart.mjs';
import { startCluster } from '../cluster/lib/cluster.js';
import { freePort, kubeconfig, loopback } from './lib/installed.mjs';
import { armed, built } from './lib/kustomized.mjs';
import { PEERS, VARIANTS, objects, one } from './lib/rendered.mjs';

const NAME = 'slicewise-webhook';
const WEBHOOK = `traffic.${NAME}.slicewise`;
const CHECKS = `${NAME}-check`;
const RIGHTS = {
  read: { apiGroups: ['admissionregistration.k8s.io'], resources: ['validatingwebhookconfigurations'], resourceNames: [NAME], verbs: ['get'] },
  check: { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['create'] },
};
/** The kinds whose definitions no Go module has; `chart.test.mjs` checks them strictly. */
const OPERATORS = ['ServiceMonitor', 'PrometheusRule'];

test('the chart on a real API server', { timeout: 1_200_000 }, async (t) => {
  const cluster = await startCluster(t);
  const { api, ready } = cluster;
  const folder = mkdtempSync(join(tmpdir(), 'slicewise-deploy-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const port = await freePort();
  for (const name of ['slicewise', 'empty', 'shop']) await api.create(namespace(name));

  await t.test('takes every variant', async (part) => {
    await api.create(namespace(CHECKS));
    for (const definition of definitions('certificates', 'issuers')) {
      await api.create(definition);
      await eventually(() => api.list(definition.spec.names.kind));
    }
    const folders = { base: join(KUSTOMIZE, 'base'), 'cert-manager': join(KUSTOMIZE, 'cert-manager'), armed: armed(t) };
    const kustomized = Object.fromEntries(Object.entries(folders).map(([name, from]) => [`kustomization ${name}`, built(from)]));
    const charts = Object.fromEntries(Object.entries(VARIANTS).map(([name, values]) => [name, objects(values)]));
    for (const [name, all] of Object.entries({ ...charts, ...kustomized })) {
      await part.test(name, async () => {
        const taken = all.filter(({ kind }) => !OPERATORS.includes(kind) && kind !== 'Namespace');
        for (const object of taken) await api.create(object, { dryRun: true });
      });
    }
    await part.test('and refuses a certificate that cert-manager would not know', async () => {
      const certificate = one(charts['cert-manager'], 'Certificate', NAME);
      const wrong = { ...certificate, spec: { ...certificate.spec, renewalBefore: '1h' } };
      await assert.rejects(api.create(wrong, { dryRun: true }), /renewalBefore/);
    });
  });

  const values = {
    clients: { mode: 'anyone' },
    networkPolicy: { from: PEERS },
    service: { port },
    arm: { enabled: true, createNamespace: false, fallback: true, interval: '1s' },
    // Here the server is its own client, and does not know pods.
    config: { policies: { 'slice-addresses': { whenStale: 'allow' } } },
  };
  const all = objects(values).filter(({ metadata }) => metadata.annotations?.['helm.sh/hook'] === undefined);
  for (const object of all) await api.create(loopback(object));
  const policy = async () => (await api.get('ValidatingWebhookConfiguration', NAME)).webhooks[0].failurePolicy;
  const setPolicy = (/** @type {string} */ failurePolicy) => strategic(api, { webhooks: [{ name: WEBHOOK, failurePolicy }] });
  const settings = {
    configuration: NAME,
    webhook: WEBHOOK,
    failurePolicy: /** @type {const} */ ('Fail'),
    namespace: CHECKS,
    interval: 1_000,
    fallback: true,
  };
  const account = kubeconfig(folder, ready, 'account', await api.tokenOf(`slicewise/${NAME}`));
  const admin = kubeconfig(folder, ready, 'admin', ready.token);
  /** @type {(change?: object, file?: string) => Promise<{arming: Arming, told: any[]}>} */
  const arm = async (change = {}, file = account) => {
    const changed = { ...settings, ...change };
    return recorded(changed, clusterOf(changed, await connect({ kubeconfig: file })));
  };

  await t.test('a certificate that is there is kept', () => {
    const again = objects(values, ['-kubeconfig', ready.kubeconfig]);
    assert.deepEqual(one(again, 'Secret').data, one(all, 'Secret').data);
    assert.deepEqual(one(again, 'ValidatingWebhookConfiguration').webhooks, one(all, 'ValidatingWebhookConfiguration').webhooks);
    assert.notDeepEqual(one(objects(values), 'Secret').data, one(all, 'Secret').data);
  });

  await t.test('not armed while the webhook is not there', async () => {
    const { arming, told } = await arm();
    // The API server applies a configuration a moment after it is written.
    await eventually(async () => {
      await arming.check();
      assert.ok((await metrics(api)).includes('apiserver_admission_webhook_fail_open_count'));
    });
    assert.equal(await arming.check(), 'not refused');
    assert.equal(await policy(), 'Ignore');
    assert.deepEqual(told.map(({ level, message, state }) => [level, message, state]), [['warn', 'not armed', 'not refused']]);
  });

  await t.test('closed without it: it falls back after three checks', async () => {
    await setPolicy('Fail');
    const patient = await arm({ fallback: false });
    await eventually(async () => assert.equal(await patient.arming.check(), 'unreachable'));
    for (let turn = 0; turn < 4; turn++) assert.equal(await patient.arming.check(), 'unreachable');
    assert.equal(await policy(), 'Fail');
    assert.ok((await metrics(api)).includes('apiserver_admission_webhook_rejection_count'));
    const { arming, told } = await arm();
    assert.deepEqual([await arming.check(), await arming.check()], ['unreachable', 'unreachable']);
    assert.equal(await policy(), 'Fail');
    assert.equal(await arming.check(), 'fell back');
    assert.equal(await policy(), 'Ignore');
    assert.match(told[0].why, /failed calling webhook/);
  });

  await t.test('rights that are missing are named', async () => {
    const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'poor' }, rules: /** @type {object[]} */ ([]) };
    await api.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'poor', namespace: 'shop' } });
    await api.create(role);
    const subject = { kind: 'ServiceAccount', name: 'poor', namespace: 'shop' };
    await api.create({
      ...role,
      kind: 'ClusterRoleBinding',
      rules: undefined,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'poor' },
      subjects: [subject],
    });
    const poor = kubeconfig(folder, ready, 'poor', await api.tokenOf('shop/poor'));
    const missing = async (/** @type {RegExp} */ expected) => {
      await eventually(async () => {
        const { arming, told } = await arm({}, poor);
        assert.equal(await arming.check(), 'cannot check');
        assert.match(told[0].why, expected);
      });
    };
    await missing(/grant `get` on validatingwebhookconfigurations with resourceNames: \[slicewise-webhook\]/);
    await api.patch('ClusterRole', 'poor', { rules: [RIGHTS.read] });
    await missing(/grant `create` on endpointslices in namespace slicewise-webhook-check/);
    assert.equal(await policy(), 'Ignore');
  });

  await t.test('refused by another is not refused by this one', async () => {
    const base = { apiVersion: 'admissionregistration.k8s.io/v1', metadata: { name: 'no-slices' } };
    const resourceRules = [{ apiGroups: ['discovery.k8s.io'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['endpointslices'] }];
    const text = `admission webhook "${WEBHOOK}" denied the request: slice-addresses/reserved-address`;
    await api.create({
      ...base,
      kind: 'ValidatingAdmissionPolicy',
      spec: { matchConstraints: { resourceRules }, validations: [{ expression: 'false', message: text }] },
    });
    await api.create({ ...base, kind: 'ValidatingAdmissionPolicyBinding', spec: { policyName: 'no-slices', validationActions: ['Deny'] } });
    await eventually(async () => {
      const { arming, told } = await arm();
      assert.equal(await arming.check(), 'refused by another');
      assert.match(told[0].why, /ValidatingAdmissionPolicy 'no-slices'/);
    });
    assert.equal(await policy(), 'Ignore');
    await api.delete('ValidatingAdmissionPolicyBinding', 'no-slices');
    await api.delete('ValidatingAdmissionPolicy', 'no-slices');
    await eventually(async () => assert.equal(await (await arm()).arming.check(), 'not refused'));
  });

  await t.test('mistakes of the configuration are named', async () => {
    const why = async (/** @type {object} */ change) => {
      const { arming, told } = await arm(change, admin);
      assert.equal(await arming.check(), 'cannot check');
      return told[0].why;
    };
    assert.match(await why({ configuration: 'none' }), /not found; apply it, or name another in arm\.configuration/);
    assert.match(await why({ webhook: 'a.b.c' }), /has no webhook a\.b\.c; name one in arm\.webhook/);
    assert.match(await why({ namespace: 'none' }), /not found; make the namespace, empty, or name another in arm\.namespace/);
  });

  const image = join(folder, 'image');
  copyNeeded(image);
  const service = startService(t, image, configured(folder, all, port, account));

  await t.test('runs from what its image holds, and arms itself with its own rights', async () => {
    await eventually(() => assert.match(service.output, /"armed: failurePolicy is Fail now"/));
    assert.equal(await policy(), 'Fail');
    assert.equal((service.output.match(/failurePolicy is Fail now/g) ?? []).length, 1);
  });

  await t.test('refuses what must be refused, with a message for people', async () => {
    const slice = {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      addressType: 'IPv6',
      endpoints: [{ addresses: ['fd00:ec2::254'] }],
      ports: [],
    };
    const create = (/** @type {string} */ place) => api.create({ ...slice, metadata: { name: 'metadata', namespace: place } });
    await assert.rejects(
      create('shop'),
      /403 admission webhook "traffic\.slicewise-webhook\.slicewise" denied the request: EndpointSlice shop\/metadata: slice-addresses\/reserved-address/,
    );
    // Excluded namespaces, such as its own, do not wait for it.
    assert.equal((await create('slicewise')).metadata.name, 'metadata');
    assert.equal((await create('kube-system')).metadata.name, 'metadata');
  });

  await t.test('what somebody changes meanwhile is not overwritten', async () => {
    // So that the service does not set it during this check.
    await strategic(api, { metadata: { annotations: { [HOLD]: 'true' } } });
    await setPolicy('Ignore');
    const { arming } = await arm();
    assert.equal(await arming.check(), 'held');
    await sleep(2_500);
    assert.equal(await policy(), 'Ignore');
    const { cluster: real } = arming;
    const raced = recorded(settings, { ...real, read: async () => ({ ...(await real.read()), metadata: { resourceVersion: '1' } }) });
    assert.equal(await raced.arming.check(), 'cannot check');
    assert.match(raced.told[0].why, /the configuration was changed in the meantime/);
    await api.patch('ClusterRole', 'poor', { rules: [RIGHTS.read, RIGHTS.check] });
    const poor = clusterOf(settings, await connect({ kubeconfig: join(folder, 'poor.kubeconfig') }));
    const blind = { ...poor, read: async () => ({ ...(await poor.read()), metadata: {} }) };
    await eventually(async () => {
      const { told: said, ...limited } = recorded(settings, blind);
      assert.equal(await limited.arming.check(), 'cannot check');
      assert.match(said[0].why, /grant `patch` on validatingwebhookconfigurations with resourceNames: \[slicewise-webhook\]/);
    });
    assert.equal(await policy(), 'Ignore');
    await strategic(api, { metadata: { annotations: { [HOLD]: null } } });
    await eventually(async () => assert.equal(await policy(), 'Fail'));
  });

  await t.test('the last replica that ends has it fail open again', async () => {
    service.child.kill('SIGTERM');
    assert.equal(await service.ended, 0, service.output);
    assert.match(service.output, /no longer armed: failurePolicy is Ignore now/);
    assert.equal(await policy(), 'Ignore');
  });
});

/**
 * With its output.
 * @param {import('../../webhook/arm.js').ArmSettings} settings @param {import('../../webhook/arm.js').Cluster} cluster
 */
function recorded(settings, cluster) {
  const told = /** @type {any[]} */ ([]);
  return { told, arming: new Arming(settings, cluster, (level, message, fields) => told.push({ level, message, ...fields })) };
}

/** The definitions of cert-manager's kinds, as the module of its types publishes them. @param {string[]} kinds plural */
function definitions(...kinds) {
  const args = ['list', '-m', '-f', '{{.Dir}}', 'github.com/cert-manager/cert-manager'];
  const { stdout, stderr } = spawnSync('go', args, { cwd: new URL('.', import.meta.url), encoding: 'utf8' });
  assert.ok(stdout.trim(), stderr);
  return kinds.map((kind) => parse(readFileSync(join(stdout.trim(), `deploy/crds/cert-manager.io_${kind}.yaml`), 'utf8')));
}

/** @param {string} name */
function namespace(name) {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
}

/** @param {import('../cluster/lib/api.js').Api} api @param {object} change */
function strategic(api, change) {
  const path = `/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/${NAME}`;
  return api.call('PATCH', path, change, 'application/strategic-merge-patch+json');
}

/** @param {import('../cluster/lib/api.js').Api} api @returns {Promise<string>} the API server's metrics */
function metrics(api) {
  return api.text('/metrics');
}

/**
 * The chart's configuration, with local paths of files.
 * @param {string} folder @param {any[]} all @param {number} port @param {string} kube
 */
function configured(folder, all, port, kube) {
  const certificate = join(folder, 'certificate');
  mkdirSync(certificate);
  for (const [key, value] of Object.entries(one(all, 'Secret').data)) writeFileSync(join(certificate, key), Buffer.from(String(value), 'base64'));
  const config = parse(one(all, 'ConfigMap').data['config.yaml']);
  Object.assign(config.tls, { cert: join(certificate, 'tls.crt'), key: join(certificate, 'tls.key') });
  Object.assign(config.server, { listen: `127.0.0.1:${port}`, health: '127.0.0.1:0', drainDelay: '100ms' });
  // In a pod, the service account.
  config.cluster = { kubeconfig: kube };
  const file = join(folder, 'config.yaml');
  writeFileSync(file, stringify(config));
  return file;
}

/** The image's start command. @returns {string[]} */
function entrypoint() {
  const text = readFileSync(new URL('../../webhook/deploy/Dockerfile', import.meta.url), 'utf8');
  const parts = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(text)?.[1] ?? '[]');
  assert.deepEqual(parts.slice(0, 1 + NODE_FLAGS.length), ['node', ...NODE_FLAGS]);
  return parts;
}

/** @param {import('node:test').TestContext} t @param {string} image @param {string} config */
function startService(t, image, config) {
  const [, ...args] = entrypoint().map((part) => part.replace('/app', image));
  const child = spawn(process.execPath, [...args, '--config', config], { cwd: tmpdir(), env: { KUBECONFIG: '/dev/null' } });
  const started = { child, output: '', ended: new Promise((resolve) => child.on('close', resolve)) };
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (started.output += text));
  t.after(() => child.kill('SIGKILL'));
  return started;
}

/** @param {() => unknown} check */
async function eventually(check, limit = 240_000) {
  const end = Date.now() + limit;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
    await sleep(100);
  }
}
