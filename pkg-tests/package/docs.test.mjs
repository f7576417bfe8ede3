/** The programs in the documentation run, and print what is written below them. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ROOT } from './lib/builds.mjs';
import { NATIVE } from './lib/commands.mjs';

const COMMAND = /<!-- run -->\n```sh\nslicewise (?<args>.*?)\n```\n\n```text\n(?<output>.*?)```/gs;
const PROGRAM = /<!-- run -->\n```js\n(?<code>.*?)```\n\n```text\n(?<output>.*?)```/gs;

describe('docs/npm.md', () => {
  const programs = [...readFileSync(join(ROOT, 'docs/npm.md'), 'utf8').matchAll(PROGRAM)];

  it('has programs', () => assert.ok(programs.length >= 3));

  for (const { groups } of programs) {
    const { code = '', output = '' } = groups ?? {};
    it(`prints ${output.split('\n', 1)[0]}`, () => {
      const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module'], { cwd: ROOT, input: code, encoding: 'utf8' });
      assert.equal(stdout, output, stderr);
    });
  }
});

describe('README.md', () => {
  const commands = [...readFileSync(join(ROOT, 'README.md'), 'utf8').matchAll(COMMAND)];

  it('has commands', () => assert.ok(commands.length >= 1));

  for (const { groups } of commands) {
    const { args = '', output = '' } = groups ?? {};
    it(`prints what ${args} does`, () => {
      const { stdout, stderr } = spawnSync(NATIVE[0], args.split(' '), { cwd: ROOT, encoding: 'utf8' });
      assert.equal(stdout, output, stderr);
    });
  }
});
