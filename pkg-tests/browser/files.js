/** The inputs of the examples, as files; no browser is needed for them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './server.js';

/** @param {string} id */
export function exampleFile(id) {
  return id === 'cluster-at-rest' ? join(ROOT, 'samples/cluster-at-rest.json') : join(ROOT, 'www/samples', `${id}.json`);
}

/** @param {string} id */
export function exampleBytes(id) {
  return readFileSync(exampleFile(id));
}
