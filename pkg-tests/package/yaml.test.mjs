/** One YAML profile: the command, the page and the webhook read the cases of `pkg-tests/yaml` the same way. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { loadSnapshot } from '../../webhook/snapshot.js';
import { readInput } from '../../www/input/read.js';
import { readDocuments } from '../../yaml/documents.js';
import { ROOT } from './lib/builds.mjs';
import { NATIVE, invoke } from './lib/commands.mjs';

const FOLDER = join(ROOT, 'pkg-tests/yaml');
const scratch = mkdtempSync(join(tmpdir(), 'slicewise-yaml-'));
after(() => rmSync(scratch, { recursive: true }));

/**
 * `expected` is JSON, or a code with as much of the position as the readers agree on: `CODE`, `CODE LINE` or `CODE LINE:COLUMN`.
 * @type {{name: string, yaml: Buffer, expected: string}[]}
 */
const CASES = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.yaml'))
  .sort()
  .map((file) => ({
    name: file.slice(0, -'.yaml'.length),
    yaml: readFileSync(join(FOLDER, file)),
    expected: readFileSync(join(FOLDER, file.replace(/yaml$/, 'expected')), 'utf8').trimEnd(),
  }));

/** @param {string} expected */
const isError = (expected) => !/^[[{]/.test(expected);

/** @param {{code: string, line?: number, column?: number}} found @param {string} expected */
function checkError({ code, line, column }, expected) {
  const shown = `${code} ${line}:${column}`;
  assert.ok(`${shown} `.startsWith(`${expected}${/:/.test(expected) ? ' ' : ''}`), `${shown}, not ${expected}`);
  assert.ok(!/^\w+ \d+$/.test(expected) || shown.startsWith(`${expected}:`), `${shown}, not ${expected}`);
}

it('there are cases of both kinds', () => {
  assert.ok(CASES.some(({ expected }) => isError(expected)) && CASES.some(({ expected }) => !isError(expected)));
});

it('a long word that is nearly a number is read once', () => {
  // Read once for each of its digits, it would take an hour.
  const word = `${'1'.repeat(2_000_000)}x`;
  assert.equal(JSON.parse(readDocuments(`a: ${word}\n`).json[0]).a, word);
});

it('settings have words that manifests could not have', async () => {
  const text = 'policies: {slice-shape: {mode: off}}\n';
  assert.deepEqual(readDocuments(text, { isOwn: true }).json, ['{"policies":{"slice-shape":{"mode":"off"}}}']);
  assert.deepEqual(readDocuments(text).json, ['{"policies":{"slice-shape":{"mode":false}}}']);
  const [config, manifest] = ['config.yaml', 'manifest.yaml'].map((name) => join(scratch, name));
  writeFileSync(config, text);
  writeFileSync(manifest, 'apiVersion: v1\nkind: Service\nmetadata: {name: cart}\nspec: {ports: [{port: 80}]}\n');
  const { code, stderr } = await invoke(NATIVE, ['review', '--config', config, manifest]);
  assert.equal(code, 0, stderr);
  writeFileSync(manifest, 'apiVersion: v1\nkind: Service\nmetadata: {name: cart, labels: {reviewed: yes}}\nspec: {ports: [{port: 80}]}\n');
  const refused = await invoke(NATIVE, ['review', '--config', config, manifest]);
  assert.match(refused.stdout.toString(), /boolean `true`, expected a string; write it in quotes/);
});

describe('the page', () => {
  for (const { name, yaml, expected } of CASES.filter((each) => each.name !== 'empty')) {
    it(name, async () => {
      if (isError(expected)) {
        return assert.rejects(readInput(yaml), (/** @type {any} */ error) => (checkError(error, expected), error.message.length > 10));
      }
      const { bytes } = await readInput(yaml);
      assert.equal(new TextDecoder().decode(bytes), expected);
    });
  }
});

describe('the webhook', () => {
  for (const { name, yaml, expected } of CASES) {
    it(name, () => {
      const file = join(scratch, 'snapshot.yaml');
      writeFileSync(file, yaml);
      if (isError(expected)) {
        const [code, place = ''] = expected.split(' ');
        return assert.throws(
          () => loadSnapshot(file),
          ({ message }) => message.endsWith(`(${code})`) && (!place || message.includes(`.yaml:${place}`)),
        );
      }
      const many = /^---$/m.test(yaml.toString()) && expected.startsWith('[');
      const items = many ? expected : `[${expected}]`;
      assert.equal(new TextDecoder().decode(loadSnapshot(file)), `{"apiVersion":"v1","kind":"List","items":${items}}`);
    });
  }
});

// What it reads of the others only its own tests see: they run on the same cases.
describe('the command', () => {
  for (const { name, yaml, expected } of CASES.filter((each) => isError(each.expected))) {
    it(name, async () => {
      const { code, stdout, stderr } = await invoke(NATIVE, ['plan'], yaml);
      assert.equal(code, 2, stderr);
      assert.equal(stdout.length, 0);
      checkError(JSON.parse(stderr).error, expected);
    });
  }
});
