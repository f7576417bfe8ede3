/** The recipes of docs/ci.md and the action: their shell lines run, on manifests that are allowed, denied, and unreadable. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';
import { ROOT } from './lib/builds.mjs';
import { NATIVE } from './lib/commands.mjs';
import { blocksOf, textOf } from './lib/markdown.mjs';

const { version } = JSON.parse(textOf('package.json'));
const ACTION = parse(textOf('action.yml'));
const PACKAGE = `slicewise@${version}`;

/** The recipes, by the name of the file that they are. @type {Record<string, any>} */
const RECIPES = Object.fromEntries(
  blocksOf(textOf('docs/ci.md'))
    .filter(({ language }) => language === 'yaml')
    .map(({ code }) => [/^# (\S+)\n/.exec(code)?.[1] ?? '', parse(code)]),
);

/** `npx`, which takes the command under test for the package. */
const NPX = `#!/bin/sh
[ "$1 $2 $3 $4" = "--yes --package \${EXPECTED:-${PACKAGE}} --" ] || { echo "npx $*" >&2; exit 99; }
shift 4
exec "$@"
`;

const MANIFESTS = {
  allowed: `apiVersion: v1
kind: Service
metadata: {name: ok, namespace: shop}
spec: {selector: {app: cart}, ports: [{port: 80, targetPort: 8080}]}
`,
  denied: textOf('examples/review/denied/service-blast-radius.yaml'),
  unreadable: 'kind: [',
};

/**
 * A project with one manifest, and a shell in it.
 * @param {import('node:test').TestContext} t @param {keyof typeof MANIFESTS} name
 */
function project(t, name) {
  const folder = mkdtempSync(join(tmpdir(), 'slicewise-ci-'));
  t.after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'manifests'));
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'manifests/service.yaml'), MANIFESTS[name]);
  copyFileSync(join(ROOT, 'samples/cluster-at-rest.json'), join(folder, 'cluster.json'));
  writeFileSync(join(folder, 'bin/npx'), NPX);
  chmodSync(join(folder, 'bin/npx'), 0o755);
  const path = [join(folder, 'bin'), dirname(NATIVE[0]), process.env.PATH].join(delimiter);
  /** @param {string[]} command @param {NodeJS.ProcessEnv} [env] @param {string} [cwd] */
  const run = ([program, ...args], env = {}, cwd = folder) =>
    spawnSync(program, args, { cwd, encoding: 'utf8', env: { ...process.env, PATH: path, ...env } });
  return { run, read: (/** @type {string} */ file) => readFileSync(join(folder, file), 'utf8'), folder };
}

/**
 * What GitHub runs of the action.
 * @param {ReturnType<typeof project>} project @param {Record<string, string>} given @param {NodeJS.ProcessEnv} [more]
 */
function act({ run }, given, more = {}) {
  const [step, ...others] = ACTION.runs.steps;
  assert.deepEqual([ACTION.runs.using, step.shell, others], ['composite', 'bash', []]);
  for (const name of Object.keys(given)) assert.ok(name in ACTION.inputs, `the action has no input ${name}`);
  for (const [name, { required }] of Object.entries(ACTION.inputs)) assert.ok(!required || name in given, `${name} is required`);
  const value = (/** @type {string} */ name) => given[name] ?? ACTION.inputs[name].default;
  const env = Object.entries(step.env).map(([key, text]) => [
    key,
    String(text).replace(/\$\{\{ inputs\.(\S+) \}\}/g, (_, /** @type {string} */ name) => value(name)),
  ]);
  assert.doesNotMatch(step.run, /\$\{\{/, 'values are not in the script');
  return run(['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run], { ...Object.fromEntries(env), ...more });
}

const DENIED = /service-blast-radius\/emptied/;

describe('the action', () => {
  it('names the version of this package', () => assert.equal(ACTION.inputs.package.default, PACKAGE));

  it('prints what kubectl would, and fails if something is denied', (t) => {
    const allowed = act(project(t, 'allowed'), { files: 'manifests', snapshot: 'cluster.json' });
    assert.deepEqual([allowed.status, allowed.stdout], [0, 'Service shop/ok: allowed\n'], allowed.stderr);
    const denied = act(project(t, 'denied'), { files: 'manifests', snapshot: 'cluster.json' });
    assert.equal(denied.status, 1, denied.stderr);
    assert.match(denied.stdout, DENIED);
    assert.equal(act(project(t, 'unreadable'), { files: 'manifests' }).status, 2);
  });

  it('takes every input, and none as code', (t) => {
    const place = project(t, 'allowed');
    writeFileSync(join(place.folder, 'manifests/$(touch broken).yaml'), MANIFESTS.denied);
    writeFileSync(join(place.folder, 'webhook.yaml'), 'policies: {service-blast-radius: {mode: warn}}');
    writeFileSync(join(place.folder, 'old.yaml'), MANIFESTS.denied.replace('catlog', 'catalog'));
    const given = {
      'files': 'manifests/service.yaml\n\nmanifests/$(touch broken).yaml\n',
      'snapshot': 'cluster.json',
      'config': 'webhook.yaml',
      'from': 'old.yaml',
      'fail-on': 'warn',
      'baseline': 'known.json',
      'output': 'junit',
      'report': 'out.xml',
      'package': './archive.tgz',
    };
    const archive = { EXPECTED: given.package };
    const known = act(place, { ...given, baseline: '', output: 'json', report: '' }, archive);
    assert.equal(known.status, 1, 'a warning fails, unless it is known');
    writeFileSync(join(place.folder, 'known.json'), known.stdout);
    assert.deepEqual(Object.keys(given).sort(), Object.keys(ACTION.inputs).sort());
    const { status, stdout, stderr } = act(place, given, archive);
    assert.deepEqual([status, stdout], [0, ''], stderr);
    const report = place.read('out.xml');
    assert.match(report, /tests="2" failures="0"/);
    assert.match(report, DENIED, 'as a warning, for that is the configuration');
    assert.throws(() => place.read('broken'), { code: 'ENOENT' });
  });
});

describe('the recipes of docs/ci.md', () => {
  it('are these', () =>
    assert.deepEqual(Object.keys(RECIPES), ['.github/workflows/slicewise.yaml', '.gitlab-ci.yml', '.pre-commit-config.yaml', 'plugin.yaml']));

  it('GitHub: the findings are in the file that is uploaded', (t) => {
    const { steps } = RECIPES['.github/workflows/slicewise.yaml'].jobs.review;
    const { with: given } = steps.find((/** @type {any} */ step) => step.uses === './.github/actions/slicewise');
    const upload = steps.find((/** @type {any} */ step) => step.uses.startsWith('github/codeql-action/upload-sarif@'));
    for (const [name, status] of /** @type {const} */ ([['allowed', 0], ['denied', 1]])) {
      const place = project(t, name);
      const { status: ended, stderr } = act(place, given);
      assert.equal(ended, status, stderr);
      const [{ results }] = JSON.parse(place.read(upload.with.sarif_file)).runs;
      const found = results.map((/** @type {any} */ { ruleId, locations: [first] }) => [ruleId, first.physicalLocation.artifactLocation.uri]);
      assert.deepEqual(found, name === 'denied' ? [['service-blast-radius/emptied', 'manifests/service.yaml']] : []);
    }
  });

  it('GitLab: denials are failed tests', (t) => {
    const { script, artifacts } = RECIPES['.gitlab-ci.yml'].slicewise;
    for (const [name, status, counts] of /** @type {const} */ ([['allowed', 0, 'tests="1" failures="0"'], ['denied', 1, 'tests="1" failures="1"']])) {
      const place = project(t, name);
      const ended = place.run(['sh', '-ec', script.join('\n')]);
      assert.equal(ended.status, status, ended.stderr);
      assert.ok(place.read(artifacts.reports.junit).includes(counts));
    }
  });

  it('pre-commit: the hook runs if a manifest changes, with the command of the package', (t) => {
    const [hook] = RECIPES['.pre-commit-config.yaml'].repos[0].hooks;
    assert.deepEqual([hook.language, hook.additional_dependencies, hook.pass_filenames], ['node', [PACKAGE], false]);
    const counts = new RegExp(hook.files);
    assert.deepEqual(['manifests/service.yaml', 'cluster.json', 'src/main.go'].map((file) => counts.test(file)), [true, true, false]);
    for (const [name, status] of /** @type {const} */ ([['allowed', 0], ['denied', 1], ['unreadable', 2]])) {
      const ended = project(t, name).run(hook.entry.split(' '));
      assert.equal(ended.status, status, ended.stderr);
    }
  });

  it('Argo CD: generates the manifests, or nothing and the reason', (t) => {
    const { command, args } = RECIPES['plugin.yaml'].spec.generate;
    const generate = (/** @type {keyof typeof MANIFESTS} */ name, /** @type {boolean} */ hasDump) => {
      const { run, folder } = project(t, name);
      return run([...command, ...args], hasDump ? { ARGOCD_ENV_SNAPSHOT: join(folder, 'cluster.json') } : {}, join(folder, 'manifests'));
    };
    for (const hasDump of [true, false]) {
      const allowed = generate('allowed', hasDump);
      assert.equal(allowed.status, 0, allowed.stderr);
      assert.deepEqual(parseAllDocuments(allowed.stdout).map((each) => each.toJS()), [parse(MANIFESTS.allowed)]);
    }
    const denied = generate('denied', true);
    assert.deepEqual([denied.status, denied.stdout], [1, '']);
    assert.match(denied.stderr, DENIED);
    assert.deepEqual([generate('unreadable', true).status, generate('unreadable', true).stdout], [2, '']);
  });

  it('tests of the configuration', (t) => {
    const [command, ...others] = blocksOf(textOf('docs/ci.md')).filter(({ code }) => code.startsWith('slicewise '));
    const { status, stdout, stderr } = project(t, 'allowed').run(['sh', '-ec', command.code], {}, ROOT);
    assert.deepEqual([status, others], [0, []], stderr);
    assert.match(stdout, /^1\.\.\d+\nok 1 - /);
  });

  it('name no other version', () => {
    const named = [...textOf('docs/ci.md').matchAll(/slicewise@[\w.-]+/g)].map(([name]) => name);
    assert.ok(named.length >= 3 && named.every((name) => name === PACKAGE), String(named));
  });
});
