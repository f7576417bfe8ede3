/** The locations of build outputs. */
import { resolve } from 'node:path';
import { ROOT } from './run.mjs';

/** As set by Cargo's own variable; `target/` by default. */
export const TARGET = resolve(ROOT, process.env.CARGO_TARGET_DIR ?? 'target');

/** The native command. */
export const CLI = resolve(TARGET, 'release', process.platform === 'win32' ? 'slicewise.exe' : 'slicewise');

/** The example controller. */
export const KUBE_EXAMPLE = resolve(TARGET, 'debug/examples', process.platform === 'win32' ? 'kube_controller.exe' : 'kube_controller');

/** The API server and reference controller of `pkg-tests/cluster`. */
export const CLUSTER = resolve(TARGET, 'cluster', process.platform === 'win32' ? 'cluster.exe' : 'cluster');

/** The program of `pkg-tests/deploy`, which renders charts and kustomizations. */
export const DEPLOY = resolve(TARGET, 'deploy', process.platform === 'win32' ? 'deploy.exe' : 'deploy');
