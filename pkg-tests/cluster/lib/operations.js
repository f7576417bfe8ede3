/** The table of operations: each is asked of an API server and of `slicewise review`, and what they answer is kept. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import { TESTED_CLI } from '../../../scripts/lib/paths.mjs';
import { makePair } from '../../../webhook/pair.js';
import { Api } from './api.js';
import { inEffect } from './webhook.js';

/**
 * @typedef {{verdict: string, because: string}} Difference
 * @typedef {object} Operation an entry of `operations.yaml`, which says what each field is
 * @property {string} name
 * @property {string} [user]
 * @property {string[]} [groups]
 * @property {any} [create]
 * @property {string} [update]
 * @property {string} [status]
 * @property {string} [scale]
 * @property {string} [evict]
 * @property {string} [delete]
 * @property {any} [patch]
 * @property {string} verdict
 * @property {number} [code]
 * @property {string} [unasked]
 * @property {Record<string, Difference>} [differs]
 * @typedef {{message: string, warnings: string[]}} Heard the reasons of a denial, if it is one, and the warnings
 */

const FOLDER = fileURLToPath(new URL('../../operations/', import.meta.url));
/** Merge keys let an operation say only what is different. @param {string} name @returns {any} */
const read = (name) => parse(readFileSync(FOLDER + name, 'utf8'), { merge: true, maxAliasCount: -1 });
/** @type {{config: any, operations: Operation[]}} */
export const TABLE = read('operations.yaml');
const { nodes, pods, objects } = read('cluster.yaml');

/** What is kept of a run, in the files that Rust reads. */
const KEPT = { verdicts: `${FOLDER}verdicts.json`, requests: `${FOLDER}requests.json` };
const UPDATES = process.env.UPDATE === '1';

/** @param {keyof typeof KEPT} what @param {any} value @returns {any} what was kept, or is now */
export function kept(what, value) {
  if (UPDATES) writeFileSync(KEPT[what], written(value));
  return JSON.parse(readFileSync(KEPT[what], 'utf8'));
}

/** A line for each member of each member. @param {any} value */
function written(value) {
  const member = (/** @type {any} */ of) => {
    const lines = Object.entries(of).map(([name, each]) => `  ${Array.isArray(of) ? '' : `${JSON.stringify(name)}: `}${JSON.stringify(each)}`);
    return Array.isArray(of) ? `[\n${lines.join(',\n')}\n ]` : `{\n${lines.join(',\n')}\n }`;
  };
  return `{\n${Object.entries(value).map(([name, each]) => ` ${JSON.stringify(name)}: ${member(each)}`).join(',\n')}\n}\n`;
}

const SINCE = '2026-01-01T00:00:00Z';
const condition = (/** @type {string} */ type) => ({ type, status: 'True', reason: 'Test', lastTransitionTime: SINCE });

/** A pod as its kubelet reports it. @param {any} pod */
function podOf({ name, namespace, app, labels, node, ips, port }) {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, labels: { app, ...labels } },
    spec: { nodeName: node, containers: [{ name: 'main', image: 'registry.example/main', ports: [port] }] },
    status: {
      phase: 'Running',
      podIP: ips[0],
      podIPs: ips.map((/** @type {string} */ ip) => ({ ip })),
      conditions: ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'].map(condition),
    },
  };
}

/** @type {any[]} */
const MANIFESTS = [
  ...Object.entries(nodes).map(([name, zone]) => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name, 'topology.kubernetes.io/zone': zone } },
    status: { allocatable: { cpu: '4', memory: '8Gi', pods: '110' }, conditions: [condition('Ready')] },
  })),
  ...objects,
  ...pods.map(podOf),
];
/** Everyone of the table, besides jane. */
const USERS = ['jane', ...new Set(TABLE.operations.flatMap(({ user }) => user ?? []))];
const NAMESPACES = ['default', ...MANIFESTS.filter(({ kind }) => kind === 'Namespace').map(({ metadata }) => metadata.name)];

/** Brings the cluster about, in which everyone may do everything. @param {import('node:test').TestContext} t @param {Api} api */
export async function prepare(t, api) {
  const metadata = { name: 'operations' };
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' };
  const subjects = USERS.map((name) => ({ apiGroup: roleRef.apiGroup, kind: 'User', name }));
  await api.create({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding', metadata, roleRef, subjects });
  for (const object of MANIFESTS) {
    await api.create(object);
    if (object.status) await api.patchStatus(object.kind, nameOf(object), object.status);
  }
  t.after(async () => {
    const gone = [...MANIFESTS].reverse().filter(({ kind }) => kind !== 'Namespace');
    for (const object of gone) await api.delete(object.kind, nameOf(object), { gracePeriodSeconds: 0 });
    await api.delete('ClusterRoleBinding', 'operations');
  });
}

/** @param {any} object */
function nameOf({ metadata: { namespace, name } }) {
  return namespace ? `${namespace}/${name}` : name;
}

/** What `kubectl get services,pods,nodes,endpointslices,sliceexceptions -A -o json` prints of this cluster. @param {Api} api */
export async function snapshot(api) {
  const kinds = /** @type {const} */ (['Service', 'Pod', 'Node', 'EndpointSlice', 'SliceException']);
  const lists = await Promise.all(kinds.map((kind) => api.list(kind)));
  const items = lists.flat().filter(({ metadata: { namespace } }) => namespace === undefined || NAMESPACES.includes(namespace));
  return { apiVersion: 'v1', kind: 'List', items };
}

/** The object that an operation is about, as it was written. @param {Operation} operation @returns {any} */
function subjectOf(operation) {
  if (operation.create) return operation.create;
  const said = operation.update ?? operation.status ?? operation.scale ?? operation.evict ?? operation.delete;
  const found = MANIFESTS.find((object) => `${object.kind} ${nameOf(object)}` === said);
  if (!found) throw new Error(`${operation.name}: there is no ${said}`);
  return found;
}

const eviction = (/** @type {any} */ { metadata }) => ({ apiVersion: 'policy/v1', kind: 'Eviction', metadata });

/**
 * A dry run of an operation.
 * @param {Api} api @param {Operation} operation
 * @returns {Promise<{status: number, causes: any[]} & Heard>}
 */
export async function perform(api, operation) {
  const { user = 'jane', groups = [], patch } = operation;
  const subject = subjectOf(operation);
  const [, place] = Api.placeOf('UPDATE', subject);
  /** @type {[method: string, path: string, body?: object, type?: string]} */
  let [method, path, body, type] = ['PATCH', place, patch, 'application/merge-patch+json'];
  if (operation.create) [[method, path], body, type] = [Api.placeOf('CREATE', subject), subject, undefined];
  if (operation.delete) [method, body] = ['DELETE', undefined];
  if (operation.evict) [method, path, body, type] = ['POST', `${place}/eviction`, eviction(subject), undefined];
  if (operation.status) path = `${place}/status`;
  if (operation.scale) path = `${place}/scale`;
  const { status, text, warnings } = await api.as(user, groups).ask(method, `${path}?dryRun=All`, body, type);
  const { message = '', details } = JSON.parse(text);
  const denied = /^admission webhook "\w+\.slicewise-webhook\.slicewise" denied the request: (.*)$/s.exec(message);
  return {
    status,
    causes: details?.causes ?? [],
    // What it did to find a pod is no part of the verdict.
    message: denied?.[1].replace(/; (the watch showed no other state within \d+ ms|the API server was asked, and says the same)/g, '') ?? '',
    // The API server has warnings of its own.
    warnings: warnings.filter((warning) => /^[a-z-]+\/[a-z-]+: /.test(warning)),
  };
}

/** How often the API server let something pass because a webhook did not answer in time. @param {Api} api */
async function failuresOf(api) {
  const counts = (await api.text('/metrics')).matchAll(/^apiserver_admission_webhook_fail_open_count\S* (\d+)/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

/**
 * All operations of the table, one after the other, as soon as the webhooks are in effect.
 * @param {Api} api @param {Recorder} recorder
 */
export async function performAll(api, recorder) {
  const named = (/** @type {string} */ name) => TABLE.operations.find((each) => each.name === name) ?? assert.fail(name);
  const [forged, excepted] = ["a slice that claims to be the controller's", 'an exception that is an object, without a rollout'].map(named);
  await inEffect(async () => (await perform(api, forged)).message !== '' && recorder.take() !== null);
  await inEffect(async () => (await perform(api, excepted)).message === '');
  recorder.take();
  /** @type {Record<string, Heard>} */
  const verdicts = {};
  /** @type {Record<string, any>} */
  const requests = {};
  /** @type {string[]} */
  const wrong = [];
  let failures = await failuresOf(api);
  for (const operation of TABLE.operations) {
    const { name, verdict, code, unasked } = operation;
    let told = await perform(api, operation);
    // The webhooks of nodes and workloads fail open, within a second: on a machine that is busy, that may be too short.
    while (wrongVerdict(verdict, told) && (await failuresOf(api)) > failures) {
      failures = await failuresOf(api);
      told = await perform(api, operation);
    }
    const { status, message, warnings, causes } = told;
    verdicts[name] = { message, warnings };
    requests[name] = recorder.take();
    const answered = message ? 403 : (code ?? (operation.create || operation.evict ? 201 : 200));
    const isAsked = requests[name] !== null;
    const all = [
      wrongVerdict(verdict, told),
      status !== answered && `answered ${status}`,
      isAsked === Boolean(unasked) && `asked: ${isAsked}`,
      message && !causes.some((cause) => cause.message.startsWith(verdict.split(' ')[1]) && cause.field) && `causes: ${JSON.stringify(causes)}`,
    ];
    wrong.push(...all.filter(Boolean).map((why) => `${name}: ${why}`));
  }
  assert.deepEqual(wrong, []);
  return { verdicts, requests };
}

/** What is wrong with an answer, if anything is. @param {string} verdict @param {Heard} heard */
function wrongVerdict(verdict, { message, warnings }) {
  const [expected, rule] = verdict.split(' ');
  const is = message ? 'denied' : warnings.length > 0 ? 'warned' : 'allowed';
  const said = message || warnings.join('\n');
  return is === expected && (!rule || said.includes(`${rule}: `)) ? undefined : `expected ${verdict}, is ${is}: ${said}`;
}

/**
 * Another door says the same, word for word, unless the table says why it does not.
 * @param {Operation} operation @param {Heard} heard @param {Difference | undefined} difference @param {Record<string, Heard>} verdicts
 * @returns {object[]} what is wrong with that
 */
export function wrongBy({ name }, heard, difference, verdicts) {
  const isSame = isDeepStrictEqual(heard, verdicts[name]);
  if (difference === undefined) return isSame ? [] : [{ name, heard, expected: verdicts[name] }];
  const why = isSame ? 'the verdict is the same' : wrongVerdict(difference.verdict, heard);
  return why ? [{ name, why }] : [];
}

/** @param {string[]} args @param {string} input @returns {Promise<Heard[]>} of each review */
export function review(args, input) {
  return new Promise((resolve, reject) => {
    const child = execFile(TESTED_CLI, ['review', ...args], { maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      if (error && error.code !== 1) return reject(new Error(stderr));
      const answers = stdout.trim().split('\n').map((line) => JSON.parse(line).response);
      resolve(answers.map(({ allowed, status, warnings = [] }) => ({ message: allowed ? '' : status.message, warnings })));
    });
    child.stdin?.end(input);
  });
}

/** Something that no policy looks at. */
const OTHER = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'market', name: 'other' } };

/**
 * `slicewise review` of the manifests that someone would apply, or would remove.
 * @param {Operation} operation @param {string[]} args @param {(name: string, value: object) => string} file
 * @returns {Promise<Heard>}
 */
export async function reviewManifests(operation, args, file) {
  const subject = subjectOf(operation);
  let manifest = merged(subject, operation.patch);
  if (operation.scale) manifest = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: subject.metadata, ...operation.patch };
  if (operation.evict) manifest = eviction(subject);
  const after = operation.delete ? [] : [manifest];
  // The snapshot has the old Services, slices and nodes; and whatever is in the old manifests only is deleted.
  const isKnown = ['Service', 'EndpointSlice', 'Node'].includes(manifest.kind) && !operation.delete;
  const before = manifest.kind === subject.kind ? [subject] : [];
  const flags = isKnown || operation.create ? [] : ['--from', file('from.json', { apiVersion: 'v1', kind: 'List', items: [OTHER, ...before] })];
  const input = [OTHER, ...after].map((each) => JSON.stringify(each)).join('\n');
  const [, answer] = await review([...args, ...flags, '--user', operation.user ?? 'jane'], input);
  return answer;
}

/** @param {any} object @param {any} patch a JSON merge patch @returns {any} */
function merged(object, patch) {
  if (patch === undefined) return object;
  if (patch === null || typeof patch !== 'object' || Array.isArray(patch)) return patch;
  const result = object !== null && typeof object === 'object' && !Array.isArray(object) ? { ...object } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = merged(result[key] ?? null, value);
  }
  return result;
}

/** A webhook beside the others, which allows everything and remembers what it was last asked. */
export class Recorder {
  /** @type {any} */
  #request = null;

  /** @param {import('node:test').TestContext} t */
  static async start(t) {
    const { cert, key } = makePair(['127.0.0.1']);
    const recorder = new Recorder(cert, key);
    await new Promise((resolve) => recorder.server.listen(0, '127.0.0.1', () => resolve(null)));
    t.after(() => {
      recorder.server.close();
      recorder.server.closeAllConnections();
    });
    return recorder;
  }

  /** @param {string} cert @param {string} key */
  constructor(cert, key) {
    this.caBundle = Buffer.from(cert).toString('base64');
    this.server = createServer({ cert, key }, async (incoming, outgoing) => {
      const chunks = [];
      for await (const chunk of incoming) chunks.push(chunk);
      const { request, ...rest } = JSON.parse(Buffer.concat(chunks).toString());
      this.#request = request;
      outgoing.setHeader('content-type', 'application/json');
      outgoing.end(JSON.stringify({ ...rest, response: { uid: request.uid, allowed: true } }));
    });
  }

  /** The configuration of another webhook, for this one. @param {any} configuration @returns {any} */
  beside({ webhooks, ...rest }) {
    const { port } = /** @type {import('node:net').AddressInfo} */ (this.server.address());
    const clientConfig = { url: `https://127.0.0.1:${port}/`, caBundle: this.caBundle };
    const own = webhooks.map((/** @type {any} */ each) => ({ ...each, clientConfig, failurePolicy: 'Fail', timeoutSeconds: 10 }));
    return { ...rest, metadata: { name: 'recorder' }, webhooks: own };
  }

  /** The request since the last call; `null` if there was none. @returns {any} */
  take() {
    const request = this.#request;
    this.#request = null;
    return request;
  }
}

/**
 * Objects as they are in any run: what the API server draws or counts is replaced.
 * @param {any} cluster a List @param {Record<string, any>} requests
 */
export function settled(cluster, requests) {
  const uids = new Map(cluster.items.map((/** @type {any} */ each, /** @type {number} */ number) => [each.metadata.uid, uuid(number + 1)]));
  // The Service of the API server leads to the port that it listens on.
  const own = (/** @type {any} */ port) => ({ ...port, targetPort: 6443 });
  const items = cluster.items.map((/** @type {any} */ each) =>
    each.metadata.namespace === 'default' ? { ...each, spec: { ...each.spec, ports: each.spec.ports.map(own) } } : each,
  );
  const replace = (/** @type {string} */ key, /** @type {any} */ value) => {
    if (key === 'managedFields') return undefined;
    if (key === 'uid') return uids.get(value) ?? uuid(0);
    if (key === 'creationTimestamp') return SINCE;
    return key === 'resourceVersion' ? '1' : value;
  };
  return JSON.parse(JSON.stringify({ cluster: items, requests }, replace));
}

/** @param {number} number */
function uuid(number) {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}
