/** Where input comes from: a file, or standard input. */
import { createReadStream } from 'node:fs';
import { FileError, IoError } from './main.js';

/**
 * @param {string} source a path, or `-`
 * @param {import('./main.js').Io} io
 * @returns {AsyncGenerator<Buffer>}
 */
export async function* bytesOf(source, { stdin, stderr }) {
  if (source === '-' && stdin.isTTY) {
    // People who forget the file should not sit before a silent prompt.
    stderr.write('slicewise: reading standard input; end it with Ctrl-D, or see slicewise plan --help\n');
  }
  const stream = source === '-' ? stdin : createReadStream(source, { highWaterMark: 1 << 20 });
  try {
    for await (const chunk of stream) yield /** @type {Buffer} */ (chunk);
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === undefined) throw error;
    if (source === '-') throw new IoError(`cannot read the input: ${message}`);
    throw new FileError(`cannot ${code === 'EISDIR' ? 'read' : 'open'} ${source}: ${message}`);
  }
}
