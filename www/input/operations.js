/**
 * What is done by clicking, as changes of objects. How many pods stand behind a Service and what to change for another
 * number comes from the core; nothing here knows a rule.
 * @import {ObjectChange} from './edit.js'
 * @import {Found} from './walk.js'
 */
import { node, pod, service } from './build.js';
import { nameOf } from './edit.js';
import { NotEditable } from './rewrite.js';
import { uidOf } from './uid.js';

/**
 * @typedef {object} Operation
 * @property {'scale' | 'drain' | 'ready' | 'label' | 'add' | 'delete' | 'patch'} [do]
 * @property {ObjectChange[]} [changes] those of the core, made as they are
 * @property {ObjectChange[]} [patches] the same
 * @property {string} [service] `namespace/name`
 * @property {number} [pods] how many are to be ready
 * @property {number} [by] how many more
 * @property {string} [kind]
 * @property {string} [namespace]
 * @property {string} [name]
 * @property {string} [key] of a label
 * @property {string | null} [value] nothing takes the label away
 * @property {boolean} [ready]
 *
 * @typedef {(service: string, pods: number | undefined, by: number) => ObjectChange[]} Scale
 */

/** When a pod that is drained began to end: a date that does not change, so that the same clicks give the same text. */
const DRAINED = '2026-01-01T00:00:00Z';

/** @param {Operation} operation @param {Found[]} objects @param {Scale} scale @returns {ObjectChange[]} */
export function changesOf(operation, objects, scale) {
  const { kind = '', namespace, name = '' } = operation;
  const object = { kind, namespace, name };
  /** @type {Record<string, () => ObjectChange[]>} */
  const ways = {
    scale: () => scale(operation.service ?? '', operation.pods, operation.by ?? 0),
    drain: () => drain(name, objects),
    ready: () => [{ ...object, patch: [readiness(find(objects, object), operation.ready ?? false)] }],
    label: () => [{ ...object, patch: [label(operation.key ?? '', operation.value ?? null)] }],
    delete: () => [{ ...object, delete: true }],
    add: () => [addition(kind, objects, namespace)],
  };
  return ways[operation.do ?? '']?.() ?? operation.changes ?? operation.patches ?? [];
}

/** @param {string} key @param {string | null} value */
function label(key, value) {
  const path = `/metadata/labels/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  return value === null ? { op: 'remove', path } : { op: 'add', path, value };
}

/** Sets the condition that says so. @param {any} object @param {boolean} ready */
function readiness(object, ready) {
  const conditions = object?.status?.conditions ?? [];
  const at = conditions.findIndex((/** @type {any} */ each) => each.type === 'Ready');
  const value = ready ? 'True' : 'False';
  if (at >= 0) return { op: 'add', path: `/status/conditions/${at}/status`, value };
  return { op: 'add', path: '/status/conditions', value: [...conditions, { type: 'Ready', status: value }] };
}

/**
 * As `kubectl drain` begins: the node takes no more pods, and those on it end, except those of a DaemonSet.
 * @param {string} name
 * @param {Found[]} objects
 */
function drain(name, objects) {
  const isLeaving = (/** @type {any} */ { metadata, spec }) => spec?.nodeName === name && !metadata?.deletionTimestamp;
  const pods = objects.filter(({ kind, value }) => kind === 'Pod' && isLeaving(value) && !isDaemon(value));
  return [
    { kind: 'Node', name, patch: [{ op: 'add', path: '/spec/unschedulable', value: true }] },
    ...pods.map(({ value: { metadata } }) => ({
      kind: 'Pod',
      namespace: metadata.namespace,
      name: metadata.name,
      patch: [{ op: 'add', path: '/metadata/deletionTimestamp', value: DRAINED }],
    })),
  ];
}

/** @param {any} object */
function isDaemon({ metadata }) {
  return (metadata?.ownerReferences ?? []).some((/** @type {any} */ owner) => owner.kind === 'DaemonSet');
}

/** @param {Found[]} objects @param {{kind: string, namespace?: string, name: string}} wanted */
function find(objects, wanted) {
  return objects.find(({ kind, value: { metadata } }) => nameOf({ kind, ...metadata }) === nameOf(wanted))?.value;
}

/**
 * Another of a kind: like the last one, with a name, addresses and a uid of its own; the first of all is a plain one.
 * @param {string} kind
 * @param {Found[]} objects
 * @param {string} [namespace]
 * @returns {ObjectChange}
 */
function addition(kind, objects, namespace) {
  const ofKind = objects.filter((each) => each.kind === kind).map(({ value }) => value);
  const like = ofKind.at(-1);
  if (!like) return first(kind, objects, namespace);
  const names = new Set(ofKind.map(({ metadata }) => metadata?.name));
  const name = freeName(like.metadata?.name ?? kind.toLowerCase(), names);
  const { uid, deletionTimestamp, labels } = like.metadata ?? {};
  const patch = [
    uid && { op: 'replace', path: '/metadata/uid', value: uidOf(kind, name) },
    deletionTimestamp && { op: 'remove', path: '/metadata/deletionTimestamp' },
    like.spec?.unschedulable && { op: 'remove', path: '/spec/unschedulable' },
    labels?.['kubernetes.io/hostname'] && { op: 'add', path: '/metadata/labels/kubernetes.io~1hostname', value: name },
    ...(kind === 'Pod' ? addresses(like, ofKind) : []),
  ].filter(Boolean);
  return { kind, namespace: like.metadata?.namespace, name, copyOf: like.metadata?.name, patch };
}

/** @param {any} like @param {any[]} pods */
function addresses(like, pods) {
  const used = new Set(pods.flatMap(({ status }) => [status?.podIP, ...(status?.podIPs ?? []).map((/** @type {any} */ each) => each.ip)]));
  const fresh = (like.status?.podIPs ?? []).map((/** @type {any} */ each) => ({ ...each, ip: freeAddress(each.ip, used) }));
  const [only] = fresh;
  return [
    ...(fresh.length > 0 ? [{ op: 'add', path: '/status/podIPs', value: fresh }] : []),
    ...(like.status?.podIP ? [{ op: 'add', path: '/status/podIP', value: only?.ip ?? freeAddress(like.status.podIP, used) }] : []),
  ];
}

/** The next free number after the name. @param {string} name @param {Set<string>} names */
function freeName(name, names) {
  const [, stem, digits] = /^(.*?)(\d*)$/.exec(name) ?? ['', name, ''];
  for (let number = Number(digits || 1) + 1; ; number += 1) {
    const free = digits ? stem + String(number).padStart(digits.length, '0') : `${stem}-${number}`;
    if (!names.has(free)) return free;
  }
}

/** The next free address. @param {string} address @param {Set<string>} used */
function freeAddress(address, used) {
  const [, stem, last] = /^(.*?)([0-9a-fA-F]*)$/.exec(address) ?? ['', address, ''];
  const base = address.includes(':') ? 16 : 10;
  const most = base === 16 ? 0xffff : 254;
  for (let step = 1; step <= most; step += 1) {
    const free = stem + (((parseInt(last || '0', base) + step) % (most + 1)) || 1).toString(base);
    if (!used.has(free)) {
      used.add(free);
      return free;
    }
  }
  return address;
}

/** @param {string} kind @param {Found[]} objects @param {string} [namespace] @returns {ObjectChange} */
function first(kind, objects, namespace = 'default') {
  const known = objects.find((each) => each.kind === 'Service')?.value;
  const on = objects.find((each) => each.kind === 'Node')?.value.metadata.name ?? 'node-a1';
  const inNamespace = known?.metadata?.namespace ?? namespace;
  const labels = known?.spec?.selector ?? { app: 'web' };
  /** @type {Record<string, () => {metadata: {name: string}}>} */
  const ways = {
    Node: () => node({ name: 'node-a1', zone: 'zone-a' }),
    Service: () => service('web', {}, null, inNamespace),
    Pod: () => pod({ name: `${known?.metadata?.name ?? 'web'}-1`, namespace: inNamespace, labels, on, ips: ['10.8.0.1'] }),
  };
  const object = ways[kind]?.();
  if (!object) throw new NotEditable(`a ${kind} cannot be added here; write it into the text`);
  return { kind, namespace: kind === 'Node' ? undefined : inNamespace, name: object.metadata.name, object };
}
