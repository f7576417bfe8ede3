/** The program of `app/` in runtimes other than Node, as documented. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createContext, runInContext } from 'node:vm';
import { ANSWERS, binary, makeConsumer, mustRun, recipe } from './lib/consumer.js';

/** @type {ReturnType<typeof makeConsumer>} */
let consumer;
before(() => {
  consumer = makeConsumer();
});
after(() => consumer?.remove());

/** The command of the documentation that begins with this. @param {string} heading @param {string} start */
function documented(heading, start) {
  const command = recipe(heading).find((each) => each.startsWith(start));
  assert.ok(command, start);
  return command;
}

describe('runtimes with files', () => {
  it('Bun', () => {
    const command = documented('Bun and Deno', 'bun main.js');
    assert.deepEqual(JSON.parse(mustRun(consumer.folder, command.replace('bun', binary('@oven', 'bin/bun')))), ANSWERS);
  });

  it('Deno', () => {
    const command = documented('Bun and Deno', 'deno run ');
    const env = { DENO_DIR: join(consumer.folder, '.deno'), DENO_NO_UPDATE_CHECK: '1' };
    assert.deepEqual(JSON.parse(mustRun(consumer.folder, command.replace('deno', binary('@deno', 'deno')), env)), ANSWERS);
  });
});

describe('workers without files', () => {
  it('takes a compiled module where there is only the language, WebAssembly and a text encoder', async () => {
    const built = 'npx esbuild main-compiled.js --bundle --format=iife --global-name=app --outfile=dist/app.js';
    const program = "export { init, plan } from 'slicewise/web';\nexport { init as initFull, policies } from 'slicewise/admission/web';\n";
    writeFileSync(join(consumer.folder, 'main-compiled.js'), program);
    mustRun(consumer.folder, built);
    const context = createContext({ WebAssembly, TextEncoder, TextDecoder });
    runInContext(readFileSync(join(consumer.folder, 'dist/app.js'), 'utf8'), context);
    const module = (/** @type {string} */ path) =>
      new WebAssembly.Module(readFileSync(join(consumer.folder, 'node_modules/slicewise/pkg/glue', path)));
    const { app } = context;
    assert.throws(() => app.plan('{}'), { code: 'NotReady' });
    await assert.rejects(app.init(), { code: 'LoadFailed', message: /pass the module to `init` of `slicewise\/web`/ });
    await app.init(module('slicewise_bg.wasm'));
    await app.initFull(module('full/slicewise_bg.wasm'));
    assert.equal(JSON.parse(app.plan('{"service": {"metadata": {"namespace": "shop", "name": "cart"}}}')).create.length, 0);
    assert.ok(app.policies().length > 0);
  });

  it('workerd', async () => {
    mustRun(consumer.folder, documented('Workers without files', 'npx esbuild '));
    const dist = join(consumer.folder, 'dist/workerd');
    writeFileSync(join(dist, 'workerd.capnp'), configuration(readdirSync(dist)));
    const workerd = spawn(binary('@cloudflare', 'bin/workerd'), ['serve', 'workerd.capnp', '--control-fd=3'], {
      cwd: dist,
      stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
    });
    try {
      const told = await new Promise((resolve, reject) => {
        workerd.stdio[3]?.on('data', (/** @type {Buffer} */ line) => resolve(JSON.parse(String(line))));
        workerd.once('error', reject).once('exit', (code) => reject(new Error(`workerd ended with ${code}`)));
      });
      const response = await fetch(`http://127.0.0.1:${told.port}/`);
      assert.deepEqual(await response.json(), ANSWERS);
    } finally {
      workerd.kill();
    }
  });
});

/** The worker and the modules it imports, as Wrangler would describe them. @param {string[]} files */
function configuration(files) {
  const script = files.filter((name) => name.endsWith('.js')).map((name) => `(name = "${name}", esModule = embed "${name}")`);
  const modules = files.filter((name) => name.endsWith('.wasm')).map((name) => `(name = "${name}", wasm = embed "${name}")`);
  assert.deepEqual([script.length, modules.length], [1, 2]);
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (modules = [${[...script, ...modules].join(', ')}], compatibilityDate = "2026-11-01"))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`;
}
