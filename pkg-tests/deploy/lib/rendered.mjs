/** The rendered chart, in the tested variants. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { parseAllDocuments } from 'yaml';
import { render } from '../../../scripts/lib/chart.mjs';

export const VERIFY = { clients: { mode: 'verify', caConfigMap: 'clients' } };
export const PEERS = [{ ipBlock: { cidr: '10.0.0.1/32' } }];
const SECRET = { certificate: { mode: 'secret', secretName: 'pair', caBundle: authority() } };
const MONITORING = { serviceMonitor: { enabled: true }, prometheusRule: { enabled: true }, dashboard: { enabled: true } };

/** @type {Record<string, any>} */
export const VARIANTS = {
  'callers verified': VERIFY,
  'anyone who reaches it': { clients: { mode: 'anyone' }, networkPolicy: { from: PEERS } },
  'cert-manager': { ...VERIFY, certificate: { mode: 'cert-manager' } },
  'cert-manager with an issuer': { ...VERIFY, certificate: { mode: 'cert-manager', issuerRef: { name: 'corporate', kind: 'ClusterIssuer' } } },
  'a certificate of one\'s own': { ...VERIFY, ...SECRET },
  'armed': { ...VERIFY, arm: { enabled: true, fallback: true } },
  'armed elsewhere': { ...VERIFY, arm: { enabled: true, namespace: 'empty', createNamespace: false, interval: '5m' } },
  'fails closed from the start': { ...VERIFY, webhook: { failurePolicy: 'Fail', timeoutSeconds: 1 } },
  'no nodes, no workloads': { ...VERIFY, webhook: { nodes: false, workloads: false } },
  'deletions of pods': { ...VERIFY, webhook: { podDeletions: true } },
  'scaled': { ...VERIFY, autoscaling: { enabled: true, maxReplicas: 9 }, podDisruptionBudget: { minAvailable: '50%' } },
  'watched': {
    ...VERIFY,
    ...MONITORING,
    networkPolicy: { metricsFrom: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }] },
  },
  'configured': {
    clients: { mode: 'verify', caConfigMap: 'clients', caKey: 'front-proxy.pem', names: ['kube-apiserver'] },
    config: {
      logLevel: 'debug',
      server: { drainDelay: '1m30s', drainTimeout: '500ms', maxConcurrent: 4, listen: '[::]:8443' },
      policies: { 'slice-shape': { mode: 'warn', maxEndpoints: 500 }, 'service-traffic': { namespaces: [{ names: ['dev-*'], mode: 'off' }] } },
      context: { maxAgeSeconds: 30 },
    },
    webhook: {
      namespaceSelector: { matchLabels: { 'slicewise': 'on' }, matchExpressions: [{ key: 'team', operator: 'Exists' }] },
      annotations: { note: 'yes' },
    },
    podLabels: { team: 'net' }, podAnnotations: { note: 'x' }, nodeSelector: { disk: 'ssd' }, tolerations: [{ operator: 'Exists' }],
    affinity: { nodeAffinity: {} }, imagePullSecrets: [{ name: 'pull' }], image: { repository: 'r/x', tag: '9', pullPolicy: 'Always' },
    serviceAccount: { annotations: { a: 'b' } }, service: { port: 8443, annotations: { a: 'b' } }, priorityClassName: '', nameOverride: 'guard',
  },
};

/** @param {string} text @returns {any[]} */
export function documents(text) {
  return parseAllDocuments(text).map((document) => document.toJS()).filter(Boolean);
}

/** @param {object} values @param {string[]} [flags] */
export function objects(values, flags) {
  const { 'NOTES.txt': notes, ...files } = render(values, flags);
  assert.match(notes, /kubectl delete validatingwebhookconfiguration/);
  return documents(Object.values(files).join('\n---\n'));
}

/** @param {any[]} all @param {string} kind @param {string} [name] */
export function one(all, kind, name) {
  const found = all.filter((each) => each.kind === kind && (name === undefined || each.metadata.name === name));
  assert.equal(found.length, 1, `${found.length} of ${kind}`);
  return found[0];
}

/** A CA certificate, in base64. */
function authority() {
  const { stdout } = spawnSync(
    'openssl',
    ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', '/dev/null', '-subj', '/CN=ca', '-days', '2'],
    { encoding: 'utf8' },
  );
  return Buffer.from(stdout).toString('base64');
}

/** @param {any[]} all */
export function parts(all) {
  const deployment = one(all, 'Deployment');
  return {
    deployment,
    container: deployment.spec.template.spec.containers[0],
    service: one(all, 'Service'),
    configuration: one(all, 'ValidatingWebhookConfiguration'),
  };
}
