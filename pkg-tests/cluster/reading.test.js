/**
 * Commands that read a real API server, with the permissions that `docs/cluster.md` grants: their output equals that for a dump
 * of the same cluster, and if they cannot read it, they say what to do.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pair } from '../webhook/lib/start.js';
import { startCluster } from './lib/cluster.js';
import { documented, folder, freePort, run, toldError, tokenUntil, writeKubeconfig } from './lib/reader.js';
import { NAMESPACE, NODES, addNode, addService, podIps, runPods, setPodStatus } from './lib/workload.js';

/** @typedef {import('./lib/api.js').Api} Api */
/** @typedef {import('./lib/api.js').Kind} Kind */

/** The kinds that commands list. @type {Kind[][]} */
const [PLANS, BESIDES, TRAFFIC, MIRRORS, SLICES] = [
  ['Service', 'EndpointSlice', 'Pod', 'Node'],
  ['Endpoints', 'CoreEvent', 'Lease'],
  ['Service', 'EndpointSlice', 'Node'],
  ['EndpointSlice', 'Endpoints', 'Service'],
  ['EndpointSlice'],
];

const NO_EXCEPTIONS = /^slicewise: .* has no SliceExceptions of slicewise\.dev\/v1alpha1, so none applies\n/;
const NOT_ALLOWED =
  /^slicewise: not allowed to list services, endpointslices, pods in namespace shop, nodes of the cluster: services is forbidden: User "system:serviceaccount:shop:stranger" cannot list resource "services" in API group "" in the namespace "shop"; grant it in a ClusterRole with the rules `\{apiGroups: \[""\], resources: \[services, pods, nodes\], verbs: \[list\]\}` and `\{apiGroups: \["discovery\.k8s\.io"\], resources: \[endpointslices\], verbs: \[list\]\}`\n$/;

test('commands read a cluster', { timeout: 1_200_000 }, async (t) => {
  // Otherwise the reference outruns its own cache while the pods are written, and backs off for a minute.
  const cluster = await startCluster(t, ['-reference-controller', '-endpoint-updates-batch-period=500ms']);
  const { api, ready } = cluster;
  await fill(api);
  await cluster.settle();
  // The controller is idle, so nothing changes from here on.
  await cluster.stopReference();
  await setPodStatus(api, 'near-2', podIps('near', 2), { ready: false });
  await grant(api);
  const files = folder(t);
  const token = (/** @type {string} */ name) => api.tokenOf(`${NAMESPACE}/${name}`);
  const unused = await freePort();
  const kubeconfig = writeKubeconfig(join(files, 'config'), { server: ready.url, ca: ready.ca }, {
    reader: { token: await token('reader'), namespace: NAMESPACE },
    homeless: { token: await token('reader') },
    local: { token: await token('local'), namespace: NAMESPACE },
    scant: { token: await token('scant'), namespace: NAMESPACE },
    stranger: { token: await token('stranger') },
    expired: { token: await tokenUntil(cluster, `${NAMESPACE}/reader`, -60) },
    lasting: { token: await tokenUntil(cluster, `${NAMESPACE}/reader`, 600) },
    nobody: { token: 'no-such-token' },
    gone: { token: 'unused', server: `https://127.0.0.1:${unused}` },
    other: { token: 'unused', server: ready.url.replace('127.0.0.1', 'localhost') },
  });
  const env = { KUBECONFIG: kubeconfig };
  /** @param {string} name @param {Kind[]} kinds @param {string} [namespace] @returns {Promise<string>} the file */
  const dump = async (name, kinds, namespace) => {
    const file = join(files, `${name}-${namespace ?? 'all'}.json`);
    writeFileSync(file, await dumpOf(api, kinds, namespace));
    return file;
  };
  const explained = [...PLANS, ...BESIDES];
  const part = await dump('explained', explained, NAMESPACE);
  const service = JSON.stringify({ ...(await api.get('Service', `${NAMESPACE}/near`)), apiVersion: 'v1', kind: 'Service' });
  const manifest = join(files, 'manifest.json');
  writeFileSync(manifest, service.replace('"app":"near"', '"app":"nearby"'));
  const before = await dump('before', ['EndpointSlice']);
  const beforePart = await dump('before', ['EndpointSlice'], NAMESPACE);
  for (const file of [before, beforePart]) writeFileSync(file, readFileSync(file, 'utf8').replaceAll('10.1.2.3"', '10.1.2.99"'));

  /** What a command prints of the cluster, without the note that it has no exceptions. @param {string[]} args */
  const ofCluster = async (args) => {
    const ran = await run(args, { env });
    if (args[0] !== 'review') return ran;
    assert.match(ran.stderr, NO_EXCEPTIONS, `${args}`);
    return { ...ran, stderr: ran.stderr.replace(NO_EXCEPTIONS, '') };
  };

  for (const { args, kinds, give = [], narrow = args } of [
    { args: ['plan', '-o', 'json'], kinds: PLANS }, { args: ['plan', '-o', 'patch'], kinds: PLANS },
    { args: ['plan', '-o', 'summary', '--explain'], kinds: PLANS },
    { args: ['explain', '-o', 'json'], kinds: explained }, { args: ['explain', '--verbose'], kinds: explained },
    { args: ['route', '--node', 'b1'], kinds: TRAFFIC }, { args: ['traffic', '-o', 'json'], kinds: TRAFFIC },
    { args: ['mirror', '-o', 'diff'], kinds: MIRRORS }, { args: ['mirror', '-o', 'patch'], kinds: MIRRORS },
    { args: ['diff', '-o', 'summary', before], narrow: ['diff', '-o', 'summary', beforePart], kinds: SLICES },
    { args: ['review', manifest, '-o', 'text'], give: ['--snapshot'], kinds: PLANS },
  ]) {
    await t.test(args.slice(0, 4).join(' '), async () => {
      const ofAll = await run([...args, ...give, await dump('given', kinds)]);
      assert.ok(ofAll.stdout.length > 20, ofAll.stderr);
      for (const flags of [
        ['-A'],
        ['--all-namespaces', '-n', NAMESPACE],
        ['-A', '--context', 'homeless', '--chunk-size', '2'],
        ['-A', '--chunk-size', '0'],
      ]) {
        assertSame(await ofCluster([...args, ...flags]), ofAll, `${flags}`);
      }
      const ofOne = await run([...narrow, ...give, await dump('given', kinds, NAMESPACE)]);
      for (const flags of [
        ['-n', NAMESPACE],
        ['--context', 'reader'],
        ['--context', 'local', '-n', NAMESPACE],
        ['--kubeconfig', kubeconfig],
        ['--context=lasting', `--namespace=${NAMESPACE}`, '--chunk-size=3'],
      ]) {
        assertSame(await ofCluster([...args, ...flags]), ofOne, `${flags}`);
      }
    });
  }

  await t.test('a Service stands alone, with its namespace or without', async () => {
    const expected = await run(['explain', part, '--service', 'shop/near']);
    assert.match(expected.stdout, /^shop\/near: /m);
    for (const args of [
      ['-n', NAMESPACE, 'near'],
      ['-n', NAMESPACE, 'shop/near'],
      ['shop/near', '--context', 'homeless'],
      ['-A', 'shop/near'],
      ['-n', NAMESPACE, '--service', 'near'],
      ['-n', NAMESPACE, 'near', '--service', 'near'],
    ]) {
      assertSame(await run(['explain', ...args], { env }), expected, `${args}`);
    }
    assertSame(await run(['explain', '-f', part, 'shop/near']), expected, '-f');
    // Only its slices are known; no one requests the nodes.
    const selected = await run(['explain', '-n', NAMESPACE, '-l', 'tier=front'], { env });
    assert.equal(selected.stdout, expected.stdout.slice(expected.stdout.indexOf('shop/near: ')));
    for (const command of [['plan', '-o', 'yaml'], ['traffic'], ['route', '--node', 'a1'], ['mirror', '-o', 'yaml']]) {
      const [name, kinds] = command[0] === 'mirror' ? ['legacy', MIRRORS] : ['near', command[0] === 'plan' ? PLANS : TRAFFIC];
      const expectedOfOne = await run([...command, await dump('given', kinds, NAMESPACE), '--service', `shop/${name}`]);
      assertSame(await run([...command, '-n', NAMESPACE, name], { env }), expectedOfOne, `${command}`);
    }
  });

  await t.test('slices are mirrored of the Services that a selector chooses', async () => {
    const mirrored = async (/** @type {string} */ selector) =>
      (await run(['mirror', '-n', NAMESPACE, '-l', selector, '-o', 'summary'], { env })).stdout;
    const all = (await run(['mirror', '-n', NAMESPACE, '-o', 'summary'], { env })).stdout;
    assert.match(all, /^shop\/legacy: [^]*1 to create/);
    assert.equal(await mirrored('tier!=front'), all, 'of the other there are no Endpoints');
    assert.equal(await mirrored('tier=front'), '0 Services, 0 to change: 0 to create, 0 to update, 0 to delete\n');
  });

  await t.test('explanations tell what else the cluster says, and do without what is not allowed', async () => {
    const all = await run(['explain', '-n', NAMESPACE, '--context', 'local', '-o', 'json'], { env });
    assert.deepEqual(JSON.parse(all.stdout).warnings, []);
    assert.match(all.stdout, /An Event says FailedToUpdateEndpointSlices\./);
    assert.match(all.stdout, /The lease kube-controller-manager was last renewed at 2026-01-02T03:04:05\.000000Z by manager-1/);
    assert.match(all.stdout, /Its Endpoints are not mirrored yet\./);
    const less = await run(['explain', '-n', NAMESPACE, '--context', 'scant', '-o', 'json'], { env });
    assert.equal(less.status, 0, less.stderr);
    assert.doesNotMatch(less.stdout, /An Event says|The lease|mirrored yet/);
    const { warnings } = JSON.parse(less.stdout);
    assert.deepEqual(warnings.map((/** @type {any} */ { code }) => code), ['LeftOut']);
    assert.match(
      warnings[0].message,
      /^not allowed to list endpoints, events in namespace shop, leases in namespace kube-system: .* cannot list resource .*; grant it in a Role or ClusterRole with the rules .* and .*; the answers do without it$/,
    );
    const text = await run(['explain', '-n', NAMESPACE, '--context', 'scant', 'near'], { env });
    assert.match(
      text.stdout,
      /^shop\/near: [^]*\nwarning: not allowed to list endpoints, events in .*\n$/m,
    );
  });

  await t.test('webhook configurations', async () => {
    const configuration = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'guard' },
      webhooks: [webhook()],
    };
    await api.create(configuration);
    const { status, stdout, stderr } = await run(['lint-config', '-A'], { env });
    assert.equal(status, 1, stderr);
    assert.match(stdout, /^ValidatingWebhookConfiguration guard: follows \d+ of \d+ good practices/);
    assert.doesNotMatch(stdout, /add the Namespace to the input/, 'it has read their labels');
    for (const flags of [['-n', NAMESPACE], ['--context', 'homeless'], ['--kubeconfig', kubeconfig]]) {
      assertSame(await run(['lint-config', ...flags], { env }), { status, stdout, stderr, megabytes: 0 }, `${flags}`);
    }
    await refused(
      ['lint-config', '--context', 'local'],
      /not allowed to list validatingwebhookconfigurations, mutatingwebhookconfigurations, namespaces of the cluster: .*\{apiGroups: \["admissionregistration.k8s.io"\], resources: \[validatingwebhookconfigurations, mutatingwebhookconfigurations\], verbs: \[list\]\}/,
    );
  });

  await t.test('files, folders and standard input', async () => {
    const lists = readFileSync(part, 'utf8').trim().split('\n');
    const parts = folder(t);
    const names = lists.map((list, number) => {
      const file = join(parts, `${number}.json`);
      writeFileSync(file, list);
      return file;
    });
    writeFileSync(join(parts, 'notes.txt'), 'not read');
    const expected = await run(['plan', part]);
    const each = names.flatMap((name) => ['-f', name]);
    assertSame(await run(['plan', ...each]), expected, 'several');
    assertSame(await run(['plan', '-f', parts]), expected, 'a folder');
    assertSame(await run(['plan', ...each.slice(2), '-f', '-'], { input: lists[0] }), expected, 'and standard input');
    writeFileSync(join(parts, '9.yaml'), 'kind: Service\napiVersion: v1\nmetadata:\n  name: 7\n');
    const broken = await run(['plan', '-f', parts]);
    assert.equal(broken.status, 2);
    assert.deepEqual(Object.entries(JSON.parse(broken.stderr).error).slice(2), [['path', '/metadata/name'], ['line', 4], ['column', 3]]);
    assert.match(JSON.parse(broken.stderr).error.message, new RegExp(`^${join(parts, '9.yaml')}: `));
    writeFileSync(join(parts, '9.yaml'), '{"kind":"Pod"');
    writeFileSync(join(parts, 'a.json'), ',"apiVersion":"v1","metadata":{"name":"a"}}');
    const cut = await run(['plan', '-f', parts]);
    assert.match(cut.stderr, /9\.yaml: /, 'a file that is cut off is not made whole by the next');
  });

  await t.test('what cannot be is refused before anything is read', async () => {
    await refused(
      ['explain', 'dump.json', '--context', 'local'],
      /--context and --kubeconfig name a cluster; to read a file, leave them out/,
    );
    await refused(['explain', '-f', part, 'other.json'], /`other.json` is not the name of a Service: give each file its own -f/);
    await refused(['explain', '-n', NAMESPACE, 'bank/till'], /`bank\/till` is not in namespace shop, which --namespace selects; leave that out/);
    await refused(['plan', '-f', part, '-n', 'nowhere'], /there is no Service in namespace `nowhere` in the input; it has Services in /);
    await refused(['plan', '-n', NAMESPACE, 'near', '--service', 'till'], /two Services are named, `near` and, with --service, `till`/);
    await refused(['plan', '-n', '../../secrets'], /a namespace has lowercase letters, digits and `-` in its name/);
    await refused(['plan', '--ndjson', '-A'], /'--ndjson' cannot be used with/);
    await refused(
      ['review', manifest, '-n', 'bank'],
      /a change is in namespace shop, but only namespace bank of the cluster was read; read all namespaces with -A/,
    );
    await refused(
      ['plan', '-n', NAMESPACE, '-l', 'a=b=c'],
      /^slicewise: --selector: the API server does not accept `a=b=c`: found '='.*; write it like `app=cart,tier in \(front, back\)`\n$/,
    );
  });

  await t.test('what cannot be read is told with its remedy', async () => {
    await refused(['plan', '-n', NAMESPACE, '--context', 'stranger'], NOT_ALLOWED);
    await refused(
      ['plan', '-A', '--context', 'local'],
      /not allowed to list services, endpointslices, pods in all namespaces: .*grant it in a ClusterRole with the rules `\{apiGroups: \[""\], resources: \[services, pods\], verbs: \[list\]\}` and /,
    );
    await refused(
      ['diff', before, '-A', '--context', 'local'],
      /not allowed to list endpointslices .*\{apiGroups: \["discovery.k8s.io"\], resources: \[endpointslices\], verbs: \[list\]\}/,
    );
    for (const context of ['expired', 'nobody']) {
      await refused(
        ['plan', '-A', '--context', context],
        new RegExp(
          `^slicewise: the API server at ${ready.url} \\(context ${context}\\) does not accept the credentials of user ${context}: the token has ` +
            `expired or was revoked, or it belongs to another cluster; log in again\n$`,
        ),
      );
    }
    await refused(['plan', '--context', 'prod'], /there is no context `prod` in the kubeconfig; the contexts are: reader, homeless, local,/);
    await refused(
      ['plan', '-A', '--context', 'gone'],
      /cannot list services in all namespaces: the API server at https:\/\/127\.0\.0\.1:\d+ \(context gone\) cannot be reached: connection refused; is it running, and reachable from here\?/,
    );
    const empty = await run(['plan', '-n', 'empty', '-o', 'summary'], { env });
    assert.match(empty.stdout, /^warning: the input has no Service: the list of services is empty$/m);
    await refused(
      ['plan', '-n', 'no-such', '--kubeconfig', ready.kubeconfig],
      /^slicewise: the API server at \S+ .*has no namespace `no-such`; `kubectl get namespaces` lists them$/m,
    );
    await refused(
      ['explain', '-n', NAMESPACE, '-l', 'app=no-such'],
      new RegExp(`--selector: no Service in namespace ${NAMESPACE} has the labels \`app=no-such\`; `),
    );
    for (const other of [{ KUBECONFIG: '/no/such/file' }, undefined]) {
      assert.match(
        toldError((await run(['plan', '-A'], { env: other })).stderr),
        /^slicewise: there is no kubeconfig, so there is no cluster to read: set --kubeconfig or \$KUBECONFIG, or read a file instead\n$/,
      );
    }
    await refused(['plan', '--kubeconfig', '/no/such/file'], /cannot read \/no\/such\/file: no such file or directory; use a kubeconfig/);
    writeFileSync(join(files, 'broken'), 'clusters: 7');
    await refused(['plan', '--kubeconfig', join(files, 'broken')], /cannot read .*broken: /);
    writeFileSync(join(files, 'aimless'), readFileSync(kubeconfig, 'utf8').replace(/"current-context":"reader",/, ''));
    await refused(
      ['plan', '--kubeconfig', join(files, 'aimless')],
      /the kubeconfig has no current context; name one with --context: reader, homeless/,
    );
    const stranger = readFileSync(kubeconfig, 'utf8').replaceAll(ready.ca, join(files, 'other.crt'));
    writeFileSync(join(files, 'other.crt'), pair.cert);
    writeFileSync(join(files, 'distrustful'), stranger);
    await refused(
      ['plan', '-A', '--kubeconfig', join(files, 'distrustful')],
      /cannot be reached: .*certificate.*; check `certificate-authority` of the cluster in the kubeconfig/,
    );
  });

  /** One message, exit code 2, nothing printed. @param {string[]} args @param {RegExp} message */
  async function refused(args, message) {
    const { status, stdout, stderr } = await run(args, { env });
    // Usage errors are always text.
    assert.match(stderr.startsWith('{') ? toldError(stderr) : stderr, message);
    assert.equal(status, 2, stderr);
    assert.equal(stdout, '');
  }
});

/** Services of several types in two namespaces. @param {Api} api */
async function fill(api) {
  for (const name of [NAMESPACE, 'bank']) await api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  for (const node of NODES) await addNode(api, node, node.slice(0, 1));
  await addService(
    api,
    'near',
    { selector: { app: 'near' }, ports: [{ port: 80, targetPort: 'http' }], trafficDistribution: 'PreferSameZone' },
    { labels: { tier: 'front' } },
  );
  await addService(
    api,
    'auto',
    { selector: { app: 'auto' }, ports: [{ port: 80, targetPort: 'http' }] },
    { annotations: { 'service.kubernetes.io/topology-mode': 'Auto' } },
  );
  await addService(api, 'till', { selector: { app: 'till' }, ports: [{ port: 80 }] }, { namespace: 'bank' });
  await addService(api, 'legacy', { ports: [{ port: 80 }] });
  await api.create({
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { namespace: NAMESPACE, name: 'legacy' },
    subsets: [{ addresses: [{ ip: '10.9.0.1' }], ports: [{ port: 80 }] }],
  });
  await api.create({
    apiVersion: 'events.k8s.io/v1', kind: 'Event', metadata: { namespace: NAMESPACE, name: 'near.1' }, type: 'Warning', action: 'Sync',
    reason: 'FailedToUpdateEndpointSlices', note: 'Error updating Endpoint Slices for Service shop/near: a webhook says no',
    eventTime: '2026-01-02T03:04:05.000000Z',
    reportingController: 'endpoint-slice-controller', reportingInstance: 'manager-1',
    regarding: { apiVersion: 'v1', kind: 'Service', namespace: NAMESPACE, name: 'near' },
  });
  await api.create({
    apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { namespace: 'kube-system', name: 'kube-controller-manager' },
    spec: { holderIdentity: 'manager-1', leaseDurationSeconds: 15, renewTime: '2026-01-02T03:04:05.000000Z' },
  });
  await runPods(api, 'near', 1, 5);
  await runPods(api, 'auto', 1, 4);
}

/** The ServiceAccounts for reading, with the documented permissions. @param {Api} api */
async function grant(api) {
  for (const object of documented('Permissions')) await api.create(object);
  await api.create({
    apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { namespace: NAMESPACE, name: 'scant' },
    rules: [
      { apiGroups: [''], resources: ['services', 'pods'], verbs: ['list'] },
      { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['list'] },
    ],
  });
  for (const name of ['reader', 'local', 'scant', 'stranger']) {
    await api.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace: NAMESPACE, name } });
  }
  const bind = (/** @type {string} */ account, /** @type {string} */ kind, /** @type {string} */ role, namespace = NAMESPACE) => {
    const place = kind === 'Role' ? { kind: 'RoleBinding', namespace } : { kind: 'ClusterRoleBinding', namespace: undefined };
    return api.create({
      apiVersion: 'rbac.authorization.k8s.io/v1', kind: place.kind, metadata: { name: `${account}-${role}`, namespace: place.namespace },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: role },
      subjects: [{ kind: 'ServiceAccount', namespace: NAMESPACE, name: account }],
    });
  };
  await bind('reader', 'ClusterRole', 'slicewise-reader');
  await bind('local', 'Role', 'slicewise-reader');
  await bind('local', 'Role', 'slicewise-reader', 'kube-system');
  for (const name of ['local', 'scant']) await bind(name, 'ClusterRole', 'slicewise-reader-nodes');
  await bind('scant', 'Role', 'scant');
}

/** Complete lists of these kinds, one after another. @param {Api} api @param {Kind[]} kinds @param {string} [namespace] */
async function dumpOf(api, kinds, namespace) {
  const lists = await Promise.all(kinds.map(async (kind) => {
    // As API servers return them: the list states the kind of its items.
    const bare = (/** @type {any} */ { kind: _kind, apiVersion: _version, ...item }) => item;
    const isThere = (/** @type {any} */ { metadata }) =>
      ['Node', 'Lease'].includes(kind) || namespace === undefined || metadata.namespace === namespace;
    const apiVersion = { EndpointSlice: 'discovery.k8s.io/v1', Lease: 'coordination.k8s.io/v1' }[String(kind)] ?? 'v1';
    return JSON.stringify({
      kind: `${kind.replace('Core', '')}List`,
      apiVersion,
      metadata: { resourceVersion: '1' },
      items: (await api.list(kind)).filter(isThere).map(bare),
    });
  }));
  return `${lists.join('\n')}\n`;
}

/** @param {import('./lib/reader.js').Ran} ran @param {import('./lib/reader.js').Ran} expected @param {string} what */
function assertSame(ran, expected, what) {
  assert.equal(ran.stderr, expected.stderr, what);
  assert.equal(ran.stdout, expected.stdout, what);
  assert.equal(ran.status, expected.status, what);
}

function webhook() {
  return {
    name: 'guard.example.com', sideEffects: 'None', admissionReviewVersions: ['v1'], failurePolicy: 'Ignore',
    clientConfig: { url: 'https://127.0.0.1:1/' },
    rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['UPDATE'], resources: ['configmaps'] }],
  };
}
