/** Completion, explanations and remarks in the editor, in JSON and YAML, by keyboard and pointer. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findings } from './axe.js';
import { openInput, replaceInput, settled, start, withPage } from './harness.js';

/** @import {Page} from 'playwright-core' */

/** @type {import('./harness.js').World} */
let world;
before(async () => {
  world = await start();
});
after(() => world.close());

const LIMIT = { timeout: 60_000 };
const WIDE = { viewport: { width: 1440, height: 900 } };
const POD = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'n', labels: { tier: 'front' } } };
/** The same objects, with a place to type at the end of the ports and of the selector. */
const INPUTS = {
  YAML: {
    head: [
      JSON.stringify(POD),
      '---\napiVersion: v1\nkind: Service\nmetadata:\n  name: s\n  namespace: n',
      'spec:\n  selector:\n    tier: front\n  ports:\n  - port: 80',
    ].join('\n'),
    // The editor indents the new line.
    key: '\nprot',
    afterKey: '\n    protocol: ',
    value: 'UDP',
    more: '\n  sessionAffinity: None',
    tail: '\n',
  },
  JSON: {
    head: [
      `[${JSON.stringify(POD)},`,
      '{"apiVersion": "v1", "kind": "Service",\n"metadata": {"name": "s", "namespace": "n"},',
      '"spec": {"selector": {"tier": "front"}, "ports": [{"port": 80',
    ].join('\n'),
    key: ', "prot',
    afterKey: ', "protocol": "',
    value: 'UDP"',
    more: '}], "sessionAffinity": "None"',
    tail: '}]}}]',
  },
};

/** Opens the editor with a text, and waits until what helps has loaded. @param {Page} page @param {string} text */
async function edit(page, text) {
  page.setDefaultTimeout(20_000);
  const loaded = page.waitForResponse(/\/assets\/assist\./);
  await openInput(page);
  await loaded;
  await page.locator('.code-editor .cm-content[aria-autocomplete]').waitFor();
  await replaceInput(page, text);
}

/** @param {Page} page */
function textOf(page) {
  return page.locator('.code-editor .cm-line').allTextContents().then((lines) => lines.join('\n'));
}

/** @param {Page} page @param {number} back from the end of the text */
async function toEnd(page, back) {
  await page.keyboard.press('Control+End');
  for (let step = 0; step < back; step += 1) await page.keyboard.press('ArrowLeft');
}

/** Waits for the proposals, beyond the moment in which keys still are text. @param {Page} page @param {string} first */
async function proposed(page, first) {
  await page.locator('.cm-tooltip-autocomplete [aria-selected]', { hasText: first }).waitFor();
  await page.waitForTimeout(150);
}

/** Collects what is announced, which does not stay. @param {Page} page @returns {Promise<() => Promise<string[]>>} */
async function listen(page) {
  await page.locator('.cm-announced').evaluate((place) => {
    /** @type {string[]} */
    const said = [];
    Object.assign(globalThis, { said });
    const note = () => void (place.textContent?.trim() && said.push(place.textContent));
    new MutationObserver(note).observe(place, { childList: true, subtree: true });
  });
  return () => page.evaluate(() => /** @type {any} */ (globalThis).said);
}

for (const format of /** @type {const} */ (['YAML', 'JSON'])) {
  const { head, key, afterKey, value, more, tail } = INPUTS[format];

  test(`a field and its value are completed, and undone, in ${format}`, LIMIT, () =>
    withPage(world, WIDE, async (page) => {
      await edit(page, head + tail);
      // A pause ends a step of undo.
      await page.waitForTimeout(1100);
      await toEnd(page, tail.length);
      await page.keyboard.type(key);
      await proposed(page, 'protocol');
      const options = await page.locator('.cm-tooltip-autocomplete [role=option] .cm-completionLabel').allTextContents();
      assert.ok(!options.includes('port'), 'what is there already is not offered');
      await page.locator('.cm-completionInfo', { hasText: 'The IP protocol for this port.' }).waitFor();
      assert.deepEqual(await findings(page), []);
      await page.keyboard.press('Enter');
      await proposed(page, 'TCP');
      const close = format === 'JSON' ? '"' : '';
      assert.equal(await textOf(page), head + afterKey + close + tail);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      assert.equal(await textOf(page), head + afterKey + value + tail);
      for (const [stroke, text] of [['Control+Z', head + tail], ['Control+Y', head + afterKey + value + tail]]) {
        for (let step = 0; step < 4 && (await textOf(page)) !== text; step += 1) {
          await settled(page);
          await page.keyboard.press(stroke);
        }
        assert.equal(await textOf(page), text);
      }
      await settled(page);
    }));

  test(`an unknown field and value are marked at their lines, and mended by a press, in ${format}`, LIMIT, () =>
    withPage(world, WIDE, async (page) => {
      const whole = head + more + (format === 'JSON' ? '}}]' : tail);
      const faulty = whole.replace(/metadata(?!.*metadata)/s, 'metdata').replace('None', 'Nnoe');
      await edit(page, faulty);
      const marks = page.locator('.cm-lintRange-warning');
      await marks.filter({ hasText: 'metdata' }).waitFor();
      assert.deepEqual(await marks.allTextContents(), ['metdata', 'Nnoe']);
      for (const [word, message] of [['metdata', 'did you mean metadata?'], ['Nnoe', 'unknown value Nnoe; did you mean None?']]) {
        await marks.filter({ hasText: word }).hover();
        const note = page.locator('.cm-tooltip .cm-diagnostic-warning', { hasText: message });
        await note.waitFor();
        assert.deepEqual(await findings(page), []);
        await note.getByRole('button', { name: /Use / }).click();
        await marks.filter({ hasText: word }).waitFor({ state: 'detached' });
      }
      assert.equal(await textOf(page), whole);
      await settled(page);
    }));

  test(`a field is explained under the pointer, and by key, which announces it, in ${format}`, LIMIT, () =>
    withPage(world, WIDE, async (page) => {
      await edit(page, head + afterKey + value + tail);
      await page.locator('.cm-line span', { hasText: /^"?protocol"?$/ }).last().hover();
      const explained = page.locator('.cm-explained');
      await explained.waitFor();
      assert.equal(await explained.locator('p').first().textContent(), 'protocol, string');
      assert.match((await explained.textContent()) ?? '', /The IP protocol for this port\.One of TCP, UDP, SCTP\./);
      await page.mouse.move(0, 0);
      await explained.waitFor({ state: 'detached' });
      await page.locator('#input').focus();
      await toEnd(page, tail.length + 2);
      const said = await listen(page);
      await page.keyboard.press('F1');
      await explained.waitFor();
      assert.deepEqual(await findings(page), []);
      assert.deepEqual(await said(), ['protocol, string. The IP protocol for this port. One of TCP, UDP, SCTP.']);
      await page.keyboard.press('Escape');
      await explained.waitFor({ state: 'detached' });
    }));

  test(`no letter is lost while proposals are open, and Enter after a whole value is a new line, in ${format}`, LIMIT, () =>
    withPage(world, WIDE, async (page) => {
      await edit(page, head + tail);
      await toEnd(page, tail.length);
      await page.keyboard.type(key);
      await proposed(page, 'protocol');
      // Faster than anyone reads what is proposed: all of it is text.
      await page.keyboard.type(`ocol${format === 'JSON' ? '": "' : ': '}TC`);
      await proposed(page, 'TCP');
      await page.keyboard.type('P');
      await page.waitForTimeout(150);
      await page.keyboard.press('Enter');
      assert.equal(await textOf(page), `${head}${afterKey}TCP\n${format === 'YAML' ? '    ' : ''}${tail}`);
    }));
}

test('a remark that is being read stays while others come, and its button works', LIMIT, () =>
  withPage(world, WIDE, async (page) => {
    const { head, more, tail } = INPUTS.YAML;
    await edit(page, head + more.replace('None', 'Nnoe') + tail);
    const marks = page.locator('.cm-lintRange-warning');
    await marks.filter({ hasText: 'Nnoe' }).hover();
    const button = page.locator('.cm-tooltip').getByRole('button', { name: 'Use None' });
    await button.waitFor();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('kind: Pod\nsepc: 1\n---\n');
    await marks.filter({ hasText: 'sepc' }).waitFor();
    await button.click();
    await marks.filter({ hasText: 'Nnoe' }).waitFor({ state: 'detached' });
    assert.match(await textOf(page), /sessionAffinity: None/);
  }));

test('labels of the objects that are loaded are proposed for a selector', LIMIT, () =>
  withPage(world, WIDE, async (page) => {
    const { head, tail } = INPUTS.YAML;
    await edit(page, head.replace('tier: front', 'tier: fr').replace(/\n {2}ports.*$/s, '') + tail);
    await toEnd(page, tail.length);
    await page.keyboard.type('o');
    await proposed(page, 'front');
    await page.keyboard.press('Enter');
    assert.match(await textOf(page), /selector:\n {4}tier: front\n/);
  }));

test('what was loaded is shown as text, never as markup', LIMIT, () =>
  withPage(world, WIDE, async (page) => {
    const label = '<img src=x onerror=document.title=1>';
    await edit(page, `kind: Service\nspec:\n  "${label}": 1\n  selector:\n    a: b\n`);
    await page.locator('.cm-lintRange-warning').hover();
    const note = page.locator('.cm-tooltip .cm-diagnostic-warning');
    await note.waitFor();
    assert.match((await note.textContent()) ?? '', /unknown field <img src=x/);
    assert.equal(await page.locator('.code-editor img').count(), 0);
  }));

test('from 1,024 pixels the text and the picture are side by side', LIMIT, () =>
  withPage(world, { viewport: { width: 1024, height: 768 } }, async (page) => {
    await openInput(page);
    const [drawer, result] = await Promise.all(['.drawer', '.result'].map((part) => page.locator(part).boundingBox()));
    assert.ok(drawer && result && drawer.x + drawer.width <= result.x + 1, JSON.stringify({ drawer, result }));
    assert.ok(result.width >= 480, `${result.width}`);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(over <= 0, `${over}`);
  }));

test('a very long text is shown without colours and remarks, says so, and has them again when it is shorter', LIMIT, () =>
  withPage(world, {}, async (page) => {
    const wrong = 'apiVersion: v1\nkind: Service\nmetadata:\n  name: a\nspec:\n  selectors: {}\n';
    const colours = page.locator('.code-editor .cm-line span[class]');
    const remark = page.locator('.code-editor .cm-lintRange-warning');
    const note = page.getByText('This text is very long');
    await replaceInput(page, wrong);
    await remark.first().waitFor();
    assert.ok((await colours.count()) > 0);
    assert.equal(await note.count(), 0);
    await replaceInput(page, `${wrong}${`# ${'x'.repeat(97)}\n`.repeat(51_000)}`);
    await note.waitFor();
    await page.locator('#input:not([aria-readonly])').waitFor();
    await remark.first().waitFor({ state: 'detached' });
    assert.equal(await colours.count(), 0);
    await replaceInput(page, wrong);
    await remark.first().waitFor();
    assert.equal(await note.count(), 0);
    // As it is typed, too.
    await replaceInput(page, `${wrong}${`# ${'x'.repeat(97)}\n`.repeat(49_999)}`);
    await page.locator('#input:not([aria-readonly])').waitFor();
    await remark.first().waitFor();
    await page.locator('#input').focus();
    await page.keyboard.insertText(`# ${'x'.repeat(97)}`);
    await note.waitFor();
    await remark.first().waitFor({ state: 'detached' });
  }));
