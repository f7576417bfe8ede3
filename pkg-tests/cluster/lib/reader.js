/** Commands under test that read a cluster: their users, and their output. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createPrivateKey, sign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { TESTED_CLI } from '../../../scripts/lib/paths.mjs';

/** The time limit of a command, in milliseconds. */
const LIMIT = 240_000;
/** The interval of memory samples, in milliseconds. */
const LOOK = 10;
const DOCS = new URL('../../../docs/cluster.md', import.meta.url);

/** The error of a command in the form for people, which notes may precede. @param {string} stderr */
export function toldError(stderr) {
  const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '');
  return `slicewise: ${error.message}\n`;
}

/** @typedef {{status: number | null, stdout: string, stderr: string, megabytes: number}} Ran peak memory in megabytes, on Linux */

/** The objects in the YAML below a heading of the documentation. @param {string} heading @returns {any[]} */
export function documented(heading) {
  const [, section = ''] = new RegExp(`^#+ ${heading}\n(.*?)^#`, 'ms').exec(readFileSync(DOCS, 'utf8')) ?? [];
  const blocks = [...section.matchAll(/^```yaml\n(.*?)^```/gms)];
  assert.ok(blocks.length > 0, `docs/cluster.md shows no YAML below "${heading}"`);
  return blocks.flatMap(([, text]) => parseAllDocuments(text ?? '')).map((document) => document.toJS());
}

/** A folder that is removed after the test. @param {import('node:test').TestContext} t */
export function folder(t) {
  const made = mkdtempSync(join(tmpdir(), 'slicewise-reading-'));
  t.after(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** A port that is free right now. @returns {Promise<number>} */
export function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
      server.close(() => resolve(port));
    });
  });
}

/**
 * Writes a kubeconfig with contexts named after their users; the first is the current one.
 * @param {string} file @param {{server: string, ca: string}} cluster
 * @param {Record<string, {token: string, namespace?: string, server?: string}>} users
 */
export function writeKubeconfig(file, cluster, users) {
  const names = Object.keys(users);
  const config = {
    apiVersion: 'v1', kind: 'Config', 'current-context': names[0],
    clusters: names.map((name) => ({ name, cluster: { server: users[name]?.server ?? cluster.server, 'certificate-authority': cluster.ca } })),
    users: names.map((name) => ({ name, user: { token: users[name]?.token } })),
    contexts: names.map((name) => ({ name, context: { cluster: name, user: name, namespace: users[name]?.namespace } })),
  };
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
  return file;
}

/**
 * A token of a ServiceAccount, signed with the API server's own key.
 * @param {import('./cluster.js').Cluster} cluster @param {string} name NAMESPACE/NAME @param {number} expires in seconds from now
 */
export async function tokenUntil(cluster, name, expires) {
  const [namespace, account] = name.split('/');
  const claims = (await cluster.api.tokenOf(name)).split('.').slice(0, 2).map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));
  const now = Math.floor(Date.now() / 1000);
  const [header, payload] = [claims[0], { ...claims[1], iat: now - 7200, nbf: now - 7200, exp: now + expires }];
  if (payload.sub !== `system:serviceaccount:${namespace}:${account}`) throw new Error(`the token is of ${payload.sub}`);
  const text = [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  const key = createPrivateKey(readFileSync(join(cluster.ready.folder, 'account.key')));
  return `${text}.${sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

/**
 * Runs the command to its end.
 * @param {string[]} args @param {{env?: Record<string, string>, input?: string, command?: string}} [options]
 * @returns {Promise<Ran>}
 */
export function run(args, { env = {}, input = '', command = TESTED_CLI } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env: { PATH: process.env.PATH, HOME: '/nonexistent', ...env }, timeout: LIMIT });
    const ran = { stdout: '', stderr: '', megabytes: 0 };
    const watch = setInterval(() => (ran.megabytes = Math.max(ran.megabytes, peakOf(child.pid ?? 0))), LOOK);
    child.stdout.setEncoding('utf8').on('data', (text) => (ran.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (ran.stderr += text));
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    child.on('error', reject);
    child.on('close', (status) => {
      clearInterval(watch);
      resolve({ status, ...ran });
    });
  });
}

/** @param {number} pid */
function peakOf(pid) {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    // It has exited.
    return 0;
  }
}
