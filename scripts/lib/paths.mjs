/** The locations of build outputs. */
import { resolve } from 'node:path';
import { ROOT } from './run.mjs';

/** As set by Cargo's own variable; `target/` by default. */
export const TARGET = resolve(ROOT, process.env.CARGO_TARGET_DIR ?? 'target');

/** @param {string} folder of the build outputs @param {string} name */
const program = (folder, name) => resolve(TARGET, folder, process.platform === 'win32' ? `${name}.exe` : name);

/** The native command for use. */
export const CLI = program('release', 'slicewise');

/** The same for tests, compiled with them: an overflow ends it. */
export const TESTED_CLI = program('debug', 'slicewise');

/** What builds the modules, from the same compilation. */
export const XTASK = program('debug', 'xtask');

/** The example controller. */
export const KUBE_EXAMPLE = program('debug/examples', 'kube_controller');

/** What converts YAML for the comparison with `kubectl`. */
export const YAML_LINES = program('debug/examples', 'yaml_lines');

/** The API server and reference controller of `pkg-tests/cluster`. */
export const CLUSTER = program('cluster', 'cluster');

/** The program of `pkg-tests/deploy`, which renders charts and kustomizations. */
export const DEPLOY = program('deploy', 'deploy');
