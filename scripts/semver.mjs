/**
 * `npm run semver -- REV`: would programs in Rust that were written for the crate of that revision still compile? It takes
 * some minutes, and is asked before a release. `cargo install cargo-semver-checks --locked` brings the checker.
 */
import { parseArgs } from 'node:util';
import { Problem, ask, mustRun, script } from './lib/run.mjs';

/** What is there for programs; the modules of the npm package and the command are not. */
const FEATURES = ['explain', 'expressions', 'k8s-openapi', 'lint', 'packing', 'patches'];

await script(async () => {
  const { positionals } = parseArgs({ allowPositionals: true });
  if (positionals.length !== 1) throw new Problem('name the revision to compare with: `npm run semver -- v0.1.0`');
  if (ask(['cargo', 'semver-checks', '--version']) === null) {
    throw new Problem('cargo-semver-checks is missing; install it with `cargo install cargo-semver-checks --locked`');
  }
  const features = FEATURES.flatMap((feature) => ['--features', feature]);
  // The new version number itself announces its breaking changes.
  await mustRun(['cargo', 'semver-checks', '--package', 'slicewise', '--baseline-rev', positionals[0] ?? '', '--only-explicit-features', ...features]);
});
