/** The gallery: every example is generated, small, described in a sentence with its source, and shows what it claims. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { explain } from 'slicewise/tools';
import { Engine } from '../../www/engine.js';
import { unpackModel } from '../../www/model/packed.js';
import { sampleFiles } from '../../www/samples/generate.mjs';
import { EXAMPLES } from '../../www/samples/index.js';
import { QUESTIONS } from '../../www/samples/questions.js';
import { ANSWERS, OUTCOMES } from './outcomes.js';
import { ROOT } from './server.js';

test('the committed examples are those the script writes', () => {
  for (const { file, text } of sampleFiles()) assert.equal(readFileSync(join(ROOT, 'www/samples', file), 'utf8'), text, file);
});

test('the gallery has at least thirty examples, each with its lesson in one sentence and its source', () => {
  assert.ok(EXAMPLES.length >= 30, String(EXAMPLES.length));
  assert.equal(new Set(EXAMPLES.map(({ id }) => id)).size, EXAMPLES.length);
  assert.deepEqual(Object.keys(OUTCOMES), EXAMPLES.map(({ id }) => id));
  for (const { id, title, teaches, theme, source } of EXAMPLES) {
    assert.match(teaches, /^[A-Z][^.!?]*(?:1\.2[^.!?]*)?\.$/, id);
    assert.ok(title.length <= 60 && teaches.length <= 190 && theme, `${id}: ${teaches.length}`);
    assert.match(source.url, /^https:\/\/github\.com\/[\w.-]+\/[\w.-]+\/(?:issues\/\d+|releases\/tag\/v[\d.]+)$/, id);
  }
});

for (const { id, url } of EXAMPLES) {
  test(`the example ${id} shows what its lesson says`, async () => {
    const bytes = new Uint8Array(readFileSync(url));
    assert.ok(id === 'cluster-at-rest' || bytes.length < 100_000, `${bytes.length} bytes`);
    const engine = new Engine();
    const answer = await engine.open(bytes, {});
    assert.ok(answer.ok && answer.model, JSON.stringify(answer));
    const { overview: { skipped }, model } = answer;
    const { created, updated, deleted, unchanged } = model.counts;
    const writes = `create ${created} update ${updated} delete ${deleted} unchanged ${unchanged}`;
    const others = engine.headlines(skipped).map((said, index) => `; ${skipped[index]}: ${said}`).join('');
    const [expected, codes] = OUTCOMES[id] ?? ['', ''];
    assert.equal(`${writes}; ${model.before.endpoints} → ${model.after.endpoints}; hints ${model.hints}${others}`, expected);
    const { services, cluster } = JSON.parse(new TextDecoder().decode(explain(bytes, { service: model.key })));
    const said = [...services[0].explanations, ...cluster].map(({ code }) => code);
    assert.deepEqual([answer.glance?.question, answer.glance?.headline], ANSWERS[id]);
    for (const code of codes.split(' ').filter(Boolean)) assert.ok(said.includes(code), `${code} is not in ${said}`);
  });
}

test('what is missing is said instead of what follows from it', async () => {
  const { items } = JSON.parse(readFileSync(join(ROOT, 'samples/cluster-at-rest.json'), 'utf8'));
  const withoutNodes = items.filter((/** @type {{kind: string}} */ { kind }) => kind !== 'Node');
  const answer = await new Engine().open(JSON.stringify({ kind: 'List', apiVersion: 'v1', items: withoutNodes }), {}, 'shop/catalog');
  assert.ok(answer.ok);
  assert.equal(answer.glance?.headline, 'The input has no nodes, so 7 pods cannot be endpoints yet.');
});

test('a member of a headless Service without a subdomain has no hostname', async () => {
  const example = EXAMPLES.find(({ id }) => id === 'no-hostname');
  const answer = await new Engine().open(readFileSync(/** @type {URL} */ (example?.url)), {});
  assert.ok(answer.ok && answer.model);
  const [row] = unpackModel(answer.model).groups.flatMap(({ rows }) => rows);
  assert.deepEqual(row?.after?.cells.map(({ hostname }) => hostname).toSorted(), ['', 'redis-0', 'redis-1']);
});

test('every question of the tests can be opened, under the words of its file', () => {
  const folder = join(ROOT, 'samples/questions');
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  assert.deepEqual(QUESTIONS.map(({ id }) => `${id}.json`), files);
  for (const { id, title, url } of QUESTIONS) {
    assert.ok(existsSync(url), id);
    assert.equal(title, JSON.parse(readFileSync(url, 'utf8')).question, id);
  }
});
