/** `slicewise controller` under test: a process with the ServiceAccount from `deploy/controller.yaml`. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseAllDocuments } from 'yaml';
import { TESTED_CLI } from '../../../scripts/lib/paths.mjs';

/** In milliseconds. */
const LIMITS = { line: 240_000, end: 240_000, page: 240_000 };
const MANIFESTS = new URL('../../../deploy/controller.yaml', import.meta.url);
export const ACCOUNT = 'slicewise/slicewise-controller';

/** The objects that an operator applies. @returns {any[]} */
export function manifests() {
  return parseAllDocuments(readFileSync(MANIFESTS, 'utf8')).map((document) => document.toJS());
}

/** The arguments of the Deployment's container. @returns {string[]} */
export function deployedArguments() {
  const deployment = manifests().find(({ kind }) => kind === 'Deployment');
  return deployment.spec.template.spec.containers[0].args;
}

/**
 * The kubeconfig of the ServiceAccount, removed after the test.
 * @param {import('node:test').TestContext} t
 * @param {import('./cluster.js').Cluster} cluster
 * @param {string} url of the API server
 */
export async function accountConfig(t, cluster, url) {
  const folder = mkdtempSync(join(tmpdir(), 'slicewise-controller-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'kubeconfig');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster: { server: url, 'certificate-authority': cluster.ready.ca } }],
    users: [{ name: 'account', user: { token: await cluster.api.tokenOf(ACCOUNT) } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'account' } }],
    'current-context': 'test',
  };
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
  return file;
}

/** @typedef {{timestamp: string, level: string, message: string, [field: string]: any}} Line */

export class Controller {
  /**
   * Starts a controller; killed after the test if it still runs.
   * @param {import('node:test').TestContext} t @param {string} kubeconfig @param {string[]} args
   */
  static start(t, kubeconfig, args) {
    if (!existsSync(TESTED_CLI)) throw new Error(`there is no ${TESTED_CLI}; \`npm test -- --only cli\` builds it`);
    const started = new Controller(['controller', '--kubeconfig', kubeconfig, ...args]);
    t.after(() => started.kill());
    return started;
  }

  /** @type {Line[]} */
  log = [];
  /** What a dry run would write. @type {import('slicewise').Plan[]} */
  plans = [];
  /** @type {(() => void)[]} */
  #waiting = [];

  /** @param {string[]} args */
  constructor(args) {
    this.args = args;
    this.child = spawn(TESTED_CLI, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    /** @type {number | string | null} */
    this.outcome = null;
    // Whatever happens to the test, nothing is left running.
    const kill = () => this.child.kill('SIGKILL');
    process.once('exit', kill);
    this.ended = new Promise((resolve) => {
      this.child.on('close', (code, signal) => {
        this.outcome = code ?? signal;
        process.off('exit', kill);
        this.#wake();
        resolve(this.outcome);
      });
    });
    createInterface({ input: this.child.stdout }).on('line', (text) => this.plans.push(JSON.parse(text)));
    createInterface({ input: this.child.stderr }).on('line', (text) => {
      this.log.push(text.startsWith('{') ? JSON.parse(text) : { timestamp: '', level: '', message: text });
      this.#wake();
    });
  }

  #wake() {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /**
   * The first line with this message, now or later.
   * @param {string} message @param {number} [from] how many lines to skip
   * @returns {Promise<Line>}
   */
  async said(message, from = 0) {
    const end = AbortSignal.timeout(LIMITS.line);
    for (;;) {
      const found = this.log.slice(from).find((line) => line.message === message);
      if (found) return found;
      if (end.aborted || this.outcome !== null) {
        throw new Error(`it has not said "${message}"${this.outcome === null ? '' : `, and ended with ${this.outcome}`}\n${this.tail()}`);
      }
      await Promise.race([new Promise((resolve) => this.#waiting.push(() => resolve(null))), sleep(100)]);
    }
  }

  /** The time of the message, in milliseconds. @param {string} message */
  async when(message) {
    return Date.parse((await this.said(message)).timestamp);
  }

  /** Its writes, by Service. @returns {Line[]} */
  writes() {
    return this.log.filter(({ message }) => message === 'written');
  }

  /** A response of its own server. @param {string} path @param {string} [method] @returns {Promise<{status: number, text: string}>} */
  async page(path, method = 'GET') {
    const { address } = await this.said('listening');
    return new Promise((resolve, reject) => {
      const asked = get(`http://${address}${path}`, { method, agent: false, timeout: LIMITS.page }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      });
      asked.on('timeout', () => asked.destroy(new Error(`${path}: no answer`)));
      asked.on('error', reject);
    });
  }

  /** The samples of its metrics. @returns {Promise<Map<string, number>>} */
  async metrics() {
    const { status, text } = await this.page('/metrics');
    if (status !== 200) throw new Error(`/metrics: ${status} ${text}`);
    const samples = text.split('\n').filter((line) => line && !line.startsWith('#'));
    return new Map(samples.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]));
  }

  /** Stops it as Kubernetes does; resolves with its exit code. */
  async terminate() {
    this.child.kill('SIGTERM');
    const outcome = await Promise.race([this.ended, sleep(LIMITS.end, 'still running', { ref: false })]);
    if (outcome === 'still running') throw new Error(`it runs on after SIGTERM\n${this.tail()}`);
    return outcome;
  }

  /** Kills it, as in a power failure. */
  async kill() {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  /** The end of its log. */
  tail() {
    return this.log.slice(-25).map((line) => JSON.stringify(line)).join('\n');
  }
}

/**
 * Waits until a check passes; on timeout, throws its last error.
 * @template T
 * @param {string} what @param {() => T | Promise<T>} check @param {number} [limit] milliseconds
 * @returns {Promise<T>}
 */
export async function eventually(what, check, limit = 240_000) {
  const end = Date.now() + limit;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) {
        throw new Error(`${what}, not within ${limit / 1000} s: ${error instanceof Error ? error.message : error}`, { cause: error });
      }
    }
    await sleep(100);
  }
}
