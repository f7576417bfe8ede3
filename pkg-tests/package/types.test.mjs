/** The type declarations: correct uses of the package compile, wrong ones do not. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ROOT } from './lib/builds.mjs';
import { TSC } from './lib/compile.mjs';

for (const [name, flags] of [
  ['esm', ['--module', 'nodenext']],
  ['esm', ['--module', 'node16', '--moduleResolution', 'node16']],
  ['esm', ['--module', 'esnext', '--moduleResolution', 'bundler']],
  ['cjs', ['--module', 'node16', '--moduleResolution', 'node16']],
  ['cjs', ['--module', 'nodenext']],
  ['client', ['--module', 'nodenext']],
  ['web', ['--module', 'esnext', '--moduleResolution', 'bundler']],
]) {
  describe(`a ${name} consumer, ${flags.at(-1)}`, () => {
    it('compiles', () => {
      const folder = join(ROOT, 'pkg-tests/package/consumers', String(name));
      const args = [TSC, '-p', folder, '--noEmit', ...flags];
      const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
      assert.equal(status, 0, stdout);
    });
  });
}
