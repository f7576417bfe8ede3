/** Runs the command under test on the server's objects. */
import { spawnSync } from 'node:child_process';
import { TESTED_CLI } from '../../../scripts/lib/paths.mjs';

/** The time limit of a call, in milliseconds. */
const LIMIT = 240_000;

/** @typedef {import('./api.js').Kind} Kind */

/**
 * The output of `kubectl get services,pods,nodes,endpointslices -A -o json`.
 * @param {import('./api.js').Api} api
 */
export async function snapshotOf(api) {
  /** @type {Kind[]} */
  const kinds = ['Service', 'Pod', 'Node', 'EndpointSlice'];
  const lists = await Promise.all(kinds.map((kind) => api.list(kind)));
  return { apiVersion: 'v1', kind: 'List', items: lists.flat() };
}

/**
 * The plans of all Services of a snapshot, the command's warnings, and what it ignored.
 * @param {object} snapshot @param {string[]} flags
 * @returns {{plans: any[], warnings: any[], ignored: any}}
 */
export function plansOf(snapshot, flags) {
  return JSON.parse(slicewise(snapshot, ['-o', 'json', ...flags]));
}

/** The changes in a snapshot's plans, readable. @param {object} snapshot @param {string[]} flags */
export function diffOf(snapshot, flags) {
  return slicewise(snapshot, ['-o', 'diff', ...flags]);
}

/** @param {object} snapshot @param {string[]} flags */
function slicewise(snapshot, flags) {
  const command = [TESTED_CLI, 'plan', ...flags];
  const input = JSON.stringify(snapshot);
  const { status, stdout, stderr, error } = spawnSync(command[0], command.slice(1), { input, encoding: 'utf8', timeout: LIMIT, maxBuffer: 1 << 27 });
  if (error || status !== 0) throw new Error(`${command.join(' ')}: ${error?.message ?? `exit code ${status}\n${stderr}`}`);
  return stdout;
}

/** Writes a plan as a client would: creates, updates, deletes. @param {import('./api.js').Api} api @param {any} plan */
export async function apply(api, plan) {
  for (const slice of plan.create) await api.create(slice);
  for (const slice of plan.update) await api.replace(slice);
  for (const { name, uid, resourceVersion } of plan.delete) {
    await api.delete('EndpointSlice', `${plan.service.namespace}/${name}`, { preconditions: { uid, resourceVersion } });
  }
}
