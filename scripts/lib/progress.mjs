/** Says what is being done, since when, and what is left: in one line that moves on a terminal, otherwise in a line for each part. */

const EVERY = 200;
const WHEEL = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';
/** How Cargo names what it compiles. */
const COMPILING = /^\s*(?:Compiling|Downloading|Downloaded) (?<what>\S+)/;

export class Progress {
  #left;
  #log;
  #out;

  /**
   * @param {string[]} parts what will be done
   * @param {import('./log.mjs').Log} log what the tools of a part print
   * @param {NodeJS.WriteStream} [out]
   */
  constructor(parts, log, out = process.stdout) {
    this.#left = parts;
    this.#log = log;
    this.#out = out;
  }

  /** Does the next part. @template T @param {() => T | Promise<T>} work @returns {Promise<T>} */
  async next(work) {
    const [part = '', ...left] = this.#left;
    this.#left = left;
    const started = performance.now();
    const stop = this.#out.isTTY ? this.#move(part, started) : this.#begin(part);
    let result;
    try {
      result = await work();
    } finally {
      stop();
    }
    this.#out.write(`${part}: ${timeOf(performance.now() - started)}\n`);
    return result;
  }

  /** @param {string} part */
  #begin(part) {
    this.#out.write(`${part} …\n`);
    return () => {};
  }

  /** @param {string} part @param {number} started @returns {() => void} ends it */
  #move(part, started) {
    let turn = 0;
    const draw = () => {
      const what = this.#log.end().findLast((line) => COMPILING.test(line))?.match(COMPILING)?.groups?.what;
      const left = this.#left.length > 0 ? `; then ${this.#left.join(', ')}` : '';
      const line = `${WHEEL[turn++ % WHEEL.length]} ${part} ${timeOf(performance.now() - started)}${what ? ` (${what})` : ''}${left}`;
      this.#out.write(`\r\x1b[K${line.slice(0, (this.#out.columns ?? 80) - 1)}`);
    };
    draw();
    const timer = setInterval(draw, EVERY);
    return () => {
      clearInterval(timer);
      this.#out.write('\r\x1b[K');
    };
  }
}

/** @param {number} milliseconds */
function timeOf(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
