/** The webhook behind a real API server: what writers see, whose requests pass, and what happens during outages. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { TESTED_CLI } from '../../scripts/lib/paths.mjs';
import { Api } from './lib/api.js';
import { startCluster } from './lib/cluster.js';
import { eventually } from './lib/controller.js';
import { Balancer, Credentials, HOOK, SERVICE, Webhook, inEffect, register } from './lib/webhook.js';
import { NAMESPACE, addNode, addService, deletePods, podIps, runPods } from './lib/workload.js';

const ZONES = { a1: 'a', b1: 'b', c1: 'c' };
const SERVICE_NAME = 'kubernetes.io/service-name';
const MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';
const HINTS = 'service.kubernetes.io/topology-mode';
/** A user who may do everything and is not a controller. */
const PERSON = { name: 'jane', groups: ['system:masters'] };
const WARNED = 'staging';
const POLICIES = {
  'slice-ownership': {},
  'slice-addresses': {},
  'endpoints-legacy': {},
  'service-traffic': { allowedExternalIPs: ['203.0.113.0/24'] },
  expression: {
    validations: [
      {
        name: 'no-node-ports',
        expression: "object.spec.type != 'NodePort'",
        message: 'use a Gateway',
        field: 'spec.type',
        on: { kinds: ['Service'] },
      },
      {
        name: 'known-team',
        expression: "object.metadata.?labels.?team.orValue('core') == 'core'",
        message: 'nobody knows the team',
        action: 'warn',
        on: { kinds: ['Service'] },
      },
    ],
  },
};
const CONFIG = {
  writers: ['cilium-clustermesh'],
  ownService: `${SERVICE.namespace}/${SERVICE.name}`,
  policies: Object.fromEntries(Object.entries(POLICIES).map(([name, more]) => [name, { ...more, namespaces: [{ names: [WARNED], mode: 'warn' }] }])),
};
const LIMIT = 1_200_000;

/** @typedef {{status: number, message: string, warnings: string[], causes: any[]}} Told */
/** @typedef {{message: string, warnings: string[]}} Heard the reasons of a denial, if it is one, and the warnings */

test('the webhook before an API server', { timeout: LIMIT }, async (t) => {
  const credentials = new Credentials(t);
  const cluster = await startCluster(t, [`-admission-control-config-file=${credentials.admissionConfig}`, '-endpoint-updates-batch-period=300ms']);
  const { api, ready } = cluster;
  const jane = api.as(PERSON.name, PERSON.groups);
  for (const name of [NAMESPACE, WARNED, SERVICE.namespace]) await api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  for (const [node, zone] of Object.entries(ZONES)) await addNode(api, node, zone);
  const ports = [{ name: 'http', port: 80, targetPort: 'http' }];
  await addService(api, 'auto', { selector: { app: 'auto' }, ports, trafficDistribution: 'PreferSameZone' });
  await addService(api, 'manual', { ports });
  await addService(api, 'balanced', { ports, type: 'LoadBalancer' });
  await runOn(api, 'auto', 1, 6);
  await cluster.startReference();
  await cluster.settle();
  const webhook = await Webhook.start(t, credentials, { kubeconfig: cluster.ready.kubeconfig, config: CONFIG });
  const url = (/** @type {Webhook} */ of) => ({ url: `https://127.0.0.1:${of.port}/validate`, caBundle: credentials.caBundle });

  /**
   * A dry-run write, and what its writer sees.
   * @param {string} operation @param {any} object @param {string} [part] such as `/status`
   * @returns {Promise<Told>}
   */
  const attempt = async (operation, object, part = '') => {
    const [method, path] = Api.placeOf(operation, object);
    const { status, text, warnings } = await jane.ask(method, `${path}${part}?dryRun=All`, operation === 'DELETE' ? undefined : object);
    const { message = '', details } = JSON.parse(text);
    return { status, message, warnings, causes: details?.causes ?? [] };
  };
  const folder = mkdtempSync(join(tmpdir(), 'slicewise-admission-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const settings = join(folder, 'config.json');
  writeFileSync(settings, JSON.stringify(CONFIG));

  /** What a pull request is told about the same manifest. @param {object} object @returns {Promise<Heard>} */
  const reviewed = (object) =>
    new Promise((resolve, reject) => {
      const whole = ['-A', '--kubeconfig', ready.kubeconfig];
      const child = execFile(TESTED_CLI, ['review', ...whole, '--config', settings, '--user', PERSON.name, '-'], (error, stdout, stderr) => {
        if (error && error.code !== 1) return reject(new Error(stderr));
        const { allowed, status, warnings = [] } = JSON.parse(stdout).response;
        resolve({ message: allowed ? '' : status.message, warnings });
      });
      child.stdin?.end(JSON.stringify(object));
    });

  /** @param {Told} told @returns {Heard} what the webhook says through the API server, but for how long it waited for the watch */
  const heard = ({ status, message, warnings }) => ({
    message:
      status === 403
        ? message.replace(`admission webhook "${HOOK}" denied the request: `, '').replace(/; the watch showed no other state within \d+ ms/g, '')
        : '',
    warnings: warnings.filter((warning) => /^[a-z-]+\/[a-z-]+: /.test(warning)),
  });
  const current = (/** @type {import('./lib/api.js').Kind} */ kind, /** @type {string} */ name) => api.get(kind, name);
  const forged = () => sliceOf('forged', 'auto', [podIps('auto', 1)[0]], { [MANAGED_BY]: 'endpointslice-controller.k8s.io' });
  const isDenied = async () => (await attempt('CREATE', forged())).status === 403;
  /** @param {import('node:test').TestContext} part @param {object} clientConfig @param {Record<string, any>} [more] */
  const hook = async (part, clientConfig, more) => {
    await register(part, api, clientConfig, more);
    await inEffect(isDenied);
  };

  await t.test('what a writer is told, policy by policy', async (step) => {
    await hook(step, url(webhook));
    const auto = await current('Service', `${NAMESPACE}/auto`);
    const [managed] = (await api.list('EndpointSlice')).filter(({ metadata }) => metadata.labels[SERVICE_NAME] === 'auto');
    const node = await current('Node', 'c1');
    const service = (/** @type {object} */ spec) => ({ ...auto, spec: { ...auto.spec, ...spec } });
    const endpoints = (/** @type {string} */ namespace, /** @type {string} */ ip) => {
      return {
        apiVersion: 'v1',
        kind: 'Endpoints',
        metadata: { namespace, name: 'by-hand' },
        subsets: [{ addresses: [{ ip }], ports: [{ port: 80 }] }],
      };
    };
    const [own, stranger] = [podIps('auto', 1)[0], '10.9.9.9'];
    const hand = sliceOf('by-hand', 'manual', [own]);
    const terminating = structuredClone(hand);
    terminating.endpoints[0].conditions = { ready: true, serving: true, terminating: true };
    const hinted = structuredClone(hand);
    hinted.endpoints[0].hints = { forZones: [{ name: 'nowhere' }] };
    const wellHinted = structuredClone(hand);
    wellHinted.endpoints[0].hints = { forZones: [{ name: 'a' }] };
    const balanced = await current('Service', `${NAMESPACE}/balanced`);
    const exposed = { ...balanced, status: { loadBalancer: { ingress: [{ ip: '198.51.100.2' }] } } };
    const ofTeam = (/** @type {string} */ team) => ({ ...auto, metadata: { ...auto.metadata, labels: { team } } });
    const elsewhere = { ...sliceOf('by-hand', 'auto', [stranger]), metadata: { namespace: WARNED, name: 'by-hand' } };
    const unzoned = structuredClone(node);
    delete unzoned.metadata.labels['topology.kubernetes.io/zone'];
    const conflicting = structuredClone(auto);
    conflicting.metadata.annotations = { [HINTS]: 'Auto' };

    /** @type {[verdict: 'denied' | 'warned' | 'allowed', rule: string, operation: string, object: any, part?: string][]} */
    const attempts = [
      ['denied', 'slice-ownership/forged-manager', 'CREATE', forged()],
      ['denied', 'slice-ownership/managed', 'UPDATE', { ...managed, endpoints: [] }],
      ['warned', 'slice-ownership/managed', 'DELETE', managed],
      ['denied', 'slice-addresses/not-a-pod', 'CREATE', sliceOf('by-hand', 'manual', [stranger])],
      ['warned', 'slice-addresses/not-a-pod', 'CREATE', elsewhere],
      ['denied', 'slice-shape/orphan', 'CREATE', sliceOf('by-hand', 'no-such', [own])],
      ['warned', 'slice-shape/conditions', 'CREATE', terminating],
      ['warned', 'slice-hints/unknown-zone', 'CREATE', hinted],
      ['denied', 'service-blast-radius/emptied', 'UPDATE', service({ selector: { app: 'atuo' } })],
      ['denied', 'service-blast-radius/deleted', 'DELETE', auto],
      ['denied', 'service-traffic/external-ip', 'UPDATE', service({ externalIPs: ['198.51.100.1'] })],
      ['warned', 'service-traffic/conflict', 'UPDATE', conflicting],
      ['warned', 'service-traffic/load-balancer-status', 'UPDATE', exposed, '/status'],
      ['warned', 'node-topology/zone-missing', 'UPDATE', unzoned],
      ['denied', 'endpoints-legacy/not-a-pod', 'CREATE', endpoints(NAMESPACE, stranger)],
      ['warned', 'endpoints-legacy/not-a-pod', 'CREATE', endpoints(WARNED, stranger)],
      ['denied', 'expression/no-node-ports', 'UPDATE', service({ type: 'NodePort' })],
      ['warned', 'expression/known-team', 'UPDATE', ofTeam('nobody')],
      ['allowed', '', 'UPDATE', ofTeam('core')],
      ['allowed', '', 'CREATE', hand],
      ['allowed', '', 'CREATE', wellHinted],
      ['allowed', '', 'UPDATE', service({ externalIPs: ['203.0.113.7'] })],
      ['allowed', '', 'UPDATE', { ...node, metadata: { ...node.metadata, labels: { ...node.metadata.labels, rack: 'r1' } } }],
      ['allowed', '', 'CREATE', endpoints(NAMESPACE, own)],
    ];
    for (const [verdict, rule, operation, object, part = ''] of attempts) {
      const told = await attempt(operation, object, part);
      const what = `${operation} ${object.kind} ${object.metadata.name}: ${verdict} ${rule}, got ${JSON.stringify(told)}`;
      const ours = told.warnings.filter((warning) => warning.includes('/'));
      if (verdict === 'denied') {
        assert.equal(told.status, 403, what);
        assert.ok(told.message.startsWith(`admission webhook "${HOOK}" denied the request: ${object.kind} `), what);
        assert.ok(told.message.includes(`${rule}: `), what);
        assert.ok(told.causes.some(({ message, field }) => message.startsWith(rule) && field), what);
      } else {
        assert.ok(told.status < 300, what);
        assert.equal(ours.some((warning) => warning.includes(`${rule}: `)), verdict === 'warned', what);
      }
      // A manifest has no status, and deletes nothing.
      if (part === '' && operation !== 'DELETE') assert.deepEqual(await reviewed(object), heard(told), what);
    }
    assert.deepEqual((await api.list('EndpointSlice')).filter(({ metadata }) => metadata.name === 'by-hand'), [], 'a dry run changes nothing');
  });

  await t.test('workloads, by the pods that would be', async (step) => {
    await hook(step, url(webhook));
    const labels = { app: 'auto' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'x', ports: [{ name: 'http', containerPort: 80 }] }] } };
    const spec = { replicas: 6, selector: { matchLabels: labels }, template };
    const deployment = await api.create({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { namespace: NAMESPACE, name: 'auto' }, spec });
    const told = async (/** @type {string} */ operation, /** @type {any} */ object) => {
      const { status, warnings } = await attempt(operation, object);
      assert.ok(status < 300, JSON.stringify(warnings));
      return warnings.filter((warning) => warning.includes('workload-traffic/')).map((warning) => warning.split(':')[0]);
    };
    const renamed = structuredClone(deployment);
    renamed.spec.template.spec.containers[0].ports[0].name = 'web';
    const relabelled = structuredClone(deployment);
    Object.assign(relabelled.metadata, { labels: { team: 'core' } });
    assert.deepEqual(await told('UPDATE', renamed), ['workload-traffic/port-left']);
    assert.deepEqual(await told('DELETE', deployment), ['workload-traffic/scaled-to-zero']);
    assert.deepEqual(await told('UPDATE', relabelled), []);
    const place = `/apis/apps/v1/namespaces/${NAMESPACE}/deployments/auto/scale`;
    const scale = { ...(await api.call('GET', place)), spec: { replicas: 0 } };
    const { status, warnings } = await jane.ask('PUT', `${place}?dryRun=All`, scale);
    assert.equal(status, 200);
    assert.match(warnings.join('\n'), /workload-traffic\/scaled-to-zero: Scale shop\/auto: /);
    await api.delete('Deployment', `${NAMESPACE}/auto`);
  });

  await t.test('another writer leads to its clusters, and only that writer', async (step) => {
    await hook(step, url(webhook));
    const remote = sliceOf('auto-remote', 'auto', ['10.200.0.7'], { [MANAGED_BY]: 'endpointslice-mesh-controller.cilium.io' });
    const operator = api.as('system:serviceaccount:kube-system:cilium-operator', ['system:masters']);
    const by = async (/** @type {Api} */ who) => {
      const { status, text } = await who.ask('POST', `${Api.placeOf('CREATE', remote)[1]}?dryRun=All`, remote);
      return status < 300 ? 'allowed' : JSON.parse(text).message;
    };
    assert.equal(await by(operator), 'allowed');
    assert.match(await by(jane), /slice-ownership\/forged-manager: only endpointslice-mesh-controller\.cilium\.io itself/);
    remote.endpoints[0].addresses = [podIps('auto', 1)[0]];
    assert.match(await by(operator), /slice-shape\/duplicate-in-sibling/);
  });

  await t.test('an exception as an object, without a rollout', async (step) => {
    await hook(step, url(webhook));
    const file = new URL('../../webhook/deploy/helm/slicewise-webhook/crds/sliceexceptions.yaml', import.meta.url);
    await api.create(parse(readFileSync(file, 'utf8')));
    const until = new Date(Date.now() + 3_600_000).toISOString();
    const exception = (/** @type {object} */ spec) => ({
      apiVersion: 'slicewise.dev/v1alpha1',
      kind: 'SliceException',
      metadata: { name: 'db' },
      spec: { policies: ['slice-addresses'], reason: 'the database moves', until, ...spec },
    });
    const outside = sliceOf('database', 'manual', ['198.51.100.7']);
    assert.equal((await attempt('CREATE', outside)).status, 403);
    await eventually('the kind', async () => {
      await assert.rejects(() => api.create(exception({})), /it would let everything pass; name namespaces, users, groups or a selector/);
    });
    await assert.rejects(() => api.create(exception({ until: 'tomorrow', users: ['jane'] })), /spec\.until/);
    await api.create(exception({ users: ['jane'] }));
    await inEffect(async () => (await attempt('CREATE', outside)).status === 201);
    assert.match((await attempt('CREATE', outside)).warnings.join('\n'), /slice-addresses\/not-a-pod: .*passes by exception db until .*: the database moves/);
    assert.match((await reviewed(outside)).warnings.join('\n'), /slice-addresses\/not-a-pod: .*passes by exception db until .*: the database moves/);
    await api.delete('SliceException', 'db');
    await inEffect(async () => (await attempt('CREATE', outside)).status === 403);
  });

  await t.test('the reference controller works on under enforcement', async (part) => {
    await hook(part, url(webhook));
    const started = Date.now();
    const addresses = async () => {
      await cluster.settle();
      const slices = (await api.list('EndpointSlice')).filter(({ metadata }) => metadata.labels[SERVICE_NAME] === 'auto');
      return slices.flatMap(({ endpoints }) => (endpoints ?? []).flatMap((/** @type {any} */ each) => each.addresses)).sort();
    };
    const wanted = (/** @type {number} */ from, /** @type {number} */ to) =>
      Array.from({ length: to - from + 1 }, (_, index) => podIps('auto', from + index)[0]).sort();
    await runOn(api, 'auto', 7, 30);
    assert.deepEqual(await addresses(), wanted(1, 30));
    for (let batch = 0; batch < 3; batch += 1) {
      await runOn(api, 'auto', 31 + batch * 10, 40 + batch * 10);
      await deletePods(api, 'auto', 1 + batch * 10, 10 + batch * 10);
    }
    assert.deepEqual(await addresses(), wanted(31, 60));
    const denied = webhook.log.filter(({ time, verdict, name }) => new Date(time).getTime() >= started && verdict === 'deny' && name !== 'forged');
    assert.deepEqual(denied, [], 'nothing of the controller is denied');
    await api.patch('Service', `${NAMESPACE}/auto`, { metadata: { labels: { touched: 'yes' } } });
    await cluster.settle();
  });

  await t.test("the webhook's own Service is never starved", async (part) => {
    await hook(part, url(webhook));
    const slice = sliceOf(SERVICE.name, SERVICE.name, ['10.9.9.9'], { [MANAGED_BY]: 'endpointslice-controller.k8s.io' });
    slice.metadata.namespace = SERVICE.namespace;
    const told = await attempt('CREATE', slice);
    assert.ok(told.status < 300, JSON.stringify(told));
    slice.metadata.labels[SERVICE_NAME] = 'another';
    assert.equal((await attempt('CREATE', slice)).status, 403);
  });

  await t.test('by its Service as well, whose name the certificate has', async (part) => {
    await api.create({ apiVersion: 'v1', kind: 'Service', metadata: SERVICE, spec: { type: 'ExternalName', externalName: '127.0.0.1' } });
    part.after(() => api.delete('Service', `${SERVICE.namespace}/${SERVICE.name}`));
    const before = webhook.reviews('deny').length;
    await hook(part, { service: { ...SERVICE, path: '/validate', port: webhook.port }, caBundle: credentials.caBundle });
    await eventually('its log', () => assert.ok(webhook.reviews('deny').length > before));
  });

  await t.test('who shows no certificate gets nothing', async () => {
    const stranger = new Api(`https://127.0.0.1:${webhook.port}`, '', credentials.authorities.join(''));
    const { status, text } = await stranger.ask('POST', '/validate', { kind: 'AdmissionReview' });
    stranger.close();
    assert.equal(status, 401);
    assert.equal(JSON.parse(text).error.code, 'Unauthorized');
  });

  await t.test('while it does not answer, the failure policy decides', async (part) => {
    for (const failurePolicy of ['Fail', 'Ignore']) {
      await part.test(failurePolicy, async (each) => {
        await hook(each, url(webhook), { failurePolicy, timeoutSeconds: 1 });
        webhook.freeze();
        const told = await attempt('CREATE', forged()).finally(() => webhook.thaw());
        if (failurePolicy === 'Fail') {
          assert.equal(told.status, 500);
          assert.match(told.message, /failed calling webhook "traffic\.slicewise\.dev".*(context deadline exceeded|timeout)/s);
        } else {
          assert.equal(told.status, 201, told.message);
        }
        await inEffect(isDenied);
      });
    }
  });

  await t.test('certificates are swapped under load', async (part) => {
    // The next server to be called may already have the new certificate, so its CA is registered first.
    const swapped = new Credentials(part);
    const moved = await Webhook.start(part, { ...swapped, tls: { ...swapped.tls, clientCA: credentials.clientCA } }, { config: CONFIG });
    await register(part, api, { url: `https://127.0.0.1:${moved.port}/validate`, caBundle: swapped.caBundle });
    await inEffect(isDenied);
    const load = new Load(() => attempt('CREATE', forged()));
    for (let each = 0; each < 5; each += 1) {
      const served = swapped.authorities.length;
      const next = swapped.prepare();
      await api.jsonPatch('ValidatingWebhookConfiguration', 'slicewise', [
        { op: 'replace', path: '/webhooks/0/clientConfig/caBundle', value: swapped.caBundle },
      ]);
      await sleep(200);
      next();
      await eventually('the swap', () =>
        assert.equal(moved.log.filter(({ message, what }) => message === 'reloaded' && what === 'certificate').length, served),
      );
    }
    await load.end();
  });

  await t.test('fifty rolling restarts under load, and no review fails', async (part) => {
    // Shorter than the default, so that idle connections are closed sooner: a request that arrives just then would be lost.
    const config = { ...CONFIG, server: { drainDelay: '1s' } };
    const start = () => Webhook.start(part, credentials, { kubeconfig: cluster.ready.kubeconfig, config });
    const balancer = await Balancer.start(part, [await start(), await start()]);
    await hook(part, { url: `https://127.0.0.1:${balancer.port}/validate`, caBundle: credentials.caBundle });
    const load = new Load(() => attempt('CREATE', forged()));
    /** @type {Promise<unknown>[]} */
    const ends = [];
    for (let each = 0; each < 50; each += 1) {
      const [oldest, ...others] = balancer.backends;
      const next = await start();
      // Its readiness fails first; then it is removed from the Service, and exits while the next one starts.
      ends.push(oldest.terminate());
      await eventually('not ready', async () => assert.equal(await oldest.isReady(), false));
      balancer.backends = [...others, next];
    }
    assert.deepEqual([...new Set(await Promise.all(ends))], [0]);
    await load.end();
  });
});

/** Writes continuously; the webhook itself must deny each write, not its failure policy. */
class Load {
  answered = 0;
  /** @type {unknown[]} */
  #failures = [];
  #isOver = false;

  /** @param {() => Promise<Told>} attempt */
  constructor(attempt) {
    const work = async () => {
      while (!this.#isOver) {
        const told = await attempt().catch((error) => ({ status: 0, message: String(error) }));
        if (told.status !== 403 || !told.message.includes('slice-ownership/forged-manager')) this.#failures.push(told);
        this.answered += 1;
      }
    };
    this.workers = Array.from({ length: 4 }, work);
  }

  async end() {
    this.#isOver = true;
    await Promise.all(this.workers);
    assert.deepEqual(this.#failures.slice(0, 3), [], `${this.#failures.length} of ${this.answered}`);
    assert.ok(this.answered > 50, `${this.answered} writes`);
  }
}

/** @param {Api} api @param {string} app @param {number} from @param {number} to */
function runOn(api, app, from, to) {
  const nodes = Object.keys(ZONES);
  return runPods(api, app, from, to, { spec: (name) => ({ nodeName: nodes[Number(name.split('-').at(-1)) % nodes.length] }) });
}

/**
 * A hand-written slice.
 * @param {string} name @param {string} service @param {string[]} addresses
 * @param {Record<string, string>} [labels] @param {string} [addressType]
 * @returns {any}
 */
function sliceOf(name, service, addresses, labels = {}, addressType = 'IPv4') {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { namespace: NAMESPACE, name, labels: { [SERVICE_NAME]: service, ...labels } },
    addressType,
    endpoints: addresses.map((address) => ({ addresses: [address], conditions: { ready: true } })),
    ports: [{ name: 'http', protocol: 'TCP', port: 8080 }],
  };
}
