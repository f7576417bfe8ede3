/** The steps of `npm test`: their order, and how their cases are counted. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { casesOf } from '../../scripts/lib/results.mjs';
import { chains, nextOf } from '../../scripts/lib/schedule.mjs';
import { STEPS } from '../../scripts/lib/steps.mjs';

test('every step can run: what it needs exists, and does not need it', () => {
  const names = STEPS.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  const waiting = [...STEPS];
  const chain = chains(STEPS);
  for (let next = nextOf(waiting, [], chain, 1); next; next = nextOf(waiting, [], chain, 1)) waiting.splice(waiting.indexOf(next), 1);
  assert.deepEqual(waiting.map(({ name }) => name), []);
});

test('the longest chain starts first; a resource is used once, and what waits takes no place', () => {
  const steps = [
    { name: 'short', seconds: 50 },
    { name: 'before long', seconds: 1 },
    { name: 'long', seconds: 90, needs: ['before long'], uses: 'folder' },
    { name: 'same folder', seconds: 80, uses: 'folder' },
    { name: 'idle', seconds: 5, waits: true },
  ];
  const [short, before, long, same, idle] = steps;
  const chain = chains(steps);
  assert.equal(chain.get('before long'), 91);
  const next = (/** @type {any[]} */ running) => nextOf(steps.filter((step) => !running.includes(step)), running, chain, 2)?.name;
  assert.equal(next([]), 'before long');
  assert.equal(next([before]), 'same folder');
  assert.equal(next([before, same]), 'idle');
  assert.equal(next([before, same, idle]), undefined);
  const over = (/** @type {any[]} */ running) => nextOf(steps.filter((step) => step !== before && !running.includes(step)), running, chain, 2)?.name;
  assert.equal(over([same]), 'short');
  assert.equal(over([short]), 'long');
  assert.equal(over([long, short]), 'idle');
});

test('cases are counted as each tool reports them', () => {
  assert.equal(casesOf('ok 1 - a\n# tests 12\n# pass 12\n'), 12);
  assert.equal(casesOf('ℹ tests 3\nℹ pass 3\n'), 3);
  assert.equal(casesOf('test result: ok. 7 passed; 0 failed; 0 ignored\n\ntest result: FAILED. 2 passed; 1 failed\n'), 9);
  assert.equal(casesOf('=== RUN   TestA\n--- PASS: TestA (0.00s)\n    --- PASS: TestA/b (0.00s)\nPASS\nok  \tslicewise\t0.1s\n'), 1);
  assert.equal(casesOf('5000 of 5500\n5500 passed, 0 failed\n'), 5500);
  assert.equal(casesOf('100 scripts with 2076 syncs passed, 0 failed\n20000 sequences with 3 syncs passed, 0 failed\n'), 20_100);
  assert.equal(casesOf('nothing'), 0);
});
