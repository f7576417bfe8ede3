/** Runs other programs, using only what Node provides: these scripts start on a bare clone. */
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The top of the repository. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** npm is a script on Windows, which only a shell can start. */
const SHELL = process.platform === 'win32';

/** An error that is reported to the user in one sentence, without a stack. */
export class Problem extends Error {}

/** Where programs write instead of the terminal. @type {import('./log.mjs').Log | null} */
let log = null;

/** Sends the output of programs that run from now on to a log. @param {import('./log.mjs').Log} to */
export function logTo(to) {
  log = to;
}

/**
 * Runs a program with its output shown, unless there is a log; resolves with the exit code.
 * @param {string[]} command
 * @param {{cwd?: string, env?: Record<string, string | undefined>}} [options]
 * @returns {Promise<number>}
 */
export function run([program, ...args], { cwd = ROOT, env = {} } = {}) {
  return new Promise((resolve) => {
    const output = log?.descriptor ?? 'inherit';
    const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['inherit', output, output], shell: SHELL });
    child.on('error', (error) => {
      console.error(`cannot run ${program}: ${error.message}`);
      resolve(127);
    });
    child.on('close', (code, signal) => resolve(code ?? (signal ? 1 : 0)));
  });
}

/**
 * Runs a program and throws if it fails.
 * @param {string[]} command
 * @param {Parameters<typeof run>[1]} [options]
 */
export async function mustRun(command, options) {
  const code = await run(command, options);
  if (code !== 0) throw new Problem(log?.failure(command.join(' ')) ?? `\`${command.join(' ')}\` failed (exit code ${code})`);
}

/**
 * The standard output of a program; null if it cannot be run or fails.
 * @param {string[]} command
 */
export function ask([program, ...args], env = {}) {
  const { status, stdout } = spawnSync(program, args, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: Infinity,
    shell: SHELL,
    env: { ...process.env, ...env },
  });
  return status === 0 ? stdout.trim() : null;
}

/**
 * Runs the main function of a script: a problem is printed, anything else is a bug and keeps its stack.
 * @param {() => void | Promise<void>} main
 */
export async function script(main) {
  try {
    await main();
  } catch (error) {
    console.error(error instanceof Problem ? `\n${error.message}` : error);
    process.exitCode = 1;
  }
}
