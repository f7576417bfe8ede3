/** `slicewise audit` on a real API server, with the permissions that the chart grants: it writes, updates and prunes reports of both APIs. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { TESTED_CLI } from '../../scripts/lib/paths.mjs';
import { startCluster } from './lib/cluster.js';
import { folder, freePort, run, toldError, writeKubeconfig } from './lib/reader.js';
import { install, until } from './lib/reports.js';
import { NAMESPACE, addNode, addService } from './lib/workload.js';

/** @typedef {import('./lib/api.js').Api} Api */
/** @typedef {import('./lib/api.js').Kind} Kind */

const TEMPLATE = new URL('../../webhook/deploy/helm/slicewise-webhook/templates/audit.yaml', import.meta.url);
/** Every Node breaks this rule. */
const NODES = { name: 'no-nodes', expression: 'false', message: 'no node is good enough', on: { kinds: ['Node'] } };
const SLICE = 'slicewise-endpointslice-by-hand';
const SERVICE = 'slicewise-service-cart';

test('audits write reports', { timeout: 1_200_000 }, async (t) => {
  const cluster = await startCluster(t);
  const { api, ready } = cluster;
  for (const name of [NAMESPACE, 'bank']) await api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  await addNode(api, 'a1', 'a');
  await grant(api);
  const files = folder(t);
  const token = await api.tokenOf(`${NAMESPACE}/auditor`);
  const kubeconfig = writeKubeconfig(join(files, 'config'), { server: ready.url, ca: ready.ca }, { auditor: { token, namespace: NAMESPACE } });
  const config = join(files, 'webhook.json');
  const configure = (/** @type {object} */ more) =>
    writeFileSync(config, JSON.stringify({ server: { listen: '0.0.0.0:8443' }, policies: { expression: { validations: [NODES] }, ...more } }));
  configure({});
  const env = { KUBECONFIG: kubeconfig };
  const audit = (/** @type {string[]} */ ...flags) => run(['audit', '--config', config, ...flags], { env });
  /** Its answer, in counts. @param {string[]} flags */
  const written = async (...flags) => {
    const { status, stdout, stderr } = await audit(...flags);
    assert.equal(status, 0, stderr);
    return /; reports: (.*)\n$/.exec(stdout)?.[1];
  };

  const ports = [{ port: 80, targetPort: 8080 }];
  await addService(api, 'cart', { selector: { app: 'cart' }, ports, externalIPs: ['203.0.113.7'] });
  await addService(api, 'till', { selector: { app: 'till' }, ports });
  await api.create(sliceOf(['10.9.9.9']));

  await t.test('a cluster without an API of reports says so', async () => {
    const { status, stderr } = await audit('-A');
    assert.equal(status, 2);
    assert.match(toldError(stderr), /^slicewise: the cluster keeps no reports: install the CustomResourceDefinitions of openreports\.io\/v1alpha1, or print/);
    const printed = await audit('-A', '-o', 'openreports-json');
    const names = printed.stdout.trim().split('\n').map((line) => JSON.parse(line).metadata.name);
    assert.deepEqual(names.sort(), [SLICE, 'slicewise-node-a1', SERVICE], 'printing needs none');
  });

  await t.test('where only the earlier API exists, it is used', async () => {
    await install(api, 'policyreports');
    assert.equal(await written('-A'), '3 created, 0 updated, 0 unchanged, 0 deleted');
    assert.deepEqual(await namesOf(api, 'PolicyReport'), [SLICE, SERVICE]);
    assert.deepEqual(await namesOf(api, 'ClusterPolicyReport'), ['slicewise-node-a1']);
    assert.equal(await written('-A'), '0 created, 0 updated, 3 unchanged, 0 deleted');
  });

  await t.test('reports move to the preferred API', async () => {
    await install(api, 'openreports');
    assert.equal(await written('-A'), '3 created, 0 updated, 0 unchanged, 3 deleted');
    assert.deepEqual([await namesOf(api, 'PolicyReport'), await namesOf(api, 'ClusterPolicyReport')], [[], []]);
  });

  await t.test('a report has everything that was written, and who owns it', async () => {
    const report = await api.get('Report', `${NAMESPACE}/${SLICE}`);
    const { uid } = await api.get('EndpointSlice', `${NAMESPACE}/by-hand`).then(({ metadata }) => metadata);
    const reference = { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', name: 'by-hand', uid };
    assert.deepEqual(report.metadata.ownerReferences, [reference]);
    assert.deepEqual(report.metadata.labels, { 'app.kubernetes.io/managed-by': 'slicewise' });
    assert.deepEqual(report.scope, { ...reference, namespace: NAMESPACE });
    assert.deepEqual([report.source, report.summary.fail], ['slicewise', 1]);
    const [{ timestamp, ...first }] = report.results;
    assert.deepEqual(first, {
      source: 'slicewise', policy: 'slice-addresses', rule: 'not-a-pod', category: 'Networking', severity: 'high', result: 'fail', scored: true,
      message: `10.9.9.9 does not belong to a pod in namespace ${NAMESPACE}; use the address of a pod, or have the range allowed by \`allowedCIDRs\``,
      properties: { field: 'endpoints[0].addresses[0]', mode: 'enforce' },
    });
    assert.ok(Math.abs(timestamp.seconds - Date.now() / 1000) < 3600, `${timestamp.seconds}`);
    const [node] = await api.list('ClusterReport');
    assert.deepEqual([node.results[0].rule, node.results[0].message], [NODES.name, NODES.message]);
  });

  await t.test('nothing is written if nothing has changed', async () => {
    await api.patch('Report', `${NAMESPACE}/${SLICE}`, { metadata: { labels: { team: 'network' } } });
    const before = await versions(api);
    assert.equal(await written('-A'), '0 created, 0 updated, 3 unchanged, 0 deleted');
    assert.deepEqual(await versions(api), before);
  });

  await t.test('what has changed is updated, and keeps its time and the labels of others', async () => {
    const before = await api.get('Report', `${NAMESPACE}/${SLICE}`);
    // Results of the same second would have the same time.
    await until(() => Date.now() / 1000 > before.results[0].timestamp.seconds + 1, 'a second');
    await api.replace({ ...sliceOf(['10.9.9.9', '10.9.9.8']), metadata: (await api.get('EndpointSlice', `${NAMESPACE}/by-hand`)).metadata });
    assert.equal(await written('-A'), '0 created, 1 updated, 2 unchanged, 0 deleted');
    const after = await api.get('Report', `${NAMESPACE}/${SLICE}`);
    assert.equal(after.summary.fail, 2);
    assert.equal(after.metadata.labels.team, 'network');
    assert.equal(after.results[0].timestamp.seconds, before.results[0].timestamp.seconds);
    assert.ok(after.results[1].timestamp.seconds > before.results[0].timestamp.seconds);
  });

  await t.test('one namespace leaves the reports of others, and of the cluster', async () => {
    await addService(api, 'vault', { ports, externalIPs: ['203.0.113.9'] }, { namespace: 'bank' });
    assert.equal(await written('-A'), '1 created, 0 updated, 3 unchanged, 0 deleted');
    await api.delete('Service', 'bank/vault');
    assert.equal(await written('-n', NAMESPACE), '0 created, 0 updated, 2 unchanged, 0 deleted');
    assert.equal((await namesOf(api, 'Report')).length, 3);
    assert.equal(await written('-A'), '0 created, 0 updated, 3 unchanged, 1 deleted');
  });

  await t.test('reports without findings, or without their object, are deleted', async () => {
    await api.delete('EndpointSlice', `${NAMESPACE}/by-hand`);
    configure({ 'service-traffic': { mode: 'off' } });
    assert.equal(await written('-A'), '0 created, 0 updated, 1 unchanged, 2 deleted');
    assert.deepEqual(await namesOf(api, 'Report'), []);
    configure({});
  });

  await t.test("a report of somebody else is theirs, and the others are written", async () => {
    const metadata = { namespace: NAMESPACE, name: SERVICE };
    await api.create({ apiVersion: 'openreports.io/v1alpha1', kind: 'Report', metadata, source: 'other' });
    await api.create(sliceOf(['10.9.9.9']));
    const { status, stderr } = await audit('-A');
    assert.equal(status, 2);
    const why = `there is a Report ${SERVICE} without the label app.kubernetes.io/managed-by=slicewise; rename or delete it`;
    assert.equal(toldError(stderr), `slicewise: cannot write 1 of 2 reports that have changed: ${why}\n`);
    assert.equal((await api.get('Report', `${NAMESPACE}/${SERVICE}`)).source, 'other');
    assert.deepEqual(await namesOf(api, 'Report'), [SLICE, SERVICE]);
    await api.delete('Report', `${NAMESPACE}/${SERVICE}`);
  });

  await t.test('again and again, it follows the cluster, and ends when it is told to', async () => {
    await api.delete('EndpointSlice', `${NAMESPACE}/by-hand`);
    const port = await freePort();
    const flags = ['-A', '--config', config, '--every', '1s', '--metrics', `127.0.0.1:${port}`];
    const child = spawn(TESTED_CLI, ['audit', ...flags], { env: { ...env, PATH: process.env.PATH } });
    t.after(() => child.kill('SIGKILL'));
    let told = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (told += text));
    const ended = new Promise((resolve) => child.on('close', (code, signal) => resolve(code ?? signal)));
    const are = (/** @type {string[]} */ ...names) => async () => `${await namesOf(api, 'Report')}` === `${names}`;
    await until(are(SERVICE), () => `the report on the Service: ${told}`);
    await api.create(sliceOf(['10.9.9.9']));
    await until(are(SLICE, SERVICE), () => `the report on the slice: ${told}`);
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    assert.match(metrics, /^slicewise_webhook_audited_objects_total\{verdict="deny"\} [1-9]/m);
    assert.match(metrics, /^slicewise_webhook_policy_findings_total\{policy="service-traffic",verdict="deny"\} [1-9]/m);
    assert.match(metrics, /^slicewise_webhook_policy_findings_total\{policy="slice-hints",verdict="deny"\} 0$/m);
    // A configuration that cannot be read now may be readable later.
    writeFileSync(config, '{');
    await until(() => told.includes('InvalidJson'), () => `the error: ${told}`);
    configure({ 'service-traffic': { mode: 'off' } });
    await until(are(SLICE), () => `the report on the Service is gone: ${told}`);
    child.kill('SIGTERM');
    assert.equal(await ended, 0, told);
  });

  await t.test('who may not write is told what to allow', async () => {
    await api.delete('ClusterRoleBinding', 'auditor');
    await api.create(binding('reader', 'reading'));
    const reads = rules().filter(({ verbs }) => !verbs.includes('create'));
    await api.create({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'reading' }, rules: reads });
    let told = '';
    await until(async () => (told = (await audit('-A')).stderr).includes('reports'), 'the refusal');
    assert.match(toldError(told), /^slicewise: cannot list reports: .*; allow get, list, create, update, patch and delete of reports, as the chart's ClusterRole for audits does\n$/);
  });
});

/** A slice of the Service cart with these addresses. @param {string[]} addresses */
function sliceOf(addresses) {
  const labels = { 'kubernetes.io/service-name': 'cart' };
  return {
    apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', metadata: { namespace: NAMESPACE, name: 'by-hand', labels },
    addressType: 'IPv4', ports: [{ name: '', port: 8080, protocol: 'TCP' }], endpoints: addresses.map((address) => ({ addresses: [address] })),
  };
}

/** The rules of the chart's ClusterRole for audits. @returns {any[]} */
function rules() {
  const [, found = ''] = /\nkind: ClusterRole\n.*?\n(rules:\n.*?)\n---/s.exec(readFileSync(TEMPLATE, 'utf8')) ?? [];
  return parse(found.replaceAll(/^ *\{\{.*\n/gm, '')).rules;
}

/** @param {string} name @param {string} role */
function binding(name, role) {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding', metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects: [{ kind: 'ServiceAccount', namespace: NAMESPACE, name: 'auditor' }],
  };
}

/** @param {Api} api */
async function grant(api) {
  await api.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace: NAMESPACE, name: 'auditor' } });
  await api.create({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'auditor' }, rules: rules() });
  await api.create(binding('auditor', 'auditor'));
}

/** @param {Api} api @param {Kind} kind @returns {Promise<string[]>} */
async function namesOf(api, kind) {
  return (await api.list(kind)).map(({ metadata }) => metadata.name).sort();
}

/** @param {Api} api */
async function versions(api) {
  const all = [...(await api.list('Report')), ...(await api.list('ClusterReport'))];
  return all.map(({ metadata }) => [metadata.name, metadata.resourceVersion]);
}
