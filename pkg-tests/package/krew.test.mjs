/** The plugin of kubectl: its manifest as Krew checks it, and installed as Krew does. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { parse } from 'yaml';
import { ROOT } from './lib/builds.mjs';
import { NATIVE } from './lib/commands.mjs';

const URL_OF_RELEASE = 'https://downloads.example/v1';
const ARCHIVE = 'slicewise-linux-amd64.tar.gz';

/** @param {string} command @param {string[]} args @param {string} [cwd] */
function run(command, args, cwd = ROOT) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', env: { ...process.env, COLUMNS: '100' } });
  return { status, stdout, stderr };
}

describe('kubectl slicewise', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slicewise-krew-'));
  const store = join(folder, 'store');
  /** @type {any} */
  let manifest;
  after(() => rmSync(folder, { recursive: true }));

  before(() => {
    copyFileSync(NATIVE[0], join(folder, 'slicewise'));
    copyFileSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
    assert.equal(run('tar', ['-czf', ARCHIVE, 'slicewise', 'LICENSE'], folder).status, 0);
    const printed = run(process.execPath, ['scripts/krew.mjs', URL_OF_RELEASE, join(folder, ARCHIVE)]);
    assert.equal(printed.status, 0, printed.stderr);
    manifest = parse(printed.stdout);
    assert.equal(run('mkdir', [store]).status, 0);
    assert.equal(run('tar', ['-xzf', join(folder, ARCHIVE), '-C', store]).status, 0);
    symlinkSync(join(store, manifest.spec.platforms[0].bin), join(folder, `kubectl-${manifest.metadata.name}`));
  });

  it('has a manifest that Krew takes', () => {
    assert.equal(manifest.apiVersion, 'krew.googlecontainertools.github.com/v1alpha2');
    assert.equal(manifest.kind, 'Plugin');
    assert.match(manifest.metadata.name, /^[\w-]+$/);
    const { version, shortDescription, description, platforms } = manifest.spec;
    const crate = /^version = "(.*)"$/m.exec(readFileSync(join(ROOT, 'Cargo.toml'), 'utf8'))?.[1];
    assert.equal(version, `v${crate}`);
    // Its index refuses longer ones, and those that name kubectl or the plugin.
    assert.match(shortDescription, /^[^\n]{1,50}$/);
    assert.doesNotMatch(shortDescription, /kubectl|plugin|slicewise/i);
    assert.ok(description.length > 0);
    assert.equal(platforms.length, 1, 'platforms without an archive are left out');
    const [{ uri, sha256, bin, selector }] = platforms;
    assert.equal(uri, `${URL_OF_RELEASE}/${ARCHIVE}`);
    assert.equal(sha256, createHash('sha256').update(readFileSync(join(folder, ARCHIVE))).digest('hex'));
    assert.equal(bin, 'slicewise');
    assert.deepEqual(selector, { matchLabels: { os: 'linux', arch: 'amd64' } });
  });

  it('refuses archives that nobody would get', () => {
    writeFileSync(join(folder, 'slicewise-plan9.tar.gz'), '');
    const { status, stderr } = run(process.execPath, ['scripts/krew.mjs', URL_OF_RELEASE, join(folder, 'slicewise-plan9.tar.gz')]);
    assert.equal(status, 1);
    assert.match(stderr, /deploy\/krew.yaml has no slicewise-plan9.tar.gz; it has slicewise-linux-amd64.tar.gz/);
  });

  it('calls itself so, in help and in mistakes', () => {
    const plugin = join(folder, 'kubectl-slicewise');
    for (const args of [['--help'], ['explain', '--help'], ['completions', '--help']]) {
      const { status, stdout } = run(plugin, args);
      assert.equal(status, 0);
      assert.match(stdout, /^Usage: kubectl slicewise /m);
      assert.doesNotMatch(stdout, /(?<!kubectl )slicewise (plan|explain|completions|simulate|route|diff)\b/);
    }
    assert.match(run(plugin, ['--help']).stdout, /^ {4}kubectl slicewise plan -A -o summary$/m);
    const mistake = run(plugin, ['plan', '--ndjson', '-o', 'yaml']);
    assert.equal(mistake.status, 2);
    assert.match(mistake.stderr, /^Usage: kubectl slicewise plan /m);
    assert.match(run(NATIVE[0], ['--help']).stdout, /^Usage: slicewise /m);
  });

  it('does what the command does', () => {
    const args = ['plan', 'www/samples/borrowed-endpoints.json', '-o', 'summary'];
    assert.deepEqual(run(join(folder, 'kubectl-slicewise'), args), run(NATIVE[0], args));
  });
});
