/**
 * Rules in three places: the API server evaluates what `slicewise policy export --vap` writes of them, and `slicewise
 * review` judges the manifests as they were written and the objects as the API server would store them. All agree on
 * random objects.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { TESTED_CLI } from '../../scripts/lib/paths.mjs';
import { startCluster } from './lib/cluster.js';
import { eventually } from './lib/controller.js';
import { NAMESPACE } from './lib/workload.js';

const OBJECTS = Number(process.env.SLICEWISE_OBJECTS ?? 150);
/** Whose changes are judged, and whose are not. */
const [JANE, ROOT] = ['jane', 'root'];
const kinds = (/** @type {string[]} */ ...names) => ({ kinds: names });

const CONFIG = {
  policies: {
    expression: {
      exemptUsers: [ROOT],
      params: { mostPorts: 2, teams: ['core', 'shop'], limits: { size: '1Gi' }, since: '2026-01-01T00:00:00Z' },
      matchConditions: [{ name: 'not-deleted', expression: "request.operation != 'DELETE' && params.mostPorts > 0" }],
      variables: [
        { name: 'labels', expression: 'object.metadata.?labels.orValue({})' },
        { name: 'team', expression: "variables.labels[?'team'].orValue('none')" },
        { name: 'notes', expression: 'object.metadata.?annotations.orValue({})' },
      ],
      validations: [
        { name: 'type', expression: "object.spec.type in ['ClusterIP', 'LoadBalancer']", message: 'no node ports', on: kinds('Service') },
        { name: 'affinity', expression: "object.spec.sessionAffinity == 'None'", on: kinds('Service') },
        {
          name: 'node-ports',
          expression: 'object.spec.?ports.orValue([]).all(port, !has(port.nodePort) || port.nodePort >= 30000)',
          on: kinds('Service'),
        },
        { name: 'local', expression: "object.spec.?internalTrafficPolicy.orValue('') != 'Local'", action: 'warn', on: kinds('Service') },
        { name: 'external', expression: "object.spec.?externalTrafficPolicy.orValue('Cluster') == 'Cluster'", on: kinds('Service') },
        {
          name: 'few-ports',
          expression: 'size(object.spec.?ports.orValue([])) <= params.mostPorts',
          messageExpression: "'%s has %d ports'.format([object.metadata.name, size(object.spec.ports)])",
          on: kinds('Service'),
        },
        { name: 'tcp', expression: "object.spec.?ports.orValue([]).all(p, p.protocol == 'TCP' && p.targetPort != 81)", on: kinds('Service') },
        { name: 'team', expression: 'variables.team in params.teams', on: kinds('Service', 'EndpointSlice', 'Node') },
        {
          name: 'size',
          expression: "quantity(variables.notes[?'size'].orValue('1Mi')).isLessThan(quantity(params.limits.size))",
          on: kinds('Service', 'EndpointSlice', 'Node'),
        },
        {
          name: 'since',
          expression: "timestamp(variables.notes[?'since'].orValue(params.since)) + duration('24h') > timestamp(params.since)",
          on: kinds('Service', 'EndpointSlice'),
        },
        {
          name: 'external-ips',
          expression: "object.spec.?externalIPs.orValue([]).all(address, isIP(address) && cidr('192.0.2.0/24').containsIP(address))",
          on: kinds('Service'),
        },
        { name: 'families', expression: "!has(object.spec.ipFamilyPolicy) || object.spec.ipFamilyPolicy == 'SingleStack'", on: kinds('Service') },
        { name: 'status', expression: 'has(object.status.loadBalancer)', on: kinds('Service') },
        {
          name: 'slice-ports',
          expression: "dyn(object.ports) == null || object.ports.all(port, port.name == '' && port.protocol == 'TCP')",
          action: 'warn',
          on: kinds('EndpointSlice'),
        },
        {
          name: 'names',
          expression: '!format.dns1035Label().validate(object.metadata.name).hasValue()',
          on: kinds('Service', 'EndpointSlice', 'Node'),
        },
        {
          name: 'numbers',
          expression: "object.metadata.name.findAll('[0-9]+').all(number, int(number) % 7 != 0)",
          action: 'warn',
          on: kinds('EndpointSlice', 'Node'),
        },
        { name: 'labels', expression: "sets.intersects(variables.labels.map(key, key), ['team', 'tier'])", action: 'warn', on: kinds('Node') },
        { name: 'who', expression: "request.userInfo.groups.exists(group, group == 'system:authenticated') && !request.dryRun", on: kinds('Node') },
        { name: 'has-labels', expression: "object.metadata.labels.team != ''", action: 'warn', on: kinds('EndpointSlice') },
        { name: 'fails', expression: "object.metadata.labels.team != 'lost'", on: kinds('Service') },
        { name: 'ready', expression: "object.metadata.name != 'ready'", on: kinds('Service') },
        { name: 'needs-the-plan', expression: 'plan.lost == 0', on: { kinds: ['Service'], operations: ['DELETE'] } },
      ],
    },
  },
};

/** @param {string[]} args @param {string} input */
function slicewise(args, input) {
  const { status, stdout, stderr } = spawnSync(TESTED_CLI, args, { input, maxBuffer: 1 << 26, encoding: 'utf8' });
  return { status, stdout, stderr };
}

/** A generator of numbers (mulberry32): the same objects in each run. @param {number} seed */
function random(seed) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  /** @template T @param {T[]} items @returns {T} */
  const pick = (items) => /** @type {T} */ (items[Math.floor(next() * items.length)]);
  return { pick, chance: (/** @type {number} */ share) => next() < share };
}

/** @typedef {ReturnType<typeof random>} Random */

/** @param {Random} of @param {string} name @param {boolean} isNamespaced */
function metadata({ pick, chance }, name, isNamespaced) {
  return {
    name,
    ...(isNamespaced && { namespace: NAMESPACE }),
    ...(chance(0.9) && { labels: { ...(chance(0.9) && { team: pick(['core', 'shop', 'core', 'lost']) }), ...(chance(0.3) && { tier: 'front' }) } }),
    ...(chance(0.5) && {
      annotations: {
        ...(chance(0.5) && { size: pick(['100Mi', '1Gi', '1.5Gi', '900M', 'large']) }),
        ...(chance(0.5) && { since: pick(['2026-01-02T03:04:05Z', '2025-12-31T00:00:00.5+01:00', '2025-06-01T00:00:00Z', 'ever']) }),
      },
    }),
  };
}

/** @param {Random} of @param {number} number */
function service(of, number) {
  const { pick, chance } = of;
  const type = pick([undefined, undefined, 'ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName']);
  const isExternal = type === 'NodePort' || type === 'LoadBalancer';
  const port = (/** @type {number} */ at) => ({
    name: `p${at}`,
    port: 80 + at,
    ...(chance(0.3) && { protocol: pick(['TCP', 'UDP']) }),
    ...(chance(0.3) && { targetPort: pick(['http', 8080]) }),
  });
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metadata(of, `${pick(['svc', 'svc', 'a'])}-${number}`, true),
    spec: {
      ...(type && { type }),
      ...(type === 'ExternalName' && { externalName: 'example.com' }),
      selector: { app: 'a' },
      ports: Array.from({ length: pick([1, 1, 2, 3]) }, (_, at) => port(at)),
      ...(chance(0.2) && type !== 'ExternalName' && { sessionAffinity: pick(['None', 'ClientIP']) }),
      ...(chance(0.2) && type !== 'ExternalName' && { internalTrafficPolicy: pick(['Cluster', 'Local']) }),
      ...(chance(0.3) && isExternal && { externalTrafficPolicy: pick(['Cluster', 'Local']) }),
      ...(chance(0.3) && type === 'LoadBalancer' && { allocateLoadBalancerNodePorts: pick([true, false]) }),
      ...(chance(0.2) && { externalIPs: [pick(['192.0.2.7', '198.51.100.1'])] }),
      ...(chance(0.1) && type === undefined && { clusterIP: 'None' }),
    },
  };
}

/** @param {Random} of @param {number} number */
function slice(of, number) {
  const { pick, chance } = of;
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: metadata(of, `slice-${number}`, true),
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.1.0.7'], ...(chance(0.5) && { conditions: { ready: true } }) }],
    ...(chance(0.8) && { ports: [{ ...(chance(0.3) && { name: 'http' }), port: 80, ...(chance(0.3) && { protocol: pick(['TCP', 'UDP']) }) }] }),
  };
}

/** @param {Random} of @param {number} number */
function node(of, number) {
  const spec = of.chance(0.3) && { spec: { unschedulable: true } };
  return { apiVersion: 'v1', kind: 'Node', metadata: metadata(of, `node-${number}`, false), ...spec };
}

/** What our answer to a review says: which rules refuse, and which warn. @param {string} line */
function verdictOf(line) {
  const { response } = JSON.parse(line);
  const named = /expression\/(?:not-evaluated: .*rule )?([a-z-]+)/;
  const rules = (/** @type {string[]} */ texts) => texts.map((text) => named.exec(text)?.[1] ?? text).sort();
  const causes = (response.status?.details?.causes ?? []).map((/** @type {{message: string}} */ { message }) => message);
  return { allowed: response.allowed, denies: rules(causes), warns: rules(response.warnings ?? []) };
}

/** @param {string} config @param {string[]} args @param {string} input */
function verdicts(config, args, input) {
  const { status, stdout, stderr } = slicewise(['review', '--config', config, '--policy', 'expression', ...args], input);
  assert.ok(status === 0 || status === 1, stderr);
  return stdout.trim().split('\n').map(verdictOf);
}

/** The review that the API server would send of the stored object. @param {any} object @param {number} number */
function reviewOf(object, number) {
  const { apiVersion, kind, metadata: of } = object;
  const [version, group = ''] = apiVersion.split('/').reverse();
  return {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid: String(number),
      kind: { group, version, kind },
      operation: 'CREATE',
      name: of.name,
      ...(of.namespace && { namespace: of.namespace }),
      userInfo: { username: JANE, groups: ['system:masters', 'system:authenticated'] },
      dryRun: false,
      object,
    },
  };
}

test('rules judge alike in the API server, from the command line and in a review', { timeout: 1_200_000 }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'slicewise-policies-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const config = join(folder, 'config.json');
  writeFileSync(config, JSON.stringify(CONFIG));
  const exported = slicewise(['policy', 'export', '--vap', config, '-o', 'json'], '');
  assert.equal(exported.status, 1, exported.stderr);
  assert.equal(exported.stderr, 'slicewise: rule `needs-the-plan` is left out: expression uses `plan`, which only slicewise knows\n');

  const cluster = await startCluster(t);
  const root = cluster.api.as(ROOT, ['system:masters']);
  const jane = cluster.api.as(JANE, ['system:masters']);
  await cluster.api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  const { items } = JSON.parse(exported.stdout);
  assert.equal(items.length, 2 * (CONFIG.policies.expression.validations.length - 1));
  for (const item of items) await cluster.api.create(item);

  const checked = await cluster.command('types');
  assert.deepEqual(checked, { policies: items.length / 2, warnings: [] });

  const of = random(7);
  const makers = [service, service, slice, node];
  const objects = Array.from({ length: OBJECTS }, (_, number) => /** @type {typeof service} */ (makers[number % makers.length])(of, number));
  const write = (/** @type {import('./lib/api.js').Api} */ by, /** @type {any} */ object, dryRun = true) => {
    const { apiVersion, kind, metadata: { namespace } } = object;
    const plural = { Service: 'services', EndpointSlice: 'endpointslices', Node: 'nodes' }[/** @type {'Node'} */ (kind)];
    const group = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`;
    const path = `${group}${namespace ? `/namespaces/${namespace}` : ''}/${plural}${dryRun ? '?dryRun=All' : ''}`;
    return by.ask('POST', path, object);
  };
  // Policies take effect one after the other; this one is the last.
  const marker = { namespace: NAMESPACE, name: 'ready', labels: { team: 'core' } };
  const ready = { apiVersion: 'v1', kind: 'Service', metadata: marker, spec: { ports: [{ port: 80 }] } };
  await eventually('the last rule is in effect', async () => assert.match((await write(jane, ready)).text, /slicewise-ready/), 60_000);

  /** @type {{stored: any, served: {allowed: boolean, message: string, warnings: string[]}}[]} */
  const told = [];
  for (const object of objects) {
    const stored = await write(root, object);
    assert.equal(stored.status, 201, stored.text);
    // Nodes are created for good: their rule about dry runs denies the others.
    const answer = await write(jane, object, object.kind !== 'Node');
    const allowed = answer.status === 201;
    const message = allowed ? '' : JSON.parse(answer.text).message;
    told.push({ stored: JSON.parse(stored.text), served: { allowed, message, warnings: answer.warnings } });
  }
  const manifests = verdicts(config, ['--user', JANE], objects.map((object) => JSON.stringify(object)).join('\n'));
  const reviews = verdicts(config, [], told.map(({ stored }, number) => JSON.stringify(reviewOf(stored, number))).join('\n'));
  assert.equal(manifests.length, OBJECTS);
  for (const [number, { served }] of told.entries()) {
    const [manifest, review] = [manifests[number], reviews[number]];
    const what = JSON.stringify({ object: objects[number], served, manifest, review }, null, 1);
    assert.deepEqual(manifest, review, what);
    assert.equal(served.allowed, review?.allowed, what);
    const rules = (/** @type {string} */ text) => /'slicewise-([a-z-]+)'/.exec(text)?.[1] ?? '';
    if (served.allowed) {
      const warned = served.warnings.map(rules).filter((rule) => rule !== '');
      assert.deepEqual(warned.sort(), review?.warns, what);
    } else {
      const rule = rules(served.message);
      assert.ok(review?.denies.includes(rule), what);
    }
  }
  const count = (/** @type {(verdict: ReturnType<typeof verdictOf>) => boolean} */ is) => reviews.filter(is).length;
  const counts = [count(({ allowed }) => allowed), count(({ allowed }) => !allowed), count(({ warns }) => warns.length > 0)];
  assert.ok(counts.every((times) => times > OBJECTS / 20), `the objects tell the rules apart: ${counts}`);
});
