/** A proxy's stream through `slicewise/session`, and routes through `slicewise/tools`: the bytes of the native command. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { ROOT, SESSION_BUILDS, TOOLS_BUILDS } from './lib/builds.mjs';
import { NATIVE, invoke } from './lib/commands.mjs';
import { bytesOf } from './lib/inputs.mjs';

const decode = (/** @type {Uint8Array} */ bytes) => new TextDecoder().decode(bytes);
const LINES = readFileSync(join(ROOT, 'fuzz/seeds/proxy.ndjson'), 'utf8').trimEnd().split('\n');
const REQUEST = readFileSync(join(ROOT, 'fuzz/seeds/route.json'), 'utf8');

/** @param {string} code */
const refused = (code) => ({ name: 'SlicewiseError', code });

/** @type {string} the native command's answer to the lines */
let lines;
/** @type {string} and to the request */
let routed;
before(async () => {
  const proxy = await invoke(NATIVE, ['proxy', '--node', 'node-1', '--ndjson'], LINES.join('\n'));
  assert.equal(proxy.code, 0, proxy.stderr);
  lines = proxy.stdout.toString();
  const route = await invoke(NATIVE, ['route', '-o', 'json'], REQUEST);
  assert.equal(route.code, 0, route.stderr);
  routed = route.stdout.toString().trimEnd();
});

for (const { name, load } of SESSION_BUILDS) {
  describe(name, () => {
    /** @type {import('./lib/builds.mjs').SessionApi} */
    let api;
    before(async () => {
      api = await load();
    });

    it('answers lines as the native command does, through all doors', () => {
      const [bytes, text, value] = [0, 1, 2].map(() => new api.Proxier({ node: 'node-1' }));
      assert.ok(lines.includes('"staleConntrack":[0]'));
      assert.equal(LINES.map((line) => decode(bytes.feed(bytesOf(line)))).join(''), lines);
      assert.equal(LINES.map((line) => text.feed(line)).join(''), lines);
      const answers = LINES.map((line) => value.feed(JSON.parse(line))).filter((answer) => answer !== null);
      assert.deepEqual(answers, lines.trimEnd().split('\n').map((line) => JSON.parse(line)));
      for (const proxier of [bytes, text, value]) proxier.free();
    });

    it('is an iterator over the answers to lines, each fed when its answer is taken', () => {
      const [text, whole, value] = [0, 1, 2].map(() => new api.Proxier({ node: 'node-1' }));
      assert.equal([...text.answers(LINES)].map((line) => `${line}\n`).join(''), lines);
      assert.equal([...whole.answers(LINES.join('\n'))].map((line) => `${line}\n`).join(''), lines);
      let fed = 0;
      function* values() {
        for (const line of LINES) {
          fed += 1;
          yield JSON.parse(line);
        }
      }
      for (const answer of value.answers(values())) {
        assert.deepEqual(answer, JSON.parse(lines.split('\n', 1)[0]));
        break;
      }
      assert.ok(fed < LINES.length);
      assert.throws(() => text.answers(/** @type {any} */ (bytesOf('{}'))).next(), refused('InvalidType'));
      for (const proxier of [text, whole, value]) proxier.free();
    });

    it('refuses what it cannot read, and goes on', () => {
      assert.throws(() => new api.Proxier(/** @type {any} */ ({})), refused('MissingField'));
      assert.throws(() => new api.Proxier({ node: 'n', addressType: /** @type {any} */ ('FQDN') }), refused('InvalidValue'));
      assert.throws(() => new api.Proxier({ node: 'n' }, { maxInputBytes: 0 }), refused('InvalidValue'));
      const proxier = new api.Proxier({ node: 'n' });
      assert.throws(() => proxier.feed('{"sync": 1}'), refused('InvalidValue'));
      assert.deepEqual(proxier.feed({ sync: true })?.updatedServices, []);
      proxier.free();
      assert.throws(() => proxier.feed({ sync: true }), refused('Closed'));
    });
  });
}

for (const { name, load } of TOOLS_BUILDS) {
  describe(`${name}, tools`, () => {
    /** @type {import('./lib/builds.mjs').ToolsApi} */
    let api;
    before(async () => {
      api = await load();
    });

    it('routes as the native command does, through all doors', () => {
      assert.equal(api.route(REQUEST), routed);
      assert.equal(decode(api.route(bytesOf(REQUEST))), routed);
      assert.deepEqual(api.route(JSON.parse(REQUEST)), JSON.parse(routed));
      assert.throws(() => api.route('{}'), refused('MissingField'));
    });
  });
}
