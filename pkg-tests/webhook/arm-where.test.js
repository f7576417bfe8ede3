/** Where arming happens: in the cluster that is watched, with the credentials of its watches, and nowhere else. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { HOLD } from '../../webhook/arm.js';
import { FakeApi, json, refuse } from './lib/api-server.js';
import { run, startCommand } from './lib/command.js';
import { LIMIT, until } from './lib/start.js';
import { fill } from './lib/watching.js';

const PLACE = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/guard';
const CHECKS = '/apis/discovery.k8s.io/v1/namespaces/checks/endpointslices?dryRun=All';
const REFUSAL = 'admission webhook "a.b.c" denied the request: EndpointSlice checks/x: slice-addresses/reserved-address: no';
const ARM = 'arm: {configuration: guard, webhook: a.b.c, failurePolicy: Fail, namespace: checks, interval: 1s}';

/**
 * An API server with a ValidatingWebhookConfiguration, and a webhook in front of it that refuses.
 * @param {import('node:test').TestContext} t @param {string} token
 */
async function guarded(t, token) {
  const api = await FakeApi.start(t);
  fill(api);
  api.token = token;
  /** @type {{method: string, url: string, token: string, body: any, type: string}[]} */
  const asked = [];
  const webhook = { name: 'a.b.c', failurePolicy: 'Ignore' };
  const configuration = {
    metadata: { name: 'guard', resourceVersion: '7', annotations: /** @type {Record<string, string>} */ ({}) },
    webhooks: [webhook],
  };
  api.also = (request, response) => {
    const { method = '', url = '', headers } = request;
    if (url !== PLACE && !url.startsWith('/apis/discovery.k8s.io/v1/namespaces/checks/')) return false;
    let text = '';
    request.setEncoding('utf8').on('data', (chunk) => (text += chunk)).on('end', () => {
      const body = text === '' ? null : JSON.parse(text);
      asked.push({ method, url, token: headers.authorization ?? '', body, type: headers['content-type'] ?? '' });
      if (headers.authorization !== `Bearer ${api.token}`) return refuse(response, 401, 'Unauthorized', 'Unauthorized');
      if (method === 'POST') return refuse(response, 403, 'Forbidden', REFUSAL);
      if (method === 'PATCH') Object.assign(webhook, body.webhooks[0]);
      json(response, 200, configuration);
    });
    return true;
  };
  return { api, asked, webhook, configuration };
}

/** @param {FakeApi} api @param {string} text */
function configOf(api, text) {
  const file = join(api.folder, 'config.yaml');
  writeFileSync(file, `${text}\n${ARM}\n`);
  return file;
}

/** With $KUBECONFIG, which `kubectl` would use. @param {import('node:test').TestContext} t @param {string} file */
function kubectlWouldUse(t, file) {
  const before = process.env.KUBECONFIG;
  process.env.KUBECONFIG = file;
  t.after(() => (before === undefined ? delete process.env.KUBECONFIG : (process.env.KUBECONFIG = before)));
}

for (const how of /** @type {const} */ (['cluster.kubeconfig', '--kubeconfig', 'a context of --kubeconfig'])) {
  test(`armed is the cluster that is watched, whatever $KUBECONFIG says: ${how}`, LIMIT, async (t) => {
    const [staging, production] = [await guarded(t, 'staging'), await guarded(t, 'production')];
    kubectlWouldUse(t, production.api.kubeconfig());
    const kubeconfig = staging.api.kubeconfig();
    const text = how === 'cluster.kubeconfig' ? `cluster: {kubeconfig: ${kubeconfig}}` : '';
    const flags = {
      'cluster.kubeconfig': [],
      '--kubeconfig': ['--kubeconfig', kubeconfig],
      'a context of --kubeconfig': ['--kubeconfig', kubeconfig, '--context', 'test'],
    }[how];
    const { lines, listening } = await startCommand(t, ['--config', configOf(staging.api, text), ...flags]);
    await until(() => lines().some(({ message }) => message === 'armed: failurePolicy is Fail now'));
    assert.equal(listening.cluster, `${staging.api.url}/`);
    assert.equal(staging.webhook.failurePolicy, 'Fail');
    const [read, tried, set] = staging.asked;
    assert.deepEqual([read.method, read.url], ['GET', PLACE]);
    assert.deepEqual([tried.method, tried.url, tried.body.endpoints[0].addresses], ['POST', CHECKS, ['fd00:ec2::254']]);
    assert.deepEqual([set.method, set.url, set.type], ['PATCH', PLACE, 'application/strategic-merge-patch+json']);
    assert.deepEqual(set.body, { metadata: { resourceVersion: '7' }, webhooks: [{ name: 'a.b.c', failurePolicy: 'Fail' }] });
    assert.deepEqual(
      [production.webhook.failurePolicy, production.asked, production.api.asked],
      ['Ignore', [], []],
      'the other cluster heard nothing at all',
    );
  });
}

test('its credentials are those of the watches, also when they are renewed', LIMIT, async (t) => {
  const { api, asked, configuration } = await guarded(t, 'first');
  const { lines } = await startCommand(t, ['--config', configOf(api, `cluster: {kubeconfig: ${api.kubeconfig()}}`)]);
  await until(() => lines().some(({ state }) => state === 'set'));
  api.token = 'second';
  api.writeToken();
  configuration.metadata.annotations[HOLD] = 'true';
  await until(() => lines().some(({ state }) => state === 'held'));
  assert.equal(asked.at(-1)?.token, 'Bearer second');
});

test('without a cluster to watch, arming is a mistake', LIMIT, async (t) => {
  const { api, asked } = await guarded(t, 'first');
  kubectlWouldUse(t, api.kubeconfig());
  const snapshot = join(api.folder, 'snapshot.json');
  writeFileSync(snapshot, '{"kind": "List", "items": []}');
  for (const text of [`snapshot: ${snapshot}`, '']) {
    for (const more of [['--check-config'], []]) {
      const { output, ended } = run(['--config', configOf(api, text), ...more]);
      assert.equal(await ended, 2, output.out);
      assert.match(
        output.err,
        /^slicewise-webhook: \S+config\.yaml:\d+:1: \/arm sets the failurePolicy in the cluster that is watched, and none is watched; give cluster or --kubeconfig/,
      );
    }
  }
  assert.deepEqual(asked, []);
});
