/** The ways in, and what happens when the input is wrong. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { stringify } from 'yaml';
import { exampleBytes, exampleFile, paste, replaceInput, settled, start, withPage } from './harness.js';

/** @type {import('./harness.js').World} */
let world;
before(async () => {
  world = await start();
});
after(() => world.close());

test('pasting a real cluster at rest gives empty plans', () =>
  withPage(world, {}, async (page) => {
    await replaceInput(page, exampleBytes('cluster-at-rest').toString());
    await page.getByRole('heading', { name: '7 Services, nothing to do' }).waitFor();
    assert.equal(await page.locator('.entries [role=option]').count(), 7);
    for (const entry of await page.locator('.entry-facts').allTextContents()) assert.match(entry, /at rest/);
    assert.match((await page.locator('.sentence').textContent()) ?? '', /^Nothing to do/);
    assert.match((await page.locator('.story').textContent()) ?? '', /8 Services, 168 pods, 13 nodes and 8 EndpointSlices/);
  }));

test('text pasted outside of any field is an input too', () =>
  withPage(world, {}, async (page) => {
    await page.locator('body').click({ position: { x: 5, y: 300 } });
    await paste(page, exampleBytes('named-port').toString());
    await page.getByRole('heading', { name: 'shop/pay' }).waitFor();
  }));

test('a comma too few is shown at its line', () =>
  withPage(world, {}, async (page) => {
    const text = exampleBytes('scale-up').toString().replace('"kind": "Service",', '"kind": "Service"');
    await replaceInput(page, text);
    const problem = page.locator('.problem');
    assert.match((await problem.textContent()) ?? '', /^Line 5, column \d+: .*InvalidJson/);
    assert.match((await page.locator('.gutter .marked').textContent()) ?? '', /5/);
    assert.equal(await page.locator('#input').getAttribute('aria-invalid'), 'true');
    assert.equal(await page.locator('.problem-slot').getAttribute('aria-live'), 'polite');
    assert.match((await page.locator('.story').textContent()) ?? '', /mistake in line 5.*last plan that could be made/s);
  }));

test('a wrong value far down is scrolled to and marked', () =>
  withPage(world, {}, async (page) => {
    const lines = exampleBytes('scale-up').toString().split('\n');
    const at = lines.findLastIndex((line) => line.includes('"addressType"'));
    lines[at] = '      "addressType": 4,';
    await replaceInput(page, lines.join('\n'));
    await page.locator('.problem').waitFor();
    assert.equal(await page.locator('.gutter .marked').textContent(), `✕ ${at + 1}`);
    assert.match((await page.locator('.problem').textContent()) ?? '', /\/slices\/1\/addressType/);
  }));

test('a mistake in a large file is quoted, for the editor does not hold the file', () =>
  withPage(world, {}, async (page) => {
    const text = exampleBytes('cluster-at-rest').toString().replace('"name": "postgres",', '"name": 7,');
    const line = text.slice(0, text.indexOf('"name": 7,')).split('\n').length;
    await page.locator('input[type=file]').setInputFiles({ name: 'cluster.json', mimeType: 'application/json', buffer: Buffer.from(text) });
    await page.locator('.excerpt .marked').waitFor();
    assert.match((await page.locator('.excerpt .marked').textContent()) ?? '', new RegExp(`${line}.*"name": 7,`));
    assert.match((await page.locator('.aside').textContent()) ?? '', /cluster\.json.*1\.2 MB/);
  }));

test('YAML of many documents gives the plans of the same objects in JSON', () =>
  withPage(world, {}, async (page) => {
    const { items } = JSON.parse(exampleBytes('selector-typo').toString());
    await replaceInput(page, items.map((/** @type {object} */ item) => stringify(item)).join('---\n'));
    await page.getByRole('heading', { name: '2 Services, 1 with changes' }).waitFor();
    assert.equal(await page.locator('.service h2').textContent(), 'shop/orders');
  }));

test('a mistake in YAML is shown at its line, whether in the syntax or in a value', () =>
  withPage(world, {}, async (page) => {
    const { items } = JSON.parse(exampleBytes('selector-typo').toString());
    const yaml = stringify({ apiVersion: 'v1', kind: 'List', items });
    const at = yaml.split('\n').findLastIndex((line) => line.includes('addressType'));
    const lines = yaml.split('\n').with(at, '    addressType: 4');
    await replaceInput(page, lines.join('\n'));
    await page.locator('.problem').waitFor();
    assert.equal(await page.locator('.gutter .marked').textContent(), `✕ ${at + 1}`);
    await replaceInput(page, 'kind: List\nitems:\n  - kind: Pod\n   bad: indent\n');
    await page.locator('.problem', { hasText: 'InvalidJson' }).waitFor();
    assert.match((await page.locator('.gutter .marked').textContent()) ?? '', /✕ [34]/);
  }));

test('a file can be opened, and dropped', () =>
  withPage(world, {}, async (page) => {
    await page.locator('input[type=file]').setInputFiles(exampleFile('dual-stack'));
    await page.getByRole('heading', { name: 'shop/db' }).waitFor();
    assert.match((await page.locator('.story').textContent()) ?? '', /dual-stack\.json/);
    const transfer = await page.evaluateHandle((content) => {
      const data = new DataTransfer();
      data.items.add(new File([content], 'dropped.yaml', { type: 'text/yaml' }));
      return data;
    }, stringify(JSON.parse(exampleBytes('named-port').toString())));
    await page.dispatchEvent('.editor', 'dragover', { dataTransfer: transfer });
    await page.dispatchEvent('.editor', 'drop', { dataTransfer: transfer });
    await page.getByRole('heading', { name: 'shop/pay' }).waitFor();
    assert.match((await page.locator('.story').textContent()) ?? '', /dropped\.yaml/);
  }));

test('output that a shell on Windows wrote as UTF-16 is understood', () =>
  withPage(world, {}, async (page) => {
    const text = `\uFEFF${exampleBytes('unknown-node').toString()}`;
    await page.locator('input[type=file]').setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer: Buffer.from(text, 'utf16le') });
    await page.getByRole('heading', { name: 'shop/feed' }).waitFor();
  }));

test('an input that is emptied is no error, and the next one is read', () =>
  withPage(world, {}, async (page) => {
    await page.locator('#input').fill('');
    await settled(page);
    assert.match((await page.locator('.story').textContent()) ?? '', /There is no input yet/);
    assert.equal(await page.locator('.problem').count(), 0);
    await replaceInput(page, exampleBytes('scale-down').toString());
    await page.getByRole('heading', { name: 'shop/web' }).waitFor();
    assert.equal(await page.locator('.slice .tag.updated').count(), 3);
  }));
