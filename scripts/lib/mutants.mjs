/** The list of mutants that no test catches, and why: `FILE: CHANGE # REASON`, one per line; other lines are comments. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Problem, ROOT } from './run.mjs';

/** The path of the list. */
export const SURVIVORS = 'pkg-tests/mutants/survivors.txt';

/**
 * The entries of the list.
 * @returns {{mutant: string, file: string, name: string, reason: string}[]}
 */
export function survivors() {
  return lines(join(ROOT, SURVIVORS)).filter((line) => !line.startsWith('#')).map((line) => {
    const [, mutant = '', reason = ''] = /^(.*?) # (.+)$/.exec(line) ?? [];
    if (mutant === '') throw new Problem(`${SURVIVORS}: an entry without a reason: ${line}`);
    return { mutant, file: fileOf(mutant), name: functionOf(mutant), reason };
  });
}

/** The non-empty lines of a file. @param {string} file */
export function lines(file) {
  return readFileSync(file, 'utf8').split('\n').filter((line) => line !== '');
}

/** @param {string} mutant */
export function fileOf(mutant) {
  return mutant.replace(/:.*/, '');
}

/** A part of the names of the tests of a folder or file that mutants are in. @param {string} path */
export function ownTests(path) {
  return `${/^src\/(\w+)/.exec(path)?.[1]}::`;
}

/** The bare name of the function that a mutant changes: `finish` of `src/a.rs: replace < with == in Builder<'_>::finish`. @param {string} mutant */
function functionOf(mutant) {
  const path = / in (\S.*)$/.exec(mutant)?.[1] ?? /: replace (.+?)(?: -> .*)? with /.exec(mutant)?.[1] ?? '';
  return /\w+$/.exec(path)?.[0] ?? '';
}
