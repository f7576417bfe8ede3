/** The list of surviving mutants refers to existing code; `npm run mutants`, which checks it fully, takes too long for daily use. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { survivors } from '../../scripts/lib/mutants.mjs';
import { ROOT } from '../../scripts/lib/run.mjs';

test('every survivor names a function that is there, and a reason', () => {
  const entries = survivors();
  assert.ok(entries.length > 0);
  for (const { mutant, file, name, reason } of entries) {
    assert.ok(existsSync(join(ROOT, file)), `no such file: ${mutant}`);
    assert.match(readFileSync(join(ROOT, file), 'utf8'), new RegExp(`\\bfn ${name}\\b`), `no such function: ${mutant}`);
    assert.ok(reason.length >= 20, `hardly a reason: ${mutant}`);
  }
});
