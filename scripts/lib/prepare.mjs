/** The steps that `start`, `webhook`, `bench` and `test` share, each skipped when there is nothing to do. */
import { build } from '../build.mjs';
import { mustRun } from './run.mjs';
import { checkTools, ensurePackages, ensureWasmTargets } from './tools.mjs';

/**
 * Brings a bare clone to a built package.
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

/** The native command. */
export async function buildCli() {
  await mustRun(['cargo', 'build', '--release', '--locked', '--no-default-features', '--features', 'cli', '--bin', 'slicewise']);
}

/** @param {string} what */
export function step(what) {
  console.log(`\n» ${what}`);
}
