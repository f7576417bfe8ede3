/**
 * `npm run semver -- REV`: would Rust programs written for the crate at that revision still compile? It takes a few
 * minutes, and is run before a release. Install the checker with `cargo install cargo-semver-checks --locked`.
 */
import { parseArgs } from 'node:util';
import { Problem, ask, mustRun, script } from './lib/run.mjs';

/** The features for programs, without those of the npm package's modules and of the command. */
const FEATURES = ['k8s-openapi'];

await script(async () => {
  const { positionals } = parseArgs({ allowPositionals: true });
  if (positionals.length !== 1) throw new Problem('name the revision to compare with: `npm run semver -- v0.1.0`');
  if (ask(['cargo', 'semver-checks', '--version']) === null) {
    throw new Problem('cargo-semver-checks is missing; install it with `cargo install cargo-semver-checks --locked`');
  }
  const features = FEATURES.flatMap((feature) => ['--features', feature]);
  // A new version number itself announces breaking changes.
  await mustRun([
    'cargo',
    'semver-checks',
    '--package',
    'slicewise',
    '--baseline-rev',
    positionals[0] ?? '',
    '--only-explicit-features',
    ...features,
  ]);
});
