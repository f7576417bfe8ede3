/** `slicewise plan`: bytes in, bytes out, through the same functions as any other caller. */
import { once } from 'node:events';
import { SlicewiseError, detect, plan, planSnapshot } from '../node.js';
import { refuseOthers } from './given.js';
import { bytesOf } from './input.js';
import { lines } from './lines.js';

/** @typedef {import('./main.js').Io} Io */

const NEWLINE = Buffer.from('\n');
const BAD_INPUT = 2;

/**
 * The whole input at once.
 * @param {string} source a path, or `-`
 * @param {Io} io
 */
export async function planOne(source, io) {
  const chunks = [];
  for await (const chunk of bytesOf(source, io)) chunks.push(chunk);
  const input = Buffer.concat(chunks);
  refuseOthers(input, source === '-');
  await write(io, detect(input) === 'request' ? plan(input) : planSnapshot(input));
  return 0;
}

/**
 * One answer per line, in order; a bad line is answered with its error, and the next goes on.
 * @param {string} source
 * @param {Io} io
 */
export async function planStream(source, io) {
  let code = 0;
  for await (const line of lines(bytesOf(source, io))) {
    const answer = answerTo(line);
    if (answer instanceof SlicewiseError) code = BAD_INPUT;
    await write(io, answer instanceof SlicewiseError ? Buffer.from(JSON.stringify(answer)) : answer);
  }
  return code;
}

/** @param {Uint8Array} line */
function answerTo(line) {
  try {
    return plan(line);
  } catch (error) {
    if (error instanceof SlicewiseError && error.code !== 'Internal') return error;
    throw error;
  }
}

/** @param {Io} io @param {Uint8Array} answer */
async function write({ stdout }, answer) {
  stdout.write(answer);
  if (!stdout.write(NEWLINE)) await once(stdout, 'drain');
}
