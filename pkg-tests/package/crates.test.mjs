/** The crates to publish contain their own files only, and the maps name all of them. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { crates } from '../../scripts/lib/crates.mjs';
import { Problem, ROOT, ask } from '../../scripts/lib/run.mjs';

/** Everything a crate may contain; the scripts are what its WebAssembly module imports. */
const OWN = /^(Cargo\.(toml|toml\.orig|lock)|npm\/(error|fields|writer|written)\.js|\.cargo_vcs_info\.json|(README|CHANGELOG)\.md|LICENSE|(docs|examples|samples|scenarios|src|tests)\/.+)$/;

/** What is somebody else's in any folder. */
const FOREIGN = /(^|\/)(node_modules|target|pkg)\//;

/** @param {string[]} command @returns {string} */
function answer(command) {
  const text = ask(command);
  if (text === null) throw new Problem(`this fails: ${command.join(' ')}`);
  return text;
}

const published = crates().filter(({ isPublished }) => isPublished).map(({ name }) => name);

test('there are crates to publish', () => assert.ok(published.includes('slicewise'), String(published)));

for (const name of published) {
  test(`${name} contains its own files only`, () => {
    const files = answer(['cargo', 'package', '--list', '--allow-dirty', '--locked', '--package', name]).trim().split('\n');
    assert.ok(files.includes('Cargo.toml'));
    assert.deepEqual(files.map((file) => file.replaceAll('\\', '/')).filter((file) => !OWN.test(file) || FOREIGN.test(file)), []);
  });
}

for (const map of ['CONTRIBUTING.md', 'docs/rust.md', 'src/lib.rs']) {
  test(`${map} names all crates to publish`, () => {
    const text = readFileSync(join(ROOT, map), 'utf8');
    assert.deepEqual(published.filter((name) => !text.includes(`\`${name}\``)), []);
  });
}
