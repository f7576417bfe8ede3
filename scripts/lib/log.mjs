/** The output of the tools that a script runs, in a file instead of on the terminal; the end of it is shown when one fails. */
import { closeSync, fstatSync, mkdirSync, openSync, readSync } from 'node:fs';
import { dirname } from 'node:path';

const END = 4096;
const SHOWN = 20;

/** What is behind failures that no code can help, as the tools put it, and what to do. @type {[RegExp, string][]} */
const CAUSES = [
  [/No space left on device|ENOSPC|os error 28/, 'The disk is full. A build needs about 3 GB: make room, and run the same command again.'],
  [
    /failed to (?:download|fetch)|Could not resolve host|spurious network error|download of .* failed|\b(?:ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ECONNRESET)\b/,
    'A registry cannot be reached. Check the connection, or the proxy in HTTPS_PROXY, and run the same command again: it goes on from here.',
  ],
];

export class Log {
  /** @param {string} file */
  constructor(file) {
    this.file = file;
    mkdirSync(dirname(file), { recursive: true });
    /** For programs to write to. */
    this.descriptor = openSync(file, 'w+');
  }

  /** The last lines. */
  end() {
    const { size } = fstatSync(this.descriptor);
    const bytes = Buffer.alloc(Math.min(size, END));
    readSync(this.descriptor, bytes, 0, bytes.length, size - bytes.length);
    return bytes.toString().split(/[\r\n]+/).filter((line) => line.trim() !== '').slice(-SHOWN);
  }

  /** Why the last program failed, in a sentence if that is known, otherwise in its own words. @param {string} command */
  failure(command) {
    const lines = this.end();
    const cause = CAUSES.find(([pattern]) => lines.some((line) => pattern.test(line)));
    if (cause) return cause[1];
    return `${lines.map((line) => `  ${line}`).join('\n')}\n\n\`${command}\` failed; ${this.file} has all of its output.`;
  }

  close() {
    closeSync(this.descriptor);
  }
}
