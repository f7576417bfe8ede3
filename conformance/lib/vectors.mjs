/** The vectors, and whether an answer is the expected one. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @typedef {object} Vector
 * @property {string} id
 * @property {string} title
 * @property {string[]} source
 * @property {any} service
 * @property {any[]} slices
 * @property {{name: string, labels: Record<string, string>}[]} nodes
 * @property {{node: string}} client
 * @property {'internal' | 'external'} traffic
 * @property {'IPv4' | 'IPv6'} addressType
 * @property {{name: string, protocol: string}} port
 * @property {{endpoints?: string[], notServed?: true}} expect what kube-proxy does
 */

/**
 * @typedef {object} Answer
 * @property {string} id
 * @property {string[]} [endpoints] which requests reach, sorted
 * @property {string} [notServed] why the reader does not serve the port of the Service at all
 * @property {string} [varies] why it is not the same each time
 * @property {string} [notAsked] why the question does not apply to the reader
 */

/** @typedef {{version: number, group: string, title: string, vectors: Vector[]}} Group */

export const FOLDER = join(import.meta.dirname, '../vectors');

/** The groups, by name. @returns {Group[]} */
export function readGroups() {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.json')).sort();
  return names.map((name) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')));
}

/** The question of a vector as a runner gets it. @param {Vector} vector */
export function questionOf({ expect: _expect, title: _title, source: _source, ...question }) {
  return question;
}

/** Whether the same endpoints are reached. @param {Vector} vector @param {Answer} answer */
export function isSame({ expect }, answer) {
  return !answer.varies && JSON.stringify(expect.endpoints ?? []) === JSON.stringify(answer.endpoints ?? []);
}

/**
 * The same, and the port is served by both or by neither: required of what claims to be kube-proxy.
 * @param {Vector} vector
 * @param {Answer} answer
 */
export function isExact(vector, answer) {
  return isSame(vector, answer) && Boolean(vector.expect.notServed) === Boolean(answer.notServed);
}
