/** Installs the webhook by the chart and by the kustomization, as docs/deploy.md says, and runs it beside the API server. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { freePort, kubeconfig, loopback } from '../../deploy/lib/installed.mjs';
import { built, copy } from '../../deploy/lib/kustomized.mjs';
import { objects, one } from '../../deploy/lib/rendered.mjs';
import { Webhook } from './webhook.js';

/** @typedef {import('node:test').TestContext} TestContext */

/** The ConfigMap with the CA of the API server's client certificate, which the administrator provides. */
const CLIENTS = 'slicewise-webhook-clients';
const NAME = 'slicewise-webhook';

/** What the chart renders. @param {TestContext} _ @param {number} port @param {object} config @returns {any[]} */
export function byChart(_, port, config) {
  const all = objects({ clients: { mode: 'verify', caConfigMap: CLIENTS }, service: { port }, config });
  return all.filter(({ metadata }) => metadata.annotations?.['helm.sh/hook'] === undefined);
}

/** What the kustomization renders, with a port and a configuration of one's own. @type {typeof byChart} */
export function byKustomization(t, port, config) {
  const folder = join(copy(t), 'self-signed');
  const { status, stderr } = spawnSync('sh', [join(folder, 'certificate.sh')], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  const all = built(folder);
  for (const { clientConfig } of one(all, 'ValidatingWebhookConfiguration').webhooks) clientConfig.service.port = port;
  const { data } = one(all, 'ConfigMap');
  data['config.yaml'] = JSON.stringify({ ...config, ...parse(data['config.yaml']) });
  // Both are there already.
  return all.filter(({ kind }) => kind !== 'Namespace' && kind !== 'CustomResourceDefinition');
}

/**
 * Applies one of them, runs the webhook with its configuration, certificate and account, and removes it all after the test.
 * @param {TestContext} t
 * @param {import('./cluster.js').Cluster} cluster
 * @param {import('./webhook.js').Credentials} credentials
 * @param {typeof byChart} render
 * @param {object} config
 */
export async function install(t, { api, ready }, credentials, render, config) {
  const folder = mkdtempSync(join(tmpdir(), 'slicewise-install-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const port = await freePort();
  const clients = { 'ca.crt': readFileSync(credentials.clientCA, 'utf8') };
  const own = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'slicewise', name: CLIENTS }, data: clients };
  const rendered = render(t, port, config);
  const all = [own, ...rendered];
  for (const object of all) await api.create(loopback(object));
  t.after(async () => {
    for (const { kind, metadata: { namespace, name } } of all.reverse()) await api.delete(kind, namespace ? `${namespace}/${name}` : name);
  });
  const { server, tls, ...settings } = parse(one(rendered, 'ConfigMap').data['config.yaml']);
  const { data } = one(rendered, 'Secret');
  /** Where its pod would mount them. @type {Record<string, string>} */
  const mounted = { 'ca.crt': clients['ca.crt'] };
  for (const key of ['tls.crt', 'tls.key']) mounted[key] = Buffer.from(data[key], 'base64').toString();
  const here = (/** @type {string} */ path) => {
    const file = join(folder, /** @type {string} */ (path.split('/').at(-1)));
    writeFileSync(file, mounted[path.split('/').at(-1) ?? ''], { mode: 0o600 });
    return file;
  };
  const paths = Object.fromEntries(Object.entries(tls).map(([key, path]) => [key, here(/** @type {string} */ (path))]));
  const listening = { ...server, listen: `127.0.0.1:${port}`, health: '127.0.0.1:0' };
  const account = kubeconfig(folder, ready, 'account', await api.tokenOf(`slicewise/${NAME}`));
  const webhook = await Webhook.start(t, credentials, { kubeconfig: account, config: { ...settings, tls: paths, server: listening } });
  return { webhook, settings, configuration: one(rendered, 'ValidatingWebhookConfiguration') };
}
