/** Links about one Service: the same plan with less input, and under other names. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Engine } from '../../www/engine.js';
import { EXAMPLES } from '../../www/samples/index.js';
import { exampleBytes } from './files.js';

/** @param {string} text */
async function opened(text, service = '') {
  const engine = new Engine();
  const answer = await engine.open(text, {}, service);
  assert.ok(answer.ok && answer.model && answer.glance, JSON.stringify(answer));
  return { engine, answer, model: answer.model, glance: answer.glance };
}

/** What does not depend on names. @param {Awaited<ReturnType<typeof opened>>} of */
function figures({ model, glance }) {
  const { counts, stats, hints, moves, hintDetails } = model;
  const zones = hintDetails.map((hint) => (hint.zones ?? []).map(({ zone: _, ...figure }) => figure));
  const { plan, ready, range, counts: steps, arithmetic } = glance;
  return { counts, stats, hints, moves, zones, plan, ready, range, steps, arithmetic };
}

for (const { id } of EXAMPLES) {
  test(`one Service has the same plan without the rest, and the same figures under other names: ${id}`, async () => {
    const text = exampleBytes(id).toString();
    const { engine, model, ...whole } = await opened(text);
    const { key } = model;
    const only = await engine.reduced({ key, renamed: false });
    assert.ok(only);
    const less = await opened(only.text, only.key);
    assert.equal(less.engine.planText(key), engine.planText(key));
    const renamed = await engine.reduced({ key, renamed: true });
    assert.ok(renamed && renamed.text.length <= only.text.length);
    assert.deepEqual(figures(await opened(renamed.text, renamed.key)), figures({ engine, model, ...whole }));
    const [namespace = '', name = ''] = key.split('/');
    const { items, service, pods, nodes } = JSON.parse(only.text);
    /** @type {{metadata: {name: string}, status?: {podIP?: string}}[]} */
    const objects = items ?? [service, ...pods, ...nodes];
    const secrets = [namespace, name, ...objects.flatMap(({ metadata, status }) => [metadata.name, status?.podIP ?? ''])];
    for (const secret of secrets.filter((each) => each !== '')) assert.ok(!renamed.text.includes(`"${secret}"`), secret);
  });
}
