/** The kubectl plugin: its manifest checked, and installed, as by Krew. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import { parse } from 'yaml';
import { ROOT } from './lib/builds.mjs';
import { FakeApi } from '../webhook/lib/api-server.js';
import { NATIVE } from './lib/commands.mjs';

const URL_OF_RELEASE = 'https://downloads.example/v1';
const ARCHIVE = 'slicewise-linux-amd64.tar.gz';

/** @param {string} command @param {string[]} args @param {string} [cwd] */
function run(command, args, cwd = ROOT) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', env: { ...process.env, COLUMNS: '100' } });
  return { status, stdout, stderr };
}

const HOMEPAGE = 'https://git.example/someone/slicewise';

/** What a release is made with, with other fields in `package.json`. @param {string} project @param {object} fields */
function copy(project, fields) {
  for (const path of ['scripts', 'deploy/krew.yaml', 'Cargo.toml']) cpSync(join(ROOT, path), join(project, path), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(project, 'node_modules'));
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  writeFileSync(join(project, 'package.json'), JSON.stringify({ ...manifest, repository: undefined, homepage: undefined, ...fields }));
}

describe('kubectl slicewise', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slicewise-krew-'));
  const store = join(folder, 'store');
  /** @type {any} */
  let manifest;
  after(() => rmSync(folder, { recursive: true }));

  before(() => {
    const packed = run(process.execPath, ['scripts/archive.mjs', NATIVE[0], join(folder, ARCHIVE)]);
    assert.equal(packed.status, 0, packed.stderr);
    copy(join(folder, 'project'), { repository: { type: 'git', url: `git+${HOMEPAGE}.git` }, homepage: HOMEPAGE });
    const printed = run(process.execPath, ['scripts/krew.mjs', URL_OF_RELEASE, join(folder, ARCHIVE)], join(folder, 'project'));
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
    const { version, homepage, shortDescription, description, platforms } = manifest.spec;
    assert.equal(homepage, HOMEPAGE);
    const crate = /^version = "(.*)"$/m.exec(readFileSync(join(ROOT, 'Cargo.toml'), 'utf8'))?.[1];
    assert.equal(version, `v${crate}`);
    // Krew's index refuses longer ones, and those that name kubectl or the plugin.
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

  it('is not released without an address', () => {
    const url = `git+${HOMEPAGE}.git`;
    /** @param {string} name @param {object} fields @param {string[]} args */
    const refused = (name, fields, args, cargo = '') => {
      const project = join(folder, name);
      copy(project, fields);
      if (cargo) writeFileSync(join(project, 'Cargo.toml'), cargo);
      const { status, stderr } = run(process.execPath, args, project);
      rmSync(project, { recursive: true });
      return status === 0 ? 'done' : stderr;
    };
    const publish = ['scripts/address.mjs'];
    assert.equal(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts.prepublishOnly, 'node scripts/address.mjs');
    const how = /run `npm pkg set repository\.type=git repository\.url=.*` and `npm pkg set homepage=.*`; .* the Krew manifest\n$/;
    for (const fields of [
      {},
      { repository: url },
      { homepage: HOMEPAGE },
      { repository: 'someone/slicewise', homepage: HOMEPAGE },
      { repository: { url }, homepage: '' },
    ]) {
      assert.match(refused('no-address', fields, publish), how, JSON.stringify(fields));
      assert.match(refused('no-address', fields, ['scripts/krew.mjs', URL_OF_RELEASE, join(folder, ARCHIVE)]), how, JSON.stringify(fields));
    }
    const whole = { repository: { type: 'git', url }, homepage: HOMEPAGE };
    const cargo = readFileSync(join(ROOT, 'Cargo.toml'), 'utf8');
    const naming = (/** @type {string} */ name) =>
      cargo.replace(/^repository = .*\n/m, '').replace('[package]\n', `[package]\nrepository = "${name}"\n`);
    assert.match(
      refused('cargo', whole, publish, cargo.replace(/^repository = .*\n/m, '')),
      /Cargo\.toml names no repository: set `repository = "https:\/\/git\.example\/someone\/slicewise"` in/,
    );
    assert.match(
      refused('cargo', whole, publish, naming('https://git.example/other')),
      /Cargo\.toml names the repository https:\/\/git\.example\/other: set/,
    );
    assert.equal(refused('cargo', whole, publish, naming(HOMEPAGE)), 'done');
  });

  it('refuses archives that nobody would get', () => {
    writeFileSync(join(folder, 'slicewise-plan9.tar.gz'), '');
    for (const args of [['scripts/krew.mjs', URL_OF_RELEASE], ['scripts/archive.mjs', NATIVE[0]]]) {
      const { status, stderr } = run(process.execPath, [...args, join(folder, 'slicewise-plan9.tar.gz')], join(folder, 'project'));
      assert.equal(status, 1);
      assert.match(stderr, /deploy\/krew.yaml has no slicewise-plan9.tar.gz; it has slicewise-linux-amd64.tar.gz/);
    }
  });

  it('serves the page from where it is installed', async (t) => {
    const api = await FakeApi.start(t);
    const args = ['serve', '-A', '--kubeconfig', api.kubeconfig(api.url, false), '--port', '0'];
    // In another folder: in a checkout, the page would be found without the archive.
    const child = spawn(join(folder, 'kubectl-slicewise'), args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
    t.after(() => child.kill('SIGKILL'));
    let address = '';
    for await (const line of createInterface({ input: child.stdout })) if ((address = line).startsWith('http://')) break;
    const { origin, hash } = new URL(address);
    assert.match(hash, /^#live=\w+$/);
    const names = readdirSync(join(store, 'page'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    assert.ok(names.length > 10, 'the whole page');
    const index = await fetch(`${origin}/`);
    assert.equal(await index.text(), readFileSync(join(store, 'page/index.html'), 'utf8'));
    const module = names.find(({ name }) => name.endsWith('.js') && name !== 'service-worker.js');
    assert.ok(module);
    const path = join(module.parentPath, module.name).slice(join(store, 'page').length);
    assert.equal((await fetch(origin + path)).status, 200, path);
    child.kill('SIGTERM');
  });

  it('calls itself so in its help', () => {
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
    assert.equal(JSON.parse(mistake.stderr).error.code, 'InvalidUsage');
    assert.match(run(NATIVE[0], ['--help']).stdout, /^Usage: slicewise /m);
  });

  it('does what the command does', () => {
    const args = ['plan', 'www/samples/borrowed-endpoints.json', '-o', 'summary'];
    assert.deepEqual(run(join(folder, 'kubectl-slicewise'), args), run(NATIVE[0], args));
  });
});
