/** The steps that `start`, `webhook`, `bench` and `test` share, each skipped if there is nothing to do. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from '../build.mjs';
import { CLUSTER, DEPLOY } from './paths.mjs';
import { Problem, ROOT, mustRun } from './run.mjs';
import { checkTools, ensurePackages, ensureWasmTargets } from './tools.mjs';

/**
 * Builds the package from a bare clone.
 * @param {Parameters<typeof checkTools>[0]} [more] tools beyond Node and Rust
 */
export async function preparePackage(more = []) {
  step('checking tools');
  checkTools(['node', 'cargo', ...more]);
  await ensureWasmTargets();
  step('npm packages');
  await ensurePackages();
  step('the WebAssembly package (the first time takes some minutes)');
  await build();
}

/** Builds the native command: a few minutes the first time. */
export async function buildCli() {
  await mustRun(['cargo', 'build', '--release', '--locked', '--package', 'slicewise-cli', '--bin', 'slicewise']);
}

/** Go's compiler runs for moments, an eighth of them to collect garbage. */
const COMPILING = { GOGC: 'off', GOMEMLIMIT: '2GiB' };

/** Builds the API server for tests: a few minutes the first time, then seconds, thanks to Go's build cache. */
export async function buildCluster() {
  const cwd = join(ROOT, 'pkg-tests/cluster');
  const version = /^\tk8s\.io\/kubernetes (v\S+)$/m.exec(readFileSync(join(cwd, 'go.mod'), 'utf8'))?.[1];
  if (!version) throw new Problem('pkg-tests/cluster/go.mod does not require k8s.io/kubernetes');
  // Kubernetes gets its version from linker flags, not from the module.
  const link = `-ldflags=-s -w -X k8s.io/component-base/version.gitVersion=${version}`;
  await mustRun(['go', 'build', '-buildvcs=false', link, '-o', CLUSTER, '.'], { cwd, env: COMPILING });
}

/** Builds the renderer of charts and kustomizations, which uses the engines of Helm and kustomize: a minute the first time. */
export async function buildDeploy() {
  await mustRun(['go', 'build', '-buildvcs=false', '-ldflags=-s -w', '-o', DEPLOY, '.'], { cwd: join(ROOT, 'pkg-tests/deploy'), env: COMPILING });
}

/** @param {string} what */
export function step(what) {
  console.log(`\n» ${what}`);
}
