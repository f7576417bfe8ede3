/** How commands reach an API server: kubeconfigs and proxies as `kubectl` takes them, and what is said when there is none. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { FakeApi } from '../webhook/lib/api-server.js';
import { folder, run, toldError } from './lib/reader.js';

const PLAN = ['plan', '-A', '-o', 'summary'];

/** An API server with a Service, and its kubeconfig as data. @param {import('node:test').TestContext} t */
async function start(t) {
  const api = await FakeApi.start(t);
  api.set({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace: 'shop', name: 'cart' },
    spec: { clusterIP: '10.9.0.1', ipFamilies: ['IPv4'], selector: { app: 'cart' }, ports: [{ port: 80 }] },
  });
  const config = JSON.parse(readFileSync(api.kubeconfig(api.url, false), 'utf8'));
  const files = folder(t);
  /** @param {string} name @param {object} content */
  const write = (name, content) => {
    const file = join(files, name);
    writeFileSync(file, JSON.stringify(content));
    return file;
  };
  return { api, config, files, write };
}

/** @param {Record<string, string>} env @param {string[]} [args] */
async function planned(env, args = PLAN) {
  const { status, stdout, stderr } = await run(args, { env });
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^shop\/cart: /m);
}

/** @param {Record<string, string>} env @param {RegExp} message @param {string[]} [args] */
async function refused(env, message, args = PLAN) {
  const { status, stdout, stderr } = await run(args, { env });
  assert.deepEqual([status, stdout], [2, ''], stderr);
  assert.match(toldError(stderr), message);
}

test('several kubeconfigs are one', async (t) => {
  const { config, files, write } = await start(t);
  const { clusters, users, contexts, ...head } = config;
  const first = write('first', { ...head, 'current-context': '', contexts });
  const second = write('second', { ...head, clusters, users, contexts: [{ name: 'test', context: { cluster: 'no-such-cluster' } }] });
  const list = (/** @type {string[]} */ ...names) => ({ KUBECONFIG: names.join(delimiter) });
  await planned(list(first, second));
  await planned(list(join(files, 'missing'), '', first, second));
  await refused(list(second, first), /the kubeconfig is invalid: .*no-such-cluster/);
  await refused(list(first), /the kubeconfig has no current context; name one with --context: test/);
  await refused(list(first, files), /^slicewise: cannot read \S+: is a directory; use a kubeconfig that works with kubectl\n$/);
  await refused(
    list(join(files, 'missing')),
    /^slicewise: there is no kubeconfig, so there is no cluster to read: set --kubeconfig or \$KUBECONFIG, or read a file instead\n$/,
  );
  mkdirSync(join(files, '.kube/config'), { recursive: true });
  await refused({ HOME: files }, /^slicewise: cannot read \S+\/\.kube\/config: is a directory; use a kubeconfig that works with kubectl\n$/);
});

test('who reads no files is not advised to', async () => {
  for (const args of [['watch'], ['controller']]) {
    await refused({}, /^slicewise: there is no kubeconfig, so there is no cluster to read: set --kubeconfig or \$KUBECONFIG\n$/, args);
  }
});

test('a proxy, where one is configured and needed', async (t) => {
  const { api, config, write } = await start(t);
  /** @type {(string | undefined)[]} */
  const tunnels = [];
  const proxy = createServer().on('connect', (request, near) => {
    tunnels.push(request.url);
    const far = connect(Number(new URL(api.url).port), '127.0.0.1', () => near.write('HTTP/1.1 200 OK\r\n\r\n'));
    near.on('error', () => far.destroy()).pipe(far).on('error', () => near.destroy()).pipe(near);
  });
  await new Promise((resolve) => proxy.listen(0, '127.0.0.1', () => resolve(null)));
  t.after(() => (proxy.closeAllConnections(), proxy.close()));
  const { port } = /** @type {import('node:net').AddressInfo} */ (proxy.address());
  const address = `127.0.0.1:${port}`;
  const taken = () => [...new Set(tunnels.splice(0))];
  let written = 0;
  /** @param {object} cluster */
  const kubeconfig = (cluster) =>
    write(`config-${written++}`, { ...config, clusters: [{ name: 'fake', cluster: { ...config.clusters[0].cluster, ...cluster } }] });

  // Only the proxy knows how to reach it.
  const far = kubeconfig({ server: 'https://api.example.invalid:6443' });
  /** @type {Record<string, string>[]} */
  const environments = [
    { HTTPS_PROXY: `http://${address}` },
    { https_proxy: address },
    { HTTPS_PROXY: address, NO_PROXY: '127.0.0.1,.other.invalid' },
    { HTTPS_PROXY: address, NO_PROXY: 'localhost,, .other.invalid,' },
  ];
  for (const env of environments) {
    await planned({ KUBECONFIG: far, ...env });
    assert.deepEqual(taken(), ['api.example.invalid:6443'], JSON.stringify(env));
  }
  await refused(
    { KUBECONFIG: far, HTTPS_PROXY: address, NO_PROXY: 'localhost, example.invalid,' },
    /cannot list services in all namespaces: .* cannot be reached/,
  );
  assert.deepEqual(taken(), []);

  const near = kubeconfig({});
  await planned({ KUBECONFIG: near, HTTPS_PROXY: `http://${address}` });
  assert.deepEqual(taken(), [], 'this machine needs none');
  await planned({ KUBECONFIG: kubeconfig({ 'proxy-url': `http://${address}` }), NO_PROXY: '*' });
  assert.deepEqual(taken(), [new URL(api.url).host], 'a kubeconfig is obeyed');

  await refused(
    { KUBECONFIG: far, HTTPS_PROXY: 'http://me:secret@' },
    /^slicewise: [^`]*\$HTTPS_PROXY,? is not the address of a proxy; write it like http:\/\/proxy.example:3128, or remove it\n$/,
  );
  await refused(
    { KUBECONFIG: kubeconfig({ 'proxy-url': 'ftp://me:secret@proxy' }) },
    /^slicewise: proxy-url in the kubeconfig is not the address of a proxy; [^@]*$/,
  );
});

test('a server without a scheme, as kubectl reads it', async (t) => {
  const { api, config, write } = await start(t);
  const cluster = { ...config.clusters[0].cluster, server: new URL(api.url).host };
  await planned({ KUBECONFIG: write('tls', { ...config, clusters: [{ name: 'fake', cluster }] }) });
  const plain = { KUBECONFIG: write('plain', { ...config, clusters: [{ name: 'fake', cluster: { server: '127.0.0.1:1' } }] }) };
  await refused(plain, /the API server at http:\/\/127\.0\.0\.1:1 \(context test\) cannot be reached: connection refused/);
});

test('who cannot log in is told why, and no secrets', async (t) => {
  const { config, write } = await start(t);
  const exec = (/** @type {string} */ command, /** @type {string[]} */ ...args) => ({
    exec: { apiVersion: 'client.authentication.k8s.io/v1', command, args, env: [{ name: 'KEY', value: 'hunter2' }], interactiveMode: 'Never' },
  });
  const where = 'cannot log in to the API server at https://127\\.0\\.0\\.1:\\d+ \\(context test\\)';
  const check = 'or check the user\'s entry in the kubeconfig\n$';
  for (const [user, message] of /** @type {[object, string][]} */ ([
    [exec('/no/such/login'), `^slicewise: ${where}: cannot run \`/no/such/login\`: no such file or directory; install it, ${check}`],
    [
      exec('sh', '-c', 'echo hunter2; echo "the session of $0 has ended" >&2; exit 3', 'jane'),
      `^slicewise: ${where}: \`sh\` failed with exit status: 3: the session of jane has ended; log in again, ${check}`,
    ],
    [exec('echo', 'hunter2: ['), `^slicewise: ${where}: \`echo\` has not printed credentials; log in again, ${check}`],
    [
      { tokenFile: '/no/such/token' },
      `^slicewise: ${where}: failed to read token file \`/no/such/token\`: No such file or directory; log in again, ${check}`,
    ],
    [
      { 'client-certificate': '/no/such/crt', 'client-key': '/no/such/key' },
      '^slicewise: cannot connect to the API server at .* \\(context test\\): failed to read file `/no/such/crt`: No such file or directory; see ' +
        '`kubectl config view`\n$',
    ],
  ])) {
    const KUBECONFIG = write('user', { ...config, users: [{ name: config.users[0].name, user }] });
    await refused({ KUBECONFIG }, new RegExp(message));
    assert.ok(!(await run(PLAN, { env: { KUBECONFIG } })).stderr.includes('hunter2'));
  }
});

test('kubeconfigs that say nothing, or not what they should', async (t) => {
  const { write, config } = await start(t);
  await refused({ KUBECONFIG: write('empty', {}) }, /^slicewise: the kubeconfig has no contexts; use a kubeconfig that works with kubectl\n$/);
  await refused({ KUBECONFIG: write('list', [config]) }, /^slicewise: cannot read \S+\/list: [^\n]*; use a kubeconfig that works with kubectl\n$/);
});
