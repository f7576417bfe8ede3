/** What an installed chart meets: linters, other namespaces, drains, closed networks, other ports, images by digest. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { describe, it } from 'node:test';
import { CHART, deploy } from '../../scripts/lib/chart.mjs';
import { inProcess } from '../webhook/lib/in-process.js';
import { fakeReviewer, start } from '../webhook/lib/start.js';
import { PEERS, VARIANTS, VERIFY, objects, one, parts } from './lib/rendered.mjs';

const DIGEST = `sha256:${'ab'.repeat(32)}`;
const CLASS = 'system-cluster-critical';

describe('helm lint', () => {
  const linted = (/** @type {object} */ values) => JSON.parse(deploy(['lint', CHART], JSON.stringify(values)));

  it('finds nothing in the defaults, nor in any values of `ci`', () => {
    for (const values of [{}, ...Object.values(VARIANTS)]) assert.deepEqual(linted(values), []);
  });

  it('would find something', () => assert.match(linted({ replicaCount: 0 }).join('\n'), /replicaCount/));
});

describe('helm test', () => {
  const all = objects(VERIFY);
  const pod = one(all, 'Pod');
  const [{ command, image }] = pod.spec.containers;

  /** Its command, about another service. @param {string} url @param {number} seconds to wait */
  const run = async (url, seconds) => {
    const child = spawn(process.execPath, [...command.slice(1, -2), url, String(seconds)]);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
    const status = await new Promise((resolve) => child.on('close', resolve));
    return { status, output };
  };

  it('asks the Service, with the image of the webhook, and may reach it', () => {
    const { service, container, deployment } = parts(all);
    const url = new URL(command.at(-2));
    const { namespace, name } = service.metadata;
    assert.equal(url.hostname, `${name}.${namespace}.svc`);
    const port = service.spec.ports.find((/** @type {any} */ each) => each.port === Number(url.port));
    assert.deepEqual([port.targetPort, url.pathname], ['metrics', container.readinessProbe.httpGet.path]);
    assert.deepEqual([command[0], image], ['node', container.image]);
    // The Service must not lead to it.
    assert.notEqual(pod.metadata.labels['app.kubernetes.io/name'], service.spec.selector['app.kubernetes.io/name']);
    const { spec } = one(all, 'NetworkPolicy', pod.metadata.name);
    assert.deepEqual(spec.podSelector.matchLabels, deployment.spec.selector.matchLabels);
    const from = [{ podSelector: { matchLabels: pod.metadata.labels } }];
    assert.deepEqual(spec.ingress, [{ ports: [{ port: 'metrics', protocol: 'TCP' }], from }]);
    for (const { metadata } of [pod, one(all, 'NetworkPolicy', pod.metadata.name)]) assert.equal(metadata.annotations['helm.sh/hook'], 'test');
  });

  it('passes once the webhook is ready', async (t) => {
    const { service } = await start(t);
    const { status, output } = await run(`${service.healthUrl}/readyz`, 30);
    assert.equal(status, 0, output);
  });

  it('fails with the reason if it is not, or cannot be reached', async (t) => {
    const reviewing = { ...inProcess(fakeReviewer()), whyNotReady: () => 'the cluster is not known yet' };
    const { service } = await start(t, { reviewing });
    const { status, output } = await run(`${service.healthUrl}/readyz`, 0);
    assert.deepEqual([status, output], [1, 'not ready: the cluster is not known yet\n']);
    const nowhere = await run('http://127.0.0.1:1/readyz', 0);
    assert.equal(nowhere.status, 1);
    assert.match(nowhere.output, /ECONNREFUSED|bad port/);
  });
});

describe('drains', () => {
  /** How many pods may be evicted at a time, as the disruption controller counts. @param {object} values @param {number} pods */
  const evictable = (values, pods) => {
    const { maxUnavailable } = one(objects({ ...VERIFY, ...values }), 'PodDisruptionBudget').spec;
    return typeof maxUnavailable === 'string' ? Math.ceil((parseInt(maxUnavailable, 10) * pods) / 100) : maxUnavailable;
  };

  it('are not blocked, however many replicas there are', () => {
    for (const replicaCount of [1, 2, 5]) assert.equal(evictable({ replicaCount }, replicaCount), 1);
    assert.equal(evictable({ podDisruptionBudget: { maxUnavailable: '1%' } }, 2), 1);
  });
});

describe('priority', () => {
  const quotas = (/** @type {object} */ values, /** @type {string[]} */ flags = []) =>
    objects({ ...VERIFY, ...values }, flags).filter(({ kind }) => kind === 'ResourceQuota');

  it('comes with the quota that its class needs outside of kube-system', () => {
    const [{ metadata, spec }, ...others] = quotas({});
    assert.deepEqual([metadata.namespace, others], ['slicewise', []]);
    assert.deepEqual(spec.scopeSelector.matchExpressions, [{ scopeName: 'PriorityClass', operator: 'In', values: [CLASS] }]);
    assert.equal(parts(objects(VERIFY)).deployment.spec.template.spec.priorityClassName, CLASS);
  });

  it('has room for a rollout of all replicas', () => {
    for (const [values, replicas] of /** @type {[object, number][]} */ ([[{ replicaCount: 7 }, 7], [VARIANTS.scaled, 9]])) {
      assert.equal(Number(quotas(values)[0].spec.hard.pods), 2 * (replicas + 1));
    }
  });

  it('needs none in kube-system, or without a class of the system', () => {
    assert.deepEqual(quotas({}, ['-namespace', 'kube-system']), []);
    for (const priorityClassName of ['', 'high']) assert.deepEqual(quotas({ priorityClassName }), []);
  });
});

describe('the network', () => {
  const policy = (/** @type {object} */ networkPolicy) => one(objects({ ...VERIFY, networkPolicy }), 'NetworkPolicy', 'slicewise-webhook').spec;
  const ports = [443, 6443].map((port) => ({ port, protocol: 'TCP' }));

  it('leads out to the API servers only, if their addresses are given', () => {
    assert.deepEqual(policy({ apiServers: PEERS }).egress, [{ ports, to: PEERS }]);
    const [api, dns, ...more] = policy({}).egress;
    assert.deepEqual([api, more], [{ ports }, []]);
    assert.ok(dns.ports.every((/** @type {any} */ each) => each.port === 53) && dns.to === undefined);
  });
});

describe('the port of the Service', () => {
  it('is where everything else looks for it', () => {
    const all = objects({ ...VERIFY, service: { port: 9443 } });
    const { configuration, service, container } = parts(all);
    assert.equal(configuration.webhooks.length, 3);
    for (const { clientConfig } of configuration.webhooks) assert.equal(clientConfig.service.port, 9443);
    const open = service.spec.ports.find((/** @type {any} */ each) => each.port === 9443);
    const listened = container.ports.find((/** @type {any} */ each) => each.name === open.targetPort);
    const [inward] = one(all, 'NetworkPolicy', 'slicewise-webhook').spec.ingress;
    assert.deepEqual([inward.ports[0].port, listened.containerPort], [open.targetPort, 8443]);
    assert.ok(!JSON.stringify(all.filter(({ kind }) => kind !== 'NetworkPolicy')).includes('"port":443'));
  });
});

describe('the image', () => {
  const imageOf = (/** @type {object} */ image) => {
    const all = objects({ ...VERIFY, image: { repository: 'r/x', ...image } });
    const { image: used } = parts(all).container;
    assert.equal(one(all, 'Pod').spec.containers[0].image, used);
    return used;
  };

  it('is named by tag, by digest, or by both', () => {
    assert.equal(imageOf({}), 'r/x:0.1.0');
    assert.equal(imageOf({ tag: '9' }), 'r/x:9');
    assert.equal(imageOf({ digest: DIGEST }), `r/x@${DIGEST}`);
    assert.equal(imageOf({ tag: '9', digest: DIGEST }), `r/x:9@${DIGEST}`);
  });
});
