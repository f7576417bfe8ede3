/** What `docs/consumers.md` says of readers was recorded, of the versions that their runners pin; the command says which are compared. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ROOT } from '../scripts/lib/run.mjs';
import { PAGE, pageWith } from './lib/page.mjs';
import { isSame, readGroups } from './lib/vectors.mjs';

const parsed = (/** @type {string} */ name) => JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8'));
/** @type {import('./run.mjs').Result[]} */
const results = parsed('results.json');
/** @type {import('./run.mjs').Reader[]} */
const readers = parsed('runners/readers.json');
const groups = readGroups();
const vectors = new Map(groups.flatMap((group) => group.vectors).map((vector) => [vector.id, vector]));
const COMMAND = process.env.SLICEWISE ?? 'slicewise';

describe('the results', () => {
  it('are of all readers', () => assert.deepEqual(results.map(({ name }) => name), readers.map(({ name }) => name)));

  it('are what docs/consumers.md shows', () => assert.equal(readFileSync(PAGE, 'utf8'), pageWith(results, groups)));

  for (const { name, version, answers, model } of results) {
    const { build, isKubeProxy } = readers.find((reader) => reader.name === name) ?? {};
    it(`of ${name} are answers to vectors`, () => {
      for (const id of [...Object.keys(answers), ...Object.keys(model ?? {})]) assert.ok(vectors.has(id), id);
      if (isKubeProxy) assert.deepEqual(answers, {});
    });
    it(`of ${name} differ from what is expected`, () => {
      for (const [id, answer] of Object.entries(answers)) {
        assert.ok(answer.notAsked !== undefined || !isSame(/** @type {any} */ (vectors.get(id)), { id, ...answer }), id);
      }
    });
    if (!build) continue;
    it(`of ${name} are of the pinned version`, () => {
      const manifest = join(ROOT, build[0], 'go.mod');
      assert.ok(existsSync(manifest.replace(/mod$/, 'sum')));
      assert.match(readFileSync(manifest, 'utf8'), new RegExp(` ${version.replaceAll('.', '\\.')}\n`));
    });
  }
});

describe('slicewise traffic --reader', () => {
  const request = JSON.stringify({ service: { metadata: { namespace: 'shop', name: 'cart' } }, slices: [], nodes: [] });
  const run = (/** @type {string[]} */ args) => spawnSync(COMMAND, ['traffic', ...args], { input: request, encoding: 'utf8' });
  const [, list = ''] = /possible values: (.*?)\]/.exec(run(['--reader', 'none']).stderr) ?? [];

  it('names the readers that are compared', () => {
    const names = list.split(', ');
    assert.ok(names.includes('kube-proxy') && names.length > 3, list);
    const compared = names.filter((name) => JSON.parse(run(['--reader', name, '-o', 'json']).stdout).basis === 'compared');
    assert.deepEqual(compared, ['kube-proxy', ...results.flatMap(({ name, model }) => (model ? [name] : []))]);
  });
});
