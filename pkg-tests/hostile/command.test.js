/** The command and the controller against API-legal extremes: an answer or a typed error, never a crash. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { TESTED_CLI } from '../../scripts/lib/paths.mjs';
import { FakeApi } from '../webhook/lib/api-server.js';
import { until } from '../webhook/lib/start.js';
import { fill, pod } from '../webhook/lib/watching.js';
import { extremes, goJson } from './lib/extremes.js';
import { Random } from './lib/random.js';

const SEED = Number(process.env.SLICEWISE_SEED ?? 1);
const LIMIT = { timeout: 600_000 };

/** @param {string[]} args @param {string} input */
function run(args, input) {
  const { status, signal, stdout, stderr } = spawnSync(TESTED_CLI, args, { input, encoding: 'utf8', maxBuffer: 512 << 20 });
  return { status, signal, stdout, stderr };
}

test('legal extremes in a dump are read by every command', LIMIT, () => {
  const random = new Random(SEED);
  const items = extremes(random).filter(({ isLegal }) => isLegal).map(({ object }) => object);
  const dumpOf = (/** @type {object[]} */ objects) => goJson({ apiVersion: 'v1', kind: 'List', items: objects });
  const check = (/** @type {string[]} */ args, /** @type {string} */ dump) => {
    const { status, signal, stderr } = run(args, dump);
    assert.equal(signal, null, `${args.join(' ')}: ${stderr.slice(-500)}`);
    assert.ok(status === 0 || status === 1, `${args.join(' ')} ended with ${status}: ${stderr.slice(-500)}`);
    assert.doesNotMatch(stderr, /panicked|overflow/, args.join(' '));
  };
  for (const args of [['plan', '-o', 'json'], ['plan', '-o', 'summary'], ['review', '-o', 'text']]) check(args, dumpOf(items));
  for (const item of items) check(['explain'], dumpOf([item]));
});

test('an unreadable object of a dump is an error that names its place', LIMIT, () => {
  const random = new Random(SEED);
  for (const { title, object } of extremes(random).filter(({ isLegal }) => !isLegal)) {
    const { status, stderr } = run(['plan'], goJson({ apiVersion: 'v1', kind: 'List', items: [object] }));
    assert.equal(status, 2, title);
    assert.match(stderr, /\/items\/0\//, title);
  }
});

test('the controller lives among extremes', LIMIT, async (t) => {
  const api = await FakeApi.start(t);
  fill(api);
  for (const { object } of extremes(new Random(SEED))) api.set(object);
  const child = spawn(TESTED_CLI, ['controller', '--dry-run', '--kubeconfig', api.kubeconfig(api.url, false), '--log-format', 'json']);
  t.after(() => child.kill('SIGKILL'));
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (log += text));
  /** @type {string[]} */
  const plans = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.startsWith('{"service":{"namespace":"shop","name":"cart"}')) plans.push(line);
  });
  await until(() => plans.length > 0 || child.exitCode !== null);
  // Afterwards, it still follows.
  api.set(pod('late', '10.0.0.3'));
  await until(() => plans.some((plan) => plan.includes('"10.0.0.3"')) || child.exitCode !== null);
  assert.equal(child.exitCode ?? child.signalCode, null, log.slice(-1000));
  assert.doesNotMatch(log, /panicked/);
});
