/**
 * The webhook in front of a real API server, failing closed: nobody blinds, crashes or steers it, it stops neither the
 * control plane nor writes that change nothing, and no restart lets a write pass unjudged. `SLICEWISE_RESTARTS` is
 * how often the webhook is restarted, and `SLICEWISE_SERVER_RESTARTS` how often the API server.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Api } from './lib/api.js';
import { startCluster } from './lib/cluster.js';
import { eventually } from './lib/controller.js';
import { withoutStreams } from './lib/pages.js';
import { Balancer, Credentials, HOOK, Webhook, inEffect, register } from './lib/webhook.js';
import { NAMESPACE, addNode, addPod, addService, podIps, runPods, setPodStatus } from './lib/workload.js';

const SERVICE_NAME = 'kubernetes.io/service-name';
const OTHER = 'other';
const NODES = ['a1', 'b1', 'c1'];
const RESTARTS = Number(process.env.SLICEWISE_RESTARTS ?? 2);
const SERVER_RESTARTS = Number(process.env.SLICEWISE_SERVER_RESTARTS ?? 1);
const LIMIT = 3_600_000;
const CONFIG = {
  policies: {
    // One more, which must not take the control plane's users off the list.
    'slice-ownership': { exemptUsers: ['system:serviceaccount:ci:deployer'] },
    'slice-addresses': { exemptUsers: ['system:serviceaccount:ci:deployer'], allowedCIDRs: ['2002::/16'], deniedCIDRs: ['198.51.100.0/24'] },
  },
};

/** @typedef {{status: number, message: string}} Told */
/** @typedef {import('./lib/api.js').Kind} Kind */

for (const lists of /** @type {const} */ (['streams', 'pages'])) {
  test(`it holds before a real API server; lists by ${lists}`, { timeout: LIMIT }, async (t) => {
    const credentials = new Credentials(t);
    const cluster = await startCluster(t, [`-admission-control-config-file=${credentials.admissionConfig}`, '-endpoint-updates-batch-period=300ms']);
    const { api } = cluster;
    const jane = api.as('jane', ['system:masters']);
    const apiServer = api.as('system:apiserver', ['system:masters']);
    for (const name of [NAMESPACE, OTHER]) await api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    for (const node of NODES) await addNode(api, node, node[0]);
    const ports = [{ name: 'http', port: 80, targetPort: 'http' }];
    await addService(api, 'auto', { selector: { app: 'auto' }, ports });
    await addService(api, 'manual', { ports });
    await api.create({ apiVersion: 'v1', kind: 'Service', metadata: { namespace: OTHER, name: 'theirs' }, spec: { ports } });
    await runOn(api, 1, 5);
    await apiServer.create(kubernetesSlice('kubernetes', '172.30.0.10'));
    await cluster.startReference();
    await cluster.settle();
    const kubeconfig = lists === 'streams' ? cluster.ready.kubeconfig : await withoutStreams(t, cluster);
    const start = () => Webhook.start(t, credentials, { kubeconfig, config: CONFIG });
    let webhook = await start();
    const balancer = await Balancer.start(t, [webhook]);
    /** All that have run. @type {Webhook[]} */
    const webhooks = [webhook];

    /** @param {Api} who @param {string} operation @param {any} object @param {{dryRun?: boolean}} [how] @returns {Promise<Told>} */
    const write = async (who, operation, object, { dryRun = true } = {}) => {
      const [method, path] = Api.placeOf(operation, object);
      const { status, text } = await who.ask(method, `${path}${dryRun ? '?dryRun=All' : ''}`, operation === 'DELETE' ? undefined : object);
      return { status, message: JSON.parse(text).message ?? '' };
    };
    const hijack = () =>
      write(jane, 'CREATE', {
        ...sliceOf('hijack', 'theirs', [podIps('auto', 1)[0]]),
        metadata: { namespace: OTHER, name: 'hijack', labels: { [SERVICE_NAME]: 'theirs' } },
      });
    const assertHijackDenied = async () => assertDenied(await hijack(), 'the hijack');
    await register(t, api, { url: `https://127.0.0.1:${balancer.port}/validate`, caBundle: credentials.caBundle });
    await inEffect(async () => isDenial(await hijack()));
    const managed = async () => (await api.list('EndpointSlice')).find(({ metadata }) => metadata.labels[SERVICE_NAME] === 'auto');

    await t.test("the API servers' own Service belongs to them", async () => {
      const slice = await api.get('EndpointSlice', 'default/kubernetes');
      const moved = { ...slice, endpoints: [{ addresses: [podIps('auto', 1)[0]], conditions: { ready: true } }] };
      assertDenied(await write(jane, 'CREATE', kubernetesSlice('extra', '172.30.0.66')), 'an extra slice');
      assertDenied(await write(jane, 'UPDATE', moved), 'a rewritten slice');
      assertDenied(await write(jane, 'DELETE', slice), 'a deleted slice');
      const endpoints = {
        apiVersion: 'v1',
        kind: 'Endpoints',
        metadata: { namespace: 'default', name: 'kubernetes' },
        subsets: [{ addresses: [{ ip: podIps('auto', 1)[0] }], ports: [{ name: 'https', port: 6443 }] }],
      };
      assertDenied(await write(jane, 'CREATE', endpoints), 'its Endpoints');
      const next = { ...slice, endpoints: [{ addresses: ['172.30.0.11'], conditions: { ready: true } }] };
      assertPassed(await write(apiServer, 'UPDATE', next, { dryRun: false }), 'an API server that has moved');
      assertPassed(await write(apiServer, 'DELETE', next), 'an API server that cleans up');
    });

    await t.test('traffic is not moved', async () => {
      const [own] = podIps('auto', 1);
      const subsets = [{ addresses: [{ ip: own }], ports: [{ port: 80 }] }];
      const named = (/** @type {object} */ endpoint) => ({
        ...sliceOf('moved', 'manual', [own]),
        endpoints: [{ addresses: [own], conditions: { ready: true }, ...endpoint }],
      });
      assertDenied(
        await write(jane, 'CREATE', { apiVersion: 'v1', kind: 'Endpoints', metadata: { namespace: OTHER, name: 'theirs' }, subsets }),
        'Endpoints at a foreign pod',
      );
      assertPassed(await write(jane, 'CREATE', named({ nodeName: nodeOf(1) })), "the pod's own node");
      assertDenied(await write(jane, 'CREATE', named({ nodeName: nodeOf(2) })), 'another node');
      assertDenied(
        await write(jane, 'CREATE', named({ nodeName: nodeOf(2), targetRef: { kind: 'Pod', namespace: NAMESPACE, name: 'auto-1' } })),
        'another node, with a targetRef',
      );
      assertDenied(await write(jane, 'CREATE', sliceOf('literal', 'manual', ['169.254.169.254'], 'FQDN')), 'an address as a name');
      // 6to4 of 198.51.100.7, which deniedCIDRs has, within an allowed range.
      assertDenied(await write(jane, 'CREATE', sliceOf('tunnel', 'manual', ['2002:c633:6407::1'], 'IPv6')), 'a tunnel to a denied range');
    });

    await t.test('what changes nothing passes, whoever writes it', async () => {
      const slice = await managed();
      const marked = { ...slice, metadata: { ...slice.metadata, annotations: { note: 'x' } } };
      assertPassed(await write(jane, 'UPDATE', marked, { dryRun: false }), 'an annotation');
      const found = await managed();
      assertPassed(await write(jane, 'UPDATE', { ...found, metadata: { ...found.metadata, finalizers: ['example.com/mine'] } }), 'a finalizer');
      for (const kind of /** @type {Kind[]} */ (['Service', 'Endpoints', 'EndpointSlice', 'Node'])) {
        for (const object of await api.list(kind)) {
          await eventually(`${kind} ${object.metadata.name} is rewritten`, async () => {
            const current = await api.get(kind, [object.metadata.namespace, object.metadata.name].filter(Boolean).join('/'));
            const told = await write(jane, 'UPDATE', current, { dryRun: false });
            // Its controller was faster: the migrator tries again, too.
            if (told.status !== 409) assertPassed(told, `${kind} ${object.metadata.name} as it is`);
          });
        }
      }
    });

    await t.test('a slice that is written when its pod has just got its address passes, twenty of twenty', async () => {
      const denied = [];
      for (let index = 20; index < 40; index += 1) {
        const ips = podIps('auto', index);
        await addPod(api, 'auto', index, { spec: () => ({ nodeName: nodeOf(index) }) });
        await setPodStatus(api, `auto-${index}`, ips);
        const told = await write(jane, 'CREATE', sliceOf(`fresh-${index}`, 'manual', [ips[0]]));
        if (told.status >= 300) denied.push(told);
      }
      assert.deepEqual(denied, []);
    });

    await t.test('the reference controller is never denied', async () => {
      const before = Date.now();
      await runOn(api, 40, 60);
      await cluster.settle();
      const found = (await api.list('EndpointSlice'))
        .filter(({ metadata }) => metadata.labels[SERVICE_NAME] === 'auto')
        .flatMap(({ endpoints }) => endpoints ?? []);
      assert.ok(found.some(({ addresses }) => addresses[0] === podIps('auto', 60)[0]));
      assert.deepEqual(webhook.reviews('deny').filter(({ time, namespace }) => new Date(time).getTime() >= before && namespace === NAMESPACE), []);
    });

    for (const [name, put] of Object.entries(extremes(api))) {
      await t.test(`it is not blinded by ${name}`, async () => {
        await assertHijackDenied();
        let isOver = false;
        const during = (async () => {
          while (!isOver) await assertHijackDenied();
        })();
        try {
          await put();
          await sleep(500);
        } finally {
          isOver = true;
          await during;
        }
        await assertHijackDenied();
        // What comes after it is seen as well.
        const index = 100 + Object.keys(extremes(api)).indexOf(name);
        await runOn(api, index, index);
        await eventually('a pod that came later', async () =>
          assertPassed(await write(jane, 'CREATE', sliceOf('later', 'manual', [podIps('auto', index)[0]])), 'its slice'),
        );
        assert.equal(await webhook.isReady(), true);
        assert.equal(webhook.outcome, null, 'the same process');
      });
    }

    await t.test(`restarts of it and of the API server let nothing pass unjudged: ${RESTARTS} and ${SERVER_RESTARTS}`, async () => {
      const stream = new Stream(write, jane, api);
      t.after(() => stream.end());
      const goesOn = async () => {
        const [passed, refused] = [stream.passed.size, stream.refusedHijacks];
        const does = () => assert.ok(stream.passed.size > passed + 3 && stream.refusedHijacks > refused, JSON.stringify(stream.last));
        await eventually('writes pass again', does);
      };
      for (let each = 0; each < RESTARTS; each += 1) {
        assert.equal(await webhook.terminate(), 0);
        webhook = await start();
        webhooks.push(webhook);
        balancer.backends = [webhook];
        await goesOn();
      }
      for (let each = 0; each < SERVER_RESTARTS; each += 1) {
        await cluster.command('restart');
        await goesOn();
        assert.equal(webhook.outcome, null, 'the webhook lives');
      }
      await stream.end();
      const judged = () => new Set(webhooks.flatMap((each) => [...each.reviews('allow'), ...each.reviews('warn')]).map(({ name }) => name));
      await eventually('the log of the last', () =>
        assert.deepEqual(
          [...stream.passed].filter((name) => !judged().has(name)),
          [],
          'each write that passed was judged',
        ),
      );
      assert.deepEqual(stream.hijacked, [], 'no hijack passed');
      assert.deepEqual(
        (await api.list('EndpointSlice')).filter(({ metadata }) => metadata.name.startsWith('bad-')),
        [],
        'nor one whose answer was lost',
      );
      assert.deepEqual(stream.wronglyDenied.slice(0, 3), [], `${stream.wronglyDenied.length} denied`);
      await cluster.settle();
      const ours = webhooks.flatMap((each) => each.reviews('deny')).filter(({ name }) => String(name).startsWith('auto-'));
      assert.deepEqual(ours, [], 'nothing of the control plane was denied');
    });
    // Otherwise the API server would wait for its watches to end.
    await webhook.terminate();
  });
}

/** Writes of two kinds, one after the other until the end: good ones, each with a name of its own, and hijacks. */
class Stream {
  /** The names of what was written. @type {Set<string>} */
  passed = new Set();
  refusedHijacks = 0;
  /** What the last good write was answered. @type {Told | null} */
  last = null;
  /** @type {Told[]} */
  hijacked = [];
  /** @type {Told[]} */
  wronglyDenied = [];
  #isOver = false;

  /** @param {(who: Api, operation: string, object: any, how?: {dryRun?: boolean}) => Promise<Told>} write @param {Api} user @param {Api} admin */
  constructor(write, user, admin) {
    const tried = (/** @type {any} */ object) =>
      write(user, 'CREATE', object, { dryRun: false }).catch((error) => ({ status: 0, message: String(error) }));
    const good = async () => {
      for (let index = 0; !this.#isOver; index += 1) {
        const name = `steady-${index}`;
        const told = await tried(steady(name));
        this.last = told;
        if (isDenial(told)) this.wronglyDenied.push(told);
        // Without an answer, it may be there nevertheless.
        if ((told.status === 201 || told.status === 0) && (await this.#remove(admin, name)) === 200) this.passed.add(name);
      }
    };
    const bad = async () => {
      for (let index = 0; !this.#isOver; index += 1) {
        const told = await tried(sliceOf(`bad-${index}`, 'manual', ['10.99.0.1']));
        if (told.status === 201) this.hijacked.push(told);
        else if (isDenial(told)) this.refusedHijacks += 1;
      }
    };
    this.workers = [good(), bad()];
  }

  /** Again and again: nothing can be deleted while either side is down. @param {Api} admin @param {string} name */
  async #remove(admin, name) {
    const [method, path] = Api.placeOf('DELETE', steady(name));
    for (;;) {
      const { status } = await admin.ask(method, path).catch(() => ({ status: 0 }));
      // Deleted in an attempt whose answer was lost, or never made.
      if (status === 200 || status === 404 || this.#isOver) return status;
      await sleep(10);
    }
  }

  async end() {
    this.#isOver = true;
    await Promise.all(this.workers);
  }
}

/**
 * API-legal objects that cost a reader most.
 * @param {Api} api
 * @returns {Record<string, () => Promise<void>>}
 */
function extremes(api) {
  const pod = (/** @type {string} */ name, /** @type {object} */ metadata, /** @type {object} */ container = {}) => ({
    apiVersion: 'v1', kind: 'Pod', metadata: { namespace: OTHER, name, ...metadata }, spec: { containers: [{ name: 'c', image: 'i', ...container }] },
  });
  const managedFields = (/** @type {number} */ depth) => {
    let fieldsV1 = /** @type {object} */ ({});
    for (let each = 0; each < depth; each += 1) fieldsV1 = { 'f:a': fieldsV1 };
    return [{ manager: 'deep', operation: 'Update', apiVersion: 'v1', time: '2026-01-01T00:00:00Z', fieldsType: 'FieldsV1', fieldsV1 }];
  };
  return {
    'a Pod whose managedFields are 150 levels deep': async () => {
      await api.create(pod('deep', { managedFields: managedFields(150) }));
      const { metadata } = await api.get('Pod', `${OTHER}/deep`);
      assert.ok(depthOf(metadata.managedFields) > 150, `the API server keeps ${depthOf(metadata.managedFields)} levels`);
    },
    'a Pod of 2 KB with much depth': async () => {
      await api.create(pod('narrow', { managedFields: managedFields(250) }));
    },
    'a Pod and a Node full of <': async () => {
      await api.create(pod('angles', {}, { args: ['<'.repeat(1_400_000)] }));
      const text = '<'.repeat(1_400_000);
      await api.create({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'angles' } });
      const nodeInfo = Object.fromEntries(
        [
          'machineID',
          'systemUUID',
          'bootID',
          'osImage',
          'containerRuntimeVersion',
          'kubeletVersion',
          'kubeProxyVersion',
          'operatingSystem',
          'architecture',
        ].map((name) => [name, '']),
      );
      await api.patchStatus('Node', 'angles', { nodeInfo: { ...nodeInfo, kernelVersion: text } });
      await api.patch('Node', 'angles', { metadata: { labels: { rack: 'r1' } } });
    },
    '100,000 equal addresses': async () => {
      const endpoint = { addresses: Array(100).fill('a.b'), conditions: { ready: true } };
      await api.create({ ...sliceOf('equal', 'manual', [], 'FQDN'), endpoints: Array(1000).fill(endpoint) }).catch((error) => {
        assert.match(error.message, new RegExp(`admission webhook "${HOOK}" denied`), 'judged, whatever the verdict');
      });
    },
  };
}

/** @param {unknown} value @returns {number} */
function depthOf(value) {
  return typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
}

/** @param {Told} told */
function isDenial({ status, message }) {
  return status === 403 && message.startsWith(`admission webhook "${HOOK}" denied the request: `);
}

/** @param {Told} told @param {string} what */
function assertDenied(told, what) {
  assert.ok(isDenial(told), `${what}: ${JSON.stringify(told)}`);
}

/** @param {Told} told @param {string} what */
function assertPassed(told, what) {
  assert.ok(told.status >= 200 && told.status < 300, `${what}: ${JSON.stringify(told)}`);
}

/** @param {number} index of a pod */
function nodeOf(index) {
  return NODES[index % NODES.length];
}

/** @param {Api} api @param {number} from @param {number} to */
function runOn(api, from, to) {
  return runPods(api, 'auto', from, to, { spec: (name) => ({ nodeName: nodeOf(Number(name.split('-').at(-1))) }) });
}

/** @param {string} name @param {string} address */
function kubernetesSlice(name, address) {
  const slice = sliceOf(name, 'kubernetes', [address]);
  return { ...slice, metadata: { ...slice.metadata, namespace: 'default' }, ports: [{ name: 'https', protocol: 'TCP', port: 6443 }] };
}

/** Unlike a slice, in the way of no other whose end the webhook has not seen. @param {string} name */
function steady(name) {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace: NAMESPACE, name },
    spec: { clusterIP: 'None', ports: [{ name: 'http', port: 80 }] },
  };
}

/** A hand-written slice. @param {string} name @param {string} service @param {string[]} addresses @param {string} [addressType] @returns {any} */
function sliceOf(name, service, addresses, addressType = 'IPv4') {
  return {
    apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', addressType,
    metadata: { namespace: NAMESPACE, name, labels: { [SERVICE_NAME]: service } },
    endpoints: addresses.map((address) => ({ addresses: [address], conditions: { ready: true } })),
    ports: [{ name: 'http', protocol: 'TCP', port: 8080 }],
  };
}
