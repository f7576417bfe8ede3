/** The package as it would be published, in a project of its own. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './builds.mjs';

/**
 * Packs the package and installs it in a folder.
 * @param {string} folder
 * @returns {{files: string[], bytes: number}} the files of the tarball, and its size
 */
export function installPackage(folder) {
  const [packed] = JSON.parse(run(folder, ['npm', 'pack', ROOT, '--ignore-scripts', '--json', '--loglevel=error']));
  writeFileSync(join(folder, 'package.json'), '{"name": "consumer", "version": "1.0.0", "private": true}\n');
  run(folder, ['npm', 'install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', `./${packed.filename}`]);
  return { files: packed.files.map((/** @type {{path: string}} */ file) => file.path), bytes: packed.size };
}

/**
 * Runs a program there, and returns its output.
 * @param {string} folder
 * @param {string[]} command
 * @param {string} [input]
 */
export function run(folder, [program, ...args], input) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, input, encoding: 'utf8' });
  assert.equal(status, 0, `${program} ${args.join(' ')}: ${stderr}${stdout}`);
  return stdout.trim();
}
