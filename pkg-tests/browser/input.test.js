/** The ways to enter input, the editor, and invalid input. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { stringify } from 'yaml';
import { exampleBytes, exampleFile, exampleLink, openInput, openTab, paste, replaceInput, settled, start, withPage } from './harness.js';

/** @import {Page} from 'playwright-core' */

/** @type {import('./harness.js').World} */
let world;
before(async () => {
  world = await start();
});
after(() => world.close());

/** @param {Page} page @param {string} key */
function shown(page, key) {
  return page.getByRole('heading', { name: `Slices of ${key}` }).waitFor();
}

/** @param {Page} page */
function banner(page) {
  return page.locator('.banner').textContent();
}

/** The marked line of the editor. @param {Page} page */
function faulty(page) {
  return page.locator('.cm-faulty').textContent();
}

/** The page's input, as seen in its plans. @param {Page} page */
async function editorText(page) {
  await page.locator('#input').focus();
  await page.keyboard.press('Control+A');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.keyboard.press('Control+C');
  return page.evaluate(() => navigator.clipboard.readText());
}

test('pasting a real cluster at rest gives empty plans, and its text stays there to be edited', () =>
  withPage(world, {}, async (page) => {
    const text = exampleBytes('cluster-at-rest').toString();
    await replaceInput(page, text);
    await page.locator('.services-fold > summary').click();
    await page.waitForFunction(() => document.querySelectorAll('.entries [role=option]').length === 7);
    for (const entry of await page.locator('.entry-facts').allTextContents()) assert.match(entry, /at rest/);
    assert.equal(await editorText(page), text);
    assert.ok((await page.locator('.cm-line').count()) < 200);
  }));

test('text pasted outside of any field is an input too', () =>
  withPage(world, {}, async (page) => {
    await page.locator('body').click({ position: { x: 700, y: 880 } });
    await paste(page, exampleBytes('named-port').toString());
    await shown(page, 'shop/pay');
  }));

test('the plain text area stays where the editor cannot be loaded, and does all that is needed', () =>
  withPage(world, { expected: /editor\.|ERR_FAILED|Failed to load/ }, async (page) => {
    await page.route(/\/editor\.[0-9a-f]+\.js/, (route) => route.abort());
    await page.getByRole('button', { name: 'Input', exact: true }).click();
    const area = page.locator('textarea#input');
    await area.fill('{\n  "service": 1\n}');
    await page.locator('.problem').waitFor();
    assert.match((await page.locator('.gutter .marked').textContent()) ?? '', /✕ 2/);
    // On one line, because a text area is slow with many lines.
    await area.fill(JSON.stringify(JSON.parse(exampleBytes('named-port').toString())));
    await shown(page, 'shop/pay');
    // A long text, of which it holds the beginning only.
    const long = exampleBytes('cluster-at-rest').toString();
    await area.focus();
    await page.keyboard.press('Control+A');
    await paste(page, long);
    await page.locator('.services-fold').waitFor();
    assert.equal(await area.inputValue(), long.slice(0, 20_000));
    assert.equal(await area.evaluate((field) => /** @type {HTMLTextAreaElement} */ (field).readOnly), true);
    await page.getByText(`only the beginning is shown; all ${long.length.toLocaleString('en')} characters are planned`).waitFor();
    assert.equal(await page.locator('.cm-content').count(), 0);
  }));

test('what is typed before the editor has come is not lost, nor is the place of the cursor', () =>
  withPage(world, {}, async (page) => {
    /** @type {() => void} */
    let go = () => {};
    const held = new Promise((resolve) => {
      go = () => resolve(undefined);
    });
    await page.route(/\/editor\.[0-9a-f]+\.js/, async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Input', exact: true }).click();
    await page.locator('textarea#input').focus();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('  ');
    go();
    await page.locator('.cm-content').waitFor();
    await page.keyboard.type(' ');
    assert.equal(await editorText(page), `   ${exampleBytes('eleven-endpoints')}`);
  }));

test('a comma too few is shown at its line', () =>
  withPage(world, {}, async (page) => {
    const text = exampleBytes('scale-up').toString().replace('"kind": "Service",', '"kind": "Service"');
    await replaceInput(page, text);
    const problem = page.locator('.problem');
    await problem.waitFor();
    assert.match((await problem.textContent()) ?? '', /^Line 5, column \d+: .*InvalidJson/);
    assert.equal(await faulty(page), '    "metadata": {');
    assert.equal(await page.locator('#input').getAttribute('aria-invalid'), 'true');
    assert.equal(await page.locator('.problem-slot').getAttribute('aria-live'), 'polite');
    assert.match((await banner(page)) ?? '', /mistake in line 5.*last valid plan/s);
    assert.equal(await page.locator('.cm-lint-marker-error').count(), 1);
  }));

test('a wrong value far down is scrolled to and marked', () =>
  withPage(world, {}, async (page) => {
    const lines = exampleBytes('scale-up').toString().split('\n');
    const at = lines.findLastIndex((line) => line.includes('"addressType"'));
    lines[at] = '      "addressType": 4,';
    await replaceInput(page, lines.join('\n'));
    await page.locator('.problem').waitFor();
    await page.locator('.cm-faulty').waitFor();
    assert.equal(await faulty(page), lines[at]);
    assert.ok(await page.locator('.cm-faulty').isVisible());
    assert.match((await page.locator('.problem').textContent()) ?? '', /\/slices\/1\/addressType/);
  }));

test('a mistake in a cluster of a megabyte is shown at its line as well', () =>
  withPage(world, {}, async (page) => {
    const text = exampleBytes('cluster-at-rest').toString().replace('"name": "postgres",', '"name": 7,');
    await openInput(page);
    await page.locator('input[type=file]').setInputFiles({ name: 'cluster.json', mimeType: 'application/json', buffer: Buffer.from(text) });
    await page.locator('.cm-faulty').waitFor();
    assert.match((await faulty(page)) ?? '', /"name": 7,/);
    await page.locator('.cm-faulty').click();
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+End');
    await page.keyboard.insertText('"name": "postgres",');
    await page.locator('.problem').waitFor({ state: 'detached' });
    await settled(page);
  }));

test('YAML of many documents gives the plans of the same objects in JSON', () =>
  withPage(world, {}, async (page) => {
    const { items } = JSON.parse(exampleBytes('selector-typo').toString());
    await replaceInput(page, items.map((/** @type {object} */ item) => stringify(item)).join('---\n'));
    await shown(page, 'shop/orders');
    assert.match((await page.locator('.services-fold > summary').textContent()) ?? '', /of 2/);
  }));

test('a mistake in YAML is shown at its line, whether in the syntax or in a value', () =>
  withPage(world, {}, async (page) => {
    const { items } = JSON.parse(exampleBytes('selector-typo').toString());
    const yaml = stringify({ apiVersion: 'v1', kind: 'List', items });
    const at = yaml.split('\n').findLastIndex((line) => line.includes('addressType'));
    const lines = yaml.split('\n').with(at, '    addressType: 4');
    await replaceInput(page, lines.join('\n'));
    await page.locator('.cm-faulty').waitFor();
    assert.equal(await faulty(page), lines[at]);
    await replaceInput(page, 'kind: List\nitems:\n  - kind: Pod\n   bad: indent\n');
    await page.locator('.problem', { hasText: 'InvalidJson' }).waitFor();
    assert.match((await faulty(page)) ?? '', /kind: Pod|bad: indent/);
  }));

/** Bad input of every kind, with the message and its line. @type {[string, string, RegExp, RegExp][]} */
const MISTAKES = [
  ['half-typed YAML', 'kind: Service\nmetadata:\n  name: "web\n', /not valid YAML/, /name: "web|^$/],
  ['a wrong kind of value', 'kind: Pod\nmetadata:\n  name: a\n  labels: [1]\n', /InvalidType/, /labels/],
  [
    'two Services of one name',
    'kind: Service\nmetadata: {name: a}\n---\nkind: Service\nmetadata: {name: a}\n',
    /a.*twice|twice.*a/s,
    /metadata: \{name: a\}|kind: Service/,
  ],
  [
    'a port of a Service in words',
    'kind: Service\nmetadata: {name: a}\nspec:\n  ports: [{port: eighty}]\n',
    /invalid type for port: string "eighty".* targetPort/s,
    /eighty/,
  ],
  [
    'a port in words',
    'kind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n  - ports: [{containerPort: eighty}]\n',
    /"eighty".*whole number/,
    /eighty/,
  ],
];

for (const [name, text, message, line] of MISTAKES) {
  test(`${name}: one message, at its line, and the last good picture stays, marked as such`, () =>
    withPage(world, {}, async (page) => {
      await replaceInput(page, text);
      const problem = page.locator('.problem');
      await problem.waitFor();
      assert.equal(await problem.count(), 1);
      assert.match((await problem.textContent()) ?? '', message);
      assert.doesNotMatch((await problem.textContent()) ?? '', /`/);
      assert.match((await faulty(page)) ?? '', line);
      assert.match((await banner(page)) ?? '', /last valid plan/);
      assert.equal(await page.locator('main.stale').count(), 1);
      await shown(page, 'shop/checkout');
      await page.getByRole('button', { name: /^Undo/ }).first().click();
      await page.locator('main.stale').waitFor({ state: 'detached' });
      assert.equal(await editorText(page), exampleBytes('eleven-endpoints').toString());
    }));
}

test('the last good picture is marked in every tab that shows it, and in the inspector', () =>
  withPage(world, {}, async (page) => {
    await page.locator('.lane-cell').first().click();
    for (const tab of ['Traffic', 'Compare', 'Picture']) await openTab(page, tab);
    const places = ['#panel-picture', '#panel-traffic', '#panel-compare', '.inspector'];
    /** @param {string} place */
    const filter = (place) => page.locator(place).evaluate((element) => getComputedStyle(element).filter);
    const marked = () => Promise.all(places.map(filter));
    assert.deepEqual(await marked(), places.map(() => 'none'));
    await replaceInput(page, '{"service": 1}');
    await page.locator('main.stale').waitFor();
    assert.deepEqual(await marked(), places.map(() => 'grayscale(1)'));
    await page.locator('.inspector', { hasText: 'From the last valid plan.' }).waitFor();
    for (const tab of ['Traffic', 'Compare']) {
      await openTab(page, tab);
      assert.match((await banner(page)) ?? '', /last valid plan/);
    }
  }));

/** Pastes a Service, and ConfigMaps of this many megabytes. @param {Page} page @param {number} megabytes */
async function pasteMegabytes(page, megabytes) {
  await page.evaluate((count) => {
    const fill = `{"kind":"ConfigMap","apiVersion":"v1","data":{"a":"${'x'.repeat(1_000_000)}"}}`;
    const service =
      '{"kind":"Service","apiVersion":"v1","metadata":{"name":"big","namespace":"n"},' +
      '"spec":{"selector":{"a":"b"},"clusterIP":"10.0.0.1","ipFamilies":["IPv4"]}}';
    const data = new DataTransfer();
    data.setData('text/plain', `[${[service, ...Array.from({ length: count }, () => fill)].join(',')}]`);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  }, megabytes);
  await settled(page);
}

test('fifty megabytes are planned; more than the core takes is refused in one message, and nothing is lost', () =>
  withPage(world, {}, async (page) => {
    await pasteMegabytes(page, 50);
    await shown(page, 'n/big');
    await pasteMegabytes(page, 70);
    assert.match((await banner(page)) ?? '', /There is a mistake in the input: .*bytes, more than the .*Below is the last valid plan/s);
    assert.equal(await page.locator('main.stale').count(), 1);
    const undo = page.getByRole('button', { name: /^Undo/ }).first();
    await undo.click();
    await page.locator('main.stale').waitFor({ state: 'detached' });
    await shown(page, 'n/big');
    await undo.click();
    await shown(page, 'shop/checkout');
  }));

test('fifty megabytes are saved as well, and are there again after a reload', () =>
  withPage(world, {}, async (page) => {
    await pasteMegabytes(page, 50);
    await page.waitForFunction(async () => {
      const database = await new Promise((resolve) => {
        const request = indexedDB.open('slicewise');
        request.addEventListener('success', () => resolve(request.result));
      });
      const list = await new Promise((resolve) => {
        const request = database.transaction('list').objectStore('list').getAll();
        request.addEventListener('success', () => resolve(request.result));
      });
      database.close();
      return list.some((/** @type {{size: number}} */ { size }) => size > 50_000_000);
    });
    await page.reload();
    await settled(page);
    await shown(page, 'n/big');
    assert.match((await page.locator('.picked').textContent()) ?? '', /Your input/);
  }));

test('what the plan says of a pod is told at the lines of that pod, and is no mistake', () =>
  withPage(world, { hash: exampleLink('unknown-node') }, async (page) => {
    await openInput(page);
    await page.locator('#input').focus();
    await page.keyboard.press('Control+f');
    await page.keyboard.type('feed-v1-07');
    await page.keyboard.press('Enter');
    await page.locator('.cm-lint-marker-warning').hover();
    await page.locator('.cm-tooltip', { hasText: 'Node node-d1 Not Found' }).waitFor();
    assert.equal(await page.locator('#input').getAttribute('aria-invalid'), 'false');
    assert.equal(await page.locator('.problem').count(), 0);
  }));

test('the settings are at fault, and the input is not', () =>
  withPage(world, {}, async (page) => {
    await openInput(page);
    await page.locator('summary', { hasText: 'Settings' }).click();
    await page.locator('input[name=maxEndpointsPerSlice]').fill('0');
    await page.locator('.banner .faulty').waitFor();
    assert.match((await banner(page)) ?? '', /mistake in the settings/);
    assert.equal(await page.locator('.cm-faulty').count(), 0);
  }));

test('a file can be opened, and dropped', () =>
  withPage(world, {}, async (page) => {
    await openInput(page);
    await page.locator('input[type=file]').setInputFiles(exampleFile('dual-stack'));
    await shown(page, 'shop/db');
    assert.match((await page.locator('.picked').textContent()) ?? '', /dual-stack\.json/);
    const transfer = await page.evaluateHandle((content) => {
      const data = new DataTransfer();
      data.items.add(new File([content], 'dropped.yaml', { type: 'text/yaml' }));
      return data;
    }, stringify(JSON.parse(exampleBytes('named-port').toString())));
    await page.dispatchEvent('.cm-content', 'dragover', { dataTransfer: transfer });
    await page.dispatchEvent('.cm-content', 'drop', { dataTransfer: transfer });
    await shown(page, 'shop/pay');
    assert.match((await page.locator('.picked').textContent()) ?? '', /dropped\.yaml/);
    assert.match(await editorText(page), /^service:\n/);
  }));

test('output that a shell on Windows wrote as UTF-16 is understood', () =>
  withPage(world, {}, async (page) => {
    const text = `\uFEFF${exampleBytes('unknown-node').toString()}`;
    await openInput(page);
    await page.locator('input[type=file]').setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer: Buffer.from(text, 'utf16le') });
    await shown(page, 'shop/feed');
  }));

test('an input that is emptied is no error, and the next one is read', () =>
  withPage(world, {}, async (page) => {
    await openInput(page);
    await page.locator('#input').fill('');
    await settled(page);
    assert.match((await banner(page)) ?? '', /There is no input yet/);
    assert.equal(await page.locator('.problem').count(), 0);
    await replaceInput(page, exampleBytes('scale-down').toString());
    await shown(page, 'shop/web');
  }));

test('typing is undone in steps of the page, and so is everything else', () =>
  withPage(world, {}, async (page) => {
    await openInput(page);
    await page.locator('#input').focus();
    await page.keyboard.press('Control+Home');
    await page.keyboard.insertText('\n\n\n');
    await page.keyboard.press('Control+z');
    await settled(page);
    assert.equal(await editorText(page), exampleBytes('eleven-endpoints').toString());
    await page.keyboard.press('Control+Shift+Z');
    await settled(page);
    assert.equal(await editorText(page), `\n\n\n${exampleBytes('eleven-endpoints')}`);
  }));

test('the editor searches, folds, and can be left by the keyboard', () =>
  withPage(world, {}, async (page) => {
    await openInput(page);
    await page.locator('#input').focus();
    await page.keyboard.press('Control+f');
    await page.keyboard.type('checkout-v1-11');
    await page.keyboard.press('Enter');
    await page.locator('.cm-searchMatch-selected').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowDown');
    // Folding is available once the text has been parsed.
    await page.locator('.cm-foldGutter .cm-gutterElement span').nth(1).waitFor();
    const shownLines = await page.locator('.cm-content').innerText();
    await page.keyboard.press('Control+Shift+BracketLeft');
    await page.locator('.cm-foldPlaceholder').waitFor();
    assert.match(shownLines, /"kind": "Service"/);
    assert.doesNotMatch(await page.locator('.cm-content').innerText(), /"kind": "Service"/);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    assert.notEqual(await page.evaluate(() => document.activeElement?.className), 'code-editor');
  }));

test('the editor is styled under the policy of the page: sheets of its own, none refused, no style element', () =>
  withPage(world, {}, async (page) => {
    /** @type {string[]} */
    const refused = [];
    await page.exposeFunction('refused', (/** @type {string} */ what) => refused.push(what));
    await page.evaluate(() => {
      document.addEventListener('securitypolicyviolation', (event) => /** @type {any} */ (globalThis).refused(event.violatedDirective));
    });
    await replaceInput(page, '{"service": 1}');
    await page.locator('.cm-faulty').waitFor();
    await page.locator('.cm-lint-marker-error').hover();
    await page.locator('.cm-tooltip').waitFor();
    const made = await page.locator('.code-editor').evaluate((host) => ({
      sheets: host.shadowRoot?.adoptedStyleSheets.length,
      elements: document.querySelectorAll('style').length + (host.shadowRoot?.querySelectorAll('style').length ?? 0),
      display: getComputedStyle(/** @type {Element} */ (host.shadowRoot?.querySelector('.cm-scroller'))).display,
    }));
    assert.deepEqual(made, { sheets: 1, elements: 0, display: 'flex' });
    assert.deepEqual(refused, []);
  }));
