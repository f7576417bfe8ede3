/** SARIF as `slicewise review` prints it, by the schema of SARIF 2.1.0. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { deploy } from '../../scripts/lib/chart.mjs';
import { TESTED_CLI } from '../../scripts/lib/paths.mjs';
import { ROOT } from '../../scripts/lib/run.mjs';

const MODULE = spawnSync('go', ['list', '-m', '-f', '{{.Dir}}', 'github.com/owenrumney/go-sarif/v3'], {
  cwd: join(ROOT, 'pkg-tests/deploy'), encoding: 'utf8',
}).stdout.trim();
const DENIED = 'examples/review/denied';
const KNOWN = ['--snapshot', 'samples/cluster-at-rest.json', '--config', `${DENIED}/config.yaml`];
const manifests = readdirSync(join(ROOT, DENIED)).filter((name) => name.endsWith('.yaml') && name !== 'config.yaml');

/** @param {string[]} args @param {string} [input] */
function sarif(args, input = '') {
  const { stdout, stderr, status } = spawnSync(TESTED_CLI, ['review', '-o', 'sarif', ...args], { cwd: ROOT, input, encoding: 'utf8' });
  assert.ok(status !== null && stdout !== '', stderr);
  return stdout;
}

const several = sarif([...KNOWN, '-f', `${DENIED}/slice-addresses.yaml`, '-f', `${DENIED}/service-blast-radius.yaml`]);

test('what reviews print is valid', () => {
  const slip = readFileSync(join(ROOT, DENIED, 'service-blast-radius.yaml'), 'utf8');
  const nothing = sarif(['-'], '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"none"}}');
  const unread = sarif(['-'], '{"kind":"AdmissionReview"}{"kind":"AdmissionReview"}');
  const found = (/** @type {string} */ log) => JSON.parse(log).runs[0].results.length;
  assert.ok(found(several) > 1 && found(nothing) === 0 && found(unread) === 2);
  const each = manifests.map((name) => sarif([...KNOWN, `${DENIED}/${name}`]));
  assert.ok(each.length > 5);
  deploy(['sarif', MODULE], [several, nothing, unread, sarif([...KNOWN, '-'], slip), ...each].join(''));
});

test('what is no SARIF is refused', () => {
  const wrong = (/** @type {(log: any) => void} */ change, /** @type {RegExp} */ message) => {
    const log = JSON.parse(several);
    change(log);
    assert.throws(() => deploy(['sarif', MODULE], JSON.stringify(log)), { message });
  };
  const physical = (/** @type {any} */ log) => log.runs[0].results[0].locations[0].physicalLocation;
  wrong((log) => (physical(log).region.startLine = -1), /log 1: .*startLine/);
  wrong(({ runs: [run] }) => (run.results[0].level = 'fatal'), /log 1: .*level/);
  wrong(({ runs: [run] }) => (run.results[0].rules = 'x'), /log 1: .*Additional property rules is not allowed/);
  wrong((log) => (log.version = '2.0.0'), /log 1: .*version/);
  wrong(({ runs: [run] }) => delete run.tool.driver.name, /log 1: .*name/);
});
