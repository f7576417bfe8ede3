/** The crates of the workspace, from their manifests, so that a new one is covered automatically. */
import { dirname } from 'node:path';
import { Problem, ask } from './run.mjs';

/**
 * @typedef {object} Crate
 * @property {string} name
 * @property {string} folder
 * @property {string[]} features without `default`
 * @property {boolean} isPublished
 * @property {boolean} isLibrary
 */

/** @returns {Crate[]} */
export function crates() {
  const metadata = JSON.parse(ask(['cargo', 'metadata', '--no-deps', '--format-version', '1', '--locked']) ?? 'null');
  if (!metadata) throw new Problem('cargo metadata does not answer');
  return metadata.packages.map((/** @type {any} */ { name, manifest_path: manifest, features, publish, targets }) => ({
    name,
    folder: dirname(manifest),
    features: Object.keys(features).filter((feature) => feature !== 'default'),
    isPublished: publish === null,
    isLibrary: targets.some((/** @type {any} */ { kind }) => kind.includes('lib')),
  }));
}
