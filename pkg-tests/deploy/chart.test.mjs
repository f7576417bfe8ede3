/** The chart: API servers accept its output, and it cannot deadlock a cluster. */
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { createReviewer } from 'slicewise/admission';
import { deploy, derived, render } from '../../scripts/lib/chart.mjs';
import { ROOT } from '../../scripts/lib/run.mjs';
import { defined, parseConfig } from '../../webhook/config.js';
import { start } from '../webhook/lib/start.js';
import { PEERS, VARIANTS, VERIFY, lint, objects, one, parts } from './lib/rendered.mjs';

/** The groups of reports, which audits write. */
const REPORTS = ['openreports.io', 'wgpolicyk8s.io'];

describe('what is derived', () => {
  for (const [file, text] of Object.entries(derived())) {
    it(`${relative(ROOT, file)} is as \`node scripts/chart.mjs\` writes it`, () =>
      assert.equal(existsSync(file) && readFileSync(file, 'utf8'), text));
  }
});

describe('the chart', () => {
  for (const [name, values] of Object.entries(VARIANTS)) {
    describe(name, () => {
      const all = objects(values);

      it('renders objects that an API server takes', () => {
        const count = deploy(['check'], all.map((each) => JSON.stringify(each)).join('\n---\n'));
        assert.equal(Number(count), all.length);
        const keys = all.map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`);
        assert.equal(new Set(keys).size, keys.length);
      });

      it('follows good practice, and nothing deadlocks', () => {
        const { findings } = lint(all, '--fail-on', 'info');
        assert.deepEqual(findings, []);
      });

      it('has a configuration that the service and the core take', () => {
        const map = all.find(({ kind, data }) => kind === 'ConfigMap' && data['config.yaml']);
        const config = parseConfig(map.data['config.yaml'], '/run/slicewise/config/config.yaml');
        const { container, service } = parts(all);
        assert.ok([config.listen?.host, config.health?.host].every((host) => host === '0.0.0.0' || host === '::'));
        const ports = Object.fromEntries(container.ports.map((/** @type {any} */ each) => [each.name, each.containerPort]));
        assert.deepEqual([ports.https, ports.metrics], [config.listen?.port, config.health?.port]);
        assert.equal(config.reviewer?.ownService, `slicewise/${service.metadata.name}`);
        createReviewer({ config: /** @type {any} */ (config.reviewer ? defined(config.reviewer) : {}) }).free();
        const mounts = container.volumeMounts.map((/** @type {any} */ each) => each.mountPath);
        const files = [config.tls?.cert, config.tls?.key, config.tls?.clientCA].filter((file) => file !== undefined);
        for (const file of files) {
          assert.ok(
            mounts.some((/** @type {string} */ path) => String(file).startsWith(`${path}/`)),
            `${file} is not mounted`,
          );
        }
      });

      it('runs without rights that it does not need', () => {
        const { deployment, container } = parts(all);
        const { spec } = deployment.spec.template;
        assert.deepEqual(container.securityContext, {
          allowPrivilegeEscalation: false,
          privileged: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        assert.deepEqual([spec.securityContext.runAsNonRoot, spec.securityContext.seccompProfile], [true, { type: 'RuntimeDefault' }]);
        assert.ok(![spec.hostNetwork, spec.hostPID, spec.hostIPC].some(Boolean));
        const rights = all.filter(({ kind }) => kind === 'ClusterRole' || kind === 'Role').flatMap(({ rules }) => rules);
        for (const { apiGroups, resources, verbs, resourceNames } of rights) {
          assert.ok(!resources.includes('secrets') && !resources.includes('*') && !verbs.includes('*'));
          const isReading = verbs.every((/** @type {string} */ verb) => ['get', 'list', 'watch'].includes(verb));
          if (!isReading && !(values.audit?.enabled && REPORTS.includes(`${apiGroups}`))) {
            assert.ok(values.arm?.enabled && (resourceNames?.length === 1 || resources[0] === 'endpointslices'), JSON.stringify(resources));
          }
        }
      });

      it('leads the API server to the pods', () => {
        const { configuration, service, deployment } = parts(all);
        for (const { clientConfig } of configuration.webhooks) {
          assert.deepEqual([clientConfig.service.namespace, clientConfig.service.name], [service.metadata.namespace, service.metadata.name]);
          assert.equal(clientConfig.service.path, '/validate', 'expressions are asked about every kind');
          assert.ok(service.spec.ports.some((/** @type {any} */ each) => each.port === clientConfig.service.port && each.targetPort === 'https'));
        }
        const { labels } = deployment.spec.template.metadata;
        for (const [key, value] of Object.entries(service.spec.selector)) assert.equal(labels[key], value);
      });
    });
  }

  it('has time to drain', () => {
    const podOf = (/** @type {object} */ server) => parts(objects({ ...VERIFY, config: { server } })).deployment.spec.template;
    const grace = (/** @type {object} */ server) => podOf(server).spec.terminationGracePeriodSeconds;
    assert.equal(grace({}), 30);
    assert.equal(grace({ drainDelay: '1m30s', drainTimeout: '1500ms' }), 90 + 2 + 7);
    assert.equal(grace({ drainDelay: '0s', drainTimeout: '0s' }), 7);
  });

  it('starts pods anew for what counts from the next start, and only for that', () => {
    const sum = (/** @type {object} */ config) =>
      parts(objects({ ...VERIFY, config })).deployment.spec.template.metadata.annotations['checksum/server'];
    assert.equal(sum({}), sum({ policies: { 'slice-shape': { mode: 'warn' } } }));
    assert.notEqual(sum({}), sum({ server: { maxConcurrent: 8 } }));
  });

  it('makes a certificate for its Service', () => {
    const all = objects(VERIFY);
    const { data } = one(all, 'Secret');
    const [ca, certificate] = ['ca.crt', 'tls.crt'].map((key) => new X509Certificate(Buffer.from(data[key], 'base64')));
    assert.ok(certificate.checkIssued(ca) && certificate.verify(ca.publicKey) && ca.ca);
    assert.ok(certificate.checkHost('slicewise-webhook.slicewise.svc'));
    for (const { clientConfig } of one(all, 'ValidatingWebhookConfiguration').webhooks) assert.equal(clientConfig.caBundle, data['ca.crt']);
  });

  it('keeps names apart of two releases', () => {
    const names = [['-release', 'a'], ['-release', 'a', '-namespace', 'other'], ['-release', 'b']].flatMap((flags) =>
      one(objects(VERIFY, flags), 'ValidatingWebhookConfiguration').webhooks.map((/** @type {any} */ each) => each.name),
    );
    assert.equal(new Set(names).size, 9);
  });

  it('sends evictions, and deletions of Pods only where they are wanted', () => {
    /** @param {object} webhook */
    const sent = (webhook) => {
      const { webhooks } = one(objects({ ...VERIFY, webhook }), 'ValidatingWebhookConfiguration');
      const workloads = webhooks.find((/** @type {any} */ { name }) => name.startsWith('workloads.'));
      const rules = workloads?.rules.filter((/** @type {any} */ { resources }) => resources[0].startsWith('pods'));
      return rules?.flatMap((/** @type {any} */ { operations, resources }) => [...operations, ...resources]);
    };
    assert.deepEqual(sent({}), ['CREATE', 'pods/eviction']);
    assert.deepEqual(sent({ podDeletions: true }), ['CREATE', 'pods/eviction', 'DELETE', 'pods']);
    assert.equal(sent({ workloads: false }), undefined);
  });

  it('audits with its own account and the same configuration, apart from the webhook', () => {
    const all = objects(VARIANTS.audited);
    const name = 'slicewise-webhook-audit';
    const { schedule, jobTemplate, concurrencyPolicy } = one(all, 'CronJob', name).spec;
    assert.deepEqual([schedule, concurrencyPolicy], ['*/10 * * * *', 'Forbid']);
    const { metadata, spec } = jobTemplate.spec.template;
    const [{ args, volumeMounts, securityContext, image }] = spec.containers;
    assert.deepEqual(args, ['audit', '--all-namespaces', `--config=${volumeMounts[0].mountPath}/config.yaml`]);
    assert.equal(spec.volumes[0].configMap.name, one(all, 'ConfigMap').metadata.name);
    assert.deepEqual([spec.serviceAccountName, image], [name, 'registry.example.com/slicewise:0.1.0']);
    const { container, deployment, service } = parts(all);
    assert.deepEqual(securityContext, container.securityContext);
    assert.deepEqual([spec.securityContext.runAsNonRoot, spec.securityContext.seccompProfile], [true, { type: 'RuntimeDefault' }]);
    // Neither the Service nor the webhook's network policy selects its pods.
    assert.notEqual(metadata.labels['app.kubernetes.io/name'], service.spec.selector['app.kubernetes.io/name']);
    const [webhook, audit] = ['slicewise-webhook', name].map((each) => one(all, 'NetworkPolicy', each).spec);
    assert.deepEqual(webhook.podSelector.matchLabels, deployment.spec.selector.matchLabels);
    for (const [key, value] of Object.entries(audit.podSelector.matchLabels)) assert.equal(metadata.labels[key], value);
    assert.deepEqual([audit.policyTypes, audit.ingress, audit.egress], [['Ingress', 'Egress'], undefined, webhook.egress]);
    const { rules } = one(all, 'ClusterRole', name);
    const written = rules.filter((/** @type {any} */ { verbs }) => verbs.includes('create'));
    assert.deepEqual(written.flatMap((/** @type {any} */ { apiGroups }) => apiGroups), REPORTS);
    assert.equal(objects(VERIFY).filter(({ kind }) => kind === 'CronJob').length, 0);
  });

  it('may read Namespaces if a rule does', () => {
    const mayRead = (/** @type {string} */ expression) => {
      const rule = { name: 'team', expression, on: { kinds: ['Service'] } };
      const config = { policies: { expression: { validations: [rule] } } };
      const roles = objects({ ...VERIFY, audit: { enabled: true, image: 'i' }, config }).filter(({ kind }) => kind === 'ClusterRole');
      return roles.map(({ rules }) => rules.some((/** @type {any} */ { resources }) => resources.includes('namespaces')));
    };
    assert.deepEqual(mayRead('namespaceObject != null'), [true, true]);
    assert.deepEqual(mayRead('object != null'), [false, false]);
  });

  const WRONG = {
    'an audit without an image': [{ ...VERIFY, audit: { enabled: true } }, /audit\.image/],
    'clients are to be verified, and nobody says by what': [{}, /caConfigMap/],
    'anyone may ask, and anyone reaches it': [{ clients: { mode: 'anyone' } }, /networkPolicy\.from/],
    'anyone may ask, without a policy of the network': [
      { clients: { mode: 'anyone' }, networkPolicy: { enabled: false, from: PEERS } },
      /networkPolicy\.from/,
    ],
    'a port that is taken': [{ ...VERIFY, service: { port: 8081 } }, /port/],
    'a budget that blocks drains': [{ ...VERIFY, podDisruptionBudget: { maxUnavailable: 0 } }, /maxUnavailable/],
    'the same in percent': [{ ...VERIFY, podDisruptionBudget: { maxUnavailable: '0%' } }, /maxUnavailable/],
    'a digest that is none': [{ ...VERIFY, image: { digest: 'sha256:0' } }, /digest/],
    'an unknown value': [{ ...VERIFY, replicas: 3 }, /replicas/],
    'no replicas': [{ ...VERIFY, replicaCount: 0 }, /replicaCount/],
    'a timeout that is too long': [{ ...VERIFY, webhook: { timeoutSeconds: 30 } }, /timeoutSeconds/],
    'a policy that is none': [{ ...VERIFY, webhook: { failurePolicy: 'Deny' } }, /failurePolicy/],
    'a secret without a name': [{ ...VERIFY, certificate: { mode: 'secret' } }, /secretName/],
    'a user who would end the expression': [{ ...VERIFY, webhook: { excludeUsers: ["a'] || true || ['"] } }, /excludeUsers/],
    'a policy of the webhook that there is not': [{ ...VERIFY, config: { policies: { 'slice-shapes': {} } } }, /slice-shapes/],
    'a setting of a policy that there is not': [{ ...VERIFY, config: { policies: { 'slice-shape': { maxEndpoint: 3 } } } }, /maxEndpoint/],
    'a setting of the wrong type': [{ ...VERIFY, config: { policies: { 'slice-shape': { maxEndpoints: 'many' } } } }, /maxEndpoints/],
    'a mode that is none': [{ ...VERIFY, config: { policies: { 'slice-shape': { mode: 'block' } } } }, /mode/],
    'a limit out of range': [{ ...VERIFY, config: { server: { maxConcurrent: 0 } } }, /maxConcurrent/],
    'a duration that is none': [{ ...VERIFY, config: { server: { drainDelay: '3' } } }, /drainDelay/],
    'a port that no probe looks at': [{ ...VERIFY, config: { server: { listen: '0.0.0.0:9443' } } }, /listen/],
    'certificates in the configuration': [{ ...VERIFY, config: { tls: { cert: 'x' } } }, /tls/],
  };
  for (const [name, [values, expected]] of /** @type {[string, [object, RegExp]][]} */ (Object.entries(WRONG))) {
    it(`refuses: ${name}`, () => assert.throws(() => render(values), expected));
  }

  it('knows every setting of the service', () => {
    const { properties } = JSON.parse(readFileSync(join(ROOT, 'webhook/deploy/helm/slicewise-webhook/values.schema.json'), 'utf8'));
    const listed = (/** @type {string} */ text) => {
      try {
        parseConfig(text, 'x');
      } catch (error) {
        return String(error).replace(/.*the settings are /, '').split(', ').sort();
      }
      return assert.fail('it takes what there is not');
    };
    // The chart sets these itself.
    const own = ['tls', 'snapshot', 'arm'];
    assert.deepEqual(Object.keys(properties.config.properties).sort(), listed('nothing: 1').filter((name) => !own.includes(name)));
    assert.deepEqual(Object.keys(properties.config.properties.server.properties).sort(), listed('server: {nothing: 1}'));
  });
});

describe('what is watched', () => {
  const all = objects(VARIANTS.watched);
  const rules = one(all, 'PrometheusRule').spec.groups.flatMap((/** @type {any} */ group) => group.rules);
  const { panels } = JSON.parse(one(all, 'ConfigMap', 'slicewise-webhook-dashboard').data['slicewise-webhook.json']);
  const shown = panels
    .flatMap((/** @type {any} */ panel) => panel.targets)
    .map((/** @type {any} */ target) => target.expr.replaceAll('$__rate_interval', '5m'));
  const queries = [...rules.map((/** @type {any} */ rule) => rule.expr), ...shown];

  it('asks for metrics that the service has', async (t) => {
    const { client } = await start(t);
    const { text } = await client.get('/metrics');
    const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
    const own = types.flatMap(([, name, type]) => (type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name]));
    /** The names of API servers' metrics; the suite with a real API server checks them. */
    const theirs = ['apiserver_admission_webhook_fail_open_count', 'apiserver_admission_webhook_rejection_count'];
    const asked = new Set(JSON.parse(deploy(['promql'], JSON.stringify(queries))).flat());
    assert.ok(asked.size > 8);
    assert.deepEqual([...asked].filter((name) => !own.includes(name) && !theirs.includes(name)), []);
  });

  it('refuses a query that is none', () => assert.throws(() => deploy(['promql'], '["sum(rate(x[5m])"]'), /unclosed left parenthesis/));

  it('names its own webhooks', () => {
    const names = one(all, 'ValidatingWebhookConfiguration').webhooks.map((/** @type {any} */ each) => each.name);
    const patterns = queries.flatMap((query) => [...query.matchAll(/[{,]name=~"([^"]+)"/g)].map(([, pattern]) => pattern));
    assert.ok(patterns.length >= 4);
    for (const pattern of patterns) for (const name of names) assert.match(name, new RegExp(`^(?:${pattern})$`));
  });

  it('every alert is in the documentation', () => {
    const text = readFileSync(join(ROOT, 'docs/deploy.md'), 'utf8');
    assert.deepEqual(rules.map((/** @type {any} */ rule) => rule.alert).filter((/** @type {string} */ name) => !text.includes(`\`${name}\``)), []);
  });
});
