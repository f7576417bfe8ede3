/** The kustomizations: API servers accept their output, and each variant fits together. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { KUSTOMIZE } from '../../scripts/lib/chart.mjs';
import { armed, built, copy } from './lib/kustomized.mjs';
import { lint, objects, one, parts } from './lib/rendered.mjs';

const SERVICE = 'slicewise-webhook.slicewise.svc';

test('base: what all variants have; the user provides a certificate and its CA', () => {
  const rules = lint(built(join(KUSTOMIZE, 'base'))).findings.map((/** @type {any} */ each) => each.rule);
  assert.deepEqual(rules, ['ca-bundle', 'ca-bundle', 'ca-bundle']);
});

test('cert-manager: issues what the pods mount, for the name that the API server calls, and injects its CA', () => {
  const all = built(join(KUSTOMIZE, 'cert-manager'));
  assert.deepEqual(lint(all).findings, []);
  const { configuration, deployment, service } = parts(all);
  const [namespace, name] = configuration.metadata.annotations['cert-manager.io/inject-ca-from'].split('/');
  const certificate = one(all, 'Certificate', name);
  assert.equal(certificate.metadata.namespace, namespace);
  const volume = deployment.spec.template.spec.volumes.find((/** @type {any} */ each) => each.name === 'certificate');
  assert.equal(certificate.spec.secretName, volume.secret.secretName);
  for (const { clientConfig } of configuration.webhooks) {
    assert.deepEqual([clientConfig.service.name, clientConfig.service.namespace], [service.metadata.name, service.metadata.namespace]);
    assert.ok(certificate.spec.dnsNames.includes(`${clientConfig.service.name}.${clientConfig.service.namespace}.svc`));
  }
  const issuer = one(all, 'Issuer', certificate.spec.issuerRef.name);
  const authority = one(all, 'Certificate', 'slicewise-webhook-ca');
  assert.equal(issuer.spec.ca.secretName, authority.spec.secretName);
  assert.deepEqual(one(all, 'Issuer', authority.spec.issuerRef.name).spec, { selfSigned: {} });
});

test('self-signed makes a pair, which the API server is told of', (t) => {
  const folder = join(copy(t), 'self-signed');
  const made = spawnSync('sh', [join(folder, 'certificate.sh')], { encoding: 'utf8' });
  assert.equal(made.status, 0, made.stderr);
  assert.ok(!existsSync(join(folder, 'ca.key')));
  const all = built(folder);
  assert.deepEqual(lint(all, '--now', new Date().toISOString()), { status: 0, findings: [] });
  const certificate = new X509Certificate(Buffer.from(one(all, 'Secret').data['tls.crt'], 'base64'));
  const ca = new X509Certificate(Buffer.from(one(all, 'ValidatingWebhookConfiguration').webhooks[2].clientConfig.caBundle, 'base64'));
  assert.ok(certificate.verify(ca.publicKey) && certificate.checkHost(SERVICE));
  assert.equal(one(all, 'Secret').metadata.name, parts(all).deployment.spec.template.spec.volumes[1].secret.secretName);
});

test('armed, as docs/deploy.md says: the objects of the chart that arms itself, which the suite with an API server proves', (t) => {
  const all = built(armed(t));
  assert.deepEqual(lint(all).findings, []);
  const values = {
    clients: { caConfigMap: 'slicewise-webhook-clients' },
    certificate: { mode: 'cert-manager' },
    arm: { enabled: true },
    image: { repository: 'registry.example.com/slicewise-webhook', tag: '0.1.0' },
  };
  const chart = objects(values, ['-managed-by', 'kustomize']).filter(({ metadata }) => metadata.annotations?.['helm.sh/hook'] !== 'test');
  const byName = (/** @type {any[]} */ list) =>
    Object.fromEntries(list.map((each) => [`${each.kind} ${each.metadata.namespace ?? ''}/${each.metadata.name}`, each]));
  // Helm installs kinds before it renders.
  const { 'Namespace /slicewise': own, 'CustomResourceDefinition /sliceexceptions.slicewise.dev': kind, ...rest } = byName(all);
  assert.ok(own && kind);
  assert.deepEqual(rest, byName(chart));
});
