/** A real API server for tests: on free loopback ports, stopped after the test. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { CLUSTER } from '../../../scripts/lib/paths.mjs';
import { Api } from './api.js';

/**
 * @typedef {object} Ready what the program prints once the server is ready
 * @property {string} url
 * @property {string} version
 * @property {string} token
 * @property {string} ca PEM file
 * @property {string} kubeconfig
 * @property {string} folder
 * @property {number} seconds
 */

/** In milliseconds; many times what an idle machine needs. */
const LIMITS = { ready: 600_000, command: 240_000, end: 240_000 };
/** How much of the log to show on failure. */
const LAST = { lines: 15, width: 240 };

/**
 * Starts a server, and stops it after the test.
 * @param {import('node:test').TestContext} t
 * @param {string[]} [flags] `-reference-controller`, `-max-endpoints-per-slice=N`
 */
export async function startCluster(t, flags = []) {
  const cluster = await Cluster.start(flags);
  t.after(() => cluster.end());
  return cluster;
}

export class Cluster {
  /** @param {string[]} flags */
  static async start(flags) {
    if (!existsSync(CLUSTER)) throw new Error(`there is no ${CLUSTER}; \`npm test -- --only cluster\` builds it`);
    const cluster = new Cluster(flags);
    try {
      cluster.ready = /** @type {Ready} */ (await cluster.#answer('the server', LIMITS.ready));
    } catch (error) {
      await cluster.end();
      throw error;
    }
    cluster.api = new Api(cluster.ready.url, cluster.ready.token, readFileSync(cluster.ready.ca, 'utf8'));
    return cluster;
  }

  /** Set once the server is ready. @type {Ready} */
  ready = /** @type {any} */ (undefined);
  /** Set together with `ready`. @type {Api} */
  api = /** @type {any} */ (undefined);
  /** @type {string[]} */
  #log = [];
  /** @type {((line: string | null) => void)[]} */
  #waiting = [];
  #over = false;

  /** @param {string[]} flags */
  constructor(flags) {
    const child = spawn(CLUSTER, flags);
    this.child = child;
    /** @type {Promise<number | string | null>} exit code or signal */
    this.ended = new Promise((resolve) => {
      child.on('error', (error) => {
        this.#log.push(error.message);
        resolve(null);
      });
      child.on('close', (code, signal) => resolve(code ?? signal));
    });
    this.ended.then(() => {
      this.#over = true;
      for (const tell of this.#waiting.splice(0)) tell(null);
    });
    createInterface({ input: child.stdout }).on('line', (line) => this.#waiting.shift()?.(line));
    createInterface({ input: child.stderr }).on('line', (line) => {
      this.#log.push(line.slice(0, LAST.width));
      if (this.#log.length > LAST.lines) this.#log.shift();
    });
    // A write to an exited process fails; its exit is reported separately.
    child.stdin.on('error', () => {});
  }

  /** Starts the reference controller. */
  startReference() {
    return this.command('start');
  }

  /** Stops the reference controller, and waits until it is idle. */
  stopReference() {
    return this.command('stop');
  }

  /**
   * Waits until the reference controller is idle.
   * @returns {Promise<{syncs: number, failures: number, seconds: number}>}
   */
  settle() {
    return this.command('settle');
  }

  /** @param {string} word @returns {Promise<any>} */
  async command(word) {
    if (this.#over) throw new Error(`\`${word}\`: the program has ended\n${this.log()}`);
    const answer = this.#answer(`\`${word}\``, LIMITS.command);
    this.child.stdin.write(`${word}\n`);
    const found = await answer;
    if (found.error) throw new Error(`\`${word}\`: ${found.error}\n${this.log()}`);
    return found;
  }

  /** The next line of the program. @param {string} what @param {number} limit @returns {Promise<any>} */
  #answer(what, limit) {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${what}: no answer after ${limit / 1000} s\n${this.log()}`)), limit);
      this.#waiting.push((line) => {
        clearTimeout(timer);
        if (line === null) reject(new Error(`${what}: the program has ended\n${this.log()}`));
        else resolve(JSON.parse(line));
      });
    });
  }

  /** The end of the server's log. */
  log() {
    return this.#log.join('\n');
  }

  /** Closes standard input, which ends the program; resolves with the exit code, or with the signal that was needed. */
  async end() {
    this.api?.close();
    this.child.stdin.end();
    const timer = setTimeout(() => this.child.kill('SIGKILL'), LIMITS.end);
    const outcome = await this.ended;
    clearTimeout(timer);
    if (outcome !== 0 && this.ready) rmSync(this.ready.folder, { recursive: true, force: true });
    return outcome;
  }
}
