/** Runs the two commands, native and npm, with bytes as input. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { TESTED_CLI } from '../../../scripts/lib/paths.mjs';
import { ROOT } from './builds.mjs';

/** @type {{name: string, command: string[]}[]} */
export const COMMANDS = [
  { name: 'native command', command: [TESTED_CLI] },
  { name: 'npm command', command: [process.execPath, join(ROOT, 'npm/bin/slicewise.js')] },
];

/** The one the others are compared with. */
export const NATIVE = COMMANDS[0].command;

/**
 * @param {string[]} command
 * @param {string[]} args
 * @param {Uint8Array | string} [input]
 * @returns {Promise<{code: number | null, stdout: Buffer, stderr: string}>}
 */
export function invoke([program, ...first], args, input = '') {
  return new Promise((fulfil, reject) => {
    const child = spawn(program, [...first, ...args], { stdio: 'pipe', cwd: ROOT });
    /** @type {Buffer[]} */
    const out = [];
    /** @type {Buffer[]} */
    const err = [];
    child.stdout.on('data', (chunk) => out.push(chunk));
    child.stderr.on('data', (chunk) => err.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => fulfil({ code, stdout: Buffer.concat(out), stderr: Buffer.concat(err).toString() }));
    // A command that refuses its arguments does not wait for its input.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

/**
 * One line per request in, one line per answer out.
 * @param {string[]} command
 * @param {Uint8Array[]} requests without newlines
 */
export async function stream(command, requests) {
  const input = Buffer.concat(requests.flatMap((request) => [request, Buffer.from('\n')]));
  const { code, stdout, stderr } = await invoke(command, ['plan', '--ndjson'], input);
  // Exit code 2 means that some line was bad, which its answer shows as well.
  if (code !== 0 && code !== 2) throw new Error(`exit code ${code}: ${stderr}`);
  const lines = stdout.toString().split('\n');
  if (lines.pop() !== '') throw new Error('the last line has no end');
  return lines;
}
