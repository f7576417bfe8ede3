/** The steps of undo: what counts as one, and what they keep. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { History } from '../../www/store/history.js';
import { sourceOfText } from '../../www/store/source.js';

/** @param {string} text */
function work(text) {
  return { source: sourceOfText(text) };
}

test('steps of a group without a pause are one; a pause, another group or an undo ends it', () => {
  const history = new History(work(''));
  history.record(work('a'), 'Type', 'typing', 0);
  history.record(work('ab'), 'Type', 'typing', 500);
  history.record(work('abc'), 'Type', 'typing', 1400);
  history.record(work('abc d'), 'Type', 'typing', 3000);
  history.record(work('!'), 'Paste', '', 3100);
  history.record(work('!?'), 'Paste', '', 3101);
  const seen = [];
  while (history.undo()) seen.push(history.present.source.text);
  assert.deepEqual(seen, ['!', 'abc d', 'abc', '']);
  history.redo();
  history.record(work('abcx'), 'Type', 'typing', 3200);
  assert.equal(history.redo(), false, 'what was undone is gone once something new is done');
  history.undo();
  assert.equal(history.present.source.text, 'abc');
});

test('a change that is no step stays with the step it belongs to', () => {
  const history = new History({ ...work('a'), service: 'x' });
  history.amend({ ...work('a'), service: 'y' });
  history.record({ ...work('b'), service: '' }, 'Paste', '', 0);
  history.undo();
  assert.equal(history.present.service, 'y');
});

test('old steps go when there are many, or when they are heavy', () => {
  const many = new History(work(''));
  for (let at = 0; at < 300; at += 1) many.record(work(String(at)), 'Paste', '', at);
  let steps = 0;
  while (many.undo()) steps += 1;
  assert.equal(steps, 200);
  const heavy = new History(work(''));
  for (let at = 0; at < 10; at += 1) heavy.record(work(String(at).repeat(5 << 20)), 'Paste', '', at);
  steps = 0;
  while (heavy.undo()) steps += 1;
  assert.equal(steps, 3);
});

test('of a long text, steps keep what differs; undo and redo give every one of them back', () => {
  const long = Array.from({ length: 100_000 }, (_, index) => `line ${index}\n`).join('');
  const texts = Array.from({ length: 150 }, (_, index) => `${long.slice(0, 5000 * index)}<${index}>${long.slice(5000 * index)}`);
  const [first = '', ...others] = texts;
  const history = new History(work(first));
  const sources = [history.present.source];
  for (const text of others) {
    history.record(work(text), 'Paste', '', 0);
    sources.push(history.present.source);
  }
  const weight = sources.reduce((sum, source) => sum + source.weight, 0);
  assert.ok(weight < 3 * long.length, `${weight} characters for 150 steps`);
  for (const text of others.toReversed()) {
    assert.equal(history.present.source.text, text);
    history.undo();
  }
  assert.equal(history.present.source.text, first);
  for (const text of others) {
    history.redo();
    assert.equal(history.present.source.text, text);
  }
  assert.deepEqual(sources.map(({ text }) => text), texts);
});
