/** The vectors have the form that their schema describes, are as generated, and none is there twice. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { files } from './generate/index.mjs';
import { FOLDER, isExact, isSame, questionOf, readGroups } from './lib/vectors.mjs';

const groups = readGroups();
const vectors = groups.flatMap((group) => group.vectors);

describe('the vectors', () => {
  it('have the form of the schema', () => {
    const schema = JSON.parse(readFileSync(join(import.meta.dirname, 'schema.json'), 'utf8'));
    const isValid = new Ajv2020({ allErrors: true, strictTypes: false }).compile(schema);
    for (const group of groups) assert.ok(isValid(group), `${group.group}: ${JSON.stringify(isValid.errors, null, 2)}`);
  });

  it('are as generated', () => {
    const found = new Map(readdirSync(FOLDER).map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')]));
    assert.deepEqual([...found.keys()].sort(), [...files().keys()].sort());
    for (const [name, text] of files()) assert.equal(found.get(name), text, `${name}: run node conformance/generate/index.mjs`);
  });

  it('are at least 150, each with an id of its own in its group', () => {
    assert.ok(vectors.length >= 150, `${vectors.length}`);
    assert.equal(new Set(vectors.map(({ id }) => id)).size, vectors.length);
    for (const { group, vectors: own } of groups) assert.ok(own.every(({ id }) => id.startsWith(`${group}/`)), group);
  });

  it('are different questions', () => {
    const questions = vectors.map((vector) => JSON.stringify({ ...questionOf(vector), id: undefined }));
    const again = vectors.filter((_, at) => questions.indexOf(questions[at] ?? '') !== at);
    assert.deepEqual(again.map(({ id }) => id), []);
  });

  it('are about both outcomes in each group', () => {
    for (const { group, vectors: own } of groups) {
      const outcomes = new Set(own.map(({ expect }) => JSON.stringify(expect)));
      assert.ok(outcomes.size > 1, `all of ${group} expect the same`);
    }
  });

  it('name a client node that exists, and expect endpoints in order', () => {
    for (const { id, client, nodes, expect } of vectors) {
      assert.ok(nodes.some(({ name }) => name === client.node), id);
      assert.deepEqual(expect.endpoints, expect.endpoints?.toSorted(), id);
    }
  });
});

describe('an answer', () => {
  const of = (/** @type {any} */ expect) => /** @type {any} */ ({ expect });

  it('is the same if it reaches the same endpoints', () => {
    assert.ok(isSame(of({ endpoints: ['a'] }), { id: '', endpoints: ['a'] }));
    assert.ok(!isSame(of({ endpoints: ['a'] }), { id: '', endpoints: [] }));
    assert.ok(!isSame(of({ endpoints: ['a'] }), { id: '', notServed: 'x' }));
    assert.ok(isSame(of({ notServed: true }), { id: '', endpoints: [] }));
    assert.ok(!isSame(of({ notServed: true }), { id: '', endpoints: ['a'] }));
  });

  it('is exact only if the port is served by both', () => {
    assert.ok(!isExact(of({ notServed: true }), { id: '', endpoints: [] }));
    assert.ok(isExact(of({ notServed: true }), { id: '', notServed: 'x' }));
    assert.ok(!isExact(of({ endpoints: [] }), { id: '', notServed: 'x' }));
  });
});
