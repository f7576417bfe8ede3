/** The command as a process. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makePair } from '../../../webhook/pair.js';
import { Client } from './client.js';
import { until } from './start.js';

const MAIN = fileURLToPath(new URL('../../../webhook/main.js', import.meta.url));
export const FREE = ['--listen', '127.0.0.1:0', '--health-listen', '127.0.0.1:0'];

/** @param {string[]} args @param {NodeJS.ProcessEnv} [env] */
export function run(args, env) {
  const child = spawn(process.execPath, [MAIN, ...args], { env });
  const output = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => (output.out += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (output.err += text));
  /** @type {Promise<number | null>} */
  const ended = new Promise((resolve) => child.on('close', resolve));
  return { child, output, ended };
}

/**
 * The service as started from the command line, on free ports.
 * @param {import('node:test').TestContext} t
 * @param {string[]} args
 */
export async function startCommand(t, args) {
  const folder = mkdtempSync(join(tmpdir(), 'slicewise-cluster-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const { cert, key } = makePair(['127.0.0.1']);
  const files = { cert: join(folder, 'tls.crt'), key: join(folder, 'tls.key') };
  writeFileSync(files.cert, cert);
  writeFileSync(files.key, key);
  const { child, output, ended } = run([...FREE, '--tls-cert', files.cert, '--tls-key', files.key, ...args]);
  t.after(() => child.kill('SIGKILL'));
  const lines = () => output.out.split('\n').filter(Boolean).map((line) => JSON.parse(line));
  await until(() => output.out.includes('"listening"') || child.exitCode !== null);
  assert.equal(child.exitCode, null, output.err);
  const listening = lines().find(({ message }) => message === 'listening');
  const client = new Client({ url: listening.reviews.replace('/validate', ''), healthUrl: listening.health }, cert);
  t.after(() => client.close());
  return { child, client, lines, listening, ended };
}
