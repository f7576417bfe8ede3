/**
 * The command of the npm package: `npx slicewise plan`, with the answers, messages and exit codes of the native
 * one. What it cannot do it refuses by name; it never guesses.
 */
import { parseArgs } from 'node:util';
import { SlicewiseError, version } from '../node.js';
import { HELP, HELP_PLAN } from './help.js';
import { planOne, planStream } from './plan.js';

/**
 * @typedef {NodeJS.ReadableStream & {isTTY?: boolean}} Input
 * @typedef {{stdin: Input, stdout: NodeJS.WritableStream, stderr: NodeJS.WritableStream}} Io
 */

/** Exit codes, as the native command has them. */
export const EXIT = { ok: 0, machine: 1, badInput: 2 };

/** A mistake on the command line. */
class UsageError extends Error {}

/** The file that was named cannot be read. */
export class FileError extends Error {}

/** Reading or writing failed; the message says what. */
export class IoError extends Error {}

const OPTIONS = /** @type {const} */ ({
  output: { type: 'string', short: 'o' },
  ndjson: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'V' },
});

/**
 * @param {string[]} args without the program
 * @param {Io} io
 * @returns {Promise<number>} the exit code
 */
export async function main(args, io) {
  // The reader went away (`slicewise … | head`): nothing is wrong.
  io.stdout.on('error', (/** @type {NodeJS.ErrnoException} */ error) => process.exit(error.code === 'EPIPE' ? EXIT.ok : EXIT.machine));
  try {
    return await dispatch(parse(args), io);
  } catch (error) {
    return report(error, io);
  }
}

/** @param {string[]} args */
function parse(args) {
  try {
    const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
    return { values, positionals };
  } catch (error) {
    // Only the first sentence: what follows is advice on parsers.
    throw new UsageError(String(error instanceof Error ? error.message : error).split('. ', 1)[0]);
  }
}

/**
 * @param {ReturnType<typeof parse>} request
 * @param {Io} io
 * @returns {number | Promise<number>}
 */
function dispatch({ values, positionals: [command, ...files] }, io) {
  if (values.version) return print(io.stdout, `slicewise ${version()}\n`, EXIT.ok);
  if (values.help) return print(io.stdout, command === 'plan' ? HELP_PLAN : HELP, EXIT.ok);
  if (command === undefined) return print(io.stderr, HELP, EXIT.badInput);
  if (command !== 'plan') throw new UsageError(`unknown command '${command}': the npm package has 'plan', the native command has more`);
  if (files.length > 1) throw new UsageError(`one input at a time, got ${files.length}`);
  const output = values.output ?? 'json';
  if (output !== 'json') throw new UsageError(`output '${output}' is not in the npm package: use '-o json', or the native command`);
  const source = files[0] ?? '-';
  return values.ndjson ? planStream(source, io) : planOne(source, io);
}

/** @param {NodeJS.WritableStream} stream @param {string} text @param {number} code */
function print(stream, text, code) {
  stream.write(text);
  return code;
}

/** @param {unknown} error @param {Io} io */
function report(error, { stderr }) {
  if (error instanceof UsageError) return print(stderr, `error: ${error.message}\n\nFor more information, try '--help'.\n`, EXIT.badInput);
  if (error instanceof FileError) return print(stderr, `slicewise: ${error.message}\n`, EXIT.badInput);
  if (error instanceof IoError) return print(stderr, `slicewise: ${error.message}\n`, EXIT.machine);
  if (!(error instanceof SlicewiseError)) throw error;
  return print(stderr, `${JSON.stringify(error)}\n`, error.code === 'Internal' ? EXIT.machine : EXIT.badInput);
}
