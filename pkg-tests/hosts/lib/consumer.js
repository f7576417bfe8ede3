/** A project of somebody else: the package as published, the program of `app/`, and what the hosts need. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { ROOT } from '../../package/lib/builds.mjs';
import { installPackage } from '../../package/lib/install.mjs';
import { blocksOf, textOf } from '../../package/lib/markdown.mjs';

const HOSTS = join(import.meta.dirname, '..');
const PACKAGES = join(HOSTS, 'packages/node_modules');

/** What the program answers wherever it runs. */
export const ANSWERS = { plan: 1, refused: 'MissingField', session: ['shop/cart'], explain: 1, admission: false, simulation: true };

/** @returns {{folder: string, remove: () => void}} */
export function makeConsumer() {
  const folder = mkdtempSync(join(tmpdir(), 'slicewise-hosts-'));
  cpSync(join(HOSTS, 'app'), folder, { recursive: true });
  installPackage(folder);
  const own = join(folder, 'node_modules');
  for (const name of readdirSync(PACKAGES)) if (!name.startsWith('.')) symlinkSync(join(PACKAGES, name), join(own, name));
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}

/**
 * The programs of packages, which their scripts would put in place: nothing is run on installation.
 * @param {string} scope in which there is a package for each platform, of which npm has installed one
 * @param {string} path in that package
 */
export function binary(scope, path) {
  const found = readdirSync(join(PACKAGES, scope)).map((name) => join(PACKAGES, scope, name, path)).filter((file) => existsSync(file));
  assert.equal(found.length, 1, `${scope} has ${path} for this platform`);
  return found[0];
}

/**
 * The commands that a section of the documentation gives.
 * @param {string} heading
 * @returns {string[]}
 */
export function recipe(heading) {
  const [, section] = textOf('docs/npm.md').split(`\n### ${heading}\n`);
  assert.ok(section, `docs/npm.md has ${heading}`);
  const [text] = section.split(/^#/m);
  const commands = blocksOf(text).flatMap(({ language, code }) => (language === 'sh' ? code.trim().split('\n') : []));
  assert.ok(commands.length > 0, `${heading} has commands`);
  return commands;
}

/**
 * Runs a command as a shell does.
 * @param {string} folder
 * @param {string} command
 * @param {Record<string, string>} [env]
 */
export function shell(folder, command, env) {
  // Of all packages, `npx` finds only those that the project itself has installed.
  const line = command.replace(/^npx /, '');
  const path = [join(PACKAGES, '.bin'), process.env.PATH].join(delimiter);
  return spawnSync('sh', ['-c', line], { cwd: folder, encoding: 'utf8', env: { ...process.env, PATH: path, ...env } });
}

/**
 * Runs a command that must succeed, and returns its output.
 * @param {string} folder
 * @param {string} command
 * @param {Record<string, string>} [env]
 */
export function mustRun(folder, command, env) {
  const { status, stdout, stderr } = shell(folder, command, env);
  assert.equal(status, 0, `${command}\n${stderr}${stdout}`);
  return stdout.trim();
}

export { ROOT };
