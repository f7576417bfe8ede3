/** Behaviour specific to the commands: arguments, exit codes, and streams that continue. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { COMMANDS, NATIVE, invoke } from './lib/commands.mjs';
import { SMALL } from './lib/inputs.mjs';

const REQUEST = JSON.stringify(SMALL);

for (const { name, command } of COMMANDS) {
  describe(name, () => {
    it('explains itself', async () => {
      for (const args of [['--help'], ['plan', '--help']]) {
        const { code, stdout, stderr } = await invoke(command, args);
        assert.equal(code, 0, stderr);
        assert.match(stdout.toString(), /Usage: slicewise/);
        assert.match(stdout.toString(), /plan/);
      }
      const { stdout } = await invoke(command, ['--version']);
      assert.match(stdout.toString(), /^slicewise \d+\.\d+\.\d+\n$/);
    });

    it('lists its exit codes', async () => {
      const { stdout } = await invoke(command, ['plan', '--help']);
      assert.match(stdout.toString(), /Exit codes:\n {2}0 .*\n {2}1 .*\n {2}2 .*bad input/);
    });

    for (const args of [
      ['plan', '--ndjson', '-o', 'yaml'],
      ['plan', '--ndjson', '-o', 'summary'],
      ['--nonsense'],
      ['nonsense'],
      ['plan', '--nonsense'],
      ['plan', '-o', 'nonsense'],
      ['plan', 'a', 'b'],
      [],
    ]) {
      it(`refuses \`${args.join(' ')}\``, async () => {
        const { code, stdout, stderr } = await invoke(command, args, REQUEST);
        assert.equal(code, 2);
        assert.equal(stdout.length, 0);
        assert.ok(stderr.length > 0);
      });
    }

    it('says that a file cannot be read, which is bad input', async () => {
      const missing = await invoke(command, ['plan', 'no/such/file.json']);
      assert.equal(missing.code, 2);
      assert.match(JSON.parse(missing.stderr).error.message, /^cannot open no\/such\/file\.json: /);
      const folder = await invoke(command, ['plan', 'samples']);
      assert.equal(folder.code, 2);
      assert.match(JSON.parse(folder.stderr).error.message, /^cannot read samples: /);
    });

    it('reads `-` as standard input', async () => {
      const [dash, none] = await Promise.all([invoke(command, ['plan', '-'], REQUEST), invoke(command, ['plan'], REQUEST)]);
      assert.equal(dash.code, 0, dash.stderr);
      assert.deepEqual(dash.stdout, none.stdout);
    });

    it('takes line ends of both kinds, blank lines, and a last line without an end', async () => {
      const input = `${REQUEST}\r\n\n${REQUEST}\n  \n${REQUEST}`;
      const { code, stdout, stderr } = await invoke(command, ['plan', '--ndjson'], input);
      assert.equal(code, 0, stderr);
      const lines = stdout.toString().trimEnd().split('\n');
      assert.equal(lines.length, 3);
      assert.equal(new Set(lines).size, 1);
    });

    it('answers a line before the next one comes', { timeout: 600_000 }, async ({ signal }) => {
      const child = spawn(command[0], [...command.slice(1), 'plan', '--ndjson'], { stdio: ['pipe', 'pipe', 'inherit'], signal });
      child.on('error', () => {});
      const answers = child.stdout[Symbol.asyncIterator]();
      for (const request of [REQUEST, '{', REQUEST]) {
        child.stdin.write(`${request}\n`);
        let line = '';
        while (!line.endsWith('\n')) {
          const { value, done } = await answers.next();
          assert.ok(!done, 'the command ended');
          line += value;
        }
        assert.equal(line.startsWith('{"error":'), request === '{');
      }
      child.stdin.end();
      assert.equal(await new Promise((resolve) => child.on('close', resolve)), 2, 'one line was bad');
    });

    it('ends quietly when nobody reads on', { skip: process.platform === 'win32' && 'needs a POSIX shell' }, () => {
      const args = ['-c', '"$@" | head -n 1', 'sh', ...command, 'plan', '--ndjson'];
      const { stdout, stderr } = spawnSync('sh', args, { input: `${REQUEST}\n`.repeat(5_000), encoding: 'utf8' });
      assert.equal(stderr, '');
      assert.equal(stdout.split('\n').length, 2);
    });
  });
}

describe('--namespace', () => {
  const manifests = `apiVersion: v1
kind: Service
metadata: {name: cart}
spec: {selector: {app: cart}, ports: [{name: http, port: 80, targetPort: 8080}]}
---
apiVersion: v1
kind: Pod
metadata: {name: cart-1, labels: {app: cart}}
spec: {nodeName: n1, containers: [{name: c, ports: [{containerPort: 8080}]}]}
status: {phase: Running, podIPs: [{ip: 10.0.0.1}], conditions: [{type: Ready, status: "True"}]}
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: cart-x1, labels: {kubernetes.io/service-name: cart, endpointslice.kubernetes.io/managed-by: endpointslice-controller.k8s.io}}
addressType: IPv4
ports: [{name: http, port: 8080}]
endpoints: [{addresses: [10.0.0.1], nodeName: n1, conditions: {ready: true}, targetRef: {kind: Pod, name: cart-1}}]
---
apiVersion: v1
kind: Service
metadata: {name: elsewhere, namespace: bank}
spec: {selector: {app: elsewhere}, ports: [{port: 80}]}
---
{apiVersion: v1, kind: Node, metadata: {name: n1}}
`;
  const ASKED = [['plan', '-o', 'summary'], ['explain', '-v'], ['traffic'], ['route', '--node', 'n1']];

  it('is that of manifests without one, for every command alike', async () => {
    for (const args of ASKED) {
      const told = async (/** @type {string[]} */ more, input = manifests) => {
        const { code, stdout, stderr } = await invoke(NATIVE, [...args, ...more], input);
        assert.equal(code, 0, stderr);
        return stdout.toString();
      };
      const inShop = await told(['-', '-n', 'shop']);
      assert.match(inShop, /^shop\/cart:/m, args.join(' '));
      assert.match(inShop, /10\.0\.0\.1:8080|up to date|1 endpoint /);
      assert.doesNotMatch(inShop, /default|bank/);
      assert.match(await told(['-']), /^default\/cart:/m);
      // As if it had been written there.
      const written = manifests.replaceAll(/^metadata: \{name: (cart[^,}]*)/gm, 'metadata: {namespace: shop, name: $1');
      assert.equal(inShop, await told(['-', '-n', 'shop'], written));
    }
  });
});
