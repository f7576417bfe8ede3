/** Compiles TypeScript programs that use the package, in the strictest mode. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './builds.mjs';

export const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
const OPTIONS = {
  target: 'es2022', lib: ['es2022'], types: [], module: 'nodenext', noEmit: true, skipLibCheck: false,
  strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true,
};

/**
 * The errors of a program: one line each, with the position and the comment of its line.
 * @param {string} text in which a comment at the end of a line names its subject
 * @returns {string[]}
 */
export function compile(text) {
  // Below the package, so that its own name resolves to it.
  const folder = mkdtempSync(join(ROOT, 'pkg/.compile-'));
  try {
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS, files: ['program.ts'] }));
    writeFileSync(join(folder, 'program.ts'), text);
    const { stdout } = spawnSync(process.execPath, [TSC, '-p', folder, '--pretty', 'false'], { encoding: 'utf8', maxBuffer: 2 ** 28 });
    const lines = text.split('\n');
    const aboutOf = (/** @type {string} */ message) => lines[Number(/\((\d+),/.exec(message)?.[1]) - 1]?.split(' // ').at(-1) ?? '';
    return stdout.split('\n').filter((message) => message.includes('error TS')).map((message) => `${message.slice(0, 600)} // ${aboutOf(message)}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
