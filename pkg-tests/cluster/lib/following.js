/** `slicewise watch` and `slicewise serve` under test: a process that follows a cluster, and its output. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { TESTED_CLI } from '../../../scripts/lib/paths.mjs';

/** In milliseconds. */
const LIMIT = 240_000;

/** @typedef {Record<string, any>} Line */

export class Following {
  /**
   * Starts the command; killed after the test if it still runs.
   * @param {import('node:test').TestContext} t @param {string[]} args
   */
  static start(t, args) {
    if (!existsSync(TESTED_CLI)) throw new Error(`there is no ${TESTED_CLI}; \`npm test -- --only cli\` builds it`);
    const started = new Following(args);
    t.after(() => started.child.kill('SIGKILL'));
    return started;
  }

  /** Its output, with JSON parsed. @type {(Line | string)[]} */
  lines = [];
  stderr = '';
  /** The number of lines consumed. */
  #seen = 0;
  /** @type {(() => void)[]} */
  #waiting = [];
  /** @type {number | string | null} */
  outcome = null;

  /** @param {string[]} args */
  constructor(args) {
    this.child = spawn(TESTED_CLI, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    this.ended = new Promise((resolve) => {
      this.child.on('close', (code, signal) => {
        this.outcome = code ?? signal;
        this.#wake();
        resolve(this.outcome);
      });
    });
    this.child.stderr.setEncoding('utf8').on('data', (chunk) => (this.stderr += chunk));
    createInterface({ input: this.child.stdout }).on('line', (text) => {
      this.lines.push(text.startsWith('{') ? JSON.parse(text) : text);
      this.#wake();
    });
  }

  #wake() {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /**
   * The next matching line; earlier ones are skipped.
   * @param {string} what @param {(line: any) => boolean} is @returns {Promise<any>}
   */
  async next(what, is) {
    const end = AbortSignal.timeout(LIMIT);
    for (;;) {
      while (this.#seen < this.lines.length) {
        const line = this.lines[this.#seen++];
        if (line !== undefined && is(line)) return line;
      }
      if (end.aborted || this.outcome !== null) throw new Error(`not told: ${what}\n${this.tail()}`);
      await Promise.race([new Promise((resolve) => this.#waiting.push(() => resolve(null))), sleep(100)]);
    }
  }

  /**
   * One line for each predicate, in any order; resolves with them in the order of the predicates.
   * @param {Record<string, (line: any) => boolean>} wanted by name @returns {Promise<any[]>}
   */
  async inAnyOrder(wanted) {
    const found = new Map();
    const isWanted = (/** @type {any} */ line) => Object.entries(wanted).find(([what, is]) => !found.has(what) && is(line))?.[0];
    while (found.size < Object.keys(wanted).length) {
      const missing = Object.keys(wanted).filter((what) => !found.has(what));
      const line = await this.next(missing.join(', '), (each) => isWanted(each) !== undefined);
      found.set(isWanted(line), line);
    }
    return Object.keys(wanted).map((what) => found.get(what));
  }

  /** The next line about a status. @param {string} status */
  status(status) {
    return this.next(status, (line) => line.status === status);
  }

  /** The next change of a kind. @param {string} change @param {string} [address] */
  change(change, address) {
    return this.next(`${change} ${address ?? ''}`, (line) => line.change === change && (address === undefined || line.endpoint?.address === address));
  }

  /** The output since then, without waiting. */
  rest() {
    const rest = this.lines.slice(this.#seen);
    this.#seen = this.lines.length;
    return rest;
  }

  tail() {
    return [...this.lines.slice(-25).map((line) => JSON.stringify(line)), this.stderr, `outcome: ${this.outcome}`].join('\n');
  }

  /** Interrupts it as a user does; resolves with its exit code. */
  end() {
    this.child.kill('SIGINT');
    return this.ended;
  }
}
