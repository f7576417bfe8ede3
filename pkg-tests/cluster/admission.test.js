/** The webhook behind a real API server: what writers see, whose requests pass, and what happens during outages. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { Api } from './lib/api.js';
import { startCluster } from './lib/cluster.js';
import { eventually } from './lib/controller.js';
import { byChart, byKustomization, install } from './lib/install.js';
import { Recorder, TABLE, kept, performAll, prepare, review, reviewManifests, settled, snapshot, wrongBy } from './lib/operations.js';
import { Balancer, Credentials, SERVICE, Webhook, inEffect, register } from './lib/webhook.js';
import { NAMESPACE, addNode, addService, deletePods, podIps, runPods } from './lib/workload.js';

const ZONES = { a1: 'a', b1: 'b', c1: 'c' };
const SERVICE_NAME = 'kubernetes.io/service-name';
const MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';
/** A user who may do everything and is not a controller. */
const PERSON = { name: 'jane', groups: ['system:masters'] };
const CONFIG = { ownService: `${SERVICE.namespace}/${SERVICE.name}` };
const LIMIT = 1_200_000;

/** @typedef {{status: number, message: string, warnings: string[], causes: any[]}} Told */

test('the webhook before an API server', { timeout: LIMIT }, async (t) => {
  const credentials = new Credentials(t);
  const cluster = await startCluster(t, [`-admission-control-config-file=${credentials.admissionConfig}`, '-endpoint-updates-batch-period=300ms']);
  const { api } = cluster;
  const jane = api.as(PERSON.name, PERSON.groups);
  for (const name of [NAMESPACE, SERVICE.namespace]) await api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });

  await t.test('the operations of the table, by every door', async (part) => {
    const file = new URL('../../webhook/deploy/helm/slicewise-webhook/crds/sliceexceptions.yaml', import.meta.url);
    await api.create(parse(readFileSync(file, 'utf8')));
    await eventually('the kind', () => api.list('SliceException'));
    await prepare(part, api);
    const folder = mkdtempSync(join(tmpdir(), 'slicewise-operations-'));
    part.after(() => rmSync(folder, { recursive: true }));
    const write = (/** @type {string} */ name, /** @type {object} */ value) => {
      writeFileSync(join(folder, name), JSON.stringify(value));
      return join(folder, name);
    };

    /** @type {Record<string, any>} */
    const requests = {};
    /** @type {Record<string, import('./lib/operations.js').Heard>} */
    let verdicts = {};
    /** @type {Awaited<ReturnType<typeof install>>[]} */
    const installs = [];
    for (const render of [byChart, byKustomization]) {
      await part.test(render.name, async (each) => {
        const installed = await install(each, cluster, credentials, render, TABLE.config);
        installs.push(installed);
        const recorder = await Recorder.start(each);
        await api.create(recorder.beside(installed.configuration));
        each.after(() => api.delete('ValidatingWebhookConfiguration', 'recorder'));
        const told = await performAll(api, recorder);
        Object.assign(requests, told.requests);
        verdicts = render === byChart ? kept('verdicts', { operations: told.verdicts }).operations : verdicts;
        assert.deepEqual(told.verdicts, verdicts);
      });
    }

    await part.test('both are the same webhook with the same settings', () => {
      const [chart, kustomization] = installs.map(({ settings, configuration }) => {
        const webhooks = configuration.webhooks.map((/** @type {any} */ each) => {
          const { service } = each.clientConfig;
          return { ...each, clientConfig: { ...service, port: 443 } };
        });
        return { settings, webhooks };
      });
      assert.deepEqual(chart, kustomization);
    });

    const known = settled(await snapshot(api), requests);
    await part.test('what was asked, and of which cluster, is what is kept for hosts without an API server', () =>
      assert.deepEqual(known, kept('requests', known)),
    );

    const list = write('cluster.json', { apiVersion: 'v1', kind: 'List', items: known.cluster });
    const flags = ['--snapshot', list, '--config', write('config.json', installs[0].settings)];
    await part.test('`slicewise review` of what was asked', async () => {
      const asked = TABLE.operations.filter(({ name }) => known.requests[name]);
      const reviews = asked.map(({ name }) => ({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request: known.requests[name] }));
      const answers = await review(flags, reviews.map((each) => JSON.stringify(each)).join('\n'));
      const wrong = asked.flatMap((operation, number) => wrongBy(operation, answers[number], operation.differs?.review, verdicts));
      assert.deepEqual(wrong, []);
    });

    await part.test('`slicewise review` of manifests', async () => {
      const wrong = [];
      for (const operation of TABLE.operations) {
        wrong.push(...wrongBy(operation, await reviewManifests(operation, flags, write), operation.differs?.manifest, verdicts));
      }
      assert.deepEqual(wrong, []);
    });
  });

  await t.test('an exception that lets everything pass, or never ends, is refused', async () => {
    const exception = (/** @type {object} */ spec) => ({
      apiVersion: 'slicewise.dev/v1alpha1',
      kind: 'SliceException',
      metadata: { name: 'db' },
      spec: { policies: ['slice-addresses'], reason: 'the database moves', until: '2099-01-01T00:00:00Z', ...spec },
    });
    await assert.rejects(() => api.create(exception({})), /it would let everything pass; name namespaces, users, groups or a selector/);
    await assert.rejects(() => api.create(exception({ until: 'tomorrow', users: ['jane'] })), /spec\.until/);
  });

  for (const [node, zone] of Object.entries(ZONES)) await addNode(api, node, zone);
  const ports = [{ name: 'http', port: 80, targetPort: 'http' }];
  await addService(api, 'auto', { selector: { app: 'auto' }, ports, trafficDistribution: 'PreferSameZone' });
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
  const forged = () => sliceOf('forged', 'auto', [podIps('auto', 1)[0]], { [MANAGED_BY]: 'endpointslice-controller.k8s.io' });
  const isDenied = async () => (await attempt('CREATE', forged())).status === 403;
  /** @param {import('node:test').TestContext} part @param {object} clientConfig @param {Record<string, any>} [more] */
  const hook = async (part, clientConfig, more) => {
    await register(part, api, clientConfig, more);
    await inEffect(isDenied);
  };

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

/** Between two writes of a worker, in milliseconds: at full speed, they take both cores from the servers that start and end. */
const PAUSE = 50;

/** Writes again and again; the webhook itself must deny each write, not its failure policy. */
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
        await sleep(PAUSE);
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
