/**
 * Operations by mouse, as changes of objects. The core defines what scaling, draining, readiness and adding another object
 * mean for them.
 * @import {ObjectChange} from './edit.js'
 * @import {Found} from './walk.js'
 */
import { node, pod, service } from './build.js';
import { nameOf } from './edit.js';
import { NotEditable } from './rewrite.js';

/**
 * @typedef {object} Operation
 * @property {'scale' | 'drain' | 'ready' | 'label' | 'add' | 'delete'} [do]
 * @property {ObjectChange[]} [changes] those of the core, applied unchanged
 * @property {string} [service] `namespace/name`
 * @property {number} [pods] how many should be ready
 * @property {number} [by] how many to add
 * @property {string} [kind]
 * @property {string} [namespace]
 * @property {string} [name]
 * @property {string} [key] of a label
 * @property {string | null} [value] null removes the label
 * @property {boolean} [ready]
 *
 * @typedef {object} Core the questions to the core
 * @property {(service: string, pods: number | undefined, by: number) => ObjectChange[]} scale
 * @property {(question: {do: 'drain' | 'ready' | 'add', objects: object[], name?: string, ready?: boolean}) => ObjectChange[]} edit
 * @property {(objects: object[]) => import('./rows.js').Meant[]} list
 */

/** @param {Operation} operation @param {Found[]} objects @param {Core} core @returns {ObjectChange[]} */
export function changesOf(operation, objects, core) {
  const { kind = '', namespace, name = '' } = operation;
  const object = { kind, namespace, name };
  /** @type {Record<string, () => ObjectChange[]>} */
  const ways = {
    scale: () => core.scale(operation.service ?? '', operation.pods, operation.by ?? 0),
    drain: () => core.edit({ do: 'drain', name, objects: typed(objects.filter((each) => each.kind === 'Pod')) }),
    ready: () =>
      core.edit({
        do: 'ready',
        ready: operation.ready ?? false,
        objects: typed([objects.find((each) => isIt(each, object)) ?? { kind, path: [], value: { metadata: { namespace, name } } }]),
      }),
    label: () => [{ ...object, patch: [label(operation.key ?? '', operation.value ?? null)] }],
    delete: () => [{ ...object, delete: true }],
    add: () => addition(kind, objects, core, namespace),
  };
  return ways[operation.do ?? '']?.() ?? operation.changes ?? [];
}

/** @param {string} key @param {string | null} value */
function label(key, value) {
  const path = `/metadata/labels/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  return value === null ? { op: 'remove', path } : { op: 'add', path, value };
}

/** Adds the kind to objects: those of a request lack it. @param {Found[]} objects */
export function typed(objects) {
  return objects.map(({ kind, value }) => ({ ...value, kind }));
}

/** @param {Found} found @param {{kind: string, namespace?: string, name: string}} wanted */
function isIt({ kind, value: { metadata } }, wanted) {
  return nameOf({ kind, ...metadata }) === nameOf(wanted);
}

/**
 * Another object of a kind, like the last one; the first is a default one.
 * @param {string} kind
 * @param {Found[]} objects
 * @param {Core} core
 * @param {string} [namespace]
 * @returns {ObjectChange[]}
 */
function addition(kind, objects, core, namespace) {
  const ofKind = objects.filter((each) => each.kind === kind);
  return ofKind.length > 0 ? core.edit({ do: 'add', objects: typed(ofKind) }) : [first(kind, objects, namespace)];
}

/** @param {string} kind @param {Found[]} objects @param {string} [namespace] @returns {ObjectChange} */
function first(kind, objects, namespace = 'default') {
  const known = objects.find((each) => each.kind === 'Service')?.value;
  const on = objects.find((each) => each.kind === 'Node')?.value.metadata.name ?? 'node-a1';
  const inNamespace = known ? (known.metadata?.namespace ?? '') : namespace;
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
