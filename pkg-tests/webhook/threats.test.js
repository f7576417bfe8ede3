/** Every test that docs/threat-model.md names exists. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The tests of a folder, by path. @param {string} folder */
const filesOf = (folder) =>
  readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\btests$/.test(folder) ? name.endsWith('.rs') : /((tests?|tests\/.*)\.rs|\.test\.m?js)$/.test(name))
    .map((name) => ({ name: `${folder}/${name}`, text: readFileSync(`${ROOT}${folder}/${name}`, 'utf8') }));

test('the threat model names tests that are there', () => {
  const files = ['src/admission', 'src/cel', 'src/tests', 'pkg-tests/webhook', 'pkg-tests/package', 'pkg-tests/deploy', 'kubewarden/host/tests'].flatMap(filesOf);
  const rows = readFileSync(`${ROOT}docs/threat-model.md`, 'utf8').split('\n').filter((line) => line.startsWith('| ')).slice(1);
  assert.ok(rows.length > 12);
  for (const row of rows) {
    const cell = row.split(' | ').at(-1) ?? '';
    const names = [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
    assert.ok(names.length > 0, row);
    for (const name of names) {
      const isThere = files.some((file) => file.name.startsWith(`${name}/`) || [name, `${name}.rs`].includes(file.name) || file.name.endsWith(`/${name}`) || file.text.includes(`fn ${name}(`) || file.text.includes(`('${name}'`));
      assert.ok(isThere, `there is no test \`${name}\``);
    }
  }
});
