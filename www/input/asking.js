/**
 * A Service that requests hints in another way; the core says what to change.
 * @import {Glance} from '../types.js'
 * @import {Kube} from '../model/objects.js'
 */
import { patched } from './json-patch.js';

/**
 * @template {Kube | object} S
 * @param {S} service
 * @param {string} hints a hints mode of the core
 * @param {(input: string, question: string) => string} glance
 * @returns {S}
 */
export function asking(service, hints, glance) {
  /** @type {Glance} */
  const { changes } = JSON.parse(glance(JSON.stringify({ service }), JSON.stringify({ hints })));
  return patched(service, changes.flatMap(({ patch }) => patch ?? []));
}
