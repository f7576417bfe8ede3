/** The list of changes that no test notices, and why: `FILE: CHANGE # REASON`, a line for each; others are comments. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Problem, ROOT } from './run.mjs';

/** Where the list is. */
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

/** The lines of a file that are not empty. @param {string} file */
export function lines(file) {
  return readFileSync(file, 'utf8').split('\n').filter((line) => line !== '');
}

/** @param {string} mutant */
export function fileOf(mutant) {
  return mutant.replace(/:.*/, '');
}

/** The bare name of the function that a mutant changes: `finish` of `src/a.rs: replace < with == in Builder<'_>::finish`. @param {string} mutant */
function functionOf(mutant) {
  const path = / in (\S.*)$/.exec(mutant)?.[1] ?? /: replace (.+?)(?: -> .*)? with /.exec(mutant)?.[1] ?? '';
  return /\w+$/.exec(path)?.[0] ?? '';
}
