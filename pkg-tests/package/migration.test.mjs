/** Plans without pods, in every build of the tools: the command's answers, through every function. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';
import { ROOT, TOOLS_BUILDS } from './lib/builds.mjs';
import { COMMANDS, invoke } from './lib/commands.mjs';

const read = (/** @type {string} */ file) => readFileSync(join(ROOT, 'samples', file), 'utf8');
const OBJECTS = parseAllDocuments(read('endpoints.yaml')).map((document) => document.toJS());
const [service, endpoints, slice] = OBJECTS;
const SERVER = parse(read('api-servers.yaml'));

const bytesOf = (/** @type {unknown} */ value) => new TextEncoder().encode(JSON.stringify(value));
const decode = (/** @type {Uint8Array} */ bytes) => new TextDecoder().decode(bytes);

/** @type {{door: 'mirror' | 'mirrorSnapshot' | 'kubernetesService', command: string, input: any, bad: any, path: string}[]} */
const CALLS = [
  { door: 'mirror', command: 'mirror', input: { service, endpoints, slices: [slice] }, bad: { service, slices: 7 }, path: '/slices' },
  {
    door: 'mirrorSnapshot',
    command: 'mirror',
    input: { kind: 'List', items: OBJECTS },
    bad: { kind: 'List', items: [endpoints, { ...endpoints, subsets: [] }] },
    path: '/items/1/metadata/name',
  },
  { door: 'kubernetesService', command: 'kubernetes-service', input: SERVER, bad: { ...SERVER, address: '127.0.0.1' }, path: '/address' },
];

for (const { name, load } of TOOLS_BUILDS) {
  describe(name, () => {
    /** @type {any} */
    let api;
    before(async () => {
      api = await load();
    });

    for (const { door, command, input, bad, path } of CALLS) {
      it(`${door} answers as the commands do, in kind`, async () => {
        const answer = decode(api[door](bytesOf(input)));
        for (const { command: program } of COMMANDS) {
          const { code, stdout, stderr } = await invoke(program, [command], JSON.stringify(input));
          assert.equal(code, 0, stderr);
          assert.equal(stdout.toString().trimEnd(), answer);
        }
        assert.equal(api[door](JSON.stringify(input)), answer);
        assert.deepEqual(api[door](input), JSON.parse(answer));
      });

      it(`${door} says what is wrong, and where`, () => {
        assert.throws(() => api[door](bad), (/** @type {any} */ error) => error instanceof api.SlicewiseError && error.path === path);
      });
    }

    it('mirrors', () => {
      const plan = api.mirror({ service, endpoints, slices: [slice] });
      assert.deepEqual([plan.create.length, plan.update.length, plan.skipped], [1, 1, null]);
      assert.equal(api.mirror({ endpoints }).skipped, 'ServiceNotFound');
    });

    it('publishes the API servers that are alive', () => {
      const [write] = api.kubernetesService(SERVER).writes;
      assert.deepEqual(write.object.subsets[0].addresses, [{ ip: '192.168.0.1' }, { ip: '192.168.0.2' }]);
    });
  });
}
