/**
 * `npm run semver -- REV`: would Rust programs written for the crates at that revision still compile? It takes a few
 * minutes for each crate, and is run before a release. Install the checker with `cargo install cargo-semver-checks --locked`.
 */
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { crates } from './lib/crates.mjs';
import { Problem, ROOT, ask, mustRun, script } from './lib/run.mjs';

/** The features for programs, without those of the npm package's modules. */
const FEATURES = ['k8s-openapi'];

await script(async () => {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [revision] = positionals;
  if (!revision || positionals.length !== 1) throw new Problem('name the revision to compare with: `npm run semver -- v0.1.0`');
  if (ask(['cargo', 'semver-checks', '--version']) === null) {
    throw new Problem('cargo-semver-checks is missing; install it with `cargo install cargo-semver-checks --locked`');
  }
  if (ask(['git', 'rev-parse', '--verify', '--quiet', `${revision}^{commit}`]) === null) throw new Problem(`there is no revision ${revision}`);
  for (const { name, folder, features } of crates().filter(({ isPublished, isLibrary }) => isPublished && isLibrary)) {
    if (ask(['git', 'cat-file', '-e', `${revision}:${manifest(folder)}`]) === null) {
      console.log(`${name} is new since ${revision}`);
      continue;
    }
    const chosen = FEATURES.filter((feature) => features.includes(feature)).flatMap((feature) => ['--features', feature]);
    // A new version number itself announces breaking changes.
    const flags = ['--package', name, '--baseline-rev', revision, '--only-explicit-features', ...chosen];
    await mustRun(['cargo', 'semver-checks', ...flags]);
  }
});

/** As Git names it. @param {string} folder */
function manifest(folder) {
  return [...relative(ROOT, folder).split(/[\\/]/), 'Cargo.toml'].filter((part) => part !== '').join('/');
}
