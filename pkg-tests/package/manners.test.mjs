/**
 * The native command's manners in a shell: man pages and completions equal those in the package, errors
 * have a form that suits their reader, and output stops when nobody reads it. `UPDATE=1` rewrites the pages and completions.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ROOT } from './lib/builds.mjs';
import { NATIVE, invoke } from './lib/commands.mjs';

const UPDATE = Boolean(process.env.UPDATE);
const SHELLS = ['bash', 'fish', 'zsh'];
/** What the package's command refuses: WebAssembly has no sockets. */
const NATIVE_ONLY = ['controller', 'serve', 'watch'];
const SAMPLE = 'www/samples/scale-up.json';
const CLUSTER = 'samples/cluster-at-rest.json';
const SLICES = ['samples/slices-before.yaml', 'samples/slices-after.yaml'];
const MISTAKE = { code: 'InvalidType', path: '/items/0/metadata/name' };

/** The names of all commands, from the help. */
async function commands() {
  const { stdout } = await invoke(NATIVE, ['--help']);
  const [, list = ''] = /^Commands:\n(.*?)\n\n/ms.exec(stdout.toString()) ?? [];
  const names = [...list.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name]) => name ?? '').filter((name) => name !== 'help');
  assert.ok(names.length > 10, list);
  return names;
}

/** @param {string[]} args */
async function printed(args) {
  const { code, stdout, stderr } = await invoke(NATIVE, args);
  assert.equal(code, 0, stderr);
  return stdout.toString();
}

/**
 * Asserts the files of a folder.
 * @param {string} folder @param {Record<string, string>} files
 */
function assertFiles(folder, files) {
  const path = join(ROOT, folder);
  if (UPDATE) {
    rmSync(path, { recursive: true, force: true });
    mkdirSync(path, { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  }
  assert.deepEqual(readdirSync(path).sort(), Object.keys(files).sort(), `${folder}: UPDATE=1 writes it`);
  for (const [name, text] of Object.entries(files)) {
    assert.equal(readFileSync(join(path, name), 'utf8'), text, `${folder}/${name}: UPDATE=1 writes it`);
  }
}

describe('what comes with the package', () => {
  it('man pages of the commands that it has', async () => {
    /** @type {Record<string, string>} */
    const pages = { 'slicewise.1': await printed(['man']) };
    const has = (/** @type {string} */ name) => !NATIVE_ONLY.includes(name);
    for (const name of (await commands()).filter(has)) pages[`slicewise-${name}.1`] = await printed(['man', name]);
    assertFiles('npm/man', pages);
    const { man } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    assert.deepEqual(man, Object.keys(pages).sort().map((name) => `./npm/man/${name}`));
    for (const [name, text] of Object.entries(pages)) {
      assert.match(text, new RegExp(`^\\.TH ${name.replace('.1', '')} 1 `, 'm'));
      assert.match(text, /^\.SH SYNOPSIS$/m, name);
    }
    assert.match(pages['slicewise-plan.1'] ?? '', /max\\-endpoints\\-per\\-slice/);
    const { code, stderr } = await invoke(NATIVE, ['man', 'plam']);
    assert.equal(code, 2);
    assert.match(stderr, /there is no command `plam`; the commands are plan, explain, /);
  });

  it('its version, for people and programs', async () => {
    const version = /^version = "(.*)"$/m.exec(readFileSync(join(ROOT, 'Cargo.toml'), 'utf8'))?.[1];
    const [, minor] = /`k8s\.io\/endpointslice` v0\.(\d+)/.exec(readFileSync(join(ROOT, 'README.md'), 'utf8')) ?? [];
    const reference = `v1.${minor}`;
    assert.deepEqual(JSON.parse(await printed(['version', '-o', 'json'])), { version, reference });
    assert.equal(await printed(['version']), `slicewise ${version}, as Kubernetes ${reference}\n`);
  });

  it('completions', async () => {
    /** @type {Record<string, string>} */
    const scripts = {};
    for (const shell of SHELLS) scripts[`slicewise.${shell}`] = await printed(['completions', shell]);
    assertFiles('npm/completions', scripts);
  });
});

/** Every command that prints, each with a suitable input. */
const PRINTING = [
  ...['json', 'yaml', 'diff', 'summary'].map((output) => ['plan', SAMPLE, '-o', output]),
  ['plan', '--ndjson', 'fuzz/seeds/proxy.ndjson'],
  ['explain', CLUSTER],
  ['diff', ...SLICES],
  ['mirror', CLUSTER],
  ['simulate', '--bundled', 'rolling-update'],
  ['simulate', '--list'],
  ['proxy', '--node', 'node-1', '--ndjson', 'fuzz/seeds/proxy.ndjson'],
  ['lint-config', 'samples/webhook-configurations.yaml'],
  ['route', CLUSTER, '--node', 'gke-prod-pool-00'],
  ['traffic', CLUSTER],
  ['version'],
  ['completions', 'zsh'],
  ['man'],
  ['--help'],
];

describe('a closed pipe', () => {
  for (const args of PRINTING) {
    it(`ends ${args.join(' ')} quietly`, async () => {
      // By then, the reader is gone.
      const script = '{ sleep 0.2; "$@"; echo "exit $?" >&2; } | true';
      const child = spawn('bash', ['-c', script, 'bash', ...NATIVE, ...args], { cwd: ROOT, stdio: ['ignore', 'ignore', 'pipe'] });
      let told = '';
      child.stderr.on('data', (chunk) => (told += chunk));
      await new Promise((resolve) => child.on('close', resolve));
      assert.equal(told, 'exit 0\n');
    });
  }
});

/** The output at a terminal. @param {string[]} args @param {number} [columns] @param {{rows?: number, pager?: string}} [more] */
function atTerminal(args, columns = 80, { rows = 100, pager = 'cat' } = {}) {
  const quoted = [...NATIVE, ...args].map((arg) => `'${arg}'`).join(' ');
  const command = ['-qefc', `stty cols ${columns} rows ${rows}; ${quoted}`, '/dev/null'];
  const env = { ...process.env, PAGER: pager };
  const { stdout, status, error } = spawnSync('script', command, { cwd: ROOT, encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'pipe'] });
  assert.ifError(error);
  return { text: stdout.replaceAll('\r\n', '\n'), status };
}

describe('a plan', () => {
  it('is a summary for people and JSON for programs', async () => {
    for (const args of [['plan', CLUSTER], ['mirror', 'samples/endpoints.yaml']]) {
      const program = await invoke(NATIVE, args);
      const told = await invoke(NATIVE, [...args, '-o', 'summary']);
      const data = program.stdout.toString();
      assert.ok(JSON.parse(data));
      const { text, status } = atTerminal(args);
      assert.equal(status, 0);
      // Lines are only broken.
      const words = (/** @type {string} */ lines) => lines.split(/\s+/).join(' ');
      assert.equal(words(text), words(told.stdout.toString()));
      assert.ok(text.split('\n').every((line) => line.length <= 80), text);
      assert.equal(atTerminal([...args, '-o', 'json']).text, data);
    }
  });

  it('goes through the pager if it is long, as do traffic and routes', () => {
    for (const args of [['plan', CLUSTER], ['plan', 'samples/one-change.yaml', '-o', 'diff'], ['traffic', CLUSTER]]) {
      const paged = { rows: 3, pager: 'sed s/^/paged:/' };
      assert.match(atTerminal(args, 80, paged).text, /^paged:/m, args.join(' '));
      assert.doesNotMatch(atTerminal([...args, '--no-pager'], 80, paged).text, /^paged:/m);
    }
  });
});

describe('a mistake', () => {
  const input = '{"kind":"List","items":[{"kind":"Service","metadata":{"name":7}}]}';
  const folder = join(ROOT, 'target/manners');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'mistake.json');
  writeFileSync(file, input);

  it('is a sentence at a terminal, and where', () => {
    const { text, status } = atTerminal(['plan', file]);
    assert.match(
      text,
      /^slicewise: invalid type for `name`: number `7`, expected a string; write it in quotes\n {2}InvalidType at \/items\/0\/metadata\/name, line 1, column \d+\n$/,
    );
    assert.equal(status, 2);
    const missing = atTerminal(['plan', 'no/such/file']);
    assert.deepEqual(missing, { text: 'slicewise: cannot open no/such/file: No such file or directory\n  FileUnreadable\n', status: 2 });
  });

  it('is JSON where it is asked for', () => {
    const { text, status } = atTerminal(['plan', file, '-o', 'json']);
    const { code, path } = JSON.parse(text).error;
    assert.deepEqual({ code, path }, MISTAKE);
    assert.equal(status, 2);
  });

  it('is JSON for programs, whatever is wrong', async () => {
    const { stderr } = await invoke(NATIVE, ['plan', '-o', 'summary'], input);
    const { code, path } = JSON.parse(stderr).error;
    assert.deepEqual({ code, path }, MISTAKE);
    const unreadable = await invoke(NATIVE, ['plan', 'no/such/file']);
    assert.deepEqual(JSON.parse(unreadable.stderr), {
      error: { code: 'FileUnreadable', message: 'cannot open no/such/file: No such file or directory' },
    });
    const misuse = await invoke(NATIVE, ['plan', '--max-endpoints-per-slice', '0']);
    assert.deepEqual(JSON.parse(misuse.stderr), {
      error: { code: 'InvalidUsage', message: "invalid value '0' for '--max-endpoints-per-slice <N>': 0 is not in 1..=1000" },
    });
    assert.equal(misuse.code, 2);
    const half =
      '{"kind":"List","metadata":{"continue":"x"},"items":[{"kind":"Service","metadata":{"name":"cart"},"spec":{"selector":{"app":"cart"}}}]}';
    for (const args of [['plan', '-o', 'patch'], ['explain', '--service', 'till'], ['traffic', '--service', 'till']]) {
      const { error } = JSON.parse((await invoke(NATIVE, args, half)).stderr);
      assert.match(
        error.message,
        args[0] === 'plan' ? /--assume-complete prints them anyway$/ : /^--service: there is no Service `till` in the input; it has `default\/cart`$/,
      );
    }
  });

  it('in the arguments comes with the usage at a terminal', () => {
    const { text, status } = atTerminal(['explain', '--nope']);
    assert.match(text, /^slicewise: unexpected argument '--nope' found\n[^]*\nUsage: slicewise explain [^]*For more information, try '--help'\.\n$/);
    assert.equal(status, 2);
    assert.equal(JSON.parse(atTerminal(['explain', '--nope', '-o', 'json']).text).error.code, 'InvalidUsage');
  });

  it('is told at the narrowest of terminals', () => {
    for (const columns of [1, 7, 20]) {
      const { text, status } = atTerminal(['traffic', CLUSTER], columns);
      assert.equal(status, 0, text);
      assert.match(text, /from zone to zone/);
      assert.equal(atTerminal(['plan', '--help'], columns).status, 0);
    }
  });
});

describe('explanations at a terminal', () => {
  const sample = 'samples/questions/0008-too-few-endpoints.json';
  const args = ['explain', sample, '-v', '--color', 'never'];

  it('are as wide as it is, up to 100 columns', async () => {
    const whole = await printed(args);
    const words = (/** @type {string} */ text) => text.split(/\s+/).join(' ');
    for (const columns of [60, 100, 200]) {
      const { text } = atTerminal(args, columns);
      const widest = Math.max(...text.split('\n').map((line) => [...line].length));
      assert.ok(widest <= Math.min(columns, 100) && widest > columns / 3, `${columns}: ${widest}`);
      assert.equal(words(text), words(whole));
    }
  });

  it('go through the pager if they are longer than the screen', async () => {
    const pager = "sed 's/^/| /'";
    const paged = atTerminal(args, 80, { rows: 5, pager }).text;
    assert.ok(paged.split('\n').slice(0, -1).every((line) => line.startsWith('| ')), paged);
    for (const more of [{ rows: 500, pager }, { rows: 5, pager: 'cat' }, { rows: 5, pager: '' }]) {
      assert.doesNotMatch(atTerminal(args, 80, more).text, /^\| /m);
    }
    assert.doesNotMatch(atTerminal([...args, '--no-pager'], 80, { rows: 5, pager }).text, /^\| /m);
    // A pager that does not exist, and one that quits early, are no reason to fail.
    const missing = atTerminal(args, 80, { rows: 5, pager: 'no-such-pager' });
    assert.equal(missing.text, atTerminal(args, 80).text);
    assert.equal(atTerminal(args, 80, { rows: 5, pager: 'head -n 1' }).status, 0);
    assert.doesNotMatch((await invoke(NATIVE, args)).stdout.toString(), /^\| /m);
  });
});

describe('explanations for CI', () => {
  it('are a test per Service, with everything escaped', async () => {
    const name = 'a\u001b]0;"<&>';
    const spec = { clusterIP: '10.96.0.1', selector: { app: '<x>' }, ports: [{ port: 80, protocol: 'TCP' }] };
    const items = [{ kind: 'Service', metadata: { namespace: 'shop', name, uid: 'u' }, spec }];
    const { stdout, code } = await invoke(NATIVE, ['explain', '-o', 'junit'], JSON.stringify({ kind: 'List', items }));
    assert.equal(code, 0);
    const text = stdout.toString();
    assert.match(text, /^<\?xml version="1.0" encoding="UTF-8"\?>\n<testsuites tests="1" failures="1" errors="0">\n/);
    assert.match(text, /<testcase classname="shop" name="a\\u\{1b\}\]0;&quot;&lt;&amp;&gt;">\n {6}<failure type="broken" message="[^"<>]*">[^<>]*<\/failure>\n {4}<\/testcase>/);
    assert.doesNotMatch(text, /[^\P{Cc}\n]/u);
  });
});

describe('--selector', () => {
  // Whatever it left out would look like no difference, or allowed.
  it('is refused where it would hide something, with what to do instead', async () => {
    for (const args of [
      ['diff', ...SLICES],
      ['diff', SLICES[0] ?? '', '-n', 'shop'],
      ['review', '-f', 'examples/review/denied', '-A'],
      ['review', SAMPLE],
    ]) {
      for (const selector of [['-l', 'app=cart'], ['--selector=app=cart']]) {
        const { code, stdout, stderr } = await invoke(NATIVE, [...args, ...selector]);
        assert.equal(code, 2);
        assert.equal(stdout.toString(), '');
        const { error } = JSON.parse(stderr);
        assert.equal(error.code, 'InvalidUsage');
        assert.match(
          error.message,
          args[0] === 'diff'
            ? /hide what differs: .* name the Service with '--service'/
            : /what nobody has reviewed: .* give the manifests to review with '-f'/,
        );
      }
    }
  });
});

describe('what kubectl prints', () => {
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace: 'shop', name: 'cart' },
    spec: { selector: { app: 'cart' }, ipFamilies: ['IPv4'], ports: [{ port: 80 }] },
  };
  const pod = (/** @type {string} */ name, /** @type {string} */ version, ready = 'True') => ({
    apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'shop', name, labels: { app: 'cart' }, resourceVersion: version },
    spec: { nodeName: 'n' },
    status: { podIP: '10.0.0.1', podIPs: [{ ip: `10.0.0.${name.slice(-1)}` }], conditions: [{ type: 'Ready', status: ready }] },
  });
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } };
  const pretty = (/** @type {unknown} */ object) => `${JSON.stringify(object, null, 4)}\n`;
  const event = (/** @type {string} */ type, /** @type {unknown} */ object) => pretty({ type, object });

  /** @param {string} input @param {string[]} [args] */
  async function endpoints(input, args = []) {
    const { code, stdout, stderr } = await invoke(NATIVE, ['plan', '-o', 'summary', ...args], input);
    assert.equal(code, 0, stderr);
    return /shop\/cart: (.*)/.exec(stdout.toString())?.[1];
  }

  it('with --watch: of an object that comes again, the last version counts', async () => {
    const stream = [service, node, pod('cart-1', '1', 'False'), pod('cart-2', '2'), pod('cart-1', '3')].map(pretty).join('');
    assert.match((await endpoints(stream)) ?? '', /^2 endpoints/);
    const { stdout } = await invoke(NATIVE, ['plan', '--service', 'cart'], stream);
    const ready = JSON.parse(stdout.toString()).create[0].endpoints.map((/** @type {any} */ endpoint) => endpoint.conditions.ready);
    assert.deepEqual(ready, [true, true]);
    const moved = (/** @type {string} */ version, /** @type {string} */ zone) => ({
      ...node,
      metadata: { name: 'n', resourceVersion: version, labels: { 'topology.kubernetes.io/zone': zone } },
    });
    const again = { ...service, metadata: { ...service.metadata, resourceVersion: '7' } };
    const nodes = [moved('1', 'old'), again, moved('2', 'new'), { ...again, metadata: { ...again.metadata, resourceVersion: '8' } }]
      .map(pretty)
      .join('');
    for (const args of [['traffic', '-o', 'json'], ['route', '--node', 'n', '-o', 'json'], ['explain', '-o', 'json'], ['plan']]) {
      const told = await invoke(NATIVE, args, nodes);
      assert.equal(told.code, 0, `${args}: ${told.stderr}`);
      assert.doesNotMatch(told.stdout.toString(), /"old"/);
      if (args[0] === 'traffic') assert.match(told.stdout.toString(), /"zone":"new"/);
    }
    // In one list, it needs a version unless it is the same.
    const twice = (/** @type {object} */ other) => invoke(NATIVE, ['plan'], pretty({ kind: 'List', items: [service, other] }));
    assert.equal((await twice(service)).code, 0);
    assert.match((await twice({ ...service, spec: { selector: { app: 'other' } } })).stderr, /appears twice/);
  });

  it('with --output-watch-events: what is deleted is gone', async () => {
    const added = [service, node, pod('cart-1', '1'), pod('cart-2', '2')].map((object) => event('ADDED', object));
    const stream = [...added, event('DELETED', pod('cart-2', '3'))].join('');
    assert.match((await endpoints(stream)) ?? '', /^1 endpoint/);
    for (const command of ['explain', 'route', 'traffic', 'mirror']) {
      const args = command === 'route' ? [command, '--node', 'n'] : [command];
      const { code, stderr } = await invoke(NATIVE, args, stream);
      assert.equal(code, 0, `${command}: ${stderr}`);
    }
  });

  it('a list, and what a watch prints after it, in one stream', async () => {
    const old = pod('cart-2', '2', 'False');
    const list = pretty({ apiVersion: 'v1', kind: 'List', items: [service, node, pod('cart-1', '1'), old] });
    // The first events repeat the list.
    const events = [
      event('ADDED', pod('cart-1', '1')),
      event('ADDED', old),
      event('MODIFIED', pod('cart-2', '3')),
      event('ADDED', pod('cart-3', '4')),
      event('DELETED', pod('cart-1', '5')),
    ].join('');
    assert.match((await endpoints(list)) ?? '', /^2 endpoints/);
    const planned = async (/** @type {string} */ input) => JSON.parse((await invoke(NATIVE, ['plan', '--service', 'cart'], input)).stdout.toString());
    const expected = await planned(pretty({ kind: 'List', items: [service, node, pod('cart-2', '3'), pod('cart-3', '4')] }));
    const found = await planned(list + events);
    assert.deepEqual(found.create[0].endpoints, expected.create[0].endpoints);
    assert.deepEqual(found.create[0].endpoints.map((/** @type {any} */ endpoint) => endpoint.targetRef.name), ['cart-2', 'cart-3']);
    // Objects without events, as `kubectl get --watch -o json` prints them, and again a list of something else.
    const others = [pod('cart-2', '6', 'False'), { kind: 'NodeList', apiVersion: 'v1', items: [{ metadata: { name: 'm' } }] }].map(pretty).join('');
    const after = (await planned(list + events + others)).create[0].endpoints;
    assert.deepEqual(after.map((/** @type {any} */ endpoint) => endpoint.conditions.ready), [false, true]);
    for (const args of [['explain'], ['mirror'], ['traffic'], ['route', '--node', 'n']]) {
      const whole = await invoke(NATIVE, [...args, '-o', 'json'], list + events);
      assert.equal(whole.code, 0, `${args}: ${whole.stderr}`);
      const settled = pretty({ apiVersion: 'v1', kind: 'List', items: [service, node, pod('cart-2', '3'), pod('cart-3', '4')] });
      const answer = (/** @type {Buffer} */ stdout) => ({ ...JSON.parse(stdout.toString()), ignored: undefined });
      assert.deepEqual(answer(whole.stdout), answer((await invoke(NATIVE, [...args, '-o', 'json'], settled)).stdout), args[0]);
    }
  });

  it('the same in files of their own, and in streams that are read in pieces', async () => {
    const items = Array.from({ length: 2000 }, (_, number) => ({
      ...pod(`cart-${number}`, '1'),
      status: { podIPs: [{ ip: `10.1.${number >> 8}.${number & 255}` }], conditions: [{ type: 'Ready', status: 'True' }] },
    }));
    const list = pretty({ apiVersion: 'v1', kind: 'List', items: [service, node, ...items] });
    const events = items.slice(10).map((item) => event('DELETED', item)).join('');
    assert.ok(list.length > 1 << 20 && events.length > 1 << 20);
    assert.match((await endpoints(list + events)) ?? '', /^10 endpoints/);
    const folder = mkdtempSync(join(tmpdir(), 'slicewise-events-'));
    writeFileSync(join(folder, 'events.json'), events);
    writeFileSync(join(folder, 'few.json'), event('DELETED', items[0]));
    for (const [file, expected] of [['events.json', /^10 endpoints/], ['few.json', /^1999 endpoints/]]) {
      const { code, stdout, stderr } = await invoke(NATIVE, ['plan', '-o', 'summary', '-f', '-', '-f', join(folder, String(file))], list);
      assert.equal(code, 0, stderr);
      assert.match(/shop\/cart: (.*)/.exec(stdout.toString())?.[1] ?? '', /** @type {RegExp} */ (expected));
    }
    rmSync(folder, { recursive: true });
    const wrong = await invoke(NATIVE, ['plan'], `${list}${events}{"type":"ADDED","object":{"kind":"Pod","metadata":{"name":7}}}\n`);
    assert.equal(wrong.code, 2);
    const { error } = JSON.parse(wrong.stderr);
    assert.deepEqual(
      [error.code, error.path, error.line, error.column],
      ['InvalidType', `/${1 + 1990}/object/metadata/name`, list.split('\n').length - 1 + events.split('\n').length, 59],
    );
  });

  it('one after another, and requests one at a time', async () => {
    assert.match((await endpoints([service, node, pod('cart-1', '1')].map((object) => JSON.stringify(object)).join('\n'))) ?? '', /^1 endpoint/);
    const request = JSON.stringify({ service });
    const refused = await invoke(NATIVE, ['plan'], `${request}\n${request}\n`);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /--ndjson takes one request on each line/);
    const { code, stdout } = await invoke(NATIVE, ['plan', '--ndjson'], `${request}\n${request}\n`);
    assert.equal(code, 0, 'and so it does');
    assert.equal(stdout.toString().trim().split('\n').length, 2);
  });

  it('names without their namespace, and pods with it', async () => {
    const input = [service, node, pod('cart-1', '1', 'False')].map(pretty).join('');
    for (const args of [['--service', 'cart'], ['--pod', 'cart-1'], ['--pod', 'shop/cart-1']]) {
      const { code, stdout, stderr } = await invoke(NATIVE, ['explain', ...args], input);
      assert.equal(code, 0, stderr);
      assert.match(stdout.toString(), /cart-1 is not ready/, args.join(' '));
    }
    const { stderr } = await invoke(NATIVE, ['explain', '--pod', 'prod/cart-1'], input);
    assert.match(stderr, /there is no pod `prod\/cart-1` in the input; did you mean `shop\/cart-1`\?/);
  });

  it('ports that are none are told with their place', async () => {
    const wrong = structuredClone(service);
    wrong.spec.ports = [/** @type {any} */ ({ port: 'eighty' })];
    const { error } = JSON.parse((await invoke(NATIVE, ['plan'], pretty(wrong))).stderr);
    assert.equal(error.path, '/spec/ports/0/port');
    assert.match(error.message, /expected a number from 1 to 65535; a name belongs in `targetPort`$/);
  });
});
