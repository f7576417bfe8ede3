/** Skips work whose inputs have not changed since it last succeeded. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ROOT } from './run.mjs';

/**
 * Runs `work` unless the files are unchanged since the last successful run.
 * @param {string} name the name of the stamp
 * @param {{inputs: string[], outputs: string[], tool?: string}} files files and folders below the repository; all outputs must
 *   exist. `tool` is the version of what does the work
 * @param {() => Promise<void>} work
 * @returns {Promise<boolean>} whether it ran
 */
export async function unlessFresh(name, { inputs, outputs, tool = '' }, work) {
  const stampFile = join(ROOT, 'pkg/.stamps', name);
  const stamp = `${await digest(inputs)} ${tool}`;
  const present = await readFile(stampFile, 'utf8').catch(() => null);
  if (present === stamp && (await allExist(outputs))) return false;
  await work();
  await mkdir(dirname(stampFile), { recursive: true });
  await writeFile(stampFile, stamp);
  return true;
}

/** @param {string[]} paths */
async function allExist(paths) {
  const found = await Promise.all(paths.map((path) => stat(join(ROOT, path)).catch(() => null)));
  return found.every(Boolean);
}

/** @param {string[]} paths */
async function digest(paths) {
  const hash = createHash('sha256');
  for (const path of paths) {
    for (const file of await filesBelow(path)) {
      hash.update(`${file}\0`).update(await readFile(join(ROOT, file))).update('\0');
    }
  }
  return hash.digest('hex');
}

/** @param {string} path @returns {Promise<string[]>} sorted; empty if the path does not exist */
async function filesBelow(path) {
  const info = await stat(join(ROOT, path)).catch(() => null);
  if (!info) return [];
  if (!info.isDirectory()) return [path];
  const names = (await readdir(join(ROOT, path))).sort();
  return (await Promise.all(names.map((name) => filesBelow(`${path}/${name}`)))).flat();
}
