/** Every test that docs/threat-model.md names exists. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** What may hold tests. */
const FOLDERS = [
  'src',
  'tests',
  'crates/admission/src',
  'crates/diagnosis/src',
  'crates/json/src',
  'crates/lint/src',
  'crates/live/src',
  'crates/simulation/src',
  'crates/sources/src',
  'crates/traffic/src',
  'cluster/src',
  'pkg-tests/webhook',
  'pkg-tests/hostile',
  'pkg-tests/cluster',
  'pkg-tests/package',
  'pkg-tests/deploy',
  'kubewarden/host/tests',
];

/** The files of tests, by path. */
const FILES = FOLDERS.flatMap((folder) =>
  readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(rs|test\.m?js)$/.test(name))
    .map((name) => ({ name: `${folder}/${name}`, text: readFileSync(`${ROOT}${folder}/${name}`, 'utf8') }))
    .filter(({ name, text }) => /\.m?js$/.test(name) || text.includes('#[test]') || text.includes('proptest!')),
);

/** A file or a folder with tests, or a test: a Rust function, or the whole title, or the fixed beginning of one. @param {string} name */
function isThere(name) {
  return FILES.some((file) =>
    file.name.startsWith(`${name}/`) || file.name === name || file.name.endsWith(`/${name}`) || file.name === `${name}.rs`
    || new RegExp(`#\\[test\\]\\s+fn ${name}\\(`).test(file.text)
    || [`('${name}', `, `("${name}", `, `(\`${name} \${`, `(\`${name}; lists by \${`, `'${name}': async`].some((title) => file.text.includes(title)));
}

test('the threat model names tests that are there', () => {
  const rows = readFileSync(`${ROOT}docs/threat-model.md`, 'utf8').split('\n').filter((line) => line.startsWith('| ')).slice(1);
  assert.ok(rows.length > 30);
  for (const row of rows) {
    const names = [...(row.split(' | ').at(-1) ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name);
    assert.ok(names.length > 0, row);
    for (const name of names) assert.ok(isThere(name), `there is no test \`${name}\``);
  }
});

test('what SECURITY.md promises is the threat model, which leads back to it', () => {
  for (const [page, folder] of [['SECURITY.md', ''], ['docs/threat-model.md', 'docs/']]) {
    const links = [...readFileSync(`${ROOT}${page}`, 'utf8').matchAll(/\]\(([^)#]+)/g)].map(([, link]) => join(folder, link));
    assert.ok(links.includes(page === 'SECURITY.md' ? 'docs/threat-model.md' : 'SECURITY.md'), page);
    for (const link of links) assert.ok(existsSync(`${ROOT}${link}`), `${page}: ${link}`);
  }
});
